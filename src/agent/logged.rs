//! Conversations that a log holds: messages as they were sent, and what the agent did to its history.

use std::collections::BTreeMap;
use std::sync::Arc;

use ecow::EcoString;
use serde_json::Value as Json;

use super::message::{Message, Role};
use super::pauses::Pauses;
use agent_logs::TranscriptCompaction;

/// A conversation that a log holds.
#[derive(Clone, Debug)]
pub struct LoggedConversation {
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
    pub compactions: Vec<LoggedCompaction>,
    /// Summaries that the agent itself put in place of older messages, in order.
    pub summaries: Vec<LoggedSummary>,
    /// Oldest first.
    pub turns: Vec<LoggedTurn>,
    /// The time between its requests.
    pub pauses: Arc<Pauses>,
    /// `None` if the log does not have the outcome.
    pub success: Option<bool>,
}

/// The messages that a request begins with, as the agent itself sent them. Later requests go on from
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

/// A summary in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedSummary {
    /// Number of completed turns before the first request that has it.
    pub turns: usize,
    pub text: EcoString,
}

/// Place of a message in a logged conversation.
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

impl LoggedConversation {
    /// The text of the system prompt; empty if there is none.
    pub fn system_text(&self) -> EcoString {
        let system = self.head.first().filter(|message| message.role == Role::System);
        system.map_or_else(EcoString::new, |message| message.content.clone())
    }

    /// The success in words.
    pub fn success_text(&self) -> &'static str {
        match self.success {
            Some(true) => "success",
            Some(false) => "failure",
            None => "no outcome in the log",
        }
    }

    /// The start of the request after so many turns, if the log has it.
    pub fn sent(&self, turns: usize) -> Option<&SentStart> {
        self.sent.iter().rev().find(|start| start.turns <= turns)
    }

    /// The newest change of a message in the request after this many turns. None for a message that is sent as it is.
    pub fn change(&self, place: MessagePlace, turns: usize) -> Option<&Change> {
        self.changes.get(&place)?.iter().rev().find(|change| change.turns <= turns)
    }
}

/// A turn of a log.
#[derive(Clone, Debug)]
pub struct LoggedTurn {
    /// From 1.
    pub number: u32,
    /// The answer as it is sent again.
    pub answer: Message,
    /// Messages to the model after the answer, in order.
    pub replies: Vec<Reply>,
    /// The native calls, or the action in the text.
    pub calls: Vec<LoggedCall>,
    /// What tools and the environment replied; empty if all of it is errors.
    pub outputs: Vec<EcoString>,
    /// The newest error, if all outputs are errors.
    pub error: Option<EcoString>,
}

/// A tool call of a log, or an action in the text of an answer.
#[derive(Clone, Debug)]
pub struct LoggedCall {
    pub name: EcoString,
    /// An object with the arguments by name, or one value such as the text of an action. `None` if the log has no JSON that can
    /// be read.
    pub arguments: Option<Json>,
    /// The text of its result, if that is an error.
    pub error: Option<EcoString>,
    /// `search({"q": "x"})`, or the text of the action.
    pub text: EcoString,
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

impl LoggedTurn {
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
