//! Writes the text of snapshots. Rulers name the turn, section or role that follows; [`super::requests`] reads
//! requests back.

use std::fmt::Write as _;

use ecow::EcoString;

use super::escape::write_content;
use super::lines::RunLines;
use super::references::RequestWriter;
use super::requests::ReadRequest;
use crate::agent::{
    Ending, Message, RecordedTurn, ReplyKind, RunOutcome, SystemPrompt, ToolCall, Turn, success_text,
};
use crate::compression::Request;
use crate::messages::{MessageId, Messages};
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

/// The key of the static SYSTEM text.
pub const SYSTEM_PROMPT: &str = "system-prompt";
/// The name of the golden file of the run, beside those of the strategies.
pub const RUN: &str = "run";

/// Start of the ruler of a request.
pub(super) const TURN: &str = "turn ";
/// In the ruler: the request got no answer.
pub(super) const UNANSWERED: &str = ", unanswered";

/// The kind of the section of a native call, below the message that makes it.
pub(super) const CALL: &str = "call";

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
pub fn of_strategy(
    scenario: &Scenario,
    strategy: &str,
    requests: &[Request],
    run: &RunLines<'_>,
) -> Snapshot {
    snapshot(scenario, strategy, requests_text(requests, run))
}

/// The golden file of the run.
pub fn of_run(scenario: &Scenario, outcome: &RunOutcome) -> Snapshot {
    snapshot(scenario, RUN, run_text(outcome))
}

fn snapshot(scenario: &Scenario, name: &str, body: String) -> Snapshot {
    Snapshot { key: key(&scenario.name, name), source: scenario.file.clone(), body }
}

/// Writer of a strategy's golden file, request by request.
#[derive(Debug)]
pub struct SnapshotDraft<'r> {
    snapshot: Snapshot,
    run: &'r RunLines<'r>,
    /// The messages of the newest request.
    last: Vec<MessageId>,
    last_texts: Vec<Message>,
}

impl<'r> SnapshotDraft<'r> {
    pub fn new(scenario: &Scenario, strategy: &str, run: &'r RunLines<'r>) -> SnapshotDraft<'r> {
        let snapshot = snapshot(scenario, strategy, String::new());
        SnapshotDraft { snapshot, run, last: Vec::new(), last_texts: Vec::new() }
    }

    /// Adds a request with messages of this table.
    pub fn add(&mut self, request: &Request<MessageId>, messages: &Messages<'_>) {
        let equal = self.last.iter().zip(&request.messages).take_while(|(before, now)| before == now);
        let equal = equal.count();
        let new = request.messages.iter().skip(equal).map(|id| messages.message(*id));
        let texts: Vec<Message> = self.last_texts.iter().take(equal).cloned().chain(new).collect();
        write_request(
            &mut self.snapshot.body,
            (request.turn, request.is_answered),
            &texts,
            &self.last_texts,
            Some(self.run),
        );
        self.last.clone_from(&request.messages);
        self.last_texts = texts;
    }

    /// The golden file.
    pub fn finish(self) -> Snapshot {
        self.snapshot
    }
}

/// The requests of a strategy, each as what is new in it.
pub fn requests_text(requests: &[Request], run: &RunLines<'_>) -> String {
    let requests = requests.iter().map(|request| (request.turn, request.is_answered, &*request.messages));
    text_of(requests, Some(run))
}

/// The requests of a golden file as they were in it. Without a run each message that is new is whole.
pub fn body_of(requests: &[ReadRequest], run: Option<&RunLines<'_>>) -> String {
    let requests = requests.iter().map(|request| (request.turn, request.is_answered, &*request.messages));
    text_of(requests, run)
}

fn text_of<'r>(
    requests: impl Iterator<Item = (u32, bool, &'r [Message])>,
    run: Option<&RunLines<'_>>,
) -> String {
    let (mut out, mut before) = (String::new(), &[][..]);
    for (turn, is_answered, messages) in requests {
        write_request(&mut out, (turn, is_answered), messages, before, run);
        before = messages;
    }
    out
}

fn write_request(
    out: &mut String,
    (turn, is_answered): (u32, bool),
    messages: &[Message],
    before: &[Message],
    run: Option<&RunLines<'_>>,
) {
    write_turn_ruler(out, &format!("{TURN}{turn}{}", if is_answered { "" } else { UNANSWERED }));
    RequestWriter { out, turn, before, run }.write(messages);
}

/// The text of the run: its turns and its ending.
pub fn run_text(outcome: &RunOutcome) -> String {
    let mut out = String::new();
    for turn in outcome.turns.iter() {
        write_turn(&mut out, turn);
    }
    write_turn_ruler(&mut out, "outcome");
    match &outcome.ending {
        Ending::Return(value) => write_content(&mut out, &format!("return {}", shown(value))),
        Ending::Fail(value) => write_content(&mut out, &format!("fail {}", shown(value))),
        Ending::Error(error) => write_content(&mut out, &error_text(error)),
        Ending::Recorded(success) => write_content(&mut out, success_text(*success)),
    }
    out
}

fn write_turn(out: &mut String, turn: &Turn) {
    write_turn_ruler(out, &format!("{TURN}{}", turn.number));
    if let Some(recorded) = &turn.recorded {
        return write_recorded(out, recorded);
    }
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

/// Writes the messages of a recorded turn. Sections have a number where a turn has several of a name.
fn write_recorded(out: &mut String, recorded: &RecordedTurn) {
    write_section(out, "answer", &recorded.answer.content);
    for call in recorded.answer.calls() {
        write_section(out, &section_title(CALL, &[&call.id, &call.name]), &call.arguments);
    }
    for (number, reply) in (1..).zip(&recorded.replies) {
        let title = match (reply.kind, reply.message.result_of()) {
            (_, Some(call)) => section_title("result", &[call]),
            (ReplyKind::Observation, None) => format!("observation {number}"),
            (_, None) => format!("user {number}"),
        };
        write_section(out, &title, &reply.message.content);
    }
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
    let _ = write!(out, "=== {title} ");
    out.push_str(&"=".repeat(75_usize.saturating_sub(title.chars().count())));
    out.push('\n');
}

/// The title of a section with identifiers: `tool c1`, or `tool ["c 1"]` where one is not a plain word.
pub(super) fn section_title(kind: &str, words: &[&str]) -> String {
    let is_plain = |word: &&str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
        !word.is_empty() && word.chars().all(is_plain)
    };
    if words.iter().all(is_plain) {
        return format!("{kind} {}", words.join(" "));
    }
    format!("{kind} {}", serde_json::Value::from(words.to_vec()))
}

/// The identifiers of a title of this kind.
pub(super) fn title_words(kind: &str, title: &str) -> Option<Vec<String>> {
    let words = title.strip_prefix(kind)?.strip_prefix(' ')?;
    if words.starts_with('[') {
        return serde_json::from_str(words).ok();
    }
    Some(words.split(' ').map(str::to_owned).collect())
}

/// `--- user ---`
pub(super) fn write_ruler(out: &mut String, title: &str) {
    let _ = writeln!(out, "--- {title} ---");
}
