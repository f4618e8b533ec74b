//! How many turns are left, the last line of a request (MSG-005).

use std::fmt::Write;

use crate::agent::feedback::FINAL_TURN;
use crate::compression::history::View;

/// `Turns left: 4`; nothing for a single shot (SS-001).
pub fn section(out: &mut String, view: &View<'_>) {
    match view.turns_left {
        _ if view.agent.max_turns <= 1 => {}
        1 => out.push_str(FINAL_TURN),
        left => drop(write!(out, "Turns left: {left}")),
    }
}
