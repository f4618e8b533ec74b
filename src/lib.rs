//! Golden-file testing and evaluation for agents that work by writing small programs.
//!
//! A pipeline of plain data; each arrow is a pure function in one module, and a module uses only those
//! to its left:
//!
//! ```text
//! text ─ptc_lisp→ Program ─agent→ Transcript ─compression→ Requests ─replay→ ScenarioResult ─report→ Comparison → bytes
//!     signature → agent → compression → scenario → replay → snapshot → report → cli
//! ```
//!
//! The language is the crate `ptc_lisp`; tokens and prices are in `ptc_tokens`.

pub mod agent;
pub mod cli;
pub mod compression;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod signature;
pub mod snapshot;
