//! The first turn in which a run is not as it should be. Expectations that fail are consequences of this turn.

use super::ComparedSnapshot;
use crate::agent::{Conversation, ProgramTurn};
use crate::report::record::{FailureRecord, WrongTurn};
use crate::snapshot::run_turns::first_difference;
use ptc_lisp::error::ErrorKind;

/// The first turn that differs from the accepted run. If no run is accepted, or the accepted one ends as badly, it is the first turn that
/// failed. A failure that the scenario scripts, with `fails` of a tool, is no mistake of a run that ends as it should.
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
            // The error of the turn says more than that its program is another one.
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

/// Returns true for a turn that ended with the failure of a tool, which only `fails` and programs of tools make.
fn is_scripted_failure(turn: &ProgramTurn) -> bool {
    turn.result.as_ref().is_err_and(|error| error.kind == ErrorKind::ToolError)
}
