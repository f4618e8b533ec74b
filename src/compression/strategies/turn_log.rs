//! The content of `single-user-coalesced` as a log: one message for each successful turn. Messages never change,
//! so providers bill them as a cached prefix.

use crate::agent::{MessagePart, Role, Turn};
use crate::compression::draft::RequestDraft;
use crate::compression::history::View;
use crate::compression::message_builder::MessageBuilder;
use crate::compression::options::{Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT};
use crate::compression::sections::samples::Samples;
use crate::compression::sections::{calls, conversation, output, summary, user};
use crate::compression::statistics::Shown;
use crate::compression::strategy::BuiltIn;

/// `turn-log`
pub const TURN_LOG: BuiltIn = BuiltIn {
    name: "turn-log",
    doc: "a message for each turn that says what it left; the prefix never changes",
    options: &[SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT],
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let mut request = view.start();
    let (items, characters) = Samples::bounds(options);
    let key = (TURN_LOG.name, [items, characters, 0, 0, 0]);
    for (turn, exchange) in view.exchanges(0) {
        exchange.cache.add(key, &mut request, || block(turn, options));
    }
    request.settle(0);
    let mut last = MessageBuilder::default();
    request.shown.failed_turns = summary::end(&mut last, view);
    request.messages.extend(last.has_parts().then(|| last.finish(Role::User)));
    request
}

/// Definitions, calls and prints of one turn as of its end, and its conversation; of a failed turn only the latter.
/// No message if there is nothing.
fn block(turn: &Turn, options: &Options) -> RequestDraft {
    let mut block = MessageBuilder::headed(&format!(";; === turn {} ===", turn.number));
    let mut shown = Shown::default();
    if turn.success {
        let samples = Samples::unless_printed(turn.prints.len() as u32, options);
        block.line(MessagePart::User, |out| definitions(out, turn, samples));
        shown.tool_calls =
            block.line(MessagePart::Calls, |out| calls::list(out, calls::HEADING, &turn.tool_calls, samples));
        shown.printlns =
            block.line(MessagePart::Output, |out| output::list(out, output::HEADING, &turn.prints));
    }
    block.line(MessagePart::Conversation, |out| conversation::section(out, [turn]));
    let messages = block.has_parts().then(|| block.finish(Role::User)).into_iter().collect();
    RequestDraft::new(messages, shown)
}

fn definitions(out: &mut String, turn: &Turn, samples: Option<Samples>) {
    let defined = || turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
    user::lines(out, defined, samples);
}
