//! What many frameworks do: all that the model said, but only the newest of what it was told.

use std::fmt::Write;

use super::history::{Exchange, View};
use super::message_builder::MessageBuilder;
use super::options::{KEEP_RECENT_TURNS, OptionRow, Options};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};
use crate::agent::{Message, Part, Role, Turn};

/// `observation-masking`
pub struct ObservationMasking;

impl Strategy for ObservationMasking {
    fn name(&self) -> &str {
        "observation-masking"
    }

    fn doc(&self) -> &str {
        "full-history with the feedback of older turns left out"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[KEEP_RECENT_TURNS]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let older = view.turns.len().saturating_sub(options.get(&KEEP_RECENT_TURNS));
        let mut messages = Vec::with_capacity(2 + 2 * view.turns.len());
        messages.extend([view.system().clone(), view.opening().clone()]);
        let mut shown = Shown::default();
        for (index, (turn, exchange)) in view.turns.iter().zip(view.exchanges(0)).enumerate() {
            messages.push(exchange.assistant.clone());
            if index < older {
                messages.push(exchange.written.masked.or_write((), || masked(turn, exchange)));
                shown.response(turn);
            } else {
                messages.push(exchange.feedback.clone());
                shown.whole(turn);
            }
        }
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}

/// `[output of turn 4 omitted: 1234 characters]` and the line that says what turn comes.
fn masked(turn: &Turn, exchange: &Exchange) -> Message {
    let characters = exchange.observation().chars().count();
    let mut message = MessageBuilder::default();
    message.part(Part::Output, |out| {
        let _ = write!(out, "[output of turn {} omitted: {characters} characters]", turn.number);
    });
    message.part(Part::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    message.finish(Role::User)
}
