//! Checks transcripts: pairs results with calls, and makes call identifiers unique.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::value::RawValue;

use super::draft::{Draft, Origin};
use super::fingerprint::{Fingerprint, of_text};
use super::inline_results;
use super::json::Json;
use super::notes::Notes;
use super::observations::{Observations, mark_observations};
use super::transcript::{SentPart, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole, to_ranges};

/// Formats of Gemini CLI sessions.
const GEMINI: [&str; 2] = ["gemini", "gemini-cli"];

/// A call without a result yet.
struct OpenCall {
    message: usize,
    call: usize,
}

/// Checks a draft and returns its transcript with unique call identifiers. Returns `None` if the conversation is empty, or lacks an answer
/// or a request.
pub(super) fn check_draft(
    mut draft: Draft,
    observations: Observations,
    notes: &mut Notes,
) -> Option<Transcript> {
    if draft.transcript.messages.is_empty() {
        notes.note("empty conversations left out", draft.place());
        return None;
    }
    if !draft.has_answers() {
        notes.lost("conversations without an answer left out", draft.place());
        return None;
    }
    // Batches and fixtures contain only responses. No strategy can shorten an empty request.
    if !draft.has_request() {
        notes.lost("responses without a request left out", draft.place());
        for answer in draft.transcript.answers() {
            if let Some(tokens) = billed_input(answer) {
                notes.missing_call(tokens, &draft.place());
            }
        }
        return None;
    }
    if draft.transcript.messages.last().is_some_and(is_open_place) {
        notes.lost("unfilled prompt templates left out", draft.place());
        return None;
    }
    // Happens when an agent greets first, or when the log lacks the prompt (`codex exec --json`).
    if draft.transcript.messages.first().is_some_and(TranscriptMessage::is_answer) {
        notes.note("conversations that begin with an answer", draft.place());
    }
    note_missing_calls(&draft, notes);
    note_nameless_calls(&draft, notes);
    note_falls(&draft, notes);
    draft.derive_times();
    if draft.is_late {
        let first = draft.transcript.messages.iter().find_map(|answer| answer.usage.as_ref()?.input_tokens);
        notes.late_start(first.filter(|tokens| *tokens > 0), &draft.place());
    }
    inline_results::divide_answers(&mut draft);
    inline_results::note_divided(&draft, notes);
    // Must precede `pair_results`: Cline sends results as user messages, and they belong to the calls before.
    mark_observations(&mut draft, observations, notes);
    let answers = pair_results(&mut draft, notes);
    let mut transcript = draft.transcript;
    let ids = unique_ids(&transcript);
    name_put_calls(&mut transcript, &ids);
    let calls = transcript.messages.iter_mut().flat_map(|message| &mut message.tool_calls);
    for (call, id) in calls.zip(ids) {
        call.id = id;
        to_one_line(&mut call.arguments);
    }
    for tool in &mut transcript.tools {
        if let Some(parameters) = &mut tool.parameters {
            to_one_line(parameters);
        }
    }
    for (message, OpenCall { message: asked, call }) in answers {
        let id = call_id(&transcript, asked, call);
        if let Some(message) = transcript.messages.get_mut(message) {
            message.call = id;
        }
    }
    move_results_first(&mut transcript);
    Some(transcript)
}

fn call_id(transcript: &Transcript, message: usize, call: usize) -> Option<String> {
    Some(transcript.messages.get(message)?.tool_calls.get(call)?.id.clone())
}

/// The billed input tokens of an answer. A bill of 0 is unknown.
fn billed_input(answer: &TranscriptMessage) -> Option<u64> {
    answer.usage.as_ref()?.input_tokens.filter(|tokens| *tokens > 0)
}

/// Returns true for an unfilled slot of a prompt template: a user message that is empty, or only a name in braces. AgentBench's few-shot
/// prompts end like this.
fn is_open_place(message: &TranscriptMessage) -> bool {
    let text = message.content.trim();
    message.role == TranscriptRole::User
        && !message.is_observation
        && message.images == 0
        && (text.is_empty() || is_placeholder(text))
}

/// Returns true for the name of a variable in braces, such as `{{ chat_history }}`.
fn is_placeholder(text: &str) -> bool {
    text.starts_with('{')
        && text.ends_with('}')
        && text.trim_matches(['{', '}', ' ', '$']).chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Notes calls included in the run's bill but not logged. Agents retry an unusable answer, and their logs omit the first attempt.
fn note_missing_calls(draft: &Draft, notes: &mut Notes) {
    let Some(outcome) = &draft.transcript.outcome else { return };
    let missing = outcome.requests.unwrap_or(0).saturating_sub(draft.transcript.answers().count() as u64);
    if missing > 0 {
        let billed = outcome.usage.as_ref().map_or(0, |usage| usage.input_tokens.unwrap_or(0));
        notes.missing_calls_of_run(missing, billed, &draft.place());
    }
}

/// Notes requests of Gemini's CLI billed for less than half of the previous one: many versions shorten the history without logging it.
fn note_falls(draft: &Draft, notes: &mut Notes) {
    let Transcript { source, messages, compactions, .. } = &draft.transcript;
    let Some(source) = source else { return };
    if !GEMINI.contains(&source.format.as_str()) || !compactions.is_empty() {
        return;
    }
    let mut before = 0;
    for (message, origin) in messages.iter().zip(&draft.origins) {
        let Some(tokens) = message.usage.as_ref().and_then(|usage| usage.input_tokens) else { continue };
        if tokens < before / 2 {
            let kind = "requests billed for less than half of the previous one; the CLI may have shortened its history without \
                        logging it";
            notes.note(kind, origin.place.clone());
        }
        before = tokens;
    }
}

/// Notes calls without a tool name. Their results and repetitions cannot be attributed to a tool.
fn note_nameless_calls(draft: &Draft, notes: &mut Notes) {
    for (message, origin) in draft.transcript.messages.iter().zip(&draft.origins) {
        for call in &message.tool_calls {
            if call.name.is_empty() {
                notes.lost("calls without a name", origin.place.clone());
            }
        }
    }
}

/// Where a message belongs: its turn, then the answer, its results, and other messages.
fn sort_places(messages: &[TranscriptMessage]) -> Vec<(usize, usize)> {
    let (mut turn, mut calls): (usize, FxHashSet<&str>) = (0, FxHashSet::default());
    let mut places = Vec::with_capacity(messages.len());
    for message in messages {
        if message.is_answer() {
            turn += 1;
            calls = message.tool_calls.iter().map(|call| call.id.as_str()).collect();
            places.push((turn, 0));
            continue;
        }
        let is_result = message.call.as_deref().is_some_and(|id| calls.contains(id));
        places.push((turn, if is_result { 1 } else { 2 }));
    }
    places
}

/// Moves results right after their answer, because providers require it. Claude Code logs attachments between the results of parallel
/// calls.
fn move_results_first(transcript: &mut Transcript) {
    let places = sort_places(&transcript.messages);
    if places.is_sorted() {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages).into_iter().enumerate();
    let mut all: Vec<_> = places.into_iter().zip(messages).collect();
    all.sort_by_key(|(place, _)| *place);
    // The new index of each message.
    let mut now = vec![0; all.len()];
    // The old index of each message, in the new order.
    let mut old = Vec::with_capacity(all.len());
    for (index, (_, (before, message))) in all.into_iter().enumerate() {
        if let Some(place) = now.get_mut(before) {
            *place = index;
        }
        old.push(before);
        transcript.messages.push(message);
    }
    // No message leaves its turn, so a compaction still starts before the same answer. But a later result may have moved before messages
    // removed by the compaction.
    let mut least = 0;
    for compaction in &mut transcript.compactions {
        let removed = (0..old.len()).filter(|index| compaction.removes(old[*index]));
        compaction.removed = to_ranges(removed);
        if let Some(sent) = compaction.sent.take() {
            compaction.sent = Some(move_parts(sent, &now));
        }
        let end = compaction.removed.last().map_or(0, |[_, last]| last + 1);
        least = end.max(compaction.before).max(least);
        compaction.before = least;
    }
}

/// Translates the ranges of a request to the new indices.
fn move_parts(sent: Vec<SentPart>, now: &[usize]) -> Vec<SentPart> {
    let mut parts = Vec::with_capacity(sent.len());
    for part in sent {
        let SentPart::Range([start, end]) = part else {
            parts.push(part);
            continue;
        };
        for index in start..=end {
            if let Some(index) = now.get(index) {
                SentPart::push_index(&mut parts, *index);
            }
        }
    }
    parts
}

/// Pairs each result with its call. A result without a call becomes an observation.
fn pair_results(draft: &mut Draft, notes: &mut Notes) -> Vec<(usize, OpenCall)> {
    let mut open = OpenCalls::default();
    let mut pairs = Vec::new();
    let mut is_after_answer = false;
    for (index, (message, origin)) in draft.transcript.messages.iter_mut().zip(&draft.origins).enumerate() {
        match message.role {
            TranscriptRole::User => {}
            TranscriptRole::Assistant => {
                if is_after_answer {
                    notes.note("two answers in a row", origin.place.clone());
                }
                if message.content.is_empty() && message.tool_calls.is_empty() {
                    notes.note("answers without text and calls", origin.place.clone());
                }
                open.add_calls(index, &message.tool_calls);
            }
            TranscriptRole::Tool => match open.take_call(message, origin, notes) {
                Some(call) => pairs.push((index, call)),
                None => {
                    notes.note("results without a call, taken as observations", origin.place.clone());
                    message.role = TranscriptRole::User;
                    message.call = None;
                    message.is_observation = true;
                }
            },
        }
        is_after_answer = message.role == TranscriptRole::Assistant;
    }
    // The run may have ended with the calls of its last answer, so their results may be missing.
    let Some((_, earlier)) = draft.origins.split_last() else { return pairs };
    for (message, _) in open.all.keys() {
        if let Some(origin) = earlier.get(*message) {
            notes.note("calls without a result", origin.place.clone());
        }
    }
    pairs
}

/// Calls without a result yet, by index of the message and of the call within it. Indexed by identifier and tool, because an answer may
/// have thousands of calls.
#[derive(Default)]
struct OpenCalls {
    /// Fingerprints of the identifier and of the tool.
    all: BTreeMap<(usize, usize), (Fingerprint, Fingerprint)>,
    by_id: FxHashMap<Fingerprint, BTreeSet<(usize, usize)>>,
    /// By message and tool.
    by_tool: FxHashMap<(usize, Fingerprint), BTreeSet<(usize, usize)>>,
}

impl OpenCalls {
    fn add_calls(&mut self, message: usize, calls: &[TranscriptCall]) {
        for (index, call) in calls.iter().enumerate() {
            let (at, id, tool) = ((message, index), of_text(&call.id), of_text(&call.name));
            self.all.insert(at, (id, tool));
            self.by_id.entry(id).or_default().insert(at);
            self.by_tool.entry((message, tool)).or_default().insert(at);
        }
    }

    /// Removes and returns the call of a result. Looks in the newest message for the result's identifier, then for its tool, then for any
    /// call.
    fn take_call(
        &mut self,
        result: &TranscriptMessage,
        origin: &Origin,
        notes: &mut Notes,
    ) -> Option<OpenCall> {
        let at = match &result.call {
            // Some servers reuse an identifier in a later answer, so the newest call wins.
            Some(id) => {
                let named = self.by_id.get(&of_text(id))?;
                let (newest, _) = named.last()?;
                *named.range((*newest, 0)..).next()?
            }
            None => {
                let (newest, _) = *self.all.keys().next_back()?;
                let (first, has_more) = match self.first_of_tool(newest, origin.tool.as_deref()) {
                    Some(found) => found,
                    None => {
                        let mut asked = self.all.range((newest, 0)..);
                        (*asked.next()?.0, asked.next().is_some())
                    }
                };
                if has_more {
                    let kind = "results that match several calls, paired with the first";
                    notes.note(kind, origin.place.clone());
                }
                first
            }
        };
        self.remove_call(at);
        Some(OpenCall { message: at.0, call: at.1 })
    }

    /// The first call of a tool in a message. The flag is true if the message has more of them.
    fn first_of_tool(&self, message: usize, tool: Option<&str>) -> Option<((usize, usize), bool)> {
        let calls = self.by_tool.get(&(message, of_text(tool?)))?;
        Some((*calls.first()?, calls.len() > 1))
    }

    fn remove_call(&mut self, at: (usize, usize)) {
        let Some((id, tool)) = self.all.remove(&at) else { return };
        self.by_id.entry(id).or_default().remove(&at);
        self.by_tool.entry((at.0, tool)).or_default().remove(&at);
    }
}

/// Unique identifiers of all calls. The first call with an identifier keeps it; duplicates become `call-N`.
fn unique_ids(transcript: &Transcript) -> Vec<String> {
    let calls = transcript.messages.iter().flat_map(|message| &message.tool_calls);
    let given: Vec<&str> = calls.map(|call| call.id.as_str()).collect();
    let mut taken: FxHashSet<String> = given.iter().map(|id| (*id).to_owned()).collect();
    let mut used: FxHashSet<&str> = FxHashSet::default();
    let mut ids = Vec::with_capacity(given.len());
    for (index, own) in given.into_iter().enumerate() {
        if !own.is_empty() && used.insert(own) {
            ids.push(own.to_owned());
            continue;
        }
        let (mut number, mut id) = (index + 1, format!("call-{}", index + 1));
        while !taken.insert(id.clone()) {
            number += 1;
            id = format!("call-{number}");
        }
        ids.push(id);
    }
    ids
}

/// Applies the unique identifiers to the calls and results of rewritten requests.
fn name_put_calls(transcript: &mut Transcript, ids: &[String]) {
    let Transcript { messages, compactions, .. } = transcript;
    for compaction in compactions {
        // If a later answer reuses an identifier, the newest call before the request wins.
        let calls = messages.iter().take(compaction.before).flat_map(|message| &message.tool_calls);
        let named: FxHashMap<&str, &String> = calls.map(|call| call.id.as_str()).zip(ids).collect();
        for part in compaction.sent.iter_mut().flatten() {
            let SentPart::Message(message) = part else { continue };
            for call in &mut message.tool_calls {
                rename_id(&mut call.id, &named);
                to_one_line(&mut call.arguments);
            }
            if let Some(id) = &mut message.call {
                rename_id(id, &named);
            }
        }
    }
}

fn rename_id(id: &mut String, named: &FxHashMap<&str, &String>) {
    if let Some(now) = named.get(id.as_str()) {
        (*now).clone_into(id);
    }
}

/// Removes white space from multi-line JSON.
fn to_one_line(value: &mut Box<RawValue>) {
    if let Ok(json) = Json::parse(value.get())
        && value.get().contains(['\n', '\r'])
    {
        *value = json.to_compact();
    }
}
