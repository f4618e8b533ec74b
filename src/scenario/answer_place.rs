//! Maps lines of a program to lines of its scenario file. YAML indents blocks of text, and an answer may have prose and fences around its
//! program, so line 2 of a program is at another line and column of the file.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::document::{Document, Trail, trail, trail_text};
use super::problem::Place;
use conversation::cut::split_start;

/// The program of one answer, located in its file.
pub(super) struct AnswerPlace<'a> {
    document: Document<'a>,
    /// The keys leading to the answer.
    within: String,
    /// The byte offset of the answer.
    start: usize,
    /// The lines of the program. `None` if the file spells it differently, for example with escapes.
    lines: Option<Vec<ProgramLine>>,
}

/// A line of a program.
struct ProgramLine {
    /// Number of leading white space characters.
    blanks: usize,
    /// The byte offset in the file of the first non-blank character.
    at: usize,
}

impl<'a> AnswerPlace<'a> {
    /// Locates the program of the answer at this index. `None` if the document has no such answer.
    pub(super) fn find_answer(
        document: Document<'a>,
        index: usize,
        program: &str,
    ) -> Option<AnswerPlace<'a>> {
        let trails = trails_of_answer(index);
        let (trail, start) = trails.iter().find_map(|trail| Some((trail, document.offset_of(trail)?)))?;
        let lines = lines_of(document.text, start, program);
        Some(AnswerPlace { document, within: trail_text(trail), start, lines })
    }

    /// The position of a line and column of the program, both from 1, `width` bytes wide.
    pub(super) fn place(&self, position: (u32, u32), width: usize) -> Place {
        let (offset, width) = self.offset_in_file(position).map_or((self.start, 1), |offset| (offset, width));
        Place::new(self.document.text, self.document.first_line, offset, width, self.within.clone())
    }

    /// Replaces lines and columns of the program in a message by those of the file.
    pub(super) fn in_file(&self, message: &str) -> String {
        static POSITION: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"line (\d+), column (\d+)").ok());
        let (Some(position), Some(_)) = (&*POSITION, &self.lines) else { return message.to_owned() };
        let moved = position.replace_all(message, |in_program: &Captures<'_>| {
            match (in_program[1].parse(), in_program[2].parse()) {
                (Ok(line), Ok(column)) => {
                    let place = self.place((line, column), 1);
                    format!("line {}, column {}", place.line, place.column)
                }
                _ => in_program[0].to_owned(),
            }
        });
        moved.into_owned()
    }

    fn offset_in_file(&self, (line, column): (u32, u32)) -> Option<usize> {
        let line = self.lines.as_ref()?.get(line.checked_sub(1)? as usize)?;
        let behind = (column as usize).saturating_sub(1).saturating_sub(line.blanks);
        let rest = self.document.text.get(line.at..)?;
        Some(line.at + split_start(rest, behind).0.len())
    }
}

/// Locates the lines of a program after this byte offset.
fn lines_of(text: &str, start: usize, program: &str) -> Option<Vec<ProgramLine>> {
    // Search each line after the previous one, since programs contain duplicate lines.
    let mut below = text.get(start..)?.split_inclusive('\n');
    let (mut next, mut last) = (start, start);
    let mut lines = Vec::new();
    for line in program.split('\n') {
        let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
        let wanted = line.trim();
        let mut is_found = wanted.is_empty();
        while !is_found {
            let line = below.next()?;
            let at = next;
            next += line.len();
            // A program in quotes, in braces or after its key shares its line with other text.
            if (at == start || line.trim() == wanted)
                && let Some(column) = line.find(wanted)
            {
                last = at + column;
                is_found = true;
            }
        }
        lines.push(ProgramLine { blanks, at: last });
    }
    Some(lines)
}

/// The possible trails of an answer's text.
fn trails_of_answer(index: usize) -> [Trail; 3] {
    [
        trail!["responses", index, "program"].to_vec(),
        trail!["responses", index, "response"].to_vec(),
        trail!["responses", index].to_vec(),
    ]
}
