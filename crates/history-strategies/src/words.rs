//! People's words and the answers to them. No strategy omits them.

use conversation::Turn;

const HEADING: &str = ";; === conversation ===";

/// Returns true if [`write_words`] writes something for this turn.
pub(crate) fn has_words(turn: &Turn) -> bool {
    turn.words().next().is_some() || turn.spoken().is_some()
}

/// Writes a heading, then `Assistant: …` or `User: …` for each text. Writes nothing without texts.
pub fn write_words<'t>(out: &mut String, turns: impl IntoIterator<Item = &'t Turn>) {
    let start = out.len();
    for turn in turns {
        let spoken = turn.spoken().map(|answer| ("Assistant", answer));
        for (who, text) in spoken.into_iter().chain(turn.words().map(|words| ("User", words))) {
            if out.len() == start {
                out.push_str(HEADING);
            }
            for piece in ["\n", who, ": ", text] {
                out.push_str(piece);
            }
        }
    }
}
