//! From a file to a scenario that can be replayed. All that is wrong with a file is found at once, but for
//! text that is no YAML and keys that do not fit: those hide the rest.

use std::path::Path;
use std::sync::Arc;

use super::cut;
use super::data_files::{self, Refused};
use super::document::{Document, Target, Trail, trail};
use super::entries::{Datum, Named};
use super::file::{
    CompressionFile, ExpectFile, LimitsFile, ResponseFile, ResponseMap, ScenarioFile, SystemPrompt,
};
use super::node::Node;
use super::options::{Compression, Known, first_said, to_options};
use super::problem::{Problem, ScenarioError, Severity};
use super::shape::{fit, suggestion};
use super::suite::{Format, Source};
use super::{Expectations, Origin, Outcome, Scenario, names, tools};
use crate::agent::extract::{response_with, without_blank_ends};
use crate::agent::{Agent, DEFAULT_MAX_TURNS, MissionExpander, PromptFrame, Response, Tool};
use crate::compression::DEFAULT;
use crate::signature::validate;
use crate::signature::{Signature, same_name};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::limits::{Limits, MAX_DEPTH, MAX_MEMORY_MIB};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// What a scenario is read within.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The suite's folder; nothing outside of it is read.
    pub root: &'a Path,
    /// What the suite says of limits.
    pub limits: &'a LimitsFile,
    /// Names of strategies and options, variants among them.
    pub known: &'a Known,
}

/// Reads one scenario.
///
/// # Errors
/// All problems that were found, warnings among them.
pub fn load(source: &Source, setting: Setting<'_>) -> Result<Scenario, ScenarioError> {
    let text = data_files::utf8(&source.path, &source.text)?;
    let document = Document { first_line: source.line, ..Document::new(&source.path, text) };
    let node = match source.format {
        Format::Yaml => document.yaml()?,
        Format::JsonLine => document.json()?,
    };
    let mut loader = Loader { document, source, setting, problems: Vec::new() };
    let file = loader.read_file(&node)?;
    let scenario = loader.scenario(&file);
    loader.finish(scenario)
}

/// Collects problems while a scenario is built.
pub struct Loader<'a> {
    document: Document<'a>,
    source: &'a Source,
    setting: Setting<'a>,
    problems: Vec<Problem>,
}

impl Loader<'_> {
    pub fn error(&mut self, at: &Trail, target: Target, message: String, help: &str) {
        self.problems.push(self.document.problem(at, target, message, help));
    }

    pub fn warn(&mut self, code: &'static str, at: &Trail, target: Target, message: String, help: &str) {
        let problem = self.document.problem(at, target, message, help);
        self.problems.push(Problem { severity: Severity::Warning, code: Some(code), ..problem });
    }

    /// Text that reads as if it went on where YAML ends it.
    pub fn warn_if_cut(&mut self, at: &Trail, text: &str) {
        if self.source.format == Format::Yaml {
            self.problems.extend(cut::warning(&self.document, at, text));
        }
    }

    /// Tools and data shadow builtins of the same name (`docs/language.md` §6.2).
    pub fn warn_if_shadowed(&mut self, at: &Trail, kind: &str, name: &str) {
        if names::is_builtin(name) || names::is_special_form(name) {
            let message = format!("the {kind} '{name}' shadows the builtin of that name");
            self.warn("shadowed_builtin", at, Target::Key, message, "choose another name");
        }
    }

    /// The one of several keys that is there.
    pub fn just_one(
        &mut self,
        at: &Trail,
        said: &[(&'static str, bool)],
        what: &str,
        help: &str,
    ) -> Option<&'static str> {
        let mut there = said.iter().filter(|(_, said)| *said).map(|(key, _)| *key);
        match (there.next(), there.next()) {
            (Some(key), None) => Some(key),
            (None, _) => {
                self.error(at, Target::Value, format!("{what} says nothing"), help);
                None
            }
            (Some(first), Some(second)) => {
                let mut at = at.clone();
                at.push(second.into());
                self.error(&at, Target::Key, format!("{what} has both {first} and {second}"), help);
                None
            }
        }
    }

    pub fn signature(&mut self, at: &Trail, text: Option<&str>) -> Option<Signature> {
        match Signature::parse(text?) {
            Ok(signature) => Some(signature),
            Err(error) => {
                let help = "write it as \"(name :string, count :int?) -> [:string]\"";
                self.error(at, Target::Value, error.to_string(), help);
                None
            }
        }
    }

    fn read_file(&self, node: &Node) -> Result<ScenarioFile, ScenarioError> {
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
        match self.problems.iter().any(|problem| problem.severity == Severity::Error) {
            true => Err(ScenarioError { path, problems: self.problems }),
            false => Ok(Scenario { warnings: self.problems, ..scenario }),
        }
    }

    fn scenario(&mut self, file: &ScenarioFile) -> Scenario {
        Scenario {
            name: self.name(file),
            origin: Origin { path: self.source.path.clone(), line: self.source.line },
            description: file.description.as_deref().map(one_line),
            tags: file.tags.clone(),
            agent: self.agent(file),
            compression: self.compression(file.compression.as_ref()),
            responses: self.responses(&file.responses),
            needs: file.responses.iter().map(needs).collect(),
            expect: self.expectations(&file.expect),
            warnings: Vec::new(),
        }
    }

    fn name(&mut self, file: &ScenarioFile) -> String {
        match (&self.source.name, &file.name) {
            (None, None) => {
                let message = "the key 'name' is missing".to_owned();
                self.error(&trail![], Target::Value, message, "every line of a .jsonl file needs a name");
                String::new()
            }
            (Some(_), Some(_)) => {
                let message = "a scenario in a file of its own is called as the file is".to_owned();
                self.error(&trail!["name"], Target::Key, message, "remove the name, or rename the file");
                String::new()
            }
            (Some(name), None) => self.checked_name(&trail![], name),
            (None, Some(name)) => self.checked_name(&trail!["name"], name),
        }
    }

    fn checked_name(&mut self, at: &Trail, name: &str) -> String {
        if let Some(help) = names::refuse_scenario(name) {
            self.error(at, Target::Value, format!("a scenario cannot be called {name:?}"), help);
        }
        name.to_owned()
    }

    fn agent(&mut self, file: &ScenarioFile) -> Agent {
        let data = self.data(file);
        let signature = self.signature(&trail!["signature"], file.signature.as_deref());
        if let Some(signature) = &signature {
            self.check_parameters(signature, &data);
        }
        Agent {
            mission: self.mission(&file.mission, &data),
            tools: self.tools(file),
            data: Arc::new(data),
            signature,
            max_turns: self.max_turns(file.max_turns),
            limits: self.limits(&file.limits),
            system_prompt: frame(&file.system_prompt),
        }
    }

    /// Sorted by name.
    fn data(&mut self, file: &ScenarioFile) -> Bindings {
        let mut data = Bindings::default();
        for (name, Datum(value)) in file.data.iter() {
            self.check_data_name(&trail!["data", name], name);
            data.insert(Symbol::new(name), value.clone());
        }
        for (name, path) in file.data_files.iter() {
            self.check_data_name(&trail!["data_files", name], name);
            let value = self.data_file(&trail!["data_files", name], path);
            if data.insert(Symbol::new(name), value).is_some() {
                let message = format!("'{name}' stands in data too");
                self.error(&trail!["data_files", name], Target::Key, message, "rename one of the two");
            }
        }
        data.sort_keys();
        data
    }

    fn check_data_name(&mut self, at: &Trail, name: &str) {
        match names::refuse_symbol("data", name) {
            Some((message, help)) => self.error(at, Target::Key, message, help),
            None => self.warn_if_shadowed(at, "data key", name),
        }
    }

    fn data_file(&mut self, at: &Trail, path: &str) -> Value {
        match data_files::read(self.setting.root, &self.source.folder, path) {
            Ok(value) => return value,
            Err(Refused::Path(message, help)) => self.error(at, Target::Value, message, help),
            Err(Refused::File(problem)) => self.problems.push(*problem),
        }
        Value::Nil
    }

    fn check_parameters(&mut self, signature: &Signature, data: &Bindings) {
        let at = trail!["signature"];
        for parameter in &signature.parameters {
            let value = data.iter().find(|(name, _)| same_name(name.name(), &parameter.name));
            let name = &parameter.name;
            match value {
                None if parameter.kind.optional => {}
                None => {
                    let message = format!("the parameter '{name}' is not among the data");
                    self.error(
                        &at,
                        Target::Value,
                        message,
                        &format!("add `{name}:` to data, or make it optional with ?"),
                    );
                }
                Some((_, value)) => {
                    if let Ok(Err(mismatches)) = validate(&parameter.kind, value, &mut |_| Ok(())) {
                        let message = format!(
                            "the data for the parameter '{name}' are not what it takes: {mismatches}"
                        );
                        self.error(&at, Target::Value, message, "correct the data, or the signature");
                    }
                }
            }
        }
    }

    fn mission(&mut self, text: &str, data: &Bindings) -> String {
        let at = trail!["mission"];
        self.warn_if_cut(&at, text);
        if text.trim().is_empty() {
            self.error(&at, Target::Value, "the mission is empty".to_owned(), "say what the agent has to do");
        }
        match MissionExpander::new(data).expand(text) {
            Ok(mission) => mission,
            Err(missing) => {
                let message = format!("there is no data for the placeholder {{{{{}}}}}", missing.name);
                let help = match missing.available.is_empty() {
                    true => format!("add `{}:` to data", missing.name),
                    false => suggestion(&missing.name, &missing.available),
                };
                self.error(&at, Target::Value, message, &help);
                String::new()
            }
        }
    }

    /// Sorted by name.
    fn tools(&mut self, file: &ScenarioFile) -> Vec<Tool> {
        let tools = file.tools.iter().filter_map(|(name, tool)| tools::tool(self, name, tool));
        let mut tools: Vec<Tool> = tools.collect();
        tools.sort_by_key(|tool| tool.name);
        tools
    }

    /// SS-002
    fn max_turns(&mut self, said: Option<u32>) -> u32 {
        if said == Some(0) {
            let message = "an agent needs a turn".to_owned();
            self.error(&trail!["max_turns"], Target::Value, message, "1 is a single shot");
        }
        said.unwrap_or(DEFAULT_MAX_TURNS)
    }

    fn limits(&mut self, said: &LimitsFile) -> Limits {
        if said.depth.is_some_and(|depth| depth == 0 || depth > MAX_DEPTH) {
            let message = format!("expected a depth from 1 to {MAX_DEPTH}");
            self.error(&trail!["limits", "depth"], Target::Value, message, "the default is 1000");
        }
        settle_limits(said, self.setting.limits)
    }

    /// API-001…API-006
    fn compression(&mut self, said: Option<&CompressionFile>) -> Option<Compression> {
        let nothing = Named::default();
        let (name, at, options) = match said? {
            CompressionFile::Switch(false) => return None,
            CompressionFile::Switch(true) => (None, trail!["compression"], &nothing),
            CompressionFile::Name(name) => (Some(name), trail!["compression"], &nothing),
            CompressionFile::With { strategy, options } => {
                (strategy.as_ref(), trail!["compression", "strategy"], options)
            }
        };
        let name = name.map_or(DEFAULT.name(), String::as_str);
        self.check_strategy(&at, Target::Value, name);
        options.iter().for_each(|(option, value)| self.check_option(name, option, value));
        Some(Compression { strategy: name.to_owned(), options: to_options(options) })
    }

    fn check_strategy(&mut self, at: &Trail, target: Target, name: &str) {
        let known = self.setting.known;
        if known.strategy(name).is_none() {
            let help = suggestion(name, &known.strategy_names());
            self.error(at, target, format!("there is no strategy '{name}'"), &help);
        }
    }

    fn check_option(&mut self, strategy: &str, option: &str, value: &serde_json::Value) {
        let refused = self.setting.known.strategy(strategy).and_then(|known| known.refuse(option, value));
        if let Some(refused) = refused {
            self.error(&trail!["compression", option], refused.target, refused.message, &refused.help);
        }
    }

    fn responses(&mut self, said: &[ResponseFile]) -> Vec<Response> {
        said.iter().enumerate().filter_map(|(index, file)| self.response(index, file)).collect()
    }

    fn response(&mut self, index: usize, file: &ResponseFile) -> Option<Response> {
        let map = match file {
            ResponseFile::Text(text) => {
                self.warn_if_cut(&trail!["responses", index], text);
                return Some(Response::Text(text.into()));
            }
            ResponseFile::Map(map) => map,
        };
        let at = trail!["responses", index];
        for (key, text) in [("response", &map.response), ("program", &map.program)] {
            text.iter().for_each(|text| self.warn_if_cut(&trail!["responses", index, key], text));
        }
        for (place, need) in map.needs.iter().enumerate() {
            self.warn_if_cut(&trail!["responses", index, "needs", place], need);
        }
        let said = [
            ("response", map.response.is_some()),
            ("program", map.program.is_some()),
            ("error", map.error.is_some()),
        ];
        self.just_one(&at, &said, "the answer", "give it one of: response, program, error")?;
        if map.error.is_some() && !map.needs.is_empty() {
            let message = "a call that fails needs no evidence".to_owned();
            self.error(&trail!["responses", index, "needs"], Target::Key, message, "remove it");
        }
        scripted(map)
    }

    fn expectations(&mut self, said: &ExpectFile) -> Expectations {
        let outcome = said.outcome.unwrap_or_default();
        if said.value.is_some() && outcome == Outcome::Error {
            let message = "a run that ends with an error has no value".to_owned();
            self.error(
                &trail!["expect", "value"],
                Target::Key,
                message,
                "remove it, or expect another outcome",
            );
        }
        if said.error.is_some() && outcome != Outcome::Error {
            let message = "the kind of an error is expected, but no error".to_owned();
            self.error(&trail!["expect", "error"], Target::Key, message, "add `outcome: error`");
        }
        for (strategy, _) in said.tokens.iter() {
            self.check_strategy(&trail!["expect", "tokens", strategy], Target::Key, strategy);
        }
        Expectations {
            outcome,
            value: said.value.clone().map(|Datum(value)| value),
            turns: said.turns,
            error: said.error.as_deref().and_then(|name| self.error_kind(name)),
            prints: said.prints.clone(),
            tool_calls: said.tool_calls,
            tokens: said.tokens.0.clone(),
        }
    }

    /// One of the kinds with which a run can end.
    fn error_kind(&mut self, name: &str) -> Option<ErrorKind> {
        use ErrorKind::*;
        const ENDINGS: [ErrorKind; 4] = [MaxTurnsExceeded, ScriptExhausted, ModelError, ToolUnscripted];
        let found = ENDINGS.into_iter().find(|kind| kind.name() == name);
        if found.is_none() {
            let help = suggestion(name, &ENDINGS.map(ErrorKind::name));
            let message = format!("no run ends with the error '{name}'");
            self.error(&trail!["expect", "error"], Target::Value, message, &help);
        }
        found
    }
}

fn scripted(map: &ResponseMap) -> Option<Response> {
    match map {
        ResponseMap { error: Some(message), .. } => Some(Response::Error(message.into())),
        ResponseMap { program: Some(program), .. } => Some(Response::Text(response_with(program))),
        ResponseMap { response, .. } => response.as_deref().map(|raw| Response::Text(raw.into())),
    }
}

fn needs(file: &ResponseFile) -> Vec<String> {
    match file {
        ResponseFile::Text(_) => Vec::new(),
        ResponseFile::Map(map) => map.needs.clone(),
    }
}

/// What the scenario says, else the suite, else the defaults.
fn settle_limits(scenario: &LimitsFile, suite: &LimitsFile) -> Limits {
    let default = Limits::default();
    Limits {
        ticks: first_said([None, scenario.ticks, suite.ticks], default.ticks),
        depth: first_said([None, scenario.depth, suite.depth], default.depth),
        memory_mib: first_said([None, scenario.memory_mib, suite.memory_mib], default.memory_mib)
            .min(MAX_MEMORY_MIB),
        print_length: first_said([None, scenario.print_length, suite.print_length], default.print_length),
        prints: first_said([None, scenario.prints, suite.prints], default.prints),
        tool_calls: scenario.tool_calls.or(suite.tool_calls),
    }
}

fn frame(file: &SystemPrompt) -> PromptFrame {
    let part = |text: &Option<String>| {
        text.as_deref().map(without_blank_ends).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    PromptFrame { prefix: part(&file.prefix), suffix: part(&file.suffix) }
}

/// Each run of white space as one space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
