//! The rendered request before one turn of a run.

use super::borders::RequestBorder;
use super::error::StrategyError;
use super::statistics::Statistics;
use crate::agent::Message;

/// Messages sent before one turn.
#[derive(Clone, Debug)]
pub struct Request {
    /// The turn after the request, from 1.
    pub turn: u32,
    pub messages: Vec<Message>,
    /// From left to right.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// False if the call failed or the script had ended. Such a request is shown but not measured.
    pub is_answered: bool,
}

/// Failure of a user's strategy to render a request.
#[derive(Clone, Debug)]
pub struct BrokenStrategy {
    /// The turn after the request.
    pub turn: u32,
    pub error: StrategyError,
}
