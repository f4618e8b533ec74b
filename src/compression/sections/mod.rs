//! The sections that requests are made of, one file each: how a line looks, when a section is left out
//! (FMT-001…FMT-018). Which of them a request has is up to its strategy.

pub mod calls;
pub mod error;
pub mod output;
pub mod samples;
pub mod stable;
pub mod turns_left;
pub mod user;

use crate::agent::{Agent, Part, Turn};

use super::history::View;
use super::message_builder::MessageBuilder;
use super::options::{Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT};
use super::statistics::Shown;
use samples::Samples;

/// Bytes that a definition takes, about; a wrong guess costs one copy.
const DEFINITION_BYTES: usize = 80;
/// Bytes that all else takes, about.
const REST_BYTES: usize = 4096;

/// What never changes in a run: mission, `tool/`, `data/`, Return.
pub fn opening(agent: &Agent) -> MessageBuilder {
    let mut message = MessageBuilder::default();
    message.part(Part::Mission, |out| out.push_str(&agent.mission));
    message.part(Part::Tool, |out| stable::tools(out, &agent.tools));
    message.part(Part::Data, |out| stable::data(out, &agent.data));
    message.part(Part::Return, |out| stable::returns(out, agent));
    message
}

/// The opening, and in one list each what all successful turns defined, called and printed (FMT-016,
/// FMT-017).
pub fn summary(view: &View<'_>, options: &Options) -> (MessageBuilder, Shown) {
    let more = view.memory.len() * DEFINITION_BYTES + REST_BYTES;
    let mut message = MessageBuilder::continuing(view.opening(), more);
    let samples = Samples::unless_printed(view.totals().printlns, options);
    message.part(Part::User, |out| user::section(out, view.memory, samples));
    let limit = options.get(&TOOL_CALL_LIMIT);
    let tool_calls = message.part(Part::Calls, |out| calls::section(out, view, limit, samples));
    let limit = options.get(&PRINTLN_LIMIT);
    let printlns = message.part(Part::Output, |out| output::section(out, view.turns, limit));
    (message, Shown { tool_calls, printlns, ..Shown::default() })
}

/// The error part, if the last turn failed, and the turns-left line.
pub fn closing(message: &mut MessageBuilder, view: &View<'_>) -> Shown {
    let failed = view.failed_last();
    message.part(Part::Error, |out| failed.into_iter().for_each(|turn| error::section(out, turn)));
    message.part(Part::TurnsLeft, |out| turns_left::section(out, view));
    Shown { failed_turns: failed.iter().count() as u32, ..Shown::default() }
}

/// The last `limit` entries of successful turns, oldest first. It looks at no more turns than it must.
pub fn newest<'a, T: 'a>(
    turns: &'a [Turn],
    limit: usize,
    entries: fn(&'a Turn) -> &'a [T],
) -> impl Iterator<Item = &'a T> {
    let (mut first, mut missing, mut skipped) = (turns.len(), limit, 0);
    while missing > 0 && first > 0 {
        first -= 1;
        let count = turns.get(first).map_or(0, |turn| successful(turn, entries).len());
        skipped = count.saturating_sub(missing);
        missing -= count - skipped;
    }
    turns.iter().skip(first).flat_map(move |turn| successful(turn, entries)).skip(skipped)
}

fn successful<'a, T>(turn: &'a Turn, entries: fn(&'a Turn) -> &'a [T]) -> &'a [T] {
    if turn.success { entries(turn) } else { &[] }
}
