//! Finds lines in texts. Lines are indexed by two adjacent words. So a text is read once, and compared with a line only
//! where both words occur.

use std::hash::{Hash, Hasher};

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHasher};

use crate::matching::plain_words;

/// Spellings of lines, indexed by a hash of their words.
#[derive(Default)]
pub struct LineIndex {
    by_words: FxHashMap<u64, Vec<Entry>>,
}

struct Entry {
    line: usize,
    spelling: EcoString,
    /// Byte offset of the second word in the line.
    at: usize,
}

impl LineIndex {
    /// Adds a spelling of the line numbered `line`.
    pub fn add(&mut self, line: usize, spelling: &EcoString) {
        let words: Vec<(usize, &str)> = plain_words(spelling).collect();
        // In JSON, `\n` precedes the first word of a line and makes it look longer.
        let pairs = words.windows(2).skip(1);
        let longest = pairs.max_by_key(|pair| pair.iter().map(|(_, word)| word.len()).sum::<usize>());
        let (key, at) = match (longest, words.last()) {
            (Some([(_, before), (at, word)]), _) => (hash_of(before, word), *at),
            (_, Some((at, word))) => (hash_of("", word), *at),
            _ => return,
        };
        self.by_words.entry(key).or_default().push(Entry { line, spelling: spelling.clone(), at });
    }

    /// Calls `found` with the number of each line contained in the text.
    pub fn find(&self, text: &str, mut found: impl FnMut(usize)) {
        if self.by_words.is_empty() {
            return;
        }
        let mut before = "";
        for (at, word) in plain_words(text) {
            // Lines of one or two words are indexed by their last word alone.
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
