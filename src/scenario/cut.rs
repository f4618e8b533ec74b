//! Warns of text that YAML ends at ` #`, where a comment begins, although its author meant it to go on:
//! programs are full of `#(…)`.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::document::{Document, Step, trail_text};
use super::problem::{LISTED, Place, Problem, Severity};

const HELP: &str = "put the text in quotes, or below a `|`";

/// Finds texts of a document that YAML cuts.
pub struct Cuts<'a> {
    document: Document<'a>,
    /// The words before ` #`, true if one of their comments begins as no comment does.
    words: OnceCell<FxHashMap<&'a str, bool>>,
    /// Texts that were sought in the document.
    sought: usize,
}

impl<'a> Cuts<'a> {
    pub fn new(document: Document<'a>) -> Cuts<'a> {
        Cuts { document, words: OnceCell::new(), sought: 0 }
    }

    /// The warning about a text that seems to be cut; none for text that is quoted, in a block or whole.
    pub fn warning(&mut self, trail: &[Step], text: &str) -> Option<Problem> {
        if self.sought == LISTED || !self.may_be_cut(text) {
            return None;
        }
        self.sought += 1;
        warning(&self.document, trail, text)
    }

    /// Returns true if a comment that reads like the rest may follow the text: a check before the text is located.
    fn may_be_cut(&self, text: &str) -> bool {
        let last = text.split_whitespace().next_back().filter(|_| !text.contains('\n'));
        let words = self.words.get_or_init(|| words_before_comments(self.document.text));
        last.and_then(|last| words.get(last)).is_some_and(|is_odd| *is_odd || is_open(text))
    }
}

/// In brackets a word may touch what opens them.
fn words_before_comments(text: &str) -> FxHashMap<&str, bool> {
    let mut words = FxHashMap::default();
    let mut before = 0;
    for (at, _) in text.match_indices(" #") {
        let line = text[before..at].trim_end_matches([' ', '\t']);
        let mut word = line.rsplit_once(char::is_whitespace).map_or(line, |(_, word)| word);
        before = at + 1;
        loop {
            *words.entry(word).or_default() |= is_odd(&text[before..]);
            match word.strip_prefix(['[', '{', ',']) {
                Some(rest) => word = rest,
                None => break,
            }
        }
    }
    words
}

fn warning(document: &Document<'_>, trail: &[Step], text: &str) -> Option<Problem> {
    let comment = document.comment_after(trail, text)?;
    let rest = &document.text[comment..];
    if !is_open(text) && !is_odd(rest) {
        return None;
    }
    let message = format!("YAML takes what follows for a comment, so the text ends with {:?}", last_of(text));
    let width = rest.lines().next().map_or(0, |line| line.trim_end().len());
    let place = Place::new(document.text, document.first_line, comment, width, trail_text(trail));
    Some(Problem {
        severity: Severity::Warning,
        code: Some("cut_by_comment"),
        place: Some(Box::new(place)),
        ..document.problem_at(comment, 1, message, HELP)
    })
}

/// Returns true if brackets of a text are open.
fn is_open(text: &str) -> bool {
    let count = |brackets: [char; 3]| text.matches(brackets).count();
    count(['(', '[', '{']) > count([')', ']', '}'])
}

/// Returns true if no blank follows the `#` of a comment.
fn is_odd(comment: &str) -> bool {
    let next = comment.chars().nth(1);
    next.is_some_and(|next| !next.is_whitespace() && !matches!(next, '#' | '-' | '='))
}

/// The last characters of a text, for a message.
fn last_of(text: &str) -> String {
    const SHOWN: usize = 24;
    let skipped = text.chars().count().saturating_sub(SHOWN);
    let mark = if skipped > 0 { "…" } else { "" };
    mark.chars().chain(text.chars().skip(skipped)).collect()
}
