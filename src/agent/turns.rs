//! The turns of a run, append-only.

use std::ops::Deref;

use super::turn::Turn;
use ptc_lisp::memory::Memory;

/// Completed turns, oldest first. Turns are added and never changed.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    turns: Vec<Turn>,
    /// The memory of a run that has no turn yet.
    before_first: Memory,
}

impl Deref for Turns {
    type Target = [Turn];

    fn deref(&self) -> &[Turn] {
        &self.turns
    }
}

impl Turns {
    pub fn push(&mut self, turn: Turn) {
        self.turns.push(turn);
    }

    /// `user/` after the first `completed` turns.
    pub fn memory_after(&self, completed: usize) -> &Memory {
        match completed.checked_sub(1).and_then(|last| self.turns.get(last)) {
            Some(turn) => &turn.memory,
            None => &self.before_first,
        }
    }
}
