//! The messages that stand for one turn in a summary.

use ecow::EcoString;

use super::draft::RequestDraft;
use super::history::{Exchange, View};
use super::message_builder::MessageBuilder;
use super::options::Options;
use super::sections::samples::{Samples, write_type};
use super::sections::{calls, output, user};
use super::statistics::Shown;
use crate::agent::{Message, MessagePart, RecordedTurn, Reply, ReplyKind, Role, ToolCall, Turn};
use ptc_lisp::memory::Definition;

/// In place of a message that would be empty, which providers refuse.
const NOTHING: &str = "; Nothing to show";

/// The summary of a turn as it was when the turn ended, so that it never changes. A failed turn stays whole.
pub fn summary_of(view: &View<'_>, turn: &Turn, exchange: &Exchange, options: &Options) -> RequestDraft {
    if !turn.success {
        let mut whole = RequestDraft::default();
        exchange.add_whole(turn, &mut whole);
        return whole;
    }
    if let Some(recorded) = &turn.recorded {
        return summarized_recording(view, recorded, &turn.tool_calls, &turn.prints);
    }
    let defined = turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
    let samples = Samples::unless_printed(turn.prints.len() as u32, options);
    summarized(view, (&turn.tool_calls, &defined.collect::<Vec<_>>(), &turn.prints), samples, exchange)
}

/// Calls, definitions and prints of a turn, and the line that announces the next one.
pub fn summarized(
    view: &View<'_>,
    (newest_calls, definitions, newest_prints): (&[ToolCall], &[&Definition], &[EcoString]),
    samples: Option<Samples>,
    exchange: &Exchange,
) -> RequestDraft {
    let mut left = MessageBuilder::default();
    let tool_calls =
        left.line(MessagePart::Calls, |out| calls::list(out, "; Tool calls:", newest_calls, samples));
    left.line(MessagePart::User, |out| write_definitions(out, definitions, samples));
    let printlns = left.line(MessagePart::Output, |out| output::list(out, "; Output:", newest_prints));
    let left = if left.has_parts() { left } else { MessageBuilder::headed(NOTHING) };
    let mut feedback = MessageBuilder::default();
    feedback.part(MessagePart::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    let messages = [left.finish(Role::Assistant), feedback.finish(Role::User)];
    RequestDraft::new(messages.iter().map(|message| view.messages().add(message)).collect(), shown)
}

/// The calls of a recorded turn as its answer, then its results, then the words of people. An answer to a person stays.
pub fn summarized_recording(
    view: &View<'_>,
    recorded: &RecordedTurn,
    newest_calls: &[ToolCall],
    newest_prints: &[EcoString],
) -> RequestDraft {
    let mut answer = MessageBuilder::default();
    let tool_calls =
        answer.line(MessagePart::Calls, |out| calls::list(out, "; Tool calls:", newest_calls, None));
    let answer = match recorded.spoken() {
        Some(_) => recorded.answer.clone(),
        None if tool_calls > 0 => answer.finish(Role::Assistant),
        None => Message::new(Role::Assistant, NOTHING),
    };
    let mut outputs = MessageBuilder::default();
    let printlns = outputs.line(MessagePart::Output, |out| output::list(out, "; Output:", newest_prints));
    let kept = |reply: &&Reply| {
        matches!(reply.kind, ReplyKind::Words | ReplyKind::Filler) && reply.message.role == Role::User
    };
    let mut kept = recorded.replies.iter().filter(kept).map(|reply| reply.message.clone()).peekable();
    let reply = match kept.peek() {
        _ if outputs.has_parts() => Some(outputs.finish(Role::User)),
        Some(_) => None,
        None => Some(Message::new(Role::User, NOTHING)),
    };
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    let messages = [answer].into_iter().chain(reply).chain(kept);
    RequestDraft::new(messages.map(|message| view.messages().add(&message)).collect(), shown)
}

/// `; Function: pricey? - "Costs over 100"` and `; Defined: electronics - "In stock" = list[4]`
fn write_definitions(out: &mut String, definitions: &[&Definition], samples: Option<Samples>) {
    let start = out.len();
    for definition in user::functions_first(|| definitions.iter().copied()) {
        if out.len() > start {
            out.push('\n');
        }
        let is_function = definition.is_function();
        out.push_str(if is_function { "; Function: " } else { "; Defined: " });
        out.push_str(definition.name.name());
        if let Some(docstring) = &definition.docstring {
            out.push_str(" - ");
            user::quote(out, docstring);
        }
        if !is_function {
            out.push_str(" = ");
            write_type(out, &definition.value, samples);
        }
    }
}
