//! Conversations that a log holds: messages as they were sent, and what the log says of the run.

use agent_logs::TranscriptCompaction;

/// A conversation that a log holds.
#[derive(Clone, Debug)]
pub struct LoggedConversation {
    pub conversation: conversation::Conversation,
    /// The times at which the agent shortened its history, in order.
    pub compactions: Vec<LoggedCompaction>,
    /// `None` if the log does not have the outcome.
    pub success: Option<bool>,
}

/// A time at which the agent shortened its history.
#[derive(Clone, Debug)]
pub struct LoggedCompaction {
    /// Number of completed turns before the first request that is shorter.
    pub turns: usize,
    /// The compaction as the log has it.
    pub logged: TranscriptCompaction,
    /// Tokens of that request that no cache had, and those of them that were written to it, as they were billed.
    pub uncached: Option<[u64; 2]>,
}

impl LoggedConversation {
    /// The success in words.
    pub fn success_text(&self) -> &'static str {
        match self.success {
            Some(true) => "success",
            Some(false) => "failure",
            None => "no outcome in the log",
        }
    }
}
