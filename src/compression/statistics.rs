//! What a request shows of a run, in numbers (S4-15). The code that writes a line counts it; totals come
//! from the turns; what was dropped is the difference.

use ecow::EcoString;

use crate::agent::{Message, Turn};

use super::history::View;
use super::recount::recount;

/// A request and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub messages: Vec<Message>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
}

/// The ten statistics of every render (S4-15), counted from what was rendered.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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
    /// Failed turns that stand neither whole nor in the error part.
    pub error_turns_collapsed: u32,
}

/// What a request shows, summed up while it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Turns that stand whole.
    pub whole_turns: u32,
    /// Failed turns that stand whole or in the error part.
    pub failed_turns: u32,
    /// Calls of successful turns whose line, or whose whole turn, stands there.
    pub tool_calls: u32,
    /// Calls of failed turns that stand whole.
    pub failed_tool_calls: u32,
    /// Prints of successful turns.
    pub printlns: u32,
}

impl Shown {
    /// Adds a turn whose response and feedback stand there.
    pub fn whole(&mut self, turn: &Turn) {
        self.whole_turns += 1;
        self.response(turn);
        if turn.success {
            self.printlns += turn.prints.len() as u32;
        } else {
            self.failed_turns += 1;
        }
    }

    /// Adds a turn of which the response stands there, and so its calls, but not what it printed.
    pub fn response(&mut self, turn: &Turn) {
        let calls = turn.tool_calls.len() as u32;
        match turn.success {
            true => self.tool_calls += calls,
            false => self.failed_tool_calls += calls,
        }
    }
}

impl Rendered {
    /// As [`Rendered::new`], with what the request shows counted from its text: a call where a line begins
    /// with it, a print where it stands on lines of its own, a turn where its response is an ASSISTANT
    /// message and what the model was told then stands somewhere, a failed one also where its error
    /// message stands.
    pub fn recounted(strategy: &str, view: &View<'_>, messages: Vec<Message>) -> Rendered {
        let shown = recount(view, &messages);
        Rendered::new(strategy, view, messages, shown)
    }

    /// A compressed request with its statistics.
    pub fn new(strategy: &str, view: &View<'_>, messages: Vec<Message>, shown: Shown) -> Rendered {
        let totals = view.totals();
        let statistics = Statistics {
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
        };
        let calls = totals.tool_calls + totals.failed_tool_calls;
        let hidden_tool_calls = calls.saturating_sub(shown.tool_calls + shown.failed_tool_calls);
        Rendered { messages, statistics, hidden_tool_calls }
    }
}
