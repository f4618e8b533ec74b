//! Draws changes as rows of a given width, unified or side by side. Long lines are compared by word. Each span has a [`Tint`]; its colour is
//! chosen elsewhere.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use console::measure_text_width;

use super::cause::{Change, Hunk};
use super::differences::differences;
use super::escape::visible;
use conversation::cut::{split_end, split_start};

/// Unchanged characters on each side of a changed word in a long line.
const AROUND_WORDS: usize = 24;
/// Largest hunk in bytes to compare by word. The time of a comparison grows with the square of the difference.
const MOST_COMPARED: usize = 64 << 10;
/// Start of the rows that continue a line.
const CONTINUED: &str = "    ";

/// The meaning of a span, to be shown as a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    Plain,
    /// Context.
    Quiet,
    /// For emphasis.
    Strong,
    Removed,
    Added,
    /// The changed words of a removed line.
    RemovedWord,
    AddedWord,
}

/// Text with one tint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub tint: Tint,
    pub text: String,
}

/// One row of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub spans: Vec<Span>,
}

/// Size of a drawn change.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub width: usize,
    /// Unchanged lines above and below.
    pub context: usize,
}

impl Row {
    pub fn new(tint: Tint, text: impl Into<String>) -> Row {
        Row::default().and(tint, text)
    }

    /// Adds a span.
    pub fn and(mut self, tint: Tint, text: impl Into<String>) -> Row {
        self.spans.push(Span { tint, text: text.into() });
        self
    }

    /// Width in terminal columns.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| text_width(&span.text)).sum()
    }

    /// Cuts the row to a width, with `…` at the end if it was longer.
    pub fn cut(self, width: usize) -> Row {
        if self.width() <= width {
            return self;
        }
        let mut first = wrap(self.spans, width.saturating_sub(1)).into_iter().next().unwrap_or_default();
        first.spans.push(Span { tint: Tint::Quiet, text: "…".into() });
        first
    }

    fn padded(self, width: usize) -> Row {
        let missing = width.saturating_sub(self.width());
        self.and(Tint::Plain, " ".repeat(missing))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.spans.iter().map(|span| span.text.as_str()).collect();
        f.write_str(text.trim_end())
    }
}

/// The old lines above the new ones.
pub fn unified(change: &Change, hunk: &Hunk, frame: Frame) -> Vec<Row> {
    let (removed, added) = compared(hunk);
    let (above, below) = context(change, hunk, frame.context);
    let mut rows = Vec::new();
    for line in above {
        rows.push(unchanged(line).cut(frame.width));
    }
    for line in &removed {
        rows.extend(draw_line(line, &REMOVED, frame.width));
    }
    for line in &added {
        rows.extend(draw_line(line, &ADDED, frame.width));
    }
    for line in below {
        rows.push(unchanged(line).cut(frame.width));
    }
    rows
}

/// The old lines to the left of the new ones.
pub fn side_by_side(change: &Change, hunk: &Hunk, frame: Frame) -> Vec<Row> {
    let column = frame.width.saturating_sub(3) / 2;
    let (removed, added) = compared(hunk);
    let (above, below) = context(change, hunk, frame.context);
    let mut rows = Vec::new();
    for line in above {
        rows.push(beside(unchanged(line).cut(column), unchanged(line).cut(column), column));
    }
    for index in 0..removed.len().max(added.len()) {
        let mut left = match removed.get(index) {
            Some(line) => draw_line(line, &REMOVED, column),
            None => Vec::new(),
        };
        let mut right = match added.get(index) {
            Some(line) => draw_line(line, &ADDED, column),
            None => Vec::new(),
        };
        let count = left.len().max(right.len());
        left.resize(count, Row::default());
        right.resize(count, Row::default());
        for (left, right) in left.into_iter().zip(right) {
            rows.push(beside(left, right, column));
        }
    }
    for line in below {
        rows.push(beside(unchanged(line).cut(column), unchanged(line).cut(column), column));
    }
    rows
}

fn beside(left: Row, right: Row, column: usize) -> Row {
    let mut row = left.padded(column).and(Tint::Quiet, " │ ");
    row.spans.extend(right.spans);
    row
}

/// Pieces of a line. True marks a piece that differs from the other side.
type Pieces = Vec<(bool, String)>;

/// Style of the lines of one side.
struct Side {
    mark: &'static str,
    line: Tint,
    word: Tint,
    brackets: (&'static str, &'static str),
}

const REMOVED: Side =
    Side { mark: "- ", line: Tint::Removed, word: Tint::RemovedWord, brackets: ("[-", "-]") };
const ADDED: Side = Side { mark: "+ ", line: Tint::Added, word: Tint::AddedWord, brackets: ("{+", "+}") };

/// The lines of a hunk, compared by word if at least half of the words are unchanged.
fn compared(hunk: &Hunk) -> (Vec<Pieces>, Vec<Pieces>) {
    let (removed, added) = (show_lines(&hunk.removed), show_lines(&hunk.added));
    let old: Vec<&str> = removed.iter().flat_map(|line| split_words(line)).collect();
    let new: Vec<&str> = added.iter().flat_map(|line| split_words(line)).collect();
    let bytes: usize = old.iter().chain(&new).map(|word| word.len()).sum();
    let differing = if bytes > MOST_COMPARED { Vec::new() } else { differences(&old, &new) };
    let (mut from_old, mut from_new, mut differing_words) = (Vec::new(), Vec::new(), 0);
    for (removed, added) in differing {
        differing_words += removed.len() + added.len();
        from_old.push(removed);
        from_new.push(added);
    }
    if differing_words > (old.len() + new.len()) / 2 {
        (from_old, from_new) = (Vec::new(), Vec::new());
    }
    (mark_words(&removed, from_old), mark_words(&added, from_new))
}

/// Splits the lines into pieces. Words in these ranges are marked as different.
fn mark_words(lines: &[String], differing: Vec<Range<usize>>) -> Vec<Pieces> {
    let mut differs = vec![false; differing.last().map_or(0, |range| range.end)];
    for range in differing {
        differs[range].fill(true);
    }
    let mut differs = differs.into_iter().chain(std::iter::repeat(false));
    let mut marked = Vec::new();
    for line in lines {
        marked.push(merge_words(split_words(line).zip(&mut differs)));
    }
    marked
}

/// Splits a line into runs of blanks and runs of other characters.
fn split_words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_blank = rest.chars().next()?.is_whitespace();
        let end = rest.find(|c: char| c.is_whitespace() != is_blank).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// Changed lines, with marks for trailing blanks and invisible characters.
fn show_lines(lines: &[String]) -> Vec<String> {
    let mut shown = Vec::with_capacity(lines.len());
    for line in lines {
        let text = line.trim_end_matches(' ');
        shown.push(format!("{}{}", show_line(text), "·".repeat(line.len() - text.len())));
    }
    shown
}

/// A line with marks for invisible characters. Rulers are shortened.
fn show_line(line: &str) -> Cow<'_, str> {
    match line.strip_prefix("=== ") {
        Some(ruler) => Cow::Owned(format!("=== {} ===", ruler.trim_end_matches('=').trim_end())),
        None => visible(line),
    }
}

/// Joins adjacent words of the same kind, and changed words separated only by blanks. A line changed as a whole has no marks.
fn merge_words<'l>(words: impl Iterator<Item = (&'l str, bool)>) -> Pieces {
    let mut out: Pieces = Vec::new();
    for (word, differs) in words {
        if differs
            && let [.., (true, before), (false, between)] = out.as_mut_slice()
            && between.trim().is_empty()
        {
            before.push_str(between);
            out.pop();
        }
        match out.last_mut() {
            Some((before, merged)) if *before == differs => merged.push_str(word),
            _ => out.push((differs, word.to_owned())),
        }
    }
    match out.as_mut_slice() {
        [(differs, _)] => *differs = false,
        [] => out.push((false, String::new())),
        _ => {}
    }
    out
}

fn draw_line(pieces: &Pieces, side: &Side, width: usize) -> Vec<Row> {
    let room = width.saturating_sub(side.mark.len());
    let length: usize = pieces.iter().map(|(_, text)| text_width(text)).sum();
    let by_word = length > room && pieces.iter().any(|(differs, _)| *differs);
    let spans = if by_word { bracketed(pieces, side) } else { whole(pieces, side) };
    let mut rows = wrap(spans, room.saturating_sub(CONTINUED.len() - side.mark.len()));
    for (index, row) in rows.iter_mut().enumerate() {
        let begin = if index == 0 { side.mark } else { CONTINUED };
        row.spans.insert(0, Span { tint: side.line, text: begin.into() });
    }
    rows
}

/// All words, changed ones in their own tint.
fn whole(pieces: &Pieces, side: &Side) -> Vec<Span> {
    let mut spans = Vec::new();
    for (differs, text) in pieces {
        let tint = if *differs { side.word } else { side.line };
        spans.push(Span { tint, text: text.clone() });
    }
    spans
}

/// The changed words in brackets, with some text around them.
fn bracketed(pieces: &Pieces, side: &Side) -> Vec<Span> {
    let last = pieces.len().saturating_sub(1);
    let (open, close) = side.brackets;
    let mut spans = Vec::new();
    for (index, (differs, text)) in pieces.iter().enumerate() {
        spans.push(if *differs {
            Span { tint: side.word, text: format!("{open}{text}{close}") }
        } else {
            Span { tint: side.line, text: shortened(text, index > 0, index < last) }
        });
    }
    spans
}

/// Cuts the middle of an unchanged text, keeping some characters next to changed words.
fn shortened(text: &str, has_before: bool, has_after: bool) -> String {
    let head = if has_before { AROUND_WORDS } else { 0 };
    let tail = if has_after { AROUND_WORDS } else { 0 };
    let length = text.chars().count();
    if length <= head + tail + 1 {
        return text.to_string();
    }
    let (start, end) = (split_start(text, head).0, split_end(text, tail).1);
    format!("{start}…{end}")
}

fn unchanged(line: &str) -> Row {
    Row::new(Tint::Plain, format!("  {}", show_line(line)))
}

/// The lines above and below a hunk.
fn context<'c>(change: &'c Change, hunk: &Hunk, lines: usize) -> (Vec<&'c str>, Vec<&'c str>) {
    let end = hunk.line + hunk.removed.len();
    let first = hunk.line.saturating_sub(lines);
    let mut from_first = change.old.split('\n').skip(first);
    let above = from_first.by_ref().take(hunk.line - first).collect();
    (above, from_first.skip(end - hunk.line).take(lines).collect())
}

/// Splits spans into at least one row of at most `width` columns.
fn wrap(spans: Vec<Span>, width: usize) -> Vec<Row> {
    let width = width.max(2);
    let (mut rows, mut row, mut column) = (Vec::new(), Row::default(), 0);
    for span in spans {
        let mut text = String::new();
        for character in span.text.chars() {
            let wide = character_width(character);
            if column + wide > width {
                row.spans.push(Span { tint: span.tint, text: std::mem::take(&mut text) });
                rows.push(std::mem::take(&mut row));
                column = 0;
            }
            text.push(character);
            column += wide;
        }
        row.spans.push(Span { tint: span.tint, text });
    }
    rows.push(row);
    rows
}

fn text_width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(character_width).sum() }
}

fn character_width(character: char) -> usize {
    if character.is_ascii() { 1 } else { measure_text_width(character.encode_utf8(&mut [0; 4])) }
}
