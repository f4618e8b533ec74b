//! The settings of an evaluation, the first part of every report.

use std::cmp::Reverse;
use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::public;
use super::recommend::Bounds;
use crate::compression::Severity;
use crate::scenario::suite::{Threshold, Tolerance};
use ptc_prices::Price;

/// The settings of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// The name of the suite's folder; `.` for standard input without a suite.
    pub suite: String,
    /// The tokenizer that counted.
    pub tokenizer: String,
    /// In the order of the suite.
    #[serde(rename = "strategy_names")]
    pub strategies: Vec<String>,
    /// The strategy that the others are compared with.
    pub baseline: String,
    /// The models whose costs are reported.
    pub models: Vec<Price>,
    /// The bounds of a recommendation.
    #[serde(flatten)]
    pub tolerance: Tolerance,
    /// True if SYSTEM and the declared tools are cached before each run.
    pub warm_system: bool,
    /// Strategies with a limit of prints and calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limited: Vec<String>,
    /// Strategies that send what the baseline sends until a run reaches their limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub until_limit: Vec<String>,
    /// The family and the severity of each strategy, in the order of the strategies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<StrategySetting>,
    /// The bounds that the suite sets.
    pub thresholds: Vec<Threshold>,
    /// True if the whole suite was run with no option changed, as committed reports require. True of a shard if
    /// it is true of all shards together.
    pub complete: bool,
    /// The part of the input that is evaluated, if records of it are written in place of reports.
    #[serde(skip)]
    pub part: Option<InputPart>,
    /// True if the records of scenarios have no texts; then there is no page.
    #[serde(skip)]
    pub lacks_texts: bool,
    /// True for a report of `advise`: logs have no expectations.
    #[serde(skip)]
    pub is_advice: bool,
    /// True if `requests.csv` is written. Its rows are about three times as large as the scenarios.
    #[serde(skip)]
    pub writes_requests: bool,
    /// True if the page was not wanted.
    #[serde(skip)]
    pub omits_page: bool,
}

/// The severity of a strategy, and its family: strategies that differ only in the number of kept turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrategySetting {
    /// Equal for strategies that differ only in that number.
    pub family: String,
    /// None if no public experiment has its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// The prompt of the suite under which it is rendered. None for the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

impl Header {
    /// Returns true if these settings write the page.
    pub fn writes_page(&self) -> bool {
        !self.lacks_texts && !self.omits_page
    }

    /// The names of the models.
    pub fn model_names(&self) -> Vec<String> {
        self.models.iter().map(|price| price.model.clone()).collect()
    }

    /// The severity of the strategy at this index; `None` if unknown.
    pub fn severity(&self, index: usize) -> Option<Severity> {
        self.settings.get(index)?.severity
    }

    /// The prompt of the strategy at this index; `None` for the default prompt.
    pub fn prompt(&self, index: usize) -> Option<&str> {
        self.settings.get(index)?.prompt.as_deref()
    }

    /// The indices of each family's strategies, from mild to aggressive.
    pub fn families(&self) -> Vec<Vec<usize>> {
        let mut families: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (index, name) in self.strategies.iter().enumerate() {
            let family = self.settings.get(index).map_or(name.as_str(), |setting| &setting.family);
            families.entry(family).or_default().push(index);
        }
        let mut families: Vec<Vec<usize>> = families.into_values().collect();
        for family in &mut families {
            family.sort_by_key(|index| Reverse(self.severity(*index).and_then(|severity| severity.kept)));
        }
        families
    }

    /// Returns true if public experiments are no argument against the strategy at this index. The user may
    /// have set a bound on losses, a setting at least as aggressive may have held up in public, or there is
    /// no experiment of its kind.
    pub fn supports(&self, index: usize) -> bool {
        self.tolerance.takes_any_kind || !public::is_bolder_than_public(self.severity(index))
    }

    /// The expected maximum of turns with the strategy at this index, as a multiple of the turns with the
    /// baseline. Measured by the user or, by default, taken from public runs.
    pub fn most_turns(&self, index: usize) -> f64 {
        if index == self.baseline_index() {
            return 1.0;
        }
        self.tolerance.turns.unwrap_or_else(|| public::most_turns(self.severity(index)))
    }

    /// The source of [`Header::most_turns`], for the words after it.
    pub fn source_of_turns(&self, index: usize) -> &'static str {
        match self.tolerance.turns {
            Some(_) => "as you measured",
            None => public::source_of_turns(self.severity(index)),
        }
    }

    /// [`Header::most_turns`] in hundredths. Rounded, since 2.3 * 100.0 is 229.99… as a float.
    pub fn most_turns_in_hundredths(&self, index: usize) -> u64 {
        (self.most_turns(index) * 100.0).round() as u64
    }

    /// The index of the baseline. If no strategy is the baseline, it is out of range, so nothing is compared
    /// or recommended.
    pub fn baseline_index(&self) -> usize {
        let baseline = self.strategies.iter().position(|name| *name == self.baseline);
        baseline.unwrap_or(self.strategies.len())
    }

    /// The bounds of a recommendation against this baseline.
    pub fn bounds(&self) -> Bounds {
        Bounds::new(self.tolerance, &self.baseline)
    }
}

/// A shard of an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputPart {
    pub shard: Shard,
    pub input: RunInput,
}

/// The input of an evaluation, identical in all shards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInput {
    /// The hash of the suite's files, the settings, the selection and the version of the program.
    pub hash: String,
    /// The suite's folder relative to the working directory; only its name if it is elsewhere.
    pub folder: String,
    /// True if the scenarios are lines of standard input.
    pub is_stream: bool,
    /// True if records contain the texts of turns and requests.
    pub has_texts: bool,
    /// The revision of the golden files to compare with; `None` for the accepted ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// One of several evaluations of parts of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// The number of shards.
    pub of: u32,
}

/// A single shard with all scenarios.
impl Default for Shard {
    fn default() -> Shard {
        Shard { number: 1, of: 1 }
    }
}

impl Shard {
    /// Returns true if the shard runs the scenario at this index in the suite.
    pub fn holds(self, position: u64) -> bool {
        position % u64::from(self.of.max(1)) + 1 == u64::from(self.number)
    }
}

/// `1/4`
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&number).then_some(Shard { number, of })
        });
        parsed.ok_or_else(|| "expected a shard and how many there are, such as 1/4".to_owned())
    }
}
