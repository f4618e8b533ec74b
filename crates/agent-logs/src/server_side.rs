//! Shortenings that a provider makes itself, while a log is read: the log holds what the client sent, and only answers tell that
//! the model saw less.

use serde::{Deserialize, Serialize};

use super::place::LogPlace;
use super::transcript::{TranscriptMessage, TranscriptUsage};
use super::viewed::Rewriting;

/// The shortenings of a draft that are no compactions of its transcript yet.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct ServerSide {
    /// In order.
    pub(super) compactions: Vec<ServerCompaction>,
    pub(super) clearings: Vec<Clearing>,
    /// Tools whose results the provider never clears.
    pub(super) excluded: Vec<String>,
    /// Places of compactions of the transcript that no note has counted.
    pub(super) uncounted: Vec<LogPlace>,
}

/// A compaction by the provider.
#[derive(Deserialize, Serialize)]
pub(super) struct ServerCompaction {
    pub(super) place: LogPlace,
    /// Number of messages of the draft when it was made.
    pub(super) before: usize,
    /// Number of the first of them that the model does not see any more.
    pub(super) cut: usize,
    /// The messages that it sees in their place.
    pub(super) window: Vec<TranscriptMessage>,
    /// True if only the provider can read what stands in them.
    pub(super) is_opaque: bool,
    pub(super) usage: Option<TranscriptUsage>,
}

/// The clearing of results in one request. The client sends them all again with the next one.
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

    /// Adds what is not counted yet of the conversation before.
    pub(super) fn follow(&mut self, before: &mut ServerSide) {
        before.uncounted.append(&mut self.uncounted);
        self.uncounted = std::mem::take(&mut before.uncounted);
    }
}

impl ServerCompaction {
    pub(super) fn rewriting(&self) -> Rewriting {
        Rewriting { usage: self.usage.clone(), is_last_answer: false, is_opaque: self.is_opaque }
    }
}
