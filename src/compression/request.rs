//! The request before one turn of a run, as a strategy renders it.

use super::{Statistics, StrategyError};
use crate::agent::Message;

/// Messages sent before one turn.
#[derive(Clone, Debug)]
pub struct Request {
    /// The turn that it asks for, from 1.
    pub turn: u32,
    pub messages: Vec<Message>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// False if the call failed or the script had ended. Such a request is shown but not measured.
    pub is_answered: bool,
}

/// Failure of a user's strategy to render a request.
#[derive(Clone, Debug)]
pub struct BrokenStrategy {
    /// The turn that the request would have asked for.
    pub turn: u32,
    pub error: StrategyError,
}
