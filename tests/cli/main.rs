//! The program as its users see it: commands, what they print, the codes they end with.

mod authoring;
mod run;
mod strategies;
mod suite;
