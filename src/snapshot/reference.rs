//! Lines of golden files that stand for text elsewhere.

use std::fmt;

use crate::agent::GeneratedPart;

/// Line that stands for text of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference<'t> {
    /// `= print 2 of turn 8 in run.snap`
    Section { turn: u32, name: &'t str },
    /// The static SYSTEM text, or a part of it.
    System(GeneratedPart),
}

const SYSTEM: &str = "= all lines of system-prompt.snap";
const LANGUAGE: &str = "= the language reference of system-prompt.snap";
const ANSWER_FORMAT: &str = "= the answer format of system-prompt.snap";
const OF_TURN: &str = " of turn ";
const IN_RUN: &str = " in run.snap";
/// The only line of a golden file whose requests are all those of another strategy.
const EVERY_REQUEST: &str = "= every request as under ";

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reference::Section { turn, name } => write!(f, "= {name}{OF_TURN}{turn}{IN_RUN}"),
            Reference::System(part) => f.write_str(line_of(part)),
        }
    }
}

impl<'t> Reference<'t> {
    /// Reads a line as [`Reference`] writes it.
    pub fn read(line: &'t str) -> Option<Reference<'t>> {
        if let Some(part) = GeneratedPart::ALL.into_iter().find(|part| line == line_of(*part)) {
            return Some(Reference::System(part));
        }
        let section = line.strip_prefix("= ")?.strip_suffix(IN_RUN)?;
        let (name, turn) = section.rsplit_once(OF_TURN)?;
        Some(Reference::Section { turn: turn.parse().ok()?, name })
    }
}

/// The line that stands for a generated part.
fn line_of(part: GeneratedPart) -> &'static str {
    match part {
        GeneratedPart::Whole => SYSTEM,
        GeneratedPart::Language => LANGUAGE,
        GeneratedPart::AnswerFormat => ANSWER_FORMAT,
    }
}

/// Returns true if a line is a reference, or begins like one. Text that does is escaped, so that a later kind of reference cannot be
/// mistaken for it.
pub(super) fn is_reference(line: &str) -> bool {
    line.starts_with("= ")
}

/// The strategy whose requests a golden file repeats, if the file is the line that says so.
pub fn repeated_strategy(body: &str) -> Option<&str> {
    body.trim_end().strip_prefix(EVERY_REQUEST).filter(|name| !name.contains('\n'))
}

/// The body of a golden file whose requests are all those of this strategy.
pub(super) fn repeating(strategy: &str) -> String {
    format!("{EVERY_REQUEST}{strategy}\n")
}
