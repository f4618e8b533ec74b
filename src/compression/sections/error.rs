//! The attempt that failed and why, so that the model can mend it (ERR-004). Only the newest is ever
//! shown, and only until a turn succeeds (ERR-001…ERR-003).

use std::borrow::Cow;

use crate::agent::Turn;
use ptc_lisp::print::pr_str;

use crate::compression::cut;

/// Characters of a response without a program that are shown.
const RESPONSE_CHARACTERS: usize = 500;

/// The failed program between rulers, with its error.
pub fn section(out: &mut String, turn: &Turn) {
    let response = cut::shortened(&turn.raw_response, RESPONSE_CHARACTERS);
    let (tag, text) = match turn.program.is_empty() {
        true => ("text", response.as_ref()),
        false => ("clojure", turn.program.as_str()),
    };
    let error = message(turn);
    for piece in
        ["---\nYour previous attempt:\n```", tag, "\n", text, "\n```\n\nError: ", error.as_ref(), "\n---"]
    {
        out.push_str(piece);
    }
}

/// The message of a failed turn's error (S2-13).
pub fn message(turn: &Turn) -> Cow<'_, str> {
    match &turn.result {
        Err(error) => Cow::Borrowed(&error.message),
        Ok(value) => Cow::Owned(pr_str(value)),
    }
}
