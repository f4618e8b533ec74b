//! Observations: the user message after a turn in the full history.

use super::turn::ProgramTurn;
use conversation::{Message, MessagePart, Role};
use ptc_lisp::print::to_clojure;

/// The warning in the request for the last turn.
pub const FINAL_TURN: &str = "FINAL TURN - you must call (return result) or (fail reason) now.";

/// The most items of a collection, and the most characters of a string, in the result line. To see more, a program prints it.
const RESULT_ITEMS: usize = 20;
const RESULT_CHARACTERS: usize = 500;

/// The user message after a turn: its result or error, its output, and the number of the next turn.
pub fn feedback(turn: &ProgramTurn, max_turns: u32) -> Message {
    let mut content = String::new();
    let mut parts = Vec::new();
    let error_part = turn.result.is_err().then_some(MessagePart::Error);
    let sections = [
        (error_part, Some(result_line(turn))),
        (Some(MessagePart::Output), format_output(turn)),
        (Some(MessagePart::TurnsLeft), Some(turn_line(turn.number, max_turns))),
    ];
    for (part, text) in sections {
        let Some(text) = text else { continue };
        if !content.is_empty() {
            content.push_str("\n\n");
        }
        parts.extend(part.map(|part| (part, content.len() as u32)));
        content.push_str(&text);
    }
    Message::with_parts(Role::User, content, parts)
}

/// `Turn 2 of 5` after the first turn; the warning before the last one.
pub fn turn_line(completed: u32, max_turns: u32) -> String {
    let coming = completed.saturating_add(1);
    if coming == max_turns { FINAL_TURN.to_string() } else { format!("Turn {coming} of {max_turns}") }
}

fn result_line(turn: &ProgramTurn) -> String {
    match &turn.result {
        Ok(value) => format!("Result: {}", to_clojure(value, RESULT_ITEMS, RESULT_CHARACTERS).0),
        Err(error) => format!("Error: {}", error.message),
    }
}

fn format_output(turn: &ProgramTurn) -> Option<String> {
    (!turn.prints.is_empty()).then(|| format!(";; Output:\n{}", turn.prints.join("\n")))
}
