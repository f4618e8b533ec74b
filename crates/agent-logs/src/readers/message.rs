//! Reads messages with roles, using the field names of any format.

use rustc_hash::FxHashMap;

use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::json::{Json, Object, json_text, parse_arguments};
use crate::names::{Dialect, NameList, Names, PartKind};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::time::LogTime;
use crate::transcript::TranscriptCall;
use crate::unread::Fields;

impl Dialect {
    /// The role of a message, normalised to OpenAI's name if known. LangChain, the sessions of Gemini and others log it as `type`.
    pub(super) fn role_of(self, object: &Object) -> Option<String> {
        let inner = self.inner_message(object);
        let object = inner.as_ref().unwrap_or(object);
        if let Some(role) = object.text("role") {
            return Some(self.normalise_role(&role).map_or(role, str::to_owned));
        }
        let role = self.normalise_role(&object.text("type")?)?;
        // Declared tools have the type `function` too, but no content.
        if role == "function" && !object.has("content") { None } else { Some(role.to_owned()) }
    }

    fn normalise_role(self, word: &str) -> Option<&'static str> {
        for names in self.0 {
            for (own, role) in names.roles {
                if own.eq_ignore_ascii_case(word) {
                    return Some(role);
                }
            }
        }
        None
    }

    /// The nested object with the fields of a LangChain message.
    pub(super) fn inner_message<'a>(self, object: &Object<'a>) -> Option<Object<'a>> {
        let inner = self.first_object(object, |names| names.around)?;
        (!object.has("role") && inner.has("content") && inner.has("type")).then_some(inner)
    }

    /// Reads one message into the draft, with its own time if it has one. The message may include tool results.
    pub(super) fn read_message(
        self,
        object: &Object,
        answer: Answer,
        is_observation: bool,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let now = draft.now;
        draft.now = LogTime::of_object(object).or(now);
        self.read_without_time(object, answer, is_observation, place, draft, notes);
        draft.now = now;
    }

    fn read_without_time(
        self,
        object: &Object,
        answer: Answer,
        is_observation: bool,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let inner = self.inner_message(object);
        if inner.is_some() {
            let known: Vec<&str> = self.all_names(|names| names.around).collect();
            self.note_unread(object, &known, "messages", place, notes);
        }
        let object = inner.as_ref().unwrap_or(object);
        let role = self.role_of(object);
        let role = role.as_deref();
        if role.is_none() && self.all_names(|names| names.shown).any(|kind| object.is_a(kind)) {
            return notes.note("messages that were only shown", place.clone());
        }
        if is_call_of_user(object, role) {
            return notes.note("calls of the user's own tools, which the model does not see", place.clone());
        }
        self.note_unread_of_message(object, role, place, notes);
        let given = self.content_of(object);
        match role {
            Some("system" | "developer") => {
                draft.set_system(self.read_content(given, place, notes), place.clone(), notes);
            }
            Some("tool" | "function") if !self.has_results(given) => {
                let content = self.read_content(given, place, notes);
                // tau2-bench names the call in the `id` of the result, and adds who requested it.
                let own = if object.has("requestor") { object.get("id") } else { None };
                let named = self.first_at(object, |names| names.result.call_of_message);
                let id = named.or(own).and_then(Json::text);
                draft.add_result(id, object.text("name"), content, place.clone());
                draft.fail_if(has_failed(object));
            }
            Some("assistant" | "model") => self.read_answer(object, answer, place, draft, notes),
            // smolagents repeats a call after the answer whose text it was.
            Some("tool-call") => {
                let content = self.read_content(given, place, notes);
                draft.add_answer(Answer::Piece, content, Vec::new(), place.clone());
            }
            Some("user" | "tool" | "function") => {
                self.words_and_results(object, is_observation, place, draft, notes);
            }
            Some("remove") => notes.lost("removals of messages outside of updates left out", place.clone()),
            Some("tool-response") => self.words_and_results(object, true, place, draft, notes),
            None if given.is_none_or(Json::is_empty) => {
                notes.lost("messages without a role and content left out", place.clone());
            }
            other => {
                let role = other.unwrap_or("");
                notes.note(format!("messages of the role {role:?}, taken as observations"), place.clone());
                self.words_and_results(object, true, place, draft, notes);
            }
        }
    }

    /// Notes unread fields of a message.
    pub(super) fn note_unread_of_message(
        self,
        object: &Object,
        role: Option<&str>,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        for (key, value) in object.fields() {
            if self.is_field_of_message(key) || value.is_empty() {
                continue;
            }
            if key == "artifact" {
                notes.note("artifacts of results, which are not sent", place.clone());
            } else if !matches!(value.raw(), "true" | "false") {
                notes.lost(format!("fields {key} of messages left out"), place.clone());
            }
        }
        if let Some(reasoning) = self.first_value(object, |names| names.reasoning)
            && !reasoning.is_empty()
        {
            note_reasoning(place, notes);
        }
        if !matches!(role, Some("tool" | "function")) && object.has("name") {
            notes.note("names of speakers left out", place.clone());
        }
    }

    fn is_field_of_message(self, key: &str) -> bool {
        ["role", "type", "id"].contains(&key)
            || self.has_name(key, |names| names.content)
            || self.has_name(key, |names| names.reasoning)
            || self.has_name(key, |names| names.beside)
            || self.has_name(key, |names| names.result.call_of_message)
            || self.has_name(key, |names| names.usage.bill)
            || self.begins_path(key, |names| names.call_lists)
            || self.begins_path(key, |names| names.single_call)
            || self.begins_path(key, |names| names.usage.model)
    }

    /// The text or the parts of a message.
    fn content_of<'a>(self, object: &Object<'a>) -> Option<Json<'a>> {
        self.first_value(object, |names| names.content)
    }

    /// Returns true for the first segment of a path, such as `additional_kwargs` of `additional_kwargs.tool_calls`.
    fn begins_path(self, key: &str, of: fn(&Names) -> NameList) -> bool {
        self.all_names(of).any(|path| path.split('.').next() == Some(key))
    }

    /// Reads an answer of the model: text, calls, and tool results nested in the answer. A part may start another answer.
    fn read_answer(
        self,
        object: &Object,
        answer: Answer,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let (mut text, mut calls, mut results) = (Content::default(), Vec::new(), Vec::new());
        let is_new = draft.place_of(&answer) == draft.transcript.messages.len();
        let mut is_compacted = false;
        for (part, part_place) in split_parts(self.content_of(object), place) {
            if let Some(block) = self.compaction_in(part) {
                if !text.is_none() || !calls.is_empty() {
                    let kind = "compactions inside an answer, read as if they came before it";
                    notes.note(kind, part_place.clone());
                }
                is_compacted = true;
                read_compaction(&block, &answer, &part_place, draft, notes);
            } else if let Some(made) = self.call_in(part) {
                // A program run by Anthropic made the call; the result goes to the program, not to the model.
                if let Some(caller) = made.object("caller")
                    && !caller.is_a("direct")
                {
                    notes.note("calls that a program of the model made", part_place.clone());
                }
                calls.push(self.call_of(&made));
                self.note_unread_of_call(&made, &part_place, notes);
                if self.has_result_inside(&made) {
                    results.push((made, part_place));
                }
            } else if let Some(result) = self.result_in(part) {
                results.push((result, part_place));
            } else if !part.object().unwrap_or_default().is_a("step-start") {
                self.add_part(&mut text, part, &part_place, notes);
            } else if !calls.is_empty() {
                // The AI SDK keeps all steps of a run in one message. Each step answers the results before it.
                let text = std::mem::take(&mut text);
                draft.add_answer(answer.clone(), text, std::mem::take(&mut calls), place.clone());
                self.add_results(std::mem::take(&mut results), draft, notes);
            }
        }
        let spoken = object.below("audio").text("transcript");
        for words in object.text("refusal").into_iter().chain(spoken) {
            text.add_text(&words);
        }
        let mut by_id: FxHashMap<String, usize> = FxHashMap::default();
        for (index, call) in calls.iter().enumerate() {
            by_id.insert(call.id.clone(), index);
        }
        for made in self.listed_calls(object, place, notes) {
            let new = self.call_of(&made);
            // LangChain repeats calls in the parts. The parts of a streamed answer lack the arguments.
            if let Some(index) = by_id.get(&new.id)
                && !new.id.is_empty()
                && let Some(known) = calls.get_mut(*index)
            {
                self.note_unread_of_call(&made, place, notes);
                if self.has_arguments(&made) {
                    *known = new;
                }
                continue;
            }
            by_id.insert(new.id.clone(), calls.len());
            calls.push(new);
            self.note_unread_of_call(&made, place, notes);
            // For these calls, LangChain's `error` is its own failure to parse the arguments.
            if self.has_result_inside(&made) && !made.is_a("invalid_tool_call") {
                results.push((made, place.clone()));
            }
        }
        // Chats of 2023 have a single call in a field. Some servers still write it in addition to the list.
        if calls.is_empty()
            && let Some(single) = self.first_at(object, |names| names.single_call)
        {
            match single.object() {
                Some(made) => {
                    self.note_unread_of_call(&made, place, notes);
                    calls.push(self.call_of(&made));
                }
                None => notes.lost("calls that are no object", place.clone()),
            }
        }
        // An answer with only a compaction is no turn.
        if is_compacted && is_new && text.is_none() && calls.is_empty() && results.is_empty() {
            draft.written = None;
            self.bill_iterations(object, is_new, place, draft, notes);
            return;
        }
        draft.add_answer(answer, text, calls, place.clone());
        draft.usage(self.usage(object));
        self.bill_iterations(object, is_new, place, draft, notes);
        self.read_edits(object, place, draft, notes);
        self.add_results(results, draft, notes);
    }

    /// Returns the part if it is a compaction by the provider.
    fn compaction_in(self, part: Json) -> Option<Object> {
        // Compactions are rare, and a substring search is cheaper than parsing the part.
        if !part.raw().contains("\"compaction\"") {
            return None;
        }
        let object = part.object()?;
        // The AI SDK logs it as a text part.
        for key in ["providerMetadata", "providerOptions"] {
            if object.below(key).below("anthropic").is_a("compaction") {
                return Some(object);
            }
        }
        (self.kind_of(&object).1 == Some(PartKind::Compaction)).then_some(object)
    }

    /// Reads server-side work for the last answer: extra calls to the model, and cleared context.
    pub(super) fn server_side(self, object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
        self.bill_iterations(object, true, place, draft, notes);
        self.read_edits(object, place, draft, notes);
    }

    /// Reads the provider's edits of the request for this answer.
    fn read_edits(self, object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
        let list = self.first_at(object, |names| names.edits).and_then(Json::list);
        for edit in list.into_iter().flatten().filter_map(Json::object) {
            let number = edit.first(&["cleared_tool_uses", "clearedToolUses"]).and_then(Json::count);
            match (edit.kind().as_str(), number) {
                (kind, Some(number)) if kind.starts_with("clear_tool_uses") => {
                    draft.cleared_by_server(number, place, notes);
                }
                (kind, _) if kind.starts_with("clear_thinking") => {
                    notes.note("reasoning of earlier turns that the provider cleared", place.clone());
                }
                // Read from the compaction block in the answer.
                (kind, _) if kind.starts_with("compact_") => {}
                (kind, _) => {
                    notes.lost(format!("edits of requests of the type {kind:?} left out"), place.clone());
                }
            }
        }
    }

    /// The calls in a message's lists, such as `tool_calls`.
    fn listed_calls<'a>(self, object: &Object<'a>, place: &LogPlace, notes: &mut Notes) -> Vec<Object<'a>> {
        let mut calls = Vec::new();
        let mut read: Vec<&str> = Vec::new();
        for path in self.all_names(|names| names.call_lists) {
            // Several tables name the same list.
            if read.contains(&path) {
                continue;
            }
            read.push(path);
            let Some(given) = object.at(path) else { continue };
            let Some(list) = given.list() else {
                notes.lost("calls that are no list", place.key(path));
                continue;
            };
            for (index, made) in list.into_iter().enumerate() {
                match made.object() {
                    Some(made) => calls.push(made),
                    None => notes.lost("calls that are no object", place.item(path, index)),
                }
            }
        }
        calls
    }

    /// Reads user text and tool results, in order.
    fn words_and_results(
        self,
        object: &Object,
        is_observation: bool,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let mut text = Content::default();
        let mut has_results = false;
        for (part, part_place) in split_parts(self.content_of(object), place) {
            if let Some(block) = self.compaction_in(part) {
                has_results = true;
                read_compaction(&block, &Answer::Whole, &part_place, draft, notes);
                continue;
            }
            match self.result_in(part) {
                Some(result) => {
                    has_results = true;
                    if !text.is_none() {
                        draft.add_user_text(std::mem::take(&mut text), is_observation, place.clone());
                    }
                    self.add_result(&result, part_place, draft, notes);
                }
                None => self.add_part(&mut text, part, &part_place, notes),
            }
        }
        if !text.is_none() || !has_results {
            draft.add_user_text(text, is_observation, place.clone());
        }
    }

    /// The call in a part: the part itself or an object in it.
    fn call_in(self, part: Json) -> Option<Object> {
        let object = part.object()?;
        let kind = match object.text("type") {
            Some(kind) => Some(kind),
            None => self.first_value(&object, |names| names.parts.kind).and_then(Json::text),
        };
        if let Some(kind) = kind {
            // The AI SDK includes the tool's name in the type, such as `tool-search`.
            let is_own = kind == "dynamic-tool" || kind.starts_with("tool-") && kind != "tool-result";
            if self.has_name(&kind, |names| names.call.types) || is_own && object.has("toolCallId") {
                return Some(object);
            }
        }
        self.first_object(&object, |names| names.call.fields)
    }

    /// The result in a part: the part itself or an object in it.
    fn result_in(self, part: Json) -> Option<Object> {
        let object = part.object()?;
        if let Some(kind) = object.text("type")
            && self.all_names(|names| names.result.types).any(|end| kind.ends_with(end))
        {
            return Some(object);
        }
        self.first_object(&object, |names| names.result.fields)
    }

    fn has_results(self, content: Option<Json>) -> bool {
        let Some(content) = content else { return false };
        match content.list() {
            Some(parts) => parts.into_iter().any(|part| self.is_result(part)),
            None => self.is_result(content),
        }
    }

    pub(super) fn is_result(self, part: Json) -> bool {
        self.result_in(part).is_some()
    }

    /// Reads a call. Name and arguments may be in a nested object.
    pub(super) fn call_of(self, outer: &Object) -> TranscriptCall {
        let inner = self.inner_call(outer);
        let inside = inner.as_ref().unwrap_or(outer);
        let name = self.first_value(inside, |names| names.call.name).and_then(Json::text);
        let name = name.or_else(|| Some(outer.text("type")?.strip_prefix("tool-")?.to_owned()));
        let given = self.arguments_of(inside);
        let arguments = match given.and_then(Json::text) {
            // The input of an OpenAI custom tool is text, even if it looks like JSON.
            Some(text) if outer.has("custom") => json_text(&text),
            _ => parse_arguments(given),
        };
        new_call(self.first_value(outer, |names| names.call.id).and_then(Json::text), name, arguments)
    }

    /// The object in a call with its name and arguments.
    fn inner_call<'a>(self, outer: &Object<'a>) -> Option<Object<'a>> {
        self.first_object(outer, |names| names.call.inside)
    }

    fn arguments_of<'a>(self, inside: &Object<'a>) -> Option<Json<'a>> {
        self.first_value(inside, |names| names.call.arguments)
    }

    fn has_result_inside(self, call: &Object) -> bool {
        self.first_value(call, |names| names.call.result).is_some()
    }

    /// Notes unread fields of a call.
    fn note_unread_of_call(self, outer: &Object, place: &LogPlace, notes: &mut Notes) {
        let inner = self.inner_call(outer);
        let read: Vec<&str> =
            self.fields_of_call().chain(self.all_names(|names| names.call.result)).collect();
        self.note_other_arguments(inner.as_ref().unwrap_or(outer), &read, place, notes);
        for object in inner.iter().chain([outer]) {
            self.note_unread(object, &read, "calls", place, notes);
        }
    }

    fn has_arguments(self, outer: &Object) -> bool {
        let inner = self.inner_call(outer);
        self.arguments_of(inner.as_ref().unwrap_or(outer)).is_some()
    }

    /// Notes JSON in unknown fields of a call without arguments. Models always give arguments, if only `{}`.
    fn note_other_arguments(self, call: &Object, read: &[&str], place: &LogPlace, notes: &mut Notes) {
        if self.arguments_of(call).is_some() {
            return;
        }
        for (key, value) in call.fields() {
            let is_json = value.raw().starts_with('{') || value.raw().starts_with("\"{");
            if is_json && !value.is_empty() && !value.has_words() && !read.contains(&key) {
                notes.lost(format!("fields {key} of calls left out"), place.clone());
            }
        }
    }

    fn fields_of_call(self) -> impl Iterator<Item = &'static str> {
        let inside = self.all_names(|names| names.call.inside);
        inside
            .chain(self.all_names(|names| names.call.name))
            .chain(self.all_names(|names| names.call.arguments))
    }

    fn add_results(self, results: Vec<(Object, LogPlace)>, draft: &mut Draft, notes: &mut Notes) {
        for (result, place) in results {
            notes.note("results inside an answer, read as if they followed it", place.clone());
            self.add_result(&result, place, draft, notes);
        }
    }

    /// Adds a result found in a part of a message, or in its call.
    fn add_result(self, result: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
        let key = self.all_names(|names| names.result.content).find(|key| result.has(key));
        let read: Vec<&str> = self.fields_of_call().chain(key).collect();
        self.note_unread(result, &read, "results", &place, notes);
        let mut value = key.and_then(|key| result.get(key));
        // The AI SDK wraps the output in an object with its type.
        let mut output_type = String::new();
        if let Some(output) = value.and_then(Json::object)
            && output.has("type")
            && output.has("value")
        {
            self.note_unread(&output, &["value"], "results", &place, notes);
            output_type = output.kind();
            value = output.get("value");
        }
        // Anthropic and Bedrock have parts here. Any other value is the raw output, even if it looks like parts.
        let has_parts = matches!(result.kind().as_str(), "tool_result" | "mcp_tool_result")
            || result.has("toolUseId")
            || output_type == "content";
        let content = match value {
            Some(value) if !has_parts => Content::of(value.to_plain_text()),
            value => self.read_content(value, &place, notes),
        };
        let id = self.first_value(result, |names| names.result.call).and_then(Json::text);
        draft.add_result(id, result.text("name"), content, place);
        let has_error = result.has("error") || result.has("errorText") || output_type.starts_with("error");
        draft.fail_if(has_failed(result) || has_error);
    }
}

/// Known fields of a compaction by the provider. The AI SDK logs it as a text.
const COMPACTION: Fields = Fields {
    below: &[],
    known: &["cache_control", "content", "providerMetadata", "providerOptions", "text"],
};

/// Reads a compaction: from here on, the provider sends its text instead of the messages before.
fn read_compaction(block: &Object, answer: &Answer, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    COMPACTION.note_unread(block, "compactions", place, notes);
    match block.first(&["content", "text"]).and_then(Json::text) {
        Some(text) if !text.is_empty() => draft.summarized_by_server(text, answer, place),
        // Anthropic returns a failed compaction without a text, and ignores it afterwards.
        _ => notes.note("compactions that failed, left out", place.clone()),
    }
}

/// Returns true for a call made by the user: tau2-bench gives tools to the simulated user too.
fn is_call_of_user(object: &Object, role: Option<&str>) -> bool {
    if object.text("requestor").as_deref() == Some("user") {
        return true;
    }
    let calls = object.list("tool_calls").unwrap_or_default();
    role == Some("user") && !calls.is_empty()
}

pub(super) fn has_failed(object: &Object) -> bool {
    object.is_true("is_error")
        || object.is_true("error")
        || matches!(object.text("status").as_deref(), Some("error" | "failed"))
}

/// The parts of a content; plain text is one part.
fn split_parts<'a>(content: Option<Json<'a>>, place: &LogPlace) -> Vec<(Json<'a>, LogPlace)> {
    let Some(content) = content else { return Vec::new() };
    let Some(parts) = content.list() else { return vec![(content, place.clone())] };
    let mut placed = Vec::with_capacity(parts.len());
    for (index, part) in parts.into_iter().enumerate() {
        placed.push((part, place.item("content", index)));
    }
    placed
}
