//! Messages of a request and their parts.

use std::sync::Arc;

use ecow::EcoString;
use ptc_tokens::{CALL_OVERHEAD, MESSAGE_OVERHEAD};

/// Author of a message.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
    /// The result of a tool that an assistant message called.
    Tool,
}

/// One message of a request. Cheap to clone, since requests share messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub content: EcoString,
    /// The parts of `content`, each with its start byte, in ascending order.
    pub parts: Arc<[(MessagePart, u32)]>,
    /// The fields of native tool calling.
    pub native: Option<Arc<Native>>,
    /// Tokens not in the text: of images, and of text that is unreadable or not written yet.
    pub image_tokens: u32,
}

/// Fields of a [`Message`] that providers separate from the content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Native {
    /// Calls of an assistant message.
    Calls(Vec<NativeCall>),
    /// For a message with the role `tool`: the identifier of the call it is the result of.
    ResultOf(EcoString),
}

/// One call of a tool in an assistant message.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(title = "native call")]
pub struct NativeCall {
    #[schemars(with = "String")]
    pub id: EcoString,
    #[schemars(with = "String")]
    pub name: EcoString,
    /// Compact JSON.
    #[schemars(with = "String")]
    pub arguments: EcoString,
}

/// A named piece of a [`Message`]. The variants are ordered as in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessagePart {
    System,
    Mission,
    Tool,
    Data,
    Return,
    User,
    Conversation,
    Calls,
    Output,
    Error,
    TurnsLeft,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }
}

impl MessagePart {
    pub const ALL: [MessagePart; 11] = {
        use MessagePart::*;
        [System, Mission, Tool, Data, Return, User, Conversation, Calls, Output, Error, TurnsLeft]
    };

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MessagePart::System => "system",
            MessagePart::Mission => "mission",
            MessagePart::Tool => "tool",
            MessagePart::Data => "data",
            MessagePart::Return => "return",
            MessagePart::User => "user",
            MessagePart::Conversation => "conversation",
            MessagePart::Calls => "calls",
            MessagePart::Output => "output",
            MessagePart::Error => "error",
            MessagePart::TurnsLeft => "turns left",
        }
    }
}

impl Native {
    pub fn calls(&self) -> &[NativeCall] {
        match self {
            Native::Calls(calls) => calls,
            Native::ResultOf(_) => &[],
        }
    }

    /// The identifier of the call, if the message is its result.
    pub fn result_of(&self) -> Option<&EcoString> {
        match self {
            Native::ResultOf(call) => Some(call),
            Native::Calls(_) => None,
        }
    }

    /// Tokens of the calls.
    pub fn tokens(&self, count: impl Fn(&str) -> u64) -> u64 {
        let mut tokens = 0;
        for call in self.calls() {
            tokens += count(&call.name) + count(&call.arguments) + u64::from(CALL_OVERHEAD);
        }
        tokens
    }
}

impl Message {
    /// A message without parts.
    pub fn new(role: Role, content: impl Into<EcoString>) -> Message {
        Message::with_parts(role, content, Vec::new())
    }

    /// A message with parts, without native fields.
    pub fn with_parts(role: Role, content: impl Into<EcoString>, parts: Vec<(MessagePart, u32)>) -> Message {
        Message { role, content: content.into(), parts: parts.into(), native: None, image_tokens: 0 }
    }

    /// Returns true for a message of the model.
    pub fn is_answer(&self) -> bool {
        self.role == Role::Assistant
    }

    /// The calls of an assistant message.
    pub fn calls(&self) -> &[NativeCall] {
        self.native.as_deref().map_or(&[], Native::calls)
    }

    /// The identifier of the call, if the message is its result.
    pub fn result_of(&self) -> Option<&EcoString> {
        self.native.as_deref().and_then(Native::result_of)
    }

    /// Tokens in a request, including the chat format's overhead.
    pub fn tokens(&self, count: impl Fn(&str) -> u64) -> u64 {
        u64::from(MESSAGE_OVERHEAD) + count(&self.content) + self.native_tokens(count)
    }

    /// Tokens of the calls and of images.
    pub fn native_tokens(&self, count: impl Fn(&str) -> u64) -> u64 {
        u64::from(self.image_tokens) + self.native.as_ref().map_or(0, |native| native.tokens(count))
    }

    /// The message with new content, without parts and images.
    pub fn with_content(&self, content: impl Into<EcoString>) -> Message {
        Message { native: self.native.clone(), ..Message::new(self.role, content) }
    }

    /// Returns true if role, content and native fields are equal. A model does not see parts.
    pub fn says_same(&self, other: &Message) -> bool {
        let [left, right] = [&self.content, &other.content];
        // Fast path: requests of a run share most texts.
        let is_one_text = left.as_ptr() == right.as_ptr() && left.len() == right.len();
        self.role == other.role && (is_one_text || left == right) && self.native == other.native
    }

    /// Length of the common prefix of two requests, in messages.
    pub fn shared_start(left: &[Message], right: &[Message]) -> usize {
        left.iter().zip(right).take_while(|(left, right)| left.says_same(right)).count()
    }
}
