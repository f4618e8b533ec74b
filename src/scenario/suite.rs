//! A suite: settings shared by its scenarios, and the scenarios as a stream.

mod bounds;
mod prompts;
mod selection;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::BufRead;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexSet;

use super::data_files::{self, display, unreadable};
use super::document::{Document, Step, Target, trail};
use super::file::LimitsFile;
use super::files;
use super::load::load;
use super::loader::ScenarioSource;
use super::names::{self, SAME_FILE};
use super::node::Node;
use super::options::{Known, KnownStrategy};
use super::problem::{LISTED, Problem, ScenarioError, Severity};
use super::shape::fit;
use super::sources::{Texts, in_memory, lines, open_lines, read_whole};
use super::suite_file::{SuiteFile, ThresholdFile, VariantFile, Warm};
use super::system_prompt::SuitePrompt;
use super::walk::{SUITE_FILE, TRANSCRIPT_FILE, refuse_outside};
pub use super::walk::{Walk, beside, find_root, is_suite, is_transcript, is_within_suite};
use super::{JsonOptions, Scenario, help_for_model};
use crate::agent::PromptFrame;
use crate::compression::{AnyStrategy, BASELINE, CommandStrategy, PROMPT, Program, is_default};
use agent_logs::ShelvedTranscript;
use bounds::read_tolerance;
pub use bounds::{Bound, Threshold, Tolerance};
use ptc_lisp::hint::suggestion;
use ptc_prices::{DEFAULT_MODELS, TimeSpan};
pub use selection::Selection;

/// Standard input in arguments and messages.
pub const STANDARD_INPUT: &str = "-";

/// Alias for all built-in strategies in a list of strategies.
const ALL_BUILT_IN: &str = "default";

/// Help text for a variant without exactly one base.
const ONE_BASE: &str = "give it one of: strategy, program, command";

/// Settings shared by all scenarios of a folder.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The folder of the suite. Scenario names are relative to it; `snapshots/` and `reports/` are next to it. The working directory if the
    /// suite consists of conversations in memory.
    pub root: PathBuf,
    /// The conversations, if the suite is in memory rather than a folder.
    conversations: Option<Arc<[ShelvedTranscript]>>,
    /// The last component of `root`.
    pub name: String,
    /// Strategies and variants to run, in this order.
    pub strategies: Vec<String>,
    pub baseline: String,
    /// In the order of the file.
    pub variants: Vec<SuiteVariant>,
    /// Options for every strategy with an option of the same name.
    pub options: JsonOptions,
    /// The default system prompt of scenarios: the first of `prompts`, if there are any.
    pub system_prompt: PromptFrame,
    /// The system prompts to compare. `known` contains a copy of the strategies for each prompt except the first.
    pub prompts: Vec<Arc<SuitePrompt>>,
    pub tokenizer: Option<String>,
    /// Token count of each image or file in a transcript.
    pub image_tokens: u32,
    /// True to size the requests of transcripts by the billed tokens in their logs.
    pub bills: bool,
    /// True to price each answer of a transcript by the model in its log. Applies to the column of the first model.
    pub logged_prices: bool,
    pub models: Vec<String>,
    /// The bounds of a recommendation.
    pub tolerance: Tolerance,
    /// True if SYSTEM and the declared tools are cached before each run.
    pub warm_system: bool,
    /// Cache lifetime to use if a model offers several.
    pub ttl: Option<TimeSpan>,
    /// Assumed pause before each user message, for transcripts without times.
    pub pause: Option<TimeSpan>,
    pub limits: LimitsFile,
    pub thresholds: Vec<Threshold>,
    /// Built-in strategies and variants, and the other names valid in files.
    pub known: Known,
    /// Warnings about parts of the file without effect.
    pub warnings: Vec<Problem>,
}

/// A strategy defined in `suite.yaml`.
#[derive(Clone, Debug)]
pub struct SuiteVariant {
    /// Its name and the strategy it is based on.
    pub strategy: KnownStrategy,
    pub options: JsonOptions,
}

impl Suite {
    /// Opens the suite of a path, searching parent folders. `known` contains the built-in names.
    ///
    /// # Errors
    /// The problems of its `suite.yaml`.
    pub fn open(path: &Path, known: Known) -> Result<Suite, ScenarioError> {
        if let Err(error) = fs::metadata(path) {
            return Err(unreadable(&display(path), &error));
        }
        let root = find_root(path);
        let file = root.join(SUITE_FILE);
        refuse_outside(&root, &file)?;
        let path = display(&file);
        let bytes = match files::read_if_there(&file) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => Default::default(),
            Err(error) => return Err(unreadable(&path, &error)),
        };
        let text = data_files::utf8(&path, &bytes)?.to_owned();
        let document = Document::new(&path, &text);
        let node = document.yaml()?;
        let file = match &node {
            Node::Null => SuiteFile::default(),
            node => match fit(node) {
                Ok(file) => file,
                Err(misfit) => return Err(misfit.into_problem(&document).into()),
            },
        };
        let (name, problems) = (name_of_folder(&root), document.huge_integers(&node));
        Builder { document, root, name, known, broken: BTreeSet::new(), problems, unlisted: 0 }
            .build_suite(file)
    }

    /// A suite of conversations without files. Problems of the settings have no place.
    ///
    /// # Errors
    /// The problems of the settings.
    pub fn of_conversations(
        settings: SuiteFile,
        known: Known,
        conversations: Vec<ShelvedTranscript>,
    ) -> Result<Suite, ScenarioError> {
        let (document, root) = (Document::new(SUITE_FILE, ""), PathBuf::from("."));
        let name = name_of_folder(&root);
        let builder = Builder {
            document,
            root,
            name,
            known,
            broken: BTreeSet::new(),
            problems: Vec::new(),
            unlisted: 0,
        };
        Ok(Suite { conversations: Some(conversations.into()), ..builder.build_suite(settings)? })
    }

    /// Returns true for a suite of conversations in memory. Such a suite has no golden files.
    pub fn is_in_memory(&self) -> bool {
        self.conversations.is_some()
    }

    /// The texts of the scenarios, in order. Skips scenarios if their path alone rules them out.
    ///
    /// # Errors
    /// A path of the selection is not in the suite.
    pub fn sources<'a>(&self, selection: &'a Selection) -> Result<Box<Texts<'a>>, ScenarioError> {
        if let Some(conversations) = &self.conversations {
            let conversations = Arc::clone(conversations);
            return Ok(Box::new(
                (0..conversations.len()).map(move |index| Ok(in_memory(&conversations, index))),
            ));
        }
        let files = Walk::new(&self.root, &selection.paths)?;
        Ok(Box::new(files.flat_map(|file| -> Box<Texts<'a>> {
            match file {
                Ok(file) if file.has_lines => match open_lines(&file) {
                    Ok(lines) => lines,
                    Err(error) => Box::new(iter::once(Err(error))),
                },
                Ok(file) if !selection.admits_name(&file.name) => Box::new(iter::empty()),
                file => Box::new(iter::once(file.and_then(read_whole))),
            }
        })))
    }

    /// Total size in bytes of the files read by [`Suite::sources`]. Ignores files it cannot find.
    pub fn bytes(&self, selection: &Selection) -> u64 {
        let Ok(walk) = Walk::new(&self.root, &selection.paths) else { return 0 };
        let mut bytes = 0;
        for file in walk.flatten() {
            if (file.has_lines || selection.admits_name(&file.name))
                && let Ok(metadata) = fs::metadata(file.path)
            {
                bytes += metadata.len();
            }
        }
        bytes
    }

    /// Parses a scenario; safe to call from several threads. The caller checks the name with [`names::Names`] and applies
    /// [`Selection::admits`].
    ///
    /// # Errors
    /// All problems found.
    pub fn load(&self, source: &ScenarioSource) -> Result<Scenario, ScenarioError> {
        load(source, self)
    }

    /// The selected scenarios, in order. A duplicate name is an error.
    ///
    /// # Errors
    /// A path of the selection is not in the suite.
    pub fn scenarios<'a>(
        &'a self,
        selection: &'a Selection,
    ) -> Result<impl Iterator<Item = Result<Scenario, ScenarioError>> + 'a, ScenarioError> {
        let mut names = names::Names::default();
        Ok(self.sources(selection)?.filter_map(move |source| match self.load_new(source, &mut names) {
            Ok(scenario) if !selection.admits(&scenario) => None,
            scenario => Some(scenario),
        }))
    }

    /// Parses a scenario, and claims its name.
    fn load_new(
        &self,
        source: Result<ScenarioSource, ScenarioError>,
        names: &mut names::Names,
    ) -> Result<Scenario, ScenarioError> {
        let scenario = self.load(&source?)?;
        names.claim(&scenario.name, &scenario.origin)?;
        Ok(scenario)
    }

    /// The texts of the scenarios on the lines of a stream, such as standard input.
    pub fn lines(&self, reader: impl BufRead) -> impl Iterator<Item = Result<ScenarioSource, ScenarioError>> {
        lines(STANDARD_INPUT.to_owned(), self.root.clone(), reader)
    }

    /// The folder relative to the working directory, or only its name if it is elsewhere.
    pub fn folder(&self) -> String {
        let (Ok(root), Ok(here)) = (self.root.canonicalize(), Path::new(".").canonicalize()) else {
            return self.name.clone();
        };
        match root.strip_prefix(here) {
            Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
            Ok(below) => display(below),
            Err(_) => self.name.clone(),
        }
    }

    /// A path of the suite for written files. It begins with the name of the suite's folder, so the files are the same however the command
    /// line names the suite.
    pub fn place_of(&self, path: &str) -> String {
        place_below(&self.root, &self.name, path)
    }

    /// The display name of a file or folder of the suite: a scenario's name, a `.jsonl` file, or a folder with a trailing slash.
    pub fn name_of(&self, path: &str) -> String {
        let whole = Path::new(path);
        let below = display(whole.strip_prefix(&self.root).unwrap_or(whole));
        let stem = [".yaml", ".yml", TRANSCRIPT_FILE].iter().find_map(|end| below.strip_suffix(end));
        match stem {
            _ if whole.is_dir() => below + "/",
            Some(stem) => stem.to_owned(),
            None => below,
        }
    }
}

fn name_of_folder(root: &Path) -> String {
    let real = root.canonicalize();
    match real.as_deref().unwrap_or(root).file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => String::new(),
    }
}

fn place_below(root: &Path, name: &str, path: &str) -> String {
    match Path::new(path).strip_prefix(root) {
        Ok(below) => display(&Path::new(name).join(below)),
        Err(_) => path.to_owned(),
    }
}

/// The strategies to run, in the order of the file and without duplicates.
fn listed_strategies(listed: Option<&[String]>, built_in: &[String]) -> Vec<String> {
    let Some(listed) = listed else { return built_in.to_vec() };
    let mut strategies: IndexSet<&String> = IndexSet::new();
    for name in listed {
        match name.as_str() {
            ALL_BUILT_IN => strategies.extend(built_in),
            _ => _ = strategies.insert(name),
        }
    }
    strategies.into_iter().cloned().collect()
}

fn baseline_of(file: &SuiteFile) -> &str {
    file.baseline.as_deref().unwrap_or(BASELINE.name())
}

/// Checks a suite file and collects its problems.
struct Builder<'a> {
    document: Document<'a>,
    root: PathBuf,
    name: String,
    known: Known,
    /// Names of unusable variants. The error is at the variant, so references to it are not reported again.
    broken: BTreeSet<String>,
    problems: Vec<Problem>,
    /// Number of problems beyond the listed ones.
    unlisted: usize,
}

impl Builder<'_> {
    fn build_suite(mut self, file: SuiteFile) -> Result<Suite, ScenarioError> {
        let built_in: Vec<String> = self.known.strategies.iter().map(|known| known.name.clone()).collect();
        let variants = self.load_variants(&file);
        self.check_case(&built_in, &file);
        for SuiteVariant { strategy, .. } in &variants {
            if !built_in.contains(&strategy.name) {
                self.known.strategies.push(strategy.clone());
            }
        }
        let default: Vec<String> = built_in.into_iter().filter(|name| is_default(name)).collect();
        let strategies = listed_strategies(file.strategies.as_deref(), &default);
        self.check_names(&file);
        self.check_baseline(&file, &strategies);
        let thresholds = self.load_thresholds(&file);
        if self.unlisted > 0 {
            self.problems.push(Problem::more(self.document.path, self.unlisted));
        }
        let (system_prompt, prompts) = self.system_prompts(&file);
        let warnings = self.unused_variants(&variants, &strategies);
        if !self.problems.is_empty() {
            return Err(ScenarioError { path: self.document.path.to_owned(), problems: self.problems });
        }
        let tolerance = read_tolerance(&file);
        let strategies = self.known.under_prompts(strategies, prompts.get(1..).unwrap_or_default());
        Ok(Suite {
            conversations: None,
            root: self.root,
            name: self.name,
            strategies,
            baseline: baseline_of(&file).to_owned(),
            variants,
            options: file.compression,
            system_prompt,
            prompts,
            tokenizer: file.tokenizer,
            image_tokens: file.image_tokens,
            bills: file.bills,
            logged_prices: file.logged_prices,
            tolerance,
            models: file.models.unwrap_or_else(|| DEFAULT_MODELS.map(str::to_owned).to_vec()),
            warm_system: file.cache.warm == Some(Warm::System),
            ttl: file.ttl,
            pause: file.pause,
            limits: file.limits,
            thresholds,
            known: self.known,
            warnings,
        })
    }

    /// The usable variants.
    fn load_variants(&mut self, file: &SuiteFile) -> Vec<SuiteVariant> {
        let mut variants = Vec::new();
        for (name, variant) in &file.variants {
            match self.load_variant(name, variant) {
                Some(variant) => variants.push(variant),
                None => _ = self.broken.insert(name.clone()),
            }
        }
        variants
    }

    fn load_thresholds(&mut self, file: &SuiteFile) -> Vec<Threshold> {
        let mut thresholds = Vec::new();
        for (index, file) in file.thresholds.iter().enumerate() {
            thresholds.extend(self.load_threshold(index, file));
        }
        thresholds
    }

    /// Warnings about variants missing from `strategies`.
    fn unused_variants(&self, variants: &[SuiteVariant], strategies: &[String]) -> Vec<Problem> {
        let mut warnings = Vec::new();
        for SuiteVariant { strategy: KnownStrategy { name, .. }, .. } in variants {
            if strategies.contains(name) || warnings.len() == LISTED {
                continue;
            }
            let message = format!("no run has the variant '{name}', since strategies does not list it");
            let help = format!("write `strategies: [{ALL_BUILT_IN}, {name}]`, or add it to the list");
            let problem = self.document.problem(&trail!["variants", name], Target::Key, message, &help);
            warnings.push(Problem { severity: Severity::Warning, code: Some("unused_variant"), ..problem });
        }
        warnings
    }

    fn add(&mut self, describe: impl FnOnce(&Self) -> Problem) {
        if self.problems.len() < LISTED {
            self.problems.push(describe(self));
        } else {
            self.unlisted += 1;
        }
    }

    fn error(&mut self, at: &[Step], message: impl Into<String>, help: &str) {
        self.add(|suite| suite.document.problem(at, Target::Value, message, help));
    }

    fn key_error(&mut self, at: &[Step], message: impl Into<String>, help: &str) {
        self.add(|suite| suite.document.problem(at, Target::Key, message, help));
    }

    /// Adds the problem of an unknown name, with a suggestion.
    fn unknown(&mut self, at: &[Step], what: &str, name: &str, known: impl FnOnce(&Known) -> Vec<&str>) {
        self.add(|suite| {
            let help = suggestion(name, &known(&suite.known));
            suite.document.problem(at, Target::Value, format!("there is no {what} '{name}'"), &help)
        });
    }

    fn load_variant(&mut self, name: &str, file: &VariantFile) -> Option<SuiteVariant> {
        let at = trail!["variants", name];
        if name == ALL_BUILT_IN {
            let message = format!("'{name}' means all built-in strategies");
            self.key_error(&at, message, "give the variant another name");
        } else if self.known.strategy(name).is_some() {
            let message = format!("there is a built-in strategy called '{name}'");
            self.key_error(&at, message, "give the variant another name");
        } else if let Some(help) = names::refuse_variant(name) {
            self.key_error(&at, format!("a variant cannot be called {name:?}"), help);
        }
        let mut strategy = match (&file.strategy, &file.program, &file.command) {
            (Some(strategy), None, None) => self.base_strategy(name, strategy)?,
            (None, Some(path), None) => self.base_program(name, path)?,
            (None, None, Some(words)) => self.base_command(name, words, &file.options)?,
            (None, None, None) => {
                self.error(&at, "the variant is empty", ONE_BASE);
                return None;
            }
            _ => {
                self.error(&at, "the variant has several of strategy, program and command", ONE_BASE);
                return None;
            }
        };
        strategy.options.extend(file.options.clone());
        (strategy.name, strategy.prompt) = (name.to_owned(), None);
        for (option, value) in &file.options {
            self.check_option(&strategy, &trail!["variants", name, option.as_str()], value);
            self.check_prompt(&strategy, &trail!["variants", name, option.as_str()], value);
        }
        Some(SuiteVariant { options: strategy.options.clone(), strategy })
    }

    fn base_strategy(&mut self, variant: &str, strategy: &str) -> Option<KnownStrategy> {
        let known = self.known.strategy(strategy).cloned();
        if known.is_none() {
            let at = trail!["variants", variant, "strategy"];
            self.unknown(&at, "built-in strategy", strategy, Known::strategy_names);
        }
        known
    }

    /// The strategy in a PTC-Lisp file. An invalid program is not a problem of the suite, since all other strategies can run.
    fn base_program(&mut self, variant: &str, path: &str) -> Option<KnownStrategy> {
        match data_files::read_text(&self.root, &self.root, path) {
            Ok((file, text)) => {
                let place = place_below(&self.root, &self.name, &display(&file));
                let program = AnyStrategy::Own(Arc::new(Program::new(&place, &text)));
                Some(KnownStrategy::of(variant, program))
            }
            Err(refused) => {
                let at = trail!["variants", variant, "program"];
                self.add(|suite| refused.into_problem(&suite.document, &at));
                None
            }
        }
    }

    /// The strategy of a command. It runs in the suite's folder.
    fn base_command(
        &mut self,
        variant: &str,
        words: &[String],
        options: &JsonOptions,
    ) -> Option<KnownStrategy> {
        if words.is_empty() {
            let help = "name a program and its arguments: [python3, strategies/own.py]";
            self.error(&trail!["variants", variant, "command"], "the command is empty", help);
        }
        if let Some(options) = options.get("options")
            && !options.is_object()
        {
            let at = trail!["variants", variant, "options"];
            self.error(&at, "expected a map of options", "they are passed to the program as they are");
        }
        let folder = std::path::absolute(&self.root);
        let folder = folder.as_ref().unwrap_or(&self.root);
        let command = CommandStrategy::new(words, folder, self.known.command_environment.clone());
        Some(KnownStrategy::of(variant, AnyStrategy::Own(Arc::new(command))))
    }

    /// Checks an option of a strategy. The last step of `at` is the option's name.
    fn check_option(&mut self, strategy: &KnownStrategy, at: &[Step], value: &serde_json::Value) {
        let Some(Step::Key(option)) = at.last() else { return };
        if let Some(refused) = strategy.refuse(option, value) {
            self.add(|suite| suite.document.problem(at, refused.target, refused.message, &refused.help));
        }
    }

    /// Checks that the instruction file is readable. It is read again where it is used.
    fn check_prompt(&mut self, strategy: &KnownStrategy, at: &[Step], value: &serde_json::Value) {
        let is_prompt = matches!(at.last(), Some(Step::Key(option)) if *option == PROMPT.name);
        let Some(path) = value.as_str() else { return };
        if !is_prompt || path.is_empty() || !strategy.base.options().contains(&PROMPT) {
            return;
        }
        if let Err(refused) = data_files::read_text(&self.root, &self.root, path) {
            self.add(|suite| refused.into_problem(&suite.document, at));
        }
    }

    /// Checks that no two strategy names differ only in case: file names are made from them.
    fn check_case(&mut self, built_in: &[String], file: &SuiteFile) {
        let mut taken: BTreeMap<String, &str> = BTreeMap::new();
        for name in built_in {
            taken.insert(names::folded(name), name);
        }
        for (name, _) in file.variants.iter() {
            let first = *taken.entry(names::folded(name)).or_insert(name);
            if first != name {
                let message = format!("'{name}' differs from '{first}' in upper and lower case only");
                self.key_error(&trail!["variants", name], message, SAME_FILE);
            }
        }
    }

    fn check_names(&mut self, file: &SuiteFile) {
        for (index, name) in file.strategies.iter().flatten().enumerate() {
            if name != ALL_BUILT_IN {
                self.check_strategy(&trail!["strategies", index], name);
            }
        }
        if file.strategies.as_ref().is_some_and(Vec::is_empty) {
            let help = "name some, or remove the key to run all";
            self.error(&trail!["strategies"], "there is no strategy to run", help);
        }
        if let Some(baseline) = &file.baseline {
            self.check_strategy(&trail!["baseline"], baseline);
        }
        for (option, value) in &file.compression {
            self.check_shared_option(option, value);
        }
        if let Some(tokenizer) = &file.tokenizer {
            self.check_known(&trail!["tokenizer"], "tokenizer", tokenizer, |known| &known.tokenizers);
        }
        for (index, model) in file.models.iter().flatten().enumerate() {
            self.check_model(&trail!["models", index], model);
        }
        for (key, share) in [("max_short", &file.max_short), ("min_saving", &file.min_saving)] {
            if let Some(share) = share
                && !(0.0..=1.0).contains(&share.0)
            {
                self.error(&trail![key], "a share is between 0 and 1", "write it as 5% or 0.05");
            }
        }
        if let Some(turns) = file.turns
            && !(turns.is_finite() && turns > 0.0)
        {
            self.error(&trail!["turns"], "a factor of turns is above 0", "write 1.1 for a tenth more turns");
        }
        self.problems.extend(file.limits.problems(&self.document));
    }

    fn check_strategy(&mut self, at: &[Step], name: &str) {
        if self.known.strategy(name).is_none() && !self.broken.contains(name) {
            self.unknown(at, "strategy", name, Known::strategy_names);
        }
    }

    /// Checks that the baseline runs, since all other strategies are compared with it.
    fn check_baseline(&mut self, file: &SuiteFile, strategies: &[String]) {
        let baseline = baseline_of(file);
        // Unknown names are already reported.
        if strategies.iter().any(|name| name == baseline) || self.known.strategy(baseline).is_none() {
            return;
        }
        let Some(first) = strategies.first() else { return };
        let message = format!("strategies does not list the baseline '{baseline}'");
        let add = match file.strategies {
            Some(_) => format!("add {baseline} to the list"),
            None => format!("write `strategies: [{baseline}, {ALL_BUILT_IN}]`"),
        };
        let help = format!("{add}, or compare with another: `baseline: {first}`");
        let key = if file.baseline.is_some() { "baseline" } else { "strategies" };
        self.error(&trail![key], message, &help);
    }

    /// Checks an option for all strategies: at least one strategy must have it.
    fn check_shared_option(&mut self, option: &str, value: &serde_json::Value) {
        let at = trail!["compression", option];
        if option == "strategy" {
            let message = "the suite's compression holds options only";
            return self.key_error(&at, message, "list what to run under strategies");
        }
        let Some(known) = self.known.strategies.iter().find(|known| known.has(option)).cloned() else {
            let mut names: Vec<&str> =
                self.known.strategies.iter().flat_map(KnownStrategy::options).collect();
            names.sort_unstable();
            names.dedup();
            let help = suggestion(option, &names);
            return self.key_error(&at, format!("no strategy has an option '{option}'"), &help);
        };
        self.check_option(&known, &at, value);
    }

    /// Checks a name against the known ones. If there are none, as in tests, every name is valid.
    fn check_known(&mut self, at: &[Step], kind: &str, name: &str, names: fn(&Known) -> &Vec<String>) {
        let known = names(&self.known);
        if !known.is_empty() && !known.iter().any(|known| known == name) {
            self.unknown(at, kind, name, |known| names(known).iter().map(String::as_str).collect());
        }
    }

    fn check_model(&mut self, at: &[Step], name: &str) {
        let prices = &self.known.prices;
        let unknown = if prices.rows().is_empty() { None } else { prices.find(name, prices.day()).err() };
        if let Some(unknown) = unknown {
            self.error(at, format!("there is no model '{name}'"), &help_for_model(&unknown));
        }
    }

    /// Checks the name of a metric. Returns it with its model spelled as in reports.
    fn check_metric(&mut self, at: &[Step], name: &str) -> String {
        let prices = &self.known.prices;
        let of_model = name
            .split_once(':')
            .filter(|(metric, _)| self.known.model_metrics.iter().any(|known| known == metric));
        let Some((metric, model)) = of_model else {
            self.check_known(at, "metric", name, |known| &known.metrics);
            return name.to_owned();
        };
        match prices.find(model, prices.day()) {
            Ok(price) => return format!("{metric}:{}", price.model),
            Err(unknown) => self.error(at, format!("there is no model '{model}'"), &help_for_model(&unknown)),
        }
        name.to_owned()
    }

    fn load_threshold(&mut self, index: usize, file: &ThresholdFile) -> Option<Threshold> {
        self.check_strategy(&trail!["thresholds", index, "strategy"], &file.strategy);
        let metric = self.check_metric(&trail!["thresholds", index, "metric"], &file.metric);
        let bound = match (file.max_increase, file.min, file.max) {
            (Some(amount), None, None) => Bound::MaxIncrease(amount.0),
            (None, Some(amount), None) => Bound::Min(amount.0),
            (None, None, Some(amount)) => Bound::Max(amount.0),
            (increase, min, max) => {
                let is_empty = increase.or(min).or(max).is_none();
                let message =
                    if is_empty { "the threshold has no bound" } else { "a threshold has just one bound" };
                self.error(&trail!["thresholds", index], message, "give it one of: max_increase, min, max");
                return None;
            }
        };
        if let Some((key, message, help)) = file.refused_share() {
            self.error(&trail!["thresholds", index, key], message, &help);
        }
        Some(Threshold { strategy: file.strategy.clone(), metric, bound })
    }
}
