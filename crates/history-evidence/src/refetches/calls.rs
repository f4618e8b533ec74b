//! The calls of a log, with the results shown to the model.

use ecow::{EcoString, eco_format};

use super::tools::Action;
use conversation::cut::{on_one_line, shortened};
use conversation::{MessageId, ReplyKind, Turn};
use history_strategies::{Exchange, History};

/// Maximum characters of a call in reports.
const CHARACTERS: usize = 120;

/// The calls of a run, by turn.
#[derive(Debug, Default)]
pub struct Calls(Vec<TurnCalls>);

/// The calls of one answer.
#[derive(Debug)]
pub struct TurnCalls {
    /// The messages of the answer and the replies.
    pub messages: Vec<MessageId>,
    /// In the order of the answer.
    pub calls: Vec<Call>,
}

/// One call.
#[derive(Debug)]
pub struct Call {
    pub(super) action: Action,
    /// Name and arguments as JSON.
    pub(super) whole: EcoString,
    /// The call as shown in reports.
    pub(super) text: EcoString,
    /// The message with its result. `None` if the call failed or has no result.
    pub(super) result: Option<MessageId>,
}

impl Calls {
    /// Collects the calls of a log. Empty for scripted runs.
    pub fn of_history(history: &History<'_>) -> Calls {
        let view = history.whole();
        if view.run().is_some() {
            return Calls(Vec::new());
        }
        Calls(view.exchanges(0).map(|(turn, exchange)| TurnCalls::of(turn, exchange)).collect())
    }

    /// The calls in the answer of `turn`, from 1.
    pub fn of_turn(&self, turn: u32) -> Option<&TurnCalls> {
        self.0.get((turn as usize).checked_sub(1)?)
    }
}

impl TurnCalls {
    fn of(turn: &Turn, exchange: &Exchange) -> TurnCalls {
        let native = turn.answer.calls();
        let mut calls = Vec::with_capacity(turn.calls.len());
        for (index, call) in turn.calls.iter().enumerate() {
            let (arguments, id) = match native.get(index) {
                Some(native) => (&native.arguments, Some(&native.id)),
                None => (&call.text, None),
            };
            let whole = eco_format!("{} {arguments}", call.name);
            let result = if call.error.is_none() { result_of_call(turn, exchange, id) } else { None };
            calls.push(Call {
                action: Action::of(call, &whole),
                whole,
                text: shortened(&on_one_line(&call.text), CHARACTERS).into(),
                result,
            });
        }
        TurnCalls { messages: exchange.ids().to_vec(), calls }
    }
}

/// The message with the result of a call. For actions written as text, the first observation.
fn result_of_call(turn: &Turn, exchange: &Exchange, id: Option<&EcoString>) -> Option<MessageId> {
    let index = turn.replies.iter().position(|reply| match id {
        Some(_) => reply.kind == ReplyKind::Result && reply.message.result_of() == id,
        None => reply.kind == ReplyKind::Observation,
    })?;
    exchange.ids().get(index + 1).copied()
}
