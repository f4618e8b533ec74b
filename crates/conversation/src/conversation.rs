//! Conversations as a model saw them: what every request begins with, and the turns.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ecow::EcoString;

use super::message::{Message, MessagePart, Role};
use super::pauses::Pauses;
use super::turn::Turn;

/// A conversation so far.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The system prompt, if there is one, and all of the opening but its last message.
    pub head: Vec<Message>,
    /// The last message before the first answer.
    pub opening: Message,
    /// Declared tools, each as compact JSON.
    pub tools: Vec<EcoString>,
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// The time between its requests.
    pub pauses: Arc<Pauses>,
    /// The most turns that it may have; `None` if nothing limits them.
    pub max_turns: Option<u32>,
    /// What the agent itself did to its history.
    pub recorded: Recorded,
}

/// What the agent of a log did to its history; empty for an agent that sent all of it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Messages that it left out or replaced.
    pub changes: BTreeMap<MessagePlace, Vec<Change>>,
    /// The requests of which the log has all messages before the newest turns, in order.
    pub sent: Vec<SentStart>,
    /// Summaries that it put in place of older messages, in order.
    pub summaries: Vec<LoggedSummary>,
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

/// A summary in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedSummary {
    /// Number of completed turns before the first request that has it.
    pub turns: usize,
    pub text: EcoString,
}

/// Place of a message in a conversation.
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

/// Error of messages without one before the first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoOpening;

impl fmt::Display for NoOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the messages have none of the user before the first answer")
    }
}

impl std::error::Error for NoOpening {}

impl Conversation {
    /// The conversation of the messages of a request. Everything up to the first answer is the start of every request; each answer begins
    /// a turn.
    ///
    /// ```
    /// use conversation::{Conversation, Message, Role};
    ///
    /// let message = |role, text: &str| Message::new(role, text);
    /// let messages = [
    ///     message(Role::System, "Be brief."),
    ///     message(Role::User, "Which train is first?"),
    ///     message(Role::Assistant, "R2."),
    ///     message(Role::User, "And then?"),
    /// ];
    /// let conversation = Conversation::from_messages(&messages)?;
    /// assert_eq!(conversation.opening, messages[1]);
    /// assert_eq!(conversation.turns.len(), 1);
    /// # Ok::<(), conversation::NoOpening>(())
    /// ```
    ///
    /// # Errors
    /// No message of the user comes before the first answer.
    pub fn from_messages(messages: &[Message]) -> Result<Conversation, NoOpening> {
        let is_answer = |message: &Message| message.role == Role::Assistant;
        let first = messages.iter().position(is_answer).unwrap_or(messages.len());
        let (start, answers) = messages.split_at(first);
        let Some((opening, head)) = start.split_last() else { return Err(NoOpening) };
        if opening.role != Role::User {
            return Err(NoOpening);
        }
        let mut turns = Vec::new();
        for (number, messages) in (1..).zip(answers.chunk_by(|_, next| !is_answer(next))) {
            if let Some((answer, replies)) = messages.split_first() {
                turns.push(Turn::from_messages(number, answer, replies));
            }
        }
        Ok(Conversation {
            head: head.to_vec(),
            opening: opening.clone(),
            tools: Vec::new(),
            turns,
            pauses: Arc::default(),
            max_turns: None,
            recorded: Recorded::default(),
        })
    }

    /// All messages in order.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        let start = self.head.iter().chain([&self.opening]);
        start.chain(self.turns.iter().flat_map(Turn::messages))
    }

    /// The text of the system prompt; empty if there is none.
    pub fn system_text(&self) -> EcoString {
        let system = self.head.first().filter(|message| message.role == Role::System);
        system.map_or_else(EcoString::new, |message| message.content.clone())
    }
}

impl Recorded {
    /// The start of the request after so many turns, if the log has it.
    pub fn sent(&self, turns: usize) -> Option<&SentStart> {
        self.sent.iter().rev().find(|start| start.turns <= turns)
    }

    /// The newest change of a message in the request after this many turns. None for a message that is sent as it is.
    pub fn change(&self, place: MessagePlace, turns: usize) -> Option<&Change> {
        self.changes.get(&place)?.iter().rev().find(|change| change.turns <= turns)
    }
}

/// A SYSTEM message with this text.
pub fn system_message(text: &str) -> Message {
    let parts = if text.is_empty() { Vec::new() } else { vec![(MessagePart::System, 0)] };
    Message::with_parts(Role::System, text, parts)
}
