//! Logs with lists of messages with roles, as used by OpenAI, Anthropic and most others.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::{BODIES, LOG_FIELDS, STEP, note_schema};
use super::graphs::{
    START, SUMMARIZED, StateOrder, add_summary, find_states, is_of_state, is_task, state_ids, summary_text,
};
use super::providers::{ai_sdk, anthropic, bedrock, gemini, langchain, llama_index, openai, otel};
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::fingerprint::of_text;
use crate::format::Reader;
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{Dialect, Names, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction, TranscriptOutcome, TranscriptRole};

/// Field names of all providers: a gateway logs requests to several, and clients of one pass on messages of another.
pub(super) static CHATS: Dialect = Dialect(&[
    &openai::CHAT,
    &anthropic::NAMES,
    &gemini::NAMES,
    &bedrock::NAMES,
    &langchain::NAMES,
    &ai_sdk::NAMES,
    &llama_index::NAMES,
    &openai::RESPONSES,
    &otel::NAMES,
    &NAMES,
]);

/// Field names added by programs that log chats.
static NAMES: Names = Names {
    // From chat data sets.
    roles: &[("bot", "assistant"), ("agent", "assistant")],
    beside: &[
        "conversation_id",
        "conversationId",
        "session_id",
        "sessionId",
        "thread_id",
        "threadId",
        "timestamp",
        "ts",
        "created_at",
        "createdAt",
        "metadata",
        // tau-bench and tau2-bench.
        "turn_idx",
        "requestor",
        "raw_data",
        "cost",
        // smolagents.
        "raw",
        "is_error",
    ],
    usage: UsageNames { cost: &["total_cost", "cost_usd"], ..UsageNames::NONE },
    ..Names::NONE
};

/// Fields with the messages of a conversation: `contents` is Gemini's, `traj` tau-bench's, the others are from data sets and
/// programs that log requests. Except for `messages`, all may hold something else.
const MESSAGES: [&str; 8] =
    ["messages", "contents", "traj", "conversation", "chat_history", "history", "input", "prompt"];

/// Fields of a message with the id of its conversation.
const CONVERSATIONS: [&str; 6] =
    ["conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "threadId"];

/// Fields with the request, if the log has it next to the response.
const REQUESTS: [&str; 6] = ["request", "body", "params", "kwargs", "inputs", "input"];

/// Fields with the response to a request.
const RESPONSES: [&str; 6] = ["response", "output", "outputs", "completion", "result", "message"];

/// Fields with the choices of a response, for OpenAI, Gemini and LangChain.
const CHOICES: [&str; 3] = ["choices", "candidates", "generations"];

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
            let kind = "tasks of a graph, whose messages its states have; log stream_mode=\"values\"";
            return sink.notes.lost(kind, place);
        }
        // Since version 7, an AI SDK step has only its own messages, and the id of its call.
        if let Some(run) =
            object.text("callId").filter(|_| object.has("stepNumber") && find_request(&object).is_none())
        {
            self.is_open = true;
            let new = || Conversation::new(Draft::new(self.format, Some(run.clone()), place.line));
            return self.open.read(&run, value, place.clone(), sink, new);
        }
        if let Some(added) = self.messages_of_update(&object, &place) {
            if object.has(SUMMARIZED) {
                let new = || Conversation::new(Draft::new(self.format, None, place.line));
                self.open.read("", value, place.clone(), sink, new);
                self.is_open = true;
            }
            for (index, said) in added.into_iter().enumerate() {
                self.read_value(said, place.item("messages", index), sink);
            }
            return;
        }
        let below = object.object("message").filter(|below| self.is_line(&object, below));
        let is_response = object.has("usage") && !self.is_open;
        if CHATS.role_of(&object).is_none() && below.is_none()
            || find_messages(&object).is_some()
            || is_response
        {
            // Only a log ends the open conversation; a value that is neither a message nor a log doesn't.
            let own = [&MESSAGES[..], &REQUESTS, &RESPONSES, &CHOICES].concat();
            if own.iter().any(|key| object.has(key)) {
                self.open.finish(sink);
                self.is_open = false;
            }
            let list = find_messages(&object);
            let is_answered = list.as_ref().and_then(|list| list.last()).is_some_and(is_answer);
            let state = state_ids(list, CHATS);
            let (before, is_next) = match state.is_empty() {
                true => (self.order.end_run(), true),
                false => self.order.add_state((state.clone(), is_answered), value, &place, &mut sink.notes),
            };
            self.read_states(before, sink);
            if !is_next {
                return;
            }
            return self.read_conversation(&object, state, place, sink);
        }
        self.is_open = true;
        let id = object.first(&CONVERSATIONS).map(Json::to_plain_text);
        if below.is_some() {
            BODIES.note_unread(&object, "lines", &place, &mut sink.notes);
        }
        let said = below.and_then(|_| object.get("message")).unwrap_or(value);
        let new = || Conversation::new(Draft::new(self.format, id.clone(), place.line));
        self.open.read(id.as_deref().unwrap_or(""), said, place.clone(), sink, new);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let held = self.order.end_run();
        self.read_states(held, sink);
        self.open.finish(sink);
        self.is_open = false;
        self.unanswered.take().into_iter().for_each(|draft| sink.give_call(draft));
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
        let first = cut.map(|number| self.begins.get(number).copied().unwrap_or(all));
        let Some((first, text)) = first.zip(summary_text(CHATS, event, place, notes)) else {
            return notes
                .lost("summaries without their text or the messages that they stand for", place.clone());
        };
        let compaction = TranscriptCompaction { text: Some(text), ..TranscriptCompaction::default() };
        self.draft.add_compaction(compaction, |index| index >= first, place, notes);
    }

    /// Reads a removal of messages, the messages kept after removing all, and the summary that replaces the rest. Returns false for
    /// any other message.
    fn is_of_removal(&mut self, said: &Object, place: &LogPlace, notes: &mut Notes) -> bool {
        let known = said.text("id").and_then(|id| self.ids.get(&id).copied());
        if said.is_a("remove") {
            let are_all = said.text("id").is_some_and(|id| id == REMOVE_ALL);
            if !are_all && known.is_none() {
                notes.lost("removals of messages that the log does not have", place.clone());
                return true;
            }
            let removal =
                self.removal.get_or_insert_with(|| Removal { place: place.clone(), ..Removal::default() });
            removal.are_all |= are_all;
            removal.removed.extend(known);
            return true;
        }
        let Some(removal) = &mut self.removal else { return false };
        let source = said.object("additional_kwargs").and_then(|more| more.text("lc_source"));
        match known {
            Some(index) => removal.kept.insert(index),
            None if source.is_none_or(|source| source != "summarization") => return false,
            None => {
                removal.text = Some(CHATS.read_content(said.get("content"), place, notes).text());
                true
            }
        };
        true
    }

    /// Turns the finished removal into a compaction.
    fn finish_removal(&mut self, notes: &mut Notes) {
        let Some(Removal { place, are_all, removed, kept, text }) = self.removal.take() else { return };
        let gone = self.draft.transcript.compactions.last().cloned().unwrap_or_default();
        let kind = if text.is_some() { CompactionKind::Summary } else { CompactionKind::Drop };
        let compaction = TranscriptCompaction { kind, text, ..TranscriptCompaction::default() };
        self.draft.add_compaction(
            compaction,
            |index| match are_all {
                true => kept.contains(&index),
                false => !removed.contains(&index) && !gone.removes(index),
            },
            &place,
            notes,
        );
    }
}

/// LangGraph's id for removing all messages.
const REMOVE_ALL: &str = "__remove_all__";

impl Chats {
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
        let last = self.state.last().filter(|last| state.contains(last));
        let before = self.unanswered.take().filter(|_| last.is_none());
        before.into_iter().for_each(|draft| sink.give_call(draft));
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
        let added = object.list("messages").filter(|_| self.format == "langchain" && is_below)?;
        let first = CHATS.role_of(&added.first()?.object()?)?;
        // An input with answers is the whole conversation so far.
        let is_input = place.path.rsplit('.').next() == Some(START) && !added.iter().any(is_answer);
        (is_input || ["assistant", "tool", "remove"].contains(&first.as_str())).then_some(added)
    }

    /// Returns true if the value wraps a message in `message`, and isn't a response to a request.
    fn is_line(&self, object: &Object, below: &Object) -> bool {
        if !is_message(below) || find_request(object).is_some() {
            return false;
        }
        self.is_open || CHATS.role_of(below).is_some_and(|role| role == "user" || role == "system")
    }
}

/// Returns true for a message with content, but not for a provider's response.
pub(super) fn is_message(object: &Object) -> bool {
    let inner = CHATS.inner_message(object);
    let said = inner.as_ref().unwrap_or(object);
    let has_content =
        ["content", "parts", "blocks", "tool_calls", "function_call"].iter().any(|key| said.has(key));
    CHATS.role_of(object).is_some() && has_content && !object.has("messages") && !object.has("usage")
}

/// The messages of a conversation or a request.
pub(super) fn find_messages<'a>(object: &Object<'a>) -> Option<Vec<Json<'a>>> {
    MESSAGES.iter().find_map(|key| {
        let list = object.list(key)?;
        let first = list.first();
        // Some logs wrap the list in another list.
        let list = first.and_then(|first| first.list()).filter(|_| list.len() == 1).unwrap_or(list);
        let is_chat = *key == "messages" || *key == "traj" && list.is_empty() || begins_with_message(&list);
        is_chat.then_some(list)
    })
}

fn begins_with_message(list: &[Json]) -> bool {
    list.first().and_then(|first| first.object()).is_some_and(|first| is_message(&first))
}

/// The request logged next to its response.
pub(super) fn find_request<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    for key in REQUESTS {
        let Some(inner) = object.object(key) else { continue };
        let inner = inner.object("body").unwrap_or(inner);
        if find_messages(&inner).is_some() {
            return Some(inner);
        }
    }
    None
}

/// The response of a provider, or a message used as one.
pub(super) fn find_response<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    for key in RESPONSES {
        let Some(inner) = object.object(key) else { continue };
        // Ollama and Cohere log the bill outside the message.
        if inner.has("usage") && is_response(&inner) {
            return Some(inner);
        }
        let further = ["body", "message"].iter().find_map(|key| inner.object(key));
        if let Some(response) = further.filter(is_response).or(Some(inner).filter(is_response)) {
            return Some(response);
        }
    }
    None
}

fn is_response(object: &Object) -> bool {
    CHOICES.iter().any(|key| object.has(key))
        || has_role_and_content(object)
        || wraps_answer(object)
        || object.object("output").is_some_and(|output| wraps_answer(&output))
}

fn has_role_and_content(object: &Object) -> bool {
    CHATS.role_of(object).is_some()
        && ["content", "parts", "tool_calls", "function_call"].iter().any(|key| object.has(key))
}

/// Returns true if the answer is in the field `message`.
fn wraps_answer(object: &Object) -> bool {
    object.object("message").is_some_and(|message| has_role_and_content(&message))
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
    let response = answer.as_ref().or(Some(object).filter(|object| is_response(object))).filter(|_| !is_step);
    let is_request = below.is_some() || RESPONSES.iter().any(|key| object.has(key));
    let state =
        RESPONSES.iter().find_map(|key| object.object(key).filter(|state| find_messages(state).is_some()));
    let further = state.as_ref().and_then(find_messages);
    for body in below
        .iter()
        .chain(&state)
        .chain(answer.as_ref().filter(|body| CHOICES.iter().any(|key| body.has(key))))
    {
        BODIES.note_unread(body, "requests and responses", &place, notes);
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
        let parts = system.object().and_then(|system| {
            CHATS.note_unread(&system, &["parts", "role", "text"], "systems", &place, notes);
            system.get("parts")
        });
        let content = CHATS.read_content(Some(parts.unwrap_or(system)), &place.key("system"), notes);
        draft.set_system(content, place.key("system"), notes);
    }
    // Bedrock and LiteLLM log tools among the settings.
    let settings = [request.below("toolConfig"), object.below("model_parameters")];
    let tools = request.first(&["tools", "functions"]);
    let tools = tools.or_else(|| settings.iter().find_map(|settings| settings.get("tools")));
    draft.declare_tools(tools, &place, notes);
    draft.server.excluded = excluded_tools(request);
    note_schema(request, &place, notes);
    let mut list: Vec<Json> = find_messages(request).into_iter().flatten().collect();
    let has_further = further.is_some();
    if let Some(further) = further {
        // A graph state repeats its first messages.
        let first = further.first().and_then(|first| CHATS.role_of(&first.object()?));
        if first.is_some_and(|role| role != "assistant" && role != "tool") {
            list.clear();
        }
        // Up to version 6, an AI SDK step also repeats the answers of earlier steps; its request already has them.
        let own = further.iter().rposition(is_answer).filter(|_| below.is_some() && is_step);
        list.extend(further.into_iter().skip(own.unwrap_or(0)));
    }
    let is_state = list.first().is_some_and(|first| is_of_state(first, CHATS))
        && !find_states(object, &below).any(|state| state.has(SUMMARIZED));
    let is_asked =
        list.last().and_then(|last| CHATS.role_of(&last.object()?)).is_some_and(|role| role == "user");
    let asked = object.first(&["input", "prompt"]).and_then(Json::text).filter(|_| !is_asked && !has_further);
    let mut begins = Vec::with_capacity(list.len());
    for (index, said) in list.into_iter().enumerate() {
        let place = place.item("messages", index);
        begins.push(draft.transcript.messages.len());
        let named = said.object().filter(|_| is_state && is_answer(&said)).and_then(|said| said.text("id"));
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
    let is_answered = draft.last_message().is_some_and(|last| last.role == TranscriptRole::Assistant);
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
    if draft.last_message().is_some_and(|last| last.role == TranscriptRole::Assistant && last.usage.is_none())
    {
        draft.usage(CHATS.usage(object));
    }
    let model =
        [object, request].iter().find_map(|body| body.first(&["model", "modelId"])).and_then(Json::text);
    // LiteLLM: a response from its own cache cost nothing.
    draft.complete_bill(model, object.get("response_cost").and_then(Json::read));
    draft.sent_by(object);
    forget_id(&mut draft);
    sink.give_call(draft);
}

fn is_answer(said: &Json) -> bool {
    said.object().and_then(|said| CHATS.role_of(&said)).is_some_and(|role| role == "assistant")
}

/// Tools excluded from clearing by the provider.
fn excluded_tools(request: &Object) -> Vec<String> {
    let edits = request.object("context_management").and_then(|management| management.list("edits"));
    let edits = edits.into_iter().flatten().filter_map(Json::object);
    let names = edits.filter_map(|edit| edit.list("exclude_tools")).flatten();
    names.filter_map(Json::text).collect()
}

/// Removes the id, because it is the id of the response, not of the conversation.
fn forget_id(draft: &mut Draft) {
    if let Some(source) = &mut draft.transcript.source {
        source.id = None;
    }
}

/// Reads the first choice of a response.
fn read_response(response: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let choices: Vec<Json> =
        CHOICES.iter().find_map(|key| response.list(key)).into_iter().flatten().collect();
    if choices.len() > 1 {
        notes.lost("further choices of a response left out", place.item("choices", 1));
    }
    let choice = choices.first().and_then(|choice| match choice.list() {
        Some(list) => list.first()?.object(),
        None => choice.object(),
    });
    let inner = choice.as_ref().unwrap_or(response);
    let said = ["message", "content"].iter().find_map(|key| inner.object(key));
    // Bedrock nests the message in `output`.
    let said = said.or_else(|| response.object("output")?.object("message"));
    match said.as_ref().or(Some(response).filter(|response| CHATS.role_of(response).is_some())) {
        Some(said) => {
            let asked = draft.transcript.messages.len();
            CHATS.read_message(said, Answer::Whole, false, &place.key("response"), draft, notes);
            let usage = CHATS.usage(response);
            // A response with only a compaction has no answer.
            if draft.transcript.messages.len() == asked {
                let tokens = usage.as_ref().and_then(|usage| usage.input_tokens).filter(|tokens| *tokens > 0);
                let is_billed = draft.bill_compaction(usage);
                if let Some(tokens) = tokens.filter(|_| !is_billed) {
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

fn read_outcome(object: &Object) -> Option<TranscriptOutcome> {
    let inside = object.below("reward_info");
    // MINT counts the tokens of the whole run.
    let counted = object.object("token_counter").and_then(|counter| CHATS.usage_of(&counter, None));
    let outcome = TranscriptOutcome {
        usage: counted,
        success: object.get("success").and_then(Json::read),
        reward: object.get("reward").or_else(|| inside.get("reward")).and_then(Json::read),
        ..TranscriptOutcome::default()
    };
    Some(outcome).filter(|outcome| *outcome != TranscriptOutcome::default())
}
