//! The settings of a run, which all of its reports begin with.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::suite::Threshold;
use ptc_tokens::Price;

/// What all reports of a run begin with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// The suite's folder, as the command line named it.
    pub suite: String,
    /// What counted the tokens.
    pub tokenizer: String,
    /// In the order of the suite.
    #[serde(rename = "strategy_names")]
    pub strategies: Vec<String>,
    /// What the others are compared with.
    pub baseline: String,
    /// The models that the runs are costed with.
    pub models: Vec<Price>,
    /// The bounds that the suite sets.
    pub thresholds: Vec<Threshold>,
    /// Whether it is about the whole suite with no option changed, as committed reports are. A shard is if
    /// all shards together are.
    pub complete: bool,
    /// Which part of the scenarios was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// One of several runs that share the scenarios of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Shard {
    /// Whether it runs the scenario at this position of the suite.
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
