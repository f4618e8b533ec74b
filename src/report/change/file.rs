//! `changes.json`: what changed in each scenario whose golden files wait for review. `review` reads it, since a change cannot be told
//! from golden files alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ScenarioDifference;
use crate::scenario::files;
use crate::snapshot::atomic::{at_place, write_atomically};

const FILE: &str = "changes.json";

/// What waits for review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WaitingChanges {
    /// The models of the costs.
    pub models: Vec<String>,
    /// By scenario.
    pub scenarios: BTreeMap<String, ScenarioDifference>,
}

impl WaitingChanges {
    /// Those of a folder of reports. Empty if there are none, or if another version wrote them: the next run writes them anew.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(folder: &Path) -> io::Result<WaitingChanges> {
        let path = folder.join(FILE);
        let bytes = files::read_if_there(&path).map_err(|error| at_place(&path, &error))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
    }

    /// Replaces what is known of scenarios, and keeps what is known of others while they wait.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn update(self, folder: &Path, waits: impl Fn(&str) -> bool) -> io::Result<()> {
        let before = WaitingChanges::read(folder)?;
        let mut all = WaitingChanges { models: self.models, scenarios: before.scenarios };
        if before.models != all.models {
            all.scenarios.clear();
        }
        all.scenarios.extend(self.scenarios);
        all.scenarios.retain(|scenario, _| waits(scenario));
        let path = folder.join(FILE);
        if all.scenarios.is_empty() && !path.exists() {
            return Ok(());
        }
        let text = serde_json::to_vec(&all).map_err(io::Error::from)?;
        write_atomically(&path, |file| file.write_all(&text)).map_err(|error| at_place(&path, &error))
    }
}
