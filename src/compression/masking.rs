//! Turns with lines in place of observations. The answers and the words of the user stay.

use super::draft::RequestDraft;
use super::history::{Exchange, View};
use super::message_builder::MessageBuilder;
use super::statistics::Shown;
use crate::agent::{Message, MessagePart, ReplyKind, Role, Turn};

/// Tokens of a masked observation, with what the chat format adds. Strategies that decide by size use this constant, so
/// that programs without a tokenizer can do the same.
pub const MASKED_TOKENS: u64 = 16;

/// The turn with `[output of turn 4 omitted: 1234 characters]` in place of the replies at the wanted indexes.
pub fn masked(
    view: &View<'_>,
    turn: &Turn,
    exchange: &Exchange,
    is_wanted: impl Fn(usize) -> bool,
) -> RequestDraft {
    let mut shown = Shown::default();
    shown.answer(turn);
    let mut messages = exchange.ids().to_vec();
    // The answer comes first.
    for (index, (id, reply)) in messages.iter_mut().skip(1).zip(&exchange.replies).enumerate() {
        if is_wanted(index) && can_be_masked(turn, index) {
            *id = view.messages().add(&masked_reply(turn, exchange, reply));
        }
    }
    RequestDraft::new(messages, shown)
}

/// Returns true if the reply at this index is an observation.
pub fn can_be_masked(turn: &Turn, index: usize) -> bool {
    let Some(recorded) = &turn.recorded else { return true };
    let reply = recorded.replies.get(index);
    reply.is_some_and(|reply| matches!(reply.kind, ReplyKind::Result | ReplyKind::Observation))
}

/// The line, and the one that announces the next turn.
fn masked_reply(turn: &Turn, exchange: &Exchange, reply: &Message) -> Message {
    let omitted =
        |text: &str| format!("[output of turn {} omitted: {} characters]", turn.number, text.chars().count());
    if turn.recorded.is_some() {
        return reply.with_content(omitted(&reply.content));
    }
    let mut message = MessageBuilder::default();
    let observation: String = exchange.observations().collect();
    message.part(MessagePart::Output, |out| out.push_str(&omitted(&observation)));
    message.part(MessagePart::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    message.finish(Role::User)
}
