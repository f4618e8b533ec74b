//! Failed expectations at the end of an evaluation: a line each, the first few with the source line in their file. A suite of a million
//! scenarios may fail in each, so only the first lines are kept and the others counted.

use std::path::PathBuf;

use crate::report::ScenarioRecord;
use crate::report::record::{FailureLine, LineOf, WrongTurn};
use crate::scenario::suite::STANDARD_INPUT;
use crate::scenario::{Origin, Place};

/// The most failures with a source line. More would push the table off the screen.
const DRAWN: usize = 5;
/// The most lines to keep of a kind.
const LISTED: usize = 1_000;

/// The first lines of a list, and the number of omitted ones.
#[derive(Default)]
pub(super) struct Listed {
    pub shown: Vec<String>,
    pub more: usize,
}

impl Listed {
    pub(super) fn push(&mut self, line: String) {
        if self.shown.len() < LISTED {
            self.shown.push(line);
        } else {
            self.more += 1;
        }
    }
}

impl Extend<String> for Listed {
    fn extend<I: IntoIterator<Item = String>>(&mut self, lines: I) {
        lines.into_iter().for_each(|line| self.push(line));
    }
}

impl FromIterator<String> for Listed {
    fn from_iter<I: IntoIterator<Item = String>>(lines: I) -> Listed {
        let mut listed = Listed::default();
        listed.extend(lines);
        listed
    }
}

/// The failures of an evaluation.
#[derive(Default)]
pub(super) struct Failures {
    /// The parent folder of the suite.
    folder: PathBuf,
    /// `scenarios/sum.yaml:9:3: value: expected 3, found 4`
    pub lines: Listed,
    /// The same with source lines and carets, for printing.
    pub words: Listed,
    drawn: usize,
    /// The name of the first scenario that failed.
    pub first: Option<String>,
}

impl Failures {
    /// Failures of a suite in this parent folder.
    pub(super) fn below(folder: PathBuf) -> Failures {
        Failures { folder, ..Failures::default() }
    }

    pub(super) fn add(&mut self, record: &ScenarioRecord) {
        if record.failures.is_empty() {
            return;
        }
        self.first.get_or_insert_with(|| record.name.clone());
        let file = &record.origin.path;
        let path =
            if file == STANDARD_INPUT { file.clone() } else { self.folder.join(file).display().to_string() };
        let origin = Origin { path, line: record.origin.line };
        let mut follows = false;
        for line in record.failure_lines(&origin.path) {
            if line.follows() && !follows {
                follows = true;
                self.words.push("since then:".to_owned());
            }
            let indent = if follows { "  " } else { "" };
            self.words.push(format!("{indent}{}", line.text));
            self.draw(&line, &origin, record.wrong_turn.as_ref(), indent);
            self.lines.push(line.text);
        }
    }

    /// Adds the source line with carets, for the first few failures.
    fn draw(&mut self, line: &FailureLine, origin: &Origin, wrong: Option<&WrongTurn>, indent: &str) {
        if self.drawn == DRAWN {
            return;
        }
        self.drawn += 1;
        let place = match &line.of {
            LineOf::Expectation { what, .. } => origin.place_of_expectation(what),
            LineOf::Turn => wrong.and_then(|wrong| origin.place_at(wrong.line?, wrong.column?)),
        };
        let drawn = place.as_ref().map(Place::to_string).unwrap_or_default();
        self.words.extend(drawn.lines().map(|line| format!("{indent}{line}")));
    }
}
