//! Integration tests, one module per topic, in one binary: linking is the slow part of building tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod agent;
mod benchmark;
mod bills;
mod broken_renderer;
mod cli;
mod comparison;
mod compression;
mod confidence;
mod evidence;
mod evidence_index;
mod evidence_rules;
#[path = "../crates/agent-logs/tests/golden.rs"]
mod golden;
mod hostile;
mod malformed;
mod marks;
mod measures;
mod outcomes;
mod page;
mod pool;
mod price_files;
mod prompts;
mod report_names;
mod reports;
mod request_texts;
mod requirements;
mod robustness;
mod scenario_files;
mod scenarios;
mod secrets;
mod signature;
mod snapshots;
mod spending;
mod summaries;
mod tidy;
mod token_counts;
mod verify;
