//! Turns: an answer of the model, and the replies to it.

use ecow::{EcoString, eco_format};
use serde_json::Value as Json;

use super::message::{Message, MessagePart, NativeCall, Role};

/// One answer of a [`Conversation`](crate::Conversation): a [`Message`] with its [`Call`]s, and each [`Reply`] after it.
#[derive(Clone, Debug)]
pub struct Turn {
    /// From 1.
    pub number: u32,
    /// The answer, as later requests repeat it.
    pub answer: Message,
    /// Messages to the model after the answer, in order.
    pub replies: Vec<Reply>,
    /// The native calls, or the action in the answer's text.
    pub calls: Vec<Call>,
    /// Outputs of tools and the environment; empty if all are errors.
    pub outputs: Vec<EcoString>,
    /// The newest error if all outputs are errors.
    pub error: Option<EcoString>,
}

/// A tool call, or an action in the text of an answer.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: EcoString,
    /// An object with named arguments, or a single value such as an action's text. `None` if the JSON is invalid.
    pub arguments: Option<Json>,
    /// The result's text, if it is an error.
    pub error: Option<EcoString>,
    /// `search({"q": "x"})`, or the text of the action.
    pub text: EcoString,
}

/// A message to the model after its answer, of a [`ReplyKind`].
#[derive(Clone, Debug)]
pub struct Reply {
    pub kind: ReplyKind,
    pub message: Message,
}

/// The source of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// A tool.
    Result,
    /// The environment, with the role `user`.
    Observation,
    /// The program in the answer: its value and output, including those of its calls. The last line may announce the next turn.
    Feedback,
    /// A person.
    Words,
    /// Added by us to fill a gap in a log, since providers would reject the request otherwise.
    Filler,
}

impl ReplyKind {
    /// Returns true for replies of tools, programs and the environment.
    pub fn is_observation(self) -> bool {
        matches!(self, ReplyKind::Result | ReplyKind::Observation | ReplyKind::Feedback)
    }
}

impl Call {
    fn from_native(call: &NativeCall) -> Call {
        Call {
            name: call.name.clone(),
            arguments: serde_json::from_str(&call.arguments).ok(),
            error: None,
            text: eco_format!("{}({})", call.name, call.arguments),
        }
    }
}

impl Reply {
    /// Splits off the last line if it announces the next turn.
    pub fn split_turn_line(&self) -> (&str, Option<&str>) {
        let text = self.message.content.as_str();
        let line = self.message.parts.iter().find(|(part, _)| *part == MessagePart::TurnsLeft);
        match line.and_then(|(_, start)| text.split_at_checked(*start as usize)) {
            Some((before, line)) => (before.strip_suffix("\n\n").unwrap_or(before), Some(line)),
            None => (text, None),
        }
    }
}

impl Turn {
    /// The turn of an answer and the messages after it. User messages are assumed to be a person's words.
    pub fn from_messages(number: u32, answer: &Message, after: &[Message]) -> Turn {
        let mut replies = Vec::with_capacity(after.len());
        let mut outputs = Vec::new();
        for message in after {
            let is_result = message.role == Role::Tool;
            if is_result {
                outputs.push(message.content.clone());
            }
            let kind = if is_result { ReplyKind::Result } else { ReplyKind::Words };
            replies.push(Reply { kind, message: message.clone() });
        }
        let calls = answer.calls().iter().map(Call::from_native).collect();
        Turn { number, answer: answer.clone(), replies, calls, outputs, error: None }
    }

    /// Returns false if all outputs are errors.
    pub fn has_succeeded(&self) -> bool {
        self.error.is_none()
    }

    /// The answer, if it is addressed to a person: it calls no tool, and only people reply.
    pub fn spoken(&self) -> Option<&EcoString> {
        for reply in &self.replies {
            if !matches!(reply.kind, ReplyKind::Words | ReplyKind::Filler) {
                return None;
            }
        }
        self.answer.calls().is_empty().then_some(&self.answer.content)
    }

    /// People's replies.
    pub fn words(&self) -> impl Iterator<Item = &EcoString> {
        let words = self.replies.iter().filter(|reply| reply.kind == ReplyKind::Words);
        words.map(|reply| &reply.message.content)
    }

    /// The answer, then the replies.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.answer).chain(self.replies.iter().map(|reply| &reply.message))
    }
}
