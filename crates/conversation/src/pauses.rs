//! Pauses between the requests of a run.

use ptc_prices::TimeSpan;
use rustc_hash::FxHashMap;

/// The pause before each request of a [`Conversation`](crate::Conversation).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// Milliseconds from the previous answer to a turn's request, by turn. Missing turns have no pause.
    before: FxHashMap<u32, u64>,
    /// Milliseconds from a turn's request to the end of its answer, by turn, if logged.
    answering: FxHashMap<u32, u64>,
    /// False if no times are known.
    are_known: bool,
}

impl Pauses {
    /// Sets the pauses before these turns' requests.
    pub fn from_turns(pauses: impl IntoIterator<Item = (u32, TimeSpan)>) -> Pauses {
        let before: FxHashMap<u32, u64> =
            pauses.into_iter().map(|(turn, span)| (turn, span.milliseconds())).collect();
        Pauses { are_known: !before.is_empty(), before, answering: FxHashMap::default() }
    }

    /// The pauses from a log's times, in milliseconds by turn: before the request, and from the request to the end of its answer.
    pub fn from_log(before: FxHashMap<u32, u64>, answering: FxHashMap<u32, u64>) -> Pauses {
        Pauses { are_known: !before.is_empty(), before, answering }
    }

    /// Milliseconds from the end of the previous answer to a turn's request; 0 if unknown.
    pub fn before(&self, turn: u32) -> u64 {
        self.before.get(&turn).copied().unwrap_or(0)
    }

    /// Milliseconds from a turn's request to the end of its answer; 0 if unknown.
    pub fn while_answering(&self, turn: u32) -> u64 {
        self.answering.get(&turn).copied().unwrap_or(0)
    }

    /// Returns true if any pause is known.
    pub fn are_known(&self) -> bool {
        self.are_known
    }
}
