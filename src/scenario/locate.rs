//! Finds the place of an expectation in its file, which is read again: this is needed only after a failure.

use std::path::Path;

use super::document::{Document, Step};
use super::{Origin, Place, files};

impl Origin {
    /// The place of a key below `expect`, such as `value` or `tokens.trim.max_total`. If the key is not written,
    /// since it has a default: the place of `expect`, else of `responses`. None for a JSON line.
    pub fn place_of_expectation(&self, what: &str) -> Option<Place> {
        let is_yaml = self.line == 1 && !self.path.ends_with(".jsonl");
        let text = files::read_to_string(Path::new(&self.path)).ok().filter(|_| is_yaml)?;
        let document = Document::new(&self.path, &text);
        let trails = [trail_of(what), vec![Step::from("expect")], vec![Step::from("responses")]];
        trails.iter().find_map(|trail| document.place_of_key(trail))
    }
}

/// Steps below `expect`; of an entry of `needs:` those of its own. Names of strategies may hold dots.
fn trail_of(what: &str) -> Vec<Step> {
    if what.ends_with(']') {
        let steps = what.split(['.', '[']).map(|step| match step.strip_suffix(']').map(str::parse) {
            Some(Ok(index)) => Step::Index(index),
            _ => Step::from(step),
        });
        return steps.collect();
    }
    let bound = what.strip_prefix("tokens.").and_then(|rest| rest.rsplit_once('.'));
    let steps = match bound {
        Some((strategy, bound)) => vec!["expect", "tokens", strategy, bound],
        None => vec!["expect", what],
    };
    steps.into_iter().map(Step::from).collect()
}
