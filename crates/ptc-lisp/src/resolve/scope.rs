//! Names in scope, with function and slot, and the captures of closures.

use super::*;
use crate::expr::{Capture, Slot};

/// A function around the form at hand, or the program itself.
#[derive(Default)]
pub(super) struct Level {
    /// Names captured from the function around it.
    pub captures: Vec<(Symbol, Capture)>,
    /// Names of the functions of its group, in order of the members.
    pub siblings: Vec<Option<Symbol>>,
    pub frame: Frame,
}

/// The slots of one arity.
#[derive(Default)]
pub(super) struct Frame {
    pub slots: Slot,
    pub locals: Locals,
    /// Members named in the body, and their places there.
    pub siblings: Vec<(u32, Slot)>,
    pub target: Option<Target>,
}

/// Names in order of declaration, and the slots of each, the innermost last.
#[derive(Default)]
pub(super) struct Locals {
    names: Vec<Symbol>,
    slots: FxHashMap<Symbol, Vec<Slot>>,
}

impl Locals {
    pub(super) fn push(&mut self, name: Symbol, slot: Slot) {
        self.names.push(name);
        self.slots.entry(name).or_default().push(slot);
    }

    fn find(&self, name: Symbol) -> Option<Slot> {
        self.slots.get(&name)?.last().copied()
    }

    fn names(&self) -> impl Iterator<Item = Symbol> {
        self.names.iter().copied()
    }

    fn len(&self) -> usize {
        self.names.len()
    }

    fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len.min(self.names.len())..) {
            self.slots.get_mut(&name).and_then(Vec::pop);
        }
    }
}

/// The loop or function for `recur`.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub first: Slot,
    pub count: usize,
}

/// Place of a local at run time.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Local(Slot),
    Captured(u32),
}

impl Resolver<'_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        // The program's own level is never popped.
        let top = self.levels.len() - 1;
        &mut self.levels[top].frame
    }

    /// A slot without a name.
    pub(super) fn new_slot(&mut self) -> Slot {
        let frame = self.frame();
        frame.slots += 1;
        frame.slots - 1
    }

    /// A new slot under a name; what had the name before is shadowed.
    pub(super) fn declare(&mut self, name: Symbol) -> Slot {
        let slot = self.new_slot();
        self.frame().locals.push(name, slot);
        slot
    }

    /// Runs `inside` and forgets its names.
    pub(super) fn scoped<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let depth = self.frame().locals.len();
        let result = inside(self);
        self.frame().locals.truncate(depth);
        result
    }

    pub(super) fn local(&mut self, name: Symbol) -> Option<Place> {
        self.local_at(self.levels.len() - 1, name)
    }

    fn local_at(&mut self, level: usize, name: Symbol) -> Option<Place> {
        let here = &mut self.levels[level];
        if let Some(slot) = here.frame.locals.find(name) {
            return Some(Place::Local(slot));
        }
        if let Some(member) = here.siblings.iter().position(|sibling| *sibling == Some(name)) {
            return Some(Place::Local(here.frame.sibling(member as u32)));
        }
        if let Some(index) = here.captures.iter().position(|(captured, _)| *captured == name) {
            return Some(Place::Captured(index as u32));
        }
        let capture = match self.local_at(level.checked_sub(1)?, name)? {
            Place::Local(slot) => Capture::Local(slot),
            Place::Captured(index) => Capture::Captured(index),
        };
        let captures = &mut self.levels[level].captures;
        captures.push((name, capture));
        Some(Place::Captured(captures.len() as u32 - 1))
    }

    /// Names to suggest in a hint. Empty once too many names are kept.
    pub(super) fn locals_in_scope(&mut self) -> Box<[Symbol]> {
        let locals = self.levels.iter().flat_map(|level| level.frame.locals.names());
        let locals = locals.filter(|name| !name.name().starts_with(['%', ' ']));
        let locals: Box<[Symbol]> = locals.take(self.names_for_hints).collect();
        self.names_for_hints -= locals.len();
        locals
    }
}

impl Frame {
    /// The slot of a member of the group, allocated on first use.
    fn sibling(&mut self, member: u32) -> Slot {
        if let Some((_, slot)) = self.siblings.iter().find(|(known, _)| *known == member) {
            return *slot;
        }
        let slot = self.slots;
        self.slots += 1;
        self.siblings.push((member, slot));
        slot
    }
}
