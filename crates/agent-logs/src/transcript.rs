//! The neutral format: recorded conversations of any agent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::time::LogTime;

/// `TranscriptSource::format` of PTC-Lisp journals.
pub(crate) const JOURNAL: &str = "ptc-journal";

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
    /// Times at which the agent shortened its history, in order.
    #[serde(default, deserialize_with = "with_ranges", skip_serializing_if = "Vec::is_empty")]
    pub compactions: Vec<TranscriptCompaction>,
    /// Success of the run, if the log says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TranscriptOutcome>,
    /// By index of the answer: the first line of the system prompt that its request changed, as it was before. Known only from logs of
    /// requests; `system` is the last prompt.
    #[serde(skip)]
    pub system_changes: BTreeMap<usize, String>,
    /// A program's evaluation, to be replayed.
    #[serde(skip)]
    pub evaluation: Option<Box<RecordedEvaluation>>,
}

/// A program's evaluation: the parts missing from the transcript's messages.
#[derive(Clone, Debug, Default)]
pub struct RecordedEvaluation {
    /// The preludes of its environment, in order.
    pub preludes: Vec<String>,
    pub program: String,
    /// Everything it printed, if logged.
    pub prints: Option<Vec<String>>,
    /// Messages sent to models afterwards.
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
    /// True for a conversation that another agent began with a call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_subagent: bool,
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
    /// True for a file or an instruction that the agent added again after a compaction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reinjected: bool,
    /// When its request was sent, for an assistant message; when it came, for any other. A log that only has the end of an
    /// answer is taken to have sent its request right after the message before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<LogTime>,
    /// Seconds from the request of an assistant message to the end of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Billed tokens of an assistant message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
}

impl TranscriptMessage {
    pub(crate) fn is_answer(&self) -> bool {
        self.role == TranscriptRole::Assistant
    }

    /// End time of the message. For an answer: its request time plus its duration.
    pub fn ended(&self) -> Option<LogTime> {
        let milliseconds = self.duration.unwrap_or(0.0) * 1000.0;
        self.time.map(|time| time.after(milliseconds))
    }
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
    /// Those of them that the cache keeps for an hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_1h_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Output tokens of reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The service tier that multiplies the price, such as `fast`, `priority`, `flex` or `batch`. None if it is
    /// standard or not logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The region of the model, if logged, such as `us`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geography: Option<String>,
    /// Web searches by the provider, which are billed each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_searches: Option<u64>,
    /// Uses of other tools that the provider runs and bills each: `file_search`, `code_session` (a container), `web_search_preview`,
    /// `grounded_prompt`, `x_search`, `code_call`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_tools: BTreeMap<String, u64>,
    /// Calls that the provider made for this answer and billed beside it: earlier passes, and an adviser.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<TranscriptUsage>,
    /// The conversation that this bill belongs to, if the message is a copy: a fork or a subagent sends it again, and nothing is
    /// billed for it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<String>,
    /// The identifier of the call, equal in all copies of its answer.
    #[serde(skip)]
    pub call: Option<String>,
    /// A second identifier of the call: its id within a conversation copied under another id, or its time.
    #[serde(skip)]
    pub copy_of: Option<String>,
    /// The provider's own reason for input that it did not read from its cache: `model_changed`, `system_changed`,
    /// `tools_changed`, `messages_changed`, `previous_message_not_found`, `unavailable`; `none` for no miss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_miss: Option<String>,
}

/// The most tokens of a bill, a trillion.
pub(crate) const MOST_TOKENS: u64 = 1_000_000_000_000;

impl TranscriptUsage {
    /// Normalizes token counts to totals. Some logs count the cache outside the input, and reasoning outside the output; others count them
    /// inside. A part larger than its total must be outside, and `total` settles the other cases.
    pub(crate) fn with_whole_sums(mut self, total: Option<u64>) -> TranscriptUsage {
        let cached = self.cached_tokens.unwrap_or(0).saturating_add(self.cache_write_tokens.unwrap_or(0));
        let (output, reasoning) = (self.output_tokens.unwrap_or(0), self.reasoning_tokens.unwrap_or(0));
        if let Some(input) = self.input_tokens {
            let all = input.saturating_add(cached);
            let sum = all.saturating_add(output);
            let is_beside = total == Some(sum) || total == Some(sum.saturating_add(reasoning));
            if cached > input || is_beside {
                self.input_tokens = Some(all);
            }
        }
        if self.output_tokens.is_some() {
            let all = output.saturating_add(reasoning);
            let is_beside = match self.input_tokens {
                Some(input) => total == Some(input.saturating_add(all)),
                None => false,
            };
            if reasoning > output || is_beside {
                self.output_tokens = Some(all);
            }
        }
        self
    }

    /// Returns true for more tokens than a call can have. Sums of such counts would overflow.
    fn is_impossible(&self) -> bool {
        let counts = [
            self.input_tokens,
            self.cached_tokens,
            self.cache_write_tokens,
            self.cache_write_1h_tokens,
            self.output_tokens,
            self.reasoning_tokens,
        ];
        counts.into_iter().flatten().any(|tokens| tokens > MOST_TOKENS)
            || self.beside.iter().any(TranscriptUsage::is_impossible)
    }

    /// Adds another bill, such as that of another part of the run.
    pub(crate) fn add_usage(&mut self, other: &TranscriptUsage) {
        for (own, other) in [
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.cached_tokens, other.cached_tokens),
            (&mut self.cache_write_tokens, other.cache_write_tokens),
            (&mut self.cache_write_1h_tokens, other.cache_write_1h_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.reasoning_tokens, other.reasoning_tokens),
        ] {
            *own = match (*own, other) {
                (Some(own), Some(other)) => Some(own.saturating_add(other)),
                (own, other) => own.or(other),
            };
        }
        self.cost = match (self.cost, other.cost) {
            (Some(own), Some(other)) => Some(own + other),
            (own, other) => own.or(other),
        };
        // A sum over several models has no single model.
        if self.model != other.model {
            self.model = None;
        }
    }

    /// The sum of the bills, or `None` if there are none.
    pub(crate) fn sum(bills: impl IntoIterator<Item = TranscriptUsage>) -> Option<TranscriptUsage> {
        let mut bills = bills.into_iter();
        let mut sum = bills.next()?;
        for bill in bills {
            sum.add_usage(&bill);
        }
        Some(sum)
    }
}

/// A time at which the agent shortened its history.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TranscriptCompaction {
    /// Index in `messages`, from 0. The requests of this message and of later ones are shortened.
    pub before: usize,
    pub kind: CompactionKind,
    /// Messages left out of the later requests, with those left out earlier: sorted ranges of indices, both ends
    /// included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<[usize; 2]>,
    /// Text that replaces the last range, or each cleared content. None if it is not logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Tokens of the text, if only its size is logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The cause, such as `auto` or `manual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger: Option<String>,
    /// Time in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Tokens of the request before, as the agent counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Billed tokens of the call that wrote the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
    /// The messages before `before` in the first shortened request, in order, if the log has this request. All other messages
    /// before `before` are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<Vec<SentPart>>,
    /// The system prompt from here on, if it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
}

/// A part of a logged request.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SentPart {
    /// The number of messages kept from the start of the previous request and its answer. Only valid as the first part.
    Same(usize),
    /// Messages of the conversation: a range of indices, both ends included.
    Range([usize; 2]),
    /// A message missing from the conversation.
    Message(Box<TranscriptMessage>),
}

impl SentPart {
    /// Appends a message index, extending the last range if it is adjacent.
    pub(super) fn push_index(parts: &mut Vec<SentPart>, index: usize) {
        match parts.last_mut() {
            Some(SentPart::Range([_, end])) if index == *end + 1 => *end = index,
            _ => parts.push(SentPart::Range([index, index])),
        }
    }
}

/// How an agent shortened its history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CompactionKind {
    /// A text replaces the messages.
    #[default]
    Summary,
    /// The messages stay without their content.
    Clear,
    /// The messages are gone.
    Drop,
    /// Text encrypted by the provider replaces them.
    Opaque,
    /// No message is gone: their order changed, or messages were inserted.
    Rewrite,
}

impl TranscriptCompaction {
    /// Returns true if requests lack the message at this index.
    pub fn removes(&self, index: usize) -> bool {
        let after = self.removed.partition_point(|[start, _]| *start <= index);
        match self.removed[..after].last() {
            Some([_, end]) => index <= *end,
            None => false,
        }
    }

    /// The indices of the removed messages, in order. The conversation may have fewer messages.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.removed.iter().flat_map(|[start, end]| *start..=*end)
    }
}

/// Deserializes compactions. Ranges must be sorted and end before the compaction.
fn with_ranges<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TranscriptCompaction>, D::Error> {
    let compactions = Vec::<TranscriptCompaction>::deserialize(deserializer)?;
    for (number, compaction) in compactions.iter().enumerate() {
        let mut least = 0;
        for [start, end] in &compaction.removed {
            if *start < least || end < start || *end >= compaction.before {
                let message = format!(
                    "compactions[{number}] removes [{start}, {end}]: expected ranges in order, all before message {}",
                    compaction.before
                );
                return Err(D::Error::custom(message));
            }
            least = end + 1;
        }
        for part in compaction.sent.iter().flatten() {
            let SentPart::Range([start, end]) = part else { continue };
            if end < start || *end >= compaction.before {
                let message = format!(
                    "compactions[{number}] sends [{start}, {end}]: expected a range before message {}",
                    compaction.before
                );
                return Err(D::Error::custom(message));
            }
        }
    }
    Ok(compactions)
}

/// Collapses sorted indices into inclusive ranges.
pub fn to_ranges(indices: impl IntoIterator<Item = usize>) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for index in indices {
        match ranges.last_mut() {
            Some([_, end]) if index == *end + 1 => *end = index,
            _ => ranges.push([index, index]),
        }
    }
    ranges
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

/// Billed input tokens of a transcript's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Billed {
    pub input_tokens: u64,
    /// Turns without a bill, numbered from 1.
    pub unbilled: Vec<u32>,
}

impl Transcript {
    /// True for a PTC-Lisp journal. There the program made the calls, not the model.
    pub fn is_of_journal(&self) -> bool {
        match &self.source {
            Some(source) => source.format == JOURNAL,
            None => false,
        }
    }

    /// Removes bills with more tokens than a call can have. Returns true if there were any.
    pub(crate) fn drop_impossible_bills(&mut self) -> bool {
        let of_messages = self.messages.iter_mut().map(|message| &mut message.usage);
        let of_summaries = self.compactions.iter_mut().map(|compaction| &mut compaction.usage);
        let of_run = self.outcome.iter_mut().map(|outcome| &mut outcome.usage);
        let mut dropped = false;
        for usage in of_messages.chain(of_summaries).chain(of_run) {
            dropped |= usage.take_if(|usage| usage.is_impossible()).is_some();
        }
        dropped
    }

    /// The answers of the model, in order.
    pub fn answers(&self) -> impl Iterator<Item = &TranscriptMessage> {
        self.messages.iter().filter(|message| message.is_answer())
    }

    /// Billed input tokens of exactly this transcript's requests, or `None` if unknown or 0. If an answer has no bill, uses the bill of the
    /// run instead; if that is missing too, returns a partial sum and lists the turns in `unbilled`.
    pub fn billed(&self) -> Option<Billed> {
        let mut billed = self.billed_answers();
        if !billed.unbilled.is_empty()
            && let Some(input_tokens) = self.billed_run()
        {
            billed = Billed { input_tokens, unbilled: Vec::new() };
        }
        (billed.input_tokens > 0).then_some(billed)
    }

    /// The sum of the answers' bills. In a truncated log the last answer has none.
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

    /// The run's bill, unless it covers a different number of requests than the transcript has answers.
    fn billed_run(&self) -> Option<u64> {
        let outcome = self.outcome.as_ref()?;
        if let Some(requests) = outcome.requests
            && requests != self.answers().count() as u64
        {
            return None;
        }
        outcome.usage.as_ref()?.input_tokens
    }
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}
