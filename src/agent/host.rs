//! The scripted tools of one run: answers calls and records them (`docs/language.md` §7).

use crate::signature::Accepted;
use ptc_lisp::error::{Error, ErrorKind, Eval, Phase, Unwind, raise};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::json::allocation;
use ptc_lisp::print::{Style, to_clojure};
use ptc_lisp::session::{Host, State, ToolRequest, prepare};
use ptc_lisp::stack::guarded;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

use super::arguments::bind_arguments;
use super::matching::matches;
use super::tool::{Behaviour, Tool, ToolAnswer, ToolCall, ToolCase};

/// The most items and characters of a value in a message about a call.
const SHOWN: (usize, usize) = (10, 200);

/// Tools with their state and calls.
pub struct ScriptedHost<'a> {
    tools: Vec<ScriptedTool<'a>>,
    calls: Vec<ToolCall>,
    unscripted: Option<Error>,
}

struct ScriptedTool<'a> {
    tool: &'a Tool,
    /// The number of calls answered by each case. The last entry is for `otherwise` or `Always`.
    answered: Vec<usize>,
    /// The function defined by the tool's program. `None` before the first call.
    function: Option<Value>,
    /// The definitions in that program.
    definitions: State,
}

impl<'a> ScriptedHost<'a> {
    pub fn new(tools: &'a [Tool]) -> ScriptedHost<'a> {
        let tools = tools.iter().map(ScriptedTool::new).collect();
        ScriptedHost { tools, calls: Vec::new(), unscripted: None }
    }

    /// Takes the calls since the last time.
    pub fn take_calls(&mut self) -> Vec<ToolCall> {
        std::mem::take(&mut self.calls)
    }

    /// The error of the first call without a matching case. It ends the run even if the program catches it.
    pub fn unscripted(&self) -> Option<&Error> {
        self.unscripted.as_ref()
    }

    fn record_call(&mut self, request: ToolRequest, warnings: Vec<String>, answer: &Eval) {
        let (result, error) = match answer {
            Ok(value) => (value.clone(), None),
            Err(unwind) => (Value::Nil, Some(describe_unwind(unwind))),
        };
        self.calls.push(ToolCall {
            name: request.name,
            arguments: request.arguments,
            result,
            error,
            warnings,
            captured: request.captured,
        });
    }

    fn remember_unscripted(&mut self, answer: &Eval) {
        if let Err(unwind) = answer
            && let Unwind::Error(error) = unwind.as_ref()
            && error.kind == ErrorKind::ToolUnscripted
        {
            self.unscripted.get_or_insert_with(|| error.clone());
        }
    }
}

impl Host for ScriptedHost<'_> {
    fn call_tool(&mut self, interpreter: &mut Interpreter<'_>, request: ToolRequest) -> Eval<Value> {
        let Some(scripted) = self.tools.iter_mut().find(|scripted| scripted.tool.name == request.name) else {
            return raise(ErrorKind::ToolNotFound, format!("Unknown tool: {}", request.name));
        };
        let bound = bind_arguments(scripted.tool, &request.arguments, interpreter)?;
        let Accepted { value: arguments, warnings } = bound;
        let answer = scripted.answer_call(interpreter, arguments);
        self.remember_unscripted(&answer);
        self.record_call(request, warnings, &answer);
        answer
    }
}

impl<'a> ScriptedTool<'a> {
    fn new(tool: &'a Tool) -> ScriptedTool<'a> {
        let cases = match &tool.behaviour {
            Behaviour::Cases { cases, .. } => cases.len(),
            Behaviour::Always(_) | Behaviour::Program(_) => 0,
        };
        ScriptedTool { tool, answered: vec![0; cases + 1], function: None, definitions: State::default() }
    }

    fn answer_call(&mut self, interpreter: &mut Interpreter<'_>, arguments: Map) -> Eval {
        let tool = self.tool;
        match &tool.behaviour {
            Behaviour::Always(answers) => self.answer_scripted(interpreter, 0, answers),
            Behaviour::Cases { cases, otherwise } => {
                for (index, case) in cases.iter().enumerate() {
                    if matches(&case.when, &arguments) {
                        return self.answer_scripted(interpreter, index, &case.answers);
                    }
                }
                match otherwise {
                    Some(answers) => self.answer_scripted(interpreter, cases.len(), answers),
                    None => raise(ErrorKind::ToolUnscripted, unscripted_message(tool, cases, arguments)),
                }
            }
            Behaviour::Program(source) => self.answer_programmed(interpreter, source, arguments),
        }
    }

    /// The next answer of a case. The last one repeats.
    fn answer_scripted(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        case: usize,
        answers: &[ToolAnswer],
    ) -> Eval {
        let earlier_calls = self.answered[case];
        self.answered[case] += 1;
        match answers.get(earlier_calls).or(answers.last()) {
            Some(ToolAnswer::Returns(value)) => {
                interpreter.allocate(allocation(value))?;
                Ok(value.clone())
            }
            Some(ToolAnswer::Fails(reason)) => self.fail_call(interpreter, reason.clone()),
            None => Ok(Value::Nil),
        }
    }

    fn answer_programmed(&mut self, interpreter: &mut Interpreter<'_>, source: &str, arguments: Map) -> Eval {
        let ScriptedTool { tool, function, definitions, .. } = self;
        let answer = interpreter.within(definitions, |interpreter| {
            let function = match function {
                Some(function) => function.clone(),
                None => {
                    let program = prepare(&format!("tool/{}", tool.name), source, &|_| false)?;
                    function.insert(interpreter.evaluate(&program)?).clone()
                }
            };
            interpreter.call(&function, &mut [Value::map(arguments)])
        });
        match answer.map_err(|unwind| *unwind) {
            Ok(value) | Err(Unwind::Return(value)) => as_data(interpreter, value),
            Err(Unwind::Fail(reason)) => self.fail_call(interpreter, reason),
            // Tool and program share the limits, so `try` must not catch a spent limit as a failure of the tool.
            Err(Unwind::Error(error)) if is_limit(error.kind) => Err(error.into()),
            Err(Unwind::Error(error)) => self.fail_call(interpreter, Value::Str(error.message)),
        }
    }

    fn fail_call(&self, interpreter: &mut Interpreter<'_>, reason: Value) -> Eval {
        let reason = interpreter.printed(Style::Readable, &[reason], " ")?;
        interpreter.allocate(reason.len())?;
        raise(ErrorKind::ToolError, format!("Tool '{}' failed: {reason}", self.tool.name))
    }
}

fn unscripted_message(tool: &Tool, cases: &[ToolCase], arguments: Map) -> String {
    let arguments = to_clojure(&Value::map(arguments), SHOWN.0, SHOWN.1).0;
    let mut known = Vec::with_capacity(cases.len());
    for case in cases {
        known.push(to_clojure(&Value::Map(case.when.clone()), SHOWN.0, SHOWN.1).0);
    }
    let cases =
        if known.is_empty() { "it has none".to_string() } else { format!("cases: {}", known.join(", ")) };
    format!("no case of tool '{}' matches {arguments}; {cases}; add one, or otherwise", tool.name)
}

fn describe_unwind(unwind: &Unwind) -> String {
    match unwind {
        Unwind::Error(error) => error.message.to_string(),
        Unwind::Return(value) | Unwind::Fail(value) => to_clojure(value, SHOWN.0, SHOWN.1).0,
    }
}

/// Returns true for errors of spent limits.
fn is_limit(kind: ErrorKind) -> bool {
    kind.phase() == Phase::Eval && !kind.is_catchable()
}

/// Converts every sequence in a tool's value to a vector (`docs/language.md` §4.1).
fn as_data(interpreter: &mut Interpreter<'_>, value: Value) -> Eval {
    match value {
        Value::List(items) | Value::Vector(items) => {
            interpreter.tick(items.len())?;
            let items = guarded(|| {
                items.into_iter().map(|item| as_data(interpreter, item)).collect::<Eval<Vec<_>>>()
            })?;
            interpreter.vector(items)
        }
        Value::Map(map) => {
            interpreter.tick(map.len())?;
            interpreter.allocate_entries(map.len())?;
            let mut changed = Map::clone(&map);
            for (key, value) in map.iter() {
                changed.insert(key.clone(), guarded(|| as_data(interpreter, value.clone()))?);
            }
            Ok(Value::map(changed))
        }
        Value::Str(text) => {
            interpreter.allocate(text.len())?;
            Ok(Value::Str(text))
        }
        other => Ok(other),
    }
}
