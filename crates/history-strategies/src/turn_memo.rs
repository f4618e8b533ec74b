//! Caches the messages a strategy wrote in place of each turn, and its state after the newest request. Most requests show the same of a turn
//! as earlier ones did. The memo never affects output.

use std::any::Any;
use std::cell::{Cell, RefCell};

use super::draft::RequestDraft;

/// How many entries of a turn a request still shows. Only the newest calls and prints are shown, and definitions not redefined by later
/// turns, so the counts identify the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOfTurn {
    pub calls: usize,
    pub prints: usize,
    pub definitions: usize,
}

/// The memo of one strategy in one [`History`](crate::History).
#[derive(Debug, Default)]
pub struct TurnMemo {
    /// By turn: the messages last written in place of it, and the entries they show.
    turns: RefCell<Vec<Option<(LeftOfTurn, RequestDraft)>>>,
    /// By type: a state, and the number of completed turns that it includes.
    states: RefCell<Vec<(usize, Box<dyn Any>)>>,
    /// Whether the strategy rendered the newest request, not `full-history` below the trigger. `None` before the first one.
    is_compressed: Cell<Option<bool>>,
}

impl TurnMemo {
    /// Adds the result of `write`, or the cached one. It must depend only on the turn, `left` and the strategy's options.
    pub(crate) fn add_turn(
        &self,
        turn: usize,
        left: LeftOfTurn,
        request: &mut RequestDraft,
        write: impl FnOnce() -> RequestDraft,
    ) {
        let mut turns = self.turns.borrow_mut();
        if turns.len() <= turn {
            turns.resize_with(turn + 1, || None);
        }
        let known = &mut turns[turn];
        match known {
            Some((known_left, written)) if *known_left == left => request.extend(written),
            _ => {
                let written = write();
                request.extend(&written);
                *known = Some((left, written));
            }
        }
    }

    /// Removes the state of this type, if it includes no more than the first `completed` turns. Otherwise returns the initial state.
    pub(crate) fn take_state<S: Any + Default>(&self, completed: usize) -> Box<S> {
        let mut states = self.states.borrow_mut();
        let Some(index) = states.iter().position(|(_, state)| state.is::<S>()) else { return Box::default() };
        let (included, state) = states.swap_remove(index);
        match state.downcast() {
            Ok(state) if included <= completed => state,
            _ => Box::default(),
        }
    }

    /// Keeps a state that includes the first `completed` turns.
    pub(crate) fn keep_state(&self, completed: usize, state: Box<dyn Any>) {
        self.states.borrow_mut().push((completed, state));
    }

    /// Notes that the next request is compressed or not. Returns true if the previous one was alike.
    pub(crate) fn begin_request(&self, is_compressed: bool) -> bool {
        self.is_compressed.replace(Some(is_compressed)) == Some(is_compressed)
    }
}
