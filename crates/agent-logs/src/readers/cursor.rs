//! Events of Cursor's CLI (`--output-format stream-json`). They resemble those of Claude Code, but calls are events of their own and there
//! are no bills of requests.

use super::providers::anthropic;
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::{Dialect, Names, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptOutcome;
use crate::unread::Fields;

const NAME: &str = "cursor-cli";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "events of Cursor's CLI (cursor-agent --output-format stream-json)",
    recognises: recognise_event,
    reader: || Box::new(Events::default()),
};

static DIALECT: Dialect = Dialect(&[&NAMES, &anthropic::NAMES]);

/// Field names of a run's tokens. Input excludes cached tokens.
static NAMES: Names = Names {
    usage: UsageNames {
        input: &["inputTokens"],
        read_beside: &["cacheReadTokens"],
        written_beside: &["cacheWriteTokens"],
        output: &["outputTokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// The end of the field with a call, such as `readToolCall`.
const CALL: &str = "ToolCall";
/// Fields with the text of a result, by precedence.
const OUTPUTS: [&str; 4] = ["content", "interleavedOutput", "stdout", "diffString"];

/// Fields of events that are either read here or never part of a request. The last event repeats all answers.
const FIELDS: Fields = Fields {
    below: &["message"],
    known: &["content", "cwd", "model", "result", "text", "tool_call", "usage"],
};
/// Fields of calls, and of what a tool gave.
const RUN: Fields = Fields { below: &[], known: &["args", "arguments", "description", "name", "result"] };
const OUTPUT: Fields = Fields {
    below: &[],
    known: &[
        "command",
        "content",
        "diffString",
        "interleavedOutput",
        "path",
        "stderr",
        "stdout",
        "workingDirectory",
    ],
};

/// Events of Claude Code have a `uuid`, and its first event lists the tools.
fn recognise_event(object: &Object) -> bool {
    if !object.has("session_id") || object.has("uuid") {
        return false;
    }
    match object.kind().as_str() {
        "system" => object.has("apiKeySource") && !object.has("tools"),
        "tool_call" => object.has("call_id") && object.object("tool_call").is_some(),
        "assistant" | "user" => {
            object.has("model_call_id") || object.has("timestamp_ms") || is_bare_message(object)
        }
        "thinking" => object.has("subtype"),
        _ => false,
    }
}

/// Returns true for a message without any identifier of its own. Claude Code's answers have one, and its user lines have the call of the
/// subagent, or null.
fn is_bare_message(object: &Object) -> bool {
    let mut keys = object.fields().map(|(key, _)| key);
    let is_bare = keys.all(|key| ["type", "message", "session_id"].contains(&key));
    let Some(message) = object.object("message").filter(|message| is_bare && !message.has("id")) else {
        return false;
    };
    let parts = message.list("content").unwrap_or_default();
    !parts.is_empty() && parts.into_iter().all(|part| part.object().is_some_and(|part| part.is_a("text")))
}

#[derive(Default)]
struct Events {
    open: Option<Draft>,
    model: Option<String>,
    /// The pieces of the answer printed so far, with `--stream-partial-output`.
    pieces: String,
    /// Calls printed at their start.
    started: Vec<String>,
}

impl Reader for Events {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let is_start = object.is_a("system") && object.text("subtype").is_some_and(|kind| kind == "init");
        if is_start {
            self.finish_log(sink);
            self.model = object.text("model").map(|model| model.to_lowercase().replace(' ', "-"));
        }
        let mut draft =
            self.open.take().unwrap_or_else(|| Draft::new(NAME, object.text("session_id"), place.line));
        draft.now = object.get("timestamp_ms").and_then(LogTime::read);
        self.read_event(&object, &place, &mut draft, &mut sink.notes);
        self.open = Some(draft);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let closed = std::mem::take(self);
        let Some(draft) = closed.open else { return };
        if draft.transcript.outcome.is_none() {
            let kind = "runs of Cursor's CLI without billed tokens; record the requests themselves, e.g. with a gateway that logs them";
            sink.notes.note(kind, draft.place());
        }
        sink.give(draft);
    }
}

impl Events {
    fn read_event(&mut self, object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
        FIELDS.note_unread(object, "events", place, notes);
        let kind = object.kind();
        if kind != "assistant" {
            self.pieces.clear();
        }
        let message = object.below("message");
        match kind.as_str() {
            "user" => draft.add_user_text(
                DIALECT.read_content(message.get("content"), place, notes),
                false,
                place.clone(),
            ),
            "assistant" => {
                let text = DIALECT.read_content(message.get("content"), place, notes);
                let is_piece = object.has("timestamp_ms") && !object.has("model_call_id");
                self.read_text(text.text(), is_piece, place, draft);
            }
            "thinking" if object.text("subtype").is_some_and(|kind| kind == "completed") => {
                note_reasoning(place, notes);
            }
            "tool_call" => self.read_call(object, place, draft, notes),
            "result" => {
                let Some(tokens) = object.object("usage") else { return };
                let usage = DIALECT.usage_of(&tokens, self.model.clone());
                draft.transcript.outcome = Some(TranscriptOutcome { usage, ..TranscriptOutcome::default() });
            }
            "system" | "thinking" => {}
            other => notes.lost(format!("lines of the type {other:?} left out"), place.clone()),
        }
    }

    /// Reads an answer. After its pieces, Cursor prints it again as a whole.
    fn read_text(&mut self, text: String, is_piece: bool, place: &LogPlace, draft: &mut Draft) {
        if !text.is_empty() && text == self.pieces {
            return self.pieces.clear();
        }
        let is_later_piece = is_piece && !self.pieces.is_empty();
        self.pieces.push_str(&text);
        match draft.last_message().filter(|_| is_later_piece) {
            Some(last) => last.content.push_str(&text),
            None => draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place.clone()),
        }
    }

    /// Reads the start or the end of a call.
    fn read_call(&mut self, object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
        let called = object.below("tool_call");
        let Some((name, run)) = find_run(&called) else {
            return notes.lost("calls without a tool left out", place.clone());
        };
        note_beside(&called, &[CALL, "function"], "calls", place, notes);
        RUN.note_unread(&run, "runs of tools", place, notes);
        let Some(id) = object.text("call_id") else {
            return notes.lost("calls without an identifier left out", place.clone());
        };
        if !self.started.contains(&id) {
            let given = run.first(&["args", "arguments"]);
            let call = new_call(Some(id.clone()), Some(name), parse_arguments(given));
            draft.add_answer(Answer::Piece, Content::default(), vec![call], place.clone());
            self.started.push(id.clone());
        }
        if object.text("subtype").is_none_or(|kind| kind != "completed") {
            return;
        }
        let result = run.below("result");
        let Some((outcome, output)) = result.fields().next() else {
            return notes.lost("calls without a result", place.clone());
        };
        note_beside(&result, &[outcome], "results", place, notes);
        let given = output.object().filter(|output| output.first(&OUTPUTS).and_then(Json::text).is_some());
        let text = match &given {
            Some(given) => {
                OUTPUT.note_unread(given, "outputs of tools", place, notes);
                given.first(&OUTPUTS).map_or_else(|| output.to_plain_text(), Json::to_plain_text)
            }
            None => {
                let kind = "results whose text Cursor does not print, taken as their JSON";
                notes.note(kind, place.clone());
                output.to_plain_text()
            }
        };
        draft.add_result(Some(id), None, Content::of(text), place.clone());
        draft.fail_if(outcome != "success");
    }
}

/// Notes fields with prose whose names have none of these ends.
fn note_beside(object: &Object, ends: &[&str], of: &str, place: &LogPlace, notes: &mut Notes) {
    for (key, value) in object.fields() {
        let is_known = ends.iter().any(|end| key.ends_with(end)) || RUN.known.contains(&key);
        if !is_known && value.has_words() {
            notes.lost(format!("fields {key} of {of} left out"), place.clone());
        }
    }
}

/// The tool's name and its run: `{"readToolCall": {"args", "result"}}`, or `{"function": {"name", "arguments"}}`.
fn find_run<'a>(called: &Object<'a>) -> Option<(String, Object<'a>)> {
    if let Some(function) = called.object("function") {
        return Some((function.text("name")?, function));
    }
    let (key, run) = called.fields().find(|(key, _)| key.ends_with(CALL))?;
    let run = run.object()?;
    let of_server = run.object("args").and_then(|args| args.text("toolName"));
    let name = of_server.unwrap_or_else(|| key.trim_end_matches(CALL).to_owned());
    Some((name, run))
}
