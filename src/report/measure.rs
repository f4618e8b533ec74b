//! Measures of requests: numbers and names, no texts.

use std::fmt;
use std::str::FromStr;

use ecow::EcoString;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::evidence::Evidence;
use crate::agent::{Message, MessagePart};
use crate::compression::Statistics;
use ptc_tokens::{Bill, Price, Tokenizer};

/// Tokenizer and prices for measuring requests.
pub struct Gauges<'g> {
    pub tokenizer: &'g Tokenizer,
    /// The models to cost the runs with.
    pub models: &'g [Price],
}

/// The measures of one strategy's requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "strategy of a scenario")]
pub struct MeasuredRun {
    #[schemars(with = "String")]
    pub name: EcoString,
    pub requests: Vec<MeasuredRequest>,
}

/// The measures of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "request")]
pub struct MeasuredRequest {
    /// From 1.
    pub turn: u32,
    pub messages: RequestMessages,
    /// All messages, with what the chat format adds.
    pub input_tokens: u32,
    pub output_tokens: u32,
    /// Tokens at the start that the request before began with too.
    pub prefix_tokens: u32,
    pub break_at: BreakAt,
    pub evidence: Evidence,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// True if a chat model accepts it.
    pub valid: bool,
    /// The ten of every request (S4-15).
    #[serde(rename = "stats")]
    pub statistics: Statistics,
    /// One a model, in the order of the models at the top.
    pub bills: Vec<Bill>,
}

/// The messages of a request: the first ones of the request before, then others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "messages of a request")]
pub struct RequestMessages {
    /// Number of the messages that the request before begins with too.
    pub kept: u32,
    /// Indexes of the scenario's distinct messages.
    pub added: Vec<u32>,
}

/// Place of the first difference between a request and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakAt {
    /// It goes on where the one before ended, or is the first.
    Nowhere,
    Part(MessagePart),
    /// The number of a message without parts, from 1.
    Message(u32),
}

/// `none`, the name of a part, or the number of a message.
impl fmt::Display for BreakAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BreakAt::Nowhere => f.write_str("none"),
            BreakAt::Part(part) => f.write_str(part.name()),
            BreakAt::Message(number) => write!(f, "{number}"),
        }
    }
}

impl FromStr for BreakAt {
    type Err = String;

    fn from_str(text: &str) -> Result<BreakAt, String> {
        if text == BreakAt::Nowhere.to_string() {
            return Ok(BreakAt::Nowhere);
        }
        let part = MessagePart::ALL.into_iter().find(|part| part.name() == text).map(BreakAt::Part);
        let number = || text.parse().ok().map(BreakAt::Message);
        part.or_else(number).ok_or_else(|| format!("expected a part or a message's number, found '{text}'"))
    }
}

impl Serialize for BreakAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BreakAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BreakAt, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for BreakAt {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "BreakAt".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "where a request first differs from the one before: `none`, the name of a part, or the number of a message without parts",
            "type": "string",
        })
    }
}

impl RequestMessages {
    pub fn count(&self) -> usize {
        self.kept as usize + self.added.len()
    }
}

impl MeasuredRun {
    /// Of all its requests.
    pub fn input_tokens(&self) -> u64 {
        self.requests.iter().map(|request| u64::from(request.input_tokens)).sum()
    }

    /// Its tokens as a multiple of the baseline's; none where one of the two did not send as many requests.
    pub fn ratio(&self, baseline: &MeasuredRun) -> Option<f64> {
        let comparable = !self.requests.is_empty() && self.requests.len() == baseline.requests.len();
        comparable.then(|| self.input_tokens() as f64 / baseline.input_tokens().max(1) as f64)
    }

    /// The share of what an answer needed on the worst turn; none without requests.
    pub fn evidence_min(&self) -> Option<f64> {
        self.requests.iter().map(|request| request.evidence.share()).reduce(f64::min)
    }

    /// Requests that are larger than the baseline's on the same turn.
    pub fn larger_requests(&self, baseline: &MeasuredRun) -> usize {
        let both = self.requests.iter().zip(&baseline.requests);
        both.filter(|(own, rival)| own.is_larger(rival)).count()
    }
}

impl MeasuredRequest {
    /// Returns true if it has more input tokens than the baseline's on the same turn (S4-17).
    pub fn is_larger(&self, baseline: &MeasuredRequest) -> bool {
        self.input_tokens > baseline.input_tokens
    }
}

impl BreakAt {
    /// The part of a message in which this byte lies, or the message's number.
    pub(super) fn within(message: &Message, byte: usize, index: usize) -> BreakAt {
        let within = message.parts.iter().take_while(|(_, start)| *start as usize <= byte).last();
        match within {
            Some((part, _)) => BreakAt::Part(*part),
            None => BreakAt::Message(index as u32 + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Role;

    #[test]
    fn a_difference_lies_in_the_part_that_began_last() {
        let parts = [(MessagePart::Mission, 2), (MessagePart::User, 10)];
        let message = Message { parts: parts.into(), ..Message::new(Role::User, "# mission\n\nuser") };
        assert_eq!(BreakAt::within(&message, 0, 3), BreakAt::Message(4));
        assert_eq!(BreakAt::within(&message, 9, 3), BreakAt::Part(MessagePart::Mission));
        assert_eq!(BreakAt::within(&message, 10, 3).to_string(), "user");
    }
}
