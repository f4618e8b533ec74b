//! Golden-file lines that refer to text elsewhere.

use std::fmt;

use crate::agent::GeneratedPart;

/// A line that refers to text in another file.
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
/// The only line of a golden file with the same requests as another strategy.
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
    /// Parses a line written by [`Reference`].
    pub fn read(line: &'t str) -> Option<Reference<'t>> {
        if let Some(part) = GeneratedPart::ALL.into_iter().find(|part| line == line_of(*part)) {
            return Some(Reference::System(part));
        }
        let section = line.strip_prefix("= ")?.strip_suffix(IN_RUN)?;
        let (name, turn) = section.rsplit_once(OF_TURN)?;
        Some(Reference::Section { turn: turn.parse().ok()?, name })
    }
}

/// The line that refers to a generated part.
fn line_of(part: GeneratedPart) -> &'static str {
    match part {
        GeneratedPart::Whole => SYSTEM,
        GeneratedPart::Language => LANGUAGE,
        GeneratedPart::AnswerFormat => ANSWER_FORMAT,
    }
}

/// Returns true if a line is a reference, or begins like one. Such text is escaped, so that it cannot be mistaken for a future kind of
/// reference.
pub(super) fn is_reference(line: &str) -> bool {
    line.starts_with("= ")
}

/// The strategy with the same requests, if the golden file only refers to another strategy.
pub fn repeated_strategy(body: &str) -> Option<&str> {
    body.trim_end().strip_prefix(EVERY_REQUEST).filter(|name| !name.contains('\n'))
}

/// The body of a golden file with the same requests as this strategy.
pub(super) fn repeating(strategy: &str) -> String {
    format!("{EVERY_REQUEST}{strategy}\n")
}
