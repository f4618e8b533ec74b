//! Transcripts: recorded conversations of any agent. A transcript is not executed, because its answers and
//! results are given. Readers turn the logs of other programs into this format, and everything else reads only it.

mod alternate;
mod check;
mod draft;
mod fingerprint;
mod grow;
mod json;
mod notes;
mod observations;
mod parts;
mod read;
mod readers;
mod recording;
mod repeats;
mod spill;
mod stream;
mod tallies;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use notes::{LogPlace, Note, Notes};
pub use observations::Observations;
pub use read::{ReadError, ReadOptions, read, read_within};
pub use readers::{FORMATS, LogFormat};
pub use recording::Recording;
pub use repeats::{Novelty, Repeats, hash_of};
pub use tallies::{Compactions, LateStarts, MissingCalls, Places, Tallies, UserObservations, grouped};

/// A recorded conversation.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "ptc-eval transcript")]
pub struct Transcript {
    /// Name of the scenario that the transcript becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Place of the log that it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<TranscriptSource>,
    /// The system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The tools that were declared to the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolDeclaration>,
    /// All messages but the system prompt, in order. Turn k is the k-th assistant message.
    pub messages: Vec<TranscriptMessage>,
    /// Success of the run, if the log says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TranscriptOutcome>,
    /// The evaluation of a program that the log holds, which can be replayed.
    #[serde(skip)]
    pub evaluation: Option<Box<RecordedEvaluation>>,
}

/// A program that was evaluated, and what the messages of its transcript do not hold.
#[derive(Clone, Debug, Default)]
pub struct RecordedEvaluation {
    /// The preludes of its environment, in order.
    pub preludes: Vec<String>,
    pub program: String,
    /// Everything that it printed, if the log says so.
    pub prints: Option<Vec<String>>,
    /// Answers of models before it.
    pub answers: Vec<String>,
    /// Messages to models after it.
    pub told: Vec<String>,
}

/// Place of the log that a transcript was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptSource {
    /// Name of the reader.
    pub format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Identifier of the conversation in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A tool as it was declared to the model.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolDeclaration {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of the arguments, as it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub parameters: Option<Box<RawValue>>,
}

/// One message of a transcript.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptMessage {
    pub role: TranscriptRole,
    /// Text; several parts are joined by line breaks, an image is the line `[image]`, a file `[file NAME]`.
    #[serde(default)]
    pub content: String,
    /// Calls of tools by the assistant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<TranscriptCall>,
    /// The `id` of the call that a message of the role `tool` answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// True if the tool failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// True for output of the environment that was sent with the role `user`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_observation: bool,
    /// Number of images and files in the content.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub images: u32,
    /// Billed tokens of an assistant message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
}

/// Author of a message in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TranscriptRole {
    User,
    Assistant,
    Tool,
}

/// One call of a tool by the assistant.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptCall {
    /// Unique in the transcript.
    pub id: String,
    pub name: String,
    /// Arguments as JSON, in the order of the log: an object, or the text itself if the model wrote no JSON.
    #[schemars(with = "serde_json::Value")]
    pub arguments: Box<RawValue>,
}

/// Tokens and cost that a provider billed for one assistant message.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptUsage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// All input tokens, those of caches included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Input tokens that were read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Input tokens that were written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Success of a recorded run.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptOutcome {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<f64>,
    /// Billed tokens of the whole run, where the log has no usage of each message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
    /// Number of requests that this usage was billed for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
}

/// The input tokens that were billed for answers of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Billed {
    pub input_tokens: u64,
    /// Numbers of the turns that they are not for, from 1.
    pub unbilled: Vec<u32>,
}

impl Transcript {
    /// The answers of the model, in order.
    pub fn answers(&self) -> impl Iterator<Item = &TranscriptMessage> {
        self.messages.iter().filter(|message| message.role == TranscriptRole::Assistant)
    }

    /// The input tokens that were billed for the requests of this transcript and no others.
    pub fn billed(&self) -> Option<Billed> {
        let billed = self.billed_answers();
        let of_run = || Some(Billed { input_tokens: self.billed_run()?, unbilled: Vec::new() });
        if billed.unbilled.is_empty() { Some(billed) } else { of_run().or(Some(billed)) }
            .filter(|billed| billed.input_tokens > 0)
    }

    /// The bills of the answers that have one. The last answer of a log that ends early has none.
    fn billed_answers(&self) -> Billed {
        let mut billed = Billed { input_tokens: 0, unbilled: Vec::new() };
        for (turn, answer) in (1..).zip(self.answers()) {
            match answer.usage.as_ref().and_then(|usage| usage.input_tokens).unwrap_or(0) {
                0 => billed.unbilled.push(turn),
                tokens => billed.input_tokens = billed.input_tokens.saturating_add(tokens),
            }
        }
        billed
    }

    /// The bill of the whole run, if it is for as many requests as there are answers.
    fn billed_run(&self) -> Option<u64> {
        let outcome = self.outcome.as_ref()?;
        let is_whole = outcome.requests.is_none_or(|requests| requests == self.answers().count() as u64);
        outcome.usage.as_ref().filter(|_| is_whole)?.input_tokens
    }
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}
