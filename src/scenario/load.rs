//! Builds a scenario from its file, and reports all problems at once. Only invalid YAML and wrong keys or types hide other problems.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;

use super::data_files;
use super::document::{Document, Step, Target, trail};
use super::entries::Datum;
use super::file::{CompressionFile, ExpectFile, LimitsFile, ResponseFile, ResponseMap, ScenarioFile};
use super::loader::{Loader, ScenarioSource, SourceContent, SourceFormat, one_line};
use super::node::Node;
use super::options::Compression;
use super::problem::{Problem, ScenarioError, Severity};
use super::shape::fit;
use super::system_prompt::Folders;
use super::{
    Content, Expectations, JsonOptions, Origin, Outcome, Scenario, Script, Suite, names, silent, tools,
    transcript,
};
use crate::agent::extract::response_with;
use crate::agent::{
    Agent, DEFAULT_MAX_TURNS, MAX_VALUES, MissionExpander, Pauses, PlaceholderError, PromptFrame, Response,
    Tool,
};
use crate::compression::DEFAULT;
use crate::signature::{Signature, same_name, validate};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::hint::{ALL_NAMES, suggestion};
use ptc_lisp::limits::Limits;
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;
use ptc_prices::TimeSpan;

/// Loads one scenario.
///
/// # Errors
/// All problems found, including warnings.
pub fn load(source: &ScenarioSource, suite: &Suite) -> Result<Scenario, ScenarioError> {
    match &source.content {
        SourceContent::Text { bytes, format } => load_text(source, bytes, *format, suite),
        SourceContent::Conversation(shelved) => {
            let transcript = match shelved.open() {
                Ok(transcript) => transcript,
                Err(error) => return Err(data_files::unreadable(&source.path, &error)),
            };
            let document = Document { first_line: source.line, ..Document::new(&source.path, "") };
            let mut loader = Loader::new(document, source, suite);
            let scenario = loader.of_conversation(&transcript);
            loader.finish(scenario)
        }
    }
}

/// Most bytes of a scenario that is no transcript. 100 MB of YAML took 35 seconds to parse and to count, longer than a time limit may be.
const MOST_BYTES: usize = 32 << 20;

fn load_text(
    source: &ScenarioSource,
    bytes: &[u8],
    format: SourceFormat,
    suite: &Suite,
) -> Result<Scenario, ScenarioError> {
    let text = data_files::utf8(&source.path, bytes)?;
    let document = Document { first_line: source.line, ..Document::new(&source.path, text) };
    let is_line = format == SourceFormat::JsonLine && transcript::is_line(text);
    if text.len() > MOST_BYTES && !is_line && format != SourceFormat::Transcript {
        let message =
            format!("a scenario takes at most {} MiB, found {}", MOST_BYTES >> 20, text.len() >> 20);
        let help = "put large data into files beside it, which data_files names";
        return Err(Problem::of_file(&source.path, message, help).into());
    }
    let node = match format {
        SourceFormat::Yaml => document.yaml()?,
        SourceFormat::JsonLine if !is_line => document.json()?,
        SourceFormat::JsonLine | SourceFormat::Transcript => Node::Null,
    };
    let mut loader = Loader::new(document, source, suite);
    let is_own = is_line || format == SourceFormat::Transcript;
    let scenario = if is_own || transcript::is_transcript(&node) {
        loader.transcript()?
    } else if transcript::names_transcript(&node) {
        let file = loader.read_file(&node)?;
        loader.of_transcript_file(&file)
    } else {
        let is_log = format == SourceFormat::JsonLine && is_of_log(&node);
        match loader.read_file(&node) {
            Ok(file) => loader.build_scenario(&file),
            Err(error) => return Err(if is_log { said_of_log(error) } else { error }),
        }
    };
    loader.finish(scenario)
}

/// Returns true for an object without any of a scenario's main keys.
fn is_of_log(node: &Node) -> bool {
    let Node::Map(entries) = node else { return false };
    !["mission", "responses", "tools", "data"].iter().any(|key| entries.contains_key(*key))
}

/// Adds the import command to the error of a line that may belong to a log.
fn said_of_log(mut error: ScenarioError) -> ScenarioError {
    for problem in &mut error.problems {
        // A suggestion for a misspelt key is more useful, so keep it.
        if let Some(help) = &mut problem.help
            && help.starts_with(ALL_NAMES)
        {
            LOG_HELP.clone_into(help);
        }
    }
    error
}

const LOG_HELP: &str = "a line is a scenario or a transcript; of a log `ptc-eval import LOG --output - --transcripts` makes such lines";

impl ScenarioFile {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// Invalid YAML, or wrong keys or types.
    pub fn parse(text: &str) -> Result<ScenarioFile, Problem> {
        let document = Document::new("", text);
        fit(&document.yaml()?).map_err(|misfit| misfit.into_problem(&document))
    }
}

impl Loader<'_> {
    fn read_file<T: DeserializeOwned>(&self, node: &Node) -> Result<T, ScenarioError> {
        let huge = self.document.huge_integers(node);
        if !huge.is_empty() {
            return Err(ScenarioError { path: self.source.path.clone(), problems: huge });
        }
        if *node == Node::Null {
            let help = "start with `mission:` and `responses:`; `ptc-eval new NAME` writes an example";
            return Err(self.document.problem_at(0, 1, "the file is empty", help).into());
        }
        if !matches!(node, Node::Map(_)) {
            let message = "expected a map with the keys of a scenario";
            return Err(self.document.problem_at(0, 1, message, "start with `mission:`").into());
        }
        Ok(fit(node).map_err(|misfit| misfit.into_problem(&self.document))?)
    }

    fn finish(self, scenario: Scenario) -> Result<Scenario, ScenarioError> {
        let path = self.source.path.clone();
        let problems = self.into_problems();
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(ScenarioError { path, problems });
        }
        Ok(Scenario { warnings: problems, ..scenario })
    }

    fn build_scenario(&mut self, file: &ScenarioFile) -> Scenario {
        // Problems are reported in this order.
        let name = self.name(file.name.as_deref());
        let agent = Arc::new(self.build_agent(file));
        let (mut responses, mut recorded_answers, mut needs) = (Vec::new(), Vec::new(), Vec::new());
        for (index, response) in file.responses.iter().enumerate() {
            responses.extend(self.load_response(index, response));
            match response {
                ResponseFile::Text(_) => needs.push(Vec::new()),
                ResponseFile::Map(map) => needs.push(map.needs.clone()),
            }
            recorded_answers.push(match response {
                ResponseFile::Text(_) => None,
                ResponseFile::Map(map) => map.recorded.clone(),
            });
        }
        Scenario {
            name,
            origin: Origin { path: self.source.path.clone(), line: self.source.line },
            file: self.suite.place_of(&self.source.path),
            description: file.description.as_deref().map(one_line),
            tags: file.tags.clone(),
            content: Content::Script(Script { agent, responses, recorded_answers }),
            compression: self.load_compression(file.compression.as_ref()),
            needs,
            expect: self.load_expectations(&file.expect),
            bills: None,
            answered_by: Vec::new(),
            uncounted_images: 0,
            warnings: Vec::new(),
        }
    }

    pub(super) fn name(&mut self, written: Option<&str>) -> String {
        match (&self.source.name, written) {
            (None, None) => {
                let help = "every line of a .jsonl file needs a name";
                self.error(&trail![], "the key 'name' is missing", help);
                String::new()
            }
            (Some(_), Some(_)) => {
                let message = "a scenario in a file of its own is called as the file is";
                self.key_error(&trail!["name"], message, "remove the name, or rename the file");
                String::new()
            }
            (Some(name), None) => self.checked_name(&trail![], name),
            (None, Some(name)) => self.checked_name(&trail!["name"], name),
        }
    }

    fn checked_name(&mut self, at: &[Step], name: &str) -> String {
        if let Some(help) = names::refuse_scenario(name) {
            self.error(at, format!("a scenario cannot be called {name:?}"), help);
        }
        name.to_owned()
    }

    fn build_agent(&mut self, file: &ScenarioFile) -> Agent {
        let data = self.load_data(file);
        let signature = self.signature(&trail!["signature"], file.signature.as_deref());
        if let Some(signature) = &signature {
            self.check_parameters(signature, &data);
        }
        let agent = Agent {
            mission: self.load_mission(&file.mission, &data),
            tools: self.load_tools(file),
            data: Arc::new(data),
            preludes: file.preludes.clone(),
            signature,
            max_turns: self.max_turns(file.max_turns),
            limits: self.load_limits(&file.limits),
            system_prompt: self.system_prompt(file),
            pauses: Arc::new(self.load_pauses(&file.pauses)),
        };
        self.check_preludes(&agent);
        let names: Vec<&str> = agent.data.keys().map(|name| name.name()).collect();
        silent::warn_of_braces(self, &file.mission, &names);
        silent::warn_of_late_pauses(self, file);
        agent
    }

    /// The system prompt. Missing parts come from the suite.
    fn system_prompt(&mut self, file: &ScenarioFile) -> PromptFrame {
        let outer = &self.suite.system_prompt;
        let folders = Folders { root: &self.suite.root, folder: &self.source.folder };
        let mut frame = match file.system_prompt.frame(folders, outer) {
            Ok(frame) => frame,
            Err((key, refused)) => {
                let at = trail!["system_prompt", key];
                self.add(Severity::Error, |document| refused.into_problem(document, &at));
                return PromptFrame::default();
            }
        };
        if !self.suite.prompts.is_empty() && file.system_prompt.has_text() {
            let message = "the prompts of suite.yaml replace this text".to_owned();
            let help = "write a prefix or a suffix, or remove it";
            self.warn("unused_prompt", &trail!["system_prompt"], Target::Key, message, help);
            frame.text.clone_from(&outer.text);
        }
        frame
    }

    fn check_preludes(&mut self, agent: &Agent) {
        let mut session = agent.session();
        for (index, prelude) in agent.preludes.iter().enumerate() {
            let at = trail!["preludes", index];
            self.warn_if_cut(&at, prelude);
            if let Err(error) = session.load("prelude", prelude) {
                let message = format!("the prelude cannot be loaded: {}", error.message);
                self.error(&at, message, "begin it with (ns NAME), and define names with def and defn");
            }
        }
    }

    /// The data of a scenario, sorted by name.
    fn load_data(&mut self, file: &ScenarioFile) -> Bindings {
        let mut data = Bindings::default();
        for (name, Datum(value)) in file.data.iter() {
            self.check_data_name(&trail!["data", name], name);
            data.insert(Symbol::new(name), value.clone());
        }
        for (name, path) in file.data_files.iter() {
            self.check_data_name(&trail!["data_files", name], name);
            let value = self.data_file(&trail!["data_files", name], path);
            if data.insert(Symbol::new(name), value).is_some() {
                let message = format!("'{name}' is in data too");
                self.key_error(&trail!["data_files", name], message, "rename one of the two");
            }
        }
        data.sort_keys();
        data
    }

    fn check_data_name(&mut self, at: &[Step], name: &str) {
        match names::refuse_symbol("data", name) {
            Some((message, help)) => self.key_error(at, message, help),
            None => self.warn_if_shadowed(at, "data key", name),
        }
    }

    fn data_file(&mut self, at: &[Step], path: &str) -> Value {
        match data_files::read(&self.suite.root, &self.source.folder, path) {
            Ok(value) => value,
            Err(refused) => {
                self.add(Severity::Error, |document| refused.into_problem(document, at));
                Value::Nil
            }
        }
    }

    fn check_parameters(&mut self, signature: &Signature, data: &Bindings) {
        let at = trail!["signature"];
        for parameter in &signature.parameters {
            let value = data.iter().find(|(name, _)| same_name(name.name(), &parameter.name));
            let name = &parameter.name;
            match value {
                None if parameter.kind.optional => {}
                None => {
                    let help = format!("add `{name}:` to data, or make it optional with ?");
                    self.error(&at, format!("the parameter '{name}' is not among the data"), &help);
                }
                Some((_, value)) => {
                    if let Err(mismatches) = validate(&parameter.kind, value) {
                        let message =
                            format!("the data for the parameter '{name}' have the wrong type: {mismatches}");
                        self.error(&at, message, "correct the data, or the signature");
                    }
                }
            }
        }
    }

    fn load_mission(&mut self, text: &str, data: &Bindings) -> String {
        let at = trail!["mission"];
        self.warn_if_cut(&at, text);
        if text.trim().is_empty() {
            self.error(&at, "the mission is empty", "say what the agent has to do");
        }
        match MissionExpander::new(data).expand(text) {
            Ok(mission) => mission,
            Err(PlaceholderError { name, available, .. }) => {
                let help = match available.as_deref() {
                    None => format!("leave it to programs to read data/{name}"),
                    Some([]) => format!("add `{name}:` to data"),
                    Some(names) => suggestion(&name, names),
                };
                let message = match available {
                    Some(_) => format!("there is no data for the placeholder {{{{{name}}}}}"),
                    None => {
                        format!("with {{{{{name}}}}}, the mission has more than {MAX_VALUES} bytes of data")
                    }
                };
                self.error(&at, message, &help);
                String::new()
            }
        }
    }

    /// The tools of a scenario, sorted by name.
    fn load_tools(&mut self, file: &ScenarioFile) -> Vec<Tool> {
        let mut tools: Vec<Tool> = Vec::new();
        for (name, tool) in &file.tools {
            tools.extend(tools::tool(self, name, tool));
        }
        tools.sort_by_key(|tool| tool.name);
        tools
    }

    fn max_turns(&mut self, written: Option<u32>) -> u32 {
        if written == Some(0) {
            self.error(&trail!["max_turns"], "expected a whole number from 1, found 0", "1 is a single shot");
        }
        written.unwrap_or(DEFAULT_MAX_TURNS)
    }

    pub(super) fn load_pauses(&mut self, written: &IndexMap<String, TimeSpan>) -> Pauses {
        let mut known = Vec::new();
        for (turn, pause) in written {
            match turn.parse::<u32>() {
                Ok(number) if number >= 2 => known.push((number, *pause)),
                _ => {
                    let message = format!("there is no pause before the request of turn {turn}");
                    let help = "turns are numbered from 1, and the first request follows no other";
                    self.key_error(&trail!["pauses", turn], message, help);
                }
            }
        }
        Pauses::from_turns(known)
    }

    /// The limits of the scenario, else of the suite, else the defaults.
    fn load_limits(&mut self, written: &LimitsFile) -> Limits {
        self.problems.extend(written.problems(&self.document));
        let (suite, default) = (&self.suite.limits, Limits::default());
        Limits {
            ticks: written.ticks.or(suite.ticks).unwrap_or(default.ticks),
            depth: written.depth.or(suite.depth).unwrap_or(default.depth),
            memory_mib: written.memory_mib.or(suite.memory_mib).unwrap_or(default.memory_mib),
            print_length: written.print_length.or(suite.print_length).unwrap_or(default.print_length),
            prints: written.prints.or(suite.prints).unwrap_or(default.prints),
            tool_calls: written.tool_calls.or(suite.tool_calls),
        }
    }

    pub(super) fn load_compression(&mut self, written: Option<&CompressionFile>) -> Option<Compression> {
        let (name, at, options): (_, &[Step], _) = match written? {
            CompressionFile::Switch(false) => return None,
            CompressionFile::Switch(true) => (None, &trail!["compression"], JsonOptions::new()),
            CompressionFile::Name(name) => (Some(name), &trail!["compression"], JsonOptions::new()),
            CompressionFile::With(map) => {
                (map.strategy.as_ref(), &trail!["compression", "strategy"], map.options.clone())
            }
        };
        let name = name.map_or(DEFAULT.name(), String::as_str);
        self.check_strategy(at, Target::Value, name);
        for (option, value) in &options {
            self.check_option(name, option, value);
        }
        Some(Compression { strategy: name.to_owned(), options })
    }

    /// Checks a strategy name used as a key, at the end of a trail.
    pub(super) fn check_strategy_key(&mut self, at: &[Step], name: &str) {
        self.check_strategy(at, Target::Key, name);
    }

    fn check_strategy(&mut self, at: &[Step], target: Target, name: &str) {
        let known = &self.suite.known;
        if known.strategy(name).is_none() {
            let help = suggestion(name, &known.strategy_names());
            self.error_at(at, target, format!("there is no strategy '{name}'"), &help);
        }
    }

    fn check_option(&mut self, strategy: &str, option: &str, value: &serde_json::Value) {
        if let Some(known) = self.suite.known.strategy(strategy)
            && let Some(refused) = known.refuse(option, value)
        {
            self.error_at(&trail!["compression", option], refused.target, refused.message, &refused.help);
        }
    }

    fn load_response(&mut self, index: usize, file: &ResponseFile) -> Option<Response> {
        let map = match file {
            ResponseFile::Text(text) => {
                self.warn_of_answer(&trail!["responses", index], text);
                return Some(Response::Text(text.into()));
            }
            ResponseFile::Map(map) => map,
        };
        let at = trail!["responses", index];
        for (key, text) in [("response", &map.response), ("program", &map.program)] {
            if let Some(text) = text {
                self.warn_of_answer(&trail!["responses", index, key], text);
            }
        }
        for (place, need) in map.needs.iter().enumerate() {
            self.warn_if_cut(&trail!["responses", index, "needs", place], need);
        }
        let written = [
            ("response", map.response.is_some()),
            ("program", map.program.is_some()),
            ("error", map.error.is_some()),
        ];
        self.just_one(&at, &written, "the answer", "give it one of: response, program, error")?;
        if map.error.is_some() && !map.needs.is_empty() {
            let at = trail!["responses", index, "needs"];
            self.key_error(&at, "a call that fails needs no evidence", "remove it");
        }
        Some(match map {
            ResponseMap { error: Some(message), .. } => Response::Error(message.into()),
            ResponseMap { program: Some(program), .. } => Response::Text(response_with(program)),
            ResponseMap { response, .. } => Response::Text(response.as_deref()?.into()),
        })
    }

    fn load_expectations(&mut self, written: &ExpectFile) -> Expectations {
        let outcome = written.outcome.unwrap_or_default();
        if written.value.is_some() && outcome == Outcome::Error {
            let message = "a run that ends with an error has no value";
            self.key_error(&trail!["expect", "value"], message, "remove it, or expect another outcome");
        }
        if written.error.is_some() && outcome != Outcome::Error {
            let message = "the kind of an error is expected, but no error";
            self.key_error(&trail!["expect", "error"], message, "add `outcome: error`");
        }
        for (strategy, _) in written.tokens.iter() {
            self.check_strategy_key(&trail!["expect", "tokens", strategy], strategy);
        }
        Expectations {
            outcome,
            value: written.value.clone().map(|Datum(value)| value),
            turns: written.turns,
            error: match &written.error {
                Some(name) => self.error_kind(name),
                None => None,
            },
            prints: written.prints.clone(),
            tool_calls: written.tool_calls,
            tokens: written.tokens.clone(),
        }
    }

    /// Parses the name of an error. Only errors that can end a run are valid.
    fn error_kind(&mut self, name: &str) -> Option<ErrorKind> {
        use ErrorKind::*;
        const ENDINGS: [ErrorKind; 4] = [MaxTurnsExceeded, ScriptExhausted, ModelError, ToolUnscripted];
        let ending = ENDINGS.into_iter().find(|kind| kind.name() == name);
        if ending.is_none() {
            let help = suggestion(name, &ENDINGS.map(ErrorKind::name));
            let message = format!("no run ends with the error '{name}'");
            self.error(&trail!["expect", "error"], message, &help);
        }
        ending
    }
}
