//! The newest request of a conversation, if it does not show all messages in order.

use serde::{Deserialize, Serialize};

use super::transcript::TranscriptUsage;

/// One message of a conversation's newest request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) enum Viewed {
    /// Index of a message in the conversation.
    At(usize),
    /// A message inserted by a compaction: index of the compaction, and of the part in it.
    Put(usize, usize),
}

impl Viewed {
    /// The index of a message in the conversation, or `None` for an inserted one.
    pub(super) fn index(&self) -> Option<usize> {
        match self {
            Viewed::At(index) => Some(*index),
            Viewed::Put(..) => None,
        }
    }
}

/// Facts about a rewriting request that its draft does not contain.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Rewriting {
    /// The bill of the separate call that wrote the summary.
    pub(super) usage: Option<TranscriptUsage>,
    /// True if the conversation's last answer is the summary. Then its request is the call that wrote it.
    pub(super) is_last_answer: bool,
    /// True if only the provider can read the summary.
    pub(super) is_opaque: bool,
}
