//! Scenarios: a mission, its tools and data, and the model's scripted answers. Files are read and checked
//! completely here, so that a replay cannot fail because of its file. Nothing is run here.

mod answer_place;
pub mod bills;
pub mod call_dollars;
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
pub mod misses;
pub mod names;
mod nesting;
mod node;
pub mod options;
mod prices;
pub mod problem;
pub mod programs;
pub mod read_grid;
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

pub use bills::{AnswerBills, AnsweredBy};
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

/// A scenario that can be replayed.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The path below the suite's folder without extension, or the `name` of a JSON line. Unique.
    pub name: String,
    /// The file and line where it begins, as messages say it.
    pub origin: Origin,
    /// The file as snapshots and reports say it, the same however the suite is named.
    pub file: String,
    /// One line.
    pub description: Option<String>,
    pub tags: Vec<String>,
    pub content: Content,
    /// The strategy that this agent itself would run under.
    pub compression: Option<Compression>,
    /// For each response, the evidence that it rests on.
    pub needs: Vec<Vec<String>>,
    pub expect: Expectations,
    /// The bills that the requests of a transcript are sized by, if there are any.
    pub bills: Option<AnswerBills>,
    /// The models that gave the answers of a transcript, by the index of the turn; empty for other scenarios.
    pub answered_by: Vec<Option<AnsweredBy>>,
    /// Images and files of a transcript that count no tokens.
    pub uncounted_images: u64,
    /// Warnings about the file.
    pub warnings: Vec<Problem>,
}

/// The conversation of a scenario: a script that is executed, or a log.
#[derive(Clone, Debug)]
pub enum Content {
    Script(Script),
    Log(Arc<LoggedConversation>),
}

/// An agent with the answers of its model.
#[derive(Clone, Debug)]
pub struct Script {
    pub agent: Arc<Agent>,
    /// The model's answers, one a turn, every byte of them.
    pub responses: Vec<Response>,
    /// For each response, its origin if a live model gave it.
    pub recorded_answers: Vec<Option<Box<RecordedAnswer>>>,
}

impl Scenario {
    /// The script, if the scenario is executed.
    pub fn script(&self) -> Option<&Script> {
        match &self.content {
            Content::Script(script) => Some(script),
            Content::Log(_) => None,
        }
    }

    /// The conversation, if the scenario is a log.
    pub fn logged(&self) -> Option<&LoggedConversation> {
        match &self.content {
            Content::Script(_) => None,
            Content::Log(logged) => Some(logged),
        }
    }

    /// The scripted answers; none for a log.
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

/// Checks of every run. None: not checked.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    pub outcome: Outcome,
    /// Compared as JSON.
    pub value: Option<Value>,
    pub turns: Option<u32>,
    /// With the outcome `error`.
    pub error: Option<ErrorKind>,
    pub prints: Option<Vec<String>>,
    pub tool_calls: Option<u32>,
    /// By strategy, in the order of the file.
    pub tokens: IndexMap<String, TokenBounds>,
}

/// The options of a strategy by name, as compression takes them.
pub type JsonOptions = serde_json::Map<String, serde_json::Value>;
