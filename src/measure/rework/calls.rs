//! The calls of a recorded conversation, each with the result that the model was shown.

use ecow::{EcoString, eco_format};

use super::tools::Action;
use crate::agent::{ReplyKind, ToolCall, Turn};
use crate::compression::cut::{on_one_line, shortened};
use crate::compression::{Exchange, History};
use crate::messages::MessageId;

/// Characters of a call that reports show.
const CHARACTERS: usize = 120;

/// The calls of a run, by turn.
#[derive(Debug, Default)]
pub struct Calls(Vec<TurnCalls>);

/// The calls of one answer.
#[derive(Debug)]
pub struct TurnCalls {
    /// The answer and the replies.
    pub messages: Vec<MessageId>,
    pub calls: Vec<Call>,
}

/// One call.
#[derive(Debug)]
pub struct Call {
    pub action: Action,
    /// Name and arguments as JSON.
    pub whole: EcoString,
    /// The call as reports show it.
    pub text: EcoString,
    /// Its result; none if it has none, or failed.
    pub result: Option<MessageId>,
}

impl Calls {
    /// The calls of a recorded run; none of one that was executed.
    pub fn of(history: &History<'_>) -> Calls {
        let view = history.whole();
        let is_recorded = view.is_recorded();
        let exchanges = view.exchanges(0).filter(|_| is_recorded);
        Calls(exchanges.map(|(turn, exchange)| TurnCalls::of(turn, exchange)).collect())
    }

    /// The calls of the answer of a turn, from 1.
    pub fn of_turn(&self, turn: u32) -> Option<&TurnCalls> {
        self.0.get((turn as usize).checked_sub(1)?)
    }
}

impl TurnCalls {
    fn of(turn: &Turn, exchange: &Exchange) -> TurnCalls {
        let native = exchange.assistant.calls();
        let calls = turn.tool_calls.iter().enumerate().map(|(index, call)| {
            let native = native.get(index);
            let arguments = native.map(|native| &native.arguments).or(call.text.as_ref());
            let whole = eco_format!("{} {}", call.name.name(), arguments.map_or("", EcoString::as_str));
            let result = result(turn, exchange, native.map(|native| &native.id));
            Call {
                action: Action::of(call, &whole),
                whole,
                text: shown(call),
                result: result.filter(|_| call.error.is_none()),
            }
        });
        TurnCalls { messages: exchange.ids().to_vec(), calls: calls.collect() }
    }
}

/// The message with the result of a call. An action that is written as text has the first observation.
fn result(turn: &Turn, exchange: &Exchange, id: Option<&EcoString>) -> Option<MessageId> {
    let replies = &turn.recorded.as_ref()?.replies;
    let index = replies.iter().position(|reply| match id {
        Some(_) => reply.kind == ReplyKind::Result && reply.message.result_of() == id,
        None => reply.kind == ReplyKind::Observation,
    })?;
    exchange.ids().get(index + 1).copied()
}

fn shown(call: &ToolCall) -> EcoString {
    let text = call.text.as_ref().map_or("", EcoString::as_str);
    shortened(&on_one_line(text), CHARACTERS).into()
}
