//! The text of snapshots. Ruler lines say which turn, section and role follow; content that could be
//! taken for a ruler is escaped, so that the text can be read back without doubt.

use std::fmt::Write;

use crate::agent::{Ending, Message, Role, SystemPrompt, ToolCall, Turn};
use crate::lisp::error::Error;
use crate::lisp::memory::Definition;
use crate::lisp::print::{TypeLabel, pr_str, to_clojure};
use crate::lisp::session::Arguments;
use crate::lisp::value::Value;
use crate::replay::{ScenarioResult, StrategyRun};

/// One golden file before it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Path below the folder of snapshots, with `/` and without extension.
    pub key: String,
    /// What it was made from, as the header says it.
    pub source: String,
    pub body: String,
}

/// Results larger than this are cut in `run.snap`; requests are never cut.
const SHOWN_ITEMS: usize = 50;
const SHOWN_CHARACTERS: usize = 2_000;

/// The static SYSTEM text, once for all scenarios.
pub fn system_prompt() -> Snapshot {
    let mut body = String::new();
    write_content(&mut body, SystemPrompt::text());
    Snapshot { key: "system-prompt".into(), source: "SYSTEM".into(), body }
}

/// All golden files of one scenario: what happened, then one a strategy, unless it broke.
pub fn of_scenario(result: &ScenarioResult) -> Vec<Snapshot> {
    let source = &result.scenario.origin.path;
    let snapshot = |name: &str, body| Snapshot {
        key: format!("{}/{name}", result.scenario.name),
        source: source.clone(),
        body,
    };
    let run = snapshot("run", run_text(result));
    let whole = result.strategies.iter().filter(|run| run.broken.is_none());
    let strategies = whole.map(|run| snapshot(&run.name, requests_text(run)));
    std::iter::once(run).chain(strategies).collect()
}

/// What the model would have been sent before each turn, without SYSTEM. A request that begins with the
/// one before shows only what was added.
pub fn requests_text(run: &StrategyRun) -> String {
    let mut out = String::new();
    let mut before: &[Message] = &[];
    for request in &run.requests {
        let added = match request.messages.strip_prefix(before) {
            Some(added) if !before.is_empty() => {
                write_turn_ruler(&mut out, &format!("turn {} adds", request.turn));
                added
            }
            _ => {
                write_turn_ruler(&mut out, &format!("turn {}", request.turn));
                &request.messages
            }
        };
        for message in added.iter().filter(|message| message.role != Role::System) {
            write_ruler(&mut out, message.role.name());
            write_content(&mut out, &message.content);
        }
        before = &request.messages;
    }
    out
}

/// What happened, whatever the strategy.
pub fn run_text(result: &ScenarioResult) -> String {
    let mut out = String::new();
    for turn in result.step.turns.turns() {
        write_turn(&mut out, turn);
    }
    write_turn_ruler(&mut out, "outcome");
    match &result.step.ending {
        Ending::Return(value) => write_content(&mut out, &format!("return {}", shown(value))),
        Ending::Fail(value) => write_content(&mut out, &format!("fail {}", shown(value))),
        Ending::Error(error) => write_content(&mut out, &error_text(error)),
    }
    out
}

fn write_turn(out: &mut String, turn: &Turn) {
    write_turn_ruler(out, &format!("turn {}", turn.number));
    write_section(out, "program", &turn.program);
    match &turn.result {
        Ok(value) => write_section(out, "result", &shown(value)),
        Err(error) => write_section(out, "error", &error_text(error)),
    }
    write_section(out, "prints", &turn.prints.join("\n"));
    let calls: Vec<String> = turn.tool_calls.iter().map(call_text).collect();
    write_section(out, "tool calls", &calls.join("\n"));
    if turn.success {
        let definitions: Vec<String> = turn.memory.defined_last().map(definition_text).collect();
        write_section(out, "definitions", &definitions.join("\n"));
    }
    write_section(out, "ticks", &turn.usage.ticks.to_string());
}

/// A section that has nothing to say is left out.
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
    let place = error.position.map(|(line, column)| format!(" at {line}:{column}")).unwrap_or_default();
    format!("{}{place}: {}", error.kind, error.message)
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
        let _ = write!(text, "\n  warning: {warning}");
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

/// `=== turn 2 ===…`, 80 characters wide.
fn write_turn_ruler(out: &mut String, title: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    let title = format!("=== {title} ");
    let _ = writeln!(out, "{title:=<80}");
}

/// `--- user ---`
fn write_ruler(out: &mut String, title: &str) {
    let _ = writeln!(out, "--- {title} ---");
}

/// Content line by line; a line that begins with a backslash is an escaped one.
fn write_content(out: &mut String, content: &str) {
    for line in content.split('\n') {
        write_line(out, line);
        out.push('\n');
    }
}

fn write_line(out: &mut String, line: &str) {
    let has_control = line.chars().any(char::is_control);
    if !has_control && !line.starts_with('\\') && !is_ruler(line) {
        return out.push_str(line);
    }
    out.push('\\');
    for character in line.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => drop(write!(out, "\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
}

fn is_ruler(line: &str) -> bool {
    line.starts_with("=== ") || line.starts_with("--- ") && line.ends_with(" ---")
}
