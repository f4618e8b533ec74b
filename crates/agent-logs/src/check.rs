//! Checks every transcript: pairs results with calls and makes call identifiers unique.

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
    if draft.transcript.messages.iter().all(|message| message.role != TranscriptRole::Assistant) {
        notes.lost("conversations without an answer of a model left out", draft.place());
        return None;
    }
    // Batches and fixtures contain only responses. No strategy can shorten an empty request.
    if !draft.has_request() {
        notes.lost("responses without a request left out", draft.place());
        let billed = draft.transcript.answers().filter_map(|answer| answer.usage.as_ref()?.input_tokens);
        billed.filter(|tokens| *tokens > 0).for_each(|tokens| notes.missing_call(tokens, &draft.place()));
        return None;
    }
    if draft.transcript.messages.last().is_some_and(is_open_place) {
        notes.lost(
            "prompts with a place for the question, which are no log of a run, left out",
            draft.place(),
        );
        return None;
    }
    // Happens when an agent greets first, or when the log lacks the prompt (`codex exec --json`).
    if draft.transcript.messages.first().is_some_and(|first| first.role == TranscriptRole::Assistant) {
        notes.note("conversations that begin with an answer", draft.place());
    }
    note_missing_calls(&draft, notes);
    note_nameless_calls(&draft, notes);
    note_falls(&draft, notes);
    draft.derive_times();
    if draft.is_late {
        let first = draft.transcript.messages.iter().find_map(|answer| answer.usage.as_ref()?.input_tokens);
        notes.late_start(first.filter(|&tokens| tokens > 0), &draft.place());
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
    transcript.tools.iter_mut().filter_map(|tool| tool.parameters.as_mut()).for_each(to_one_line);
    for (message, OpenCall { message: asked, call }) in answers {
        let id = transcript.messages.get(asked).and_then(|asked| asked.tool_calls.get(call));
        let id = id.map(|call| call.id.clone());
        if let Some(message) = transcript.messages.get_mut(message) {
            message.call = id;
        }
    }
    results_first(&mut transcript);
    Some(transcript)
}

/// Returns true for an unfilled user message in a prompt template: empty, or only a name in braces. AgentBench's few-shot prompts end like
/// this.
fn is_open_place(message: &TranscriptMessage) -> bool {
    let text = message.content.trim();
    message.role == TranscriptRole::User
        && !message.is_observation
        && message.images == 0
        && (text.is_empty() || is_placeholder(text))
}

/// Returns true for the name of a variable in braces, such as `{{ chat_history }}`.
fn is_placeholder(text: &str) -> bool {
    let Some(name) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else { return false };
    name.trim_matches(['{', '}', ' ', '$']).chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Notes calls included in the run's bill but not logged. Agents retry an unusable answer, and their logs omit the first attempt.
fn note_missing_calls(draft: &Draft, notes: &mut Notes) {
    let Some(outcome) = &draft.transcript.outcome else { return };
    let missing = outcome.requests.unwrap_or(0).saturating_sub(draft.transcript.answers().count() as u64);
    if missing > 0 {
        let billed = outcome.usage.as_ref().and_then(|usage| usage.input_tokens);
        notes.missing_calls_of_run(missing, billed.unwrap_or(0), &draft.place());
    }
}

/// Notes requests of Gemini's CLI billed for less than half of the previous one: many versions shorten the history without logging it.
fn note_falls(draft: &Draft, notes: &mut Notes) {
    let Transcript { source, messages, compactions, .. } = &draft.transcript;
    if source.as_ref().is_none_or(|source| !GEMINI.contains(&source.format.as_str()))
        || !compactions.is_empty()
    {
        return;
    }
    let mut before = 0;
    for (message, origin) in messages.iter().zip(&draft.origins) {
        let Some(tokens) = message.usage.as_ref().and_then(|usage| usage.input_tokens) else { continue };
        if tokens < before / 2 {
            let kind = "requests that were billed for less than half of the one before; the CLI may have shortened its history, \
                        and keeps no record of that, so all of it counts as sent";
            notes.note(kind, origin.place.clone());
        }
        before = tokens;
    }
}

/// Notes calls without a tool name. Their results and repetitions cannot be attributed to a tool.
fn note_nameless_calls(draft: &Draft, notes: &mut Notes) {
    for (message, origin) in draft.transcript.messages.iter().zip(&draft.origins) {
        for _ in message.tool_calls.iter().filter(|call| call.name.is_empty()) {
            notes.lost("calls without a name", origin.place.clone());
        }
    }
}

/// Moves results right after their answer, because providers require it. Claude Code logs attachments between the results of parallel
/// calls.
fn results_first(transcript: &mut Transcript) {
    let (mut turn, mut calls): (usize, FxHashSet<&str>) = (0, FxHashSet::default());
    let mut places: Vec<(usize, usize)> = Vec::new();
    for message in &transcript.messages {
        if message.role == TranscriptRole::Assistant {
            turn += 1;
            calls = message.tool_calls.iter().map(|call| call.id.as_str()).collect();
            places.push((turn, 0));
            continue;
        }
        let is_result = message.call.as_deref().is_some_and(|id| calls.contains(id));
        places.push((turn, if is_result { 1 } else { 2 }));
    }
    if places.is_sorted() {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages).into_iter().enumerate();
    let mut all: Vec<_> = places.into_iter().zip(messages).collect();
    all.sort_by_key(|(place, _)| *place);
    // No message leaves its turn, so a compaction still starts before the same answer. But a later result may have moved before messages
    // removed by the compaction.
    let mut least = 0;
    let mut now = vec![0; all.len()];
    for (index, (_, (before, _))) in all.iter().enumerate() {
        if let Some(place) = now.get_mut(*before) {
            *place = index;
        }
    }
    for compaction in &mut transcript.compactions {
        let removed = all.iter().enumerate().filter(|(_, (_, (before, _)))| compaction.removes(*before));
        compaction.removed = to_ranges(removed.map(|(now, _)| now));
        compaction.sent = compaction.sent.take().map(|sent| move_parts(sent, &now));
        let end = compaction.removed.last().map_or(0, |[_, last]| last + 1);
        least = end.max(compaction.before).max(least);
        compaction.before = least;
    }
    transcript.messages = all.into_iter().map(|(_, (_, message))| message).collect();
}

/// Translates the ranges of a request to the new indices.
fn move_parts(sent: Vec<SentPart>, now: &[usize]) -> Vec<SentPart> {
    let mut parts = Vec::with_capacity(sent.len());
    for part in sent {
        let SentPart::Range([start, end]) = part else {
            parts.push(part);
            continue;
        };
        let indices = (start..=end).filter_map(|index| now.get(index).copied());
        indices.for_each(|index| SentPart::push_index(&mut parts, index));
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
                open.add(index, &message.tool_calls);
            }
            TranscriptRole::Tool => match open.call_of(message, origin, notes) {
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
    for (message, _) in open.all.keys().filter(|(message, _)| message + 1 < draft.origins.len()) {
        if let Some(origin) = draft.origins.get(*message) {
            notes.note("calls without a result", origin.place.clone());
        }
    }
    pairs
}

/// Calls without a result yet, keyed by message index and index of the call within it. Indexed by identifier and tool, because an answer
/// may have thousands of calls.
#[derive(Default)]
struct OpenCalls {
    /// Fingerprints of the identifier and of the tool.
    all: BTreeMap<(usize, usize), (Fingerprint, Fingerprint)>,
    by_id: FxHashMap<Fingerprint, BTreeSet<(usize, usize)>>,
    /// By message and tool.
    by_tool: FxHashMap<(usize, Fingerprint), BTreeSet<(usize, usize)>>,
}

impl OpenCalls {
    fn add(&mut self, message: usize, calls: &[TranscriptCall]) {
        for (index, call) in calls.iter().enumerate() {
            let (at, id, tool) = ((message, index), of_text(&call.id), of_text(&call.name));
            self.all.insert(at, (id, tool));
            self.by_id.entry(id).or_default().insert(at);
            self.by_tool.entry((message, tool)).or_default().insert(at);
        }
    }

    /// Removes and returns the call of a result: in the newest message, the call with the result's identifier, else of its tool, else the
    /// first.
    fn call_of(
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
                let of_tool =
                    origin.tool.as_ref().and_then(|tool| self.by_tool.get(&(newest, of_text(tool))));
                let (first, has_more) = match of_tool.and_then(|asked| Some((*asked.first()?, asked.len()))) {
                    Some((first, number)) => (first, number > 1),
                    None => {
                        let mut asked = self.all.range((newest, 0)..).map(|(at, _)| *at);
                        (asked.next()?, asked.next().is_some())
                    }
                };
                if has_more {
                    let kind = "results that may belong to several calls, given to the first";
                    notes.note(kind, origin.place.clone());
                }
                first
            }
        };
        self.remove(at);
        Some(OpenCall { message: at.0, call: at.1 })
    }

    fn remove(&mut self, at: (usize, usize)) {
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
    let counts = messages.iter().map(|message| message.tool_calls.len());
    let starts: Vec<usize> =
        counts.scan(0, |sum, calls| Some(std::mem::replace(sum, *sum + calls))).collect();
    for compaction in compactions {
        // If a later answer reuses an identifier, the newest call before the request wins.
        let earlier = messages.iter().zip(&starts).take(compaction.before);
        let calls = earlier.flat_map(|(message, start)| (*start..).zip(&message.tool_calls));
        let named: FxHashMap<&str, &String> =
            calls.filter_map(|(at, call)| Some((call.id.as_str(), ids.get(at)?))).collect();
        for part in compaction.sent.iter_mut().flatten() {
            let SentPart::Message(message) = part else { continue };
            let of_calls = message.tool_calls.iter_mut().map(|call| &mut call.id);
            for id in of_calls.chain(&mut message.call) {
                if let Some(now) = named.get(id.as_str()) {
                    (*now).clone_into(id);
                }
            }
            message.tool_calls.iter_mut().for_each(|call| to_one_line(&mut call.arguments));
        }
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
