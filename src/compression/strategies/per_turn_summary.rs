//! The exchanges of `full-history` with definitions, calls and prints in place of programs. Failed turns and the turns before them are
//! unchanged.

use crate::agent::{Call, LoggedTurn, Turn};
use crate::compression::run::past_of;
use crate::compression::sections::samples::Samples;
use crate::compression::turn_summary::{Left, write_left};
use history_strategies::turn_summary::shorten_turn;
use history_strategies::{
    BuiltIn, ERROR_CONTEXT, Form, LeftOfTurn, Options, PRINTLN_LIMIT, RequestDraft, SAMPLE_LIMIT,
    SAMPLE_PRINTABLE_LIMIT, TOOL_CALL_LIMIT, View,
};
use ptc_lisp::memory::{Definition, Memory};

/// `per-turn-summary`
pub const PER_TURN_SUMMARY: BuiltIn = BuiltIn {
    name: "per-turn-summary",
    doc: "full-history with what a turn left in place of its program",
    form: Form::Text,
    options: &[
        PRINTLN_LIMIT.row(),
        TOOL_CALL_LIMIT.row(),
        ERROR_CONTEXT.row(),
        SAMPLE_LIMIT.row(),
        SAMPLE_PRINTABLE_LIMIT.row(),
    ],
    severity: None,
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let whole = stand_whole(view.turns(), options.get(&ERROR_CONTEXT));
    let mut summary = Summary::new(view, &whole, options);
    let mut request = view.start();
    for (index, ((turn, exchange), whole)) in view.exchanges(0).zip(whole).enumerate() {
        // An error restores the turns before it, from the newest one on.
        request.settle(0);
        if whole {
            exchange.add_whole(turn, &mut request);
        } else {
            summary.add_turn(view, index, turn, &mut request);
        }
    }
    request
}

/// Returns, for each turn, true if it stays unchanged: it failed, or is one of the last `context` successful turns before a failed one.
fn stand_whole(turns: &[LoggedTurn], context: usize) -> Vec<bool> {
    let mut whole = vec![false; turns.len()];
    let mut wanted: usize = 0;
    for (turn, whole) in turns.iter().rev().zip(whole.iter_mut().rev()) {
        *whole = !turn.has_succeeded() || wanted > 0;
        wanted = if turn.has_succeeded() { wanted.saturating_sub(1) } else { context };
    }
    whole
}

/// State carried from turn to turn while writing summaries.
struct Summary<'a> {
    options: &'a Options,
    /// Sorted by the turn of the last definition, then in order of first definition.
    definitions: Vec<&'a Definition>,
    /// The number of oldest calls still to drop because of the limit.
    calls_to_drop: usize,
    /// The number of oldest prints still to drop because of the limit.
    prints_to_drop: usize,
}

impl<'a> Summary<'a> {
    fn new(view: &View<'a>, whole: &[bool], options: &'a Options) -> Summary<'a> {
        let mut definitions: Vec<&Definition> =
            past_of(view).memory().into_iter().flat_map(Memory::iter).collect();
        definitions.sort_by_key(|definition| definition.turn);
        let (mut calls, mut prints) = (0, 0);
        for (turn, is_whole) in view.turns().iter().zip(whole) {
            if !is_whole {
                calls += turn.calls.len();
                prints += turn.outputs.len();
            }
        }
        Summary {
            options,
            definitions,
            calls_to_drop: calls.saturating_sub(options.get(&TOOL_CALL_LIMIT)),
            prints_to_drop: prints.saturating_sub(options.get(&PRINTLN_LIMIT)),
        }
    }

    /// Adds the summary of a turn.
    fn add_turn(&mut self, view: &View<'_>, index: usize, turn: &LoggedTurn, request: &mut RequestDraft) {
        let newest_calls = newest_entries(&turn.calls, &mut self.calls_to_drop);
        let newest_prints = newest_entries(&turn.outputs, &mut self.prints_to_drop);
        let definitions = self.defined_by(turn.number);
        // The number of definitions is a sufficient key: a redefinition in a later turn removes one here, and nothing adds one.
        let left = LeftOfTurn {
            calls: newest_calls.len(),
            prints: newest_prints.len(),
            definitions: definitions.len(),
        };
        view.add_instead(index, left, request, || {
            let Some(Turn::Program(program)) = past_of(view).turn(index) else {
                return shorten_turn(view, turn, newest_calls, newest_prints);
            };
            let all_calls: Vec<Call<'_>> = program.tool_calls.iter().map(Call::Program).collect();
            let calls = &all_calls[all_calls.len() - newest_calls.len()..];
            let samples = Samples::unless_printed(program.prints.len() as u32, self.options);
            write_left(view, &Left { calls, definitions, prints: newest_prints }, samples, turn)
        });
    }

    fn defined_by(&self, turn: u32) -> &[&'a Definition] {
        let start = self.definitions.partition_point(|definition| definition.turn < turn);
        let end = self.definitions.partition_point(|definition| definition.turn <= turn);
        &self.definitions[start..end]
    }
}

/// Drops the oldest `to_drop` entries, and reduces that number.
fn newest_entries<'t, T>(entries: &'t [T], to_drop: &mut usize) -> &'t [T] {
    let dropped = entries.len().min(*to_drop);
    *to_drop -= dropped;
    &entries[dropped..]
}
