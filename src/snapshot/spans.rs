//! Writes the golden file of a strategy: each line once, with its span of requests.
//!
//! `2-5| text` is in the requests before the turns 2 to 5, `2-| text` in the second request and all later ones, `3| text` in one.
//!
//! To read the request before a turn, take the lines with this turn in their span, from top to bottom. If a request loses a line, the diff
//! of two files removes the line or shortens its span, for any strategy. [`super::requests`] reads the file.

use std::fmt::Write as _;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::differences::differing_numbers;

/// The first line of a golden file of requests: `=== 5 requests ===`.
pub(super) const REQUESTS: &str = " requests";
pub(super) const ONE_REQUEST: &str = " request";
/// In the first line: the last request has no answer.
pub(super) const LAST_UNANSWERED: &str = ", the last unanswered";
/// Between the span and the text of a line.
pub(super) const BAR: &str = "|";

/// End of the linked list.
const NONE: u32 = u32::MAX;

/// The lines of all requests so far, ordered so that each request is a subsequence.
#[derive(Default)]
pub(super) struct SpanWriter {
    /// Distinct lines.
    texts: IndexSet<Box<str>, FxBuildHasher>,
    /// A doubly linked list, since new lines are inserted anywhere.
    entries: Vec<Entry>,
    first: Option<u32>,
    last: Option<u32>,
    /// The messages of the newest request.
    shown: Vec<ShownMessage>,
    requests: u32,
    /// True if the newest request has no answer.
    is_unanswered: bool,
}

/// A line and its span of requests.
struct Entry {
    /// Index into `texts`.
    text: u32,
    first: u32,
    /// `None` while the newest request shows it.
    last: Option<u32>,
    before: u32,
    after: u32,
}

struct ShownMessage {
    /// Equal messages have equal numbers.
    number: u32,
    entries: Vec<u32>,
}

/// Length of the common start: pairs before the first difference.
fn count_same<'m>(pairs: impl Iterator<Item = (&'m ShownMessage, &'m u32)>) -> usize {
    pairs.take_while(|(shown, number)| shown.number == **number).count()
}

impl SpanWriter {
    /// Adds a request: the first `kept` messages of the previous one, then messages with these numbers. `lines` returns the lines of a
    /// message.
    pub fn add_request(
        &mut self,
        kept: usize,
        numbers: &[u32],
        is_answered: bool,
        lines: impl Fn(u32) -> Vec<String>,
    ) {
        self.requests += 1;
        self.is_unanswered = !is_answered;
        // Consecutive requests mostly share their start and end; skip the diff there.
        let same = count_same(self.shown[kept..].iter().zip(numbers));
        let (start, numbers) = (kept + same, &numbers[same..]);
        let end = count_same(self.shown[start..].iter().rev().zip(numbers.iter().rev()));
        let (old_end, numbers) = (self.shown.len() - end, &numbers[..numbers.len() - end]);
        let mut old = Vec::new();
        // Messages that only moved keep their lines.
        let mut moved: FxHashMap<u32, &ShownMessage> = FxHashMap::default();
        for message in &self.shown[start..old_end] {
            old.extend_from_slice(&message.entries);
            moved.insert(message.number, message);
        }
        let (mut new, mut lengths) = (Vec::new(), Vec::new());
        for number in numbers {
            let before = new.len();
            match moved.get(number) {
                Some(message) => {
                    new.extend(message.entries.iter().map(|entry| self.entries[*entry as usize].text));
                }
                None => {
                    for line in lines(*number) {
                        let (text, _) = self.texts.insert_full(line.into_boxed_str());
                        new.push(text as u32);
                    }
                }
            }
            lengths.push(new.len() - before);
        }
        let next = self.shown.get(old_end).and_then(|message| message.entries.first().copied());
        let mut placed = self.place_lines(&old, &new, next).into_iter();
        let mut messages = Vec::with_capacity(numbers.len());
        for (&number, length) in numbers.iter().zip(lengths) {
            messages.push(ShownMessage { number, entries: placed.by_ref().take(length).collect() });
        }
        self.shown.splice(start..old_end, messages);
    }

    /// Ends the entries of removed lines and adds entries for new ones, before the entry `next`. Returns the entries of all lines in `new`.
    fn place_lines(&mut self, old: &[u32], new: &[u32], next: Option<u32>) -> Vec<u32> {
        let texts: Vec<u32> = old.iter().map(|entry| self.entries[*entry as usize].text).collect();
        let start = texts.iter().zip(new).take_while(|(old, new)| old == new).count();
        let end = texts[start..].iter().rev().zip(new[start..].iter().rev());
        let end = end.take_while(|(old, new)| old == new).count();
        let (old_end, new_end) = (old.len() - end, new.len() - end);
        let mut placed = Vec::with_capacity(new.len());
        placed.extend_from_slice(&old[..start]);
        let mut at = start;
        for (removed, added) in differing_numbers(&texts[start..old_end], &new[start..new_end]) {
            let removed = removed.start + start..removed.end + start;
            placed.extend_from_slice(&old[at..removed.start]);
            for entry in &old[removed.clone()] {
                self.entries[*entry as usize].last = Some(self.requests - 1);
            }
            let successor = old.get(removed.end).copied().or(next);
            for text in &new[added.start + start..added.end + start] {
                placed.push(self.insert_entry(*text, successor));
            }
            at = removed.end;
        }
        placed.extend_from_slice(&old[at..]);
        placed
    }

    /// Adds an entry before `successor`, or at the end.
    fn insert_entry(&mut self, text: u32, successor: Option<u32>) -> u32 {
        let entry = self.entries.len() as u32;
        let before = match successor {
            Some(successor) => std::mem::replace(&mut self.entries[successor as usize].before, entry),
            None => self.last.replace(entry).unwrap_or(NONE),
        };
        match self.entries.get_mut(before as usize) {
            Some(before) => before.after = entry,
            None => self.first = Some(entry),
        }
        let after = successor.unwrap_or(NONE);
        self.entries.push(Entry { text, first: self.requests, last: None, before, after });
        entry
    }

    /// The text of the golden file.
    pub fn write_body(&self) -> String {
        let requests = if self.requests == 1 { ONE_REQUEST } else { REQUESTS };
        let unanswered = if self.is_unanswered { LAST_UNANSWERED } else { "" };
        let mut out = format!("=== {}{requests}{unanswered} ===\n", self.requests);
        let mut at = self.first;
        while let Some(entry) = at.and_then(|at| self.entries.get(at as usize)) {
            let text = self.texts.get_index(entry.text as usize).map_or("", |text| text);
            let _ = match entry.last {
                None => write!(out, "{}-{BAR}", entry.first),
                Some(last) if last == entry.first => write!(out, "{last}{BAR}"),
                Some(last) => write!(out, "{}-{last}{BAR}", entry.first),
            };
            if !text.is_empty() {
                out.push(' ');
                out.push_str(text);
            }
            out.push('\n');
            at = Some(entry.after);
        }
        out
    }
}
