//! Sessions of Gemini's CLI (0.40 and newer): a head, then one record per line. A message with a known id replaces the earlier one,
//! `$set` replaces all messages, and `$rewindTo` drops the last ones.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::providers::CHATS;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::rewritten::continue_conversation;
use crate::sink::Sink;
use crate::unread::Fields;

const NAME: &str = "gemini-cli";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Gemini's CLI: JSON Lines with a header, messages, $set and $rewindTo",
    recognises: |object| is_head(object) || object.has(SET) || object.has(REWIND),
    reader: || Box::new(Sessions::default()) as Box<dyn Reader>,
};

const SET: &str = "$set";
const REWIND: &str = "$rewindTo";

/// Known fields of a head, and of a `$set` record.
const HEAD: Fields = Fields {
    below: &[SET],
    known: &[
        "sessionId",
        "projectHash",
        "startTime",
        "lastUpdated",
        "kind",
        "messages",
        "directories",
        "summary",
    ],
};

/// Sessions of older versions are a single object with all messages.
fn is_head(object: &Object) -> bool {
    object.has("projectHash") && object.has("sessionId") && !object.has("messages")
}

/// The open session.
#[derive(Default)]
struct Sessions(Option<Session>);

#[derive(Default)]
struct Session {
    id: Option<String>,
    line: usize,
    is_subagent: bool,
    /// Messages at the start of the next request.
    list: Vec<Record>,
    /// The messages before `$set` replaced them, if they contained answers.
    replaced: Option<Vec<Record>>,
    /// Ids of calls with the result in a separate message.
    told: FxHashSet<String>,
    /// Number of messages in the first request after a replacement, including its answer.
    first: Option<usize>,
    /// The conversation up to the newest request with a rewritten history.
    whole: Option<Draft>,
}

#[derive(Clone)]
struct Record {
    id: String,
    value: Value,
    place: LogPlace,
}

impl Record {
    fn from_object(object: &Object, place: LogPlace) -> Option<Record> {
        Some(Record { id: object.text("id")?, value: object.json().read()?, place })
    }

    fn is_answer(&self) -> bool {
        self.value.get("type").is_some_and(|kind| kind == "gemini")
    }

    /// Ids of the calls whose results are in this message.
    fn results(&self) -> impl Iterator<Item = &str> {
        let parts = self.value.get("content").and_then(Value::as_array).into_iter().flatten();
        parts.filter_map(|part| part.pointer("/functionResponse/id")?.as_str())
    }

    /// The message, omitting results found in a separate message.
    fn without_results(&self, told: &FxHashSet<String>) -> Value {
        let mut value = self.value.clone();
        for call in value.get_mut("toolCalls").and_then(Value::as_array_mut).into_iter().flatten() {
            let is_told = call.get("id").and_then(Value::as_str).is_some_and(|id| told.contains(id));
            if let Some(call) = call.as_object_mut().filter(|_| is_told) {
                call.remove("result");
            }
        }
        value
    }
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if is_head(&object) {
            HEAD.note_unread(&object, "heads", &place, &mut sink.notes);
            // A resumed session has a second head.
            let id = object.text("sessionId");
            if self.0.as_ref().is_some_and(|session| session.id != id) {
                self.finish_log(sink);
            }
            let session =
                self.0.get_or_insert_with(|| Session { id, line: place.line, ..Session::default() });
            session.is_subagent = object.text("kind").is_some_and(|kind| kind == "subagent");
            return;
        }
        let session = self.0.get_or_insert_with(|| Session { line: place.line, ..Session::default() });
        if let Some(set) = object.object(SET) {
            HEAD.note_unread(&object, "heads", &place, &mut sink.notes);
            session.replace_records(&set, &place, &mut sink.notes);
        } else if let Some(id) = object.text(REWIND) {
            session.rewind_to(&id, &mut sink.notes);
            sink.notes.note("turns that the user took back, left out", place);
        } else {
            match Record::from_object(&object, place.clone()) {
                Some(record) => session.add_record(record, &mut sink.notes),
                None => sink.notes.lost("records without an identifier left out", place),
            }
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            session.finish_session(sink);
        }
    }
}

impl Session {
    /// Replaces all messages, as after a compaction or when a session is resumed.
    fn replace_records(&mut self, set: &Object, place: &LogPlace, notes: &mut Notes) {
        let Some(messages) = set.list("messages") else { return };
        let place = place.key(SET);
        let mut list = Vec::with_capacity(messages.len());
        for (index, message) in messages.into_iter().enumerate() {
            let place = place.item("messages", index);
            match message.object().and_then(|message| Record::from_object(&message, place.clone())) {
                Some(record) => {
                    self.told.extend(record.results().map(str::to_owned));
                    list.push(record);
                }
                None => notes.lost("records without an identifier left out", place),
            }
        }
        let before = std::mem::replace(&mut self.list, list);
        if self.replaced.is_none() && before.iter().any(Record::is_answer) {
            self.replaced = Some(before);
        }
    }

    /// Drops a message and everything after it. Drops all if the id is unknown, like the CLI itself.
    fn rewind_to(&mut self, id: &str, notes: &mut Notes) {
        let at = self.list.iter().position(|record| record.id == id).unwrap_or(0);
        for gone in self.list.drain(at..).filter(Record::is_answer) {
            let tokens = gone.value.pointer("/tokens/input").and_then(Value::as_u64);
            tokens.into_iter().for_each(|tokens| notes.missing_call(tokens, &gone.place));
        }
    }

    fn add_record(&mut self, record: Record, notes: &mut Notes) {
        self.told.extend(record.results().map(str::to_owned));
        // The CLI logs an answer when it arrives, and again with the results of its calls.
        if let Some(known) = self.list.iter_mut().find(|known| known.id == record.id) {
            for key in known.value.as_object().into_iter().flat_map(serde_json::Map::keys) {
                if record.value.get(key).is_none() {
                    notes.lost(
                        format!("fields {key} of messages that are written again left out"),
                        known.place.clone(),
                    );
                }
            }
            return *known = record;
        }
        if record.is_answer()
            && let Some(replaced) = self.take_rewritten()
        {
            self.join_history(&replaced, notes);
            self.first = Some(self.list.len() + 1);
        }
        self.list.push(record);
    }

    /// Returns the replaced messages, unless the new ones continue them.
    fn take_rewritten(&mut self) -> Option<Vec<Record>> {
        let replaced = self.replaced.take()?;
        let mut ids = self.list.iter().map(|record| &record.id);
        let goes_on = replaced.iter().all(|record| ids.next() == Some(&record.id));
        (!goes_on).then_some(replaced)
    }

    /// Joins the conversation with the requests up to the last of these messages.
    fn join_history(&mut self, list: &[Record], notes: &mut Notes) {
        if let Some(first) = self.first.take() {
            // These messages are read again below, so drop these notes.
            let request = self.build_draft(list, first, &mut Notes::default());
            self.join_request(request, notes);
        }
        let newest = self.build_draft(list, list.len(), notes);
        self.join_request(newest, notes);
    }

    fn join_request(&mut self, request: Draft, notes: &mut Notes) {
        let place = request.origins.last().map_or_else(|| request.place(), |last| last.place.clone());
        let before = self.count_compactions();
        self.whole = Some(continue_conversation(self.whole.take(), request, None));
        for number in before..self.count_compactions() {
            notes.count_compaction(number == 0, &place);
        }
    }

    fn count_compactions(&self) -> usize {
        self.whole.as_ref().map_or(0, |whole| whole.transcript.compactions.len())
    }

    /// A draft of the first `length` messages.
    fn build_draft(&self, list: &[Record], length: usize, notes: &mut Notes) -> Draft {
        let mut draft = Draft::new(NAME, self.id.clone(), self.line);
        for record in list.iter().take(length) {
            let text = record.without_results(&self.told).to_string();
            if let Some(object) = Json::parse(&text).ok().and_then(Json::object) {
                CHATS.read_message(&object, Answer::Whole, false, &record.place, &mut draft, notes);
            }
        }
        if self.is_subagent { draft.of_subagent() } else { draft }
    }

    fn finish_session(mut self, sink: &mut Sink) {
        // A replacement at the end was never sent.
        let list = self.take_rewritten().unwrap_or_else(|| std::mem::take(&mut self.list));
        self.join_history(&list, &mut sink.notes);
        self.whole.into_iter().for_each(|whole| sink.give(whole));
    }
}
