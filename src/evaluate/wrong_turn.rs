//! The first wrong turn of a run. Failed expectations are consequences of it.

use super::ComparedSnapshot;
use crate::agent::{Conversation, ProgramTurn};
use crate::report::record::{FailureRecord, WrongTurn};
use crate::snapshot::run_turns::first_difference;
use ptc_lisp::error::ErrorKind;

/// The first turn that differs from the accepted run. Without an accepted run, or if that one ends badly too, the first failed turn. In a
/// run with a good end, failures scripted with a tool's `fails` do not count.
pub(super) fn wrong_turn(
    conversation: &Conversation,
    failures: &[FailureRecord],
    compared: Option<&ComparedSnapshot>,
) -> Option<WrongTurn> {
    let turns = conversation.program_turns();
    let ends_badly = failures.iter().any(|failure| failure.what == "outcome");
    match compared {
        Some(ComparedSnapshot::Changed(_, change)) => {
            let first = first_difference(&change.old, &change.new)?;
            let turn = turns.get(first.turn.saturating_sub(1) as usize);
            // The turn's error explains more than the fact of a different program.
            let tells_error = matches!(first.what.as_str(), "error" | "program");
            let error = turn.filter(|_| tells_error).and_then(WrongTurn::of_error);
            let what = format!("not as accepted: {}", first.what);
            Some(error.unwrap_or_else(|| WrongTurn::new(first.turn, what)))
        }
        Some(ComparedSnapshot::Same(_)) if !ends_badly => None,
        _ if ends_badly => WrongTurn::first_error(turns),
        _ => turns.iter().filter(|turn| !is_scripted_failure(turn)).find_map(WrongTurn::of_error),
    }
}

/// Returns true if a turn ended with a tool failure. Only `fails` and tools run as programs cause these.
fn is_scripted_failure(turn: &ProgramTurn) -> bool {
    turn.result.as_ref().is_err_and(|error| error.kind == ErrorKind::ToolError)
}
