//! Findings of an evaluation other than numbers: unreadable files, unaccepted snapshots, crossed thresholds
//! and stale committed reports.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::ScenarioError;
use crate::scenario::suite::{STANDARD_INPUT, Threshold};
use crate::secrets::without_secrets;

/// Findings outside the replayed scenarios.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdicts {
    /// In the order of the suite.
    pub unreadable: Vec<Unreadable>,
    /// The SYSTEM text, and snapshots without a scenario and strategy.
    pub snapshots: Vec<SnapshotRecord>,
    pub thresholds_crossed: Vec<Crossed>,
    /// Committed reports that differ from those of this run.
    pub stale_reports: Vec<String>,
}

/// An unreadable scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreadable {
    /// Position among all scenarios of the selection, from 0.
    pub position: u64,
    /// The scenario's name, or the file of a line without a name, or the path of a folder, relative to the suite.
    pub name: String,
    /// The file, and the line if known.
    pub place: String,
    pub message: String,
    /// The hash of the text; 0 without a text, or for a duplicate name.
    #[serde(skip)]
    pub source: u64,
}

/// A crossed threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Crossed {
    pub threshold: Threshold,
    /// The finding and the bound.
    pub message: String,
}

/// A snapshot that differs from the accepted one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotRecord {
    /// Its path below the folder of snapshots, without extension.
    pub key: String,
    pub verdict: SnapshotVerdict,
    /// The first changed lines of a changed snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Why its summaries are stale, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a snapshot differs from the accepted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SnapshotVerdict {
    /// There is no accepted one yet.
    New,
    Changed,
    /// No scenario and strategy claims it.
    Orphan,
    /// The summaries by a live model no longer fit the run, so it is not compared.
    Stale,
}

impl fmt::Display for Crossed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Threshold { strategy, metric, .. } = &self.threshold;
        write!(f, "{strategy}: {metric} {}", self.message)
    }
}

impl Unreadable {
    pub fn new(position: u64, name: String, source: u64, error: &ScenarioError) -> Unreadable {
        let first = error.problems.first();
        let line = first.and_then(|problem| problem.place.as_ref()).map(|place| place.line);
        let place = match line {
            Some(line) => format!("{}:{line}", error.path),
            None => error.path.clone(),
        };
        // The message may quote the file.
        let message = first.map(|problem| without_secrets(&problem.message)).unwrap_or_default();
        Unreadable { position, name, place, message, source }
    }

    /// The line number of an unreadable line of standard input, 0 if unknown; `None` for a file.
    pub fn line_of_standard_input(&self) -> Option<u32> {
        let line = self.place.strip_prefix(STANDARD_INPUT)?;
        if line.is_empty() { Some(0) } else { line.strip_prefix(':')?.parse().ok() }
    }
}

impl SnapshotRecord {
    pub fn orphan(key: String) -> SnapshotRecord {
        SnapshotRecord { key, verdict: SnapshotVerdict::Orphan, diff: None, reason: None }
    }

    /// Golden summaries not used, for this reason.
    pub fn stale(key: String, reason: String) -> SnapshotRecord {
        SnapshotRecord { key, verdict: SnapshotVerdict::Stale, diff: None, reason: Some(reason) }
    }

    /// The names of the scenario and the strategy, from the key.
    pub fn scenario_and_strategy(&self) -> (&str, &str) {
        self.key.rsplit_once('/').unwrap_or(("", &self.key))
    }

    /// `snapshot sum/trim changed`
    pub fn describe(&self) -> String {
        let what = match self.verdict {
            SnapshotVerdict::New => "is new and waits for review",
            SnapshotVerdict::Changed => "changed",
            SnapshotVerdict::Orphan => "is claimed by no scenario and strategy",
            SnapshotVerdict::Stale => {
                let reason = self.reason.as_deref().unwrap_or("another run");
                return format!("summaries of {} are stale: {reason}", self.key);
            }
        };
        format!("snapshot {} {what}", self.key)
    }
}
