//! Converts logged conversations to scenario files with byte-exact answers.

use std::cmp::Reverse;
use std::fmt::Write;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;
use serde_json::{Map, Value};

use super::suite::count;
use crate::agent::Response;
use crate::agent::extract::{program_in, response_with};
use crate::scenario::ScenarioFile;
use crate::scenario::file::ResponseFile;
use crate::snapshot::yaml::{of_json, quoted, scalar};
use agent_logs::{Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};

/// A scenario from a conversation with a program in every answer.
pub(super) struct Script<'t> {
    mission: &'t str,
    pub(super) answers: Vec<Response>,
    /// Calls with their results, keyed by the name of a tool used in the programs.
    cases: IndexMap<&'t str, Vec<Case<'t>>>,
    left_out: LeftOut,
}

/// Content without a place in a scenario.
struct LeftOut {
    has_system_prompt: bool,
    /// Messages of the user after the first.
    words: usize,
    /// Messages of other roles.
    others: usize,
}

/// The arguments of a call, and the results of all calls with these arguments.
struct Case<'t> {
    arguments: Map<String, Value>,
    results: Vec<&'t TranscriptMessage>,
}

impl Script<'_> {
    /// Makes a scenario. `None` if there is no answer, or one without a program.
    pub(super) fn of(transcript: &Transcript) -> Option<Script<'_>> {
        let messages = &transcript.messages;
        let mut answers = Vec::new();
        let (mut mission, mut words, mut others) = (None, 0_usize, 0);
        for message in messages {
            others += usize::from(message.is_observation);
            match message.role {
                TranscriptRole::Assistant => answers.push(response_with_programs(message)?),
                TranscriptRole::User if !message.is_observation => {
                    words += 1;
                    mission.get_or_insert(message.content.as_str());
                }
                _ => {}
            }
        }
        if answers.is_empty() {
            return None;
        }
        let used = names_used_in("tool", &answers);
        let mut cases: IndexMap<&str, Vec<Case>> = IndexMap::new();
        for result in messages {
            if result.role != TranscriptRole::Tool {
                continue;
            }
            let mut calls = messages.iter().flat_map(|message| &message.tool_calls);
            let Some(call) = calls.find(|call| Some(&call.id) == result.call.as_ref()) else { continue };
            // The call ran a program. Its replay reproduces the result.
            if program_of(call).is_some() {
                continue;
            }
            let (true, Ok(arguments)) =
                (used.contains(&call.name), serde_json::from_str(call.arguments.get()))
            else {
                others += 1;
                continue;
            };
            let known = cases.entry(&call.name).or_default();
            match known.iter_mut().find(|case| case.arguments == arguments) {
                Some(case) => case.results.push(result),
                None => known.push(Case { arguments, results: vec![result] }),
            }
        }
        // The first matching case wins, so put cases with more arguments first.
        for known in cases.values_mut() {
            known.sort_by_key(|case| Reverse(case.arguments.len()));
        }
        let has_system_prompt = transcript.system.is_some();
        let left_out = LeftOut { has_system_prompt, words: words.saturating_sub(1), others };
        Some(Script { mission: mission.unwrap_or_default(), answers, cases, left_out })
    }

    /// Returns true if a text parses as a scenario with this mission and these answers.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let Ok(file) = ScenarioFile::parse(text) else { return false };
        file.mission == self.mission
            && file.responses.iter().map(response_of).eq(self.answers.iter().cloned().map(Some))
    }

    /// The scenario file. `None` without a mission.
    pub(super) fn yaml(&self) -> Option<String> {
        if self.mission.trim().is_empty() {
            return None;
        }
        let mut text = format!("mission: {}\n", scalar(self.mission, 2));
        text.push_str(&format!("max_turns: {}\n", self.answers.len().max(1)));
        text.push_str(&section_to_fill_in("data", &names_used_in("data", &self.answers), "null"));
        let unknown = self.unknown_tools();
        if !self.cases.is_empty() && unknown.is_empty() {
            text.push_str("\ntools:\n");
        }
        text.push_str(&section_to_fill_in("tools", &unknown, "{returns: null}"));
        for (name, cases) in &self.cases {
            let _ = writeln!(text, "  {}:\n    cases:", quoted(name));
            for case in cases {
                let arguments = of_json(&case.arguments.clone().into());
                let _ = writeln!(text, "      - {{when: {arguments}, {}}}", case.answer());
            }
        }
        text.push('\n');
        text.push_str(&responses_as_yaml(&self.answers));
        Some(text)
    }

    /// The tools used in the programs but without logged results.
    fn unknown_tools(&self) -> Vec<String> {
        let mut names = names_used_in("tool", &self.answers);
        names.retain(|name| !self.cases.contains_key(name.as_str()));
        names
    }

    /// Remarks on placeholders to fill in and on omitted content.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (what, names) in
            [("what tools return", self.unknown_tools()), ("data", names_used_in("data", &self.answers))]
        {
            if !names.is_empty() {
                lines.push(format!("to fill in: {what}: {}", names.join(", ")));
            }
        }
        let LeftOut { has_system_prompt, words, others } = self.left_out;
        if has_system_prompt {
            lines.push("left out: the system prompt".to_owned());
        }
        for (number, whose) in [(words, "of the user after the first"), (others, "of other roles")] {
            if number > 0 {
                lines.push(format!("left out: {} {whose}", count(number, "message")));
            }
        }
        lines
    }
}

impl Case<'_> {
    /// The answers of the tool as YAML: one if all are equal, else a sequence.
    fn answer(&self) -> String {
        let mut answers: Vec<String> = self.results.iter().map(|result| answer_of_tool(result)).collect();
        let is_same = answers.iter().all(|answer| Some(answer) == answers.first());
        answers.truncate(if is_same { 1 } else { answers.len() });
        match answers.as_slice() {
            [only] => only.clone(),
            several => format!("sequence: [{{{}}}]", several.join("}, {")),
        }
    }
}

/// The result of a call as YAML. A text is parsed as JSON if possible.
fn answer_of_tool(result: &TranscriptMessage) -> String {
    if result.is_error {
        return format!("fails: {}", quoted(&result.content));
    }
    let value = match serde_json::from_str(&result.content) {
        Ok(value) => value,
        Err(_) => Value::from(result.content.as_str()),
    };
    format!("returns: {}", of_json(&value))
}

/// The answer with its programs, including those in arguments of calls. `None` if there is no program.
fn response_with_programs(message: &TranscriptMessage) -> Option<Response> {
    if program_in(&message.content).is_ok() {
        return Some(Response::Text(message.content.as_str().into()));
    }
    let (mut text, mut has_program) = (message.content.clone(), false);
    for call in &message.tool_calls {
        let Some(program) = program_of(call) else { continue };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&response_with(&program));
        has_program = true;
    }
    if has_program { Some(Response::Text(text.into())) } else { None }
}

/// The answer in a scenario file. `None` for a map with a program or a text.
fn response_of(file: &ResponseFile) -> Option<Response> {
    match file {
        ResponseFile::Text(text) => Some(Response::Text(text.into())),
        ResponseFile::Map(map) => map.error.as_deref().map(|error| Response::Error(error.into())),
    }
}

/// The section with these names, all with the same value; empty without names.
fn section_to_fill_in(key: &str, names: &[String], value: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut section = format!("\n# To fill in.\n{key}:\n");
    for name in names {
        let _ = writeln!(section, "  {}: {value}", quoted(name));
    }
    section
}

/// The program among the arguments of a call.
fn program_of(call: &TranscriptCall) -> Option<String> {
    let arguments: Value = serde_json::from_str(call.arguments.get()).ok()?;
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    if call.name == "run_ptc_lisp" {
        let only = arguments.as_object().and_then(|all| all.values().find_map(Value::as_str));
        return text("code").or(text("program")).or(only).map(str::to_owned);
    }
    for code in [text("code"), text("program")].into_iter().flatten() {
        if program_in(code).is_ok() {
            return Some(code.to_owned());
        }
    }
    None
}

/// The names used in a namespace, in order of first use.
pub(super) fn names_used_in(namespace: &str, answers: &[Response]) -> Vec<String> {
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b(tool|data)/([\p{L}_][\p{L}\p{N}_?!*+<>=-]*)").ok());
    let mut names = Vec::new();
    for answer in answers {
        let Response::Text(answer) = answer else { continue };
        for captures in NAME.iter().flat_map(|name| name.captures_iter(answer)) {
            let name = captures[2].to_string();
            if &captures[1] == namespace && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// The key `responses:` with its list, as YAML.
pub(super) fn responses_as_yaml(answers: &[Response]) -> String {
    let mut text = String::from("responses:\n");
    for answer in answers {
        match answer {
            Response::Text(answer) => {
                let _ = writeln!(text, "  - {}", scalar(answer, 4));
            }
            Response::Error(message) => {
                let _ = writeln!(text, "  - error: {}", quoted(message));
            }
        }
    }
    text
}
