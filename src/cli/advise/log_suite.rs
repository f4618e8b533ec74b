//! The suite made of logs: as a value for the pipeline, and as YAML for `--save`.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::conversations::Conversations;
use super::log_times::Cached;
use super::reading::read_logs;
use super::settings::{LogSources, SuiteChoices};
use crate::cli::error::CliError;
use crate::cli::logs::names;
use crate::cli::priced::{Priced, price_table};
use crate::cli::suite::{Permission, StrategyChoice, ToleranceArguments, known, spelled};
use crate::compression::{BASELINE, BuiltIn, Form, MASKING, RECORDED, STRATEGIES, TRIMMING};
use crate::evaluate::Plan;
use crate::scenario::suite::Suite;
use crate::scenario::suite_file::{Amount, SuiteFile, VariantFile};
use crate::scenario::{JsonOptions, Known, ScenarioError};
use agent_logs::ShelvedTranscript;
use ptc_prices::{Price, PriceTable, TimeSpan};

/// Variants tried by every `advise`: name, strategy, and the value of both options `keep_recent_turns` and `step`.
const VARIANTS: [(&str, &BuiltIn, u32); 2] =
    [("masking-step-10", MASKING, 10), ("trim-step-10", TRIMMING, 10)];

/// Selects the strategies for a suite made from logs, in addition to those with native tool calls.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct SuiteStrategies {
    /// True if the agent shortened its own history. The baseline is then what it sent.
    pub compacted: bool,
    /// True to also try strategies that rewrite tool calls as text.
    pub rewriting: bool,
}

/// All strategies available for logs.
const ALL: SuiteStrategies = SuiteStrategies { compacted: true, rewriting: true };

/// The settings of a suite made from logs.
#[derive(Clone, Debug)]
pub(in crate::cli) struct LogSuite {
    asked: Vec<StrategyChoice>,
    tried: Vec<&'static str>,
    baseline: &'static str,
    models: Vec<String>,
    cached: Cached,
    /// Relative prices used by `fold` for its decisions.
    compression: JsonOptions,
    /// True if requests are sized by their bills.
    pub bills: bool,
    /// True if each answer is priced by its own model.
    pub logged_prices: bool,
    pub tolerance: ToleranceArguments,
}

impl LogSuite {
    /// The settings for these models. The first one's prices are passed to `fold`.
    pub(in crate::cli) fn new(
        models: &[Price],
        strategies: SuiteStrategies,
        asked: &[StrategyChoice],
        cached: Cached,
    ) -> LogSuite {
        let is_tried = |form| match form {
            Form::Native => true,
            Form::Text => strategies.rewriting,
            Form::Recorded => strategies.compacted,
            Form::Written => false,
        };
        let is_asked =
            |name: &str| asked.iter().any(|choice| choice.name == name && choice.options.is_empty());
        let tried = STRATEGIES.iter().filter(|strategy| is_tried(strategy.form) && !is_asked(strategy.name));
        let priced = models.first().filter(|model| model.input > 0.0);
        LogSuite {
            asked: asked.to_vec(),
            tried: tried.map(|strategy| strategy.name).collect(),
            baseline: if strategies.compacted { RECORDED.name() } else { BASELINE.name() },
            models: models.iter().map(|model| model.model.clone()).collect(),
            cached,
            compression: priced.map(fold_prices).unwrap_or_default(),
            bills: false,
            logged_prices: false,
            tolerance: ToleranceArguments::default(),
        }
    }

    /// The settings for a suite of these conversations, and the prices for the recommendation.
    ///
    /// # Errors
    /// A model has no price.
    pub(super) fn of_conversations(
        conversations: &Conversations,
        choices: &SuiteChoices,
        table: &PriceTable,
    ) -> Result<(LogSuite, Priced), CliError> {
        let priced = if choices.models.is_empty() {
            Priced::of_logs(table, &conversations.answers(), conversations.span(), choices.ttl)?
        } else {
            Priced::of_command_line(&choices.models)
        };
        let ttl = choices.ttl.or_else(|| conversations.times().ttl());
        let priced = priced.kept_for(ttl);
        let calls_natively = conversations.all.iter().any(|conversation| conversation.calls_natively);
        let strategies = SuiteStrategies {
            compacted: !conversations.compacted().is_none(),
            rewriting: choices.rewriting || !calls_natively,
        };
        // With prices by log, each log also uses its own cache time to live.
        let ttl = if priced.logged.is_some() { choices.ttl } else { ttl };
        let cached = Cached { ttl, pause: choices.pause };
        let mut suite = LogSuite::new(&priced.models, strategies, &choices.strategies, cached);
        suite.bills = !choices.no_bills && conversations.have_bills();
        suite.logged_prices = priced.logged.is_some();
        suite.tolerance = choices.tolerance;
        Ok((suite, priced))
    }

    /// A suite in memory with these settings and conversations.
    pub(in crate::cli) fn open_suite(
        &self,
        known: Known,
        transcripts: Vec<ShelvedTranscript>,
    ) -> Result<Suite, ScenarioError> {
        Suite::of_conversations(self.to_file(), known, transcripts)
    }

    /// The settings as a suite file.
    fn to_file(&self) -> SuiteFile {
        let asked = self.asked.iter().map(name_of);
        let tried = self.tried.iter().copied().chain(VARIANTS.map(|(name, ..)| name)).map(str::to_owned);
        let mut variants = IndexMap::new();
        for choice in self.asked.iter().filter(|choice| !choice.options.is_empty()) {
            variants.insert(name_of(choice), variant(&choice.name, choice.options.clone()));
        }
        for (name, strategy, turns) in VARIANTS {
            variants.insert(name.to_owned(), variant(strategy.name, step_options(turns)));
        }
        let ToleranceArguments { max_short, min_saving, turns } = self.tolerance;
        SuiteFile {
            strategies: Some(asked.chain(tried).collect()),
            baseline: Some(self.baseline.to_owned()),
            variants,
            compression: self.compression.clone(),
            bills: self.bills,
            logged_prices: self.logged_prices,
            models: Some(self.models.clone()),
            max_short: max_short.map(Amount),
            min_saving: min_saving.map(Amount),
            turns,
            ttl: self.cached.ttl,
            pause: self.cached.pause,
            ..SuiteFile::default()
        }
    }

    /// The settings as YAML text of a suite file.
    pub(super) fn to_yaml(&self) -> String {
        let asked = self.asked.iter().map(|choice| quoted(&name_of(choice)));
        let tried = self.tried.iter().copied().chain(VARIANTS.map(|(name, ..)| name)).map(str::to_owned);
        let names: Vec<String> = asked.chain(tried).collect();
        let mut text = format!(
            "# Made of logs by `ptc-eval advise --save`.\nstrategies: [{}]\nbaseline: {}\nvariants:\n",
            names.join(", "),
            self.baseline
        );
        for choice in self.asked.iter().filter(|choice| !choice.options.is_empty()) {
            let options = choice.options.iter().map(|(name, value)| format!(", {}: {value}", quoted(name)));
            let (name, strategy) = (quoted(&name_of(choice)), quoted(&choice.name));
            text += &format!("  {name}: {{strategy: {strategy}{}}}\n", options.collect::<String>());
        }
        for (name, strategy, turns) in VARIANTS {
            text += &format!(
                "  {name}: {{strategy: {}, keep_recent_turns: {turns}, step: {turns}}}\n",
                strategy.name
            );
        }
        text += &format!("models: [{}]\n", self.models.join(", "));
        text += &self.cached.settings();
        if !self.compression.is_empty() {
            let options = self.compression.iter().map(|(name, value)| format!("{name}: {value}"));
            text += &format!("compression: {{{}}}\n", options.collect::<Vec<_>>().join(", "));
        }
        if self.bills {
            text += "bills: true\n";
        }
        if self.logged_prices {
            text += "logged_prices: true\n";
        }
        text + &self.tolerance.settings()
    }
}

/// Calls `then` with a plan of the requested strategies.
///
/// # Errors
/// There is no such strategy, or it has no such option.
pub(in crate::cli) fn planned<T>(
    asked: &[StrategyChoice],
    then: impl FnOnce(&Plan) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let settings = LogSuite::new(&[], ALL, &[], Cached::default());
    let suite = settings.open_suite(known(&Permission::default(), None), Vec::new())?;
    let asked: Vec<_> = asked.iter().map(|choice| (choice.name.clone(), choice.options.clone())).collect();
    then(&Plan::new(&suite, &asked)?)
}

/// Reads logs and makes a suite in memory of their conversations, with the settings of `advise`. A conversation is named after its log, so
/// that `show` finds it.
///
/// # Errors
/// A named log cannot be read, or there is no conversation.
pub(in crate::cli) fn suite_of_logs(
    logs: &[PathBuf],
    permission: &Permission,
    prices: Option<&PriceTable>,
) -> Result<Suite, CliError> {
    let table = prices.map_or_else(|| price_table(None), |table| Ok(table.clone()))?;
    let conversations = read_logs(&LogSources::find(logs)?, &table)?;
    conversations.logs.notes.lost_lines().for_each(|line| errln!("note: {line}"));
    if conversations.all.is_empty() {
        return Err(CliError::NoConversation { logs: names(logs) });
    }
    let (suite, _) = LogSuite::of_conversations(&conversations, &SuiteChoices::default(), &table)?;
    let known = known(permission, Some(&table));
    Ok(suite.open_suite(known, conversations.into_named_by_log()?)?)
}

/// Strategy and options of a built-in variant of `advise`, such as `trim-step-10`.
pub(in crate::cli) fn variant_of_advice(name: &str) -> Option<(String, JsonOptions)> {
    let (_, strategy, turns) = VARIANTS.into_iter().find(|(variant, ..)| *variant == name)?;
    Some((strategy.name.to_owned(), step_options(turns)))
}

fn step_options(turns: u32) -> JsonOptions {
    [("keep_recent_turns", turns), ("step", turns)]
        .map(|(name, turns)| (name.to_owned(), json!(turns)))
        .into_iter()
        .collect()
}

fn variant(strategy: &str, options: JsonOptions) -> VariantFile {
    VariantFile { strategy: Some(strategy.to_owned()), program: None, command: None, options }
}

/// Prices of cache reads and writes relative to the input price, and the cache lifetime in seconds.
fn fold_prices(model: &Price) -> JsonOptions {
    let (read, write) = (model.read / model.input, model.write.unwrap_or(model.input) / model.input);
    let ttl = model.ttl.map_or(0, TimeSpan::seconds);
    [("read", number(read)), ("write", number(write)), ("ttl", json!(ttl))]
        .map(|(name, value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

/// The number without `.0`: `1`, not `1.0`.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// The name in the suite of a strategy given on the command line.
fn name_of(choice: &StrategyChoice) -> String {
    spelled(&choice.name, &choice.options)
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
