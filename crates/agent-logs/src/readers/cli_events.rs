//! Events printed by agent CLIs while they run: `codex exec --json`, and Gemini's `stream-json`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::message::has_failed;
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, json_text, parse_arguments};
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptOutcome;
use crate::unread::Fields;

const NAME: &str = "cli-events";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "events of codex exec --json, and of Gemini's CLI with --output-format stream-json",
    recognises: |object| {
        let kind = object.kind();
        kind == "thread.started"
            || kind.starts_with("item.") && object.object("item").is_some()
            || kind == "init" && object.has("session_id")
            || object.has("tool_id")
    },
    reader: || Box::new(Events::default()),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

/// Field names of both CLIs.
static NAMES: Names = Names {
    call: CallNames { id: &["tool_id"], name: &["tool_name"], arguments: &["parameters"], ..CallNames::NONE },
    parts: PartNames {
        // Results of MCP.
        types: &[("text", PartKind::Text), ("image", PartKind::Image), ("audio", PartKind::File)],
        text: &["text"],
        file: &["data"],
        unsent: &["annotations"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        input: &["input_tokens"],
        read: &["cached_input_tokens", "cached"],
        output: &["output_tokens"],
        reasoning: &["reasoning_output_tokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["error", "item", "result"],
    known: &[
        "aggregated_output",
        "arguments",
        "changes",
        "command",
        "content",
        "message",
        "output",
        "parameters",
        "server",
        "stats",
        "structured_content",
        "text",
        "timestamp",
        "tool",
        "tool_name",
        "usage",
    ],
};

/// Fields with the billed tokens.
const BILLS: [&str; 2] = ["usage", "stats"];

#[derive(Default)]
struct Events {
    open: Option<Draft>,
    model: Option<String>,
}

impl Reader for Events {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let kind = object.kind();
        if kind == "thread.started" || kind == "init" {
            self.finish_log(sink);
            self.model = object.text("model");
        }
        let draft = self.open.get_or_insert_with(|| {
            let id = object.first(&["thread_id", "session_id"]).and_then(Json::text);
            Draft::new(NAME, id, place.line)
        });
        draft.now = LogTime::of_object(&object);
        let notes = &mut sink.notes;
        if ["item.completed", "message", "tool_use", "tool_result"].contains(&kind.as_str()) {
            FIELDS.note_unread(&object, "lines", &place, notes);
        }
        match kind.as_str() {
            "thread.started" => {
                notes.lost("prompts that Codex does not print; its session file in ~/.codex has them", place);
            }
            "item.completed" => read_item(&object.below("item"), place, draft, notes),
            "message" if object.text("role").is_some_and(|role| role == "assistant") => {
                let Some(text) = object.text("content") else {
                    return notes.lost("answers without text left out", place);
                };
                match draft.last_message().filter(|last| last.is_answer() && last.tool_calls.is_empty()) {
                    // Gemini prints an answer in pieces, without line breaks between them.
                    Some(last) if object.is_true("delta") => last.content.push_str(&text),
                    _ => draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place),
                }
            }
            "message" => {
                draft.add_user_text(DIALECT.read_content(object.get("content"), &place, notes), false, place)
            }
            "tool_use" => {
                draft.add_answer(Answer::Piece, Content::default(), vec![DIALECT.call_of(&object)], place)
            }
            "tool_result" => {
                let output = object.object("error").and_then(|error| error.get("message"));
                let output = DIALECT.read_content(output.or_else(|| object.get("output")), &place, notes);
                draft.add_result(object.text("tool_id"), None, output, place);
                draft.fail_if(has_failed(&object));
            }
            // Totals of all requests so far.
            "turn.completed" | "result" if object.first(&BILLS).is_some() => {
                let bill = object.first(&BILLS).and_then(Json::object);
                let usage = bill.and_then(|bill| DIALECT.usage_of(&bill, self.model.clone()));
                draft.transcript.outcome = Some(TranscriptOutcome { usage, ..TranscriptOutcome::default() });
                if object.has("error") {
                    notes.lost("errors of the program left out", place);
                }
            }
            "init" => {}
            "error" | "turn.failed" => notes.lost("errors of the program left out", place),
            // The completed item repeats these.
            "item.started" | "item.updated" => {}
            "" => notes.lost("lines without a type left out", place),
            other => notes.note(format!("lines of the type {other}, which are not sent"), place),
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

/// Reads an item of Codex: an answer, or a call with its result.
fn read_item(item: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let kind = item.kind();
    let id = item.text("id");
    let (name, given, output) = match kind.as_str() {
        "agent_message" => {
            return draft.add_answer(
                Answer::Piece,
                DIALECT.read_content(item.get("text"), &place, notes),
                Vec::new(),
                place,
            );
        }
        "reasoning" => return note_reasoning(&place, notes),
        "command_execution" => ("shell", field_alone(item, "command"), item.get("aggregated_output")),
        "file_change" => ("apply_patch", field_alone(item, "changes"), item.get("status")),
        "mcp_tool_call" => {
            let result = item.object("result").and_then(|result| result.get("content"));
            let error = item.object("error").and_then(|error| error.get("message"));
            ("", item.get("arguments").map(Json::to_compact), result.or(error))
        }
        other => return notes.lost(format!("items of the type {other:?} left out"), place),
    };
    let tool = item.text("tool").unwrap_or_else(|| name.to_owned());
    let arguments = given.unwrap_or_else(|| parse_arguments(None));
    draft.add_answer(
        Answer::Piece,
        Content::default(),
        vec![new_call(id.clone(), Some(tool), arguments)],
        place.clone(),
    );
    draft.add_result(id, None, DIALECT.read_content(output, &place, notes), place);
    draft.fail_if(has_failed(item));
}

/// An object with only this field.
fn field_alone(item: &Object, key: &str) -> Option<Box<RawValue>> {
    let value = item.get(key)?.to_compact();
    Some(json_text(&BTreeMap::from([(key, value)])))
}
