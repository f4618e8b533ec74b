//! Logs with lists of messages with roles, as used by OpenAI, Anthropic and most others.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::{BODIES, LOG_FIELDS, STEP, note_schema};
use super::chat_values::{
    CHOICES, MESSAGES, REQUESTS, RESPONSES, find_messages, find_request, find_response, find_state,
    has_choices, is_answer, is_message, is_response, role_of_message,
};
use super::graphs::{
    START, SUMMARIZED, StateOrder, add_summary, find_states, is_of_state, is_task, state_ids, summary_text,
};
use super::providers::CHATS;
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::fingerprint::of_text;
use crate::format::Reader;
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{
    CompactionKind, TranscriptCompaction, TranscriptMessage, TranscriptOutcome, TranscriptRole,
};

/// Fields of a message with the id of its conversation.
const CONVERSATIONS: [&str; 6] =
    ["conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "threadId"];

/// Reads message logs: whole conversations, or one message per value.
pub(super) struct Chats {
    format: &'static str,
    /// Conversations logged as one message per value.
    open: Alternating<Conversation>,
    is_open: bool,
    /// Message ids of the last graph state.
    state: Vec<Option<String>>,
    /// The last graph state, if it doesn't end with an answer.
    unanswered: Option<Draft>,
    order: StateOrder,
}

impl Chats {
    pub(super) fn boxed_reader(format: &'static str) -> Box<dyn Reader> {
        Box::new(Chats {
            format,
            open: Alternating::default(),
            is_open: false,
            state: Vec::new(),
            unanswered: None,
            order: StateOrder::default(),
        })
    }
}

impl Reader for Chats {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if is_task(&object) {
            let kind = "tasks of a graph, which repeat messages of its states; log stream_mode=\"values\"";
            return sink.notes.lost(kind, place);
        }
        // Since version 7, an AI SDK step has only its own messages, and the id of its call.
        if let Some(run) = object.text("callId")
            && object.has("stepNumber")
            && find_request(&object).is_none()
        {
            return self.read_message(Some(run), value, place, sink);
        }
        if let Some(added) = self.messages_of_update(&object, &place) {
            if object.has(SUMMARIZED) {
                self.read_message(None, value, place.clone(), sink);
            }
            for (index, said) in added.into_iter().enumerate() {
                self.read_value(said, place.item("messages", index), sink);
            }
            return;
        }
        let is_line = self.is_line(&object);
        let is_message = is_line || CHATS.role_of(&object).is_some();
        let is_response = object.has("usage") && !self.is_open;
        if !is_message || is_response || find_messages(&object).is_some() {
            return self.read_log(&object, value, place, sink);
        }
        let id = object.first(&CONVERSATIONS).map(Json::to_plain_text);
        let mut said = value;
        if is_line {
            BODIES.note_unread(&object, "lines", &place, &mut sink.notes);
            said = object.get("message").unwrap_or(value);
        }
        self.read_message(id, said, place, sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let held = self.order.end_run();
        self.read_states(held, sink);
        self.open.finish(sink);
        self.is_open = false;
        if let Some(draft) = self.unanswered.take() {
            sink.give_call(draft);
        }
    }
}

/// A conversation logged as one message per value.
struct Conversation {
    draft: Draft,
    /// Message index by id.
    ids: FxHashMap<String, usize>,
    /// Number of draft messages before each message of the state.
    begins: Vec<usize>,
    /// The removal being read, until other messages follow.
    removal: Option<Removal>,
}

/// Messages removed from the state by a graph node, and those put back.
#[derive(Default)]
struct Removal {
    place: LogPlace,
    are_all: bool,
    removed: FxHashSet<usize>,
    kept: FxHashSet<usize>,
    text: Option<String>,
}

impl Part for Conversation {
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(said) = sink.read_object(value, &place) else { return };
        if let Some(event) = said.object(SUMMARIZED) {
            return self.read_summary(&event, &place.key(SUMMARIZED), &mut sink.notes);
        }
        if said.has("stepNumber") {
            return self.read_step(&said, &place, &mut sink.notes);
        }
        let inner = CHATS.inner_message(&said);
        if self.is_of_removal(inner.as_ref().unwrap_or(&said), &place, &mut sink.notes) {
            return;
        }
        self.finish_removal(&mut sink.notes);
        let at = self.draft.transcript.messages.len();
        self.begins.push(at);
        CHATS.read_message(&said, Answer::Whole, false, &place, &mut self.draft, &mut sink.notes);
        if self.draft.transcript.messages.len() > at
            && let Some(id) = inner.as_ref().unwrap_or(&said).text("id")
        {
            self.ids.insert(id, at);
        }
    }

    fn finish_conversation(mut self, sink: &mut Sink) {
        self.finish_removal(&mut sink.notes);
        sink.give(self.draft);
    }
}

impl Conversation {
    /// Reads an AI SDK step and its bill.
    fn read_step(&mut self, step: &Object, place: &LogPlace, notes: &mut Notes) {
        CHATS.note_unread(step, STEP, "steps", place, notes);
        BODIES.note_unread(&step.below("response"), "responses", place, notes);
        let said =
            list_objects(&step.below("response"), "messages", "messages", &place.key("response"), notes);
        // The bill is for the answer; tool results follow it.
        for (said, place) in said {
            CHATS.read_message(&said, Answer::Whole, false, &place, &mut self.draft, notes);
            if CHATS.role_of(&said).as_deref() == Some("assistant") {
                self.draft.usage(CHATS.usage(step));
                self.draft.set_times(LogTime::of_object(&step.below("response")), None);
                CHATS.server_side(step, &place, &mut self.draft, notes);
            }
        }
    }

    fn new(draft: Draft) -> Conversation {
        Conversation { draft, ids: FxHashMap::default(), begins: Vec::new(), removal: None }
    }

    /// Reads the summary sent by a deep agent instead of the first messages of its state.
    fn read_summary(&mut self, event: &Object, place: &LogPlace, notes: &mut Notes) {
        let cut = event.number("cutoff_index").and_then(|number| usize::try_from(number).ok());
        let all = self.draft.transcript.messages.len();
        let (Some(cut), Some(text)) = (cut, summary_text(CHATS, event, place, notes)) else {
            return notes.lost("summaries without a text or the messages that they replace", place.clone());
        };
        let first = self.begins.get(cut).copied().unwrap_or(all);
        let compaction = TranscriptCompaction { text: Some(text), ..TranscriptCompaction::default() };
        self.draft.add_compaction(compaction, |index| index >= first, place, notes);
    }

    /// Reads a removal of messages, the messages kept after removing all, and the summary that replaces the rest. Returns false for
    /// any other message.
    fn is_of_removal(&mut self, said: &Object, place: &LogPlace, notes: &mut Notes) -> bool {
        let id = said.text("id");
        let known = id.as_ref().and_then(|id| self.ids.get(id)).copied();
        if said.is_a("remove") {
            let are_all = id.as_deref() == Some(REMOVE_ALL);
            if !are_all && known.is_none() {
                notes.lost("removals of messages that are not in the log", place.clone());
                return true;
            }
            let removal =
                self.removal.get_or_insert_with(|| Removal { place: place.clone(), ..Removal::default() });
            removal.are_all |= are_all;
            removal.removed.extend(known);
            return true;
        }
        let Some(removal) = &mut self.removal else { return false };
        if let Some(index) = known {
            removal.kept.insert(index);
            return true;
        }
        let source = said.below("additional_kwargs").text("lc_source");
        if source.as_deref() != Some("summarization") {
            return false;
        }
        CHATS.note_unread_of_message(said, Some("user"), place, notes);
        removal.text = Some(CHATS.read_content(said.get("content"), place, notes).text());
        true
    }

    /// Turns the finished removal into a compaction.
    fn finish_removal(&mut self, notes: &mut Notes) {
        let Some(Removal { place, are_all, removed, kept, text }) = self.removal.take() else { return };
        let gone = self.draft.transcript.compactions.last().cloned().unwrap_or_default();
        let kind = if text.is_some() { CompactionKind::Summary } else { CompactionKind::Drop };
        let compaction = TranscriptCompaction { kind, text, ..TranscriptCompaction::default() };
        let is_kept = |index| match are_all {
            true => kept.contains(&index),
            false => !removed.contains(&index) && !gone.removes(index),
        };
        self.draft.add_compaction(compaction, is_kept, &place, notes);
    }
}

/// LangGraph's id for removing all messages.
const REMOVE_ALL: &str = "__remove_all__";

impl Chats {
    /// Reads a message of a conversation logged as one message per value, or a step with several.
    fn read_message(&mut self, id: Option<String>, said: Json, place: LogPlace, sink: &mut Sink) {
        self.is_open = true;
        let new = || Conversation::new(Draft::new(self.format, id.clone(), place.line));
        self.open.read(id.as_deref().unwrap_or(""), said, place.clone(), sink, new);
    }

    /// Reads a value that is no message of the open conversation.
    fn read_log(&mut self, object: &Object, value: Json, place: LogPlace, sink: &mut Sink) {
        // Only a log ends the open conversation; a value that is neither a message nor a log doesn't.
        let own = [&MESSAGES[..], &REQUESTS, &RESPONSES, &CHOICES].concat();
        if object.first(&own).is_some() {
            self.open.finish(sink);
            self.is_open = false;
        }
        let list = find_messages(object);
        let is_answered = list.as_ref().and_then(|list| list.last()).is_some_and(is_answer);
        let state = state_ids(list, CHATS);
        let (before, is_next) = match state.is_empty() {
            true => (self.order.end_run(), true),
            false => self.order.add_state((state.clone(), is_answered), value, &place, &mut sink.notes),
        };
        self.read_states(before, sink);
        if is_next {
            self.read_conversation(object, state, place, sink);
        }
    }

    /// Reads a value with messages, such as a graph state.
    fn read_conversation(
        &mut self,
        object: &Object,
        state: Vec<Option<String>>,
        place: LogPlace,
        sink: &mut Sink,
    ) {
        if !state.is_empty() && state == self.state && !object.has(SUMMARIZED) {
            return sink.notes.note("states that repeat the one before, left out", place);
        }
        // The next state repeats a state without an answer, unless the agent dropped its end.
        let is_repeated = self.state.last().is_some_and(|last| state.contains(last));
        if let Some(before) = self.unanswered.take()
            && !is_repeated
        {
            sink.give_call(before);
        }
        self.state = state;
        read_chat(self.format, object, place, sink, &mut self.unanswered);
    }

    fn read_states(&mut self, states: Vec<(String, LogPlace)>, sink: &mut Sink) {
        for (text, place) in states {
            if let Some(state) = Json::parse(&text).ok().and_then(Json::object) {
                self.read_conversation(&state, state_ids(find_messages(&state), CHATS), place, sink);
            }
        }
    }

    /// The messages a graph node adds to the conversation: an update keyed by node name, of answers or results without user
    /// messages before them, or the input of a run.
    fn messages_of_update<'a>(&self, object: &Object<'a>, place: &LogPlace) -> Option<Vec<Json<'a>>> {
        let is_below = !place.path.is_empty() && !place.path.ends_with(']');
        if self.format != "langchain" || !is_below {
            return None;
        }
        let added = object.list("messages")?;
        let first = CHATS.role_of(&added.first()?.object()?)?;
        // An input with answers is the whole conversation so far.
        let is_input = place.path.rsplit('.').next() == Some(START) && !added.iter().any(is_answer);
        (is_input || ["assistant", "tool", "remove"].contains(&first.as_str())).then_some(added)
    }

    /// Returns true if the value wraps a message in `message`, and isn't a response to a request.
    fn is_line(&self, object: &Object) -> bool {
        let Some(below) = object.object("message") else { return false };
        if !is_message(&below) || find_request(object).is_some() {
            return false;
        }
        self.is_open || matches!(CHATS.role_of(&below).as_deref(), Some("user" | "system"))
    }
}

/// Reads a conversation, or a request and its response. A graph state without an answer at its end goes to `unanswered`, because
/// the next state may repeat it.
fn read_chat(
    format: &str,
    object: &Object,
    place: LogPlace,
    sink: &mut Sink,
    unanswered: &mut Option<Draft>,
) {
    let notes = &mut sink.notes;
    let mut draft = Draft::new(format, object.first(&["id", "task_id"]).map(Json::to_plain_text), place.line);
    let (below, answer) = (find_request(object), find_response(object));
    let request = below.as_ref().unwrap_or(object);
    // An AI SDK step has its answer twice: in its messages, and in the provider's own format.
    let is_step = object.has("finishReason") && object.below("response").has("messages");
    let response = match &answer {
        _ if is_step => None,
        Some(answer) => Some(answer),
        None if is_response(object) => Some(object),
        None => None,
    };
    let is_request = below.is_some() || object.first(&RESPONSES).is_some();
    let state = find_state(object);
    let further = state.as_ref().and_then(find_messages);
    let body_of_answer = answer.as_ref().filter(|body| has_choices(body));
    for body in below.iter().chain(&state).chain(body_of_answer) {
        BODIES.note_unread(body, "requests and responses", &place, notes);
    }
    if answer.is_none() {
        for choice in choices_in(object).into_iter().filter_map(Json::object) {
            BODIES.note_unread(&choice, "choices", &place, notes);
        }
    }
    let text = object.first(&RESPONSES).and_then(Json::text);
    if find_messages(request).is_none() && response.is_none() && further.is_none() {
        return notes.lost("values without messages", place);
    }
    let has_answer = response.is_some() || further.is_some() || text.is_some();
    for (key, value) in object.fields() {
        let is_read = LOG_FIELDS.contains(&key)
            || MESSAGES.contains(&key)
            || RESPONSES.contains(&key) && has_answer
            || LogTime::is_field(key);
        if is_read || value.is_empty() {
            continue;
        }
        // AgentBench logs the result of a run next to its history.
        if RESPONSES.contains(&key) && !object.has("history") {
            notes.lost("responses without a message", place.key(key));
        } else {
            notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    draft.transcript.name = object.text("name");
    if let Some(system) = request.first(&["system", "systemInstruction", "system_instruction"]) {
        let mut parts = system;
        if let Some(inner) = system.object() {
            CHATS.note_unread(&inner, &["parts", "role", "text"], "systems", &place, notes);
            parts = inner.get("parts").unwrap_or(system);
        }
        let content = CHATS.read_content(Some(parts), &place.key("system"), notes);
        draft.set_system(content, place.key("system"), notes);
    }
    // Bedrock and LiteLLM log tools among the settings.
    let in_settings =
        request.below("toolConfig").get("tools").or(object.below("model_parameters").get("tools"));
    draft.declare_tools(request.first(&["tools", "functions"]).or(in_settings), &place, notes);
    draft.server.excluded = excluded_tools(request);
    note_schema(request, &place, notes);
    let mut list: Vec<Json> = find_messages(request).into_iter().flatten().collect();
    let has_further = further.is_some();
    if let Some(further) = further {
        // A graph state repeats its first messages.
        if let Some(role) = role_of_message(further.first())
            && role != "assistant"
            && role != "tool"
        {
            list.clear();
        }
        // Up to version 6, an AI SDK step also repeats the answers of earlier steps; its request already has them.
        let is_repeating = below.is_some() && is_step;
        let own = if is_repeating { further.iter().rposition(is_answer) } else { None };
        list.extend(further.into_iter().skip(own.unwrap_or(0)));
    }
    let is_state = list.first().is_some_and(|first| is_of_state(first, CHATS))
        && !find_states(object, &below).any(|state| state.has(SUMMARIZED));
    let is_asked = role_of_message(list.last()).as_deref() == Some("user");
    let asked = match is_asked || has_further {
        true => None,
        false => object.first(&["input", "prompt"]).and_then(Json::text),
    };
    let mut begins = Vec::with_capacity(list.len());
    for (index, said) in list.into_iter().enumerate() {
        let place = place.item("messages", index);
        begins.push(draft.transcript.messages.len());
        let is_named = is_state && is_answer(&said);
        let named = if is_named { said.object().unwrap_or_default().text("id") } else { None };
        draft.named.extend(named.as_deref().map(of_text));
        match said.object() {
            Some(said) => CHATS.read_message(&said, Answer::Whole, false, &place, &mut draft, notes),
            None => notes.lost("messages that are no object", place),
        }
        if named.is_some() {
            draft.name_call(named);
        }
    }
    if let Some(event) = find_states(object, &below).find_map(|state| state.object(SUMMARIZED)) {
        add_summary(CHATS, &event, &begins, &place.key(SUMMARIZED), &mut draft, notes);
    }
    // The history continues with this question.
    if let Some(asked) = asked {
        draft.add_user_text(Content::of(asked), false, place.key("input"));
    }
    draft.transcript.outcome = read_outcome(object);
    let is_answered = last_answer(&mut draft).is_some();
    let Some(response) = response else {
        match text {
            // Steps of a run repeat the messages of earlier steps.
            _ if has_further => {
                draft.usage(CHATS.usage(object));
                CHATS.server_side(object, &place, &mut draft, notes);
                draft.set_times(LogTime::of_object(&object.below("response")), None);
                return sink.give_call(draft);
            }
            Some(_) if is_answered => {
                notes.note("responses as text beside an answer, left out", place.clone());
            }
            Some(text) => {
                draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place.key("response"));
                draft.sent_by(object);
                return sink.give_call(draft);
            }
            None if is_request && !is_answered => {
                notes.note("requests without a response", place.clone());
                forget_id(&mut draft);
                return sink.give_call(draft);
            }
            None => {}
        }
        return match (is_state, is_answered) {
            (false, _) => sink.give(draft),
            (true, true) => sink.give_call(draft),
            (true, false) => *unanswered = Some(draft),
        };
    };
    read_response(response, &place, &mut draft, notes);
    if let Some(answer) = last_answer(&mut draft)
        && answer.usage.is_none()
    {
        draft.usage(CHATS.usage(object));
    }
    let names = ["model", "modelId"];
    let model = object.first(&names).or(request.first(&names)).and_then(Json::text);
    // LiteLLM: a response from its own cache cost nothing.
    draft.complete_bill(model, object.get("response_cost").and_then(Json::read));
    draft.sent_by(object);
    forget_id(&mut draft);
    sink.give_call(draft);
}

/// The last message of a conversation, if it is an answer.
fn last_answer(draft: &mut Draft) -> Option<&mut TranscriptMessage> {
    let last = draft.last_message()?;
    if last.role == TranscriptRole::Assistant { Some(last) } else { None }
}

/// Tools excluded from clearing by the provider.
fn excluded_tools(request: &Object) -> Vec<String> {
    let mut names = Vec::new();
    let edits = request.below("context_management").list("edits").unwrap_or_default();
    for edit in edits.into_iter().filter_map(Json::object) {
        let excluded = edit.list("exclude_tools").unwrap_or_default();
        names.extend(excluded.into_iter().filter_map(Json::text));
    }
    names
}

/// Removes the id, because it is the id of the response, not of the conversation.
fn forget_id(draft: &mut Draft) {
    if let Some(source) = &mut draft.transcript.source {
        source.id = None;
    }
}

/// The choices of a response. An object without them has none.
fn choices_in<'a>(response: &Object<'a>) -> Vec<Json<'a>> {
    CHOICES.iter().find_map(|key| response.list(key)).unwrap_or_default()
}

/// Reads the first choice of a response.
fn read_response(response: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let choices = choices_in(response);
    if choices.len() > 1 {
        notes.lost("further choices of a response left out", place.item("choices", 1));
    }
    let choice = choices.first().and_then(unwrap_choice);
    let inner = choice.as_ref().unwrap_or(response);
    let said = match inner.first_object(&["message", "content"]) {
        // Bedrock nests the message in `output`.
        None => response.below("output").object("message"),
        said => said,
    };
    let said = match &said {
        None if CHATS.role_of(response).is_some() => Some(response),
        said => said.as_ref(),
    };
    match said {
        Some(said) => {
            let asked = draft.transcript.messages.len();
            CHATS.read_message(said, Answer::Whole, false, &place.key("response"), draft, notes);
            let usage = CHATS.usage(response);
            // A response with only a compaction has no answer.
            if draft.transcript.messages.len() == asked {
                let tokens = usage.as_ref().and_then(|usage| usage.input_tokens).unwrap_or(0);
                let is_billed = draft.bill_compaction(usage);
                if tokens > 0 && !is_billed {
                    notes.missing_call(tokens, place);
                }
                return;
            }
            draft.usage(usage);
            return draft.set_times(LogTime::of_object(response), None);
        }
        None if choice.is_some_and(|choice| choice.has("delta")) => {
            notes.lost("pieces of streamed responses left out; log whole responses", place.clone());
        }
        None => notes.lost("responses without a message", place.clone()),
    }
    if let Some(tokens) = CHATS.usage(response).and_then(|usage| usage.input_tokens) {
        notes.missing_call(tokens, place);
    }
}

/// The choice itself, or the first of a nested list.
fn unwrap_choice<'a>(choice: &Json<'a>) -> Option<Object<'a>> {
    match choice.list() {
        Some(list) => list.first()?.object(),
        None => choice.object(),
    }
}

fn read_outcome(object: &Object) -> Option<TranscriptOutcome> {
    let outcome = TranscriptOutcome {
        // MINT counts the tokens of the whole run.
        usage: CHATS.usage_of(&object.below("token_counter"), None),
        success: object.get("success").and_then(Json::read),
        reward: object.get("reward").or(object.below("reward_info").get("reward")).and_then(Json::read),
        ..TranscriptOutcome::default()
    };
    if outcome == TranscriptOutcome::default() { None } else { Some(outcome) }
}
