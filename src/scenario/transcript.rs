//! Scenarios with a transcript: files and lines in the neutral format, and scenario files with the path of a transcript.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::data_files;
use super::document::{Document, Step, trail};
use super::entries::or_default;
use super::file::{CompressionFile, TokenBounds};
use super::loader::{Loader, one_line};
use super::node::Node;
use super::problem::Problem;
use super::{Content, Expectations, Origin, Scenario};
use crate::agent::LoggedConversation;
use crate::log_bills::{models_of_answers, read_bills};
use agent_logs::Transcript;
use ptc_prices::TimeSpan;

/// A scenario of a log: a transcript in place of mission, data, tools and answers.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "ptc-eval scenario of a transcript")]
pub struct TranscriptScenarioFile {
    /// Only in .jsonl files: the name of the scenario. Elsewhere the file's path is the name.
    pub name: Option<String>,
    /// The purpose of the scenario, in one line.
    pub description: Option<String>,
    /// Words to select scenarios by.
    #[serde(default, deserialize_with = "or_default")]
    pub tags: Vec<String>,
    /// A file with one transcript in the neutral format, relative to this file.
    pub transcript: String,
    /// The strategy under which this agent itself would run.
    pub compression: Option<CompressionFile>,
    /// Evidence that answers rest on, by the number of the turn.
    #[serde(default, deserialize_with = "or_default")]
    pub needs: IndexMap<String, Vec<String>>,
    /// Time that passes between an answer and the next request, such as 20m, by the number of its turn; in place of the times of
    /// the transcript.
    #[serde(default, deserialize_with = "or_default")]
    pub pauses: IndexMap<String, TimeSpan>,
    /// Bounds that are checked in every run.
    #[serde(default, deserialize_with = "or_default")]
    pub expect: TranscriptExpectations,
}

/// Bounds for the requests of a transcript.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptExpectations {
    /// Bounds on the tokens of all requests, by strategy.
    #[serde(default, deserialize_with = "or_default")]
    pub tokens: IndexMap<String, TokenBounds>,
}

/// Returns true for a map with this key and no mission.
fn is_keyed(node: &Node, wanted: &str) -> bool {
    let Node::Map(entries) = node else { return false };
    let mut names = entries.iter().map(|(name, _)| name);
    names.any(|name| name == wanted) && !entries.iter().any(|(name, _)| name == "mission")
}

/// Returns true for a parsed transcript.
pub fn is_transcript(node: &Node) -> bool {
    is_keyed(node, "messages")
}

/// Returns true for a JSON line with a transcript. Skips the values, since the line may be long.
pub fn is_line(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Keys {
        messages: Option<IgnoredAny>,
        mission: Option<IgnoredAny>,
    }
    serde_json::from_str::<Keys>(text).is_ok_and(|keys| keys.messages.is_some() && keys.mission.is_none())
}

/// Returns true for a scenario file with the path of a transcript.
pub fn names_transcript(node: &Node) -> bool {
    is_keyed(node, "transcript")
}

impl Loader<'_> {
    /// Parses the text as a transcript and makes a scenario of it.
    pub fn transcript(&mut self) -> Result<Scenario, Problem> {
        let transcript: Transcript = self.document.parse_json(SCHEMA_HELP)?;
        Ok(self.of_conversation(&transcript))
    }

    /// Makes a scenario of a conversation.
    pub fn of_conversation(&mut self, transcript: &Transcript) -> Scenario {
        let file = TranscriptScenarioFile { name: transcript.name.clone(), ..Default::default() };
        let name = match &self.source.name {
            // The file's path gives the name; the name in the transcript is the log's.
            Some(_) => self.name(None),
            None => self.name(file.name.as_deref()),
        };
        self.of_log(&file, name, transcript)
    }

    /// Makes a scenario of a scenario file with the path of a transcript.
    pub fn of_transcript_file(&mut self, file: &TranscriptScenarioFile) -> Scenario {
        let name = self.name(file.name.as_deref());
        let transcript = match self.read_transcript(&file.transcript) {
            Ok(transcript) => transcript,
            Err(problem) => {
                self.problems.push(problem);
                Transcript::default()
            }
        };
        self.of_log(file, name, &transcript)
    }

    fn read_transcript(&self, path: &str) -> Result<Transcript, Problem> {
        let read = data_files::read_text(&self.suite.root, &self.source.folder, path);
        let (file, text) =
            read.map_err(|refused| refused.into_problem(&self.document, &trail!["transcript"]))?;
        Document::new(&data_files::display(&file), &text).parse_json(SCHEMA_HELP)
    }

    fn of_log(&mut self, file: &TranscriptScenarioFile, name: String, transcript: &Transcript) -> Scenario {
        let mut logged = LoggedConversation::new(transcript, self.suite.image_tokens, self.suite.pause);
        if !file.pauses.is_empty() {
            logged.conversation.pauses = Arc::new(self.load_pauses(&file.pauses));
        }
        let images = transcript.messages.iter().map(|message| u64::from(message.images));
        let turns = logged.conversation.turns.len();
        let mut needs = vec![Vec::new(); turns];
        for (turn, wanted) in file.needs.iter() {
            let index = turn.parse::<usize>().ok().and_then(|turn| turn.checked_sub(1));
            match index.and_then(|index| needs.get_mut(index)) {
                Some(needs) => needs.clone_from(wanted),
                None => self.no_turn(&trail!["needs", turn], turn, turns),
            }
        }
        for turn in file.pauses.keys().filter(|turn| turn.parse().is_ok_and(|turn: usize| turn > turns)) {
            self.no_turn(&trail!["pauses", turn], turn, turns);
        }
        for (strategy, _) in file.expect.tokens.iter() {
            self.check_strategy_key(&trail!["expect", "tokens", strategy], strategy);
        }
        Scenario {
            name,
            origin: Origin { path: self.source.path.clone(), line: self.source.line },
            file: self.suite.place_of(&self.source.path),
            description: file.description.as_deref().map(one_line),
            tags: file.tags.clone(),
            content: Content::Log(Arc::new(logged)),
            compression: self.load_compression(file.compression.as_ref()),
            needs,
            expect: Expectations { tokens: file.expect.tokens.clone(), ..Expectations::default() },
            bills: self.suite.bills.then(|| read_bills(transcript, &self.suite.known.prices)).flatten(),
            answered_by: models_of_answers(transcript),
            uncounted_images: if self.suite.image_tokens == 0 { images.sum() } else { 0 },
            warnings: Vec::new(),
        }
    }

    fn no_turn(&mut self, at: &[Step], turn: &str, turns: usize) {
        let help = format!("the transcript has {turns} turns");
        self.key_error(at, format!("there is no turn {turn}"), &help);
    }
}

const SCHEMA_HELP: &str = "`ptc-eval import` makes transcripts of other logs; `ptc-eval generate schema transcript` describes the format";
