//! Expectations that do not hold, as they are printed at the end of an evaluation: each on a line, the first few with the
//! line of their file.

use std::path::PathBuf;

use crate::report::ScenarioRecord;
use crate::scenario::Origin;
use crate::scenario::suite::STANDARD_INPUT;

/// Failures that are shown with the line of their file. More would push the table off the screen.
const DRAWN: usize = 5;

/// The failures of an evaluation.
#[derive(Default)]
pub(super) struct Failures {
    /// The folder above the suite's.
    folder: PathBuf,
    /// `scenarios/sum.yaml:9:3: value: expected 3, found 4`
    pub lines: Vec<String>,
    /// For the first of `lines`, the line of the file with carets.
    drawn: Vec<Option<String>>,
    /// The name of the first scenario that failed.
    pub first: Option<String>,
}

impl Failures {
    /// Failures of a suite whose folder lies in this one.
    pub(super) fn below(folder: PathBuf) -> Failures {
        Failures { folder, ..Failures::default() }
    }

    pub(super) fn add(&mut self, record: &ScenarioRecord) {
        if record.failures.is_empty() {
            return;
        }
        self.first.get_or_insert_with(|| record.name.clone());
        if let Some(cause) = &record.first_error {
            self.lines.push(format!("{}: {cause}", record.name));
            self.drawn.push(None);
        }
        let file = &record.origin.path;
        let path =
            if file == STANDARD_INPUT { file.clone() } else { self.folder.join(file).display().to_string() };
        let origin = Origin { path, line: record.origin.line };
        for failure in record.failures.iter().take(DRAWN.saturating_sub(self.drawn.len())) {
            let place = origin.place_of_expectation(&failure.what);
            self.drawn.push(place.map(|place| place.to_string()));
        }
        self.lines.extend(record.failure_lines(&origin.path));
    }

    /// The lines to print, in order.
    pub(super) fn in_words(&self) -> impl Iterator<Item = &str> {
        let drawn = self.drawn.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        let lines = self.lines.iter().zip(drawn);
        lines.flat_map(|(line, drawn)| {
            std::iter::once(line.as_str()).chain(drawn.into_iter().flat_map(str::lines))
        })
    }
}
