//! The rendered request before one turn of a run.

use conversation::Message;

use crate::{Rendered, RequestBorder, Statistics, StrategyCall, StrategyError};

/// The messages sent before one turn. `M` is a whole message or an identifier in a table.
#[derive(Clone, Debug)]
pub struct Request<M = Message> {
    /// The turn answering the request, from 1.
    pub turn: u32,
    /// Number of leading messages of the previous request that are left out of `messages`. See [`Rendered::kept`].
    pub kept: usize,
    pub messages: Vec<M>,
    /// From left to right.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Tool calls not shown in the request, failed ones included.
    pub hidden_tool_calls: u32,
    /// The model call made by the strategy before the request.
    pub call: Option<StrategyCall<M>>,
    /// False if the model call failed or the script had ended. Such a request is shown but not measured.
    pub is_answered: bool,
}

impl<M> Request<M> {
    /// The request before a turn, from 1.
    pub fn new(turn: u32, rendered: Rendered<M>, is_answered: bool) -> Request<M> {
        let Rendered { kept, messages, borders, statistics, hidden_tool_calls, call } = rendered;
        Request { turn, kept, messages, borders, statistics, hidden_tool_calls, call, is_answered }
    }

    /// Converts the messages to another form.
    pub fn map<N>(self, mut message: impl FnMut(M) -> N) -> Request<N> {
        let Request { turn, kept, messages, borders, statistics, hidden_tool_calls, call, is_answered } =
            self;
        let messages = messages.into_iter().map(&mut message).collect();
        let call = call.map(|call| call.map(message));
        Request { turn, kept, messages, borders, statistics, hidden_tool_calls, call, is_answered }
    }
}

/// The [`StrategyError`] of a user's strategy, with its turn.
#[derive(Clone, Debug)]
pub struct BrokenStrategy {
    /// The turn answering the request, from 1.
    pub turn: u32,
    pub error: StrategyError,
}
