//! Events of OpenHands: actions and observations, in a list or below `history`.

use super::message::{message, usage};
use super::{LogFormat, Reader};
use crate::transcript::draft::{Answer, Content, Draft, call};
use crate::transcript::json::{Json, Object, arguments};
use crate::transcript::notes::LogPlace;
use crate::transcript::read::Sink;

const NAME: &str = "openhands";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "events of OpenHands: actions and observations, in a list or below history",
    recognises: |object| {
        let first = object.list("history").and_then(|history| history.first()?.object());
        is_event(object) || first.as_ref().is_some_and(is_event)
    },
    reader: || Box::new(Events::default()),
};

fn is_event(object: &Object) -> bool {
    object.has("source") && (object.has("action") || object.has("observation"))
}

#[derive(Default)]
struct Events {
    open: Option<Draft>,
    /// Identifier of the last response, which every action of it repeats.
    response: Option<String>,
}

impl Reader for Events {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        let Some(history) = object.list("history") else { return self.event(&object, place, sink) };
        self.end(sink);
        for (index, event) in history.into_iter().enumerate() {
            self.event(&event.object().unwrap_or_default(), place.item("history", index), sink);
        }
        self.end(sink);
    }

    fn end(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

impl Events {
    fn event(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let draft = self.open.get_or_insert_with(|| Draft::new(NAME, None, place.line));
        let asked = object.object("tool_call_metadata").unwrap_or_default();
        let given = object.object("args").unwrap_or_default();
        let text = |object: &Object, keys: &[&str]| object.first(keys).and_then(Json::text).map(Content::of);
        let (action, source) = (object.text("action"), object.text("source").unwrap_or_default());
        match (action.as_deref(), asked.object("model_response")) {
            (None, _) if object.text("observation").is_some_and(|kind| kind != "agent_state_changed") => {
                let content = text(object, &["content"]).unwrap_or_default();
                // Agents without native calls name the action in place of a call.
                let cause = object.get("cause").map(|cause| format!("event-{}", cause.raw()));
                draft.result(asked.text("tool_call_id").or(cause), None, content, place);
                if let Some(last) = draft.last() {
                    last.is_error = object.text("observation").is_some_and(|kind| kind == "error");
                }
            }
            (Some("system"), _) => {
                draft.system(text(&given, &["content"]).unwrap_or_default(), place, &mut sink.notes);
                draft.tools(given.get("tools"));
            }
            (Some(kind), None) if kind == "message" || kind == "finish" => {
                let content = text(&given, &["content", "final_thought"]).unwrap_or_default();
                match source.as_str() {
                    "agent" => draft.answer(Answer::Whole, content, Vec::new(), place),
                    _ => draft.user(content, source != "user", place),
                }
            }
            (Some(_), Some(response)) => {
                let id = response.text("id");
                if id.is_some() && id == self.response {
                    return;
                }
                self.response = id;
                let choice =
                    response.list("choices").and_then(|choices| choices.first()?.object()?.object("message"));
                match choice {
                    Some(said) => message(&said, Answer::Whole, false, &place, draft, &mut sink.notes),
                    None => sink.notes.lost("responses without a message", place),
                }
                draft.usage(usage(&response));
            }
            (Some(kind), None) if source == "agent" && object.has("args") && kind != "change_agent_state" => {
                let id = object.get("id").map(|id| format!("event-{}", id.raw()));
                let made = call(id, Some(kind.to_owned()), arguments(object.get("args")));
                let thought = text(&given, &["thought"]).unwrap_or_default();
                draft.answer(Answer::Whole, thought, vec![made], place);
            }
            (kind, _) => {
                let kind = kind.unwrap_or("agent_state_changed").to_owned();
                sink.notes.note(format!("events of the kind {kind}, which are not sent"), place);
            }
        }
    }
}
