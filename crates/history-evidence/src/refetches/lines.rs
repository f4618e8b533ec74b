//! Ranges of lines, and the newest result that shows each line of a file.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// A range of lines in a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    first: u32,
    /// The line after the range.
    end: u32,
}

/// All lines.
pub const WHOLE: Lines = Lines { first: 0, end: u32::MAX };

impl Lines {
    /// `count` lines starting at `first`. All following lines if the count is missing.
    pub fn from(first: Option<f64>, count: Option<f64>) -> Lines {
        // Casts saturate, so any number in a log is safe.
        match (first, count) {
            (first, Some(count)) if count >= 1.0 => {
                let first = first.unwrap_or(1.0) as u32;
                Lines { first, end: first.saturating_add(count as u32) }
            }
            (Some(first), _) => Lines { first: first as u32, ..WHOLE },
            (None, _) => WHOLE,
        }
    }

    /// Number of lines. `None` if the range extends to the end of the file.
    pub fn count(self) -> Option<u64> {
        (self.end < u32::MAX).then(|| u64::from(self.end.saturating_sub(self.first)))
    }

    /// The lines from `first` to `last`, both included.
    pub fn between(first: u32, last: u32) -> Lines {
        Lines { first, end: last.saturating_add(1) }
    }
}

/// For each line of one file, the newest result that shows it.
#[derive(Debug, Default)]
pub struct Shown {
    /// Maps the first line of a range to the line after it and the result.
    ranges: BTreeMap<u32, (u32, usize)>,
    /// Number of ranges left for each result.
    pieces: FxHashMap<usize, usize>,
}

/// An earlier result, with lines now shown by a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    pub result: usize,
    /// Number of its lines shown by the newer result.
    pub lines: u64,
    /// True if it has no lines left.
    pub is_whole: bool,
}

impl Replaced {
    /// A result without lines, replaced as a whole.
    pub fn whole(result: usize) -> Replaced {
        Replaced { result, lines: 0, is_whole: true }
    }
}

impl Shown {
    /// Assigns lines to a result. Returns the earlier results with any of these lines.
    pub fn set(&mut self, lines: Lines, result: usize) -> Vec<Replaced> {
        self.cut_range(lines.first);
        self.cut_range(lines.end);
        let mut earlier: BTreeMap<usize, u64> = BTreeMap::new();
        while let Some((&start, &(end, result))) = self.ranges.range(lines.first..lines.end).next() {
            self.ranges.remove(&start);
            self.pieces.entry(result).and_modify(|pieces| *pieces -= 1);
            *earlier.entry(result).or_default() += u64::from(end - start);
        }
        self.ranges.insert(lines.first, (lines.end, result));
        *self.pieces.entry(result).or_default() += 1;
        let mut replaced = Vec::with_capacity(earlier.len());
        for (result, lines) in earlier {
            replaced.push(Replaced { result, lines, is_whole: self.pieces.get(&result) == Some(&0) });
        }
        replaced
    }

    /// The results of all ranges, in order of lines.
    pub fn results(&self) -> impl Iterator<Item = usize> {
        self.ranges.values().map(|(_, result)| *result)
    }

    /// Splits a range before `line`, if the range contains both `line` and the line before it.
    fn cut_range(&mut self, line: u32) {
        if let Some((_, (end, result))) = self.ranges.range_mut(..line).next_back()
            && *end > line
        {
            let rest = (std::mem::replace(end, line), *result);
            *self.pieces.entry(*result).or_default() += 1;
            self.ranges.insert(line, rest);
        }
    }
}
