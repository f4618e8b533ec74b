//! The error part: the failed program and its error. Strategies show it for the newest turn alone, so until a turn succeeds.

use std::borrow::Cow;

use crate::agent::Turn;
use ptc_lisp::print::pr_str;

use crate::compression::cut;

/// Characters shown of an answer without a program.
const ANSWER_CHARACTERS: usize = 500;

/// The failed program between rulers, with its error.
pub fn section(out: &mut String, turn: &Turn) {
    let calls = turn.tool_calls.iter().filter_map(|call| call.text.as_deref());
    let spoken = Some(turn.raw_response.as_str()).filter(|text| !text.is_empty());
    let answer = spoken.into_iter().chain(calls).collect::<Vec<_>>().join("\n");
    let answer = cut::shortened(&answer, ANSWER_CHARACTERS);
    let (tag, text) =
        if turn.program.is_empty() { ("text", answer.as_ref()) } else { ("clojure", turn.program.as_str()) };
    let error = message(turn);
    for piece in ["---\nYour previous attempt:\n```", tag, "\n", text, "\n```\n\nError: ", &error, "\n---"] {
        out.push_str(piece);
    }
}

/// The message of a failed turn's error.
pub fn message(turn: &Turn) -> Cow<'_, str> {
    match &turn.result {
        Err(error) => Cow::Borrowed(&error.message),
        Ok(value) => Cow::Owned(pr_str(value)),
    }
}
