//! Verifies evidence: a live model answers requests of scripted runs, those with short answers and others. There is
//! no network code here.

mod finding;
mod subject;

pub use finding::{Finding, Group};
pub use subject::{Subject, VerifyCase, choose, request_hash};
