//! The `user/` namespace: definitions of programs in order of first definition. Snapshots share what they have in common,
//! so they are cheap to keep. `session` defines and looks up names.

use std::sync::Arc;

use ecow::EcoString;

use super::print::TypeLabel;
use super::symbol::Symbol;
use super::value::{Function, Value};

/// Each change copies a chunk and the list of chunks, so both stay small.
const CHUNK: usize = 16;

/// One entry of `user/`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name without its namespace.
    pub name: Symbol,
    /// The value.
    pub value: Value,
    /// Without semicolons, on one line.
    pub docstring: Option<EcoString>,
    /// The turn whose program defined the name last.
    pub turn: u32,
    /// The type of what the function returned last, if it was called.
    pub return_type: Option<TypeLabel>,
}

/// All definitions at one moment.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    chunks: Arc<Vec<Arc<Vec<Definition>>>>,
    len: usize,
    /// Indexes of the entries that the last turn defined, in order of first definition.
    latest: Arc<[u32]>,
}

impl Definition {
    /// A closure counts as function; any other function value is a value.
    pub fn is_function(&self) -> bool {
        matches!(self.value, Value::Function(Function::Closure(_)))
    }
}

impl Memory {
    /// Number of definitions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if nothing is defined.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entry at this place in the order of first definition.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Definition> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// All entries in order of first definition.
    pub fn iter(&self) -> impl Iterator<Item = &Definition> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Definitions of the turn that ended here, in order of first definition.
    pub fn defined_last(&self) -> impl Iterator<Item = &Definition> {
        self.latest.iter().filter_map(|&index| self.get(index as usize))
    }

    pub(super) fn add_definition(&mut self, definition: Definition) {
        let chunks = Arc::make_mut(&mut self.chunks);
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => Arc::make_mut(chunk).push(definition),
            _ => chunks.push(Arc::new(vec![definition])),
        }
        self.len += 1;
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Definition> {
        let chunk = Arc::make_mut(&mut self.chunks).get_mut(index / CHUNK)?;
        Arc::make_mut(chunk).get_mut(index % CHUNK)
    }

    pub(super) fn set_latest(&mut self, latest: Vec<u32>) {
        self.latest = latest.into();
    }
}

/// Entries in order of first definition. The newest turn among them counts as the last turn.
impl FromIterator<Definition> for Memory {
    fn from_iter<I: IntoIterator<Item = Definition>>(definitions: I) -> Memory {
        let mut memory = Memory::default();
        definitions.into_iter().for_each(|definition| memory.add_definition(definition));
        let newest = memory.iter().map(|definition| definition.turn).max();
        let latest = memory.iter().zip(0..).filter(|(definition, _)| Some(definition.turn) == newest);
        let latest = latest.map(|(_, index)| index).collect();
        memory.set_latest(latest);
        memory
    }
}
