//! All tests in one binary: linking is the slow part of building them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod agents;
mod bills_found;
mod booked;
mod codex;
mod conserved;
mod contents;
mod copies;
mod counts;
mod golden;
mod inlined;
mod interleaved;
mod joined;
mod journal;
mod langfuse;
mod layouts;
mod ledger;
mod masked;
mod named;
mod observations;
mod packed;
mod parallel;
mod provider_tools;
mod readers;
mod recognised;
mod relogged;
mod renamed;
mod repeated;
mod reported;
mod rewritten;
mod rows;
mod served;
mod shelf;
mod streamed;
mod tallied;
mod times;
mod transcripts;
mod unread;
