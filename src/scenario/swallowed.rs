//! Warns of an answer with a YAML key as its last lines. YAML includes a key in a block of text if both have the same indentation.

use super::document::{Document, Step, trail_text};
use super::problem::{Place, Problem, Severity};

/// Keys allowed next to the text of an answer.
const KEYS: [&str; 3] = ["needs", "program", "response"];

const HELP: &str =
    "write `response: |` or `program: |`, the text deeper than that key, and this key below it";

/// The warning about an answer ending with a key. `None` if it does not.
pub fn warning(document: &Document<'_>, trail: &[Step], text: &str) -> Option<Problem> {
    let mut lines = text.lines().rev();
    let line = lines.find(|line| !line.trim().is_empty() && !line.trim_start().starts_with("- "))?.trim();
    let (key, rest) = line.split_once(':')?;
    if !KEYS.contains(&key) || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let start = document.offset_of(trail)?;
    let within = document.text.get(start..)?;
    let mut places = within.match_indices(line).map(|(at, _)| start + at);
    let at = places.find(|at| {
        let before = document.text.get(..*at);
        before.is_some_and(|before| before.trim_end_matches(' ').ends_with('\n'))
    })?;
    let place = Place::new(document.text, document.first_line, at, line.len(), trail_text(trail));
    let message = format!("the answer ends with what looks like the key '{key}'");
    Some(Problem {
        severity: Severity::Warning,
        code: Some("swallowed_key"),
        place: Some(Box::new(place)),
        ..document.problem_at(at, 1, message, HELP)
    })
}
