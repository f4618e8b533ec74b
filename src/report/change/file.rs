//! `changes.json`: the changes in each scenario with golden files waiting for review. `review` reads it, since golden
//! files alone do not contain a change's cause and cost.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ScenarioDifference;
use crate::scenario::files;
use crate::snapshot::atomic::{at_place, write_atomically};

const FILE: &str = "changes.json";

/// Changes waiting for review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitingChanges {
    /// The models that costs refer to, in order.
    pub models: Vec<String>,
    /// By scenario.
    pub scenarios: BTreeMap<String, ScenarioDifference>,
}

impl WaitingChanges {
    /// Reads the changes in a report folder. Empty if there are none, or if another version wrote them: the next run
    /// rewrites them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(folder: &Path) -> io::Result<WaitingChanges> {
        let path = folder.join(FILE);
        let bytes = files::read_if_there(&path).map_err(|error| at_place(&path, &error))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
    }

    /// Replaces the entries of these scenarios. Keeps those of other scenarios while they wait, if the models are the
    /// same.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn update(
        self,
        folder: &Path,
        list_pending: impl FnOnce() -> io::Result<BTreeSet<String>>,
    ) -> io::Result<()> {
        let before = WaitingChanges::read(folder)?;
        let mut all = WaitingChanges { models: self.models, scenarios: before.scenarios };
        if before.models != all.models {
            all.scenarios.clear();
        }
        all.scenarios.extend(self.scenarios);
        if !all.scenarios.is_empty() {
            let pending = list_pending()?;
            all.scenarios.retain(|scenario, _| has_key_of(&pending, scenario));
        }
        let path = folder.join(FILE);
        if all.scenarios.is_empty() && !path.exists() {
            return Ok(());
        }
        let text = serde_json::to_vec(&all).map_err(io::Error::from)?;
        write_atomically(&path, |file| file.write_all(&text)).map_err(|error| at_place(&path, &error))
    }
}

/// Returns true if one of these keys belongs to the scenario.
fn has_key_of(keys: &BTreeSet<String>, scenario: &str) -> bool {
    let start = format!("{scenario}/");
    keys.range(start.clone()..).next().is_some_and(|key| key.starts_with(&start))
}
