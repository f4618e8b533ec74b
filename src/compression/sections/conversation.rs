//! Words of people in recorded conversations, and the answers to them. No strategy leaves them out.

use crate::agent::Turn;

const HEADING: &str = ";; === conversation ===";

/// A heading, then `Assistant: …` or `User: …` for each text; nothing if nobody spoke.
pub fn section<'a>(out: &mut String, turns: impl IntoIterator<Item = &'a Turn>) {
    let start = out.len();
    for recorded in turns.into_iter().filter_map(|turn| turn.recorded.as_deref()) {
        let spoken = recorded.spoken().map(|answer| ("Assistant", answer));
        for (who, text) in spoken.into_iter().chain(recorded.words().map(|words| ("User", words))) {
            if out.len() == start {
                out.push_str(HEADING);
            }
            for piece in ["\n", who, ": ", text] {
                out.push_str(piece);
            }
        }
    }
}
