//! The exchanges of `full-history` with definitions, calls and prints in place of programs. Failed turns and the turns before them are
//! unchanged.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::agent::{Call, LoggedTurn, Turn};
use crate::compression::run::past_of;
use crate::compression::sections::samples::Samples;
use crate::compression::turn_summary::{Left, write_left};
use history_strategies::turn_summary::shorten_turn;
use history_strategies::{
    BuiltIn, ERROR_CONTEXT, Form, LeftOfTurn, Options, PRINTLN_LIMIT, RequestDraft, SAMPLE_LIMIT,
    SAMPLE_PRINTABLE_LIMIT, ShownTurns, TOOL_CALL_LIMIT, View,
};
use ptc_lisp::memory::Definition;
use ptc_lisp::symbol::Symbol;

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
    view.carry(|summarized: &mut Summarized| {
        summarized.advance(view, options);
        let mut request = view.request_of(&mut summarized.turns);
        // An error restores the turns before it, from the newest one on.
        if let Some(last) = view.completed().checked_sub(1) {
            request.settle_at(&summarized.turns, last, 0);
        }
        request
    })
}

/// The turns of the newest request.
#[derive(Default)]
struct Summarized {
    turns: ShownTurns,
    /// By turn: true if it stays unchanged, since it failed, or is one of the last successful turns before a failed one.
    whole: Vec<bool>,
    calls: Newest,
    prints: Newest,
    /// By turn: the number of its definitions that no later turn redefines.
    definitions: Vec<usize>,
    /// The index of the turn with the last definition of each name.
    defined_by: FxHashMap<Symbol, usize>,
}

/// The newest entries of the summarized turns, up to a limit.
#[derive(Default)]
struct Newest {
    /// By turn; 0 for a turn that stays whole.
    entries: Vec<usize>,
    total: usize,
    /// Number of oldest entries left out.
    dropped: usize,
    /// The first turn with an entry that is not left out, and the number of entries before it.
    first: usize,
    before: usize,
}

impl Summarized {
    /// Includes all turns of the view, and writes those that changed.
    fn advance(&mut self, view: &View<'_>, options: &Options) {
        let mut changed = self.turns.len();
        for (index, turn) in view.turns().iter().enumerate().skip(self.whole.len()) {
            self.whole.push(false);
            self.calls.push(turn.calls.len());
            self.prints.push(turn.outputs.len());
            changed = changed.min(self.add_definitions(view, index));
            if !turn.has_succeeded() {
                changed = changed.min(self.restore(view, index, options.get(&ERROR_CONTEXT)));
            }
        }
        changed = changed.min(self.calls.limit(options.get(&TOOL_CALL_LIMIT)));
        changed = changed.min(self.prints.limit(options.get(&PRINTLN_LIMIT)));
        self.turns.truncate(changed);
        for (index, (turn, exchange)) in (changed..).zip(view.exchanges(changed)) {
            if self.whole[index] {
                self.turns.push_whole(turn, exchange);
            } else {
                let written = self.summarize(view, index, turn, options);
                self.turns.push(&written);
            }
        }
    }

    /// Adds the definitions of a turn. Returns the first turn that they redefine something of.
    fn add_definitions(&mut self, view: &View<'_>, index: usize) -> usize {
        let mut changed = index;
        let definitions = definitions_of(view, index);
        self.definitions.push(definitions.len());
        for definition in definitions {
            let before = self.defined_by.insert(definition.name, index);
            if let Some(before) = before.filter(|before| *before != index) {
                self.definitions[before] -= 1;
                changed = changed.min(before);
            }
        }
        changed
    }

    /// Leaves a failed turn and the last `context` successful turns before it whole. Returns the first of them.
    fn restore(&mut self, view: &View<'_>, failed: usize, context: usize) -> usize {
        let mut first = failed;
        for (index, turn) in view.turns()[..failed].iter().enumerate().rev().take(context) {
            if !turn.has_succeeded() {
                break;
            }
            first = index;
        }
        for index in first..=failed {
            self.whole[index] = true;
            self.calls.remove(index);
            self.prints.remove(index);
        }
        first
    }

    /// The messages in place of a turn.
    fn summarize(&self, view: &View<'_>, index: usize, turn: &LoggedTurn, options: &Options) -> RequestDraft {
        // The number of definitions is a sufficient key: a redefinition in a later turn removes one here, and nothing adds one.
        let left = LeftOfTurn {
            calls: self.calls.count_shown(index),
            prints: self.prints.count_shown(index),
            definitions: self.definitions[index],
        };
        let mut written = RequestDraft::default();
        view.add_instead(index, left, &mut written, || {
            let prints = &turn.outputs[turn.outputs.len() - left.prints..];
            let Some(Turn::Program(program)) = past_of(view).turn(index) else {
                return shorten_turn(view, turn, &turn.calls[turn.calls.len() - left.calls..], prints);
            };
            let all_calls: Vec<Call<'_>> = program.tool_calls.iter().map(Call::Program).collect();
            let calls = &all_calls[all_calls.len() - left.calls..];
            let mut definitions = definitions_of(view, index);
            definitions.retain(|definition| self.defined_by.get(&definition.name) == Some(&index));
            let samples = Samples::unless_printed(program.prints.len() as u32, options);
            write_left(view, &Left { calls, definitions: &definitions, prints }, samples, turn)
        });
        written
    }
}

/// The definitions of a turn, in order of first definition.
fn definitions_of<'a>(view: &View<'a>, index: usize) -> Vec<&'a Definition> {
    let Some(Turn::Program(program)) = past_of(view).turn(index) else { return Vec::new() };
    program.memory.defined_last().filter(|definition| definition.turn == program.number).collect()
}

impl Newest {
    /// Adds the entries of the next turn.
    fn push(&mut self, entries: usize) {
        self.entries.push(entries);
        self.total += entries;
    }

    /// Removes the entries of a turn.
    fn remove(&mut self, turn: usize) {
        let entries = std::mem::take(&mut self.entries[turn]);
        self.total -= entries;
        if turn < self.first {
            self.before -= entries;
        }
    }

    /// Leaves out all but the newest `limit` entries. Returns the first turn that shows others than before; the number of turns if all show
    /// the same.
    fn limit(&mut self, limit: usize) -> usize {
        let (dropped, first) = (self.dropped, self.first);
        self.dropped = self.total.saturating_sub(limit);
        while self.before > self.dropped {
            self.first -= 1;
            self.before -= self.entries[self.first];
        }
        while let Some(entries) = self.entries.get(self.first)
            && self.before + entries <= self.dropped
        {
            self.before += entries;
            self.first += 1;
        }
        let is_same = dropped == self.dropped && first == self.first;
        if is_same { self.entries.len() } else { first.min(self.first) }
    }

    /// Number of entries of a turn that are not left out.
    fn count_shown(&self, turn: usize) -> usize {
        match turn.cmp(&self.first) {
            Ordering::Less => 0,
            Ordering::Equal => self.entries[turn] - (self.dropped - self.before),
            Ordering::Greater => self.entries[turn],
        }
    }
}
