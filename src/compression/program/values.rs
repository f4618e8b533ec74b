//! A run as plain PTC-Lisp values, the arguments of custom strategies. They are built once per run and shared by its requests. Turns share
//! equal entries of `memory`.

use crate::agent::{Call, LoggedCall, LoggedTurn, Past, ProgramTurn, Tool, ToolCall};
use crate::compression::run::{past_of, turns_left};
use crate::compression::sections::calls;
use crate::signature::format_signature;
use ecow::EcoString;
use history_strategies::{Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT, View};
use ptc_lisp::error::ErrorKind;
use ptc_lisp::json::from_json;
use ptc_lisp::memory::{Definition, Memory};
use ptc_lisp::session::Arguments;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// A turn, and the definitions in `user/` after it.
pub struct TurnValues {
    pub turn: Value,
    pub memory: Value,
}

/// All turns of a run.
pub fn turns(past: Past<'_>) -> Vec<TurnValues> {
    match past {
        Past::Program { turns, .. } => program_turns(turns),
        Past::Logged { turns, .. } => turns.iter().map(logged_turn).collect(),
    }
}

fn program_turns(turns: &[ProgramTurn]) -> Vec<TurnValues> {
    let mut entries: Vec<(&Definition, Value)> = Vec::new();
    let mut values = Vec::with_capacity(turns.len());
    for turn in turns {
        update_entries(&mut entries, &turn.memory);
        let mut memory = Vec::with_capacity(entries.len());
        for (_, entry) in &entries {
            memory.push(entry.clone());
        }
        let memory = Value::vector(memory);
        let result = match &turn.result {
            Ok(value) => value.clone(),
            Err(error) => error_value(error.kind, &error.message),
        };
        let fields = TurnFields {
            number: turn.number,
            text: &turn.raw_response,
            program: &turn.program,
            result,
            prints: &turn.prints,
            calls: turn.tool_calls.iter().map(call_value).collect(),
            success: turn.success,
        };
        values.push(TurnValues { turn: fields.with_memory(&memory), memory });
    }
    values
}

/// A logged turn in the same shape. It has no program and defines nothing.
fn logged_turn(turn: &LoggedTurn) -> TurnValues {
    let memory = Value::vector(Vec::new());
    let result = match &turn.error {
        Some(error) => error_value(ErrorKind::ToolError, error),
        None => Value::Nil,
    };
    let fields = TurnFields {
        number: turn.number,
        text: &turn.answer.content,
        program: "",
        result,
        prints: &turn.outputs,
        calls: turn.calls.iter().map(logged_call).collect(),
        success: turn.error.is_none(),
    };
    TurnValues { turn: fields.with_memory(&memory), memory }
}

/// The argument `opts`: the eight standard entries, then the strategy's own options.
pub fn opts(view: &View<'_>, options: &Options) -> Value {
    let past = past_of(view);
    let (mut tools, mut data, mut signature) = (Vec::new(), Map::new(), None);
    if let Some(agent) = past.agent() {
        tools.extend(agent.tools.iter().map(tool_value));
        for (name, value) in agent.data.iter() {
            data.insert(Value::Keyword(*name), value.clone());
        }
        if let Some(own) = &agent.signature {
            signature = Some(own.returns.to_string());
        }
    }
    let mut map = make_record(vec![
        ("mission", past.mission().into()),
        ("system-prompt", view.system_text().into()),
        ("tools", Value::vector(tools)),
        ("data", Value::map(data)),
        ("turns-left", Value::Int(turns_left(view).into())),
        ("println-limit", options.get(&PRINTLN_LIMIT).into()),
        ("tool-call-limit", options.get(&TOOL_CALL_LIMIT).into()),
        ("signature", text_value(signature)),
    ]);
    for (name, value) in options.extra() {
        map.insert(Value::keyword(name), from_json(value));
    }
    Value::map(map)
}

/// Updates changed entries. `entries` has the order of `memory`.
fn update_entries<'m>(entries: &mut Vec<(&'m Definition, Value)>, memory: &'m Memory) {
    // Names are never removed and keep their places: a failed turn has the memory of the turn before.
    for (index, definition) in memory.iter().enumerate() {
        match entries.get_mut(index) {
            Some((old, _)) if old.turn == definition.turn && old.return_type == definition.return_type => {}
            Some(entry) => *entry = (definition, entry_value(definition)),
            None => entries.push((definition, entry_value(definition))),
        }
    }
    entries.truncate(memory.len());
}

fn entry_value(definition: &Definition) -> Value {
    Value::map(make_record(vec![
        ("name", definition.name.name().into()),
        ("value", definition.value.clone()),
        ("docstring", text_value(definition.docstring.clone())),
        ("turn", Value::Int(definition.turn.into())),
        ("return-type", text_value(definition.return_type.map(|label| label.to_string()))),
    ]))
}

/// The fields of a turn, except for `memory`.
struct TurnFields<'t> {
    number: u32,
    text: &'t EcoString,
    program: &'t str,
    result: Value,
    prints: &'t [EcoString],
    calls: Vec<Value>,
    success: bool,
}

impl TurnFields<'_> {
    /// Converts a turn to a map with its eight fields.
    fn with_memory(self, memory: &Value) -> Value {
        let prints: Vec<Value> = self.prints.iter().cloned().map(Value::Str).collect();
        Value::map(make_record(vec![
            ("number", Value::Int(self.number.into())),
            ("raw-response", Value::Str(self.text.clone())),
            ("program", self.program.into()),
            ("result", self.result),
            ("prints", Value::vector(prints)),
            ("tool-calls", Value::vector(self.calls)),
            ("memory", memory.clone()),
            ("success", Value::Bool(self.success)),
        ]))
    }
}

fn error_value(kind: ErrorKind, message: &EcoString) -> Value {
    Value::map(make_record(vec![("kind", kind.name().into()), ("message", Value::Str(message.clone()))]))
}

/// A call with the fields from `docs/language.md`, and its text in requests.
fn call_value(call: &ToolCall) -> Value {
    let (style, arguments) = match &call.arguments {
        Arguments::Named(map) => (NAMED, Value::Map(map.clone())),
        Arguments::Positional(values) => (POSITIONAL, Value::vector(values.clone())),
    };
    Value::map(make_record(vec![
        ("name", call.name.name().into()),
        ("args", arguments),
        ("call-style", style.into()),
        ("result", call.result.clone()),
        ("error", text_value(call.error.clone())),
        ("captured", Value::Bool(call.captured)),
        ("text", calls::text(Call::Program(call)).as_str().into()),
    ]))
}

/// A logged call in the same shape. Its result is among the prints of its turn, so it has none itself.
fn logged_call(call: &LoggedCall) -> Value {
    let (style, arguments) = match &call.arguments {
        Some(fields @ serde_json::Value::Object(_)) => (NAMED, from_json(fields)),
        single => (POSITIONAL, Value::vector(single.iter().map(from_json).collect::<Vec<_>>())),
    };
    Value::map(make_record(vec![
        ("name", call.name.as_str().into()),
        ("args", arguments),
        ("call-style", style.into()),
        ("result", Value::Nil),
        ("error", text_value(call.error.clone())),
        ("captured", Value::Bool(true)),
        ("text", calls::text(Call::Logged(call)).as_str().into()),
    ]))
}

const NAMED: &str = "named";
const POSITIONAL: &str = "positional";

fn tool_value(tool: &Tool) -> Value {
    Value::map(make_record(vec![
        ("name", tool.name.name().into()),
        ("signature", text_value(tool.signature.as_ref().map(format_signature))),
        ("description", text_value(tool.description.clone())),
    ]))
}

fn text_value(text: Option<impl Into<EcoString>>) -> Value {
    text.map_or(Value::Nil, Value::str)
}

fn make_record(fields: Vec<(&str, Value)>) -> Map {
    let mut record = Map::new();
    for (name, value) in fields {
        record.insert(Value::keyword(name), value);
    }
    record
}
