//! Agents: missions, tools, answers, programs, turns and endings. Nothing here knows strategies.

mod arguments;
pub mod extract;
pub mod feedback;
mod host;
mod language_spec;
mod matching;
pub mod message;
mod mission_expander;
mod model;
mod outcome;
mod run;
mod system_prompt;
mod template;
mod tool;
mod turn;
mod turns;

use std::sync::Arc;

use crate::signature::Signature;
use ptc_lisp::limits::Limits;
use ptc_lisp::session::Bindings;

pub use language_spec::LanguageSpec;
pub use message::{Message, MessagePart, Role};
pub use mission_expander::MissionExpander;
pub use model::{Model, Response, ScriptedModel};
pub use outcome::{Ending, RunOutcome};
pub use run::run;

pub use system_prompt::SystemPrompt;
pub use template::{MissingPlaceholder, Template};
pub use tool::{Answer, Behaviour, Case, Tool, ToolCall};
pub use turn::{Turn, Work};
pub use turns::Turns;

/// Default number of turns (SS-002).
pub const DEFAULT_MAX_TURNS: u32 = 5;

/// An agent: everything that does not change during a run.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The task, placeholders filled in (BRK-001).
    pub mission: String,
    /// Sorted by name.
    pub tools: Vec<Tool>,
    /// Sorted by name.
    pub data: Arc<Bindings>,
    /// The type that `(return …)` must give.
    pub signature: Option<Signature>,
    /// From 1; 1 is a single shot.
    pub max_turns: u32,
    pub limits: Limits,
    pub system_prompt: PromptFrame,
}

/// Text of a scenario around the static SYSTEM text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptFrame {
    pub prefix: Option<String>,
    pub suffix: Option<String>,
}
