//! Measures of requests: numbers and names, no texts.

use ecow::EcoString;
use serde::{Deserialize, Serialize, Serializer};

use super::evidence::Evidence;
use super::numbers::add_by_model;
use super::rework::Rework;
use crate::compression::Statistics;
use conversation::Extension;
use conversation_bills::{BreakAt, DatedPrices, MeasuredCall};
use history_strategies::Requests;
use ptc_prices::{Bill, Money, OtherCosts, Price};
use ptc_tokens::Tokenizer;

/// Tokenizer and prices for measuring requests.
#[derive(Clone, Copy)]
pub struct Gauges<'g> {
    pub tokenizer: &'g Tokenizer,
    /// The models to compute costs for.
    pub models: &'g [Price],
    /// Prices of the models in the log, used in the first column for the answers they gave. `None` to use the first model for
    /// all answers.
    pub logged: Option<&'g DatedPrices>,
    /// True if SYSTEM and the tool declarations are cached before each run.
    pub warm_system: bool,
}

/// The measures of one strategy's requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredRun {
    pub name: EcoString,
    /// Each is written as a list, with its values in the order of [`REQUEST`].
    pub requests: Vec<MeasuredRequest>,
    /// One entry per model, in the order of the models at the top of the file.
    pub other_costs: Vec<OtherCosts>,
    /// True if a request shows a native tool call of the log as text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewrites_calls: bool,
    /// Results the agent fetched again. Only for the as-recorded run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rework: Option<Rework>,
    /// The strategy's own model calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<MeasuredCall>,
    /// Minimum number of answers lacking a fact, over all possible texts of those calls. `None` if the texts are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_short: Option<u32>,
    /// The run with each of several texts of live models for those calls; the first is this run. Empty if there is only one
    /// text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<TextSample>,
}

/// Costs of a run with one of several texts, and its answers lacking a fact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextSample {
    pub short: u32,
    /// One entry per model, in the order of the models at the top of the file.
    pub costs: Vec<Money>,
}

/// The measures of one request. Deserialized from a list in the order of the fields.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MeasuredRequest {
    /// From 1.
    pub turn: u32,
    pub messages: Extension,
    /// All messages, including the overhead of the chat format.
    pub input_tokens: u32,
    pub output_tokens: u32,
    /// Tokens of the prefix shared with the previous request.
    pub prefix_tokens: u32,
    pub break_at: BreakAt,
    pub evidence: Evidence,
    /// Calls of all earlier turns, including failed ones, missing from the request.
    pub hidden_tool_calls: u32,
    /// True if a chat API accepts the request.
    pub valid: bool,
    /// The values of [`STATISTICS`].
    pub statistics: Statistics,
    /// One entry per model, in the order of the models at the top of the file.
    pub bills: Vec<Bill>,
}

/// Names of the values in a request's list, in order. A list takes a third of the space of an object.
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
/// Names of the values in the list of statistics, in order.
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
/// Names of the values in the list of each bill, in order.
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

impl MeasuredRun {
    /// The measures of another strategy with the same requests.
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
    /// Counts answers that lack a fact, and sums up costs.
    pub fn of_run(run: &MeasuredRun) -> TextSample {
        let mut sample = TextSample::default();
        for request in &run.requests {
            sample.short += u32::from(request.evidence.lacks_fact());
            add_by_model(&mut sample.costs, request.bills.iter().map(|bill| bill.cost));
        }
        sample
    }
}

impl MeasuredRun {
    /// Input tokens of all requests.
    pub fn input_tokens(&self) -> u64 {
        self.requests.iter().map(|request| u64::from(request.input_tokens)).sum()
    }

    /// Tokens of the largest request.
    pub fn largest(&self) -> u32 {
        self.requests.iter().map(|request| request.input_tokens).max().unwrap_or(0)
    }

    /// Number of requests with more than `tokens` tokens.
    pub fn larger_than(&self, tokens: u32) -> u64 {
        self.requests.iter().filter(|request| request.input_tokens > tokens).count() as u64
    }

    /// The shown share of the needed facts in the worst turn. `None` if no answer needs a fact.
    pub fn evidence_min(&self) -> Option<f64> {
        self.requests.iter().filter_map(|request| request.evidence.share()).reduce(f64::min)
    }
}

impl MeasuredRequest {
    /// Returns true if it has more input tokens than the baseline's request for the same turn.
    pub fn is_larger(&self, baseline: &MeasuredRequest) -> bool {
        self.input_tokens > baseline.input_tokens
    }
}
