//! Converts logged evaluations of programs to scenarios with the same calls and prints.

use std::cmp::Reverse;
use std::fmt::Write;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use super::script::{names_used_in, responses_as_yaml};
use super::suite::count;
use crate::agent::extract::program_in;
use crate::agent::{
    Agent, Behaviour, Ending, MissionExpander, PromptFrame, Response, RunOutcome, ScriptedModel, Tool,
    ToolAnswer, ToolCall, ToolCase, run,
};
use crate::scenario::names::refuse_symbol;
use crate::snapshot::yaml::{of_json, quoted, scalar};
use agent_logs::{RecordedEvaluation, Transcript, TranscriptRole};
use ptc_lisp::json::{from_json, to_json, to_text};
use ptc_lisp::print::whole;
use ptc_lisp::session::{Arguments, Bindings};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// The minimum length of a returned value's JSON to count as repeated in a later request. A shorter text may occur by chance.
const MIN_REPEATED: usize = 30;

/// An evaluation with an exact replay.
pub(super) struct Replay {
    agent: Agent,
    answer: Response,
    outcome: RunOutcome,
    prints: Option<Vec<String>>,
    calls: usize,
    /// True if a later request in the log contains the returned value, so that it becomes an expectation.
    is_value_known: bool,
}

/// A logged call.
struct LoggedCall {
    name: String,
    arguments: Map<String, Json>,
    result: Json,
}

impl Replay {
    /// Replays an evaluation and compares it with the log.
    ///
    /// # Errors
    /// The reason for a different replay.
    pub(super) fn of(transcript: &Transcript, evaluation: &RecordedEvaluation) -> Result<Replay, String> {
        let answer = first_content(transcript, TranscriptRole::Assistant);
        if !program_in(answer).is_ok_and(|program| program.trim() == evaluation.program.trim()) {
            return Err("the program does not begin with (".to_owned());
        }
        let answer = Response::Text(answer.into());
        let calls = logged_calls(transcript)?;
        let mission = first_content(transcript, TranscriptRole::User);
        let mission = MissionExpander::new(&Bindings::default()).expand(mission);
        let mut agent = Agent {
            mission: mission.map_err(|error| format!("the mission holds a placeholder: {error}"))?,
            tools: tools_of_calls(&calls)?,
            preludes: evaluation.preludes.clone(),
            max_turns: 1,
            system_prompt: PromptFrame { prefix: transcript.system.clone(), ..PromptFrame::default() },
            ..Agent::default()
        };
        let program = Response::Text(evaluation.program.as_str().into());
        if let Some(name) = names_used_in("data", &[program]).first() {
            return Err(format!("data/{name} is not recorded"));
        }
        let answers = std::slice::from_ref(&answer);
        let mut outcome = run(&agent, &mut ScriptedModel::new(answers));
        let made = outcome.turns.first().map_or(0, |turn| turn.tool_calls.len());
        // The journal of a killed run contains only the first calls. The program would make more.
        if made > calls.len() && !calls.is_empty() {
            agent.limits.tool_calls = u32::try_from(calls.len()).ok();
            outcome = run(&agent, &mut ScriptedModel::new(answers));
        }
        compare_with_journal(&outcome, &calls, evaluation.prints.as_deref())?;
        let is_value_known = match &outcome.ending {
            Ending::Return(value) => {
                let text = to_text(value);
                let is_told = evaluation.told.iter().any(|message| message.contains(text.as_str()));
                text.len() >= MIN_REPEATED && is_told
            }
            _ => false,
        };
        let prints = evaluation.prints.clone();
        Ok(Replay { agent, answer, outcome, prints, calls: calls.len(), is_value_known })
    }

    /// The scenario file. `None` if a value is too long for a literal.
    pub(super) fn yaml(&self) -> Option<String> {
        let Agent { mission, preludes, system_prompt, .. } = &self.agent;
        let mut text = format!("mission: {}\nmax_turns: 1\n", scalar(mission, 2));
        if let Some(prefix) = &system_prompt.prefix {
            let _ = writeln!(text, "system_prompt:\n  prefix: {}", scalar(prefix, 4));
        }
        for (at, prelude) in preludes.iter().enumerate() {
            let key = if at == 0 { "\npreludes:\n" } else { "" };
            let _ = writeln!(text, "{key}  - {}", scalar(prelude, 4));
        }
        text += &self.tools_yaml()?;
        if let Some(limit) = self.agent.limits.tool_calls {
            let _ = writeln!(text, "\n# The log has no more calls of it.\nlimits: {{tool_calls: {limit}}}");
        }
        let _ = write!(text, "\n{}\n", responses_as_yaml(std::slice::from_ref(&self.answer)));
        Some(text + &self.expect_yaml())
    }

    /// The key `tools:` with the logged calls as cases, as YAML; empty without calls.
    fn tools_yaml(&self) -> Option<String> {
        let mut text = String::new();
        for (at, tool) in self.agent.tools.iter().enumerate() {
            let key = if at == 0 { "\ntools:\n" } else { "" };
            let _ = writeln!(text, "{key}  {}:\n    cases:", quoted(tool.name.name()));
            let Behaviour::Cases { cases, .. } = &tool.behaviour else { continue };
            for case in cases {
                let when = of_json(&to_json(&Value::Map(case.when.clone())));
                let answers: Option<Vec<String>> = case.answers.iter().map(answer_text).collect();
                let answers = match answers?.as_slice() {
                    [only] => only.clone(),
                    several => format!("sequence: [{{{}}}]", several.join("}, {")),
                };
                let _ = writeln!(text, "      - {{when: {when}, {answers}}}");
            }
        }
        Some(text)
    }

    /// The key `expect:` with the expectations proved by the log, as YAML.
    fn expect_yaml(&self) -> String {
        let mut text = "expect:\n".to_owned();
        match &self.outcome.ending {
            Ending::Fail(_) => text.push_str("  outcome: fail\n"),
            Ending::Error(error) => {
                let _ = writeln!(text, "  outcome: error\n  error: {}", error.kind.name());
            }
            Ending::Return(value) if self.is_value_known => {
                let _ = writeln!(text, "  outcome: return\n  value: {}", of_json(&to_json(value)));
            }
            Ending::Return(_) => text.push_str("  outcome: return\n"),
        }
        let _ = writeln!(text, "  tool_calls: {}", self.calls);
        if let Some(prints) = &self.prints {
            let _ = writeln!(text, "  prints: {}", of_json(&prints.clone().into()));
        }
        text
    }

    /// The numbers of calls and prints as text.
    pub(super) fn tally(&self) -> String {
        let mut tally = format!("1 program, {}", count(self.calls, "call"));
        if let Some(prints) = &self.prints {
            tally += &format!(", {}", count(prints.len(), "print"));
        }
        if self.is_value_known {
            tally += ", its value";
        }
        tally
    }

    /// A remark about calls missing in the log.
    pub(super) fn remark(&self) -> Option<String> {
        let calls = count(self.calls, "call");
        let remark = format!("limited to the {calls} of the log, after which the program would go on");
        self.agent.limits.tool_calls.map(|_| remark)
    }
}

/// The logged calls of the program, each with its result.
fn logged_calls(transcript: &Transcript) -> Result<Vec<LoggedCall>, String> {
    let results: IndexMap<&str, &str> = transcript
        .messages
        .iter()
        .filter_map(|message| Some((message.call.as_deref()?, message.content.as_str())))
        .collect();
    let mut calls = Vec::new();
    for call in transcript.messages.iter().flat_map(|message| &message.tool_calls) {
        let Ok(arguments) = serde_json::from_str(call.arguments.get()) else {
            return Err(format!("the arguments of a call of {} have no names", call.name));
        };
        let result = results.get(call.id.as_str()).and_then(|result| serde_json::from_str(result).ok());
        // The journal of a killed run may end during a call.
        let Some(result) = result else {
            return Err(format!("the log has no result of a call of {}", call.name));
        };
        calls.push(LoggedCall { name: call.name.clone(), arguments, result });
    }
    Ok(calls)
}

/// Calls of a tool with the same arguments, in order.
struct Repeated<'c> {
    arguments: &'c Map<String, Json>,
    results: Vec<&'c Json>,
}

/// Tools scripted with the logged results: repeated calls with the same arguments get their results in order.
fn tools_of_calls(calls: &[LoggedCall]) -> Result<Vec<Tool>, String> {
    let mut by_name: IndexMap<&str, IndexMap<String, Repeated>> = IndexMap::new();
    for call in calls {
        if let Some((message, _)) = refuse_symbol("a tool", &call.name) {
            return Err(message);
        }
        let cases = by_name.entry(&call.name).or_default();
        // Clients may order the same arguments differently.
        let mut sorted: Vec<_> = call.arguments.iter().collect();
        sorted.sort_by_key(|(name, _)| *name);
        let key = serde_json::to_string(&sorted).map_err(|error| error.to_string())?;
        let empty = Repeated { arguments: &call.arguments, results: Vec::new() };
        cases.entry(key).or_insert(empty).results.push(&call.result);
    }
    let mut tools = Vec::with_capacity(by_name.len());
    for (name, cases) in by_name {
        let mut cases: Vec<ToolCase> = cases.into_values().filter_map(make_case).collect();
        // The first matching case wins, so put cases with more arguments first.
        cases.sort_by_key(|case| Reverse(case.when.len()));
        let behaviour = Behaviour::Cases { cases, otherwise: None };
        tools.push(Tool { name: Symbol::new(name), signature: None, description: None, behaviour });
    }
    tools.sort_by_key(|tool| tool.name);
    Ok(tools)
}

/// The case of a tool that gives these results in order; `None` if they have arguments of no map.
fn make_case(repeated: Repeated<'_>) -> Option<ToolCase> {
    let Repeated { arguments, mut results } = repeated;
    let is_same = results.iter().all(|result| Some(result) == results.first());
    if is_same {
        results.truncate(1);
    }
    let Value::Map(when) = from_json(&arguments.clone().into()) else { return None };
    let answers: Vec<ToolAnswer> =
        results.into_iter().map(|result| ToolAnswer::Returns(result_value(result))).collect();
    (!answers.is_empty()).then_some(ToolCase { when, answers })
}

/// Converts JSON to a value as in journals: keys are strings instead of keywords.
fn exact_value(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::vector(items.iter().map(exact_value).collect::<Vec<_>>()),
        Json::Object(entries) => Value::map(
            entries.iter().map(|(name, json)| (Value::str(name.as_str()), exact_value(json))).collect(),
        ),
        scalar => from_json(scalar),
    }
}

/// Converts the result of a capability. An envelope with a status becomes a map with keyword keys, as in the logged program.
fn result_value(result: &Json) -> Value {
    let Json::Object(entries) = result else { return exact_value(result) };
    let Some(Json::String(_)) = entries.get("status") else { return exact_value(result) };
    Value::map(
        entries
            .iter()
            .map(|(name, json)| {
                let value = match json {
                    Json::String(status) if name == "status" => Value::keyword(status),
                    json => exact_value(json),
                };
                (Value::keyword(name), value)
            })
            .collect(),
    )
}

fn as_lisp(value: &Value) -> Option<String> {
    Some(format!("!lisp {}", quoted(&whole(value).ok()?)))
}

fn answer_text(answer: &ToolAnswer) -> Option<String> {
    match answer {
        ToolAnswer::Returns(value) => Some(format!("returns: {}", as_lisp(value)?)),
        ToolAnswer::Fails(reason) => Some(format!("fails: {}", as_lisp(reason)?)),
    }
}

/// Compares the calls and prints of a run with its log, in order.
fn compare_with_journal(
    outcome: &RunOutcome,
    calls: &[LoggedCall],
    prints: Option<&[String]>,
) -> Result<(), String> {
    let Some(turn) = outcome.turns.first() else {
        let reason = outcome.ending.error().map_or_else(String::new, |error| format!(": {}", error.message));
        return Err(format!("the preludes cannot be loaded{reason}"));
    };
    let error = turn.result.as_ref().err().map_or_else(String::new, |error| format!(" ({})", error.message));
    for (number, (made, call)) in (1..).zip(turn.tool_calls.iter().zip(calls)) {
        let arguments = arguments_of(made);
        if made.name.name() != call.name || arguments != Json::Object(call.arguments.clone()) {
            let logged = Json::Object(call.arguments.clone());
            let (made, call) = (made.name, &call.name);
            return Err(format!("call {number} is {made} {arguments}, but {call} {logged} in the log"));
        }
    }
    if turn.tool_calls.len() != calls.len() {
        let (made, logged) = (count(turn.tool_calls.len(), "call"), calls.len());
        return Err(format!("it makes {made}, but {logged} in the log{error}"));
    }
    match prints {
        Some(prints) if !turn.prints.iter().eq(prints) => {
            Err(format!("it prints other texts than the log has{error}"))
        }
        _ => Ok(()),
    }
}

fn arguments_of(call: &ToolCall) -> Json {
    match &call.arguments {
        Arguments::Named(map) => to_json(&Value::Map(map.clone())),
        Arguments::Positional(values) => values.iter().map(to_json).collect(),
    }
}

/// The content of the first message with this role; empty if there is none.
fn first_content(transcript: &Transcript, role: TranscriptRole) -> &str {
    let mut messages = transcript.messages.iter();
    messages.find(|message| message.role == role).map_or("", |message| message.content.as_str())
}
