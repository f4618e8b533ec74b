//! What is sent to a model: messages, and where the parts of a message begin.

use std::sync::Arc;

use ecow::EcoString;

/// Who speaks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
}

/// One message of a request. Cheap to clone: requests share the messages they have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub content: EcoString,
    /// Where each part begins in `content`, in bytes, ascending; empty where it has no parts.
    pub parts: Arc<[(Part, u32)]>,
}

/// The named parts of a user message, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
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

impl Part {
    pub const ALL: [Part; 10] = [
        Part::System,
        Part::Mission,
        Part::Tool,
        Part::Data,
        Part::Return,
        Part::User,
        Part::Calls,
        Part::Output,
        Part::Error,
        Part::TurnsLeft,
    ];

    /// As reports say it.
    pub fn name(self) -> &'static str {
        match self {
            Part::System => "system",
            Part::Mission => "mission",
            Part::Tool => "tool",
            Part::Data => "data",
            Part::Return => "return",
            Part::User => "user",
            Part::Calls => "calls",
            Part::Output => "output",
            Part::Error => "error",
            Part::TurnsLeft => "turns left",
        }
    }
}

impl Message {
    /// A message without parts.
    pub fn new(role: Role, content: impl Into<EcoString>) -> Message {
        Message { role, content: content.into(), parts: Arc::new([]) }
    }

    /// Whether it says the same. Requests share messages, so that most need not be read for that.
    pub fn says_same(&self, other: &Message) -> bool {
        let [one, two] = [&self.content, &other.content];
        let is_one_text = one.as_ptr() == two.as_ptr() && one.len() == two.len();
        self.role == other.role && (is_one_text || one == two)
    }

    /// How many messages two requests have in common at their start.
    pub fn shared_start(one: &[Message], other: &[Message]) -> usize {
        one.iter().zip(other).take_while(|(one, other)| one.says_same(other)).count()
    }
}
