//! Detects strategies that write the native tool calls of a log as text.

use crate::agent::Past;
use conversation::Table;
use history_strategies::Requests;

/// Counts of tool calls.
#[derive(Clone, Copy, Default)]
struct CallsMade {
    all: u32,
    native: u32,
}

/// Running counts of tool calls, by turn.
pub struct NativeCalls(Vec<CallsMade>);

impl NativeCalls {
    pub fn of_past(past: Past<'_>) -> NativeCalls {
        let (mut made, mut after) = (CallsMade::default(), Vec::with_capacity(past.len()));
        for turn in past.turns() {
            made.all += turn.call_count() as u32;
            if let Some(turn) = turn.logged() {
                made.native += turn.answer.calls().len() as u32;
            }
            after.push(made);
        }
        NativeCalls(after)
    }

    /// Returns true if a request shows native calls as text. Such a request shows more calls, besides its native ones, than the
    /// model made as text.
    pub fn are_rewritten(&self, table: &Table, requests: &Requests) -> bool {
        let are_rewritten = requests.fold(
            0_u32,
            |sum, id| sum + table.row(id).native.as_ref().map_or(0, |native| native.calls().len() as u32),
            |request, _, shown_natively| {
                let turns = request.turn.saturating_sub(1) as usize;
                let Some(last) = turns.checked_sub(1) else { return false };
                let Some(CallsMade { all, native }) = self.0.get(last) else { return false };
                let shown = all.saturating_sub(request.hidden_tool_calls);
                let as_text = shown.saturating_sub(*shown_natively);
                *native > 0 && as_text > all - native
            },
        );
        are_rewritten.contains(&true)
    }
}
