//! The stack of values: the slots of all calls under way, the innermost last. It only grows, and what is
//! not in use holds integers, so that pushing and taking away integers is writing and counting alone.

use std::ops::{Index, IndexMut};

use crate::value::Value;

use super::write_integer;

/// A stack of values.
#[derive(Default)]
pub(super) struct Slots {
    places: Vec<Value>,
    /// How many places are in use; all others hold integers.
    top: usize,
}

impl Slots {
    #[inline(always)]
    pub fn top(&self) -> usize {
        self.top
    }

    #[inline(always)]
    pub fn push_integer(&mut self, integer: i64) {
        if self.top == self.places.len() {
            self.make_room(self.top + 1);
        }
        write_integer(&mut self.places[self.top], integer);
        self.top += 1;
    }

    #[inline(never)]
    pub fn push(&mut self, value: Value) {
        self.make_room(self.top + 1);
        self.places[self.top] = value;
        self.top += 1;
    }

    /// Takes more places into use, up to this one; what they hold means nothing.
    #[inline(always)]
    pub fn raise(&mut self, top: usize) {
        if top > self.places.len() {
            self.make_room(top);
        }
        self.top = self.top.max(top);
    }

    /// Takes away what lies above.
    #[inline(always)]
    pub fn lower(&mut self, top: usize) {
        while self.top > top {
            self.top -= 1;
            let place = &mut self.places[self.top];
            if !matches!(place, Value::Int(_)) {
                clear(place);
            }
        }
    }

    /// Moves what lies from here to the top further down.
    #[inline]
    pub fn move_down(&mut self, from: usize, to: usize) {
        for index in from..self.top {
            match self.places[index] {
                Value::Int(integer) => write_integer(&mut self.places[to + index - from], integer),
                ref mut other => self.places[to + index - from] = other.take(),
            }
        }
    }

    #[inline(never)]
    fn make_room(&mut self, needed: usize) {
        if needed > self.places.len() {
            self.places.resize((2 * needed).max(64), Value::Int(0));
        }
    }
}

#[inline(never)]
fn clear(place: &mut Value) {
    *place = Value::Int(0);
}

impl Index<usize> for Slots {
    type Output = Value;

    #[inline(always)]
    fn index(&self, index: usize) -> &Value {
        &self.places[index]
    }
}

impl IndexMut<usize> for Slots {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut Value {
        &mut self.places[index]
    }
}
