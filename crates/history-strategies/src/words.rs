//! People's words and the answers to them. No strategy omits them.

use conversation::Turn;

use super::history::View;

const HEADING: &str = ";; === conversation ===";

/// Returns true if [`write_words`] writes something for this turn.
pub(crate) fn has_words(turn: &Turn) -> bool {
    turn.words().next().is_some() || turn.spoken().is_some()
}

/// Writes a heading, then `Assistant: …` or `User: …` for each text. Writes nothing without texts.
pub fn write_words<'t>(out: &mut String, turns: impl IntoIterator<Item = &'t Turn>) {
    let start = out.len();
    for turn in turns {
        write_words_of_turn(out, start, turn);
    }
}

/// The words of the turns before the newest request.
#[derive(Default)]
struct KnownWords {
    turns: usize,
    text: String,
}

/// Writes the words of a view's turns, as [`write_words`] does. Each turn is read once for all requests.
pub fn write_words_of_view(out: &mut String, view: &View<'_>) {
    view.carry(|known: &mut KnownWords| {
        for turn in view.turns().iter().skip(known.turns) {
            write_words_of_turn(&mut known.text, 0, turn);
        }
        known.turns = view.completed();
        out.push_str(&known.text);
    });
}

/// Writes the words of a turn, below the heading at `start`.
fn write_words_of_turn(out: &mut String, start: usize, turn: &Turn) {
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
