//! The record of one scenario: everything that reports need, so any report can be written again without a
//! replay.

use std::fmt;

use ecow::EcoString;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::difference::ScenarioDifference;
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::recommend::Standing;
use super::texts::{Pieces, Texts};
use super::verdicts::SnapshotRecord;
use crate::agent::{Conversation, Ending, LoggedCall, LoggedTurn, Past, ProgramTurn, SystemPrompt, ToolCall};
use crate::compression::cut::shortened;
use crate::compression::{BASELINE, BrokenStrategy, RECORDED};
use crate::measure::MeasuredRun;
use crate::scenario::{Origin, Scenario};
use agent_logs::CompactionKind;
use conversation::Runs;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::json::{Encoder, from_json};
use ptc_lisp::memory::Definition;
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// Value of `outcome` for every logged conversation.
const LOGGED_OUTCOME: &str = "recorded";
/// Bytes of JSON for all values of a scenario together. A value with shared parts can be small in memory and
/// huge as text.
const VALUE_BYTES: usize = 16 << 20;
/// Characters kept of an expected text, of a found text and of a strategy's error.
const FAILURE_CHARACTERS: usize = 1 << 16;
/// Seconds of the shortest pause to store. Shorter pauses may be tool time, and no cache expires that soon.
const PAUSE: u64 = 60;
/// Items and characters kept of a definition's value; the same limits as in the feedback of a turn.
const VALUE_ITEMS: usize = 20;
const VALUE_CHARACTERS: usize = 500;

/// One scenario: its run and its measurements under every strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioRecord {
    pub name: String,
    /// Index among the evaluated scenarios, from 0.
    pub position: u64,
    pub origin: Origin,
    pub description: Option<String>,
    pub tags: Vec<String>,
    /// The agent's own strategy.
    pub compression: Option<String>,
    pub max_turns: u32,
    /// `return`, `fail`, the kind of the error, or `recorded` for a log.
    pub outcome: String,
    pub result: EndingRecord,
    /// Failed expectations.
    pub failures: Vec<FailureRecord>,
    /// The first turn that went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_turn: Option<WrongTurn>,
    /// Snapshots that differ from the accepted ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<SnapshotRecord>,
    /// Changes of the model's requests since the golden files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<ScenarioDifference>,
    /// User-defined strategies that failed and made no requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken_strategies: Vec<BrokenRecord>,
    /// The SYSTEM text, unless it is the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Equal for scenarios with the same answers and the same requests; `None` in reports of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Equal for scenarios with the same opening; `None` if the opening is too generic, and in reports of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Fingerprint>,
    /// Turn number and seconds before its request, for pauses of a minute or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<(u32, u64)>,
    /// Compactions in a log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compactions: Vec<CompactionRecord>,
    /// Histogram of answers by the age in turns of their oldest fact: age, count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ages: Vec<(u32, u32)>,
    /// Tokens of each turn's raw response, the same under every strategy.
    pub output_tokens: Vec<u32>,
    pub turns: Vec<TurnRecord>,
    /// Each distinct message once; requests refer to messages by index.
    pub texts: Texts,
    /// In the order of the suite.
    pub strategies: Vec<MeasuredRun>,
}

/// The value that ended the run, or its error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndingRecord {
    /// Of `return` and `fail`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Value")]
    pub value: Option<Json>,
    /// Of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A failed expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "failure")]
pub struct FailureRecord {
    /// The key below `expect:`, such as `value`, or an entry of `needs:`, such as `responses[2].needs[0]`.
    pub what: String,
    pub expected: String,
    pub found: String,
    /// Line of the expectation, from 1.
    pub line: u32,
    /// From 1, in code points.
    pub column: u32,
    /// True if an earlier turn went wrong. The expectation may hold once that turn is fixed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
}

/// The first turn that differs from the accepted run. Without an accepted run: the first that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wrong turn")]
pub struct WrongTurn {
    /// From 1.
    pub turn: u32,
    /// Its error, or the first differing part of the turn.
    pub what: String,
    /// Line of the answer or of its error in the file, from 1; only for a failed expectation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1, in code points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// A printed line about a failure.
pub struct FailureLine {
    pub text: String,
    pub of: LineOf,
}

impl FailureLine {
    /// Returns true for an expectation that fails after a turn went wrong.
    pub fn follows(&self) -> bool {
        matches!(self.of, LineOf::Expectation { follows: true, .. })
    }
}

/// The subject of a [`FailureLine`].
pub enum LineOf {
    /// A failed expectation.
    Expectation { what: String, follows: bool },
    /// The turn that went wrong.
    Turn,
}

/// A strategy that failed, and so made no requests in this scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "broken strategy")]
pub struct BrokenRecord {
    pub strategy: String,
    /// The turn before which it failed.
    pub turn: u32,
    /// With the place in its program.
    pub message: String,
}

/// A compaction: the agent shortened its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactionRecord {
    /// The turn whose request is the first shorter one.
    pub turn: u32,
    pub kind: CompactionKind,
}

/// The record of one turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// From 1.
    pub number: u32,
    pub raw_response: EcoString,
    pub program: EcoString,
    /// The value of the turn; for a failed turn, kind and message of its error.
    pub result: Json,
    /// Each print with its line break, as runs of pieces of the scenario's texts.
    pub prints: Vec<Runs>,
    pub tool_calls: Vec<CallRecord>,
    /// Definitions made by this turn.
    pub memory: Vec<DefinitionRecord>,
    pub success: bool,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    pub name: String,
    /// An object of named arguments, or a list of positional ones.
    pub arguments: Json,
    /// A string result, as runs of pieces of the scenario's texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<Runs>,
    /// Any other result.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// True if the call was made during the evaluation of a definition's value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
}

/// One definition of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionRecord {
    pub name: String,
    /// In PTC-Lisp syntax, truncated if long.
    pub value: String,
    pub docstring: Option<String>,
    pub turn: u32,
    pub return_type: Option<String>,
}

/// A PTC-Lisp value as raw JSON text, kept as written at any nesting depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl ScenarioRecord {
    /// Key of the runs of one task.
    pub fn task(&self) -> u64 {
        Fingerprint::task(self.opening, &self.name)
    }

    /// The record of an executed scenario, without measurements. `texts` holds its messages.
    pub fn new(
        scenario: &Scenario,
        conversation: &Conversation,
        position: u64,
        mut texts: Texts,
    ) -> ScenarioRecord {
        let past = conversation.past();
        let system = past.system_text();
        let mut values = Encoder::new(VALUE_BYTES);
        let result = EndingRecord::of(conversation, &mut values);
        let turns = TurnRecord::all(past, &mut texts.pieces, &mut values);
        ScenarioRecord {
            name: scenario.name.clone(),
            position,
            origin: Origin { path: scenario.file.clone(), line: scenario.origin.line },
            description: scenario.description.clone(),
            tags: scenario.tags.clone(),
            compression: scenario.compression.as_ref().map(|own| own.strategy.clone()),
            max_turns: past.max_turns(),
            outcome: outcome_name(conversation),
            result,
            failures: Vec::new(),
            wrong_turn: None,
            snapshots: Vec::new(),
            difference: None,
            broken_strategies: Vec::new(),
            system: (system != SystemPrompt::text()).then(|| system.to_string()),
            fingerprint: None,
            opening: None,
            pauses: list_pauses(past),
            compactions: list_compactions(conversation),
            ages: Vec::new(),
            output_tokens: Vec::new(),
            turns,
            texts,
            strategies: Vec::new(),
        }
    }

    /// Formats the failures, each with its place in the file at `path`: `scenarios/sum.yaml:9:3: value:
    /// expected 3, found 4`. Unexplained failures come first, then the turn that went wrong, then the
    /// failures that follow from it.
    pub fn failure_lines(&self, path: &str) -> impl Iterator<Item = FailureLine> {
        let (following, unexplained): (Vec<_>, Vec<_>) =
            self.failures.iter().partition(|failure| failure.follows);
        let wrong = self.wrong_turn.as_ref().filter(|_| !following.is_empty());
        let mut lines = Vec::with_capacity(self.failures.len() + 1);
        for failure in unexplained {
            lines.push(failure.line_at(path));
        }
        if let Some(wrong) = wrong {
            let text = match (wrong.line, wrong.column) {
                (Some(line), Some(column)) => format!("{path}:{line}:{column}: {wrong}"),
                _ => format!("{path}: {}: {wrong}", self.name),
            };
            lines.push(FailureLine { text, of: LineOf::Turn });
        }
        for failure in following {
            lines.push(failure.line_at(path));
        }
        lines.into_iter()
    }

    /// Gives the scenario another position and line of standard input.
    pub fn move_to(&mut self, position: u64, line: u32) {
        (self.position, self.origin.line) = (position, line);
        self.failures.iter_mut().for_each(|failure| failure.line = line);
        self.wrong_turn.iter_mut().for_each(|wrong| wrong.line = wrong.line.map(|_| line));
    }

    /// The requests of the baseline, if it was measured.
    pub fn baseline(&self, header: &Header) -> Option<&MeasuredRun> {
        self.strategies.iter().find(|run| *run.name == *header.baseline)
    }

    /// The requests that a log's agent really sent; `None` for scripted runs.
    pub fn happened(&self) -> Option<&MeasuredRun> {
        if !self.is_of_log() {
            return None;
        }
        self.run_of(RECORDED.name()).or_else(|| self.run_of(BASELINE.name()))
    }

    /// The requests of a strategy, if it was measured.
    pub fn run_of(&self, strategy: &str) -> Option<&MeasuredRun> {
        self.strategies.iter().find(|run| run.name == strategy)
    }

    /// Returns true for a logged conversation.
    pub fn is_of_log(&self) -> bool {
        self.outcome == LOGGED_OUTCOME
    }

    /// The [`Standing`] of a strategy with the model at this index.
    pub fn standing(run: &MeasuredRun, model: usize) -> Standing {
        let mut standing = Standing::default();
        for request in &run.requests {
            standing.cost += match request.bills.get(model) {
                Some(bill) => bill.cost.exact(),
                None => u128::from(request.input_tokens),
            };
            standing.needing += u64::from(request.evidence.needed() > 0);
            standing.short += u64::from(request.evidence.lacks_fact());
        }
        standing
    }

    /// Returns true if all expectations hold, all snapshots are accepted and no strategy failed.
    pub fn is_as_expected(&self) -> bool {
        self.failures.is_empty() && self.snapshots.is_empty() && self.broken_strategies.is_empty()
    }
}

fn outcome_name(conversation: &Conversation) -> String {
    match conversation {
        Conversation::Program { ending, .. } => match ending {
            Ending::Return(_) => "return".to_owned(),
            Ending::Fail(_) => "fail".to_owned(),
            Ending::Error(error) => error.kind.to_string(),
        },
        Conversation::Logged(_) => LOGGED_OUTCOME.to_owned(),
    }
}

fn list_pauses(past: Past<'_>) -> Vec<(u32, u64)> {
    let mut pauses = Vec::new();
    for turn in 1..=past.len() as u32 {
        let seconds = past.pauses().before(turn) / 1_000;
        if seconds >= PAUSE {
            pauses.push((turn, seconds));
        }
    }
    pauses
}

fn list_compactions(conversation: &Conversation) -> Vec<CompactionRecord> {
    let Conversation::Logged(logged) = conversation else { return Vec::new() };
    let mut records = Vec::with_capacity(logged.compactions.len());
    for compaction in &logged.compactions {
        records.push(CompactionRecord { turn: compaction.turns as u32 + 1, kind: compaction.logged.kind });
    }
    records
}

impl WrongTurn {
    /// The first turn that failed.
    pub fn first_error(turns: &[ProgramTurn]) -> Option<WrongTurn> {
        turns.iter().find_map(WrongTurn::of_error)
    }

    /// The turn with its error; `None` if it succeeded.
    pub fn of_error(turn: &ProgramTurn) -> Option<WrongTurn> {
        let error = turn.result.as_ref().err()?;
        Some(WrongTurn::new(turn.number, format!("{}: {}", error.kind, error.message)))
    }

    /// A wrong turn without line and column.
    pub fn new(turn: u32, what: String) -> WrongTurn {
        WrongTurn { turn, what, line: None, column: None }
    }

    /// Adds the place in the scenario's file, to the fields and to the message.
    pub fn located(self, origin: &Origin, turns: &[ProgramTurn]) -> WrongTurn {
        let index = (self.turn as usize).saturating_sub(1);
        let Some(turn) = turns.get(index) else { return self };
        let position = turn.result.as_ref().err().and_then(|error| error.position);
        let place = origin.place_in_program(index, &turn.program, position.unwrap_or((1, 1)));
        let (line, column) = place.map(|place| (place.line, place.column)).unzip();
        WrongTurn { what: origin.in_file(index, &turn.program, &self.what), line, column, ..self }
    }
}

/// `turn 3: arity_error: …`
impl fmt::Display for WrongTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}: {}", self.turn, self.what)
    }
}

impl FailureRecord {
    /// `what` is the key below `expect:`, or an entry of `needs:`.
    pub fn new(origin: &Origin, what: String, expected: String, found: String) -> FailureRecord {
        let place = origin.place_of_expectation(&what);
        let (line, column) = place.map_or((origin.line, 1), |place| (place.line, place.column));
        let [expected, found] =
            [expected, found].map(|text| shortened(&text, FAILURE_CHARACTERS).into_owned());
        FailureRecord { what, expected, found, line, column, follows: false }
    }

    fn line_at(&self, path: &str) -> FailureLine {
        FailureLine {
            text: format!("{path}:{}:{}: {self}", self.line, self.column),
            of: LineOf::Expectation { what: self.what.clone(), follows: self.follows },
        }
    }
}

/// `value: expected 3, found 4`
impl fmt::Display for FailureRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

impl BrokenRecord {
    pub fn new(strategy: &str, broken: &BrokenStrategy) -> BrokenRecord {
        let BrokenStrategy { turn, error } = broken;
        let message = shortened(&error.to_string(), FAILURE_CHARACTERS).into_owned();
        BrokenRecord { strategy: strategy.to_owned(), turn: *turn, message }
    }

    /// `strategy last-two, turn 2: last-two.clj:3:5: …`
    pub fn describe(&self) -> String {
        format!("strategy {}, turn {}: {}", self.strategy, self.turn, self.message)
    }
}

impl EndingRecord {
    fn of(conversation: &Conversation, values: &mut Encoder) -> EndingRecord {
        match conversation {
            Conversation::Program { ending, .. } => EndingRecord::of_run(ending, values),
            Conversation::Logged(logged) => {
                let value = logged.success.map(|success| Json::of(&Value::Bool(success), values));
                EndingRecord { value, kind: None, message: None }
            }
        }
    }

    fn of_run(ending: &Ending, values: &mut Encoder) -> EndingRecord {
        match ending {
            Ending::Return(value) | Ending::Fail(value) => {
                EndingRecord { value: Some(Json::of(value, values)), kind: None, message: None }
            }
            Ending::Error(error) => EndingRecord {
                value: None,
                kind: Some(error.kind.to_string()),
                message: Some(error.message.to_string()),
            },
        }
    }
}

impl TurnRecord {
    fn all(past: Past<'_>, pieces: &mut Pieces, values: &mut Encoder) -> Vec<TurnRecord> {
        match past {
            Past::Program { turns, .. } => {
                turns.iter().map(|turn| TurnRecord::of_program(turn, pieces, values)).collect()
            }
            Past::Logged { turns, .. } => {
                turns.iter().map(|turn| TurnRecord::of_logged(turn, pieces, values)).collect()
            }
        }
    }

    fn of_program(turn: &ProgramTurn, pieces: &mut Pieces, values: &mut Encoder) -> TurnRecord {
        let defined = turn.memory.defined_last().filter(|definition| definition.turn == turn.number);
        TurnRecord {
            number: turn.number,
            raw_response: turn.raw_response.clone(),
            program: turn.program.clone(),
            result: match &turn.result {
                Ok(value) => Json::of(value, values),
                Err(error) => Json::of_error(error.kind, &error.message),
            },
            prints: encode_prints(&turn.prints, pieces),
            tool_calls: turn.tool_calls.iter().map(|call| CallRecord::of(call, pieces, values)).collect(),
            memory: defined.map(DefinitionRecord::of).collect(),
            success: turn.success,
        }
    }

    /// Logs have no program, value or definitions, so these stay empty.
    fn of_logged(turn: &LoggedTurn, pieces: &mut Pieces, values: &mut Encoder) -> TurnRecord {
        TurnRecord {
            number: turn.number,
            raw_response: turn.answer.content.clone(),
            program: EcoString::new(),
            result: match &turn.error {
                None => Json::of(&Value::Nil, values),
                Some(message) => Json::of_error(ErrorKind::ToolError, message),
            },
            prints: encode_prints(&turn.outputs, pieces),
            tool_calls: turn.calls.iter().map(|call| CallRecord::of_logged(call, values)).collect(),
            memory: Vec::new(),
            success: turn.error.is_none(),
        }
    }
}

fn encode_prints(prints: &[EcoString], pieces: &mut Pieces) -> Vec<Runs> {
    prints.iter().map(|print| pieces.runs(&format!("{print}\n"))).collect()
}

impl CallRecord {
    fn of(call: &ToolCall, pieces: &mut Pieces, values: &mut Encoder) -> CallRecord {
        let arguments = match &call.arguments {
            Arguments::Named(map) => Json::of(&Value::Map(map.clone()), values),
            Arguments::Positional(passed) => Json::of(&Value::vector(passed.clone()), values),
        };
        let text = if let Value::Str(text) = &call.result { Some(pieces.runs(text)) } else { None };
        CallRecord {
            name: call.name.name().to_owned(),
            arguments,
            result: text.is_none().then(|| Json::of(&call.result, values)),
            text,
            error: call.error.clone(),
            warnings: call.warnings.clone(),
            captured: call.captured,
        }
    }

    /// Leaves the result empty: the turn's prints contain it.
    fn of_logged(call: &LoggedCall, values: &mut Encoder) -> CallRecord {
        let arguments = match &call.arguments {
            Some(fields @ serde_json::Value::Object(_)) => from_json(fields),
            single => Value::vector(single.iter().map(from_json).collect::<Vec<_>>()),
        };
        CallRecord {
            name: call.name.to_string(),
            arguments: Json::of(&arguments, values),
            result: Some(Json::of(&Value::Nil, values)),
            text: None,
            error: call.error.as_ref().map(ToString::to_string),
            warnings: Vec::new(),
            captured: true,
        }
    }
}

impl DefinitionRecord {
    fn of(definition: &Definition) -> DefinitionRecord {
        DefinitionRecord {
            name: definition.name.name().to_owned(),
            value: to_clojure(&definition.value, VALUE_ITEMS, VALUE_CHARACTERS).0,
            docstring: definition.docstring.as_ref().map(ToString::to_string),
            turn: definition.turn,
            return_type: definition.return_type.as_ref().map(ToString::to_string),
        }
    }
}

impl Json {
    fn of(value: &Value, values: &mut Encoder) -> Json {
        Json::new(values.encode(value).into())
    }

    fn of_error(kind: ErrorKind, message: &str) -> Json {
        let kind = kind.to_string();
        Json::new(serde_json::json!({ "kind": kind, "message": message }).to_string())
    }

    /// `text` has to be valid JSON; otherwise the result is `null`.
    fn new(text: String) -> Json {
        Json(RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// The raw JSON.
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        self.text() == other.text()
    }
}

/// Deserializes `null` as `Some`, unlike a missing value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}
