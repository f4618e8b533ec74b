//! The types of a scenario file, one field per YAML key. They parse the file and generate its JSON schema for editors; `load` checks the
//! values.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use super::JsonOptions;
use super::document::{Document, Target, trail};
use super::entries::{Datum, or_default, present};
use super::problem::Problem;
use super::system_prompt::SystemPromptFile;
use agent_logs::TranscriptUsage;
use ptc_lisp::limits::MAX_DEPTH;
use ptc_prices::TimeSpan;

/// One scenario: a mission, the tools and data it may use, and the model's answers, scripted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "ptc-eval scenario")]
pub struct ScenarioFile {
    /// Only in .jsonl files: the name of the scenario. Elsewhere the file's path is the name.
    pub name: Option<String>,
    /// Purpose of the scenario, in one line.
    pub description: Option<String>,
    /// Words to select scenarios by.
    #[serde(default, deserialize_with = "or_default")]
    pub tags: Vec<String>,
    /// The task of the agent. {{name}} is replaced by the data of this name.
    pub mission: String,
    /// The most turns; 1 is a single shot. Default: 5.
    #[serde(default, deserialize_with = "parse_turns")]
    #[schemars(range(min = 1))]
    pub max_turns: Option<u32>,
    /// The type of the value to (return …), such as `() -> [:string]`. Parameters must be names of data.
    pub signature: Option<String>,
    /// The system prompt, or text before or after the built-in one.
    #[serde(default, deserialize_with = "or_default")]
    pub system_prompt: SystemPromptFile,
    /// The strategy of this agent itself.
    pub compression: Option<CompressionFile>,
    /// Input data by name; programs see it as data/NAME.
    #[serde(default, deserialize_with = "or_default")]
    pub data: IndexMap<String, Datum>,
    /// Input data from files: .csv, .json, .jsonl, .yaml or .txt, relative to this file.
    #[serde(default, deserialize_with = "or_default")]
    pub data_files: IndexMap<String, String>,
    /// Libraries: programs with (ns NAME …) at the start. Answers call their functions as NAME/name.
    #[serde(default, deserialize_with = "or_default")]
    pub preludes: Vec<String>,
    /// Scripted tools by name; programs call them as tool/NAME.
    #[serde(default, deserialize_with = "or_default")]
    pub tools: IndexMap<String, ToolFile>,
    /// The model's answers, one a turn, in order.
    #[serde(default, deserialize_with = "or_default")]
    pub responses: Vec<ResponseFile>,
    /// Time between an answer and the next request, such as 20m, by turn. Providers' caches expire meanwhile.
    #[serde(default, deserialize_with = "or_default")]
    pub pauses: IndexMap<String, TimeSpan>,
    /// Limits of each program.
    #[serde(default, deserialize_with = "or_default")]
    pub limits: LimitsFile,
    /// Checks of every run.
    #[serde(default, deserialize_with = "or_default")]
    pub expect: ExpectFile,
}

/// `true`, `false`, a name, or `{strategy: NAME, option: value …}`.
#[derive(Clone, Debug, PartialEq)]
pub enum CompressionFile {
    /// `true`: the default strategy; `false`: none.
    Switch(bool),
    /// The strategy or variant of this name.
    Name(String),
    With(CompressionMap),
}

/// A strategy with options for this scenario. Without a name: the default strategy.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CompressionMap {
    pub strategy: Option<String>,
    #[serde(flatten)]
    pub options: JsonOptions,
}

/// A scripted tool, with exactly one of returns, fails, sequence, cases and program.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolFile {
    /// Parameters and return type, such as "(name :string) -> {count :int}".
    pub signature: Option<String>,
    /// One line for the model.
    pub description: Option<String>,
    /// The result of every call.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Datum>,
    /// The error of every call.
    #[serde(default, deserialize_with = "present")]
    pub fails: Option<Datum>,
    /// Answers, one per call; the last repeats.
    pub sequence: Option<Vec<AnswerFile>>,
    /// Answers by arguments; the first matching case counts.
    pub cases: Option<Vec<CaseFile>>,
    /// The answer to calls without a matching case; without it they end the run.
    pub otherwise: Option<AnswersFile>,
    /// The tool as a PTC-Lisp function of the map of arguments.
    pub program: Option<String>,
}

/// One answer of a tool: returns or fails.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerFile {
    /// The result of the call.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Datum>,
    /// The error of the call.
    #[serde(default, deserialize_with = "present")]
    pub fails: Option<Datum>,
}

/// The answers of a tool: one of returns, fails and sequence.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswersFile {
    /// The result of each call.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Datum>,
    /// The error of each call.
    #[serde(default, deserialize_with = "present")]
    pub fails: Option<Datum>,
    /// Answers, one per call; the last repeats.
    pub sequence: Option<Vec<AnswerFile>>,
}

/// Answers for calls with all arguments of `when`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Some or all arguments of the call.
    #[serde(default, deserialize_with = "or_default")]
    pub when: IndexMap<String, Datum>,
    /// The result of each such call.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Datum>,
    /// The error of each such call.
    #[serde(default, deserialize_with = "present")]
    pub fails: Option<Datum>,
    /// Answers, one per such call; the last repeats.
    pub sequence: Option<Vec<AnswerFile>>,
}

/// One answer of the model: plain text, or a map.
#[derive(Clone, Debug)]
pub enum ResponseFile {
    Text(String),
    Map(ResponseMap),
}

/// One answer of the model: one of response, program and error.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseMap {
    /// The answer as it is.
    pub response: Option<String>,
    /// An answer of only this program; the fences are added.
    pub program: Option<String>,
    /// The model call itself fails, with this message.
    pub error: Option<String>,
    /// Texts behind this answer, looked for in the request of each strategy.
    #[serde(default, deserialize_with = "or_default")]
    pub needs: Vec<String>,
    /// Origin of the answer, written by `ptc-eval record`.
    pub recorded: Option<Box<RecordedAnswer>>,
}

/// Origin of an answer by a live model.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedAnswer {
    /// The model, as the endpoint calls it.
    pub model: String,
    /// Day of the answer, such as 2026-11-22.
    pub date: String,
    /// The strategy that composed the request, with its options.
    pub strategy: String,
    /// Requested temperature. Default: the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Billed tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
}

/// Limits of each program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsFile {
    /// Steps of evaluation, at most 1000000000. Default: 1000000.
    #[schemars(range(max = 1_000_000_000))]
    pub ticks: Option<u64>,
    /// Nested calls, at most 10000. Default: 1000.
    #[schemars(range(min = 1, max = 10_000))]
    pub depth: Option<u32>,
    /// Allocation in MiB, at most 256. Default: 64.
    #[schemars(range(max = 256))]
    pub memory_mib: Option<u64>,
    /// Characters of one print, at most 1000000. Default: 2000.
    #[schemars(range(max = 1_000_000))]
    pub print_length: Option<usize>,
    /// Prints of one program, at most 100000. Default: 1000.
    #[schemars(range(max = 100_000))]
    pub prints: Option<usize>,
    /// Tool calls of one turn, at most 1000000. Default: no bound.
    #[schemars(range(max = 1_000_000))]
    pub tool_calls: Option<u32>,
}

/// Checks of every run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectFile {
    /// Ending of the run. Default: return.
    pub outcome: Option<OutcomeFile>,
    /// The returned value, or the reason of (fail …), compared as JSON.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Datum>,
    /// Number of turns.
    pub turns: Option<u32>,
    /// The kind of the error at its end; needs `outcome: error`.
    pub error: Option<String>,
    /// All prints, in order.
    pub prints: Option<Vec<String>>,
    /// Number of tool calls.
    pub tool_calls: Option<u32>,
    /// Bounds of the tokens, by strategy.
    #[serde(default, deserialize_with = "or_default")]
    pub tokens: IndexMap<String, TokenBounds>,
}

/// Ending of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeFile {
    /// By (return …), or with the plain value of a single shot.
    #[default]
    Return,
    /// By (fail …).
    Fail,
    /// With an error of the loop, such as max_turns_exceeded.
    Error,
}

/// Bounds of the tokens of a strategy in this scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenBounds {
    /// Input tokens of all requests together.
    pub max_total: Option<u64>,
}

/// Upper limits, since a suite may come from a stranger and must neither hang nor abort a run. A program runs a million ticks in less than
/// a tenth of a second.
const CEILINGS: [(&str, u64, u64, &str); 6] = [
    ("ticks", 0, 1_000_000_000, "1000000"),
    ("depth", 1, MAX_DEPTH as u64, "1000"),
    ("memory_mib", 0, 256, "64"),
    ("print_length", 0, 1_000_000, "2000"),
    ("prints", 0, 100_000, "1000"),
    ("tool_calls", 0, 1_000_000, "no bound"),
];

impl LimitsFile {
    /// The problems of limits outside their range.
    pub fn problems(&self, document: &Document<'_>) -> Vec<Problem> {
        let values = [
            self.ticks,
            self.depth.map(u64::from),
            self.memory_mib,
            self.print_length.map(|length| length as u64),
            self.prints.map(|prints| prints as u64),
            self.tool_calls.map(u64::from),
        ];
        let mut problems = Vec::new();
        for ((name, least, most, default), value) in CEILINGS.into_iter().zip(values) {
            if value.is_some_and(|value| value < least || value > most) {
                let message = format!("expected {name} from {least} to {most}");
                let help = format!("the default is {default}");
                problems.push(document.problem(&trail!["limits", name], Target::Value, message, &help));
            }
        }
        problems
    }
}

impl<'de> Deserialize<'de> for ResponseFile {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<ResponseFile, D::Error> {
        parser.deserialize_any(ResponseVisitor)
    }
}

struct ResponseVisitor;

impl<'de> Visitor<'de> for ResponseVisitor {
    type Value = ResponseFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, or a map with one of response, program, error")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ResponseFile, E> {
        Ok(ResponseFile::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ResponseFile, A::Error> {
        ResponseMap::deserialize(MapAccessDeserializer::new(map)).map(ResponseFile::Map)
    }
}

impl JsonSchema for ResponseFile {
    fn schema_name() -> Cow<'static, str> {
        "ResponseFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let map = generator.subschema_for::<ResponseMap>();
        json_schema!({ "description": "One answer of the model.", "anyOf": [{ "type": "string" }, map] })
    }
}

impl<'de> Deserialize<'de> for CompressionFile {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<CompressionFile, D::Error> {
        parser.deserialize_any(CompressionVisitor)
    }
}

struct CompressionVisitor;

impl<'de> Visitor<'de> for CompressionVisitor {
    type Value = CompressionFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, the name of a strategy, or a map with a strategy and its options")
    }

    fn visit_unit<E: Error>(self) -> Result<CompressionFile, E> {
        Ok(CompressionFile::Switch(false))
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<CompressionFile, E> {
        Ok(CompressionFile::Switch(on))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<CompressionFile, E> {
        Ok(CompressionFile::Name(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CompressionFile, A::Error> {
        CompressionMap::deserialize(MapAccessDeserializer::new(map)).map(CompressionFile::With)
    }
}

impl JsonSchema for CompressionFile {
    fn schema_name() -> Cow<'static, str> {
        "CompressionFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "true, false, the name of a strategy, or a strategy with options.",
            "anyOf": [
                { "type": "boolean" },
                { "type": "string" },
                { "type": "object", "properties": { "strategy": { "type": "string" } } }
            ]
        })
    }
}

/// A number of turns. Zero is rejected later, together with the other problems of the file.
fn parse_turns<'de, D: Deserializer<'de>>(parser: D) -> Result<Option<u32>, D::Error> {
    parser.deserialize_any(TurnsVisitor)
}

struct TurnsVisitor;

impl Visitor<'_> for TurnsVisitor {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 1")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<u32>, E> {
        let turns = u32::try_from(value);
        turns.map(Some).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_none<E: Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }
}
