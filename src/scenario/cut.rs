//! Warns of text truncated by a YAML comment: ` #` begins one, and programs are full of `#(…)`.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::document::{Document, Step, trail_text};
use super::problem::{LISTED, Place, Problem, Severity};
use conversation::cut::split_end;

const HELP: &str = "put the text in quotes, or below a `|`";

/// Finds truncated texts in a document.
pub struct Cuts<'a> {
    document: Document<'a>,
    /// Each word directly before a ` #`. The value is true if the part after it does not look like a comment.
    words: OnceCell<FxHashMap<&'a str, bool>>,
    /// Number of texts located in the document. Locating is slow.
    located: usize,
}

impl<'a> Cuts<'a> {
    pub fn new(document: Document<'a>) -> Cuts<'a> {
        Cuts { document, words: OnceCell::new(), located: 0 }
    }

    /// The warning about a truncated text. `None` if the text is quoted, in a block or complete.
    pub fn warning(&mut self, trail: &[Step], text: &str) -> Option<Problem> {
        if self.located == LISTED || !self.may_be_cut(text) {
            return None;
        }
        self.located += 1;
        make_warning(&self.document, trail, text)
    }

    /// Returns true if the text may be truncated. A cheap check to avoid locating most texts.
    fn may_be_cut(&self, text: &str) -> bool {
        if text.contains('\n') {
            return false;
        }
        let Some(last) = text.split_whitespace().next_back() else { return false };
        let words = self.words.get_or_init(|| words_before_comments(self.document.text));
        words.get(last).is_some_and(|is_odd| *is_odd || is_open(text))
    }
}

/// The value of [`Cuts::words`].
fn words_before_comments(text: &str) -> FxHashMap<&str, bool> {
    let mut words = FxHashMap::default();
    let mut before = 0;
    for (at, _) in text.match_indices(" #") {
        let line = text[before..at].trim_end_matches([' ', '\t']);
        let mut word = line.rsplit_once(char::is_whitespace).map_or(line, |(_, word)| word);
        before = at + 1;
        // In YAML brackets a word may directly follow the opening bracket or a comma. Also record the word without it.
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

fn make_warning(document: &Document<'_>, trail: &[Step], text: &str) -> Option<Problem> {
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

/// Returns true if a text has more opening than closing brackets. Truncated programs do.
fn is_open(text: &str) -> bool {
    text.matches(['(', '[', '{']).count() > text.matches([')', ']', '}']).count()
}

/// Returns true for an unlikely comment: neither white space nor a separator line follows the `#`.
fn is_odd(comment: &str) -> bool {
    let next = comment.chars().nth(1);
    next.is_some_and(|next| !next.is_whitespace() && !matches!(next, '#' | '-' | '='))
}

/// The last characters of a text, for a message.
fn last_of(text: &str) -> String {
    const SHOWN: usize = 24;
    let (before, end) = split_end(text, SHOWN);
    let mark = if before.is_empty() { "" } else { "…" };
    format!("{mark}{end}")
}
