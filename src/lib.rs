//! Golden-file testing and evaluation for agents that work by writing small programs.
//!
//! A pipeline of plain data; each arrow is a pure function in one module, and a module uses only those
//! to its left:
//!
//! ```text
//! text ─lisp→ Program ─agent→ Transcript ─compression→ Requests ─replay→ ScenarioResult ─report→ Comparison → bytes
//!        lisp → signature → agent → compression → scenario → replay → snapshot → report → cli
//! ```
//!
//! `tokens` is a leaf that all may use.

pub mod tokens;

pub mod lisp;

pub mod signature;

pub mod agent;

pub mod compression;

pub mod scenario;

pub mod replay;

pub mod snapshot;

pub mod report;

pub mod cli;
