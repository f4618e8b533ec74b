//! Finds the lines of a program in the file of its scenario. YAML indents a block of text, and an answer may have prose and fences around
//! its program, so line 2 of a program is another line of the file, at another column.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::document::{Document, Trail, trail, trail_text};
use super::problem::Place;
use conversation::cut::split_start;

/// The program of one answer in the text of its file.
pub(super) struct AnswerPlace<'a> {
    document: Document<'a>,
    /// The keys that lead to the answer.
    within: String,
    /// The byte at which the answer begins.
    start: usize,
    /// The lines of the program. None if the file writes them in another way, as with escapes.
    lines: Option<Vec<ProgramLine>>,
}

/// A line of a program.
struct ProgramLine {
    /// Number of blanks at its start.
    blanks: usize,
    /// The byte of the file at which its text behind the blanks begins.
    at: usize,
}

impl<'a> AnswerPlace<'a> {
    /// The program of the answer of this index, if the document has the answer.
    pub(super) fn find(document: Document<'a>, index: usize, program: &str) -> Option<AnswerPlace<'a>> {
        let trails = trails_of_answer(index);
        let (trail, start) = trails.iter().find_map(|trail| Some((trail, document.offset_of(trail)?)))?;
        let lines = lines_of(document.text, start, program);
        Some(AnswerPlace { document, within: trail_text(trail), start, lines })
    }

    /// The place of a line and column of the program, both from 1, `width` bytes wide.
    pub(super) fn place(&self, position: (u32, u32), width: usize) -> Place {
        let (offset, width) = self.offset(position).map_or((self.start, 1), |offset| (offset, width));
        Place::new(self.document.text, self.document.first_line, offset, width, self.within.clone())
    }

    /// A message on the program that names lines and columns of the file.
    pub(super) fn in_file(&self, message: &str) -> String {
        static POSITION: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"line (\d+), column (\d+)").ok());
        let (Some(position), Some(_)) = (&*POSITION, &self.lines) else { return message.to_owned() };
        let in_file = |in_program: &Captures<'_>| match (in_program[1].parse(), in_program[2].parse()) {
            (Ok(line), Ok(column)) => {
                let place = self.place((line, column), 1);
                format!("line {}, column {}", place.line, place.column)
            }
            _ => in_program[0].to_owned(),
        };
        position.replace_all(message, in_file).into_owned()
    }

    fn offset(&self, (line, column): (u32, u32)) -> Option<usize> {
        let line = self.lines.as_ref()?.get(line.checked_sub(1)? as usize)?;
        let behind = (column as usize).saturating_sub(1).saturating_sub(line.blanks);
        let rest = self.document.text.get(line.at..)?;
        Some(line.at + split_start(rest, behind).0.len())
    }
}

/// The lines of a program that stands behind this byte of a text.
fn lines_of(text: &str, start: usize, program: &str) -> Option<Vec<ProgramLine>> {
    // Each line is searched behind the one before, since programs have equal lines.
    let mut below = text.get(start..)?.split_inclusive('\n').scan(start, |next, line| {
        let at = *next;
        *next += line.len();
        Some((at, line))
    });
    let mut last = start;
    let lines = program.split('\n').map(|line| {
        let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
        let wanted = line.trim();
        if !wanted.is_empty() {
            last = below.find_map(|(at, line)| {
                // A program in quotes, in braces or behind its key has other text on its line.
                let is_there = if at == start { line.contains(wanted) } else { line.trim() == wanted };
                Some(at + line.find(wanted)?).filter(|_| is_there)
            })?;
        }
        Some(ProgramLine { blanks, at: last })
    });
    lines.collect()
}

/// The trails on which the text of an answer may stand.
fn trails_of_answer(index: usize) -> [Trail; 3] {
    [
        trail!["responses", index, "program"].to_vec(),
        trail!["responses", index, "response"].to_vec(),
        trail!["responses", index].to_vec(),
    ]
}
