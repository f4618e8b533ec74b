//! Data about context edits made by the provider, while a log is being read. The log contains the full request of the client; only the
//! answer shows that the model saw less.

use serde::{Deserialize, Serialize};

use super::place::LogPlace;
use super::transcript::{TranscriptMessage, TranscriptUsage};
use super::viewed::Rewriting;

/// Context edits of a draft not yet converted to compactions of its transcript.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct ServerSide {
    /// In order.
    pub(super) compactions: Vec<ServerCompaction>,
    pub(super) clearings: Vec<Clearing>,
    /// Tools excluded from clearing.
    pub(super) excluded: Vec<String>,
    /// Places of the transcript's compactions not yet counted in the notes.
    pub(super) uncounted: Vec<LogPlace>,
}

/// A compaction by the provider.
#[derive(Deserialize, Serialize)]
pub(super) struct ServerCompaction {
    pub(super) place: LogPlace,
    /// Number of messages in the draft at the compaction.
    pub(super) before: usize,
    /// Number of leading messages hidden from the model.
    pub(super) cut: usize,
    /// Their replacement.
    pub(super) window: Vec<TranscriptMessage>,
    /// True if only the provider can read the replacement.
    pub(super) is_opaque: bool,
    pub(super) usage: Option<TranscriptUsage>,
}

/// Results cleared in one request. The client sends all of them again with the next one.
#[derive(Deserialize, Serialize)]
pub(super) struct Clearing {
    pub(super) place: LogPlace,
    /// Index of the answer to the request.
    pub(super) answer: usize,
    /// Indices of the results.
    pub(super) results: Vec<usize>,
}

impl ServerSide {
    pub(super) fn is_none(&self) -> bool {
        self.compactions.is_empty() && self.clearings.is_empty()
    }

    /// Prepends the uncounted places of the preceding draft.
    pub(super) fn follow_request(&mut self, before: &mut ServerSide) {
        before.uncounted.append(&mut self.uncounted);
        self.uncounted = std::mem::take(&mut before.uncounted);
    }
}

impl ServerCompaction {
    pub(super) fn to_rewriting(&self) -> Rewriting {
        Rewriting { usage: self.usage.clone(), is_last_answer: false, is_opaque: self.is_opaque }
    }
}
