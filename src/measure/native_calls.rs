//! Whether a strategy writes the native tool calls of a log as text.

use super::requests::{Requests, SentRequest};
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
        // The calls of the messages before each one of the newest request, and of all.
        let mut sums = vec![0_u32];
        let is_rewritten = |request: &SentRequest| {
            sums.truncate(request.kept + 1);
            let mut kept = sums.last().copied().unwrap_or(0);
            for id in &request.added {
                kept += table.row(*id).native.as_ref().map_or(0, |native| native.calls().len() as u32);
                sums.push(kept);
            }
            let turns = request.turn.saturating_sub(1) as usize;
            let Some(CallsMade { all, native }) = turns.checked_sub(1).and_then(|last| self.0.get(last))
            else {
                return false;
            };
            let as_text = all.saturating_sub(request.hidden_tool_calls).saturating_sub(kept);
            *native > 0 && as_text > all - native
        };
        requests.iter().map(is_rewritten).fold(false, |any, one| any | one)
    }
}
