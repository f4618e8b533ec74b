//! Sections about all turns of a view, and groups of sections for several strategies.

use std::fmt::Write;

use conversation::{MessageBuilder, MessagePart};
use history_strategies::lines::list_outputs;
use history_strategies::{
    CACHE_FIRST, Options, PRINTLN_LIMIT, Shown, TOOL_CALL_LIMIT, View, write_words_of_view,
};

use super::samples::Samples;
use super::{calls, error, user};
use crate::agent::feedback::FINAL_TURN;
use crate::agent::{Call, Past, Turn};
use crate::compression::run::{past_of, turns_left as number_left};
use ecow::EcoString;
use ptc_lisp::memory::Memory;

/// The heading over the prints.
pub const OUTPUT: &str = ";; Output:";

/// Estimated bytes of a definition. A wrong guess costs one reallocation.
const DEFINITION_BYTES: usize = 80;
/// Estimated bytes of everything else.
const REST_BYTES: usize = 4096;

/// The usual order of the sections.
const ORDER: [MessagePart; 4] =
    [MessagePart::User, MessagePart::Conversation, MessagePart::Calls, MessagePart::Output];
/// The order for the longest cached prefix: append-only sections first, the largest of them at the start.
const CACHE_ORDER: [MessagePart; 4] =
    [MessagePart::Output, MessagePart::Conversation, MessagePart::Calls, MessagePart::User];

/// Writes the opening, then lists of all definitions, calls and prints of successful turns.
pub fn summary(view: &View<'_>, options: &Options) -> (MessageBuilder, Shown) {
    let past = past_of(view);
    let more = past.memory().map_or(0, Memory::len) * DEFINITION_BYTES + REST_BYTES;
    let mut message = MessageBuilder::continuing(view.opening(), more);
    let samples = Samples::unless_printed(view.totals().printlns, options);
    let mut shown = Shown::default();
    let order = if options.flag(&CACHE_FIRST) { CACHE_ORDER } else { ORDER };
    for part in order {
        match part {
            MessagePart::User => message.part(part, |out| user::section(out, past.memory(), samples)),
            MessagePart::Conversation => message.part(part, |out| write_words_of_view(out, view)),
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

/// Writes the error part, if the last turn failed, and the turns-left line. Returns the number of failed turns shown.
pub fn add_end(message: &mut MessageBuilder, view: &View<'_>) -> u32 {
    let failed = failed_last(view);
    if let Some(turn) = failed {
        message.part(MessagePart::Error, |out| error::section(out, turn));
    }
    message.part(MessagePart::TurnsLeft, |out| turns_left(out, view));
    u32::from(failed.is_some())
}

/// Writes the last `limit` calls of successful turns, or a note if no turn made any. Returns the number of calls shown.
pub fn tool_calls(out: &mut String, view: &View<'_>, limit: usize, results: Option<Samples>) -> u32 {
    let totals = view.totals();
    let is_run = view.run().is_some();
    if is_run && totals.turns > totals.failed_turns && totals.tool_calls + totals.failed_tool_calls == 0 {
        out.push_str(";; No tool calls made");
    }
    calls::list(out, calls::HEADING, newest_calls(past_of(view), limit), results)
}

/// Writes the last `limit` prints of successful turns. Returns the number of prints shown.
pub fn prints(out: &mut String, view: &View<'_>, limit: usize) -> u32 {
    list_outputs(out, OUTPUT, newest_prints(past_of(view), limit))
}

/// Writes `Turns left: 4`, the last line of a request; nothing for a single shot.
pub fn turns_left(out: &mut String, view: &View<'_>) {
    if view.conversation().max_turns.unwrap_or(1) <= 1 {
        return;
    }
    match number_left(view) {
        1 => out.push_str(FINAL_TURN),
        left => drop(write!(out, "Turns left: {left}")),
    }
}

/// The last turn, if it failed.
pub fn failed_last<'a>(view: &View<'a>) -> Option<Turn<'a>> {
    past_of(view).turns().next_back().filter(|turn| !turn.has_succeeded())
}

/// The last `limit` calls of successful turns, oldest first.
fn newest_calls(past: Past<'_>, limit: usize) -> Vec<Call<'_>> {
    let mut newest = Vec::new();
    for turn in successful_from_end(past) {
        newest.extend(turn.calls().rev().take(limit - newest.len()));
        if newest.len() == limit {
            break;
        }
    }
    newest.reverse();
    newest
}

/// The last `limit` prints of successful turns, oldest first.
pub fn newest_prints(past: Past<'_>, limit: usize) -> Vec<&EcoString> {
    let mut newest = Vec::new();
    for turn in successful_from_end(past) {
        newest.extend(turn.prints().iter().rev().take(limit - newest.len()));
        if newest.len() == limit {
            break;
        }
    }
    newest.reverse();
    newest
}

/// Iterates from the newest turn, so that a request does not visit all turns of a long run.
fn successful_from_end<'a>(past: Past<'a>) -> impl Iterator<Item = Turn<'a>> {
    past.turns().rev().filter(|turn| turn.has_succeeded())
}
