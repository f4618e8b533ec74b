//! States and results of AutoGen: the context of each agent, and the messages of a run.

use crate::content::{Content, reasoning};
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::listed;
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::unread::Fields;

const NAME: &str = "autogen";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "states of agents and teams of AutoGen, and the messages of its runs",
    recognises: |object| {
        object.object("agent_states").is_some() || context(object).is_some() || is_of_run(object)
    },
    reader: || Box::new(Whole(|object, place, sink| states(object, None, place, sink))),
};

/// Fields that are read, or that no request has.
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

/// The tables of the reader.
static DIALECT: Dialect = Dialect(&[&NAMES]);

/// The names of AutoGen.
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

/// Types of the messages of a run that a model writes or reads.
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

/// The messages that an agent sends to its model.
fn context<'a>(object: &Object<'a>) -> Option<Vec<Json<'a>>> {
    object.object("llm_context")?.list("messages")
}

fn is_of_run(object: &Object) -> bool {
    let first = object.list("messages").and_then(|list| list.first()?.object());
    first.is_some_and(|first| first.has("source") && OF_RUN.iter().any(|kind| first.is_a(kind)))
}

/// Reads the state of a team, with the state of each agent below it, or of one agent.
fn states(object: &Object, agent: Option<&str>, place: LogPlace, sink: &mut Sink) {
    FIELDS.note_unread(object, "states", &place, &mut sink.notes);
    if let Some(agents) = object.object("agent_states") {
        for (name, state) in agents.fields() {
            let place = place.key("agent_states").key(name);
            if let Some(state) = sink.object(state, &place) {
                states(&state, Some(name), place, sink);
            }
        }
        return;
    }
    if let Some(inner) = object.object("agent_state") {
        return states(&inner, agent, place.key("agent_state"), sink);
    }
    let Some((list, key)) = context(object)
        .map(|list| (list, "llm_context.messages"))
        .or_else(|| Some((object.list("messages")?, "messages")))
    else {
        return sink.notes.note("agents without a context of a model", place);
    };
    let mut draft = Draft::new(NAME, agent.map(str::to_owned), place.line);
    for (index, message) in list.into_iter().enumerate() {
        let place = place.item(key, index);
        if let Some(message) = sink.object(message, &place) {
            add(&message, place, &mut draft, &mut sink.notes);
        }
    }
    sink.give(draft);
}

fn add(message: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of(message);
    FIELDS.note_unread(message, "messages", &place, notes);
    let kind = message.kind();
    // The type of a structured message names that of its content behind it.
    let kind = kind.split('[').next().unwrap_or(&kind).to_owned();
    let text = |notes: &mut Notes| DIALECT.content(message.get("content"), &place, notes);
    match kind.as_str() {
        "SystemMessage" => draft.system(text(notes), place.clone(), notes),
        "AssistantMessage" | "ToolCallRequestEvent" => {
            if message.has("thought") {
                reasoning(&place, notes);
            }
            answer(message, &place, draft, notes);
        }
        "FunctionExecutionResultMessage" | "ToolCallExecutionEvent" => {
            for (result, place) in listed(message, "content", "results", &place, notes) {
                FIELDS.note_unread(&result, "results", &place, notes);
                let content = DIALECT.content(result.get("content"), &place, notes);
                draft.result(result.text("call_id"), result.text("name"), content, place);
                draft.fail_if(result.is_true("is_error"));
            }
        }
        "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage" | "StructuredMessage"
            if message.text("source").is_some_and(|source| source != "user") =>
        {
            answer(message, &place, draft, notes);
        }
        "UserMessage" | "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage"
        | "StructuredMessage" => {
            let text = text(notes);
            draft.user(text, false, place);
        }
        // It stands before the call that the model wrote with it.
        "ThoughtEvent" => reasoning(&place, notes),
        "ToolCallSummaryMessage" => notes.note("summaries that repeat results of tools, left out", place),
        "MemoryQueryEvent" => {
            let text = text(notes);
            draft.user(text, true, place);
        }
        "" => notes.lost("messages without a type left out", place),
        other => notes.note(format!("messages of the type {other}, which no model sees"), place),
    }
}

/// Adds an answer: a text, or a list of calls.
fn answer(message: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let (mut text, mut calls) = (Content::default(), Vec::new());
    match message.list("content") {
        Some(list) => {
            for (index, part) in list.into_iter().enumerate() {
                match part.object().filter(|part| part.has("name") && part.has("arguments")) {
                    Some(made) => {
                        FIELDS.note_unread(&made, "calls", &place.item("content", index), notes);
                        calls.push(DIALECT.call_of(&made));
                    }
                    None => DIALECT.add_part(&mut text, part, &place.item("content", index), notes),
                }
            }
        }
        None => text = DIALECT.content(message.get("content"), place, notes),
    }
    draft.answer(Answer::Whole, text, calls, place.clone());
    draft.usage(message.object("models_usage").and_then(|usage| DIALECT.usage_of(&usage, None)));
}
