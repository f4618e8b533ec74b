//! Formats a message as golden-file lines: a ruler, then its text. Sections of `run.snap` and the static SYSTEM text are referred to
//! instead of repeated.

use super::escape::{write_kept_line, write_kept_part};
use super::lines::lines_of;
use super::reference::Reference;
use super::rulers::{CALL, ruler, section_title};
use super::run_sections::RunSections;
use crate::agent::{Message, Role, SystemPiece, SystemPrompt};
use conversation::line_parts;

/// The lines of a message in a turn's request. Without a run, its text is written in full.
pub(super) fn lines_of_message(message: &Message, run: Option<&RunSections<'_>>, turn: u32) -> Vec<String> {
    let title = match message.result_of() {
        Some(call) => section_title(message.role.name(), &[call]),
        None => message.role.name().to_owned(),
    };
    let mut writer = LineWriter { lines: vec![ruler(&title)], run, turn };
    if !(message.role == Role::System && writer.system(&message.content)) {
        writer.text(&message.content);
    }
    for call in message.calls() {
        writer.lines.push(ruler(&section_title(CALL, &[&call.id, &call.name])));
        writer.plain(&call.arguments);
    }
    writer.lines
}

struct LineWriter<'w> {
    lines: Vec<String>,
    run: Option<&'w RunSections<'w>>,
    turn: u32,
}

impl LineWriter<'_> {
    /// Writes a text, referring to sections of the run.
    fn text(&mut self, text: &str) {
        let Some(run) = self.run else { return self.plain(text) };
        let lines: Vec<&str> = lines_of(text).collect();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            match run.find(&lines[at..], self.turn) {
                Some(section) => {
                    self.lines.push(section.reference().to_string());
                    at += section.lines.len();
                }
                None => {
                    self.write_line(line);
                    at += 1;
                }
            }
        }
    }

    fn plain(&mut self, text: &str) {
        lines_of(text).for_each(|line| self.write_line(line));
    }

    fn write_line(&mut self, line: &str) {
        for (number, part) in line_parts(line).enumerate() {
            let mut written = String::with_capacity(part.len());
            if number > 0 {
                write_kept_part(&mut written, part);
            } else {
                write_kept_line(&mut written, part);
            }
            self.lines.push(written);
        }
    }

    /// Writes a SYSTEM message with generated parts, each on a separate line. Returns false if it has none.
    fn system(&mut self, content: &str) -> bool {
        let pieces = SystemPrompt::split_pieces(content);
        if matches!(pieces.as_slice(), [SystemPiece::Lines(_)]) {
            return false;
        }
        for piece in pieces {
            match piece {
                SystemPiece::Lines(lines) => self.plain(lines),
                SystemPiece::Generated(part) => self.lines.push(Reference::System(part).to_string()),
            }
        }
        true
    }
}
