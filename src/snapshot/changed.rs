//! A changed message, written as its difference from a message of the request before: a unified diff without line numbers.
//!
//! A line begins with ` ` (kept), `-` (removed) or `+` (added). `...` stands for kept lines and `-...` for removed lines. Both reach up
//! to the first place where the next lines that begin with ` ` or `-` stood in the old message, or up to its end. The text after the
//! mark may be a reference to a section of `run.snap`. A long line is written as several lines, of which all but the first begin with
//! `\\>`. Blanks at the end of kept lines do not count, so a file survives an editor that strips them.
//!
//! There are no line numbers, since a change above would change all of them, and a reviewer would read numbers that moved.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use super::differences::differences;
use super::escape::{read_line, read_part, write_line, write_line_escaped, write_part};
use super::lines::{Line, lines_of, text_of};
use super::reference::{Reference, is_reference};
use super::rulers::section_name;
use super::run_sections::RunSections;
use crate::messages::line_parts;

/// Stands for kept lines.
const KEPT: &str = "...";
/// Stands for removed lines.
const REMOVED: &str = "-...";
/// Most removed lines that are written. Of more lines the first and the last are.
const MOST_REMOVED: usize = 5;
/// Fewest lines that `...` stands for. It would save nothing for fewer.
const LEAST_KEPT: usize = 3;
/// A message is written as a diff if it keeps at least this many lines or bytes, and half of its text or of the text before. Below
/// that a reviewer reads the whole message faster.
const WORTH_LINES: usize = 8;
const WORTH_BYTES: usize = 512;
/// Bytes that a reference to a section is taken to have.
const REFERENCE_BYTES: usize = 32;

/// A line of a message, a part of a long line, or all lines of a section of `run.snap`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'t> {
    pub text: &'t str,
    /// True for a part of a line that is not its first.
    pub goes_on: bool,
    /// The turn and the name of the section.
    pub section: Option<(u32, &'t str)>,
}

/// The parts of a message in the request of a turn.
pub(super) fn parts_of<'t>(text: &'t str, run: &'t RunSections<'_>, turn: u32) -> Vec<Part<'t>> {
    let lines: Vec<&str> = lines_of(text).collect();
    let (mut parts, mut at, mut byte) = (Vec::with_capacity(lines.len()), 0, 0);
    while let Some(line) = lines.get(at) {
        let Some(section) = run.find(&lines[at..], turn) else {
            let of_line = line_parts(line).enumerate();
            parts.extend(of_line.map(|(number, text)| Part { text, goes_on: number > 0, section: None }));
            (at, byte) = (at + 1, byte + line.len() + 1);
            continue;
        };
        let count = section.lines.len();
        let bytes = lines.iter().skip(at).take(count).map(|line| line.len() + 1).sum::<usize>() - 1;
        let text = &text[byte..byte + bytes];
        parts.push(Part { text, goes_on: false, section: Some((section.turn, section.name)) });
        (at, byte) = (at + count, byte + bytes + 1);
    }
    parts
}

impl Part<'_> {
    /// Writes the part as lines of a golden file.
    pub fn write(&self, out: &mut String) {
        match self.section {
            Some((turn, name)) => drop(write!(out, "{}", Reference::Section { turn, name })),
            None if self.goes_on => write_part(out, self.text),
            None => write_line(out, self.text),
        }
        out.push('\n');
    }

    /// Bytes in a golden file.
    fn written(&self) -> usize {
        if self.section.is_some() { REFERENCE_BYTES } else { self.text.len() + 1 }
    }
}

/// The words of a part. They may stand in several sections.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Said<'t> {
    text: &'t str,
    goes_on: bool,
}

impl<'t> Said<'t> {
    fn by(part: &Part<'t>) -> Said<'t> {
        Said { text: part.text, goes_on: part.goes_on }
    }
}

impl AsRef<[u8]> for Said<'_> {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

/// The difference between two messages as lines of a golden file. None if they have too little in common.
pub(super) fn diff(before: &[Part<'_>], after: &[Part<'_>]) -> Option<String> {
    let [old, new] = [before, after].map(|parts| parts.iter().map(Said::by).collect::<Vec<_>>());
    let hunks = differences(&old, &new);
    let added: usize = hunks.iter().map(|(_, added)| added.len()).sum();
    let bytes = |parts: &[Part<'_>]| parts.iter().map(Part::written).sum::<usize>();
    let new_bytes: usize = hunks.iter().map(|(_, added)| bytes(&after[added.clone()])).sum();
    let kept_bytes = bytes(after) - new_bytes;
    let is_worth = kept_bytes >= WORTH_BYTES || after.len() - added >= WORTH_LINES;
    if !is_worth || kept_bytes * 2 < bytes(before).min(bytes(after)) {
        return None;
    }
    let mut writer = DiffWriter::new(before);
    let mut at = 0;
    for (removed, added) in hunks {
        writer.keep(at..removed.start, removed.len());
        writer.remove(removed.clone());
        after[added].iter().for_each(|part| write_marked(&mut writer.out, '+', part));
        at = removed.end;
    }
    writer.keep_rest(at..before.len());
    Some(writer.out)
}

struct DiffWriter<'d> {
    out: String,
    before: &'d [Part<'d>],
    /// The lines of all parts.
    lines: Vec<Line<'d>>,
    /// The first line of each part, and the end of the last.
    starts: Vec<usize>,
}

impl<'d> DiffWriter<'d> {
    fn new(before: &'d [Part<'d>]) -> DiffWriter<'d> {
        let (mut lines, mut starts) = (Vec::new(), vec![0]);
        for part in before {
            match part.section {
                Some(_) => lines.extend(Line::all_of(part.text)),
                None => lines.push(Line { text: part.text.into(), goes_on: part.goes_on }),
            }
            starts.push(lines.len());
        }
        DiffWriter { out: String::new(), before, lines, starts }
    }

    /// Writes kept parts. `removed` is the number of removed parts behind them. Only the last kept parts are written: as many as it
    /// takes to find their place.
    fn keep(&mut self, range: Range<usize>, removed: usize) {
        let removed = if removed > MOST_REMOVED { 1 } else { removed };
        let shown = self.findable(range.clone(), removed);
        if shown.len() < range.len() {
            self.out.push_str(KEPT);
            self.out.push('\n');
        }
        self.write(' ', shown);
    }

    fn keep_rest(&mut self, range: Range<usize>) {
        if range.len() < LEAST_KEPT {
            return self.write(' ', range);
        }
        self.out.push_str(KEPT);
        self.out.push('\n');
    }

    fn remove(&mut self, range: Range<usize>) {
        if range.len() <= MOST_REMOVED {
            return self.write('-', range);
        }
        self.write('-', range.start..range.start + 1);
        let rest = range.start + 1..range.end;
        let shown = self.findable(rest.clone(), 0);
        if shown.len() < rest.len() {
            self.out.push_str(REMOVED);
            self.out.push('\n');
        }
        self.write('-', shown);
    }

    /// The fewest last parts of a range by which the reader finds their place, together with `after` parts behind the range.
    fn findable(&self, range: Range<usize>, after: usize) -> Range<usize> {
        if range.len() < LEAST_KEPT {
            return range;
        }
        let line = |part: usize| self.starts.get(part).copied().unwrap_or(self.lines.len());
        // Each try searches the range, so the count doubles: a long range of equal lines would take quadratic time.
        let counts = std::iter::successors(Some(1), |count| Some(count * 2));
        for start in counts.map_while(|count| range.end.checked_sub(count)) {
            if start < range.start + 2 {
                break;
            }
            // A blank line says nothing to people who look for the place.
            let is_blank = self.before.get(start).is_some_and(|part| part.text.trim().is_empty());
            let sought = &self.lines[line(start)..line(range.end + after)];
            if !is_blank && find(&self.lines, line(range.start), sought) == Some(line(start)) {
                return start..range.end;
            }
        }
        range
    }

    fn write(&mut self, mark: char, range: Range<usize>) {
        self.before[range].iter().for_each(|part| write_marked(&mut self.out, mark, part));
    }
}

/// Writes a part with a mark.
fn write_marked(out: &mut String, mark: char, part: &Part<'_>) {
    let looks_like = || {
        let line = format!("{mark}{}", part.text);
        line == REMOVED || section_name(&line).is_some() || is_reference(&line)
    };
    if mark == ' ' && part.text.is_empty() {
        return out.push('\n');
    }
    out.push(mark);
    // `--- user ---` could be a ruler, or the removed line `-- user ---`.
    if mark == '-' && part.section.is_none() && !part.goes_on && looks_like() {
        write_line_escaped(out, part.text);
        return out.push('\n');
    }
    part.write(out);
}

/// The index of the first line, from one on, where the lines that are sought stand.
fn find(lines: &[Line<'_>], from: usize, sought: &[Line<'_>]) -> Option<usize> {
    (from..=lines.len().checked_sub(sought.len())?).find(|at| stands(lines, *at, sought))
}

fn stands(lines: &[Line<'_>], at: usize, sought: &[Line<'_>]) -> bool {
    let there = lines.get(at..at + sought.len());
    there.is_some_and(|there| there.iter().zip(sought).all(|(line, sought)| line.is_same(sought)))
}

/// A line of a diff.
enum Entry<'d> {
    Kept,
    Removed,
    /// A mark, and the line behind it or the lines of the section that it names.
    Lines(char, Vec<Line<'d>>),
}

/// The text of a message that the lines of a diff describe.
///
/// # Errors
/// The first line of the diff that does not fit the message before.
pub(super) fn changed(before: &str, diff: &[&str], run: &RunSections<'_>) -> Result<String, String> {
    let lines: Vec<Line<'_>> = Line::all_of(before).collect();
    let entries = diff.iter().map(|line| entry(line, run).ok_or_else(|| (*line).to_owned()));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let (mut text, mut at) = (Vec::new(), 0);
    for (number, (entry, line)) in entries.iter().zip(diff).enumerate() {
        let unreadable = || (*line).to_owned();
        match entry {
            Entry::Lines('+', added) => text.extend(added),
            Entry::Lines(mark, shown) => {
                if !stands(&lines, at, shown) {
                    return Err(unreadable());
                }
                if *mark == ' ' {
                    text.extend(&lines[at..at + shown.len()]);
                }
                at += shown.len();
            }
            Entry::Kept | Entry::Removed => {
                let sought = sought(&entries[number + 1..]);
                let place = if sought.is_empty() { Some(lines.len()) } else { find(&lines, at, &sought) };
                let place = place.ok_or_else(unreadable)?;
                if matches!(entry, Entry::Kept) {
                    text.extend(&lines[at..place]);
                }
                at = place;
            }
        }
    }
    if at < lines.len() || text.first().is_none_or(|first| first.goes_on) {
        return Err((*diff.last().unwrap_or(&"")).to_owned());
    }
    Ok(text_of(text))
}

/// The old lines that these entries show, up to the next lines that are not shown.
fn sought<'e>(entries: &'e [Entry<'e>]) -> Vec<Line<'e>> {
    let shown = entries.iter().map_while(|entry| match entry {
        Entry::Lines(mark, lines) => Some((*mark, lines)),
        Entry::Kept | Entry::Removed => None,
    });
    shown.filter(|(mark, _)| *mark != '+').flat_map(|(_, lines)| lines.iter().cloned()).collect()
}

/// The entry of a line. None for a line that no diff has.
fn entry<'d>(line: &'d str, run: &'d RunSections<'_>) -> Option<Entry<'d>> {
    // The last line of a request is escaped as a whole if it ends with blanks.
    let line = if line.starts_with('\\') { read_line(line) } else { Cow::Borrowed(line) };
    match &*line {
        KEPT => return Some(Entry::Kept),
        REMOVED => return Some(Entry::Removed),
        "" => return Some(Entry::Lines(' ', vec![Line::whole("")])),
        _ => {}
    }
    let mark = line.chars().next().filter(|mark| matches!(mark, ' ' | '+' | '-'))?;
    let text = line.get(1..)?;
    if text.starts_with("= ") {
        let Some(Reference::Section { turn, name }) = Reference::read(text) else { return None };
        let lines = run.lines(turn, name)?;
        let lines = lines.iter().flat_map(|line| Line::all_of(line));
        return Some(Entry::Lines(mark, lines.collect()));
    }
    let read = read_part(text);
    // Earlier versions wrote long lines whole.
    let parts = Line::all_of(&read.text)
        .map(|part| Line { text: part.text.into_owned().into(), goes_on: part.goes_on || read.goes_on });
    Some(Entry::Lines(mark, parts.collect()))
}
