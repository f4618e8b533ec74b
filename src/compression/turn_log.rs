//! What `single-user-coalesced` says, as a log: one message a successful turn, never touched again, so
//! that nothing once sent ever changes and providers bill it as a cached prefix.

use super::history::View;
use super::message_builder::MessageBuilder;
use super::options::{OptionRow, Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT};
use super::sections::samples::Samples;
use super::sections::{self, calls, output, user};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};
use crate::agent::{Message, Part, Role, Turn};

/// `turn-log`
pub struct TurnLog;

impl Strategy for TurnLog {
    fn name(&self) -> &str {
        "turn-log"
    }

    fn doc(&self) -> &str {
        "a message for each turn that says what it left; the prefix never changes"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let mut messages = Vec::with_capacity(3 + view.turns.len());
        messages.extend([view.system().clone(), view.opening().clone()]);
        let mut shown = Shown::default();
        let bounds = Samples::bounds(options);
        for (turn, exchange) in view.turns.iter().zip(view.exchanges(0)).filter(|(turn, _)| turn.success) {
            let (block, of_turn) = exchange.written.log.or_write(bounds, || block(turn, options));
            messages.extend(block);
            shown.tool_calls += of_turn.tool_calls;
            shown.printlns += of_turn.printlns;
        }
        let mut last = MessageBuilder::default();
        shown.failed_turns = sections::closing(&mut last, view).failed_turns;
        messages.extend(last.has_parts().then(|| last.finish(Role::User)));
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}

/// What one turn defined, called and printed, as it was known when it ended; none if it left nothing.
fn block(turn: &Turn, options: &Options) -> (Option<Message>, Shown) {
    let mut block = MessageBuilder::headed(&format!(";; === turn {} ===", turn.number));
    let samples = Samples::unless_printed(turn.prints.len() as u32, options);
    block.line(Part::User, |out| definitions(out, turn, samples));
    let tool_calls =
        block.line(Part::Calls, |out| calls::list(out, calls::HEADING, turn.tool_calls.iter(), samples));
    let printlns = block.line(Part::Output, |out| output::list(out, output::HEADING, turn.prints.iter()));
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    (block.has_parts().then(|| block.finish(Role::User)), shown)
}

fn definitions(out: &mut String, turn: &Turn, samples: Option<Samples>) {
    let defined = || turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
    user::lines(out, defined, samples);
}
