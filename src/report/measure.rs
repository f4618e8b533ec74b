//! What each request of a scenario measures: numbers and names, no texts. Pure, so that it runs where the
//! scenario was replayed, and small, so that texts can be dropped.

use std::fmt;
use std::str::FromStr;

use ecow::EcoString;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::evidence::{Evidence, Witness, demands};
use super::messages::{DistinctMessages, Place};
use crate::agent::{Ending, Message, Part, Role};
use crate::compression::Statistics;
use crate::replay::{Failure, Request, ScenarioResult};
use crate::tokens::{
    Bill, Counted, Ledger, MESSAGE_OVERHEAD, Price, REQUEST_OVERHEAD, Sent, Tokenizer, common_bytes,
};

/// What requests are measured with.
pub struct Gauges<'g> {
    pub tokenizer: &'g Tokenizer,
    /// The models to cost the runs with.
    pub models: &'g [Price],
}

/// The measures of one scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub name: String,
    /// `return`, `fail`, or the kind of the error that ended the run.
    pub outcome: String,
    /// Expectations that do not hold, those about tokens included.
    pub failures: Vec<Failure>,
    /// The strategy that the agent itself would run under.
    pub compression: Option<String>,
    /// Of each turn's raw response; the same under every strategy.
    pub output_tokens: Vec<u32>,
    /// Where each distinct message is found; requests name them by their index.
    pub messages: Vec<Place>,
    /// In the order of the suite.
    pub strategies: Vec<MeasuredRun>,
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
    /// Indexes of the scenario's distinct messages.
    pub messages: Vec<u32>,
    /// All messages, with what the chat format adds.
    pub input_tokens: u32,
    pub output_tokens: u32,
    /// Tokens at the start that the request before began with too.
    pub prefix_tokens: u32,
    pub break_at: BreakAt,
    pub evidence: Evidence,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// Whether a chat model would take it.
    pub valid: bool,
    /// The ten of every request (S4-15).
    #[serde(rename = "stats")]
    pub statistics: Statistics,
    /// One a model, in the order of the models at the top.
    pub bills: Vec<Bill>,
}

/// Where a request first differs from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakAt {
    /// It goes on where the one before ended, or is the first.
    Nowhere,
    Part(Part),
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
        let part = Part::ALL.into_iter().find(|part| part.name() == text).map(BreakAt::Part);
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

/// The measures of a scenario's requests under every strategy.
pub fn measure(result: &ScenarioResult, gauges: &Gauges<'_>) -> Measured {
    let (distinct, numbers, places) = DistinctMessages::of(result);
    let contents: Vec<&str> = distinct.messages.iter().map(|message| message.content.as_str()).collect();
    let turns = result.step.turns.turns();
    let responses: Vec<&str> = turns.iter().map(|turn| turn.raw_response.as_str()).collect();
    let output_tokens = gauges.tokenizer.count_all(&responses);
    let mut scale = Scale {
        gauges,
        counted: gauges.tokenizer.count_all(&contents),
        distinct: &distinct,
        demands: demands(result),
        witness: Witness::new(&distinct),
        output_tokens: output_tokens.iter().map(Counted::tokens).collect(),
        mission: &result.scenario.agent.mission,
    };
    let runs = result.strategies.iter().zip(numbers);
    let strategies = runs.map(|(run, numbers)| MeasuredRun {
        name: run.name.clone(),
        requests: scale.run(&run.requests, numbers),
    });
    let strategies: Vec<MeasuredRun> = strategies.collect();
    let failures = result.failures.iter().cloned().chain(over_bounds(result, &strategies));
    Measured {
        name: result.scenario.name.clone(),
        outcome: outcome(&result.step.ending),
        failures: failures.collect(),
        compression: result.scenario.compression.as_ref().map(|own| own.strategy.clone()),
        output_tokens: scale.output_tokens,
        messages: places,
        strategies,
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
    /// Whether it has more input tokens than the baseline's on the same turn (S4-17).
    pub fn is_larger(&self, baseline: &MeasuredRequest) -> bool {
        self.input_tokens > baseline.input_tokens
    }
}

/// Bounds of the scenario's `expect.tokens` that do not hold; strategies that did not run have none.
fn over_bounds(result: &ScenarioResult, runs: &[MeasuredRun]) -> Vec<Failure> {
    let bounds = result.scenario.expect.tokens.iter();
    let failures = bounds.filter_map(|(strategy, bounds)| {
        let most = bounds.max_total?;
        let found = runs.iter().find(|run| *run.name == **strategy)?.input_tokens();
        (found > most).then(|| Failure {
            what: format!("tokens.{strategy}.max_total"),
            expected: format!("at most {most}"),
            found: found.to_string(),
        })
    });
    failures.collect()
}

fn outcome(ending: &Ending) -> String {
    match ending {
        Ending::Return(_) => "return".to_owned(),
        Ending::Fail(_) => "fail".to_owned(),
        Ending::Error(error) => error.kind.to_string(),
    }
}

/// What all requests of a scenario are measured with.
struct Scale<'m> {
    gauges: &'m Gauges<'m>,
    /// Of each distinct message.
    counted: Vec<Counted>,
    distinct: &'m DistinctMessages<'m>,
    demands: Vec<super::evidence::Demand>,
    witness: Witness<'m>,
    output_tokens: Vec<u32>,
    mission: &'m str,
}

impl Scale<'_> {
    fn run(&mut self, requests: &[Request], numbers: Vec<Vec<u32>>) -> Vec<MeasuredRequest> {
        let mut ledgers: Vec<Ledger<'_>> = self.gauges.models.iter().map(Ledger::new).collect();
        let mut before: Option<Vec<u32>> = None;
        let mut measured = Vec::with_capacity(requests.len());
        for (index, (request, messages)) in requests.iter().zip(numbers).enumerate() {
            let (prefix_tokens, break_at) = match &before {
                Some(before) => self.prefix(before, &messages),
                None => (0, BreakAt::Nowhere),
            };
            let sizes: Vec<(u32, u32)> =
                messages.iter().map(|&message| (message, self.size(message))).collect();
            let sizes_sum = sizes.iter().map(|(_, size)| *size).fold(0, u32::saturating_add);
            let input_tokens = sizes_sum.saturating_add(REQUEST_OVERHEAD);
            let output_tokens = self.output_tokens.get(index).copied().unwrap_or_default();
            let sent = Sent { messages: &sizes, prefix_tokens, input_tokens, output_tokens };
            before = Some(messages.clone());
            measured.push(MeasuredRequest {
                turn: request.turn,
                evidence: self.evidence(index, &messages),
                messages,
                input_tokens,
                output_tokens,
                prefix_tokens,
                break_at,
                hidden_tool_calls: request.hidden_tool_calls,
                valid: is_valid(&request.messages, self.mission),
                statistics: request.statistics.clone(),
                bills: ledgers.iter_mut().map(|ledger| ledger.charge(sent)).collect(),
            });
        }
        measured
    }

    /// Tokens of a message, with what the chat format adds to it.
    fn size(&self, message: u32) -> u32 {
        let tokens = self.counted.get(message as usize).map_or(0, Counted::tokens);
        tokens.saturating_add(MESSAGE_OVERHEAD)
    }

    fn evidence(&mut self, turn: usize, messages: &[u32]) -> Evidence {
        match self.demands.get(turn) {
            Some(demand) => self.witness.examine(messages, demand),
            None => Evidence::default(),
        }
    }

    /// What two requests share at their start, and where the later one first differs.
    fn prefix(&self, before: &[u32], after: &[u32]) -> (u32, BreakAt) {
        let equal = before.iter().zip(after).take_while(|(before, after)| before == after).count();
        let whole = after.iter().take(equal).map(|&message| self.size(message)).fold(0, u32::saturating_add);
        let number = |numbers: &[u32]| numbers.get(equal).copied();
        let message = |number: u32| self.distinct.get(number);
        let (Some(old), Some(new)) = (number(before), number(after).and_then(message)) else {
            return (whole, BreakAt::Nowhere);
        };
        let (Some(counted), Some(old)) = (self.counted.get(old as usize), message(old)) else {
            return (whole, BreakAt::Nowhere);
        };
        if old.role != new.role {
            return (whole, break_at(new, 0, equal));
        }
        let shared = self.gauges.tokenizer.shared_with(counted, &old.content, &new.content);
        let difference = common_bytes(&old.content, &new.content);
        (whole.saturating_add(shared), break_at(new, difference, equal))
    }
}

/// The part of a message in which this byte lies, or the message's number.
fn break_at(message: &Message, byte: usize, index: usize) -> BreakAt {
    let within = message.parts.iter().take_while(|(_, start)| *start as usize <= byte).last();
    match within {
        Some((part, _)) => BreakAt::Part(*part),
        None => BreakAt::Message(index as u32 + 1),
    }
}

/// Whether the user begins and ends the talk, no two assistant messages follow each other, none is empty,
/// and the mission is there.
fn is_valid(messages: &[Message], mission: &str) -> bool {
    let talk: Vec<&Message> = messages.iter().skip_while(|message| message.role == Role::System).collect();
    let is_user = |message: Option<&&Message>| message.is_some_and(|message| message.role == Role::User);
    let twice = talk.windows(2).any(|pair| pair.iter().all(|message| message.role == Role::Assistant));
    let empty = messages.iter().any(|message| message.content.trim().is_empty());
    let has_mission =
        talk.iter().any(|message| message.role == Role::User && message.content.contains(mission));
    is_user(talk.first()) && is_user(talk.last()) && !twice && !empty && has_mission
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(texts: &[(Role, &str)]) -> Vec<Message> {
        texts.iter().map(|&(role, text)| Message::new(role, text)).collect()
    }

    #[test]
    fn requests_that_a_chat_model_would_refuse() {
        use Role::{Assistant, System, User};
        let cases: [(&[(Role, &str)], bool); 7] = [
            (&[(System, "s"), (User, "do it")], true),
            (&[(System, "s"), (User, "do it"), (Assistant, "a"), (User, "u"), (User, "v")], true),
            (&[(System, "s"), (User, "do it"), (Assistant, "a"), (Assistant, "b"), (User, "u")], false),
            (&[(System, "s"), (Assistant, "a"), (User, "do it")], false),
            (&[(System, "s"), (User, "do it"), (Assistant, "a")], false),
            (&[(System, "s"), (User, "do it"), (User, "")], false),
            (&[(System, "do it"), (User, "what?")], false),
        ];
        for (index, (texts, expected)) in cases.into_iter().enumerate() {
            assert_eq!(is_valid(&messages(texts), "do it"), expected, "case {index}");
        }
    }

    #[test]
    fn a_difference_lies_in_the_part_that_began_last() {
        let parts = [(Part::Mission, 2), (Part::User, 10)];
        let message = Message { parts: parts.into(), ..Message::new(Role::User, "# mission\n\nuser") };
        assert_eq!(break_at(&message, 0, 3), BreakAt::Message(4));
        assert_eq!(break_at(&message, 9, 3), BreakAt::Part(Part::Mission));
        assert_eq!(break_at(&message, 10, 3).to_string(), "user");
    }
}
