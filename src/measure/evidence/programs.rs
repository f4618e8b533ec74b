//! The programs of a run, as input for finding evidence.

use ecow::EcoString;
use history_evidence::{Atom, CallTexts, Programs, Use};

use super::definitions::Definitions;
use super::program_atoms::of_program;
use crate::agent::{ProgramTurn, ToolCall};
use ptc_lisp::memory::Memory;
use ptc_lisp::print::str_of;
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// The turns of a run, and the values of its definitions.
pub struct RunPrograms<'p> {
    turns: &'p [ProgramTurn],
    definitions: Definitions<'p>,
}

impl<'p> RunPrograms<'p> {
    pub fn new(turns: &'p [ProgramTurn]) -> RunPrograms<'p> {
        RunPrograms { turns, definitions: Definitions::new(turns) }
    }
}

impl Programs for RunPrograms<'_> {
    fn defined_before(&self, index: usize) -> Vec<(EcoString, u32)> {
        let Some(before) = index.checked_sub(1) else { return Vec::new() };
        let Some(turn) = self.turns.get(before) else { return Vec::new() };
        let defined = Memory::defined_last(&turn.memory);
        defined.map(|definition| (definition.name.name().into(), definition.turn)).collect()
    }

    fn uses_of(&self, index: usize, is_defined: &dyn Fn(&str) -> bool) -> Vec<Use> {
        match self.turns.get(index) {
            Some(turn) => of_program(&turn.program, is_defined),
            None => Vec::new(),
        }
    }

    fn calls(&self) -> Vec<CallTexts<'_>> {
        self.turns.iter().flat_map(|turn| &turn.tool_calls).map(texts_of).collect()
    }

    fn is_held(&self, atom: &Atom, completed: usize, is_wanted: &mut dyn FnMut(&Atom) -> bool) -> bool {
        self.definitions.hold(atom, completed, is_wanted)
    }
}

fn texts_of(call: &ToolCall) -> CallTexts<'_> {
    let mut texts = CallTexts { name: call.name.name(), ..CallTexts::default() };
    match &call.arguments {
        Arguments::Named(arguments) => {
            for (key, value) in arguments.iter() {
                add_value(&str_of(key), value, &mut texts);
            }
        }
        Arguments::Positional(values) => texts.whole = Some(values.iter().filter_map(text_of).collect()),
    }
    texts
}

fn add_value<'c>(key: &str, value: &'c Value, texts: &mut CallTexts<'c>) {
    match value {
        Value::Vector(items) => {
            for item in items.iter() {
                add_value(key, item, texts);
            }
        }
        Value::Map(map) => {
            for (inner, value) in map.iter() {
                add_value(&str_of(inner), value, texts);
            }
        }
        value => texts.named.push((key.to_owned().into(), text_of(value))),
    }
}

fn text_of(value: &Value) -> Option<&str> {
    if let Value::Str(text) = value { Some(text) } else { None }
}
