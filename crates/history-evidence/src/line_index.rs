//! Finds lines in texts. Lines are indexed by two adjacent words. So a text is read once, and compared with a line only
//! where both words occur.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::layout::{significant, significant_backwards};
use crate::matching::plain_words;

/// Lines, indexed by a hash of their words.
#[derive(Default)]
pub struct LineIndex {
    by_words: FxHashMap<u64, Vec<Entry>>,
}

struct Entry {
    line: usize,
    /// The significant characters before the second word, from the last to the first.
    before: String,
    /// The significant characters from the second word on.
    after: String,
}

impl LineIndex {
    /// Adds the line numbered `number`.
    pub fn add(&mut self, number: usize, line: &str) {
        let words: Vec<(usize, &str)> = plain_words(line).collect();
        // In JSON, `\n` precedes the first word of a line and makes it look longer.
        let pairs = words.windows(2).skip(1);
        let longest = pairs.max_by_key(|pair| pair.iter().map(|(_, word)| word.len()).sum::<usize>());
        let (key, at) = match (longest, words.last()) {
            (Some([(_, before), (at, word)]), _) => (hash_of(before, word), *at),
            (_, Some((at, word))) => (hash_of("", word), *at),
            _ => return,
        };
        let (before, after) = line.split_at(at);
        let (before, after) = (significant_backwards(before).collect(), significant(after).collect());
        self.by_words.entry(key).or_default().push(Entry { line: number, before, after });
    }

    /// Calls `found` with the number of each line contained in the text.
    pub fn find(&self, text: &str, mut found: impl FnMut(usize)) {
        if self.by_words.is_empty() {
            return;
        }
        let mut word_before = "";
        for (at, word) in plain_words(text) {
            // Lines of one or two words are indexed by their last word alone.
            for key in [hash_of(word_before, word), hash_of("", word)] {
                for Entry { line, before, after } in self.by_words.get(&key).into_iter().flatten() {
                    let (text_before, text_after) = text.split_at(at);
                    if begins_with(significant(text_after), after)
                        && begins_with(significant_backwards(text_before), before)
                    {
                        found(*line);
                    }
                }
            }
            word_before = word;
        }
    }
}

fn begins_with(mut characters: impl Iterator<Item = char>, expected: &str) -> bool {
    expected.chars().all(|c| characters.next() == Some(c))
}

fn hash_of(before: &str, word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    (before, word).hash(&mut hasher);
    hasher.finish()
}
