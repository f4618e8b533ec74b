//! Statistics of requests. A strategy counts the entries it shows, the totals come from the turns, and the difference was dropped.

use ecow::EcoString;

use conversation::Turn;

/// The ten statistics of every request, made from its [`Shown`] entries and the [`TurnTotals`].
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Statistics {
    /// False for `full-history`, for a single shot and below a trigger.
    pub enabled: bool,
    /// The requested strategy's name.
    pub strategy: EcoString,
    /// Turns not shown whole, failed ones included.
    pub turns_compressed: u32,
    /// Calls made by successful turns.
    pub tool_calls_total: u32,
    pub tool_calls_shown: u32,
    pub tool_calls_dropped: u32,
    /// Prints of successful turns.
    pub printlns_total: u32,
    pub printlns_shown: u32,
    pub printlns_dropped: u32,
    /// Failed turns shown neither whole nor in the error part.
    pub error_turns_collapsed: u32,
}

impl Statistics {
    /// Statistics of a compressed request.
    pub(crate) fn new(strategy: &str, totals: TurnTotals, shown: Shown) -> Statistics {
        Statistics {
            enabled: true,
            strategy: strategy.into(),
            turns_compressed: totals.turns.saturating_sub(shown.whole_turns),
            tool_calls_total: totals.tool_calls,
            tool_calls_shown: shown.tool_calls,
            tool_calls_dropped: totals.tool_calls.saturating_sub(shown.tool_calls),
            printlns_total: totals.printlns,
            printlns_shown: shown.printlns,
            printlns_dropped: totals.printlns.saturating_sub(shown.printlns),
            error_turns_collapsed: totals.failed_turns.saturating_sub(shown.failed_turns),
        }
    }
}

/// Counts over the first turns of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTotals {
    pub turns: u32,
    pub failed_turns: u32,
    /// Calls made by successful turns.
    pub tool_calls: u32,
    /// Calls made by failed turns.
    pub failed_tool_calls: u32,
    /// Prints of successful turns.
    pub printlns: u32,
}

impl TurnTotals {
    /// Running totals: entry `k` is over the first `k` turns.
    pub(crate) fn running_totals(turns: &[Turn]) -> Vec<TurnTotals> {
        let after = turns.iter().scan(TurnTotals::default(), |sum, turn| {
            sum.add_turn(turn);
            Some(*sum)
        });
        std::iter::once(TurnTotals::default()).chain(after).collect()
    }

    fn add_turn(&mut self, turn: &Turn) {
        let calls = turn.calls.len() as u32;
        self.turns += 1;
        if turn.has_succeeded() {
            self.tool_calls += calls;
            self.printlns += turn.outputs.len() as u32;
        } else {
            self.failed_turns += 1;
            self.failed_tool_calls += calls;
        }
    }
}

/// Counts of shown entries, collected while writing a [`RequestDraft`](crate::RequestDraft).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Turns shown whole.
    pub whole_turns: u32,
    /// Failed turns shown whole or in the error part.
    pub failed_turns: u32,
    /// Calls of successful turns, shown by a line or with their whole turn.
    pub tool_calls: u32,
    /// Calls of failed turns shown whole.
    pub failed_tool_calls: u32,
    /// Shown prints of successful turns.
    pub printlns: u32,
}

impl Shown {
    /// Adds a turn shown with answer and observation.
    pub fn show_whole(&mut self, turn: &Turn) {
        self.whole_turns += 1;
        self.show_answer(turn);
        if turn.has_succeeded() {
            self.printlns += turn.outputs.len() as u32;
        } else {
            self.failed_turns += 1;
        }
    }

    /// Adds other counts.
    pub(crate) fn add_shown(&mut self, other: Shown) {
        self.whole_turns += other.whole_turns;
        self.failed_turns += other.failed_turns;
        self.tool_calls += other.tool_calls;
        self.failed_tool_calls += other.failed_tool_calls;
        self.printlns += other.printlns;
    }

    /// Adds a turn shown with its answer and therefore its calls, but without its prints.
    pub fn show_answer(&mut self, turn: &Turn) {
        let calls = if turn.has_succeeded() { &mut self.tool_calls } else { &mut self.failed_tool_calls };
        *calls += turn.calls.len() as u32;
    }
}
