//! The program as its users see it: commands, what they print, the codes they end with.

mod authoring;
mod large;
mod reports;
mod run;
mod schemas;
mod suite;
mod validator;
mod workflow;
