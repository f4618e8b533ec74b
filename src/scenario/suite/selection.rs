//! The scenarios to run, chosen by path, tag or name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::scenario::Scenario;

/// A selection of the scenarios of a suite. The default selects all.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Files and folders of the suite.
    pub paths: Vec<PathBuf>,
    /// Selects scenarios with any of these tags.
    pub tags: Vec<String>,
    /// Selects scenarios with a matching name.
    pub filter: Option<Regex>,
    /// Selects scenarios by name, by folder (ends with a slash) or by `.jsonl` file, below the suite's folder.
    pub names: Option<BTreeSet<String>>,
}

impl Selection {
    /// Returns true if the name and tags of a scenario match.
    pub fn admits(&self, scenario: &Scenario) -> bool {
        let tagged = self.tags.is_empty() || scenario.tags.iter().any(|tag| self.tags.contains(tag));
        tagged
            && self.matches_name(&scenario.name)
            && (self.names_it(&scenario.name) || self.names_file_of(scenario))
    }

    pub(super) fn admits_name(&self, name: &str) -> bool {
        self.matches_name(name) && self.names_it(name)
    }

    fn matches_name(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.is_match(name))
    }

    fn names_it(&self, name: &str) -> bool {
        let Some(names) = &self.names else { return true };
        let mut folders = name.match_indices('/').filter_map(|(end, _)| name.get(..=end));
        names.contains(name) || folders.any(|folder| names.contains(folder))
    }

    fn names_file_of(&self, scenario: &Scenario) -> bool {
        let file = Path::new(&scenario.origin.path);
        file.extension().is_some_and(|extension| extension == "jsonl")
            && self.names.iter().flatten().any(|name| file.ends_with(name))
    }
}
