//! Lines of files, and the results that show them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A range of the lines of a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    first: u32,
    /// The line after the last one.
    end: u32,
}

/// All lines.
pub const WHOLE: Lines = Lines { first: 0, end: u32::MAX };

impl Lines {
    /// `count` lines from the first one on. All that follow if the count is missing.
    pub fn from(first: Option<f64>, count: Option<f64>) -> Lines {
        let Some(count) = count.filter(|count| *count >= 1.0) else {
            return first.map_or(WHOLE, |first| Lines { first: first as u32, ..WHOLE });
        };
        // Casts saturate, so that no number of a log is too large or below 0.
        let first = first.unwrap_or(1.0) as u32;
        Lines { first, end: first.saturating_add(count as u32) }
    }

    /// Number of lines. None if they go on to the end of the file.
    pub fn count(self) -> Option<u64> {
        (self.end < u32::MAX).then(|| u64::from(self.end.saturating_sub(self.first)))
    }

    /// Lines from one to another, both included.
    pub fn between(first: u32, last: u32) -> Lines {
        Lines { first, end: last.saturating_add(1) }
    }
}

/// The newest result that shows each line of one file.
#[derive(Debug, Default)]
pub struct Shown {
    /// By the first line: the line after the last one, and the result.
    ranges: BTreeMap<u32, (u32, usize)>,
    /// Number of ranges that each result still has.
    pieces: FxHashMap<usize, usize>,
}

/// An earlier result of which another one shows lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    pub result: usize,
    /// Number of its lines that the other one shows.
    pub lines: u64,
    /// True if no line of it is left.
    pub is_whole: bool,
}

impl Shown {
    /// Sets the result of lines. Returns the earlier results that showed any of them.
    pub fn set(&mut self, lines: Lines, result: usize) -> Vec<Replaced> {
        self.cut(lines.first);
        self.cut(lines.end);
        let within = self.ranges.range(lines.first..lines.end);
        let within: Vec<(u32, u32, usize)> =
            within.map(|(start, (end, result))| (*start, *end, *result)).collect();
        let mut earlier: BTreeMap<usize, u64> = BTreeMap::new();
        for (start, end, result) in within {
            self.ranges.remove(&start);
            self.pieces.entry(result).and_modify(|pieces| *pieces -= 1);
            *earlier.entry(result).or_default() += u64::from(end - start);
        }
        self.ranges.insert(lines.first, (lines.end, result));
        *self.pieces.entry(result).or_default() += 1;
        let is_whole = |result: usize| self.pieces.get(&result) == Some(&0);
        let replaced = |(result, lines): (usize, u64)| Replaced { result, lines, is_whole: is_whole(result) };
        earlier.into_iter().map(replaced).collect()
    }

    /// The results that show any line, in order.
    pub fn results(&self) -> impl Iterator<Item = usize> {
        self.ranges.values().map(|(_, result)| *result)
    }

    /// Cuts the range that holds both this line and the line before it.
    fn cut(&mut self, line: u32) {
        let before = self.ranges.range_mut(..line).next_back();
        if let Some((_, (end, result))) = before.filter(|(_, (end, _))| *end > line) {
            let rest = (std::mem::replace(end, line), *result);
            *self.pieces.entry(*result).or_default() += 1;
            self.ranges.insert(line, rest);
        }
    }
}
