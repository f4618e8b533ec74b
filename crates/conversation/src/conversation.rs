//! Conversations from the model's view: the start of every request, and the turns.

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
    /// The system prompt, if there is one, and the opening without its last message.
    pub head: Vec<Message>,
    /// The last message before the first answer.
    pub opening: Message,
    /// Declared tools, each as compact JSON.
    pub tools: Vec<EcoString>,
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// The time before each request.
    pub pauses: Arc<Pauses>,
    /// The limit on turns; `None` if there is none.
    pub max_turns: Option<u32>,
    /// The agent's own edits of its history.
    pub recorded: Recorded,
}

/// The logged agent's edits of its history: [`Change`]s and [`LoggedSummary`]s. Empty if it always sent everything.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Messages omitted or replaced.
    pub changes: BTreeMap<MessagePlace, Vec<Change>>,
    /// The request starts logged in full, in order.
    pub sent: Vec<SentStart>,
    /// Summaries put in place of older messages, in order.
    pub summaries: Vec<LoggedSummary>,
}

/// The [`Sent`] messages at the start of a request. Later requests extend them.
#[derive(Clone, Debug)]
pub struct SentStart {
    /// Number of completed turns before the first request with this start.
    pub turns: usize,
    /// Replaces the system prompt, if it was another one.
    pub system: Option<Message>,
    pub messages: Vec<Sent>,
    /// The first message of the conversation sent after them; all later ones follow.
    pub after: MessagePlace,
}

/// A message in a logged request: its [`MessagePlace`], or a text of its own.
#[derive(Clone, Debug)]
pub enum Sent {
    /// A message in the conversation.
    At(MessagePlace),
    /// A message not in the conversation.
    Put(Arc<Message>),
}

/// A logged summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedSummary {
    /// Number of completed turns before the first request with the summary.
    pub turns: usize,
    pub text: EcoString,
}

/// The place of a message in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessagePlace {
    /// Turn number; 0 for the messages before the first answer.
    pub turn: usize,
    /// In a turn, 0 is the answer and 1 the first reply. Before the first answer, 0 is the first message after SYSTEM.
    pub index: usize,
}

/// An edit of the message at a [`MessagePlace`] in later requests.
#[derive(Clone, Debug)]
pub struct Change {
    /// Number of completed turns before the first request with the edit.
    pub turns: usize,
    /// The replacement. `None` if the message is omitted.
    pub message: Option<Message>,
}

/// Error of [`Conversation::from_messages`]: no user message right before the first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoOpening;

impl fmt::Display for NoOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no user message precedes the first answer")
    }
}

impl std::error::Error for NoOpening {}

impl Conversation {
    /// Splits the messages of a request into a conversation. Everything before the first answer is the start of every request. Each answer
    /// begins a turn.
    ///
    /// ```
    /// use conversation::{Conversation, Message, Role};
    ///
    /// let messages = [
    ///     Message::new(Role::System, "Be brief."),
    ///     Message::new(Role::User, "Which train is first?"),
    ///     Message::new(Role::Assistant, "R2."),
    ///     Message::new(Role::User, "And then?"),
    /// ];
    /// let conversation = Conversation::from_messages(&messages)?;
    /// assert_eq!(conversation.opening, messages[1]);
    /// assert_eq!(conversation.turns.len(), 1);
    /// # Ok::<(), conversation::NoOpening>(())
    /// ```
    ///
    /// # Errors
    /// The message before the first answer is missing or not the user's.
    pub fn from_messages(messages: &[Message]) -> Result<Conversation, NoOpening> {
        let first = messages.iter().position(Message::is_answer).unwrap_or(messages.len());
        let (start, answers) = messages.split_at(first);
        let Some((opening, head)) = start.split_last() else { return Err(NoOpening) };
        if opening.role != Role::User {
            return Err(NoOpening);
        }
        let mut turns = Vec::new();
        for (number, messages) in (1..).zip(answers.chunk_by(|_, next| !next.is_answer())) {
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
    /// The start of the request after `turns` completed turns, if logged.
    pub fn sent(&self, turns: usize) -> Option<&SentStart> {
        self.sent.iter().rev().find(|start| start.turns <= turns)
    }

    /// The newest edit of a message in the request after `turns` completed turns. `None` if the message is unchanged.
    pub fn change(&self, place: MessagePlace, turns: usize) -> Option<&Change> {
        self.changes.get(&place)?.iter().rev().find(|change| change.turns <= turns)
    }
}

/// A SYSTEM message with this text.
pub fn system_message(text: &str) -> Message {
    let parts = if text.is_empty() { Vec::new() } else { vec![(MessagePart::System, 0)] };
    Message::with_parts(Role::System, text, parts)
}
