//! Journals of PTC-Lisp runs: preludes, evaluated programs, and capability calls with their results.

use rustc_hash::{FxHashMap, FxHashSet};

use super::providers::openai;
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, json_text};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names, UsageNames};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{JOURNAL, RecordedEvaluation, Transcript};
use crate::unread::Fields;

pub(super) const FORMAT: LogFormat = LogFormat {
    name: JOURNAL,
    doc: "journals of PTC-Lisp runs: preludes, evaluated programs, calls of capabilities",
    recognises: |object| object.has("record_type") && object.has("correlation") && object.has("payload"),
    reader: || Box::new(Journals::default()),
};

/// Messages to models are like OpenAI's.
static DIALECT: Dialect = Dialect(&[&NAMES, &openai::CHAT]);

/// Field names of journals. The input count includes cached tokens, as the providers in these logs count them.
static NAMES: Names = Names {
    call: CallNames { id: &["id"], name: &["name"], arguments: &["args"], ..CallNames::NONE },
    usage: UsageNames {
        input: &["input"],
        read: &["cache_read"],
        written: &["cache_creation"],
        output: &["output"],
        cost: &["total_cost"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Runs with interleaved records.
#[derive(Default)]
struct Journals(Alternating<Journal>);

#[derive(Default)]
struct Journal {
    /// `None` if the journal doesn't name its run.
    run: Option<String>,
    /// Pairs of environment and source.
    preludes: Vec<(String, String)>,
    evaluations: Vec<Evaluation>,
    /// Calls by id.
    calls: FxHashMap<String, Call>,
    /// Requests to a model, with their answers.
    requests: Vec<Request>,
}

struct Evaluation {
    id: String,
    environment: String,
    mission: Option<String>,
    time: Option<LogTime>,
    source: String,
    place: LogPlace,
    /// Ids of its calls, in order.
    calls: Vec<String>,
    prints: Option<Vec<String>>,
    /// Number of requests before this evaluation.
    requests: usize,
}

struct Call {
    /// `None` for a call outside all evaluations.
    evaluation: Option<String>,
    sent: Option<LogTime>,
    ended: Option<LogTime>,
    name: String,
    arguments: String,
    result: Option<String>,
    place: LogPlace,
}

struct Request {
    draft: Draft,
    answer: String,
    /// True if an evaluation ran the answer as its program.
    is_evaluated: bool,
}

impl Reader for Journals {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(record) = sink.read_object(value, &place) else { return };
        let run = record.text("run_id");
        self.0.read(run.as_deref().unwrap_or(""), value, place, sink, || Journal {
            run: run.clone(),
            ..Journal::default()
        });
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.0.finish(sink);
    }
}

impl Part for Journal {
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(record) = sink.read_object(value, &place) else { return };
        if let Err(Missing(field)) = self.read_record(&record, place.clone(), sink) {
            sink.notes.lost(format!("records without {field} left out"), place);
        }
    }

    fn finish_conversation(mut self, sink: &mut Sink) {
        let mut missions: FxHashSet<(String, String)> = FxHashSet::default();
        for evaluation in std::mem::take(&mut self.evaluations) {
            // Programs of a mission share definitions, so only the first one can be replayed alone.
            let mission = evaluation.mission.clone().map(|mission| (evaluation.environment.clone(), mission));
            let is_alone = mission.is_none_or(|mission| missions.insert(mission));
            if !is_alone {
                let kind = "programs behind another one of their mission, which do not replay alone";
                sink.notes.note(kind, evaluation.place.clone());
            }
            self.give_evaluation(evaluation, is_alone, sink);
        }
        for request in self.requests {
            if !request.is_evaluated {
                sink.give_call(request.draft);
            }
        }
    }
}

/// Name of a field missing from a record.
struct Missing(&'static str);

impl Journal {
    /// Gives an earlier call with this identifier another one: numbers may begin again with each evaluation.
    fn set_aside(&mut self, id: &str) {
        let Some(earlier) = self.calls.remove(id) else { return };
        let other = format!("{id} of {}", earlier.place);
        for evaluation in &mut self.evaluations {
            for call in &mut evaluation.calls {
                if call == id {
                    call.clone_from(&other);
                }
            }
        }
        self.calls.insert(other, earlier);
    }

    fn read_record(&mut self, record: &Object, place: LogPlace, sink: &mut Sink) -> Result<(), Missing> {
        let (kind, payload) = (record.text("record_type"), record.below("payload"));
        let correlation = record.below("correlation");
        let text = |key| payload.text(key).or_else(|| correlation.text(key)).ok_or(Missing(key));
        let place = place.key("payload");
        let time = LogTime::of_object(record);
        match kind.as_deref() {
            Some("prelude-source") => self.preludes.push((text("environment")?, text("source")?)),
            Some("evaluation-source") => self.evaluations.push(Evaluation {
                id: text("evaluation_id")?,
                environment: text("environment")?,
                mission: text("mission_name").ok(),
                time,
                source: text("source")?,
                place,
                calls: Vec::new(),
                prints: None,
                requests: self.requests.len(),
            }),
            Some("execution-prints") => {
                let id = match (text("evaluation_id"), self.newest_in(&payload)) {
                    (Ok(id), _) => id,
                    (Err(_), Some(newest)) => newest.id.clone(),
                    (Err(missing), None) => return Err(missing),
                };
                let evaluation = self.evaluations.iter_mut().find(|evaluation| evaluation.id == id);
                match (evaluation, read_prints(&payload)) {
                    (Some(evaluation), Some(prints)) => evaluation.prints = Some(prints),
                    _ => sink.notes.lost("prints without an evaluation, or not as a list of texts", place),
                }
            }
            Some("capability-input") => {
                let id = text("capability_id")?;
                let arguments = match payload.get("arguments") {
                    Some(arguments) => arguments.to_compact().get().to_owned(),
                    None => "{}".to_owned(),
                };
                let evaluation = match text("evaluation_id") {
                    Ok(id) => Some(id),
                    // Since schema 7 a call doesn't name its evaluation; it is the newest one in its environment.
                    Err(_) => self.newest_in(&payload).map(|newest| newest.id.clone()),
                };
                self.set_aside(&id);
                let of = self.evaluations.iter_mut().rfind(|of| Some(&of.id) == evaluation.as_ref());
                if let Some(of) = of {
                    of.calls.push(id.clone());
                }
                let name = text("name")?;
                let call = Call { name, arguments, result: None, place, evaluation, sent: time, ended: None };
                self.calls.insert(id, call);
            }
            Some("capability-output") => {
                let id = text("capability_id")?;
                if let Some(call) = self.calls.get_mut(&id) {
                    call.ended = time;
                }
                self.add_result(&id, payload.get("result"), place, sink);
            }
            Some("evaluation-analysis" | "run-result") => {
                sink.notes.note("records of the journal about its run, which no model sees", place);
            }
            Some("mcp-request" | "mcp-response") => {
                sink.notes
                    .note("records of the transport left out, which repeat those of capabilities", place);
            }
            Some(other) => sink.notes.lost(format!("records of the type {other} left out"), place),
            None => sink.notes.lost("records without a type left out", place),
        }
        Ok(())
    }

    /// Adds the result of a call. The call may be a request to a model.
    fn add_result(&mut self, id: &str, result: Option<Json>, place: LogPlace, sink: &mut Sink) {
        let Some(call) = self.calls.get_mut(id) else {
            return sink.notes.lost("results without a call", place);
        };
        call.result = result.map(|json| json.to_compact().get().to_owned());
        if let Some(request) = read_request(call, self.run.clone(), sink) {
            self.requests.push(request);
            return;
        }
        let (of, place) = (call.evaluation.clone(), call.place.clone());
        match of {
            Some(of) if !self.evaluations.iter().any(|evaluation| evaluation.id == of) => {
                sink.notes.lost(format!("calls of {of}, whose program is not recorded"), place);
            }
            Some(_) => {}
            None => sink.notes.lost("calls before the first program of their environment", place),
        }
    }

    /// The newest evaluation in the record's environment and mission.
    fn newest_in(&self, payload: &Object) -> Option<&Evaluation> {
        let (environment, mission) = (payload.text("environment")?, payload.text("mission_name"));
        let mut own = self.evaluations.iter().rev();
        own.find(|evaluation| evaluation.environment == environment && evaluation.mission == mission)
    }

    /// Emits an evaluation as a conversation: the model's messages if it wrote the program, then the program with its calls and
    /// their results.
    fn give_evaluation(&mut self, evaluation: Evaluation, is_alone: bool, sink: &mut Sink) {
        let Evaluation { id, environment, source, place, calls, prints, requests, time, .. } = evaluation;
        let (earlier, later) = self.requests.split_at_mut(requests);
        let author = earlier.iter_mut().rev().find(|request| request.contains_program(&source));
        let author = author.filter(|author| !author.is_evaluated);
        let name = self.run.as_ref().map_or(id.clone(), |run| format!("{run}/{id}"));
        let mut draft = Draft { now: time, ..Draft::new(JOURNAL, Some(name), place.line) };
        match author {
            Some(author) => {
                author.is_evaluated = true;
                let source = draft.transcript.source.take();
                draft.transcript = Transcript { source, ..author.draft.transcript.clone() };
                draft.origins = author.draft.origins.clone();
            }
            None => {
                let run = self.run.as_ref().map_or(String::new(), |run| format!(" of the run {run}"));
                let message = format!("Evaluate the program {id}{run}.");
                draft.add_user_text(Content::of(message), false, place.clone());
                draft.add_answer(Answer::Whole, Content::of(source.clone()), Vec::new(), place.clone());
            }
        }
        let mut told = Vec::new();
        for request in later {
            for message in &request.draft.transcript.messages {
                told.push(message.content.clone());
            }
        }
        let mut results = Vec::new();
        for id in calls {
            let Some(made) = self.calls.remove(&id) else { continue };
            let arguments = match Json::parse(&made.arguments) {
                Ok(arguments) => arguments.to_compact(),
                Err(_) => json_text(&made.arguments),
            };
            if let Some(last) = draft.last_message() {
                last.tool_calls.push(new_call(Some(id.clone()), Some(made.name), arguments));
            }
            if let Some(result) = made.result {
                results.push((id, result, made.ended, made.place));
            }
        }
        for (id, result, ended, place) in results {
            draft.now = ended;
            draft.add_result(Some(id), None, Content::of(result), place);
        }
        if is_alone {
            let mut preludes = Vec::new();
            for (of, source) in &self.preludes {
                if *of == environment {
                    preludes.push(source.clone());
                }
            }
            let recorded = RecordedEvaluation { preludes, program: source, prints, told };
            draft.transcript.evaluation = Some(Box::new(recorded));
        }
        sink.give(draft);
    }
}

impl Request {
    /// Returns true for a first request whose answer contains the program.
    fn contains_program(&self, program: &str) -> bool {
        self.draft.transcript.messages.len() == 2 && is_written_in(program, &self.answer)
    }
}

fn read_prints(payload: &Object) -> Option<Vec<String>> {
    payload.list("prints")?.into_iter().map(Json::text).collect()
}

/// Returns true if the answer contains all lines of the program in order, as when the program was extracted from its code blocks.
fn is_written_in(program: &str, answer: &str) -> bool {
    let mut lines = answer.lines().map(str::trim);
    let mut wanted = program.lines().map(str::trim).filter(|line| !line.is_empty());
    wanted.all(|wanted| lines.any(|line| line == wanted))
}

/// Known fields of requests.
const REQUEST: Fields = Fields {
    below: &[],
    known: &["cache", "messages", "model", "output", "schema", "system", "tool_choice", "tools"],
};

/// Returns the call as a model request if its arguments are messages and its result has content.
fn read_request(call: &Call, run: Option<String>, sink: &mut Sink) -> Option<Request> {
    let arguments = Json::parse(&call.arguments).ok()?.object()?;
    let result = Json::parse(call.result.as_ref()?).ok()?.object()?;
    let (_, value) = (arguments.list("messages")?, result.object("value")?);
    let answer = value.text("content")?;
    let mut draft = Draft::new(JOURNAL, run, call.place.line);
    let place = call.place.key("arguments");
    if let Some(system) = arguments.text("system") {
        draft.set_system(Content::of(system), place.key("system"), &mut sink.notes);
    }
    draft.declare_tools(arguments.get("tools"), &place, &mut sink.notes);
    REQUEST.note_unread(&arguments, "requests", &place, &mut sink.notes);
    for (message, place) in list_objects(&arguments, "messages", "messages", &place, &mut sink.notes) {
        DIALECT.read_message(&message, Answer::Whole, false, &place, &mut draft, &mut sink.notes);
    }
    let mut calls = Vec::new();
    for made in value.list("tool_calls").into_iter().flatten().filter_map(Json::object) {
        let arguments = match made.get("args") {
            Some(arguments) => arguments.to_compact(),
            None => json_text(&()),
        };
        calls.push(new_call(made.text("id"), made.text("name"), arguments));
    }
    draft.add_answer(Answer::Whole, Content::of(answer.clone()), calls, call.place.clone());
    draft.set_times(call.sent, call.ended);
    draft.usage(DIALECT.usage_of(&value.below("tokens"), None));
    draft.name_request();
    Some(Request { draft, answer, is_evaluated: false })
}
