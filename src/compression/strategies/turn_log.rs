//! The content of `single-user-coalesced` as a log: one message for each successful turn. Messages never change, so providers read them
//! from the cache.

use crate::agent::{LoggedTurn, MessagePart, ProgramTurn, Role, Turn};
use crate::compression::run::past_of;
use crate::compression::sections::samples::Samples;
use crate::compression::sections::{calls, summary, user};
use conversation::MessageBuilder;
use history_strategies::lines::list_outputs;
use history_strategies::{
    BuiltIn, Form, LeftOfTurn, Options, RequestDraft, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, Shown, View,
    write_words,
};

/// `turn-log`
pub const TURN_LOG: BuiltIn = BuiltIn {
    name: "turn-log",
    doc: "a message for each turn with its definitions, calls and prints; earlier messages never change",
    form: Form::Text,
    options: &[SAMPLE_LIMIT.row(), SAMPLE_PRINTABLE_LIMIT.row()],
    severity: None,
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let mut request = view.start();
    for (index, (turn, said)) in past_of(view).turns().zip(view.turns()).enumerate() {
        view.add_instead(index, LeftOfTurn::default(), &mut request, || {
            write_block(view, (turn, said), options)
        });
    }
    request.settle(0);
    let mut last = MessageBuilder::default();
    request.shown.failed_turns = summary::add_end(&mut last, view);
    if last.has_parts() {
        request.messages.push(view.messages().add(&last.finish(Role::User)));
    }
    request
}

/// The message of one turn: its definitions, calls and prints at its end, and its conversation. A failed turn has only its conversation.
/// An empty message is omitted.
fn write_block(view: &View<'_>, (turn, said): (Turn<'_>, &LoggedTurn), options: &Options) -> RequestDraft {
    let mut block = MessageBuilder::with_heading(&format!(";; === turn {} ===", turn.number()));
    let mut shown = Shown::default();
    if turn.has_succeeded() {
        let samples = Samples::unless_printed(turn.prints().len() as u32, options);
        if let Turn::Program(turn) = turn {
            block.line(MessagePart::User, |out| write_definitions(out, turn, samples));
        }
        shown.tool_calls =
            block.line(MessagePart::Calls, |out| calls::list(out, calls::HEADING, turn.calls(), samples));
        shown.printlns =
            block.line(MessagePart::Output, |out| list_outputs(out, summary::OUTPUT, turn.prints()));
    }
    block.line(MessagePart::Conversation, |out| write_words(out, [said]));
    let mut messages = Vec::new();
    if block.has_parts() {
        messages.push(view.messages().add(&block.finish(Role::User)));
    }
    RequestDraft::new(messages, shown)
}

fn write_definitions(out: &mut String, turn: &ProgramTurn, samples: Option<Samples>) {
    user::lines(
        out,
        || turn.memory.defined_last().filter(|definition| definition.turn == turn.number),
        samples,
    );
}
