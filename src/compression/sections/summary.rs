//! Sections over all turns of a view, and groups of sections that several strategies share.

use std::fmt::Write;

use super::samples::Samples;
use super::{calls, conversation, error, output, user};
use crate::agent::MessagePart;
use crate::agent::feedback::FINAL_TURN;
use crate::compression::history::View;
use crate::compression::message_builder::MessageBuilder;
use crate::compression::options::{CACHE_FIRST, Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT};
use crate::compression::statistics::Shown;
use ptc_lisp::memory::Memory;

/// Estimate of the bytes of a definition; a wrong guess costs one copy.
const DEFINITION_BYTES: usize = 80;
/// Estimate of the bytes of everything else.
const REST_BYTES: usize = 4096;

/// The usual order of the sections.
const ORDER: [MessagePart; 4] =
    [MessagePart::User, MessagePart::Conversation, MessagePart::Calls, MessagePart::Output];
/// The order that a cache can use best: sections that only grow stand before those that change, the largest first.
const CACHE_ORDER: [MessagePart; 4] =
    [MessagePart::Output, MessagePart::Conversation, MessagePart::Calls, MessagePart::User];

/// The opening, then a list of all definitions, a list of all calls and a list of all prints of successful turns.
pub fn summary(view: &View<'_>, options: &Options) -> (MessageBuilder, Shown) {
    let more = view.past.memory().map_or(0, Memory::len) * DEFINITION_BYTES + REST_BYTES;
    let mut message = MessageBuilder::continuing(view.opening(), more);
    let samples = Samples::unless_printed(view.totals().printlns, options);
    let mut shown = Shown::default();
    let order = if options.flag(&CACHE_FIRST) { CACHE_ORDER } else { ORDER };
    for part in order {
        match part {
            MessagePart::User => message.part(part, |out| user::section(out, view.past.memory(), samples)),
            MessagePart::Conversation => message.part(part, |out| conversation::section(out, view.turns())),
            MessagePart::Calls => {
                let limit = options.get(&TOOL_CALL_LIMIT);
                shown.tool_calls = message.part(part, |out| tool_calls(out, view, limit, samples));
            }
            _ => {
                let limit = options.get(&PRINTLN_LIMIT);
                shown.printlns = message.part(part, |out| prints(out, view, limit));
            }
        }
    }
    (message, shown)
}

/// The error part, if the last turn failed, and the turns-left line. Returns the number of failed turns shown.
pub fn end(message: &mut MessageBuilder, view: &View<'_>) -> u32 {
    let failed = view.failed_last();
    message.part(MessagePart::Error, |out| failed.into_iter().for_each(|turn| error::section(out, turn)));
    message.part(MessagePart::TurnsLeft, |out| turns_left(out, view));
    failed.iter().count() as u32
}

/// The last `limit` calls of successful turns, or the note that no turn made any. Returns the
/// number of calls shown.
pub fn tool_calls(out: &mut String, view: &View<'_>, limit: usize, results: Option<Samples>) -> u32 {
    let totals = view.totals();
    let is_run = view.past.agent().is_some();
    if is_run && totals.turns > totals.failed_turns && totals.tool_calls + totals.failed_tool_calls == 0 {
        out.push_str(";; No tool calls made");
    }
    calls::list(out, calls::HEADING, view.newest_calls(limit), results)
}

/// The last `limit` prints of successful turns. Returns the number of prints shown.
pub fn prints(out: &mut String, view: &View<'_>, limit: usize) -> u32 {
    output::list(out, output::HEADING, view.newest_prints(limit))
}

/// `Turns left: 4`, the last line of a request; nothing for a single shot.
pub fn turns_left(out: &mut String, view: &View<'_>) {
    let may_go_on = view.past.agent().is_some_and(|agent| agent.max_turns > 1);
    match view.turns_left {
        _ if !may_go_on => {}
        1 => out.push_str(FINAL_TURN),
        left => drop(write!(out, "Turns left: {left}")),
    }
}
