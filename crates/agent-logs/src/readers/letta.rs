//! Messages of Letta's agents, from its API: each has a type, and the messages of one step form one answer.

use super::providers::CHATS;
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCall, TranscriptCompaction};
use crate::unread::Fields;

const NAME: &str = "letta";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "messages of Letta's agents, each with message_type and date",
    recognises: |object| object.text("message_type").is_some_and(|kind| kind.ends_with("_message")),
    reader: || Box::new(Agents::default()),
};

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["tool_call", "tool_calls", "tool_returns"],
    known: &[
        "arguments",
        "compaction_stats",
        "content",
        "date",
        "func_response",
        "name",
        "reasoning",
        "stderr",
        "stdout",
        "summary",
        "tool_return",
    ],
};

#[derive(Default)]
struct Agents(Option<Draft>);

impl Reader for Agents {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(said) = sink.read_object(value, &place) else { return };
        let draft = self.0.get_or_insert_with(|| Draft::new(NAME, None, place.line));
        draft.now = said.get("date").and_then(LogTime::read);
        read_message(&said, draft, &place, &mut sink.notes);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.0.take() {
            sink.give(draft);
        }
    }
}

fn read_message(said: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let id = said.first(&["step_id", "id"]).and_then(Json::text);
    let answer = id.map_or(Answer::Whole, Answer::Id);
    let Some(kind) = said.text("message_type") else {
        return notes.lost("messages without a type", place.clone());
    };
    match kind.as_str() {
        "system_message" => {
            draft.set_system(CHATS.read_content(said.get("content"), place, notes), place.clone(), notes)
        }
        "user_message" => {
            draft.add_user_text(CHATS.read_content(said.get("content"), place, notes), false, place.clone())
        }
        "assistant_message" => {
            let text = CHATS.read_content(said.get("content"), place, notes);
            draft.add_answer(answer, text, Vec::new(), place.clone());
        }
        "tool_call_message" | "approval_request_message" => {
            let mut calls: Vec<TranscriptCall> = list_objects(said, "tool_calls", "calls", place, notes)
                .iter()
                .map(|(asked, _)| asked_for(asked))
                .collect();
            // Newer versions repeat the first call of the list in this field; older ones only have this field.
            if calls.is_empty() {
                calls.extend(said.object("tool_call").map(|asked| asked_for(&asked)));
            }
            draft.add_answer(answer, Content::default(), calls, place.clone());
        }
        "tool_return_message" => {
            let returns = list_objects(said, "tool_returns", "results", place, notes);
            match returns.is_empty() {
                true => read_result(said, draft, place, notes),
                false => returns.iter().for_each(|(told, place)| read_result(told, draft, place, notes)),
            }
        }
        "reasoning_message" | "hidden_reasoning_message" => crate::content::note_reasoning(place, notes),
        "summary_message" => read_summary(said, draft, place, notes),
        "event_message" | "approval_response_message" => {
            return notes.note(format!("messages of the type {kind}, which are not sent"), place.clone());
        }
        other => return notes.lost(format!("messages of the type {other} left out"), place.clone()),
    }
    FIELDS.note_unread(said, "messages", place, notes);
}

fn asked_for(asked: &Object) -> TranscriptCall {
    new_call(asked.text("tool_call_id"), asked.text("name"), parse_arguments(asked.get("arguments")))
}

fn read_result(told: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let text = CHATS.read_content(told.first(&["tool_return", "func_response"]), place, notes);
    draft.add_result(told.text("tool_call_id"), told.text("name"), text, place.clone());
    draft.fail_if(told.text("status").is_some_and(|status| status == "error"));
}

/// Reads a summary. Its count of remaining messages includes the system prompt and the summary itself.
fn read_summary(said: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let stats = said.below("compaction_stats");
    let left = stats.number("messages_count_after").and_then(|left| usize::try_from(left).ok());
    if left.is_none() {
        notes.lost("summaries that do not say how many messages they keep, taken as none", place.clone());
    }
    let kept = left.map_or(0, |left| left.saturating_sub(2));
    let first = draft.transcript.messages.len().saturating_sub(kept);
    let compaction = TranscriptCompaction {
        text: said.text("summary"),
        trigger: stats.text("trigger"),
        time: said.text("date"),
        tokens_before: stats.number("context_tokens_before"),
        ..TranscriptCompaction::default()
    };
    draft.add_compaction(compaction, |index| index >= first, place, notes);
}
