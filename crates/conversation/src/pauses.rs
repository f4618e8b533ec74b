//! The time that passes between the requests of a run.

use ptc_prices::TimeSpan;
use rustc_hash::FxHashMap;

/// The time that passes before each request of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// By turn, the milliseconds from the answer before to the request of the turn. Requests of other turns follow at once.
    before: FxHashMap<u32, u64>,
    /// By turn, the milliseconds from its request to the end of its answer, if the log tells them.
    answering: FxHashMap<u32, u64>,
    /// False if nothing is known of the time.
    are_known: bool,
}

impl Pauses {
    /// The pauses before the requests of these turns.
    pub fn given(pauses: impl IntoIterator<Item = (u32, TimeSpan)>) -> Pauses {
        let before: FxHashMap<u32, u64> =
            pauses.into_iter().map(|(turn, span)| (turn, span.milliseconds())).collect();
        Pauses { are_known: !before.is_empty(), before, answering: FxHashMap::default() }
    }

    /// The pauses by the times of a log: by turn, the milliseconds before its request, and those from its request to the end of its
    /// answer.
    pub fn logged(before: FxHashMap<u32, u64>, answering: FxHashMap<u32, u64>) -> Pauses {
        Pauses { are_known: !before.is_empty(), before, answering }
    }

    /// Milliseconds from the end of the answer before to the request of a turn; 0 if they are not known.
    pub fn before(&self, turn: u32) -> u64 {
        self.before.get(&turn).copied().unwrap_or(0)
    }

    /// Milliseconds from the request of a turn to the end of its answer; 0 if they are not known.
    pub fn answering(&self, turn: u32) -> u64 {
        self.answering.get(&turn).copied().unwrap_or(0)
    }

    /// Returns true if something is known of the time between requests.
    pub fn are_known(&self) -> bool {
        self.are_known
    }
}
