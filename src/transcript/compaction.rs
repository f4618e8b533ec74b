//! Compactions: what agents leave out of their own history, as the neutral format has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TranscriptUsage;

/// A time at which the agent shortened its history.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptCompaction {
    /// Index in `messages`, from 0. The requests of this message and of later ones are shortened.
    pub before: usize,
    pub kind: CompactionKind,
    /// Messages that requests lack from here on, those included that they lacked before: ranges of indices, both ends
    /// included, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<[usize; 2]>,
    /// Text that stands in the place of the last range, or in each removed content if these are cleared. Nothing if the log
    /// does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Tokens of the text, where only they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The cause, such as `auto` or `manual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// Time in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Tokens of the request before, as the agent counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Billed tokens of the call that wrote the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
}

/// The way in which an agent shortens its history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompactionKind {
    /// A text stands in place of the messages.
    #[default]
    Summary,
    /// The messages stay without their content.
    Clear,
    /// The messages are gone.
    Drop,
    /// Something that only the provider can read stands in their place.
    Opaque,
}

impl TranscriptCompaction {
    /// Returns true if requests lack the message at this index.
    pub fn removes(&self, index: usize) -> bool {
        let after = self.removed.partition_point(|[start, _]| *start <= index);
        let range = after.checked_sub(1).and_then(|at| self.removed.get(at));
        range.is_some_and(|[_, end]| index <= *end)
    }

    /// The indices of the removed messages.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.removed.iter().flat_map(|[start, end]| *start..=*end)
    }
}

/// The ranges of indices in order.
pub fn ranges(indices: impl IntoIterator<Item = usize>) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some([_, end]) if index == *end + 1 => *end = index,
            _ => ranges.push([index, index]),
        }
    }
    ranges
}
