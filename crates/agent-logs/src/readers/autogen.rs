//! States and results of AutoGen: the context of each agent, or the messages of a run.

use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptCall;
use crate::unread::Fields;

const NAME: &str = "autogen";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "states of agents and teams of AutoGen, and messages of its runs",
    recognises: |object| {
        object.object("agent_states").is_some()
            || find_context(object).is_some()
            || is_of_run(object)
            || is_message(object)
    },
    reader: || Box::new(Runs::default()) as Box<dyn Reader>,
};

/// Reads states and runs, or the messages of a run one by one.
#[derive(Default)]
struct Runs(Option<Run>);

/// The messages of an agent or a run.
struct Run {
    draft: Draft,
    /// Text of the model logged before its answer.
    thought: Option<Content>,
}

impl Run {
    fn new(agent: Option<&str>, line: usize) -> Run {
        Run { draft: Draft::new(NAME, agent.map(str::to_owned), line), thought: None }
    }
}

impl Reader for Runs {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if is_message(&object) || self.0.is_some() && object.has("source") {
            let run = self.0.get_or_insert_with(|| Run::new(None, place.line));
            return read_message(&object, place, run, &mut sink.notes);
        }
        self.finish_log(sink);
        read_states(&object, None, place, sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.0.take().into_iter().for_each(|run| sink.give(run.draft));
    }
}

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["agent_state", "llm_context"],
    known: &[
        "agent_states",
        "arguments",
        "content",
        "created_at",
        "data",
        "messages",
        "metadata",
        "models_usage",
        "name",
        "source",
        "stop_reason",
        "text",
        "thought",
    ],
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

static NAMES: Names = Names {
    call: CallNames { id: &["id"], name: &["name"], arguments: &["arguments"], ..CallNames::NONE },
    parts: PartNames {
        types: &[("text", PartKind::Text), ("image", PartKind::Image)],
        text: &["text", "content"],
        ..PartNames::NONE
    },
    usage: UsageNames { input: &["prompt_tokens"], output: &["completion_tokens"], ..UsageNames::NONE },
    ..Names::NONE
};

/// Types of run messages written or read by a model.
const OF_RUN: [&str; 9] = [
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
    "HandoffMessage",
    "ToolCallRequestEvent",
    "ToolCallExecutionEvent",
    "ToolCallSummaryMessage",
    "MemoryQueryEvent",
    "ThoughtEvent",
];

/// The messages an agent sends to its model.
fn find_context<'a>(object: &Object<'a>) -> Option<Vec<Json<'a>>> {
    object.object("llm_context")?.list("messages")
}

fn is_of_run(object: &Object) -> bool {
    let first = object.list("messages").and_then(|list| list.first()?.object());
    first.is_some_and(|first| is_message(&first))
}

/// Returns true for a message of a run.
fn is_message(object: &Object) -> bool {
    object.has("source") && OF_RUN.iter().any(|kind| object.is_a(kind))
}

/// Reads the state of one agent, or of a team and each of its agents.
fn read_states(object: &Object, agent: Option<&str>, place: LogPlace, sink: &mut Sink) {
    FIELDS.note_unread(object, "states", &place, &mut sink.notes);
    if let Some(agents) = object.object("agent_states") {
        for (name, state) in agents.fields() {
            let place = place.key("agent_states").key(name);
            if let Some(state) = sink.read_object(state, &place) {
                read_states(&state, Some(name), place, sink);
            }
        }
        return;
    }
    if let Some(inner) = object.object("agent_state") {
        return read_states(&inner, agent, place.key("agent_state"), sink);
    }
    let Some((list, key)) = find_context(object)
        .map(|list| (list, "llm_context.messages"))
        .or_else(|| Some((object.list("messages")?, "messages")))
    else {
        return sink.notes.note("agents without a context of a model", place);
    };
    let mut run = Run::new(agent, place.line);
    for (index, message) in list.into_iter().enumerate() {
        let place = place.item(key, index);
        if let Some(message) = sink.read_object(message, &place) {
            read_message(&message, place, &mut run, &mut sink.notes);
        }
    }
    sink.give(run.draft);
}

fn read_message(message: &Object, place: LogPlace, run: &mut Run, notes: &mut Notes) {
    let (draft, thought) = (&mut run.draft, run.thought.take());
    draft.now = LogTime::of_object(message);
    FIELDS.note_unread(message, "messages", &place, notes);
    let kind = message.kind();
    // Structured messages append the type of their content in brackets.
    let kind = kind.split('[').next().unwrap_or(&kind).to_owned();
    let text = |notes: &mut Notes| DIALECT.read_content(message.get("content"), &place, notes);
    match kind.as_str() {
        "SystemMessage" => draft.set_system(text(notes), place.clone(), notes),
        "AssistantMessage" | "ToolCallRequestEvent" => {
            let own =
                message.get("thought").map(|thought| DIALECT.read_content(Some(thought), &place, notes));
            let (mut said, calls) = read_said(message, &place, notes);
            match thought.or(own) {
                // Text written by the model next to its calls is sent with them.
                Some(thought) if !calls.is_empty() => said = thought,
                Some(_) => note_reasoning(&place, notes),
                None => {}
            }
            add_answer(message, said, calls, &place, draft);
        }
        "FunctionExecutionResultMessage" | "ToolCallExecutionEvent" => {
            for (result, place) in list_objects(message, "content", "results", &place, notes) {
                FIELDS.note_unread(&result, "results", &place, notes);
                let content = DIALECT.read_content(result.get("content"), &place, notes);
                draft.add_result(result.text("call_id"), result.text("name"), content, place);
                draft.fail_if(result.is_true("is_error"));
            }
        }
        "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage" | "StructuredMessage"
            if message.text("source").is_some_and(|source| source != "user") =>
        {
            if thought.is_some() {
                note_reasoning(&place, notes);
            }
            let (said, calls) = read_said(message, &place, notes);
            add_answer(message, said, calls, &place, draft);
        }
        "UserMessage" | "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage"
        | "StructuredMessage" => {
            let text = text(notes);
            draft.add_user_text(text, false, place);
        }
        "ThoughtEvent" => run.thought = Some(text(notes)),
        "ToolCallSummaryMessage" => notes.note("summaries that repeat results of tools, left out", place),
        "MemoryQueryEvent" => {
            let text = text(notes);
            draft.add_user_text(text, true, place);
        }
        "" => notes.lost("messages without a type left out", place),
        other => notes.note(format!("messages of the type {other}, which no model sees"), place),
    }
}

/// The text and the calls of an answer.
fn read_said(message: &Object, place: &LogPlace, notes: &mut Notes) -> (Content, Vec<TranscriptCall>) {
    let (mut text, mut calls) = (Content::default(), Vec::new());
    let Some(list) = message.list("content") else {
        return (DIALECT.read_content(message.get("content"), place, notes), calls);
    };
    for (index, part) in list.into_iter().enumerate() {
        match part.object().filter(|part| part.has("name") && part.has("arguments")) {
            Some(made) => {
                FIELDS.note_unread(&made, "calls", &place.item("content", index), notes);
                calls.push(DIALECT.call_of(&made));
            }
            None => DIALECT.add_part(&mut text, part, &place.item("content", index), notes),
        }
    }
    (text, calls)
}

fn add_answer(
    message: &Object,
    text: Content,
    calls: Vec<TranscriptCall>,
    place: &LogPlace,
    draft: &mut Draft,
) {
    draft.add_answer(Answer::Whole, text, calls, place.clone());
    draft.usage(message.object("models_usage").and_then(|usage| DIALECT.usage_of(&usage, None)));
}
