//! Parts of a recorded conversation that a replayed run does not have: messages as the log has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use ecow::EcoString;

use super::message::Message;
use agent_logs::TranscriptCompaction;

/// The start of every request of a recorded conversation.
#[derive(Clone, Debug)]
pub struct RecordedOpening {
    /// The system prompt, if there is one, and all of the opening but its last message.
    pub head: Vec<Message>,
    /// The last message before the first answer.
    pub opening: Message,
    /// Declared tools, each as compact JSON.
    pub tools: Vec<EcoString>,
    /// Messages that the agent itself left out or replaced when it shortened its history.
    pub changes: BTreeMap<MessagePlace, Vec<Change>>,
    /// The requests of which the log has all messages before the newest turns, in order.
    pub sent: Vec<SentStart>,
    /// The times at which the agent shortened its history, in order.
    pub compactions: Vec<RecordedCompaction>,
    /// Summaries that the agent itself put in place of older messages, in order.
    pub summaries: Vec<RecordedSummary>,
}

/// The messages that a request of a recorded conversation begins with, as the agent itself sent them. Later requests go on from
/// them.
#[derive(Clone, Debug)]
pub struct SentStart {
    /// Number of completed turns before the first request that begins so.
    pub turns: usize,
    /// In place of the system prompt, if it was another one.
    pub system: Option<Message>,
    pub messages: Vec<Sent>,
    /// The messages of the conversation that come after them: those of one turn, from an index on, and all later turns.
    pub after: MessagePlace,
}

/// A message that was sent.
#[derive(Clone, Debug)]
pub enum Sent {
    /// A message of the conversation.
    At(MessagePlace),
    /// Another one.
    Put(Arc<Message>),
}

/// A time at which the agent of a recorded conversation shortened its history.
#[derive(Clone, Debug)]
pub struct RecordedCompaction {
    /// Number of completed turns before the first request that is shorter.
    pub turns: usize,
    /// The compaction as the log has it.
    pub logged: TranscriptCompaction,
    /// Tokens of that request that no cache had, and those of them that were written to it, as they were billed.
    pub uncached: Option<[u64; 2]>,
}

/// A summary in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedSummary {
    /// Number of completed turns before the first request that has it.
    pub turns: usize,
    pub text: EcoString,
}

/// Place of a message in a recorded conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessagePlace {
    /// Number of the turn; 0 for the messages before the first answer.
    pub turn: usize,
    /// In a turn, 0 is the answer and 1 the first reply. Before the first answer, 0 is the first message that is not SYSTEM.
    pub index: usize,
}

/// A change of one message in later requests.
#[derive(Clone, Debug)]
pub struct Change {
    /// Number of completed turns before the first request that has it.
    pub turns: usize,
    /// The message that is sent instead. None if the message is left out.
    pub message: Option<Message>,
}

impl RecordedOpening {
    /// The start of the request after so many turns, if the log has it.
    pub fn sent(&self, turns: usize) -> Option<&SentStart> {
        self.sent.iter().rev().find(|start| start.turns <= turns)
    }

    /// The newest change of a message in the request after this many turns. None for a message that is sent as it is.
    pub fn change(&self, place: MessagePlace, turns: usize) -> Option<&Change> {
        self.changes.get(&place)?.iter().rev().find(|change| change.turns <= turns)
    }
}

/// The messages of a turn that was recorded.
#[derive(Clone, Debug)]
pub struct RecordedTurn {
    pub answer: Message,
    /// Messages to the model after the answer, in order.
    pub replies: Vec<Reply>,
}

/// A message that a model was told after its answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub kind: ReplyKind,
    pub message: Message,
}

/// Origin of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// A tool.
    Result,
    /// The environment, with the role `user`.
    Observation,
    /// A person.
    Words,
    /// Nobody: this program adds the message, since a provider would refuse the request without it.
    Filler,
}

impl RecordedTurn {
    /// The answer, if it is spoken to a person: it calls no tool, and nobody but people reply to it.
    pub fn spoken(&self) -> Option<&EcoString> {
        let is_spoken = |reply: &Reply| matches!(reply.kind, ReplyKind::Words | ReplyKind::Filler);
        let is_conversation = self.answer.calls().is_empty() && self.replies.iter().all(is_spoken);
        is_conversation.then_some(&self.answer.content)
    }

    /// The replies of people.
    pub fn words(&self) -> impl Iterator<Item = &EcoString> {
        let words = self.replies.iter().filter(|reply| reply.kind == ReplyKind::Words);
        words.map(|reply| &reply.message.content)
    }
}
