//! Sessions of Codex: each line has `timestamp`, `type` and `payload`, mostly an item of an OpenAI response.

use std::fmt;

use rustc_hash::FxHashSet;

use super::openai_responses::{OPAQUE, read_item};
use super::tiers::tier;
use crate::content::Content;
use crate::draft::Draft;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::names::{Dialect, Names, UsageNames};
use crate::notes::Notes;
use crate::parts::newest_words;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{
    CompactionKind, TranscriptCompaction, TranscriptMessage, TranscriptRole, TranscriptUsage,
};
use crate::unread::Fields;

const NAME: &str = "codex";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Codex: JSON Lines with items as in openai-responses",
    recognises: |object| {
        // Debug streams of LangGraph look alike, but number their steps.
        object.object("payload").is_some()
            && object.has("type")
            && object.has("timestamp")
            && !object.has("step")
    },
    reader: || Box::new(Codex::default()),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

/// Field names of bills. Items use the names of OpenAI's Responses API.
static NAMES: Names = Names {
    usage: UsageNames {
        input: &["input_tokens"],
        read: &["cached_input_tokens"],
        written: &["cache_write_input_tokens"],
        output: &["output_tokens"],
        reasoning: &["reasoning_output_tokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields of lines that are either read here or never part of a request.
const FIELDS: Fields = Fields { below: &[], known: &["payload", "timestamp"] };

/// Known fields of a session's head and of compactions.
const PAYLOADS: Fields = Fields {
    below: &[],
    known: &[
        "base_instructions",
        "cwd",
        "dynamic_tools",
        "git",
        "instructions",
        "message",
        "replacement_history",
        // Repeats words of the user and the model.
        "retained_context",
        "source",
        "timestamp",
        "agent_nickname",
        "agent_role",
        "originator",
    ],
};

/// Suffixes of the types of events that repeat no item and are not sent.
const NO_ITEMS: [&str; 3] = ["error", "warning", "aborted"];

/// Prefixes (or whole names) of event types to ignore: they repeat items for display, or report progress. From
/// codex-cli 0.171 and before.
const SHOWN: &[&str] = &[
    "agent_",
    "apply_patch_",
    "auth_recovery_",
    "background_event",
    "collab_",
    "context_compacted",
    "deprecation_notice",
    "dynamic_tool_call_",
    "elicitation_",
    "entered_review_mode",
    "environment_",
    "exec_",
    "exited_review_mode",
    "get_history_entry_response",
    "guardian_",
    "hook_",
    "image_generation_",
    "item_",
    "list_custom_prompts_response",
    "list_skills_response",
    "mcp_",
    "model_reroute",
    "model_verification",
    "network_approval_",
    "patch_apply_",
    "plan_",
    "raw_response_",
    "realtime_conversation_",
    "reasoning_",
    "remote_skill_",
    "request_",
    "safety_buffering",
    "session_configured",
    "shutdown_complete",
    "skills_update_available",
    "sub_agent_activity",
    "task_",
    "terminal_interaction",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_queue_changed",
    "thread_settings_applied",
    "token_count",
    "turn_",
    "undo_",
    "user_message",
    "view_image_tool_call",
    "web_search_",
];

/// Prefixes of messages written by Codex itself with the role `user`. They are no turn of a person.
const OWN_WORDS: [&str; 9] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<skill>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<goal_context>",
];

/// Bytes of the user's words kept by a compaction without a history: 20,000 tokens, counted by Codex as four bytes each.
const KEPT_BYTES: usize = 80_000;

/// Types of lines that only repeat items or token counts, or are not sent.
const BOOKKEEPING: [&str; 4] =
    ["world_state", "inter_agent_communication_metadata", "security_risk_score", "token_usage_record"];

#[derive(Default)]
struct Codex {
    open: Option<Draft>,
    id: Option<String>,
    model: Option<String>,
    /// Time of the current line.
    now: Option<LogTime>,
    /// Bill of all requests so far, from the newest token count.
    total: Option<TranscriptUsage>,
    /// Service tier in the thread's settings.
    tier: Option<String>,
    /// Set if this thread began with a copy of another one.
    fork: Option<Fork>,
}

/// A thread that begins with copied lines of another one: a fork, or a subagent that was given the history.
struct Fork {
    parent: String,
    /// Time of the newest copied line. Codex writes the copies in one go, with the time of the fork.
    newest: Option<LogTime>,
    /// True until the first line later than the copies.
    is_copying: bool,
    /// True if the copies include a bill.
    has_bills: bool,
}

/// Maximum milliseconds between two copied lines. In public rollouts, copies are a few milliseconds apart, and no answer comes
/// within a second.
const COPYING: u64 = 1000;

impl Fork {
    fn new(parent: String) -> Fork {
        Fork { parent, newest: None, is_copying: true, has_bills: false }
    }

    /// Updates `is_copying` from the time of the next line.
    fn see_time(&mut self, now: Option<LogTime>) {
        let Some(now) = now else { return };
        if !self.is_copying {
            return;
        }
        if let Some(newest) = self.newest {
            self.is_copying = now.milliseconds_since(newest) < COPYING;
        }
        self.newest = Some(now);
    }
}

impl Codex {
    /// Sets the model for the following turns. A resumed session may log token counts before its model.
    fn name_model(&mut self, model: Option<String>) {
        let Some(model) = model else { return };
        if let Some(draft) = &mut self.open
            && self.model.is_none()
        {
            draft.name_models(&model);
        }
        self.model = Some(model);
    }

    fn open_draft(&mut self, line: usize) -> &mut Draft {
        let id = &self.id;
        let draft = self.open.get_or_insert_with(|| Draft::new(NAME, id.clone(), line));
        draft.now = self.now;
        draft
    }

    /// Starts a session, unless the head repeats that of the open session.
    fn begin_session(&mut self, session: &Object, place: LogPlace, sink: &mut Sink) {
        let id = session.text("id");
        // Each resumption repeats the head: one public rollout has six, all of one conversation.
        if self.open.is_some() && self.id == id {
            return;
        }
        let is_begun = self.open.as_ref().is_some_and(|draft| !draft.transcript.messages.is_empty());
        let is_copying = self.fork.as_ref().is_some_and(|fork| fork.is_copying);
        if self.open.is_some() && (is_copying || !is_begun) {
            // This is the head of the parent, followed by its copied lines.
            if let (None, Some(parent)) = (&self.fork, id) {
                self.fork = Some(Fork { newest: self.now, ..Fork::new(parent) });
            }
            return;
        }
        self.finish_log(sink);
        *self = Codex { id, now: self.now, ..Codex::default() };
        let source = session.below("source").get("subagent");
        let parent = match session.text("forked_from_id") {
            Some(parent) => Some(parent),
            None => {
                let spawned = source.and_then(Json::object).unwrap_or_default().below("thread_spawn");
                spawned.text("parent_thread_id")
            }
        };
        if let Some(parent) = parent
            && self.id.as_ref() != Some(&parent)
        {
            let mut fork = Fork::new(parent);
            fork.see_time(self.now);
            self.fork = Some(fork);
        }
        let inner = session.below("base_instructions");
        DIALECT.note_unread(&inner, &["text"], "instructions", &place, &mut sink.notes);
        let draft = self.open_draft(place.line);
        draft.transcript.system = inner.text("text").or(session.text("instructions"));
        if source.is_some()
            && let Some(source) = &mut draft.transcript.source
        {
            source.is_subagent = true;
        }
        draft.declare_tools(session.get("dynamic_tools"), &place, &mut sink.notes);
    }

    /// Reads a compaction and the history that replaces the previous one.
    fn read_compaction(&mut self, compacted: &Object, line: &Object, place: &LogPlace, notes: &mut Notes) {
        let text = compacted.text("message").filter(|text| !text.is_empty());
        let draft = self.open_draft(place.line);
        let usage = take_summary(draft, text.as_deref());
        let compaction =
            TranscriptCompaction { time: line.text("timestamp"), usage, ..TranscriptCompaction::default() };
        let Some(history) = compacted.list("replacement_history") else {
            // Codex of 2025 logs only the summary, and sends the user's own words again before it.
            let kept = newest_words(draft, KEPT_BYTES);
            let compaction = TranscriptCompaction { text, ..compaction };
            return draft.add_compaction(compaction, |index| kept.contains(&index), place, notes);
        };
        let Replacement { kept, sent_again, is_opaque } =
            Replacement::from_history(history, text.as_deref(), draft, place, notes);
        let kind = match text {
            Some(_) => CompactionKind::Summary,
            // Exporters omit the item with the summary; its empty message shows that there was one.
            None if is_opaque || compacted.get("message").is_some() => CompactionKind::Opaque,
            None => CompactionKind::Drop,
        };
        let compaction = TranscriptCompaction { kind, text, ..compaction };
        draft.add_compaction(compaction, |index| kept.contains(&index), place, notes);
        for message in sent_again {
            draft.add_sent_again(message, place, notes);
        }
    }

    /// Drops the last user turns and everything after them, because the user took them back.
    fn roll_back(&mut self, event: &Object, place: &LogPlace, notes: &mut Notes) {
        let draft = self.open_draft(place.line);
        let Some(first) = find_last_turns(&draft.transcript.messages, event.number("num_turns")) else {
            return notes.lost("undone turns that are not in the log", place.clone());
        };
        notes.note("turns that the user took back, left out", place.clone());
        for message in draft.truncate_messages(first) {
            if let Some(tokens) = message.usage.and_then(|usage| usage.input_tokens) {
                notes.missing_call(tokens, place);
            }
        }
        draft.billed = draft.billed.min(first);
    }

    /// Reads a token count: the bill of the newest answer, or a repetition of the previous count.
    fn read_token_count(&mut self, count: &Object, place: &LogPlace, notes: &mut Notes) {
        let total = DIALECT.usage_of(&count.below("total_token_usage"), None);
        let before = self.total.take();
        let last = match (DIALECT.usage_of(&count.below("last_token_usage"), None), &total) {
            (None, Some(total)) => Some(growth(total, before.as_ref())),
            (last, _) => last,
        };
        self.total = match &total {
            Some(total) => Some(total.clone()),
            // A bill without a total still belongs to the total of the next count.
            None => TranscriptUsage::sum(before.clone().into_iter().chain(last.clone())),
        };
        // The first count after a compaction describes the new history; nothing was billed for it.
        let Some(last) = last else { return };
        if count_input(Some(&last)) == 0 || total.is_some() && total == before {
            return;
        }
        let known = count_input(before.as_ref()).saturating_add(count_input(Some(&last)));
        // If the total grew by more than this bill, the rest was billed for answers missing from the rollout.
        let unknown = count_input(total.as_ref()).saturating_sub(known);
        let mut usage = self.identify_bill(last, total.as_ref());
        usage.model.clone_from(&self.model);
        usage.tier = tier(count, "service_tier").or(self.tier.clone());
        let draft = self.open_draft(place.line);
        let usage = draft.provider_tools.add_to_bill(usage, &[]);
        match before {
            None => draft.is_late |= unknown > 0,
            Some(_) if unknown > 0 => notes.missing_call(unknown, place),
            Some(_) => {}
        }
        draft.bill(usage, place, notes);
    }

    /// Adds the identity of a bill: the thread and the running total. A copied bill belongs to the thread it was copied from.
    fn identify_bill(
        &mut self,
        mut bill: TranscriptUsage,
        total: Option<&TranscriptUsage>,
    ) -> TranscriptUsage {
        let all = match (total, self.now) {
            (Some(total), _) => Some(join_counts(total)),
            (None, Some(now)) => Some(now.to_string()),
            (None, None) => None,
        };
        let within = all.map(|all| format!("{all}/{}", join_counts(&bill)));
        let within = within.as_deref();
        bill.call = join_path(self.id.as_deref(), within);
        match &mut self.fork {
            Some(fork) if fork.is_copying => {
                fork.has_bills = true;
                bill.call = join_path(Some(&fork.parent), within);
                bill.copied_from = Some(fork.parent.clone());
            }
            // Copies that keep their original times can only be matched with the bills of the parent.
            Some(fork) if !fork.has_bills => bill.copy_of = join_path(Some(&fork.parent), within),
            // A file that was copied under another id keeps its times.
            _ => bill.copy_of = join_path(self.now.as_ref(), within),
        }
        bill
    }
}

impl Reader for Codex {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let Some(payload) = object.object("payload") else {
            return sink.notes.lost("lines without a payload left out", place);
        };
        FIELDS.note_unread(&object, "lines", &place, &mut sink.notes);
        let kind = object.kind();
        if kind == "session_meta" || kind == "compacted" {
            PAYLOADS.note_unread(&payload, "lines", &place, &mut sink.notes);
        }
        self.now = LogTime::of_object(&object);
        if let Some(fork) = &mut self.fork {
            fork.see_time(self.now);
        }
        match kind.as_str() {
            "session_meta" => self.begin_session(&payload, place, sink),
            "turn_context" => self.name_model(payload.text("model")),
            // The line `compacted` is read instead.
            "response_item" if OPAQUE.contains(&payload.kind().as_str()) => {
                let kind = "summaries encrypted by the provider, so their text is unknown";
                sink.notes.note(kind, place);
            }
            "response_item" => read_item(&payload, &place, self.open_draft(place.line), &mut sink.notes),
            "compacted" => self.read_compaction(&payload, &object, &place, &mut sink.notes),
            "event_msg" if payload.is_a("token_count") => {
                if let Some(count) = payload.object("info") {
                    self.read_token_count(&count, &place, &mut sink.notes);
                }
            }
            "event_msg" if payload.is_a("thread_settings_applied") => {
                self.tier = tier(&payload.below("thread_settings"), "service_tier");
            }
            "event_msg" if payload.is_a("thread_rolled_back") => {
                self.roll_back(&payload, &place, &mut sink.notes);
            }
            "event_msg" => {
                let event = payload.kind();
                if NO_ITEMS.iter().any(|end| event.ends_with(end)) {
                    sink.notes.note(format!("events of the type {event}, which are not sent"), place);
                } else if !SHOWN.iter().any(|start| event.starts_with(start)) {
                    sink.notes.lost(format!("events of the type {event:?} left out"), place);
                }
            }
            kind if BOOKKEEPING.contains(&kind) => {
                sink.notes.note(format!("lines of the type {kind}, which are not sent"), place);
            }
            second => sink.notes.lost(format!("lines of the type {second:?} left out"), place),
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

/// Removes the last answer if it is only the summary of a compaction, not a turn. Returns its bill.
fn take_summary(draft: &mut Draft, text: Option<&str>) -> Option<TranscriptUsage> {
    let last = draft.transcript.messages.len().checked_sub(1)?;
    let answer = draft.transcript.messages.get(last)?;
    let said = answer.content.trim();
    let is_alone = answer.role == TranscriptRole::Assistant && answer.tool_calls.is_empty();
    if !is_alone || said.is_empty() || !text?.trim_end().ends_with(said) {
        return None;
    }
    draft.billed = draft.billed.min(last);
    draft.truncate_messages(last).pop()?.usage
}

/// A history that replaces the previous one.
#[derive(Default)]
struct Replacement {
    /// Indices of previous messages repeated in the new history.
    kept: FxHashSet<usize>,
    /// New messages, mostly instructions.
    sent_again: Vec<TranscriptMessage>,
    /// True if the summary is encrypted by the provider.
    is_opaque: bool,
}

impl Replacement {
    fn from_history(
        history: Vec<Json>,
        summary: Option<&str>,
        draft: &Draft,
        place: &LogPlace,
        notes: &mut Notes,
    ) -> Replacement {
        let mut replacement = Replacement::default();
        let mut items = Draft::default();
        for value in history {
            let Some(object) = value.object() else {
                notes.lost("items that are no object", place.clone());
                continue;
            };
            match OPAQUE.contains(&object.kind().as_str()) {
                true => replacement.is_opaque = true,
                false => read_item(&object, place, &mut items, notes),
            }
        }
        let known_system = draft.transcript.system.as_deref().unwrap_or("");
        if let Some(system) = items.transcript.system.take()
            && (draft.transcript.system.is_none() || !known_system.contains(&system))
        {
            items.add_user_text(Content::of(system), true, place.clone());
        }
        let mut known = draft.transcript.messages.iter().enumerate();
        for message in items.transcript.messages {
            // A local compaction repeats its summary as the last item of the history.
            if message.role == TranscriptRole::User && summary == Some(message.content.as_str()) {
                continue;
            }
            // Items keep their order, so the search continues after the last match.
            let rest = known.clone();
            match known.find(|(_, known)| is_same(known, &message)) {
                Some((index, _)) => {
                    replacement.kept.insert(index);
                }
                None => {
                    known = rest;
                    replacement.sent_again.push(message);
                }
            }
        }
        replacement
    }
}

/// The index of the first of the last turns of a person.
fn find_last_turns(messages: &[TranscriptMessage], number: Option<u64>) -> Option<usize> {
    let mut left = number?;
    if left == 0 {
        return None;
    }
    for (index, message) in messages.iter().enumerate().rev() {
        left -= u64::from(is_turn(message));
        if left == 0 {
            return Some(index);
        }
    }
    None
}

fn count_input(usage: Option<&TranscriptUsage>) -> u64 {
    usage.and_then(|usage| usage.input_tokens).unwrap_or(0)
}

fn join_counts(usage: &TranscriptUsage) -> String {
    format!("{:?}-{:?}-{:?}", usage.input_tokens, usage.cached_tokens, usage.output_tokens)
}

fn join_path(first: Option<impl fmt::Display>, second: Option<&str>) -> Option<String> {
    Some(format!("{}/{}", first?, second?))
}

/// Returns true for a turn of a person.
fn is_turn(message: &TranscriptMessage) -> bool {
    let text = message.content.trim_start();
    message.role == TranscriptRole::User
        && !message.is_observation
        && !OWN_WORDS.iter().any(|start| text.starts_with(start))
}

fn is_same(first: &TranscriptMessage, second: &TranscriptMessage) -> bool {
    first.role == second.role
        && first.content == second.content
        && first.call == second.call
        && ids_of_calls(first).eq(ids_of_calls(second))
}

fn ids_of_calls(message: &TranscriptMessage) -> impl Iterator<Item = &str> {
    message.tool_calls.iter().map(|call| call.id.as_str())
}

/// The bill of a count with only the running total. A resumed session may start the total again.
fn growth(total: &TranscriptUsage, before: Option<&TranscriptUsage>) -> TranscriptUsage {
    let mut grown = total.clone();
    let Some(before) = before else { return grown };
    let mut before = before.clone();
    for (now, earlier) in counts_mut(&mut grown).into_iter().zip(counts_mut(&mut before)) {
        let difference = now.unwrap_or(0).checked_sub(earlier.unwrap_or(0));
        let Some(difference) = difference else { return total.clone() };
        if let Some(now) = now {
            *now = difference;
        }
    }
    grown
}

fn counts_mut(usage: &mut TranscriptUsage) -> [&mut Option<u64>; 6] {
    [
        &mut usage.input_tokens,
        &mut usage.cached_tokens,
        &mut usage.cache_write_tokens,
        &mut usage.cache_write_1h_tokens,
        &mut usage.output_tokens,
        &mut usage.reasoning_tokens,
    ]
}
