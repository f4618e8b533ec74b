//! Messages of a request and their parts.

use std::sync::Arc;

use ecow::EcoString;

/// Author of a message.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
}

/// One message of a request. Cheap to clone, because requests share messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub content: EcoString,
    /// Start of each part in `content`, in bytes, ascending.
    pub parts: Arc<[(MessagePart, u32)]>,
}

/// Part of a message, in the order of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessagePart {
    System,
    Mission,
    Tool,
    Data,
    Return,
    User,
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
        }
    }
}

impl MessagePart {
    pub const ALL: [MessagePart; 10] = {
        use MessagePart::*;
        [System, Mission, Tool, Data, Return, User, Calls, Output, Error, TurnsLeft]
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
            MessagePart::Calls => "calls",
            MessagePart::Output => "output",
            MessagePart::Error => "error",
            MessagePart::TurnsLeft => "turns left",
        }
    }
}

impl Message {
    /// A message without parts.
    pub fn new(role: Role, content: impl Into<EcoString>) -> Message {
        Message { role, content: content.into(), parts: Arc::new([]) }
    }

    /// True if role and content are equal. Requests share messages, so most need not be read for that.
    pub fn says_same(&self, other: &Message) -> bool {
        let [one, two] = [&self.content, &other.content];
        let is_one_text = one.as_ptr() == two.as_ptr() && one.len() == two.len();
        self.role == other.role && (is_one_text || one == two)
    }

    /// Number of messages that two requests have in common at their start.
    pub fn shared_start(one: &[Message], other: &[Message]) -> usize {
        one.iter().zip(other).take_while(|(one, other)| one.says_same(other)).count()
    }
}
