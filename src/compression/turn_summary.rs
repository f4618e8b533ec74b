//! The messages that stand for one turn in a summary.

use ecow::EcoString;

use super::draft::RequestDraft;
use super::history::{Exchange, View};
use super::message_builder::MessageBuilder;
use super::options::Options;
use super::sections::samples::{Samples, write_type};
use super::sections::{calls, output, user};
use super::statistics::Shown;
use crate::agent::{Call, LoggedTurn, Message, MessagePart, Reply, ReplyKind, Role, Turn};
use ptc_lisp::memory::Definition;

/// In place of a message that would be empty, which providers refuse.
const NOTHING: &str = "; Nothing to show";

/// The summary of a turn as it was when the turn ended, so that it never changes. A failed turn stays whole.
pub fn summary_of(view: &View<'_>, turn: Turn<'_>, exchange: &Exchange, options: &Options) -> RequestDraft {
    if !turn.has_succeeded() {
        let mut whole = RequestDraft::default();
        exchange.add_whole(turn, &mut whole);
        return whole;
    }
    let calls: Vec<Call<'_>> = turn.calls().collect();
    match turn {
        Turn::Logged(turn) => summarized_logged(view, turn, &calls, &turn.outputs),
        Turn::Program(turn) => {
            let defined = turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
            let samples = Samples::unless_printed(turn.prints.len() as u32, options);
            summarized(view, (&calls, &defined.collect::<Vec<_>>(), &turn.prints), samples, exchange)
        }
    }
}

/// Calls, definitions and prints of a turn, and the line that announces the next one.
pub fn summarized(
    view: &View<'_>,
    (newest_calls, definitions, newest_prints): (&[Call<'_>], &[&Definition], &[EcoString]),
    samples: Option<Samples>,
    exchange: &Exchange,
) -> RequestDraft {
    let mut left = MessageBuilder::default();
    let tool_calls = left.line(MessagePart::Calls, |out| {
        calls::list(out, "; Tool calls:", newest_calls.iter().copied(), samples)
    });
    left.line(MessagePart::User, |out| write_definitions(out, definitions, samples));
    let printlns = left.line(MessagePart::Output, |out| output::list(out, "; Output:", newest_prints));
    let left = if left.has_parts() { left } else { MessageBuilder::headed(NOTHING) };
    let mut feedback = MessageBuilder::default();
    feedback.part(MessagePart::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    let messages = [left.finish(Role::Assistant), feedback.finish(Role::User)];
    RequestDraft::new(messages.iter().map(|message| view.messages().add(message)).collect(), shown)
}

/// The calls of a logged turn as its answer, then its results, then the words of people. An answer to a person stays.
pub fn summarized_logged(
    view: &View<'_>,
    turn: &LoggedTurn,
    newest_calls: &[Call<'_>],
    newest_prints: &[EcoString],
) -> RequestDraft {
    let mut answer = MessageBuilder::default();
    let tool_calls = answer.line(MessagePart::Calls, |out| {
        calls::list(out, "; Tool calls:", newest_calls.iter().copied(), None)
    });
    let answer = match turn.spoken() {
        Some(_) => turn.answer.clone(),
        None if tool_calls > 0 => answer.finish(Role::Assistant),
        None => Message::new(Role::Assistant, NOTHING),
    };
    let mut outputs = MessageBuilder::default();
    let printlns = outputs.line(MessagePart::Output, |out| output::list(out, "; Output:", newest_prints));
    let kept = |reply: &&Reply| {
        matches!(reply.kind, ReplyKind::Words | ReplyKind::Filler) && reply.message.role == Role::User
    };
    let mut kept = turn.replies.iter().filter(kept).map(|reply| reply.message.clone()).peekable();
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
