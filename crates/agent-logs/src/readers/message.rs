//! Reads messages with roles, using the field names of any format.

use rustc_hash::FxHashMap;

use super::tiers::{geography, tier, written_for_hour};
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::json::{Json, Object, json_text, parse_arguments};
use crate::names::{Dialect, NameList, Names, PartKind};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::provider_tools::{count_grounding, read_counters, read_grounding};
use crate::time::LogTime;
use crate::transcript::{TranscriptCall, TranscriptUsage};
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
        (role != "function" || object.has("content")).then(|| role.to_owned())
    }

    fn normalise_role(self, word: &str) -> Option<&'static str> {
        let mut rows = self.0.iter().flat_map(|names| names.roles);
        rows.find(|(own, _)| own.eq_ignore_ascii_case(word)).map(|(_, role)| *role)
    }

    /// The nested object with the fields of a LangChain message.
    pub(super) fn inner_message<'a>(self, object: &Object<'a>) -> Option<Object<'a>> {
        let inner = self.all_names(|names| names.around).find_map(|key| object.object(key))?;
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
        let given = self.first_value(object, |names| names.content);
        match role {
            Some("system" | "developer") => {
                draft.set_system(self.read_content(given, place, notes), place.clone(), notes);
            }
            Some("tool" | "function") if !self.has_results(given, place) => {
                let content = self.read_content(given, place, notes);
                // tau2-bench names the call in the `id` of the result, and adds who requested it.
                let own = object.get("id").filter(|_| object.has("requestor"));
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
    fn note_unread_of_message(
        self,
        object: &Object,
        role: Option<&str>,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        for (key, value) in object.fields().filter(|(key, _)| !self.is_field_of_message(key)) {
            if key == "artifact" && !value.is_empty() {
                notes.note("artifacts of results, which are not sent", place.clone());
            } else if !value.is_empty() && !matches!(value.raw(), "true" | "false") {
                notes.lost(format!("fields {key} of messages left out"), place.clone());
            }
        }
        if self.first_value(object, |names| names.reasoning).is_some_and(|reasoning| !reasoning.is_empty()) {
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
        for (part, part_place) in split_parts(self.first_value(object, |names| names.content), place) {
            if let Some(block) = self.compaction_in(part) {
                if !text.is_none() || !calls.is_empty() {
                    let kind = "compactions inside an answer, taken as if they stood before it";
                    notes.note(kind, part_place.clone());
                }
                is_compacted = true;
                read_compaction(&block, &answer, &part_place, draft, notes);
            } else if let Some(made) = self.call_in(part) {
                // A program run by Anthropic made the call; the result goes to the program, not to the model.
                if made.object("caller").is_some_and(|caller| !caller.is_a("direct")) {
                    notes.note("calls that a program of the model made", part_place.clone());
                }
                calls.push(self.call_of(&made));
                self.note_unread_of_call(&made, &part_place, notes);
                if self.first_value(&made, |names| names.call.result).is_some() {
                    results.push((made, part_place));
                }
            } else if let Some(result) = self.result_in(part) {
                results.push((result, part_place));
            } else if !part.object().is_some_and(|part| part.is_a("step-start")) {
                self.add_part(&mut text, part, &part_place, notes);
            } else if !calls.is_empty() {
                // The AI SDK keeps all steps of a run in one message. Each step answers the results before it.
                let text = std::mem::take(&mut text);
                draft.add_answer(answer.clone(), text, std::mem::take(&mut calls), place.clone());
                self.add_results(std::mem::take(&mut results), draft, notes);
            }
        }
        let spoken = object.object("audio").and_then(|audio| audio.text("transcript"));
        for words in object.text("refusal").into_iter().chain(spoken) {
            text.add_text(&words);
        }
        let numbered = calls.iter().enumerate().map(|(index, call)| (call.id.clone(), index));
        let mut by_id: FxHashMap<String, usize> = numbered.collect();
        for made in self.listed_calls(object, place, notes) {
            let new = self.call_of(&made);
            // LangChain repeats calls in the parts. The parts of a streamed answer lack the arguments.
            let known = by_id.get(&new.id).filter(|_| !new.id.is_empty()).copied();
            if let Some(known) = known.and_then(|index| calls.get_mut(index)) {
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
            if self.first_value(&made, |names| names.call.result).is_some() && !made.is_a("invalid_tool_call")
            {
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
        let object = Some(part).filter(|part| part.raw().contains("\"compaction\""))?.object()?;
        // The AI SDK logs it as a text part.
        let is_text = ["providerMetadata", "providerOptions"]
            .iter()
            .any(|key| object.below(key).below("anthropic").is_a("compaction"));
        (is_text || self.kind_of(&object).1 == Some(PartKind::Compaction)).then_some(object)
    }

    /// Reads server-side work for the last answer: extra calls to the model, and cleared context.
    pub(super) fn server_side(self, object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
        self.bill_iterations(object, true, place, draft, notes);
        self.read_edits(object, place, draft, notes);
    }

    /// Bills the provider's extra calls to the model, such as for a compaction.
    fn bill_iterations(
        self,
        object: &Object,
        is_new: bool,
        place: &LogPlace,
        draft: &mut Draft,
        notes: &mut Notes,
    ) {
        let iterations = self.iterations(object);
        let has_adviser = iterations.iter().any(|iteration| iteration.is_a("advisor_message"));
        if has_adviser && iterations.iter().all(|iteration| self.is_billed(iteration)) {
            // The usage is the sum of its passes, which are read one by one.
            notes.name_bills(object);
        }
        for iteration in iterations {
            // All other calls are included in the bill of the answer.
            let is_lost = !draft.has_written() && iteration.is_a("advisor_message");
            if !iteration.is_a("compaction") && !is_lost {
                continue;
            }
            let usage = self.usage_of(&iteration, iteration.text("model"));
            let tokens = usage.as_ref().and_then(|usage| usage.input_tokens);
            // The AI SDK adds a compaction to the bill of the answer, without its cached tokens.
            if iteration.is_a("compaction") {
                let (input, output) = (iteration.number("inputTokens"), iteration.number("outputTokens"));
                notes.named_bills.extend(draft.take_from_bill(input, output));
            }
            let is_billed = iteration.is_a("compaction") && draft.bill_compaction(usage);
            // Claude Code repeats the bill of a response on each of its blocks.
            if let Some(tokens) = tokens.filter(|_| !is_billed && is_new) {
                notes.missing_call(tokens, place);
            }
        }
    }

    /// Returns true if both input and output of a pass can be read.
    fn is_billed(self, iteration: &Object) -> bool {
        let usage = self.usage_of(iteration, None);
        usage.is_some_and(|usage| usage.input_tokens.is_some() && usage.output_tokens.is_some())
    }

    /// The model calls made by the provider for one answer.
    fn iterations<'a>(self, object: &Object<'a>) -> Vec<Object<'a>> {
        let list = self.first_at(object, |names| names.usage.iterations).and_then(Json::list);
        list.into_iter().flatten().filter_map(Json::object).collect()
    }

    /// Splits the bill of an answer if the provider called the model several times, or an adviser between two passes. The last pass
    /// is the request; the others go to `beside`.
    fn divided(self, bill: TranscriptUsage, iterations: &[Object]) -> TranscriptUsage {
        let (mut passes, mut advisers) = (Vec::new(), Vec::new());
        for iteration in iterations {
            let Some(usage) = self.usage_of(iteration, iteration.text("model")) else { continue };
            let model = usage.model.or_else(|| bill.model.clone());
            let (tier, geography) = (bill.tier.clone(), bill.geography.clone());
            let usage = TranscriptUsage { model, tier, geography, ..usage };
            if iteration.is_a("message") {
                passes.push(usage);
            } else if iteration.is_a("advisor_message") {
                advisers.push(usage);
            }
        }
        let last = passes.pop();
        if passes.is_empty() && advisers.is_empty() {
            return bill;
        }
        // The total already includes the output of all passes, so earlier passes must not count it again.
        let earlier = passes.into_iter().map(|pass| TranscriptUsage { output_tokens: None, ..pass });
        let beside = earlier.chain(advisers).collect();
        let Some(last) = last else { return TranscriptUsage { beside, ..bill } };
        TranscriptUsage {
            input_tokens: last.input_tokens,
            cached_tokens: last.cached_tokens,
            cache_write_tokens: last.cache_write_tokens,
            cache_write_1h_tokens: last.cache_write_1h_tokens,
            beside,
            ..bill
        }
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
            if !read.contains(&path) {
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
        for (part, part_place) in split_parts(self.first_value(object, |names| names.content), place) {
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
        let kind = object.text("type");
        if let Some(kind) = kind.or_else(|| self.first_value(&object, |names| names.parts.kind)?.text()) {
            // The AI SDK includes the tool's name in the type, such as `tool-search`.
            let is_own = kind == "dynamic-tool" || kind.starts_with("tool-") && kind != "tool-result";
            if self.has_name(&kind, |names| names.call.types) || is_own && object.has("toolCallId") {
                return Some(object);
            }
        }
        self.all_names(|names| names.call.fields).find_map(|key| object.object(key))
    }

    /// The result in a part: the part itself or an object in it.
    fn result_in(self, part: Json) -> Option<Object> {
        let object = part.object()?;
        if let Some(kind) = object.text("type")
            && self.all_names(|names| names.result.types).any(|end| kind.ends_with(end))
        {
            return Some(object);
        }
        self.all_names(|names| names.result.fields).find_map(|key| object.object(key))
    }

    fn has_results(self, content: Option<Json>, place: &LogPlace) -> bool {
        split_parts(content, place).into_iter().any(|(part, _)| self.is_result(part))
    }

    pub(super) fn is_result(self, part: Json) -> bool {
        self.result_in(part).is_some()
    }

    /// Reads a call. Name and arguments may be in a nested object.
    pub(super) fn call_of(self, outer: &Object) -> TranscriptCall {
        let inner = self.all_names(|names| names.call.inside).find_map(|key| outer.object(key));
        let inside = inner.as_ref().unwrap_or(outer);
        let name = self.first_value(inside, |names| names.call.name).and_then(Json::text);
        let name = name.or_else(|| Some(outer.text("type")?.strip_prefix("tool-")?.to_owned()));
        let given = self.first_value(inside, |names| names.call.arguments);
        let arguments = match given.and_then(Json::text) {
            // The input of an OpenAI custom tool is text, even if it looks like JSON.
            Some(text) if outer.has("custom") => json_text(&text),
            _ => parse_arguments(given),
        };
        new_call(self.first_value(outer, |names| names.call.id).and_then(Json::text), name, arguments)
    }

    /// Notes unread fields of a call.
    fn note_unread_of_call(self, outer: &Object, place: &LogPlace, notes: &mut Notes) {
        let inner = self.all_names(|names| names.call.inside).find_map(|key| outer.object(key));
        let read: Vec<&str> =
            self.fields_of_call().chain(self.all_names(|names| names.call.result)).collect();
        self.note_other_arguments(inner.as_ref().unwrap_or(outer), &read, place, notes);
        for object in inner.iter().chain([outer]) {
            self.note_unread(object, &read, "calls", place, notes);
        }
    }

    fn has_arguments(self, outer: &Object) -> bool {
        let inner = self.all_names(|names| names.call.inside).find_map(|key| outer.object(key));
        self.first_value(inner.as_ref().unwrap_or(outer), |names| names.call.arguments).is_some()
    }

    /// Notes JSON in unknown fields of a call without arguments. Models always give arguments, if only `{}`.
    fn note_other_arguments(self, call: &Object, read: &[&str], place: &LogPlace, notes: &mut Notes) {
        if self.first_value(call, |names| names.call.arguments).is_some() {
            return;
        }
        for (key, value) in call.fields() {
            let is_json = ["{", "\"{"].iter().any(|start| value.raw().starts_with(start));
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
            notes.note("results inside an answer, which stand after it", place.clone());
            self.add_result(&result, place, draft, notes);
        }
    }

    /// Adds a result found in a part of a message, or in its call.
    fn add_result(self, result: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
        let key = self.all_names(|names| names.result.content).find(|key| result.has(key));
        let given = key.and_then(|key| result.get(key));
        let read: Vec<&str> = self.fields_of_call().chain(key).collect();
        self.note_unread(result, &read, "results", &place, notes);
        // The AI SDK wraps the output in an object with its type.
        let output = given.and_then(Json::object).filter(|output| output.has("type") && output.has("value"));
        let value = output.as_ref().map_or(given, |output| output.get("value"));
        if let Some(output) = &output {
            self.note_unread(output, &["value"], "results", &place, notes);
        }
        // Anthropic and Bedrock have parts here. Any other value is the raw output, even if it looks like parts.
        let has_parts = ["tool_result", "mcp_tool_result"].iter().any(|kind| result.is_a(kind))
            || result.has("toolUseId")
            || output.as_ref().is_some_and(|output| output.is_a("content"));
        let content = match value {
            Some(value) if !has_parts => Content::of(value.to_plain_text()),
            value => self.read_content(value, &place, notes),
        };
        let id = self.first_value(result, |names| names.result.call).and_then(Json::text);
        draft.add_result(id, result.text("name"), content, place);
        let is_error =
            output.and_then(|output| output.text("type")).is_some_and(|kind| kind.starts_with("error"));
        let has_error = result.has("error") || result.has("errorText") || is_error;
        draft.fail_if(has_failed(result) || has_error);
    }

    /// Billed tokens of an answer or a response, with its model.
    pub(super) fn usage(self, object: &Object) -> Option<TranscriptUsage> {
        let model = self.all_names(|names| names.usage.model).find_map(|path| object.at(path)?.text());
        // Up to version 5 the AI SDK doesn't count Anthropic's cache. It keeps the provider's bill next to its own.
        let raw = object.at("providerMetadata.anthropic.usage").and_then(Json::object);
        let bill =
            raw.or_else(|| self.all_names(|names| names.usage.bill).find_map(|key| object.object(key)))?;
        let usage = self.usage_of(&bill, model)?;
        let fetched = self.first_at(&bill, |names| names.usage.fetched_beside).and_then(Json::count);
        // Google bills pages fetched by URL, but not pages found by its search.
        let fetched = fetched.filter(|_| count_grounding(object) == 0).unwrap_or(0);
        let input_tokens = usage.input_tokens.map(|input| input.saturating_add(fetched));
        // OpenAI logs the tier outside the bill.
        let tier = usage.tier.or_else(|| tier(object, "service_tier"));
        let usage = TranscriptUsage { input_tokens, tier, cache_miss: cache_miss(object), ..usage };
        Some(self.divided(read_grounding(object, usage), &self.iterations(object)))
    }

    /// Returns true if the input count excludes cached tokens, judging by its field name.
    fn input_lacks_cache(self, bill: &Object) -> bool {
        let inputs = self.all_names(|names| names.usage.input);
        let own = inputs.into_iter().find(|path| bill.at(path).is_some());
        let tables = self.0.iter().map(|names| &names.usage);
        let mut tables = tables.filter(|names| own.is_none_or(|own| names.input.contains(&own)));
        tables.any(|names| !names.read_beside.is_empty() || !names.written_beside.is_empty())
    }

    /// Parses the billed tokens. `None` if there are none.
    pub(super) fn usage_of(self, bill: &Object, model: Option<String>) -> Option<TranscriptUsage> {
        let read = self.read_count(bill, |names| names.usage.read_beside);
        let written = self.read_count(bill, |names| names.usage.written_beside);
        let thought = self.read_count(bill, |names| names.usage.reasoning_beside);
        // LiteLLM adds Anthropic's fields to OpenAI's, but OpenAI's input count includes the cache.
        let is_beside = self.input_lacks_cache(bill);
        let beside = if is_beside { read.unwrap_or(0).saturating_add(written.unwrap_or(0)) } else { 0 };
        // LangChain logs 0 as the total next to the cache writes per lifetime.
        let by_lifetime = self.read_count(bill, |names| names.usage.written_5m).map(|short| {
            short.saturating_add(self.read_count(bill, |names| names.usage.written_1h).unwrap_or(0))
        });
        let usage = TranscriptUsage {
            model: None,
            input_tokens: self
                .read_count(bill, |names| names.usage.input)
                .map(|input| input.saturating_add(beside)),
            cached_tokens: read.or_else(|| self.read_count(bill, |names| names.usage.read)),
            cache_write_tokens: written
                .or_else(|| self.read_count(bill, |names| names.usage.written))
                .max(by_lifetime),
            cache_write_1h_tokens: self
                .read_count(bill, |names| names.usage.written_1h)
                .or_else(|| written_for_hour(bill)),
            output_tokens: match (self.read_count(bill, |names| names.usage.output), thought) {
                (Some(output), Some(thought)) => Some(output.saturating_add(thought)),
                // Gemini omits the output count if the answer is only thoughts.
                (output, thought) => output.or(thought),
            },
            reasoning_tokens: thought.or_else(|| self.read_count(bill, |names| names.usage.reasoning)),
            cost: self.cost_of(bill),
            ..TranscriptUsage::default()
        };
        let total = self.read_count(bill, |names| names.usage.total);
        let usage = if thought.is_none() { usage.with_whole_sums(total) } else { usage };
        let is_billed = usage != TranscriptUsage::default();
        let searches =
            self.read_count(bill, |names| names.usage.web_searches).filter(|searches| *searches > 0);
        is_billed.then(|| {
            let usage = TranscriptUsage {
                model,
                tier: self.all_names(|names| names.usage.tier).find_map(|path| tier(bill, path)),
                geography: self
                    .all_names(|names| names.usage.geography)
                    .find_map(|path| geography(bill, path)),
                web_searches: searches,
                ..usage
            };
            read_counters(bill, usage)
        })
    }
}

impl Dialect {
    /// The first number at one of these paths.
    fn read_count(self, bill: &Object, of: fn(&Names) -> NameList) -> Option<u64> {
        for path in self.all_names(of) {
            let Some(value) = bill.at(path) else { continue };
            // Some gateways log numbers as text.
            if let Some(count) = value.count().or_else(|| value.text()?.parse().ok()) {
                return Some(count);
            }
        }
        None
    }

    /// Cost in dollars. For a call with the user's own key, OpenRouter charges only its fee; the provider charges the rest.
    fn cost_of(self, bill: &Object) -> Option<f64> {
        let cost: f64 = match self.first_at(bill, |names| names.usage.cost).and_then(Json::read) {
            // Programs write 0 for a subscription, or a model without a price. OpenRouter has free models.
            Some(cost) if cost == 0.0 && !bill.has("is_byok") && !bill.has("cost_details") => return None,
            Some(cost) => cost,
            None => {
                let ticks = bill.get("cost_in_usd_ticks").and_then(Json::read::<f64>);
                ticks.filter(|ticks| *ticks > 0.0)? / TICKS
            }
        };
        let upstream = bill.at("cost_details.upstream_inference_cost").filter(|_| bill.is_true("is_byok"));
        Some(cost + upstream.and_then(Json::read::<f64>).unwrap_or(0.0))
    }
}

/// Units of a dollar in which xAI logs costs.
const TICKS: f64 = 1e10;

/// Known fields of a compaction by the provider. The AI SDK logs it as a text.
const COMPACTION: Fields = Fields {
    below: &[],
    known: &["cache_control", "content", "providerMetadata", "providerOptions", "text"],
};

/// Reads a compaction: from here on, the provider sends its text instead of the messages before.
fn read_compaction(block: &Object, answer: &Answer, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    COMPACTION.note_unread(block, "compactions", place, notes);
    match block.first(&["content", "text"]).and_then(Json::text).filter(|text| !text.is_empty()) {
        Some(text) => draft.summarized_by_server(text, answer, place),
        // Anthropic returns a failed compaction without a text, and ignores it afterwards.
        None => notes.note("compactions that failed, left out", place.clone()),
    }
}

/// Returns true for a call made by the user: tau2-bench gives tools to the simulated user too.
fn is_call_of_user(object: &Object, role: Option<&str>) -> bool {
    let has_calls = object.list("tool_calls").is_some_and(|calls| !calls.is_empty());
    object.text("requestor").is_some_and(|name| name == "user") || role == Some("user") && has_calls
}

pub(super) fn has_failed(object: &Object) -> bool {
    object.is_true("is_error")
        || object.is_true("error")
        || object.text("status").is_some_and(|status| status == "error" || status == "failed")
}

/// The parts of a content; plain text is one part.
fn split_parts<'a>(content: Option<Json<'a>>, place: &LogPlace) -> Vec<(Json<'a>, LogPlace)> {
    let Some(content) = content else { return Vec::new() };
    let Some(parts) = content.list() else { return vec![(content, place.clone())] };
    let parts = parts.into_iter().enumerate();
    parts.map(|(index, part)| (part, place.item("content", index))).collect()
}

/// Anthropic's reason for a cache miss; `none` if it checked and gives no reason.
fn cache_miss(object: &Object) -> Option<String> {
    // The field is null if nothing was missed, so `get` would drop it.
    let (_, diagnostics) = object.fields().find(|(key, _)| *key == "diagnostics")?;
    let reason = diagnostics.object().and_then(|reasons| reasons.object("cache_miss_reason")?.text("type"));
    Some(reason.unwrap_or_else(|| "none".to_owned()))
}
