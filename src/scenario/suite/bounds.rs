//! Bounds of a suite: what a recommendation may cost and lack, and thresholds for metrics.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::suite_file::SuiteFile;

/// Tolerance if `suite.yaml` sets none.
const TOLERANCE: Tolerance =
    Tolerance { max_short: 0.05, min_saving: 0.02, turns: None, takes_any_kind: false };

/// The bounds of a recommendation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tolerance {
    /// The largest share of answers lacking a fact under a recommended strategy.
    pub max_short: f64,
    /// The share of the baseline's cost that it saves at least.
    #[serde(default)]
    pub min_saving: f64,
    /// The turns that the agent takes under another strategy, as a multiple of those under the baseline; `None` if not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<f64>,
    /// True if the user set `max_short`. Then it alone bounds what is recommended, and not what held up in public experiments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub takes_any_kind: bool,
}

/// A bound for one metric of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    pub strategy: String,
    pub metric: String,
    #[serde(flatten)]
    pub bound: Bound,
}

/// Percentages are parts of one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Against the baseline report.
    MaxIncrease(f64),
    Min(f64),
    Max(f64),
}

/// The bounds of a recommendation in a suite file.
pub(super) fn read_tolerance(file: &SuiteFile) -> Tolerance {
    Tolerance {
        max_short: file.max_short.map_or(TOLERANCE.max_short, |share| share.0),
        min_saving: file.min_saving.map_or(TOLERANCE.min_saving, |share| share.0),
        turns: file.turns,
        takes_any_kind: file.max_short.is_some(),
    }
}
