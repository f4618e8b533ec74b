//! Caches the messages a strategy wrote in place of each turn. Most requests show the same of a turn as earlier ones did. The memo never
//! affects output.

use std::cell::RefCell;

use super::draft::RequestDraft;

/// How many entries of a turn a request still shows. Only the newest calls and prints are shown, and definitions not redefined by later
/// turns, so the counts identify the entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOfTurn {
    pub calls: usize,
    pub prints: usize,
    pub definitions: usize,
}

/// By turn: the messages a strategy last wrote in place of it, and the entries they show.
#[derive(Debug, Default)]
pub struct TurnMemo(RefCell<Vec<Option<(LeftOfTurn, RequestDraft)>>>);

impl TurnMemo {
    /// Adds the result of `write`, or the cached one. It must depend only on the turn, `left` and the strategy's options.
    pub(crate) fn add(
        &self,
        turn: usize,
        left: LeftOfTurn,
        request: &mut RequestDraft,
        write: impl FnOnce() -> RequestDraft,
    ) {
        let mut turns = self.0.borrow_mut();
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
}
