//! Conversations from logs: the messages as sent, compactions and the outcome.

use agent_logs::TranscriptCompaction;

/// A conversation from a log.
#[derive(Clone, Debug)]
pub struct LoggedConversation {
    pub conversation: conversation::Conversation,
    /// The compactions by the agent, in order.
    pub compactions: Vec<LoggedCompaction>,
    /// `None` if the log does not contain the outcome.
    pub success: Option<bool>,
}

/// A logged compaction: the agent shortened its history.
#[derive(Clone, Debug)]
pub struct LoggedCompaction {
    /// The number of completed turns before the first shorter request.
    pub turns: usize,
    /// The compaction in the log.
    pub logged: TranscriptCompaction,
    /// The uncached input tokens of that request, and how many of them were written to the cache, as billed.
    pub uncached: Option<[u64; 2]>,
}

impl LoggedConversation {
    /// The success as text for the user.
    pub fn success_text(&self) -> &'static str {
        match self.success {
            Some(true) => "success",
            Some(false) => "failure",
            None => "no outcome in the log",
        }
    }
}
