//! Warns of text that YAML ends at ` #`, where a comment begins, although its author meant it to go on:
//! programs are full of `#(…)`.

use super::document::{Document, Step, trail_text};
use super::problem::{Place, Problem, Severity};

const HELP: &str = "put the text in quotes, or below a `|`";

/// The warning about a text that seems to be cut; none for text that is quoted, in a block or whole.
pub fn warning(document: &Document<'_>, trail: &[Step], text: &str) -> Option<Problem> {
    if !may_be_cut(document.text, text) {
        return None;
    }
    let comment = document.comment_after(trail, text)?;
    let said = document.text.get(comment..).unwrap_or_default();
    if !goes_on(text, said) {
        return None;
    }
    let message = format!("YAML takes what follows for a comment, so the text ends with {:?}", last_of(text));
    let width = said.lines().next().unwrap_or_default().trim_end().len();
    let place = Place::new(document.text, document.first_line, comment, width, trail_text(trail));
    Some(Problem {
        severity: Severity::Warning,
        code: Some("cut_by_comment"),
        place: Some(Box::new(place)),
        ..document.problem_at(comment, 1, message, HELP)
    })
}

/// Returns true if a comment may follow the text: a cheap check before the text is located.
fn may_be_cut(document: &str, text: &str) -> bool {
    let last = text.split_whitespace().next_back().filter(|_| !text.contains('\n'));
    let before = |(at, _)| document.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
    last.is_some_and(|last| document.match_indices(" #").map(before).any(|before| before.ends_with(last)))
}

/// Returns true if a comment reads like the rest of the text: brackets are open, or no blank follows `#`.
fn goes_on(text: &str, comment: &str) -> bool {
    let count = |brackets: [char; 3]| text.matches(brackets).count();
    let is_open = count(['(', '[', '{']) > count([')', ']', '}']);
    let next = comment.chars().nth(1);
    is_open || next.is_some_and(|next| !next.is_whitespace() && !matches!(next, '#' | '-' | '='))
}

/// The last characters of a text, for a message.
fn last_of(text: &str) -> String {
    const SHOWN: usize = 24;
    let skipped = text.chars().count().saturating_sub(SHOWN);
    let mark = if skipped > 0 { "…" } else { "" };
    mark.chars().chain(text.chars().skip(skipped)).collect()
}
