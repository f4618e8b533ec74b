//! Finds lines in texts. Each line is known by two of its words that are neighbours, so a text is read once, and a line is
//! compared with it only where both words stand.

use std::hash::{Hash, Hasher};

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHasher};

use crate::matching::plain_words;

/// Spellings of lines by the words that find them.
#[derive(Default)]
pub struct LineIndex {
    by_words: FxHashMap<u64, Vec<Entry>>,
}

struct Entry {
    line: usize,
    spelling: EcoString,
    /// The byte of the line at which the second word begins.
    at: usize,
}

impl LineIndex {
    /// Adds a spelling of the line of this number.
    pub fn add(&mut self, line: usize, spelling: &EcoString) {
        let words: Vec<(usize, &str)> = plain_words(spelling).collect();
        // The first word of a line stands behind `\n` in JSON, and looks like a longer one.
        let pairs = words.windows(2).skip(1);
        let longest = pairs.max_by_key(|pair| pair.iter().map(|(_, word)| word.len()).sum::<usize>());
        let (key, at) = match (longest, words.last()) {
            (Some([(_, before), (at, word)]), _) => (hash_of(before, word), *at),
            (_, Some((at, word))) => (hash_of("", word), *at),
            _ => return,
        };
        self.by_words.entry(key).or_default().push(Entry { line, spelling: spelling.clone(), at });
    }

    /// Calls a function with the number of each line that a text has.
    pub fn find(&self, text: &str, mut found: impl FnMut(usize)) {
        if self.by_words.is_empty() {
            return;
        }
        let mut before = "";
        for (at, word) in plain_words(text) {
            // A line of one or two words is known by its last word alone.
            for key in [hash_of(before, word), hash_of("", word)] {
                for entry in self.by_words.get(&key).into_iter().flatten() {
                    let start = at.checked_sub(entry.at).and_then(|start| text.get(start..));
                    if start.is_some_and(|rest| rest.starts_with(entry.spelling.as_str())) {
                        found(entry.line);
                    }
                }
            }
            before = word;
        }
    }
}

fn hash_of(before: &str, word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (before, word).hash(&mut hasher);
    hasher.finish()
}
