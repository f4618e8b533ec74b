//! All tests in one binary: linking is the slow part of building them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod agents;
#[path = "../../../tests/golden.rs"]
mod golden;
mod interleaved;
mod observations;
mod readers;
mod times;
mod unread;
