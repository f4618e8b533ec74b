//! Locates expectations and programs in scenario files. Rereads the file, since positions are only needed for `check` and failures.

use std::path::Path;

use super::answer_place::AnswerPlace;
use super::document::{Document, Step, trail};
use super::{Origin, Place, files};
use conversation::cut::split_start;

impl Origin {
    /// The position of a key below `expect`, such as `value` or `tokens.trim.max_total`. If the key is missing: the position of `expect`,
    /// else of `responses`. `None` for a JSON line.
    pub fn place_of_expectation(&self, what: &str) -> Option<Place> {
        let text = self.text()?;
        let document = Document::new(&self.path, &text);
        let trails = [trail_of(what), vec![Step::from("expect")], vec![Step::from("responses")]];
        trails.iter().find_map(|trail| document.place_of_key(trail))
    }

    /// The position of a line and column, both from 1, of the program in the answer at this index. If the file spells the program
    /// differently, for example with escapes: the position of the answer. `None` for a JSON line.
    pub fn place_in_program(&self, index: usize, program: &str, position: (u32, u32)) -> Option<Place> {
        let text = self.text()?;
        let document = Document::new(&self.path, &text);
        Some(AnswerPlace::find_answer(document, index, program)?.place(position, 1))
    }

    /// The position of a line and column of the file, both from 1.
    pub fn place_at(&self, line: u32, column: u32) -> Option<Place> {
        let text = self.text()?;
        let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
        let rest = text.get(start..)?;
        let (before, _) = split_start(rest, column.checked_sub(1)? as usize);
        Some(Place::new(&text, 1, start + before.len(), 1, String::new()))
    }

    /// Replaces lines and columns of the program in a message by those of the file.
    pub fn in_file(&self, index: usize, program: &str, message: &str) -> String {
        let place = self.text().and_then(|text| {
            let document = Document::new(&self.path, &text);
            Some(AnswerPlace::find_answer(document, index, program)?.in_file(message))
        });
        place.unwrap_or_else(|| message.to_owned())
    }

    /// The text of a file with one scenario. `None` for a JSON line.
    pub(super) fn text(&self) -> Option<String> {
        let is_yaml = self.line == 1 && !self.path.ends_with(".jsonl");
        files::read_to_string(Path::new(&self.path)).ok().filter(|_| is_yaml)
    }
}

/// The position of the threshold at this index in a suite's file.
pub fn place_of_threshold(path: &str, index: usize) -> Option<Place> {
    let text = files::read_to_string(Path::new(path)).ok()?;
    let document = Document::new(path, &text);
    let offset = document.offset_of(&trail!["thresholds", index])?;
    Some(Place::new(document.text, 1, offset, 1, String::new()))
}

/// The trail to an expectation below `expect`, or to an entry of `needs:`, such as `responses[2].needs[0]`.
fn trail_of(what: &str) -> Vec<Step> {
    if what.ends_with(']') {
        let steps = what.split(['.', '[']).map(|step| match step.strip_suffix(']').map(str::parse) {
            Some(Ok(index)) => Step::Index(index),
            _ => Step::from(step),
        });
        return steps.collect();
    }
    // Strategy names may contain dots, so split at the last one.
    let bound = what.strip_prefix("tokens.").and_then(|rest| rest.rsplit_once('.'));
    let steps = match bound {
        Some((strategy, bound)) => vec!["expect", "tokens", strategy, bound],
        None => vec!["expect", what],
    };
    steps.into_iter().map(Step::from).collect()
}
