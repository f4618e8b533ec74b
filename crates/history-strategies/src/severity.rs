//! The severity of a strategy, in the terms of public experiments: what it omits, and how many turns stay whole.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a strategy shortens requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Nothing is left out.
    Nothing,
    /// Each request masks the results of all old turns.
    Masking,
    /// Results of old turns are masked from time to time, many at once.
    MaskingInBatches,
    /// Each request drops all old turns.
    Dropping,
    /// Old turns are dropped from time to time, many at once.
    DroppingInBatches,
    /// A model's summary replaces old turns.
    Summary,
}

/// The kind of what a strategy leaves out, and the turns that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Severity {
    pub kind: Kind,
    /// The fewest recent turns that stay whole; none if sizes decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<u32>,
}

impl Kind {
    /// Masking of results, at each turn or in batches of `step` turns.
    pub(crate) fn of_masking(step: usize) -> Kind {
        if step > 1 { Kind::MaskingInBatches } else { Kind::Masking }
    }

    /// Dropping of turns, at each turn or in batches of `step` turns.
    pub(crate) fn of_dropping(step: usize) -> Kind {
        if step > 1 { Kind::DroppingInBatches } else { Kind::Dropping }
    }
}

impl Severity {
    /// A setting that keeps at least `turns` turns.
    pub(crate) fn keeping(kind: Kind, turns: usize) -> Severity {
        Severity { kind, kept: u32::try_from(turns).ok() }
    }

    /// A setting that decides by size what to keep.
    pub(crate) fn by_size(kind: Kind) -> Severity {
        Severity { kind, kept: None }
    }
}
