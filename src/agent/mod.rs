//! Agents: missions, tools, answers, programs, turns and endings. Independent of strategies.

mod arguments;
pub mod extract;
pub mod feedback;
mod from_transcript;
mod host;
mod language_spec;
mod log_pauses;
mod logged;
mod logged_messages;
mod matching;
mod mission_expander;
mod model;
mod outcome;
mod past;
mod run;
mod shortened;
mod system_prompt;
mod template;
mod tool;
mod turn;

use std::sync::Arc;

use ecow::EcoString;

use crate::signature::Signature;
use ptc_lisp::limits::Limits;
use ptc_lisp::session::{Bindings, CLOCK, Environment, Session};

pub use conversation::{
    Call as LoggedCall, Change, LoggedSummary, Message, MessagePart, MessagePlace, Native, NativeCall,
    Pauses, Reply, ReplyKind, Role, Sent, SentStart, Turn as LoggedTurn,
};
pub use host::ScriptedHost;
pub use language_spec::LanguageSpec;
pub use log_pauses::pauses_of;
pub use logged::{LoggedCompaction, LoggedConversation};
pub use mission_expander::MissionExpander;
pub use model::{Model, Response, ScriptedModel};
pub use outcome::{Ending, FinishedRun, RunOutcome};
pub use past::{Conversation, Past, ProgramRun};
pub use run::{HeldRun, hold_before, run};

pub use system_prompt::{GeneratedPart, SystemPiece, SystemPrompt};
pub use template::{MAX_VALUES, PlaceholderError, Template};
pub use tool::{Behaviour, Tool, ToolAnswer, ToolCall, ToolCase};
pub use turn::{Call, ProgramTurn, Turn, Work};

/// The default limit on turns.
pub const DEFAULT_MAX_TURNS: u32 = 5;

/// An agent with programs as answers: everything constant during a run.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The task, with placeholders filled in.
    pub mission: String,
    /// Sorted by name.
    pub tools: Vec<Tool>,
    /// Sorted by name.
    pub data: Arc<Bindings>,
    /// Programs with `(ns NAME …)` at their start. Later programs call their definitions as `NAME/name`.
    pub preludes: Vec<String>,
    /// The type of the value in `(return …)`.
    pub signature: Option<Signature>,
    /// The limit on turns, from 1; 1 means a single shot.
    pub max_turns: u32,
    pub limits: Limits,
    pub system_prompt: PromptFrame,
    /// The time between requests. Long pauses cause cache misses.
    pub pauses: Arc<Pauses>,
}

/// An agent without a task, tools or data.
impl Default for Agent {
    fn default() -> Agent {
        Agent {
            mission: String::new(),
            tools: Vec::new(),
            data: Arc::default(),
            preludes: Vec::new(),
            signature: None,
            max_turns: DEFAULT_MAX_TURNS,
            limits: Limits::default(),
            system_prompt: PromptFrame::default(),
            pauses: Arc::default(),
        }
    }
}

impl Agent {
    /// A new session, without preludes and definitions.
    pub fn session(&self) -> Session {
        let tools = self.tools.iter().map(|tool| tool.name).collect();
        Session::new(Environment { tools, data: self.data.clone(), now: CLOCK }, self.limits)
    }

    /// The text of the system prompt.
    pub fn system_text(&self) -> EcoString {
        SystemPrompt::frame_prompt(&self.system_prompt).into()
    }

    /// The text of the system prompt with another user text. Prefix and suffix stay.
    pub fn system_text_with(&self, text: &str) -> EcoString {
        let frame = PromptFrame { text: Some(text.to_owned()), ..self.system_prompt.clone() };
        SystemPrompt::frame_prompt(&frame).into()
    }
}

/// The system prompt of a scenario: a user text or the static one, with text around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptFrame {
    pub prefix: Option<String>,
    pub suffix: Option<String>,
    /// The user text, with placeholders filled in. `None` means the static text.
    pub text: Option<String>,
}
