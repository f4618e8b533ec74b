//! JSON logs of Inspect: `samples[].messages`. Scores become the outcome.

use rustc_hash::{FxHashMap, FxHashSet};

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, ResultNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::rewritten::continue_conversation;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptOutcome, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "inspect";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "JSON logs of Inspect: samples with messages and scores",
    recognises: |object| object.has("eval") && object.has("samples") || is_sample(object),
    reader: || Box::new(Whole(read_log)),
};

/// Messages are like OpenAI's, with parts of any provider.
static DIALECT: Dialect = Dialect(&[&NAMES, &openai::CHAT]);

static NAMES: Names = Names {
    beside: &["model"],
    call: CallNames {
        types: &["tool_use"],
        id: &["id"],
        name: &["function", "name"],
        arguments: &["arguments"],
        result: &["result", "error"],
        ..CallNames::NONE
    },
    result: ResultNames { call: &["id"], content: &["error", "result"], ..ResultNames::NONE },
    parts: PartNames {
        types: &[
            ("image", PartKind::Image),
            ("audio", PartKind::File),
            ("video", PartKind::File),
            ("document", PartKind::File),
        ],
        file_name: &["filename"],
        file: &["image", "audio", "video", "document", "filename"],
        unsent: &["citations", "internal"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        model: &["model"],
        input: &["input_tokens"],
        read_beside: &["input_tokens_cache_read"],
        written_beside: &["input_tokens_cache_write"],
        output: &["output_tokens"],
        reasoning: &["reasoning_tokens"],
        cost: &["total_cost"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

fn is_sample(object: &Object) -> bool {
    object.has("messages") && object.has("epoch") && object.has("target")
}

/// Inspect's own fields of a message.
const OWN: &[&str] = &["source", "function", "error", "metadata", "internal"];

/// Fields of logs: read here, or results of all samples.
const LOG: &[&str] = &[
    "error",
    "eval",
    "location",
    "log_updates",
    "metadata",
    "plan",
    "reductions",
    "results",
    "samples",
    "stats",
    "status",
    "tags",
];

/// Types of events: read here, repeated in messages, or about the course of the run.
const EVENTS: &[&str] = &[
    "anchor",
    "approval",
    "branch",
    "checkpoint",
    "compaction",
    "error",
    "info",
    "input",
    "interrupt",
    "review",
    "sentinel",
    "logger",
    "model",
    "sample_init",
    "sample_limit",
    "sandbox",
    "score",
    "score_edit",
    "span_begin",
    "span_end",
    "state",
    "step",
    "store",
    "subtask",
    "tool",
];

/// Fields of samples: read here, or about the setup and course of the run.
const SAMPLE: &[&str] = &[
    "attachments",
    "choices",
    "error",
    "error_retries",
    "events",
    "events_data",
    "files",
    "id",
    "input",
    "invalidation",
    "limit",
    "messages",
    "metadata",
    "model_usage",
    "output",
    "role_usage",
    "sandbox",
    "score",
    "scores",
    "setup",
    "store",
    "summary",
    "target",
    "timelines",
];

/// Known fields of tool results.
const RESULT: Fields = Fields { below: &["error"], known: &["content", "message", "function"] };

fn read_log(object: &Object, place: LogPlace, sink: &mut Sink) {
    if is_sample(object) {
        return read_sample(object, &place, sink);
    }
    DIALECT.note_unread(object, LOG, "logs", &place, &mut sink.notes);
    sink.notes.name_bills(&object.below("stats"));
    for (sample, place) in list_objects(object, "samples", "samples", &place, &mut sink.notes) {
        read_sample(&sample, &place, sink);
    }
}

fn read_sample(sample: &Object, place: &LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    let mut draft = Draft::new(NAME, name_sample(sample), place.line);
    DIALECT.note_unread(sample, SAMPLE, "samples", place, notes);
    let attachments = sample.below("attachments");
    let billed = read_model_events(sample, &mut draft, place, notes);
    let list = list_objects(sample, "messages", "messages", place, notes);
    if let Some(mut draft) = join_compacted(sample, &list, &billed, (&draft, place), notes) {
        draft.transcript.outcome = read_outcome(sample, !billed.is_empty(), notes);
        return sink.give(draft);
    }
    add_messages(list, &attachments, &billed, &mut draft, notes);
    draft.transcript.outcome = read_outcome(sample, !billed.is_empty(), notes);
    sink.give(draft);
}

fn name_sample(sample: &Object) -> Option<String> {
    let id = sample.get("id")?;
    let id = id.text().unwrap_or(id.raw().to_owned());
    match sample.number("epoch") {
        // Inspect runs a sample several times (`epochs`) with the same id.
        Some(epoch) if epoch > 1 => Some(format!("{id}/{epoch}")),
        _ => Some(id),
    }
}

fn add_messages(
    list: Vec<(Object, LogPlace)>,
    attachments: &Object,
    billed: &FxHashMap<String, ModelEvent>,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    for (mut message, place) in list {
        let (id, error, tool) = (message.text("id"), message.object("error"), message.text("function"));
        message.remove_keys(OWN);
        if has_role(&message, "tool") {
            RESULT.note_unread(&message, "messages", &place, notes);
            let mut reason = None;
            if let Some(error) = &error {
                RESULT.note_unread(error, "errors", &place, notes);
                reason = error.text("message");
            }
            let mut content = DIALECT.read_content(message.get("content"), &place, notes);
            if let Some(reason) = reason {
                if !content.is_none() {
                    notes.note("contents of results that failed, which are not sent", place.clone());
                }
                content = Content::of(reason);
            }
            draft.add_result(message.text("tool_call_id"), tool, content, place.clone());
        } else {
            DIALECT.read_message(&message, Answer::Whole, false, &place, draft, notes);
        }
        if let Some(last) = draft.last_message() {
            last.is_error |= error.is_some();
            last.content = resolve_attachments(&last.content, attachments);
            if last.content.contains(ATTACHMENT)
                || last.tool_calls.iter().any(|call| call.arguments.get().contains(ATTACHMENT))
            {
                notes.lost("attachments left as references", place.clone());
            }
        }
        if let Some(usage) = id.and_then(|id| billed.get(&id)) {
            draft.usage(Some(usage.usage.clone()));
            draft.set_times(usage.sent, usage.ended);
        }
    }
}

const ATTACHMENT: &str = "attachment://";

/// Replaces references by the texts and images that Inspect stores once for a sample, by hash.
fn resolve_attachments(content: &str, attachments: &Object) -> String {
    let mut lines = Vec::new();
    for line in content.split('\n') {
        let text = line.strip_prefix(ATTACHMENT).and_then(|hash| attachments.text(hash));
        lines.push(text.unwrap_or(line.to_owned()));
    }
    lines.join("\n")
}

/// The conversation of an agent that shortened its history, rebuilt from the inputs of its model calls. `None` if there was no
/// compaction. A call right before a compaction wrote the summary, if its answer is no message.
fn join_compacted(
    sample: &Object,
    list: &[(Object, LogPlace)],
    billed: &FxHashMap<String, ModelEvent>,
    (empty, place): (&Draft, &LogPlace),
    notes: &mut Notes,
) -> Option<Draft> {
    let events = list_objects(sample, "events", "events", place, &mut Notes::default());
    if !events.iter().any(|(event, _)| is_event(event, "compaction")) {
        return None;
    }
    let attachments = sample.below("attachments");
    let pool = sample.below("events_data").list("messages").unwrap_or_default();
    let ids: FxHashSet<String> = list.iter().filter_map(|(message, _)| message.text("id")).collect();
    let (mut whole, mut writer, mut usage): (Option<Draft>, _, _) = (None, None, None);
    for (event, place) in &events {
        if is_event(event, "compaction") {
            usage = usage.or(writer.take());
        }
        if !is_event(event, "model") {
            continue;
        }
        let Some(output) = event.object("output") else { continue };
        let answer = find_answer(&output).unwrap_or_default();
        if answer.text("id").is_none_or(|id| !ids.contains(&id)) {
            writer = DIALECT.usage(&output);
            continue;
        }
        let mut call = Draft::new(NAME, empty.id().map(str::to_owned), place.line);
        call.transcript.tools.clone_from(&empty.transcript.tools);
        let mut asked = Vec::new();
        for message in find_input(event, &pool, place, notes).into_iter().filter_map(Json::object) {
            asked.push((message, place.clone()));
        }
        asked.push((answer, place.clone()));
        add_messages(asked, &attachments, billed, &mut call, notes);
        let before = whole.as_ref().map_or(0, |whole: &Draft| whole.transcript.compactions.len());
        let next = continue_conversation(whole.take(), call, usage.take());
        for number in before..next.transcript.compactions.len() {
            notes.count_compaction(number == 0, place);
        }
        whole = Some(next);
    }
    let mut whole = whole?;
    // No request contains the results and messages after the last answer.
    let last = list.iter().rposition(|(message, _)| has_role(message, "assistant"));
    let rest = list.iter().skip(last.map_or(0, |last| last + 1)).cloned().collect();
    add_messages(rest, &attachments, billed, &mut whole, notes);
    Some(whole)
}

/// The first choice of a response.
fn find_answer<'a>(output: &Object<'a>) -> Option<Object<'a>> {
    output.list("choices")?.first()?.object()?.object("message")
}

fn has_role(message: &Object, role: &str) -> bool {
    message.text("role").as_deref() == Some(role)
}

/// The messages of a request: its own, or ranges of the shared `events_data.messages`.
fn find_input<'a>(
    event: &Object<'a>,
    pool: &[Json<'a>],
    place: &LogPlace,
    notes: &mut Notes,
) -> Vec<Json<'a>> {
    let mut messages: Vec<Json<'a>> = event.list("input").into_iter().flatten().collect();
    let Some(ranges) = event.get("input_refs") else { return messages };
    let ranges: Option<Vec<[usize; 2]>> = ranges.read();
    let mut is_whole = ranges.is_some();
    for [start, end] in ranges.into_iter().flatten() {
        let known = pool.get(start..end.min(pool.len())).unwrap_or_default();
        is_whole &= end.checked_sub(start) == Some(known.len());
        messages.extend(known);
    }
    if !is_whole {
        notes.lost("messages of requests that are not among events_data.messages", place.clone());
    }
    messages
}

/// Bill and times from the event of an answer.
struct ModelEvent {
    usage: TranscriptUsage,
    sent: Option<LogTime>,
    ended: Option<LogTime>,
}

/// Model events by message id. Also sets the tools of the first request.
fn read_model_events(
    sample: &Object,
    draft: &mut Draft,
    place: &LogPlace,
    notes: &mut Notes,
) -> FxHashMap<String, ModelEvent> {
    let mut billed = FxHashMap::default();
    for (event, place) in list_objects(sample, "events", "events", place, notes) {
        let kind = event.text("event").unwrap_or(event.kind());
        if kind != "model" {
            if !EVENTS.contains(&kind.as_str()) {
                notes.lost(format!("events of the kind {kind:?} left out"), place);
            }
            continue;
        }
        if draft.transcript.tools.is_empty() {
            draft.declare_tools(event.get("tools"), &place, notes);
        }
        let Some(output) = event.object("output") else { continue };
        let answer = find_answer(&output).unwrap_or_default();
        if let (Some(id), Some(usage)) = (answer.text("id"), DIALECT.usage(&output)) {
            let sent = LogTime::of_fields(&event, &["timestamp"]);
            billed.insert(id, ModelEvent { usage, sent, ended: LogTime::of_fields(&event, &["completed"]) });
        }
    }
    billed
}

/// The first score as a reward, and the usage of the sample if its events have no bills.
fn read_outcome(sample: &Object, is_billed: bool, notes: &mut Notes) -> Option<TranscriptOutcome> {
    let models: Vec<TranscriptUsage> =
        sample.below("model_usage").fields().filter_map(bill_of_model).collect();
    for usage in &models {
        notes.name_usage(usage);
    }
    for usage in sample.below("role_usage").fields().filter_map(bill_of_model) {
        notes.name_usage(&usage);
    }
    let usage = if is_billed { None } else { TranscriptUsage::sum(models) };
    let outcome = TranscriptOutcome { reward: read_reward(sample), usage, ..TranscriptOutcome::default() };
    if outcome == TranscriptOutcome::default() { None } else { Some(outcome) }
}

fn bill_of_model((model, usage): (&str, Json)) -> Option<TranscriptUsage> {
    // `openai/gpt-5.5`: provider and model.
    let name = model.rsplit('/').next().unwrap_or(model).to_owned();
    DIALECT.usage_of(&usage.object()?, Some(name))
}

/// The first score: C is 1, P is 0.5, I and N are 0.
fn read_reward(sample: &Object) -> Option<f64> {
    let scores = sample.object("scores")?;
    let value = scores.fields().find_map(|(_, score)| score.object()?.get("value"))?;
    match value.text().as_deref() {
        Some("C") => Some(1.0),
        Some("P") => Some(0.5),
        Some("I" | "N") => Some(0.0),
        Some(_) => None,
        None => value.read::<f64>().or_else(|| value.read::<bool>().map(f64::from)),
    }
}

fn is_event(event: &Object, kind: &str) -> bool {
    event.text("event").as_deref() == Some(kind)
}
