//! The rendered request before one turn of a run.

use conversation::Message;

use crate::{Rendered, RequestBorder, Statistics, StrategyCall, StrategyError};

/// The messages that are sent before one turn: whole messages, or identifiers of a table.
#[derive(Clone, Debug)]
pub struct Request<M = Message> {
    /// The turn after the request, from 1.
    pub turn: u32,
    pub messages: Vec<M>,
    /// From left to right.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// The call that the strategy itself makes before it.
    pub call: Option<StrategyCall<M>>,
    /// False if the call failed or the script had ended. Such a request is shown but not measured.
    pub is_answered: bool,
}

impl<M> Request<M> {
    /// The request before a turn, from 1.
    pub fn new(turn: u32, rendered: Rendered<M>, is_answered: bool) -> Request<M> {
        let Rendered { messages, borders, statistics, hidden_tool_calls, call } = rendered;
        Request { turn, messages, borders, statistics, hidden_tool_calls, call, is_answered }
    }

    /// The request with its messages in another form.
    pub fn map<N>(self, mut message: impl FnMut(M) -> N) -> Request<N> {
        let Request { turn, messages, borders, statistics, hidden_tool_calls, call, is_answered } = self;
        let messages = messages.into_iter().map(&mut message).collect();
        let call = call.map(|call| call.map(message));
        Request { turn, messages, borders, statistics, hidden_tool_calls, call, is_answered }
    }
}

/// Failure of a user's strategy to render a request.
#[derive(Clone, Debug)]
pub struct BrokenStrategy {
    /// The turn after the request.
    pub turn: u32,
    pub error: StrategyError,
}
