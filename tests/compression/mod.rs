//! Requests of strategies, to the byte. Each test names the requirements that it checks.

mod borders;
mod command;
mod examples;
mod options;
mod precedence;
mod program;
mod properties;
mod recorded;
mod rewritten;
mod run;
mod sections;
mod statistics;
mod story;
mod strategies;
mod summary;
