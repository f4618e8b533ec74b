//! The common part of all commands on scenarios: finds the suite, its scenarios and strategies by name.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::FalseyValueParser;
use regex::Regex;

use super::advise::{suite_of_logs, variant_of_advice};
use super::error::CliError;
use super::exit::Exit;
use super::input::are_logs;
use super::interrupt;
#[cfg(feature = "live")]
use super::replayed::find_anywhere;
use crate::compression::TRIGGER;
use crate::measure::numbers::grouped;
use crate::processes::Environment;
use crate::report::COST_COLUMNS;
pub(super) use crate::report::{for_shell, option_for_shell};
use crate::scenario::problem::render;
pub(super) use crate::scenario::suite::beside;
use crate::scenario::suite::{STANDARD_INPUT, Tolerance, find_root, is_suite, is_within_suite};
use crate::scenario::{JsonOptions, Known, Problem, Scenario, ScenarioError, Selection, Suite};
use ptc_prices::PriceTable;
use ptc_tokens::ENCODINGS;

/// The default folder of scenarios.
pub(super) const DEFAULT_FOLDER: &str = "scenarios";

/// Arguments that choose scenarios.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ScenarioChoice {
    /// Scenarios, logs of an agent, or folders of them; default: the folder `scenarios`
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Select scenarios with this tag (repeatable)
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Select scenarios whose name matches
    #[arg(long, value_name = "REGEX")]
    pub filter: Option<Regex>,
    #[command(flatten)]
    pub permission: Permission,
}

/// Arguments that choose scenarios for a live model. There is no default, because its answers have a price.
#[derive(Args, Clone, Debug)]
pub(super) struct NamedScenarios {
    /// Names, files or folders of scenarios in one suite, or logs; default with --tag or --filter: the folder `scenarios`
    #[arg(value_name = "SCENARIO", required_unless_present_any = ["tag", "filter"])]
    words: Vec<String>,
    /// Select scenarios with this tag (repeatable)
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Select scenarios whose name matches
    #[arg(long, value_name = "REGEX")]
    filter: Option<Regex>,
    #[command(flatten)]
    permission: Permission,
}

/// Permission to run strategies that are commands. A suite may come from a stranger, so its commands do not run unasked.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Permission {
    /// Allow the suite to run its own programs as strategies; PTC_EVAL_ALLOW_COMMANDS=1 means the same
    #[arg(long, env = "PTC_EVAL_ALLOW_COMMANDS", hide_env = true, value_parser = FalseyValueParser::new())]
    allow_commands: bool,
    /// Pass these environment variables to such programs, for example an API key; PTC_EVAL_COMMAND_ENV means the same
    #[arg(long, value_name = "NAME", env = "PTC_EVAL_COMMAND_ENV", hide_env = true, value_delimiter = ',')]
    command_env: Vec<String>,
}

impl Permission {
    /// Returns the environment for commands. `None` if they must not run.
    fn environment(&self) -> Option<Environment> {
        if !self.allow_commands {
            return None;
        }
        interrupt::end_processes();
        Some(Environment::filter(std::env::vars_os(), &self.command_env))
    }
}

/// A strategy named on the command line, with options: `NAME[,OPTION=VALUE…]`.
#[derive(Clone, Debug)]
pub(super) struct StrategyChoice {
    pub name: String,
    pub options: JsonOptions,
}

impl ScenarioChoice {
    /// Opens the suite of the first path.
    pub(super) fn open(&self) -> Result<Suite, ScenarioError> {
        self.open_with(None)
    }

    /// Opens the suite of the first path, with the models of a price table.
    pub(super) fn open_with(&self, prices: Option<&PriceTable>) -> Result<Suite, ScenarioError> {
        let path = or_default(self.paths.first())?;
        if let Some((path, meant)) = self.paths.iter().find_map(|path| Some((path, below_suite(path)?))) {
            let help = format!("did you mean {}?", meant.display());
            let path = path.display().to_string();
            return Err(Problem::of_file(&path, "there is no such file or folder", help).into());
        }
        Suite::open(&path, known(&self.permission, prices))
    }

    /// Opens the suite of the first path. Logs become a suite in memory.
    ///
    /// # Errors
    /// The suite or a log cannot be read, or logs and scenarios are named together.
    pub(super) fn open_any(&self, prices: Option<&PriceTable>) -> Result<Suite, CliError> {
        if are_logs(&self.paths)? {
            return suite_of_logs(&self.paths, &self.permission, prices);
        }
        if self.paths.iter().any(|path| path.as_os_str() == STANDARD_INPUT) {
            return Err(CliError::ScenariosOnStandardInput);
        }
        Ok(self.open_with(prices)?)
    }

    /// Selects scenarios of the suite. Logs, and the root folder of the suite, select all.
    pub(super) fn selection(&self, suite: &Suite) -> Selection {
        let mut has_root = false;
        let mut are_within = true;
        for path in &self.paths {
            has_root |= same_place(path, &suite.root);
            are_within &= same_place(&find_root(path), &suite.root);
        }
        // Keep a path of another suite in the list, so that it causes an error later.
        let is_whole = suite.is_in_memory() || has_root && are_within;
        let paths = if is_whole { Vec::new() } else { self.paths.clone() };
        Selection { paths, tags: self.tag.clone(), filter: self.filter.clone(), names: None }
    }
}

#[cfg(feature = "live")]
impl NamedScenarios {
    /// Opens the suite and reads the chosen scenarios, without duplicates.
    ///
    /// # Errors
    /// A scenario cannot be read, or belongs to another suite than the first.
    pub(super) fn open(&self) -> Result<(Suite, Vec<Scenario>), CliError> {
        let paths: Vec<PathBuf> = self.words.iter().map(PathBuf::from).collect();
        if are_logs(&paths)? {
            let suite = suite_of_logs(&paths, &self.permission, None)?;
            let scenarios = suite.scenarios(&self.wanted())?.collect::<Result<_, _>>()?;
            return Ok((suite, scenarios));
        }
        let mut words = self.words.iter().map(|word| self.named(word));
        let (suite, mut all) = words.next().unwrap_or_else(|| self.below(Vec::new()))?;
        for named in words {
            let (next, scenarios) = named?;
            if !same_place(&suite.root, &next.root) {
                return Err(CliError::OtherSuite { root: next.root, first: suite.root });
            }
            for scenario in scenarios {
                if all.iter().all(|known| known.name != scenario.name) {
                    all.push(scenario);
                }
            }
        }
        all.retain(|scenario| self.wanted().admits(scenario));
        Ok((suite, all))
    }

    fn wanted(&self) -> Selection {
        Selection { tags: self.tag.clone(), filter: self.filter.clone(), ..Selection::default() }
    }

    /// Finds scenarios by name, file or folder.
    fn named(&self, word: &str) -> Result<(Suite, Vec<Scenario>), CliError> {
        let path = PathBuf::from(word);
        if path.exists() {
            return self.below(vec![path]);
        }
        let (suite, scenario) = find_anywhere(word, &self.permission)?;
        Ok((suite, vec![scenario]))
    }

    fn below(&self, paths: Vec<PathBuf>) -> Result<(Suite, Vec<Scenario>), CliError> {
        let choice =
            ScenarioChoice { paths, permission: self.permission.clone(), ..ScenarioChoice::default() };
        let suite = choice.open()?;
        let scenarios = suite.scenarios(&choice.selection(&suite))?.collect::<Result<_, _>>()?;
        Ok((suite, scenarios))
    }
}

/// The folder `scenarios`, or the working directory when only the latter is within a suite.
pub(super) fn default_folder() -> PathBuf {
    let (folder, here) = (PathBuf::from(DEFAULT_FOLDER), PathBuf::from("."));
    if !folder.is_dir() && is_within_suite(&here) { here } else { folder }
}

/// The suite's folder if commands need it as an argument. `None` if they find the suite without one.
pub(super) fn named_folder(root: &Path) -> Option<&Path> {
    Some(root).filter(|root| is_suite(root) && !same_place(root, &default_folder()))
}

/// Returns the path, or the default folder if it exists.
pub(super) fn or_default(path: Option<&PathBuf>) -> Result<PathBuf, ScenarioError> {
    let chosen = path.cloned().unwrap_or_else(default_folder);
    if path.is_some() || chosen.exists() {
        return Ok(chosen);
    }
    let help = "ptc-eval tests agents on scripted answers and logs, and compares ways to shorten their history\n\
                ptc-eval new --demo shows it; ptc-eval new --suite writes a suite here, ptc-eval new NAME a scenario\n\
                ptc-eval advise LOGS compares the ways on logs of your agent; a PATH names another folder";
    Err(Problem::of_file(DEFAULT_FOLDER, "there is no such folder here", help).into())
}

/// Resolves a missing path below the default folder: users type a scenario's name, or its beginning, where a path is expected.
fn below_suite(path: &Path) -> Option<PathBuf> {
    let meant = default_folder().join(path);
    let mut file = meant.clone().into_os_string();
    file.push(".yaml");
    [file.into(), meant].into_iter().find(|meant: &PathBuf| meant.exists() && !path.exists())
}

/// Returns true if a selection leaves anything out.
pub(super) fn is_partial(selection: &Selection) -> bool {
    let is_named = selection.filter.is_some() || selection.names.is_some();
    !selection.paths.is_empty() || !selection.tags.is_empty() || is_named
}

/// Prints why nothing is selected: no match, or an empty suite.
pub(super) fn nothing_selected(suite: &Suite, selection: &Selection) -> Exit {
    if is_partial(selection) {
        errln!("no scenario matches the selection; ptc-eval list scenarios shows what there is");
    } else {
        let root = suite.root.display();
        errln!("there is no scenario below {root}; ptc-eval new NAME writes one to start from");
    }
    Exit::NothingSelected
}

/// Returns true if both paths lead to the same file or folder.
pub(super) fn same_place(left: &Path, right: &Path) -> bool {
    match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right,
        // One of them may not exist yet, such as an output folder.
        _ => left == right,
    }
}

/// Collects the names allowed in scenario files, from the registries. Models come from the price table (default: the built-in one).
pub(super) fn known(permission: &Permission, prices: Option<&PriceTable>) -> Known {
    // A test parses the built-in table, so the default is never used.
    let prices = prices.map_or_else(|| PriceTable::built_in().unwrap_or_default(), PriceTable::clone);
    Known {
        command_environment: permission.environment(),
        tokenizers: ENCODINGS.iter().map(|encoding| encoding.name.to_string()).collect(),
        metrics: crate::report::metrics(),
        model_metrics: COST_COLUMNS.map(str::to_owned).to_vec(),
        prices,
        ..Known::default()
    }
}

/// Quotes a path for a command, see [`for_shell`].
pub(super) fn path_for_shell(path: &Path) -> String {
    for_shell(&path.display().to_string()).into_owned()
}

/// Finds one scenario by path, name or suffix of a name. `FOLDER/NAME` looks in another suite. In our commands, a name with a leading hyphen
/// is written as `./-name`.
pub(super) fn find(name: &str, permission: &Permission) -> Result<(Suite, Scenario), CliError> {
    // A suggested command has `./` before a name that would read as an option.
    let name = match name.strip_prefix("./") {
        Some(rest) if rest.starts_with('-') => rest,
        _ => name,
    };
    let file = Some(PathBuf::from(name)).filter(|path| path.is_file());
    let (folder, name) = if file.is_some() { (None, name) } else { folder_and_name(name) };
    let is_wanted = |known: &str| file.is_some() || is_called(known, name);
    let paths = file.clone().or(folder.map(PathBuf::from)).into_iter().collect();
    let choice = ScenarioChoice { paths, permission: permission.clone(), ..ScenarioChoice::default() };
    let suite = choice.open()?;
    let selection = choice.selection(&suite);
    let (mut matching, mut names) = (Vec::new(), Vec::new());
    for scenario in suite.scenarios(&selection)? {
        match scenario {
            // An exact match wins, even if it is also the suffix of other names.
            Ok(scenario) if scenario.name == name => {
                matching = vec![scenario];
                break;
            }
            Ok(scenario) => {
                names.push(scenario.name.clone());
                matching.extend(is_wanted(&scenario.name).then_some(scenario));
            }
            // The wanted scenario exists, but is invalid.
            Err(error) if is_wanted(&suite.name_of(&error.path)) => return Err(error.into()),
            Err(_) => {}
        }
    }
    match <[Scenario; 1]>::try_from(matching) {
        Ok([scenario]) => Ok((suite, scenario)),
        Err(none) if none.is_empty() => {
            let ends = names.iter().filter_map(|name| Some(name.rsplit_once('/')?.1));
            let meant = ptc_lisp::hint::did_you_mean(name, names.iter().map(String::as_str).chain(ends));
            let hint = meant.unwrap_or_else(|| "ptc-eval list scenarios shows what there is".to_string());
            Err(CliError::UnknownScenario { name: name.to_string(), hint })
        }
        Err(several) => {
            let meanings = several.into_iter().map(|scenario| scenario.name).collect();
            Err(CliError::AmbiguousScenario { name: name.to_string(), meanings })
        }
    }
}

/// Splits a suite's folder from the name of a scenario: `kept/scenarios/late` becomes `kept/scenarios` and `late`.
fn folder_and_name(text: &str) -> (Option<&str>, &str) {
    let parts = text.rmatch_indices('/').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let mut suites = parts.filter(|(folder, _)| is_suite(Path::new(folder)));
    suites.next().map_or((None, text), |(folder, name)| (Some(folder), name))
}

/// Returns true if `wanted` is the name of the scenario or a suffix of it after a `/`.
fn is_called(name: &str, wanted: &str) -> bool {
    name == wanted || name.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'))
}

/// Prints the warnings of a scenario, if there are any.
pub(super) fn print_warnings(warnings: &[Problem]) {
    if !warnings.is_empty() {
        err!("{}", render(warnings));
    }
}

/// Warns about images and files in transcripts when they count as zero tokens.
pub(super) fn warn_of_images(uncounted: u64) {
    if uncounted > 0 {
        errln!(
            "warning: images and files in transcripts count no tokens ({uncounted} here); image_tokens in suite.yaml sets \
             what each counts"
        );
    }
}

impl std::str::FromStr for StrategyChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyChoice, String> {
        let mut parts = split_outside_braces(text).into_iter();
        let name = parts.next().unwrap_or(text);
        let mut options = JsonOptions::default();
        for part in parts {
            let Some((option, value)) = part.split_once('=') else {
                return Err(format!("expected OPTION=VALUE after the strategy's name, found '{part}'"));
            };
            options.insert(option.to_string(), option_value(option, value));
        }
        Ok(StrategyChoice { name: name.to_owned(), options })
    }
}

impl StrategyChoice {
    /// Resolves the name and the options in a suite. Built-in variants of `advise` are known in every suite.
    pub(super) fn in_suite(&self, suite: &Suite) -> (String, JsonOptions) {
        let variant = match suite.known.strategy(&self.name) {
            Some(_) => None,
            None => variant_of_advice(&self.name),
        };
        let (name, mut options) = variant.unwrap_or_else(|| (self.name.clone(), JsonOptions::default()));
        options.extend(self.options.clone());
        (name, options)
    }
}

/// `summary,trigger=window=0.5`: a strategy with options, without characters that are illegal in names of variants and files.
/// [`StrategyChoice`] parses it.
pub(super) fn spelled(strategy: &str, options: &JsonOptions) -> String {
    let mut text = strategy.to_owned();
    for (option, value) in options {
        let value = match value {
            serde_json::Value::Object(bounds) if option == TRIGGER => {
                let bounds: Vec<String> =
                    bounds.iter().map(|(bound, number)| format!("{bound}={number}")).collect();
                bounds.join("+")
            }
            serde_json::Value::String(word) => word.clone(),
            value => value.to_string(),
        };
        text.push_str(&format!(",{option}={}", value.replace(['{', '}', '"', '/', ' '], "")));
    }
    text
}

/// `summary,trigger={window: 0.5}`: a strategy with options as `apply` prints it, without quotes for a shell.
pub(super) fn as_typed(choice: &StrategyChoice) -> String {
    let mut text = choice.name.clone();
    for (option, value) in &choice.options {
        let value = match value {
            serde_json::Value::Object(bounds) => {
                let bounds: Vec<String> =
                    bounds.iter().map(|(bound, number)| format!("{bound}: {number}")).collect();
                format!("{{{}}}", bounds.join(", "))
            }
            serde_json::Value::String(word) => word.clone(),
            value => value.to_string(),
        };
        text.push_str(&format!(",{option}={value}"));
    }
    text
}

/// The value of an option: YAML, or the bounds of a trigger as [`spelled`] writes them.
fn option_value(option: &str, value: &str) -> serde_json::Value {
    let bounds = value.split('+').map(|bound| bound.split_once('='));
    if let (TRIGGER, Some(bounds)) = (option, bounds.collect::<Option<Vec<_>>>()) {
        let bounds = bounds.into_iter().map(|(bound, number)| (bound.to_owned(), yaml_value(number)));
        return serde_json::Value::Object(bounds.collect());
    }
    yaml_value(&with_blanks(value))
}

fn yaml_value(text: &str) -> serde_json::Value {
    serde_yaml::from_str(text).unwrap_or_else(|_| text.into())
}

/// Adds a space after each colon of a map, because YAML reads `turns:4` as one key. A shell would need quotes for the space.
fn with_blanks(value: &str) -> Cow<'_, str> {
    let is_map = value.starts_with('{') && !value.contains(['"', '\'']);
    if is_map { value.replace(": ", ":").replace(':', ": ").into() } else { value.into() }
}

/// Splits at commas, but not inside `{…}`.
fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, character) in text.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// `1 scenario`, `3 strategies`, `1,000 snapshots`
pub(super) fn count(number: usize, what: &str) -> String {
    let is_one = number == 1;
    let number = grouped(number as u64);
    match (is_one, what.strip_suffix('y')) {
        (true, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {what}s"),
    }
}

/// `1 file is not valid`
pub(super) fn not_valid(files: usize) -> String {
    format!("{} {} not valid", count(files, "file"), if files == 1 { "is" } else { "are" })
}

/// Arguments that bound a recommendation.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct ToleranceArguments {
    /// Recommend only strategies with at most this share of answers lacking a fact; default: `max_short` in suite.yaml, else 5%
    #[arg(long, value_name = "PERCENT", value_parser = share)]
    pub max_short: Option<f64>,
    /// Recommend only strategies that save at least this share of the baseline's cost; default: `min_saving` in suite.yaml, else 2%
    #[arg(long, value_name = "PERCENT", value_parser = share)]
    pub min_saving: Option<f64>,
    /// How many times as many turns your agent takes with a shorter history, if you measured it, such as 1.1; default: `turns` in
    /// suite.yaml, else the range in public experiments
    #[arg(long, value_name = "FACTOR", value_parser = turns)]
    pub turns: Option<f64>,
}

impl ToleranceArguments {
    /// Overrides a tolerance with the arguments.
    pub(super) fn over(&self, tolerance: Tolerance) -> Tolerance {
        Tolerance {
            max_short: self.max_short.unwrap_or(tolerance.max_short),
            min_saving: self.min_saving.unwrap_or(tolerance.min_saving),
            turns: self.turns.or(tolerance.turns),
            takes_any_kind: self.max_short.is_some() || tolerance.takes_any_kind,
        }
    }

    /// The same settings as lines of `suite.yaml`.
    pub(super) fn settings(&self) -> String {
        let line =
            |key: &str, share: Option<f64>| share.map_or(String::new(), |share| format!("{key}: {share}\n"));
        line("max_short", self.max_short) + &line("min_saving", self.min_saving) + &line("turns", self.turns)
    }
}

/// Reads a factor of turns: `1.1`.
fn turns(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| *factor > 0.0 && factor.is_finite());
    factor.ok_or_else(|| "expected a factor such as 1.1: a tenth more turns".to_owned())
}

/// Reads a share: `5%` or `0.05`.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    let share = number.trim().parse::<f64>().map(|number| number / unit);
    match share {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        // `8` is a typo for `8%`, not 800%.
        Ok(share) if unit == 1.0 && (1.0..=100.0).contains(&share) => {
            Err(format!("expected a share such as 5%; did you mean {text}%?"))
        }
        _ => Err("expected a share such as 5%".into()),
    }
}
