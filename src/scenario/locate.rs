//! Where an expectation is written. The file is read again, since that is asked only when one failed.

use std::fs;

use super::Origin;
use super::document::{Document, Step};

impl Origin {
    /// The line of a key below `expect`, such as `value` or `tokens.trim.max_total`. Where it is not
    /// written, since it is a default: that of `expect`, else that of the scenario.
    pub fn line_of_expectation(&self, what: &str) -> u32 {
        let is_yaml = self.line == 1 && !self.path.ends_with(".jsonl");
        let Some(text) = fs::read_to_string(&self.path).ok().filter(|_| is_yaml) else { return self.line };
        let document = Document::new(&self.path, &text);
        let (whole, top) = (trail_of(what), vec![Step::from("expect")]);
        [whole, top].iter().find_map(|trail| document.line_of_key(trail)).unwrap_or(self.line)
    }
}

/// Names of strategies may hold dots.
fn trail_of(what: &str) -> Vec<Step> {
    let bound = what.strip_prefix("tokens.").and_then(|rest| rest.rsplit_once('.'));
    let steps = match bound {
        Some((strategy, bound)) => vec!["expect", "tokens", strategy, bound],
        None => vec!["expect", what],
    };
    steps.into_iter().map(Step::from).collect()
}
