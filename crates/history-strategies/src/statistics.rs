//! Statistics of requests. A strategy counts what it writes, and the totals come from the turns. The difference is what was dropped.

use ecow::EcoString;

use conversation::Turn;

/// The ten statistics of every request.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Statistics {
    /// False for `full-history`, for a single shot and below a trigger.
    pub enabled: bool,
    /// The name that was asked for.
    pub strategy: EcoString,
    /// Turns, failed ones included, that are not shown whole.
    pub turns_compressed: u32,
    /// Calls made by successful turns.
    pub tool_calls_total: u32,
    pub tool_calls_shown: u32,
    pub tool_calls_dropped: u32,
    /// Prints of successful turns.
    pub printlns_total: u32,
    pub printlns_shown: u32,
    pub printlns_dropped: u32,
    /// Failed turns that are shown neither whole nor in the error part.
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
    /// The totals after no turn, after the first, and so on.
    pub(crate) fn running(turns: &[Turn]) -> Vec<TurnTotals> {
        let after = turns.iter().scan(TurnTotals::default(), |sum, turn| {
            sum.add(turn);
            Some(*sum)
        });
        std::iter::once(TurnTotals::default()).chain(after).collect()
    }

    fn add(&mut self, turn: &Turn) {
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

/// Counts of what a request shows, added up while it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Turns that are shown whole.
    pub whole_turns: u32,
    /// Failed turns that are shown whole or in the error part.
    pub failed_turns: u32,
    /// Calls of successful turns, shown by a line or by their whole turn.
    pub tool_calls: u32,
    /// Calls of failed turns that are shown whole.
    pub failed_tool_calls: u32,
    /// Prints of successful turns that are shown.
    pub printlns: u32,
}

impl Shown {
    /// Adds a turn whose answer and observation are shown.
    pub fn whole(&mut self, turn: &Turn) {
        self.whole_turns += 1;
        self.answer(turn);
        if turn.has_succeeded() {
            self.printlns += turn.outputs.len() as u32;
        } else {
            self.failed_turns += 1;
        }
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: Shown) {
        self.whole_turns += other.whole_turns;
        self.failed_turns += other.failed_turns;
        self.tool_calls += other.tool_calls;
        self.failed_tool_calls += other.failed_tool_calls;
        self.printlns += other.printlns;
    }

    /// Adds a turn whose answer is shown, and so its calls, but not its prints.
    pub fn answer(&mut self, turn: &Turn) {
        let calls = if turn.has_succeeded() { &mut self.tool_calls } else { &mut self.failed_tool_calls };
        *calls += turn.calls.len() as u32;
    }
}
