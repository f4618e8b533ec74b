//! Native tool calls of a log that a strategy writes as text.

use super::requests::Requests;
use crate::agent::Turns;
use crate::messages::Table;

/// Number of tool calls that were made so far, and of those that were native.
#[derive(Clone, Copy, Default)]
struct CallsMade {
    all: u32,
    native: u32,
}

/// Tool calls after each turn of a run.
pub struct NativeCalls(Vec<CallsMade>);

impl NativeCalls {
    pub fn of(turns: &Turns) -> NativeCalls {
        let after = turns.iter().scan(CallsMade::default(), |made, turn| {
            let native = turn.recorded.as_ref().map_or(0, |recorded| recorded.answer.calls().len());
            made.all += turn.tool_calls.len() as u32;
            made.native += native as u32;
            Some(*made)
        });
        NativeCalls(after.collect())
    }

    /// Returns true if a request shows calls as text that the model made natively: it shows more calls than its messages
    /// have and than were made as text.
    pub fn are_rewritten(&self, table: &Table, requests: &Requests) -> bool {
        let calls = |id| table.row(id).native.as_ref().map_or(0, |native| native.calls().len() as u32);
        let are_rewritten = requests.fold(
            0_u32,
            |sum, id| sum + calls(id),
            |request, _, kept| {
                let turns = request.turn.saturating_sub(1) as usize;
                let made = turns.checked_sub(1).and_then(|last| self.0.get(last));
                made.is_some_and(|CallsMade { all, native }| {
                    let as_text = all.saturating_sub(request.hidden_tool_calls).saturating_sub(*kept);
                    *native > 0 && as_text > all - native
                })
            },
        );
        are_rewritten.contains(&true)
    }
}
