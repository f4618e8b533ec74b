//! Integration tests, one module per topic, in one binary: linking is the slow part of building tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod agent;
mod broken_renderer;
mod cli;
mod compression;
mod evidence;
mod findings;
mod golden;
mod malformed;
mod marks;
mod page;
mod prompts;
mod reports;
mod requirements;
mod robustness;
mod scenario_files;
mod scenarios;
mod signature;
mod tidy;
mod transcripts;
