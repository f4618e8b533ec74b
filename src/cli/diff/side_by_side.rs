//! Two columns of text with a mark between them. Long lines are wrapped, not truncated.

use console::measure_text_width;

use crate::cli::terminal::{BAD, Color, GOOD, visible};

/// Least columns for each half, however narrow the terminal is.
const NARROWEST: usize = 20;
/// Columns between the halves: a blank, the mark, a blank.
const GAP: usize = 3;
const TAB: &str = "    ";

/// Text during layout.
pub(super) struct Page {
    pub text: String,
    half: usize,
    color: Color,
}

impl Page {
    /// A page with this many columns.
    pub(super) fn new(columns: usize, color: Color) -> Page {
        let half = (columns.saturating_sub(GAP) / 2).max(NARROWEST);
        Page { text: String::new(), half, color }
    }

    /// Adds a line across both halves.
    pub(super) fn title(&mut self, title: &str) {
        self.text.push_str(&visible(title));
        self.text.push('\n');
    }

    pub(super) fn rule(&mut self) {
        let half = "-".repeat(self.half);
        self.title(&format!("{half}-+-{half}"));
    }

    /// Adds a blank line.
    pub(super) fn end(&mut self) {
        self.text.push('\n');
    }

    /// Adds a line to each half, without a mark between them.
    pub(super) fn both(&mut self, left: &str, right: &str) {
        self.rows(left, ' ', right);
    }

    /// Adds different lines side by side. The longer side's last lines have nothing next to them.
    pub(super) fn changed(&mut self, left: &[&str], right: &[&str]) {
        for index in 0..left.len().max(right.len()) {
            match (left.get(index), right.get(index)) {
                (Some(left), Some(right)) => self.rows(left, '|', right),
                (Some(left), None) => self.rows(left, '<', ""),
                (None, Some(right)) => self.rows("", '>', right),
                (None, None) => {}
            }
        }
    }

    fn rows(&mut self, left: &str, mark: char, right: &str) {
        let [left, right] = [left, right].map(|line| wrap_line(&visible(line), self.half));
        for index in 0..left.len().max(right.len()) {
            let [left, right] = [&left, &right].map(|pieces| pieces.get(index).map_or("", String::as_str));
            self.row(left, mark, right);
        }
    }

    fn row(&mut self, left: &str, mark: char, right: &str) {
        let padding = " ".repeat(self.half.saturating_sub(measure_text_width(left)));
        if mark == ' ' || !self.color.is_on() {
            let row = format!("{left}{padding} {mark} {right}");
            self.text.push_str(row.trim_end());
        } else {
            let (left, right) = (self.color.paint(BAD, left), self.color.paint(GOOD, right));
            self.text.push_str(&format!("{left}{padding} {mark} {right}"));
        }
        self.text.push('\n');
    }
}

/// Wraps a line into at least one piece of at most this many columns.
fn wrap_line(line: &str, columns: usize) -> Vec<String> {
    let line = line.replace('\t', TAB);
    if line.len() <= columns {
        return vec![line];
    }
    let (mut pieces, mut piece) = (Vec::new(), String::new());
    for character in line.chars() {
        piece.push(character);
        if measure_text_width(&piece) > columns {
            let rest = piece.split_off(break_in(&piece));
            pieces.push(std::mem::replace(&mut piece, rest));
        }
    }
    pieces.push(piece);
    pieces
}

/// Where to break a piece that is one character too long: after a blank in its last third, else before its last character.
fn break_in(piece: &str) -> usize {
    let last = piece.char_indices().next_back().map_or(0, |(at, _)| at);
    let near = last - last / 3;
    let blank = piece.get(..last).and_then(|piece| piece.rfind(' ')).map(|at| at + 1);
    blank.filter(|at| *at >= near).unwrap_or(last)
}
