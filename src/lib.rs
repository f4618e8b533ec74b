//! Golden-file testing and evaluation for agents that work by writing small programs.
//!
//! A pipeline of plain data. A module uses only those to its left:
//!
//! ```text
//! processes → secrets → signature → log_bills → agent → compression → scenario → snapshot → measure → report → evaluate → cli
//! ```
//!
//! The language is the crate `ptc_lisp`; prices are in `ptc_prices`, token counts in `ptc_tokens`; logs of other agents are read by `agent_logs`. Messages and
//! turns are in `conversation`, strategies that need no language in `history_strategies`, facts that requests lack in `history_evidence`, predicted bills in `conversation_bills`.

pub mod agent;
pub mod cli;
pub mod compression;
pub mod evaluate;
pub mod log_bills;
pub mod measure;
pub mod processes;
pub mod report;
pub mod scenario;
pub mod secrets;
pub mod signature;
pub mod snapshot;
