//! The messages that one strategy wrote in place of each turn. Most requests show of a turn what earlier ones did, so it is written
//! once. The memo never affects output.

use std::cell::RefCell;

use super::draft::RequestDraft;

/// The numbers of entries of a turn that a request still shows. They are its newest calls and prints, and the definitions that no
/// later turn took, so the numbers tell which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOfTurn {
    pub calls: usize,
    pub prints: usize,
    pub definitions: usize,
}

/// For each turn, what a strategy with its options wrote in place of it last, and the entries that it showed.
#[derive(Debug, Default)]
pub struct TurnMemo(RefCell<Vec<Option<(LeftOfTurn, RequestDraft)>>>);

impl TurnMemo {
    /// Adds the result of `write`, which depends on nothing but the turn, `left` and the options of the strategy.
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
