//! The error part: the failed program and its error. Only shown for the newest turn, so it disappears after a successful one.

use std::borrow::Cow;

use crate::agent::Turn;
use ptc_lisp::print::pr_str;

use conversation::cut;

/// The most characters of an answer without a program.
const ANSWER_CHARACTERS: usize = 500;

/// Writes the failed program and its error between rulers.
pub fn section(out: &mut String, turn: Turn<'_>) {
    let (tag, text) = match turn.program() {
        Some(turn) if !turn.program.is_empty() => ("clojure", Cow::Borrowed(turn.program.as_str())),
        _ => ("text", Cow::Owned(cut::shortened(&format_answer(turn), ANSWER_CHARACTERS).into_owned())),
    };
    let error = message(turn);
    for piece in ["---\nYour previous attempt:\n```", tag, "\n", &text, "\n```\n\nError: ", &error, "\n---"] {
        out.push_str(piece);
    }
}

/// The text of an answer without a program, and its calls for a log.
fn format_answer(turn: Turn<'_>) -> String {
    let mut texts = Vec::new();
    if !turn.text().is_empty() {
        texts.push(turn.text().as_str());
    }
    if let Turn::Logged(turn) = turn {
        texts.extend(turn.calls.iter().map(|call| call.text.as_str()));
    }
    texts.join("\n")
}

/// The message of a failed turn's error.
pub fn message(turn: Turn<'_>) -> Cow<'_, str> {
    match turn {
        Turn::Program(turn) => match &turn.result {
            Err(error) => Cow::Borrowed(&error.message),
            Ok(value) => Cow::Owned(pr_str(value)),
        },
        Turn::Logged(turn) => Cow::Borrowed(turn.error.as_deref().unwrap_or("")),
    }
}
