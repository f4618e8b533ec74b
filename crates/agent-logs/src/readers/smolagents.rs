//! Memories of smolagents agents: a task, then steps with the model's output and its observations.

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::Json;
use crate::names::{Dialect, Names, PartKind, PartNames, UsageNames};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::unread::Fields;

const NAME: &str = "smolagents";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "memories of smolagents: a task, and steps with output and observations",
    recognises: |object| {
        // MINT has a `task` too, but as an object.
        let is_task = object.text("task").is_some()
            && (object.fields().any(|(key, _)| key == "task_images") || object.fields().count() == 1);
        is_task || object.has("step_number")
    },
    reader: || Box::new(Memory(None)),
};

/// Messages are like OpenAI's.
static DIALECT: Dialect = Dialect(&[&NAMES, &openai::CHAT]);

static NAMES: Names = Names {
    beside: &["raw"],
    parts: PartNames { types: &[("image", PartKind::Image)], ..PartNames::NONE },
    usage: UsageNames {
        bill: &["token_usage"],
        input: &["input_tokens"],
        output: &["output_tokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Text that smolagents 1.26 sends after a plan, and after an error.
const CARRY_OUT: &str = "Now proceed and carry out this plan.";
const RETRY: &str = "\nNow let's retry: take care not to repeat previous errors! If you have retried several times, try a completely \
                     different approach.\n";

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["error"],
    known: &[
        "action_output",
        "code_action",
        "message",
        "model_input_messages",
        "model_output",
        "model_output_message",
        "observations",
        "observations_images",
        "plan",
        "system_prompt",
        "task",
        "task_images",
        "timing",
        "token_usage",
        "tool_calls",
    ],
};

/// The open conversation.
struct Memory(Option<Draft>);

impl Reader for Memory {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(step) = sink.read_object(value, &place) else { return };
        let draft = self.0.get_or_insert_with(|| Draft::new(NAME, None, place.line));
        FIELDS.note_unread(&step, "steps", &place, &mut sink.notes);
        if let Some(system) = step.text("system_prompt") {
            return draft.set_system(Content::of(system), place, &mut sink.notes);
        }
        if let Some(task) = step.text("task") {
            return draft.add_user_text(Content::of(format!("New task:\n{task}")), false, place);
        }
        let Some(message) = step.object("model_output_message") else {
            return sink.notes.lost("steps without the output of a model", place);
        };
        let first = step.list("model_input_messages").and_then(|messages| messages.first()?.object());
        let system = first.filter(|first| first.text("role").is_some_and(|role| role == "system"));
        if let (None, Some(system)) = (&draft.transcript.system, system) {
            draft.transcript.system =
                Some(DIALECT.read_content(system.get("content"), &place, &mut sink.notes).text());
        }
        DIALECT.read_message(&message, Answer::Whole, false, &place, draft, &mut sink.notes);
        // Later requests repeat a plan with a sentence before it.
        let plan = step.text("plan");
        if let (Some(plan), Some(answer)) = (&plan, draft.last_message()) {
            plan.trim().clone_into(&mut answer.content);
        }
        draft.usage(DIALECT.usage(&step));
        let timing = step.below("timing");
        draft.set_times(timing.get("start_time").and_then(LogTime::read), None);
        draft.now = timing.get("end_time").and_then(LogTime::read);
        if plan.is_some() {
            return draft.add_user_text(Content::of(CARRY_OUT.to_owned()), true, place);
        }
        let error = step.object("error").and_then(|error| error.text("message"));
        let seen = step.text("observations").map(|seen| format!("Observation:\n{seen}"));
        let asked = step.list("tool_calls").and_then(|calls| calls.first()?.object()?.text("id"));
        let asked = asked.map_or_else(String::new, |id| format!("Call id: {id}\n"));
        let failed = error.as_ref().map(|error| format!("{asked}Error:\n{error}{RETRY}"));
        let output: Vec<String> = seen.into_iter().chain(failed).collect();
        let call = draft.last_message().and_then(|last| last.tool_calls.first()).map(|call| call.id.clone());
        let output = Content::of(output.join("\n"));
        // Agents that write code make no calls; the output of their code is a user message.
        if call.is_none() {
            return draft.add_user_text(output, true, place);
        }
        draft.add_result(call, None, output, place);
        if let Some(last) = draft.last_message() {
            last.is_error = error.is_some();
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.0.take() {
            sink.give(draft);
        }
    }
}
