//! Writes the golden files of runs, and names all golden files.

use std::fmt::Write as _;

use ecow::EcoString;

use super::escape::write_content;
use super::rulers::{CALL, TURN, section_title, write_ruler, write_turn_ruler};
use crate::agent::{Conversation, Ending, LoggedTurn, ProgramTurn, ReplyKind, SystemPrompt, ToolCall};
use crate::scenario::Scenario;
use ptc_lisp::error::Error;
use ptc_lisp::memory::Definition;
use ptc_lisp::print::{TypeLabel, pr_str, to_clojure};
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// A golden file's content, to be compared with the accepted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The path below the folder of snapshots, with `/` separators and without extension.
    pub key: String,
    /// The `source` of the header.
    pub source: String,
    pub body: String,
}

/// Limits on results in `run.snap`, in items and characters: people review it. Requests are read by models and never cut.
const SHOWN_ITEMS: usize = 50;
const SHOWN_CHARACTERS: usize = 2_000;

/// The key of the static SYSTEM text.
pub const SYSTEM_PROMPT: &str = "system-prompt";
/// The name of a run's golden file, next to those of the strategies.
pub const RUN: &str = "run";
/// The title of its last section.
const OUTCOME: &str = "outcome";

/// The keys of all golden files of a scenario.
pub fn keys(scenario: &str, strategies: &[String]) -> impl Iterator<Item = String> {
    let names = std::iter::once(RUN).chain(strategies.iter().map(String::as_str));
    names.map(move |name| key(scenario, name))
}

/// The key of a golden file in a scenario.
pub fn key(scenario: &str, name: &str) -> String {
    format!("{scenario}/{name}")
}

/// The golden file of the static SYSTEM text.
pub fn system_prompt() -> Snapshot {
    let mut body = String::new();
    write_content(&mut body, SystemPrompt::text());
    Snapshot { key: SYSTEM_PROMPT.into(), source: "SYSTEM".into(), body }
}

/// The golden file of the run.
pub fn of_run(scenario: &Scenario, conversation: &Conversation) -> Snapshot {
    snapshot(scenario, RUN, run_text(conversation))
}

pub(super) fn snapshot(scenario: &Scenario, name: &str, body: String) -> Snapshot {
    Snapshot { key: key(&scenario.name, name), source: scenario.file.clone(), body }
}

/// The text of the run: its turns and its ending.
pub fn run_text(conversation: &Conversation) -> String {
    let mut out = String::new();
    match conversation {
        Conversation::Program { run, ending } => {
            for turn in &run.turns {
                write_program_turn(&mut out, turn);
            }
            write_turn_ruler(&mut out, OUTCOME);
            write_content(&mut out, &ending_text(ending));
        }
        Conversation::Logged(logged) => {
            for turn in &logged.conversation.turns {
                write_logged_turn(&mut out, turn);
            }
            write_turn_ruler(&mut out, OUTCOME);
            write_content(&mut out, logged.success_text());
        }
    }
    out
}

fn ending_text(ending: &Ending) -> String {
    match ending {
        Ending::Return(value) => format!("return {}", shown(value)),
        Ending::Fail(value) => format!("fail {}", shown(value)),
        Ending::Error(error) => error_text(error),
    }
}

fn write_program_turn(out: &mut String, turn: &ProgramTurn) {
    write_turn_ruler(out, &format!("{TURN}{}", turn.number));
    write_section(out, "program", &turn.program);
    match &turn.result {
        Ok(value) => write_section(out, "result", &shown(value)),
        Err(error) => write_section(out, "error", &error_text(error)),
    }
    write_prints(out, &turn.prints);
    write_section(out, "tool calls", &join_entries(turn.tool_calls.iter().map(call_text)));
    if turn.success {
        write_section(out, "definitions", &join_entries(turn.memory.defined_last().map(definition_text)));
    }
    write_section(out, "ticks", &turn.usage.ticks.to_string());
}

/// Writes the messages of a turn. Observations and user messages are numbered by their position among the replies.
fn write_logged_turn(out: &mut String, turn: &LoggedTurn) {
    write_turn_ruler(out, &format!("{TURN}{}", turn.number));
    write_section(out, "answer", &turn.answer.content);
    for call in turn.answer.calls() {
        write_section(out, &section_title(CALL, &[&call.id, &call.name]), &call.arguments);
    }
    for (number, reply) in (1..).zip(&turn.replies) {
        let title = match (reply.kind, reply.message.result_of()) {
            (_, Some(call)) => section_title("result", &[call]),
            (ReplyKind::Observation, None) => format!("observation {number}"),
            (_, None) => format!("user {number}"),
        };
        write_section(out, &title, &reply.message.content);
    }
}

/// Writes prints: one per line if all are single-line, otherwise one section each to mark their ends.
fn write_prints(out: &mut String, prints: &[EcoString]) {
    let single = !prints.iter().any(|print| print.contains('\n'));
    if single && !prints.is_empty() {
        write_ruler(out, "prints");
    }
    for (number, print) in (1..).zip(prints) {
        if !single {
            write_ruler(out, &format!("print {number}"));
        }
        write_content(out, print);
    }
}

/// Joins entries with line breaks. Later lines of an entry are indented.
fn join_entries(entries: impl Iterator<Item = String>) -> String {
    let mut joined = String::new();
    for entry in entries {
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(&entry.replace('\n', "\n  "));
    }
    joined
}

/// Writes a section unless it is empty.
fn write_section(out: &mut String, name: &str, content: &str) {
    if !content.is_empty() {
        write_ruler(out, name);
        write_content(out, content);
    }
}

fn shown(value: &Value) -> String {
    to_clojure(value, SHOWN_ITEMS, SHOWN_CHARACTERS).0
}

fn error_text(error: &Error) -> String {
    match error.position {
        Some((line, column)) => format!("{} at {line}:{column}: {}", error.kind, error.message),
        None => format!("{}: {}", error.kind, error.message),
    }
}

fn call_text(call: &ToolCall) -> String {
    let mut text = format!("{}({})", call.name, arguments_text(&call.arguments));
    match &call.error {
        Some(error) => drop(write!(text, " fails: {error}")),
        None => drop(write!(text, " -> {}", shown(&call.result))),
    }
    if call.captured {
        text.push_str(" (captured)");
    }
    for warning in &call.warnings {
        let _ = write!(text, "\nwarning: {warning}");
    }
    text
}

fn arguments_text(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Named(map) if map.is_empty() => String::new(),
        Arguments::Named(map) => shown(&Value::Map(map.clone())),
        Arguments::Positional(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
    }
}

fn definition_text(definition: &Definition) -> String {
    let mut text = format!("{} = {}", definition.name, TypeLabel::of(&definition.value));
    if definition.is_function() {
        text = format!("{} = {}", definition.name, pr_str(&definition.value));
    }
    if let Some(label) = definition.return_type {
        let _ = write!(text, " -> {label}");
    }
    if let Some(docstring) = &definition.docstring {
        let _ = write!(text, " \"{docstring}\"");
    }
    text
}
