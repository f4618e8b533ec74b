//! Messages that summarize one turn.

use conversation::{Call, Message, MessageBuilder, MessagePart, ReplyKind, Role, Turn};
use ecow::EcoString;

use super::draft::RequestDraft;
use super::history::View;
use super::lines::{list_calls, list_outputs};
use super::masking::omission_note;
use super::options::Options;
use super::statistics::Shown;

/// The content of an otherwise empty message, since providers reject empty ones.
pub const NOTHING: &str = "; Nothing to show";
/// The heading over the calls of a turn.
pub const CALLS: &str = "; Tool calls:";
/// The heading over the outputs of a turn.
pub const OUTPUT: &str = "; Output:";

/// Summarizes the turn at `index`, from its state when it ended, so the summary never changes. A failed turn is kept whole. Without
/// programs, the summary has the calls, and a line in place of each long output.
pub fn summarize_turn(view: &View<'_>, index: usize, options: &Options) -> RequestDraft {
    let Some((turn, exchange)) = view.exchanges(index).next() else { return RequestDraft::default() };
    if !turn.has_succeeded() {
        let mut whole = RequestDraft::default();
        exchange.add_whole(turn, &mut whole);
        return whole;
    }
    match view.run() {
        Some(run) => run.summarize_turn(view, index, options),
        None => {
            let outputs: Vec<EcoString> =
                turn.outputs.iter().map(|output| omit_output(turn.number, output)).collect();
            shorten_turn(view, turn, &turn.calls, &outputs)
        }
    }
}

/// Replaces a long output by a line. A program's output is its prints, a native call's is the whole result.
fn omit_output(turn: u32, output: &EcoString) -> EcoString {
    let line = omission_note(turn, output.chars().count());
    if line.len() < output.len() { line.into() } else { output.clone() }
}

/// Shortens a turn to `calls` as its answer, then `outputs`, then people's words. An answer to a person is kept.
pub fn shorten_turn(view: &View<'_>, turn: &Turn, calls: &[Call], outputs: &[EcoString]) -> RequestDraft {
    let mut answer = MessageBuilder::default();
    let tool_calls = answer.line(MessagePart::Calls, |out| list_calls(out, CALLS, calls));
    let answer = match turn.spoken() {
        Some(_) => turn.answer.clone(),
        None if tool_calls > 0 => answer.finish(Role::Assistant),
        None => Message::new(Role::Assistant, NOTHING),
    };
    let mut output = MessageBuilder::default();
    let printlns = output.line(MessagePart::Output, |out| list_outputs(out, OUTPUT, outputs));
    let kept = turn.replies.iter().filter(|reply| {
        matches!(reply.kind, ReplyKind::Words | ReplyKind::Filler) && reply.message.role == Role::User
    });
    let mut kept = kept.map(|reply| reply.message.clone()).peekable();
    let reply = match kept.peek() {
        _ if output.has_parts() => Some(output.finish(Role::User)),
        Some(_) => None,
        None => Some(Message::new(Role::User, NOTHING)),
    };
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    let messages = [answer].into_iter().chain(reply).chain(kept);
    RequestDraft::new(messages.map(|message| view.messages().add(&message)).collect(), shown)
}
