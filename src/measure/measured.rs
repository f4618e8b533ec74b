//! Measures of requests: numbers and names, no texts.

use std::fmt;
use std::str::FromStr;

use ecow::EcoString;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::evidence::Evidence;
use super::logged_prices::DatedPrices;
use super::numbers::add_by_model;
use super::rework::Rework;
use crate::agent::MessagePart;
use crate::compression::Statistics;
use conversation::Extension;
use history_strategies::Requests;
use ptc_prices::{Bill, Money, OtherCosts, Price};
use ptc_tokens::Tokenizer;

/// Tokenizer and prices for measuring requests.
#[derive(Clone, Copy)]
pub struct Gauges<'g> {
    pub tokenizer: &'g Tokenizer,
    /// The models to cost the runs with.
    pub models: &'g [Price],
    /// Prices by which answers of logs cost what the model that gave them costs, in the first column. None if the first
    /// of the models counts for all.
    pub logged: Option<&'g DatedPrices>,
    /// True if SYSTEM and the declared tools are cached before each run.
    pub warm_system: bool,
}

/// The measures of one strategy's requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRun {
    pub name: EcoString,
    /// Each as a list, its values in the order of [`REQUEST`].
    pub requests: Vec<MeasuredRequest>,
    /// One a model, in the order of the models at the top.
    pub other_costs: Vec<OtherCosts>,
    /// True if a request has tool calls of the log as text, which the model made natively.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewrites_calls: bool,
    /// Results that the agent fetched again; only of what happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rework: Option<Rework>,
    /// Calls of a model that the strategy made itself, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<MeasuredCall>,
    /// Answers that are short whatever a model writes for those calls; none if what it wrote is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_short: Option<u32>,
    /// The run with each of several texts that live models wrote for those calls; empty if there is one. The first is this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<TextSample>,
}

/// Short answers and costs of a run with one of several texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextSample {
    pub short: u32,
    /// One a model, in the order of the models at the top.
    pub costs: Vec<Money>,
}

/// The measures of a call of a model that a strategy made itself. Its cost is part of that of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCall {
    /// The turn after the request for which it was made.
    pub turn: u32,
    /// All messages, with what the chat format adds.
    pub input_tokens: u32,
    pub output_tokens: u32,
    /// One a model, in the order of the models at the top.
    pub bills: Vec<Bill>,
}

/// The measures of one request. It is read from a list in the order of the fields.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MeasuredRequest {
    /// From 1.
    pub turn: u32,
    pub messages: Extension,
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
    /// The ten of every request.
    pub statistics: Statistics,
    /// One a model, in the order of the models at the top.
    pub bills: Vec<Bill>,
}

/// Names of the values in the list of a request, in their order. A list takes a third of the room of an object.
pub const REQUEST: [&str; 11] = [
    "turn",
    "messages",
    "input_tokens",
    "output_tokens",
    "prefix_tokens",
    "break_at",
    "evidence",
    "hidden_tool_calls",
    "valid",
    "stats",
    "bills",
];
/// Names of the values in the list of its statistics, in their order.
pub const STATISTICS: [&str; 10] = [
    "enabled",
    "strategy",
    "turns_compressed",
    "tool_calls_total",
    "tool_calls_shown",
    "tool_calls_dropped",
    "printlns_total",
    "printlns_shown",
    "printlns_dropped",
    "error_turns_collapsed",
];
/// Names of the values in the list of each of its bills, in their order.
pub const BILL: [&str; 3] = ["cached_tokens", "written_tokens", "cost"];

impl Serialize for MeasuredRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let s = &self.statistics;
        let statistics = (
            s.enabled,
            &s.strategy,
            s.turns_compressed,
            s.tool_calls_total,
            s.tool_calls_shown,
            s.tool_calls_dropped,
            s.printlns_total,
            s.printlns_shown,
            s.printlns_dropped,
            s.error_turns_collapsed,
        );
        let bills = self.bills.iter().map(|bill| (bill.cached_tokens, bill.written_tokens, bill.cost));
        let row = (
            self.turn,
            &self.messages,
            self.input_tokens,
            self.output_tokens,
            self.prefix_tokens,
            self.break_at,
            &self.evidence,
            self.hidden_tool_calls,
            self.valid,
            statistics,
            bills.collect::<Vec<_>>(),
        );
        row.serialize(serializer)
    }
}

/// Place of the first difference between a request and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakAt {
    /// It goes on where the one before ended, ends within it, or is the first.
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

impl MeasuredRun {
    /// The measures of another strategy that sends the same requests.
    pub fn of_equal(&self, name: &EcoString, requests: &Requests) -> MeasuredRun {
        let mut run = self.clone();
        (run.name, run.rework, run.samples) = (name.clone(), None, Vec::new());
        for (measured, request) in run.requests.iter_mut().zip(requests.iter()) {
            measured.statistics = request.statistics.clone();
            measured.hidden_tool_calls = request.hidden_tool_calls;
        }
        run
    }
}

impl TextSample {
    /// The short answers and the costs of a run.
    pub fn of(run: &MeasuredRun) -> TextSample {
        let mut sample = TextSample::default();
        for request in &run.requests {
            sample.short += u32::from(request.evidence.is_short());
            add_by_model(&mut sample.costs, request.bills.iter().map(|bill| bill.cost));
        }
        sample
    }
}

impl MeasuredRun {
    /// Input tokens of all its requests.
    pub fn input_tokens(&self) -> u64 {
        self.requests.iter().map(|request| u64::from(request.input_tokens)).sum()
    }

    /// Tokens of its largest request.
    pub fn largest(&self) -> u32 {
        self.requests.iter().map(|request| request.input_tokens).max().unwrap_or(0)
    }

    /// Number of its requests that have more than this many tokens.
    pub fn larger_than(&self, tokens: u32) -> u64 {
        self.requests.iter().filter(|request| request.input_tokens > tokens).count() as u64
    }

    /// The share that is shown of what an answer needs, on the worst turn; none if no answer needs anything.
    pub fn evidence_min(&self) -> Option<f64> {
        self.requests.iter().filter_map(|request| request.evidence.share()).reduce(f64::min)
    }
}

impl MeasuredRequest {
    /// Returns true if it has more input tokens than the baseline's on the same turn.
    pub fn is_larger(&self, baseline: &MeasuredRequest) -> bool {
        self.input_tokens > baseline.input_tokens
    }
}
