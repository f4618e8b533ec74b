//! Finds lines in texts, ignoring their layout. Lines are indexed by a window of characters, so a text is read once, and compared
//! with a line only where the window occurs.

use rustc_hash::FxHashMap;

use crate::layout::significant;

/// Characters in a window. Lines of code have at least 24 characters, so the middle of a line is seldom the same in two lines.
const WINDOW: usize = 12;
/// Factor of the rolling hash: odd, so that no bit is lost. Chosen, not measured.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Lines, indexed by the hash of the window in their middle.
#[derive(Default)]
pub struct LineIndex {
    by_window: FxHashMap<u64, Vec<Entry>>,
    /// Lines shorter than a window. Every text is searched for them.
    short: Vec<Entry>,
}

struct Entry {
    number: usize,
    /// The significant characters.
    line: Vec<char>,
    /// Position after the window.
    end: usize,
}

impl LineIndex {
    /// Adds the line numbered `number`.
    pub fn add(&mut self, number: usize, line: &str) {
        let line: Vec<char> = significant(line).collect();
        let start = line.len().saturating_sub(WINDOW) / 2;
        let end = start + WINDOW;
        match line.get(start..end) {
            Some(window) => {
                let hash = window.iter().copied().fold(0, push);
                self.by_window.entry(hash).or_default().push(Entry { number, line, end });
            }
            None => self.short.push(Entry { number, end: line.len(), line }),
        }
    }

    /// Calls `found` with the number of each line contained in the text.
    pub fn find(&self, text: &str, mut found: impl FnMut(usize)) {
        if self.by_window.is_empty() && self.short.is_empty() {
            return;
        }
        let text: Vec<char> = significant(text).collect();
        for Entry { number, line, .. } in &self.short {
            // A line of escapes alone is in every text.
            if line.is_empty() || text.windows(line.len()).any(|window| window == line) {
                found(*number);
            }
        }
        let weight = FACTOR.wrapping_pow(WINDOW as u32);
        let mut hash = 0;
        for (at, c) in text.iter().enumerate() {
            hash = push(hash, *c);
            if let Some(left) = at.checked_sub(WINDOW) {
                hash = hash.wrapping_sub(weight.wrapping_mul(u64::from(text[left])));
            }
            for Entry { number, line, end } in self.by_window.get(&hash).into_iter().flatten() {
                if let Some(start) = (at + 1).checked_sub(*end)
                    && text[start..].starts_with(line)
                {
                    found(*number);
                }
            }
        }
    }
}

/// Adds a character to a rolling hash.
fn push(hash: u64, c: char) -> u64 {
    hash.wrapping_mul(FACTOR).wrapping_add(u64::from(c))
}
