//! Lines of texts, and where runs of them stand. Golden files refer to such runs instead of repeating them.

use std::borrow::Cow;

use memchr::memchr;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::escape::read_line;
use super::parts::{Part, parts};
use super::requests::{blocks, sections};
use super::text::TURN;

/// The fewest lines that a reference replaces, unless they have many bytes.
const LEAST_LINES: usize = 4;
const LEAST_BYTES: usize = 512;
/// The same for lines in `run.snap`, which is another file to look at.
const LEAST_LINES_OF_RUN: usize = 8;

/// The lines of a text, as `split('\n')` has them.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr(b'\n', text.as_bytes());
        rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    })
}

/// True if a reference is shorter than these texts, and easier to read.
pub(super) fn is_worth<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    least(lines.map(str::len)).is_some()
}

/// The number of lines at the start that are worth a reference.
fn least(lengths: impl Iterator<Item = usize>) -> Option<usize> {
    let mut bytes = 0;
    (1..).zip(lengths).find_map(|(count, length)| {
        bytes += length + 1;
        (count >= LEAST_LINES || bytes >= LEAST_BYTES).then_some(count)
    })
}

/// The lines of a text.
#[derive(Debug, Default)]
pub(super) struct Lines<'t> {
    pub parts: Vec<Part<'t>>,
    /// For each part a hash of the parts from there on that are worth a reference; 0 if there are not enough.
    starts: Vec<u64>,
}

impl<'t> Lines<'t> {
    pub fn new(parts: Vec<Part<'t>>) -> Lines<'t> {
        let hashes: Vec<u64> = parts.iter().map(|part| xxh3_64(part.text.as_bytes())).collect();
        let start = |at: usize| {
            let count = least(parts.iter().skip(at).map(|part| part.text.len())).unwrap_or_default();
            let hashes = hashes.iter().skip(at).take(count);
            hashes.fold(0, |all: u64, hash| (all.rotate_left(5) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15))
        };
        Lines { starts: (0..parts.len()).map(start).collect(), parts }
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The number of equal lines from two places on, if they are worth a reference.
    fn shared(&self, at: usize, other: &Lines<'_>, there: usize) -> Option<usize> {
        let start = self.starts.get(at).filter(|start| **start != 0)?;
        other.starts.get(there).filter(|other| *other == start)?;
        let pairs = self.parts.iter().skip(at).zip(other.parts.iter().skip(there));
        let equal = pairs.take_while(|(one, other)| one == other).count();
        is_worth(self.parts.iter().skip(at).take(equal).map(|part| &*part.text)).then_some(equal)
    }

    /// The first place of `other` from `least` on where lines stand as from `at` on, and their number.
    pub fn find(&self, at: usize, other: &Lines<'_>, least: usize) -> Option<(usize, usize)> {
        let start = self.starts.get(at).filter(|start| **start != 0)?;
        let place = least + other.starts.get(least..)?.iter().position(|other| other == start)?;
        Some((place, self.shared(at, other, place)?))
    }
}

/// Adds the parts of a line.
fn cut<'t>(line: Cow<'t, str>, all: &mut Vec<Part<'t>>) {
    match line {
        Cow::Borrowed(line) => all.extend(parts(line)),
        Cow::Owned(line) => all.extend(parts(&line).map(|part| part.into_owned())),
    }
}

/// The lines of a run's golden file that requests may refer to.
#[derive(Debug)]
pub struct RunLines<'b> {
    sections: Vec<RunSection<'b>>,
    lines: Lines<'b>,
    /// The first place of each start.
    places: FxHashMap<u64, usize>,
}

/// Section of a turn; all prints of a turn are one.
#[derive(Debug)]
pub(super) struct RunSection<'b> {
    pub turn: u32,
    pub name: &'b str,
    /// The place of its first line.
    first: usize,
}

impl<'b> RunLines<'b> {
    /// The lines of the file's body.
    pub fn of(body: &'b str) -> RunLines<'b> {
        let (mut named, mut lines) = (Vec::new(), Lines::default());
        for block in blocks(body) {
            let Some(turn) = block.title.strip_prefix(TURN).and_then(|turn| turn.parse().ok()) else {
                continue;
            };
            let mut of_turn: Vec<(&str, Vec<Part<'b>>)> = Vec::new();
            for (name, content) in sections(&block.lines) {
                let name = if name.starts_with("print ") { "prints" } else { name };
                if of_turn.last().is_none_or(|(last, _)| *last != name) {
                    of_turn.push((name, Vec::new()));
                }
                of_turn
                    .last_mut()
                    .into_iter()
                    .for_each(|(_, all)| content.iter().for_each(|line| cut(read_line(line), all)));
            }
            for (name, parts) in of_turn {
                named.push(RunSection { turn, name, first: lines.len() });
                let Lines { parts, starts } = Lines::new(parts);
                lines.parts.extend(parts);
                lines.starts.extend(starts);
            }
        }
        let places = lines.starts.iter().enumerate().rev().map(|(at, start)| (*start, at)).collect();
        RunLines { sections: named, lines, places }
    }

    /// No lines.
    pub fn none() -> RunLines<'static> {
        RunLines::of("")
    }

    /// The lines of a section.
    pub(super) fn section(&self, turn: u32, name: &str) -> Option<&[Part<'b>]> {
        let at = self.sections.iter().position(|section| section.turn == turn && section.name == name)?;
        self.lines.parts.get(self.sections.get(at)?.first..self.end(at))
    }

    /// The section of an earlier turn where lines stand that begin like `lines` at `at`, their place in it, and their
    /// number.
    pub(super) fn find(
        &self,
        lines: &Lines<'_>,
        at: usize,
        turn: u32,
    ) -> Option<(&RunSection<'b>, usize, usize)> {
        let place = *self.places.get(lines.starts.get(at)?)?;
        let count = lines.shared(at, &self.lines, place)?;
        let index = self.sections.partition_point(|section| section.first <= place).checked_sub(1)?;
        let section = self.sections.get(index).filter(|section| section.turn < turn)?;
        let within = count.min(self.end(index) - place);
        let bytes =
            || lines.parts.iter().skip(at).take(within).map(|part| part.text.len() + 1).sum::<usize>();
        let is_worth = within >= LEAST_LINES_OF_RUN || bytes() >= LEAST_BYTES;
        is_worth.then_some((section, place - section.first, within))
    }

    fn end(&self, section: usize) -> usize {
        self.sections.get(section + 1).map_or(self.lines.len(), |next| next.first)
    }
}
