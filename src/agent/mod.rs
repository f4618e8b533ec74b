//! One agent at work: requests, programs, turns, how a run ends. It does not know that strategies exist.

mod arguments;
pub mod extract;
pub mod feedback;
mod host;
mod language_spec;
mod matching;
pub mod message;
mod mission_expander;
mod model;
mod run;
mod step;
mod system_prompt;
mod template;
mod tool;
mod transcript;
mod turn;

use std::sync::Arc;

use crate::signature::Signature;
use ptc_lisp::limits::Limits;
use ptc_lisp::session::Bindings;

pub use language_spec::LanguageSpec;
pub use message::{Message, Part, Role};
pub use mission_expander::MissionExpander;
pub use model::{Model, Response, ScriptedModel};
pub use run::run;
pub use step::{Ending, Step};
pub use system_prompt::SystemPrompt;
pub use template::{MissingPlaceholder, Template};
pub use tool::{Answer, Behaviour, Case, Tool, ToolCall};
pub use transcript::Transcript;
pub use turn::{Turn, Work};

/// Turns an agent has when nothing else is said (SS-002).
pub const DEFAULT_MAX_TURNS: u32 = 5;

/// Everything about an agent that does not change while it works.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The task, placeholders filled in (BRK-001).
    pub mission: String,
    /// Sorted by name.
    pub tools: Vec<Tool>,
    /// Sorted by name.
    pub data: Arc<Bindings>,
    /// What `(return …)` must give.
    pub signature: Option<Signature>,
    /// From 1; 1 is a single shot.
    pub max_turns: u32,
    pub limits: Limits,
    /// Text before and after the static SYSTEM text.
    pub system_prompt: Frame,
}

/// What a scenario puts around the static SYSTEM text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub prefix: Option<String>,
    pub suffix: Option<String>,
}
