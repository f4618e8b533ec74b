//! The types of `suite.yaml`, one field per YAML key.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use super::JsonOptions;
use super::entries::or_default;
use super::file::LimitsFile;
use super::system_prompt::{PromptFile, SystemPromptFile};
use ptc_prices::TimeSpan;

/// Settings for all scenarios of a folder.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "ptc-eval suite")]
pub struct SuiteFile {
    /// Strategies, variants and presets to run, in the order of the reports; default means all built-in ones except
    /// as-recorded and summary. Default: default.
    #[serde(default, deserialize_with = "names_of_strategies")]
    #[schemars(with = "Option<Vec<StrategyName>>")]
    pub strategies: Option<Vec<String>>,
    /// The other strategies are compared with this one. Default: full-history.
    pub baseline: Option<String>,
    /// Strategies with other options, written in PTC-Lisp, or commands, by their name in reports.
    #[serde(default, deserialize_with = "or_default")]
    pub variants: IndexMap<String, VariantFile>,
    /// Options for every strategy with an option of this name.
    #[serde(default)]
    pub compression: JsonOptions,
    /// The system prompt of scenarios that set none, or text before or after the built-in one.
    #[serde(default, deserialize_with = "or_default")]
    pub system_prompt: SystemPromptFile,
    /// System prompts to compare, by their name in reports. Rows of the first one have the names of the strategies, rows of the
    /// others are named STRATEGY+PROMPT.
    #[serde(default, deserialize_with = "or_default")]
    pub prompts: IndexMap<String, PromptFile>,
    /// The tokenizer, such as o200k_base.
    pub tokenizer: Option<String>,
    /// Tokens of an image or file in a transcript. Default: 0.
    #[serde(default)]
    pub image_tokens: u32,
    /// Correct the token counts of transcripts by their billed tokens. Default: false.
    #[serde(default)]
    pub bills: bool,
    /// Price each answer of a transcript as its own model on its day, in the column of the first model.
    /// Default: false, all answers are priced as the first model.
    #[serde(default)]
    pub logged_prices: bool,
    /// Rows of the price table to cost the runs with. Default: gpt-6.1-sol and claude-sonnet-5-5.
    pub models: Option<Vec<String>>,
    /// The largest share of answers missing a fact under a recommended strategy. Default: 5%.
    pub max_short: Option<Amount>,
    /// The least saving of a recommended strategy, as a share of the baseline's cost. Default: 2%.
    pub min_saving: Option<Amount>,
    /// How many times as many turns your agent takes with a shorter history, if measured, such as 1.1. Default: the range of
    /// public experiments.
    pub turns: Option<f64>,
    /// Content of the caches of providers before a run.
    #[serde(default, deserialize_with = "or_default")]
    pub cache: CacheFile,
    /// The cache lifetime, such as 5m or 1h, if a model offers it. Default: that of the model.
    pub ttl: Option<TimeSpan>,
    /// The pause before each message of a person in transcripts without times, such as 10m. Default: none.
    pub pause: Option<TimeSpan>,
    /// Limits of each program, if the scenario sets none.
    #[serde(default, deserialize_with = "or_default")]
    pub limits: LimitsFile,
    /// Bounds of metrics. A crossed one fails the run.
    #[serde(default, deserialize_with = "or_default")]
    pub thresholds: Vec<ThresholdFile>,
}

/// Content of the caches of providers before a run. Default: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CacheFile {
    /// The cached part of the requests.
    pub warm: Option<Warm>,
}

/// A part of the requests shared with other runs of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Warm {
    /// SYSTEM and the declared tools.
    System,
}

/// `{strategy: NAME, option: value …}`, `{program: FILE, option: value …}` or `{command: [WORD …], option: value …}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(expecting = "a map with a strategy, a program or a command, and options")]
pub struct VariantFile {
    /// The strategy or preset to start from; `options` override its options.
    #[serde(alias = "preset")]
    pub strategy: Option<String>,
    pub program: Option<String>,
    /// A program and its arguments.
    pub command: Option<Vec<String>>,
    #[serde(flatten)]
    pub options: JsonOptions,
}

/// The name of a strategy, variant or preset: `trim`, or `{preset: codex}`.
#[derive(Clone, Debug, PartialEq)]
struct StrategyName(String);

fn names_of_strategies<'de, D: Deserializer<'de>>(parser: D) -> Result<Option<Vec<String>>, D::Error> {
    let names = Option::<Vec<StrategyName>>::deserialize(parser)?;
    Ok(names.map(|names| names.into_iter().map(|StrategyName(name)| name).collect()))
}

impl<'de> Deserialize<'de> for StrategyName {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<StrategyName, D::Error> {
        parser.deserialize_any(StrategyNameVisitor)
    }
}

struct StrategyNameVisitor;

impl<'de> Visitor<'de> for StrategyNameVisitor {
    type Value = StrategyName;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a strategy, or a preset such as {preset: codex}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<StrategyName, E> {
        Ok(StrategyName(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StrategyName, A::Error> {
        let mut options = JsonOptions::deserialize(MapAccessDeserializer::new(map))?;
        let named = options.remove("preset").or_else(|| options.remove("strategy"));
        let Some(Value::String(name)) = named else {
            return Err(match (named, options.keys().next()) {
                (Some(_), _) => Error::custom(
                    "expected the name of one preset\nlist each on its own: {preset: codex}, {preset: claude-code}",
                ),
                (None, Some(key)) => Error::unknown_field(key, &["preset"]),
                (None, None) => Error::missing_field("preset"),
            });
        };
        if options.is_empty() {
            return Ok(StrategyName(name));
        }
        let options: String = options.iter().map(|(option, value)| format!(", {option}: {value}")).collect();
        Err(Error::custom(format!(
            "options belong to a variant, which reports call by its own name\n\
             variants: {{{name}-changed: {{strategy: {name}{options}}}}}, and list {name}-changed here"
        )))
    }
}

impl JsonSchema for StrategyName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "StrategyName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string" },
            { "type": "object", "properties": { "preset": { "type": "string" } }, "required": ["preset"], "additionalProperties": false }
        ] })
    }
}

/// A bound for one metric of one strategy: one of max_increase, min and max.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThresholdFile {
    /// The strategy or variant.
    pub strategy: String,
    /// The metric, such as input_tokens or evidence.
    pub metric: String,
    /// The largest increase against the baseline report, such as 5%.
    pub max_increase: Option<Amount>,
    /// The smallest value.
    pub min: Option<Amount>,
    /// The largest value.
    pub max: Option<Amount>,
}

/// Metrics between 0 and 1.
const SHARES: [&str; 3] = ["evidence", "evidence_min", "stable_prefix"];

impl ThresholdFile {
    /// The key, message and help for an unreachable bound of a share, such as `min: 90`.
    pub(super) fn refused_share(&self) -> Option<(&'static str, String, String)> {
        let bounds = [("min", self.min), ("max", self.max)];
        let (key, Amount(bound)) = bounds
            .into_iter()
            .find_map(|(key, bound)| Some((key, bound.filter(|Amount(share)| *share > 1.0)?)))
            .filter(|_| SHARES.contains(&self.metric.as_str()))?;
        let help =
            if bound <= 100.0 { format!("write {bound}%") } else { "write a share such as 90%".to_owned() };
        Some((key, format!("{} is a share of at most 1, found {bound}", self.metric), help))
    }
}

/// A number, or a percentage: `90%` is 0.9.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount(pub f64);

impl JsonSchema for VariantFile {
    fn schema_name() -> Cow<'static, str> {
        "VariantFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A strategy with options, a file with a strategy in PTC-Lisp, or the words of a command.",
            "type": "object",
            "properties": {
                "strategy": { "type": "string" },
                "preset": { "type": "string" },
                "program": { "type": "string" },
                "command": { "type": "array", "items": { "type": "string" }, "minItems": 1 }
            }
        })
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<Amount, D::Error> {
        parser.deserialize_any(AmountVisitor)
    }
}

struct AmountVisitor;

impl Visitor<'_> for AmountVisitor {
    type Value = Amount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a percentage")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Amount, E> {
        Ok(Amount(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Amount, E> {
        Ok(Amount(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Amount, E> {
        let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
        match percent {
            Some(percent) if percent.is_finite() => Ok(Amount(percent / 100.0)),
            _ if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                Err(E::custom("expected a number or a percentage, found text\nwrite it without quotes"))
            }
            _ => Err(E::custom(format!(
                "'{text}' is neither a number nor a percentage\nwrite it as 0.05 or 5%"
            ))),
        }
    }
}

impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": "%$" }] })
    }
}
