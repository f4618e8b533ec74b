//! Sessions of Codex: a line each with `timestamp`, `type` and `payload`, which is an item of a response.

use super::message::usage_of;
use super::openai_responses::item;
use super::{LogFormat, Reader};
use crate::transcript::draft::{Content, Draft};
use crate::transcript::json::{Json, Object};
use crate::transcript::notes::LogPlace;
use crate::transcript::read::Sink;

const NAME: &str = "codex";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Codex: a line each, type response_item, payload as in openai-responses",
    recognises: |object| object.object("payload").is_some() && object.has("type") && object.has("timestamp"),
    reader: || Box::new(Codex::default()),
};

/// Ends of the types of events that repeat no item.
const NO_ITEMS: [&str; 4] = ["error", "warning", "aborted", "rolled_back"];

#[derive(Default)]
struct Codex {
    open: Option<Draft>,
    id: Option<String>,
    model: Option<String>,
}

impl Codex {
    fn draft(&mut self, line: usize) -> &mut Draft {
        let id = &self.id;
        self.open.get_or_insert_with(|| Draft::new(NAME, id.clone(), line))
    }
}

impl Reader for Codex {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        let kind = object.text("type").unwrap_or_default();
        let payload = object.object("payload").unwrap_or_default();
        match kind.as_str() {
            "session_meta" => {
                self.end(sink);
                self.id = payload.text("id");
                let inner = payload.object("base_instructions").and_then(|inner| inner.text("text"));
                if let Some(system) = inner.or_else(|| payload.text("instructions")) {
                    self.draft(place.line).system(Content::of(system), place, &mut sink.notes);
                }
            }
            "turn_context" => self.model = payload.text("model"),
            "response_item" => item(&payload, &place, self.draft(place.line), &mut sink.notes),
            "compacted" => {
                let system = self.open.as_ref().and_then(|open| open.transcript.system.clone());
                self.end(sink);
                let draft = self.draft(place.line);
                draft.transcript.system = system;
                for part in payload.list("replacement_history").into_iter().flatten().filter_map(Json::object)
                {
                    item(&part, &place, draft, &mut sink.notes);
                }
                if let Some(summary) = payload.text("message").filter(|_| !payload.has("replacement_history"))
                {
                    draft.user(Content::of(summary), true, place);
                }
            }
            "event_msg" if payload.is_a("token_count") => {
                let billed = payload.object("info").and_then(|info| info.object("last_token_usage"));
                let usage = billed.and_then(|billed: Object| usage_of(&billed, self.model.clone()));
                if let Some(draft) = &mut self.open {
                    draft.usage(usage);
                }
            }
            // Other events repeat the items for the screen.
            "event_msg" => {
                let event = payload.text("type").unwrap_or_default();
                if NO_ITEMS.iter().any(|end| event.ends_with(end)) {
                    sink.notes.note(format!("events of the type {event}, which are not sent"), place);
                }
            }
            other => sink.notes.lost(format!("lines of the type {other:?} left out"), place),
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}
