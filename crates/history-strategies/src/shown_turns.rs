//! The turns of a strategy's newest request, carried to its next one: consecutive requests mostly differ in a few turns at the end.

use conversation::Turn;

use super::draft::RequestDraft;
use super::history::{Exchange, View};
use super::statistics::Shown;

/// The turns of a request, in the form shown. Kept in a [`View::carry`], so the next request only writes the turns that change.
#[derive(Debug, Default)]
pub struct ShownTurns {
    turns: RequestDraft,
    /// By turn: the number of messages and the counts up to its end.
    ends: Vec<(usize, Shown)>,
    /// Number of leading messages that are as in the newest request. `None` before the first one.
    kept: Option<usize>,
}

impl ShownTurns {
    /// Number of turns.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no turns.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Drops all turns but the first `turns`.
    pub fn truncate(&mut self, turns: usize) {
        self.ends.truncate(turns);
        let (messages, shown) = self.ends.last().copied().unwrap_or_default();
        self.turns.messages.truncate(messages);
        self.turns.shown = shown;
        self.kept = self.kept.map(|kept| kept.min(messages));
    }

    /// Adds the next turn as `full-history` sends it.
    pub fn push_whole(&mut self, turn: &Turn, exchange: &Exchange) {
        exchange.add_whole(turn, &mut self.turns);
        self.end_turn();
    }

    /// Adds other messages in place of the next turn.
    pub fn push(&mut self, written: &RequestDraft) {
        self.turns.extend(written);
        self.end_turn();
    }

    /// Adds the remaining turns of the view as `full-history` sends them.
    pub fn push_rest(&mut self, view: &View<'_>) {
        for (turn, exchange) in view.exchanges(self.len()) {
            self.push_whole(turn, exchange);
        }
    }

    /// Number of messages of the first `turns` turns.
    pub fn count_messages(&self, turns: usize) -> usize {
        let end = turns.checked_sub(1).and_then(|last| self.ends.get(last));
        end.map_or(0, |(messages, _)| *messages)
    }

    /// Adds all turns to a request, without their first `kept` messages.
    pub(crate) fn add_to(&self, request: &mut RequestDraft, kept: usize) {
        request.messages.extend_from_slice(&self.turns.messages[kept..]);
        request.shown.add_shown(self.turns.shown);
    }

    /// The number of leading messages that are as in the previous request, `None` without one. The turns are sent now.
    pub(crate) fn take_kept(&mut self) -> Option<usize> {
        self.kept.replace(self.turns.messages.len())
    }

    fn end_turn(&mut self) {
        self.ends.push((self.turns.messages.len(), self.turns.shown));
    }
}
