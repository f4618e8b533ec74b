//! Warns of text that YAML ends at ` #`, where a comment begins, although its author meant the text to go on. Programs are full of `#(…)`.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use super::document::{Document, Step, trail_text};
use super::problem::{LISTED, Place, Problem, Severity};
use conversation::cut::split_end;

const HELP: &str = "put the text in quotes, or below a `|`";

/// Finds texts of a document that YAML cuts.
pub struct Cuts<'a> {
    document: Document<'a>,
    /// The words that stand before ` #`. True for a word if what follows it looks like no comment.
    words: OnceCell<FxHashMap<&'a str, bool>>,
    /// Number of texts that were located in the document, which takes long.
    located: usize,
}

impl<'a> Cuts<'a> {
    pub fn new(document: Document<'a>) -> Cuts<'a> {
        Cuts { document, words: OnceCell::new(), located: 0 }
    }

    /// The warning about a text that seems to be cut; none for text that is quoted, in a block or whole.
    pub fn warning(&mut self, trail: &[Step], text: &str) -> Option<Problem> {
        if self.located == LISTED || !self.may_be_cut(text) {
            return None;
        }
        self.located += 1;
        warning(&self.document, trail, text)
    }

    /// Returns true if what follows the text in the document may be its rest. This saves locating most texts.
    fn may_be_cut(&self, text: &str) -> bool {
        let last = text.split_whitespace().next_back().filter(|_| !text.contains('\n'));
        let words = self.words.get_or_init(|| words_before_comments(self.document.text));
        last.and_then(|last| words.get(last)).is_some_and(|is_odd| *is_odd || is_open(text))
    }
}

/// The words that stand before ` #`, with [`Cuts::words`].
fn words_before_comments(text: &str) -> FxHashMap<&str, bool> {
    let mut words = FxHashMap::default();
    let mut before = 0;
    for (at, _) in text.match_indices(" #") {
        let line = text[before..at].trim_end_matches([' ', '\t']);
        let mut word = line.rsplit_once(char::is_whitespace).map_or(line, |(_, word)| word);
        before = at + 1;
        // In brackets of YAML a word may touch what opens them, and the text begins behind that.
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

/// Returns true if a text opens more brackets than it closes, as a program does that is cut.
fn is_open(text: &str) -> bool {
    let count = |brackets: [char; 3]| text.matches(brackets).count();
    count(['(', '[', '{']) > count([')', ']', '}'])
}

/// Returns true for a comment that authors do not write: no blank, and no mark of a line, follows the `#`.
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
