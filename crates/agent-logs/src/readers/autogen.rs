//! States and results of AutoGen: the context of each agent, and the messages of a run.

use crate::content::{Content, reasoning};
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "autogen";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "states of agents and teams of AutoGen, and the messages of its runs",
    recognises: |object| {
        object.object("agent_states").is_some() || context(object).is_some() || is_of_run(object)
    },
    reader: || Box::new(Whole(|object, place, sink| states(object, None, place, sink))),
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
    let first = object.list("messages").and_then(|list| list.first()?.object()).unwrap_or_default();
    first.has("source") && OF_RUN.iter().any(|kind| first.is_a(kind))
}

/// Reads the state of a team, with the state of each agent below it, or of one agent.
fn states(object: &Object, agent: Option<&str>, place: LogPlace, sink: &mut Sink) {
    if let Some(agents) = object.object("agent_states") {
        for (name, state) in agents.fields() {
            let place = place.key("agent_states").key(name);
            states(&state.object().unwrap_or_default(), Some(name), place, sink);
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
    for (index, said) in list.into_iter().enumerate() {
        add(&said.object().unwrap_or_default(), place.item(key, index), &mut draft, &mut sink.notes);
    }
    sink.give(draft);
}

fn add(said: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of(said);
    let kind = said.text("type").unwrap_or_default();
    let text = |notes: &mut Notes| DIALECT.content(said.get("content"), &place, notes);
    match kind.as_str() {
        "SystemMessage" => draft.system(text(notes), place.clone(), notes),
        "AssistantMessage" | "ToolCallRequestEvent" => {
            if said.has("thought") {
                reasoning(&place, notes);
            }
            answer(said, &place, draft, notes);
        }
        "FunctionExecutionResultMessage" | "ToolCallExecutionEvent" => {
            for (index, result) in said.list("content").unwrap_or_default().into_iter().enumerate() {
                let place = place.item("content", index);
                let result = result.object().unwrap_or_default();
                let content = DIALECT.content(result.get("content"), &place, notes);
                draft.result(result.text("call_id"), result.text("name"), content, place);
                draft.fail_if(result.is_true("is_error"));
            }
        }
        "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage"
            if said.text("source").is_some_and(|source| source != "user") =>
        {
            answer(said, &place, draft, notes);
        }
        "UserMessage" | "TextMessage" | "MultiModalMessage" | "StopMessage" | "HandoffMessage" => {
            let text = text(notes);
            draft.user(text, false, place);
        }
        "ThoughtEvent" => reasoning(&place, notes),
        "ToolCallSummaryMessage" => notes.note("summaries that repeat results of tools, left out", place),
        "MemoryQueryEvent" => {
            let text = text(notes);
            draft.user(text, true, place);
        }
        other => notes.note(format!("messages of the type {other}, which no model sees"), place),
    }
}

/// Adds an answer: a text, or a list of calls.
fn answer(said: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let list = said.list("content").unwrap_or_default().into_iter();
    let asked: Vec<Object> =
        list.filter_map(Json::object).filter(|call| call.has("name") && call.has("arguments")).collect();
    let text = if asked.is_empty() {
        DIALECT.content(said.get("content"), place, notes)
    } else {
        Content::default()
    };
    draft.answer(
        Answer::Whole,
        text,
        asked.iter().map(|call| DIALECT.call_of(call)).collect(),
        place.clone(),
    );
    draft.usage(said.object("models_usage").and_then(|usage| DIALECT.usage_of(&usage, None)));
}
