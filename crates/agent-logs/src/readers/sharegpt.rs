//! Data sets in ShareGPT format: `conversations` with `from` and `value`.

use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::transcript::TranscriptRole;

const NAME: &str = "sharegpt";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "data sets like ShareGPT: conversations with from and value",
    recognises: |object| {
        let Some(list) = object.list("conversations") else { return false };
        let first = list.first().and_then(|first| first.object());
        first.is_none_or(|first| !first.has("messages"))
    },
    reader: || Box::new(Whole(read_conversation)),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

/// Field names of a call logged as the text of a message.
static NAMES: Names = Names {
    call: CallNames { id: &["id"], name: &["name"], arguments: &["arguments"], ..CallNames::NONE },
    ..Names::NONE
};

fn read_conversation(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    for (key, value) in object.fields() {
        if !["conversations", "id", "system", "tools"].contains(&key) && !value.is_empty() {
            notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    let mut draft = Draft::new(NAME, object.text("id"), place.line);
    if let Some(system) = object.text("system").filter(|system| !system.is_empty()) {
        draft.set_system(Content::of(system), place.key("system"), notes);
    }
    let tools = object.text("tools");
    draft.declare_tools(
        tools.as_deref().map_or(object.get("tools"), |tools| Json::parse(tools).ok()),
        &place,
        notes,
    );
    for (message, place) in list_objects(object, "conversations", "messages", &place, notes) {
        DIALECT.note_unread(&message, &["content", "from", "role", "value"], "messages", &place, notes);
        let from = message.first(&["from", "role"]).and_then(Json::text);
        let Some(text) = message.first(&["value", "content"]).and_then(Json::text) else {
            notes.lost("messages without text", place);
            continue;
        };
        let is_asked = draft
            .last_message()
            .is_some_and(|last| !last.tool_calls.is_empty() || last.role == TranscriptRole::Tool);
        match from.as_deref() {
            Some("human" | "user") => draft.add_user_text(Content::of(text), false, place),
            Some("gpt" | "assistant" | "chatgpt" | "bot" | "model") => {
                draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place);
            }
            Some("function_call") => match Json::parse(&text).ok().and_then(Json::object) {
                Some(call) => {
                    draft.add_answer(Answer::Piece, Content::default(), vec![DIALECT.call_of(&call)], place)
                }
                None => draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place),
            },
            Some("observation" | "tool" | "function_response") if is_asked => {
                draft.add_result(None, None, Content::of(text), place);
            }
            Some("observation" | "tool" | "function_response") => {
                draft.add_user_text(Content::of(text), true, place)
            }
            Some("system") => draft.set_system(Content::of(text), place, notes),
            other => {
                let other = other.unwrap_or("");
                notes.note(format!("messages from {other:?}, taken as observations"), place.clone());
                draft.add_user_text(Content::of(text), true, place);
            }
        }
    }
    sink.give(draft);
}
