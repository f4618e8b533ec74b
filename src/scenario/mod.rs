//! Scenarios: a mission, its tools and data, and the model's scripted answers. Parses and checks files completely, so that a replay cannot
//! fail because of a file. Runs nothing.

mod answer_place;
mod calls;
mod cut;
mod data_files;
mod document;
pub mod edits;
mod entries;
pub mod file;
pub mod files;
mod load;
mod loader;
mod locate;
pub mod names;
mod nesting;
mod node;
pub mod options;
mod prices;
pub mod problem;
pub mod programs;
mod recognize;
mod shape;
mod silent;
mod sources;
pub mod suite;
pub mod suite_file;
mod swallowed;
mod system_prompt;
mod tools;
mod transcript;
mod walk;

use indexmap::IndexMap;

use std::sync::Arc;

use crate::agent::{Agent, LoggedConversation, Response};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::value::Value;

pub use conversation_bills::{AnswerBills, AnsweredBy};
pub use data_files::{Refused, read as read_data, read_text, reason};
pub use file::{OutcomeFile as Outcome, RecordedAnswer, ScenarioFile, TokenBounds};
pub use loader::{ScenarioSource, SourceContent, SourceFormat};
pub use locate::place_of_threshold;
pub use names::{Names, folded};
pub use options::{Compression, Known, KnownStrategy};
pub use prices::{extend_prices, help_for_model};
pub use problem::{Place, Problem, ScenarioError, Severity, on_one_line};
pub use recognize::{FileKind, log_format};
pub use sources::LOGS_FILE;
pub use suite::{Selection, Suite};
pub use suite_file::SuiteFile;
pub use system_prompt::SuitePrompt;
pub use transcript::TranscriptScenarioFile;
pub use walk::{GOLDEN_TEXTS, GOLDEN_TEXTS_HEAD, SUITE_FILE, SUITE_FOLDER};

/// A checked scenario, ready to run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The path below the suite's folder without extension, or the `name` of a JSON line. Unique.
    pub name: String,
    /// The file and line where it begins, for messages.
    pub origin: Origin,
    /// The file, for snapshots and reports: the same however the suite is named on the command line.
    pub file: String,
    /// One line.
    pub description: Option<String>,
    pub tags: Vec<String>,
    pub content: Content,
    /// The strategy used by the agent itself.
    pub compression: Option<Compression>,
    /// For each response, the evidence it rests on.
    pub needs: Vec<Vec<String>>,
    pub expect: Expectations,
    /// The bills to size the requests of a transcript by, if there are any.
    pub bills: Option<AnswerBills>,
    /// The model of each answer of a transcript, by turn index. Empty for other scenarios.
    pub answered_by: Vec<Option<AnsweredBy>>,
    /// Images and files of a transcript with an assumed size of zero tokens.
    pub uncounted_images: u64,
    /// Warnings about the file.
    pub warnings: Vec<Problem>,
}

/// The conversation of a scenario: a script to run, or a log.
#[derive(Clone, Debug)]
pub enum Content {
    Script(Script),
    Log(Arc<LoggedConversation>),
}

/// An agent and the scripted answers of its model.
#[derive(Clone, Debug)]
pub struct Script {
    pub agent: Arc<Agent>,
    /// The model's answers, one per turn, byte for byte.
    pub responses: Vec<Response>,
    /// For each response, its origin if it was recorded from a live model.
    pub recorded_answers: Vec<Option<Box<RecordedAnswer>>>,
}

impl Scenario {
    /// The script. `None` for a log.
    pub fn script(&self) -> Option<&Script> {
        match &self.content {
            Content::Script(script) => Some(script),
            Content::Log(_) => None,
        }
    }

    /// The conversation. `None` for a script.
    pub fn logged(&self) -> Option<&LoggedConversation> {
        match &self.content {
            Content::Script(_) => None,
            Content::Log(logged) => Some(logged),
        }
    }

    /// The scripted answers. Empty for a log.
    pub fn responses(&self) -> &[Response] {
        self.script().map_or(&[], |script| &script.responses)
    }
}

/// Content of a scenario file: one that is executed, or a log.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(title = "ptc-eval scenario")]
pub enum AnyScenarioFile {
    Executed(Box<ScenarioFile>),
    Recorded(Box<TranscriptScenarioFile>),
}

/// The file and line of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Origin {
    pub path: String,
    /// From 1.
    pub line: u32,
}

/// `scenarios/sum.yaml:1`
impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

/// Checks of every run. `None`: not checked.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    pub outcome: Outcome,
    /// Compared as JSON.
    pub value: Option<Value>,
    pub turns: Option<u32>,
    /// Only if the expected outcome is `error`.
    pub error: Option<ErrorKind>,
    pub prints: Option<Vec<String>>,
    pub tool_calls: Option<u32>,
    /// By strategy, in the order of the file.
    pub tokens: IndexMap<String, TokenBounds>,
}

/// The options of a strategy by name, as JSON values.
pub type JsonOptions = serde_json::Map<String, serde_json::Value>;
