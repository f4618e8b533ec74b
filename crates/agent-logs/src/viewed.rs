//! The newest request of a conversation, if it does not show all messages in order.

use serde::{Deserialize, Serialize};

use super::transcript::TranscriptUsage;

/// One message of the newest request of a conversation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) enum Viewed {
    /// The message of the conversation with this index.
    At(usize),
    /// The part with the second index of the compaction with the first one.
    Put(usize, usize),
}

/// The facts of a rewritten request that its own draft does not tell.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Rewriting {
    /// The bill of a call of its own that wrote the text in it.
    pub(super) usage: Option<TranscriptUsage>,
    /// True if the last answer of the conversation so far is that text, so that its request is the call that wrote it.
    pub(super) is_last_answer: bool,
    /// True if only the provider can read that text.
    pub(super) is_opaque: bool,
}
