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
            // The turn's error explains more than the fact of a different program.
            if matches!(first.what.as_str(), "error" | "program")
                && let Some(turn) = turns.get(first.turn.saturating_sub(1) as usize)
                && let Some(error) = WrongTurn::of_error(turn)
            {
                return Some(error);
            }
            Some(WrongTurn::new(first.turn, format!("not as accepted: {}", first.what)))
        }
        Some(ComparedSnapshot::Same(_)) if !ends_badly => None,
        _ if ends_badly => WrongTurn::first_error(turns),
        _ => turns.iter().filter(|turn| !is_scripted_failure(turn)).find_map(WrongTurn::of_error),
    }
}

/// Returns true if a turn ended with a tool failure. Only `fails` and tools run as programs cause these.
fn is_scripted_failure(turn: &ProgramTurn) -> bool {
    matches!(&turn.result, Err(error) if error.kind == ErrorKind::ToolError)
}
