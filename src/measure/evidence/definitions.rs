//! Finds definitions whose values hold an atom. A word index makes this fast for thousands of definitions.

use std::cell::LazyCell;
use std::sync::OnceLock;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use history_evidence::{Atom, visit_possible_keys};

use crate::agent::ProgramTurn;
use ptc_lisp::print::{Printer, Style};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// Maximum items searched in each collection of a value, and maximum bytes of its text. Values may share parts, so a small
/// value can have an enormous text.
const SEARCHED: (usize, usize) = (2_000, 1 << 16);

/// The definitions of a run, indexed on first use.
pub struct Definitions<'p> {
    turns: &'p [ProgramTurn],
    index: OnceLock<Index>,
}

#[derive(Default)]
struct Index {
    definitions: Vec<Version>,
    /// For each word, the indices of the definitions with this word in their value.
    having: FxHashMap<Box<str>, Vec<u32>>,
}

/// A name with one of its values over time.
struct Version {
    name: Atom,
    value: Value,
    /// The value as text, created on first use.
    text: OnceLock<EcoString>,
    /// The turn that defined this value, and the turn that replaced it.
    turn: usize,
    until: usize,
}

impl<'p> Definitions<'p> {
    pub fn new(turns: &'p [ProgramTurn]) -> Definitions<'p> {
        Definitions { turns, index: OnceLock::new() }
    }

    /// Returns true if a definition holds the atom after `completed` turns and `is_wanted` accepts the definition's name.
    pub fn hold(&self, atom: &Atom, completed: usize, mut is_wanted: impl FnMut(&Atom) -> bool) -> bool {
        let index = self.index.get_or_init(|| Index::of_turns(self.turns));
        let (key_words, sought) = (atom.key_words(), LazyCell::new(|| atom.prepare_search()));
        for number in key_words.iter().filter_map(|word| index.having.get(&**word)).flatten() {
            let Some(version) = index.definitions.get(*number as usize) else { continue };
            if (version.turn..version.until).contains(&completed)
                && is_wanted(&version.name)
                && sought.stands_in(version.text.get_or_init(|| text_of(&version.value)))
            {
                return true;
            }
        }
        false
    }
}

impl Index {
    fn of_turns(turns: &[ProgramTurn]) -> Index {
        let (mut index, mut newest) = (Index::default(), FxHashMap::<Symbol, usize>::default());
        for ProgramTurn { number: number_of_turn, memory, .. } in turns {
            let turn = *number_of_turn as usize;
            for definition in memory.defined_last() {
                if definition.turn != *number_of_turn || definition.is_function() {
                    continue;
                }
                let number = index.definitions.len();
                if let Some(before) = newest.insert(definition.name, number)
                    && let Some(before) = index.definitions.get_mut(before)
                {
                    before.until = turn;
                }
                let version = Version {
                    name: Atom::Name(definition.name.name().into()),
                    value: definition.value.clone(),
                    text: OnceLock::new(),
                    turn,
                    until: usize::MAX,
                };
                index.add_text(&text_of(&version.value), number as u32);
                index.definitions.push(version);
            }
        }
        index
    }

    fn add_text(&mut self, text: &str, number: u32) {
        visit_possible_keys(text, |_, word| {
            let having = match self.having.get_mut(word) {
                Some(having) => having,
                None => self.having.entry(word.into()).or_default(),
            };
            if having.last() != Some(&number) {
                having.push(number);
            }
        });
    }
}

fn text_of(value: &Value) -> EcoString {
    let mut printer = Printer::limited(Style::Readable, u64::MAX, SEARCHED.1);
    printer.write_bounded(value, SEARCHED.0, SEARCHED.1);
    printer.finish().0
}
