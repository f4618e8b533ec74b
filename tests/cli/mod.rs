//! The program as its users see it: commands, output, exit codes.

mod advise;
mod advise_table;
mod again;
mod agents;
mod apply;
mod authoring;
mod billed_triggers;
mod changes;
mod coding_agents;
mod commands;
mod compactions;
mod copies;
mod documentation;
mod dropped;
mod effect;
mod effect_words;
mod errors;
mod files;
mod first_screen;
mod foreign;
mod help;
mod hostile;
mod inputs;
mod insta;
mod large;
mod line_ends;
#[cfg(unix)]
mod lisp;
#[cfg(feature = "live")]
pub mod live;
#[cfg(target_os = "linux")]
mod memory;
mod merge;
mod neighbours;
mod opencode;
mod pasted;
mod pauses;
mod prompts;
mod random_edits;
mod read_again;
mod records;
mod repeated;
mod reports;
#[cfg(unix)]
mod review;
mod rework;
mod roo;
mod run;
mod scaling;
mod schemas;
mod secrets;
mod several_agents;
mod strategies;
mod suite;
#[cfg(unix)]
mod terminal;
mod time_limit;
mod tune;
mod validator;
mod workflow;
mod wrong;
