//! Writes the text of snapshots. Rulers name the turn, section or role that follows; [`super::requests`] reads
//! requests back.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use ecow::EcoString;

use super::escape::write_content;
use super::spool::Spool;
use crate::agent::{Ending, Message, Role, RunOutcome, SystemPrompt, ToolCall, Turn};
use crate::compression::Request;
use crate::scenario::Scenario;
use ptc_lisp::error::Error;
use ptc_lisp::memory::Definition;
use ptc_lisp::print::{TypeLabel, pr_str, to_clojure};
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// One golden file before it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The path below the folder of snapshots, with `/` and without extension.
    pub key: String,
    /// The `source` of the header.
    pub source: String,
    pub body: String,
}

/// Results larger than this are cut in `run.snap`; requests are never cut.
const SHOWN_ITEMS: usize = 50;
const SHOWN_CHARACTERS: usize = 2_000;

/// Number of shared messages from which a request leaves them out. Shorter requests are written in full for
/// readers.
const MANY: usize = 100;

/// Bytes of a draft that are written together.
const PIECE: usize = 1 << 20;

/// The key of the static SYSTEM text.
pub const SYSTEM_PROMPT: &str = "system-prompt";
/// The name of the golden file of the run, beside those of the strategies.
pub const RUN: &str = "run";

/// In the ruler of a request: only added messages follow.
pub(super) const ADDS: &str = " adds";
/// In the ruler, with a number: only the messages after so many of the request before follow.
pub(super) const KEEPS: &str = " keeps ";
/// In the ruler: the request got no answer.
pub(super) const UNANSWERED: &str = ", unanswered";
/// Sections of the text around the static SYSTEM text.
pub(super) const SYSTEM_PREFIX: &str = "system prefix";
pub(super) const SYSTEM_SUFFIX: &str = "system suffix";

/// The keys of all golden files of a scenario.
pub fn keys(scenario: &str, strategies: &[String]) -> impl Iterator<Item = String> {
    let names = std::iter::once(RUN).chain(strategies.iter().map(String::as_str));
    names.map(move |name| key(scenario, name))
}

fn key(scenario: &str, name: &str) -> String {
    format!("{scenario}/{name}")
}

/// The golden file of the static SYSTEM text.
pub fn system_prompt() -> Snapshot {
    let mut body = String::new();
    write_content(&mut body, SystemPrompt::text());
    Snapshot { key: SYSTEM_PROMPT.into(), source: "SYSTEM".into(), body }
}

/// The golden file of a strategy.
pub fn of_strategy(scenario: &Scenario, strategy: &str, requests: &[Request]) -> Snapshot {
    snapshot(scenario, strategy, requests_text(requests))
}

/// The golden file of the run.
pub fn of_run(scenario: &Scenario, step: &RunOutcome) -> Snapshot {
    snapshot(scenario, RUN, run_text(step))
}

fn snapshot(scenario: &Scenario, name: &str, body: String) -> Snapshot {
    Snapshot { key: key(&scenario.name, name), source: scenario.origin.path.clone(), body }
}

/// Writer of a strategy's golden file, request by request. It needs at most some megabytes of memory.
#[derive(Debug)]
pub struct Draft {
    pub key: String,
    pub source: String,
    body: Spool,
    /// Text that is not yet in the body. Trailing blanks stay here, because they do not count at the end.
    end: String,
}

/// A golden file, in memory or not.
#[derive(Debug)]
pub enum Drafted {
    Small(Snapshot),
    Large(LargeSnapshot),
}

/// A golden file that is not in memory.
#[derive(Debug)]
pub struct LargeSnapshot {
    pub key: String,
    pub source: String,
    /// Without blanks at its end.
    pub body: Spool,
}

impl Drafted {
    pub fn key(&self) -> &str {
        match self {
            Drafted::Small(snapshot) => &snapshot.key,
            Drafted::Large(snapshot) => &snapshot.key,
        }
    }
}

impl Draft {
    pub fn new(scenario: &Scenario, strategy: &str) -> Draft {
        let Snapshot { key, source, body } = snapshot(scenario, strategy, String::new());
        Draft { key, source, body: Spool::default(), end: body }
    }

    /// Adds a request. `before` are the messages of the request before.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn add(&mut self, request: &Request, before: &[Message]) -> io::Result<()> {
        write_request(&mut self.end, request, before);
        let full = self.end.trim_end().len();
        if full > PIECE {
            self.body.write_all(self.end.get(..full).unwrap_or_default().as_bytes())?;
            self.end.drain(..full);
        }
        Ok(())
    }

    /// The golden file.
    ///
    /// # Errors
    /// Same as [`Draft::add`].
    pub fn finish(self) -> io::Result<Drafted> {
        let Draft { key, source, mut body, mut end } = self;
        if body.is_empty() {
            return Ok(Drafted::Small(Snapshot { key, source, body: end }));
        }
        end.truncate(end.trim_end().len());
        body.write_all(end.as_bytes())?;
        Ok(match body.in_memory() {
            Ok(bytes) => {
                Drafted::Small(Snapshot { key, source, body: String::from_utf8(bytes).unwrap_or_default() })
            }
            Err(body) => Drafted::Large(LargeSnapshot { key, source, body }),
        })
    }
}

/// The requests of a strategy without the static SYSTEM text. A request that begins with the one before shows only
/// the added messages, and so does a long one that begins with most of it.
pub fn requests_text(requests: &[Request]) -> String {
    let mut out = String::new();
    let mut before: &[Message] = &[];
    for request in requests {
        write_request(&mut out, request, before);
        before = &request.messages;
    }
    out
}

fn write_request(out: &mut String, request: &Request, before: &[Message]) {
    let note = if request.is_answered { "" } else { UNANSWERED };
    let shared = Message::shared_start(&request.messages, before);
    let (kept, how) = match shared {
        0 => (0, String::new()),
        all if all == before.len() => (all, ADDS.to_owned()),
        most if most >= MANY => (most, format!("{KEEPS}{most}")),
        _ => (0, String::new()),
    };
    write_turn_ruler(out, &format!("turn {}{how}{note}", request.turn));
    if kept == 0 {
        write_frame(out, &request.messages, before);
    }
    let messages = request.messages.iter().skip(kept);
    for message in messages.filter(|message| message.role != Role::System) {
        write_ruler(out, message.role.name());
        write_content(out, &message.content);
    }
}

/// Writes the text around the static SYSTEM text, unless it is the same as in the request before.
fn write_frame(out: &mut String, messages: &[Message], before: &[Message]) {
    let (own, former) = (system(messages), system(before));
    if own == former.or(Some(SystemPrompt::text())) {
        return;
    }
    match own.unwrap_or_default().split_once(SystemPrompt::text()) {
        Some((prefix, suffix)) => {
            write_ruler(out, SYSTEM_PREFIX);
            write_content(out, prefix.trim_end());
            write_ruler(out, SYSTEM_SUFFIX);
            write_content(out, suffix.trim_start());
        }
        None => {
            write_ruler(out, Role::System.name());
            write_content(out, own.unwrap_or_default());
        }
    }
}

fn system(messages: &[Message]) -> Option<&str> {
    let first = messages.first().filter(|message| message.role == Role::System);
    first.map(|message| message.content.as_str())
}

/// The text of the run: its turns and its ending.
pub fn run_text(step: &RunOutcome) -> String {
    let mut out = String::new();
    for turn in step.turns.iter() {
        write_turn(&mut out, turn);
    }
    write_turn_ruler(&mut out, "outcome");
    match &step.ending {
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
    write_prints(out, &turn.prints);
    write_section(out, "tool calls", &entries(turn.tool_calls.iter().map(call_text)));
    if turn.success {
        write_section(out, "definitions", &entries(turn.memory.defined_last().map(definition_text)));
    }
    write_section(out, "ticks", &turn.usage.ticks.to_string());
}

/// Writes one line for each print, or one section for each if any has several lines.
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
fn entries(entries: impl Iterator<Item = String>) -> String {
    entries.map(|entry| entry.replace('\n', "\n  ")).collect::<Vec<_>>().join("\n")
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
