//! A run as strategies in PTC-Lisp see it: maps of plain values. They are made once for a run and shared by its requests. Turns share
//! the entries of `memory` that they have in common.

use crate::agent::{Agent, Tool, ToolCall, Turn};
use crate::compression::options::{Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT};
use crate::compression::sections::calls;
use crate::signature::Fields;
use ptc_lisp::error::Error;
use ptc_lisp::memory::{Definition, Memory};
use ptc_lisp::session::Arguments;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// A turn, and `user/` after it.
pub struct TurnValues {
    pub turn: Value,
    pub memory: Value,
}

/// All turns of a run.
pub fn turns(turns: &[Turn]) -> Vec<TurnValues> {
    let mut entries: Vec<(&Definition, Value)> = Vec::new();
    let values = turns.iter().map(|turn| {
        update(&mut entries, &turn.memory);
        let memory = Value::vector(entries.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        TurnValues { turn: turn_value(turn, &memory), memory }
    });
    values.collect()
}

/// The argument `opts`: the eight entries that every strategy gets, then the strategy's own options.
pub fn opts(agent: &Agent, turns_left: u32, options: &Options) -> Value {
    let tools: Vec<Value> = agent.tools.iter().map(tool).collect();
    let data: Map = agent.data.iter().map(|(name, value)| (Value::Keyword(*name), value.clone())).collect();
    let mut map = record(vec![
        ("mission", agent.mission.as_str().into()),
        ("system-prompt", Value::Str(agent.system_text())),
        ("tools", Value::vector(tools)),
        ("data", Value::map(data)),
        ("turns-left", Value::Int(turns_left.into())),
        ("println-limit", options.get(&PRINTLN_LIMIT).into()),
        ("tool-call-limit", options.get(&TOOL_CALL_LIMIT).into()),
        ("signature", text(agent.signature.as_ref().map(|signature| signature.returns.to_string()))),
    ]);
    for (name, value) in options.extra() {
        map.insert(Value::Keyword(*name), value.clone());
    }
    Value::map(map)
}

/// Updates the entries that changed. `entries` has them in the order of `memory`.
fn update<'m>(entries: &mut Vec<(&'m Definition, Value)>, memory: &'m Memory) {
    let is_same =
        |old: &Definition, new: &Definition| old.turn == new.turn && old.return_type == new.return_type;
    // Names never go away and keep their places: a failed turn has the memory of the turn before.
    for (index, definition) in memory.iter().enumerate() {
        match entries.get_mut(index) {
            Some((old, _)) if is_same(old, definition) => {}
            Some(entry) => *entry = (definition, entry_value(definition)),
            None => entries.push((definition, entry_value(definition))),
        }
    }
    entries.truncate(memory.len());
}

fn entry_value(definition: &Definition) -> Value {
    Value::map(record(vec![
        ("name", definition.name.name().into()),
        ("value", definition.value.clone()),
        ("docstring", text(definition.docstring.clone())),
        ("turn", Value::Int(definition.turn.into())),
        ("return-type", text(definition.return_type.map(|label| label.to_string()))),
    ]))
}

/// A turn with its eight fields.
fn turn_value(turn: &Turn, memory: &Value) -> Value {
    let prints: Vec<Value> = turn.prints.iter().map(|print| Value::Str(print.clone())).collect();
    let calls: Vec<Value> = turn.tool_calls.iter().map(call).collect();
    Value::map(record(vec![
        ("number", Value::Int(turn.number.into())),
        ("raw-response", Value::Str(turn.raw_response.clone())),
        ("program", Value::Str(turn.program.clone())),
        ("result", turn.result.clone().unwrap_or_else(|error| error_value(&error))),
        ("prints", Value::vector(prints)),
        ("tool-calls", Value::vector(calls)),
        ("memory", memory.clone()),
        ("success", Value::Bool(turn.success)),
    ]))
}

fn error_value(error: &Error) -> Value {
    Value::map(record(vec![
        ("kind", error.kind.name().into()),
        ("message", Value::Str(error.message.clone())),
    ]))
}

/// A call with the fields of `docs/language.md`, and its text as requests show it.
fn call(call: &ToolCall) -> Value {
    let (style, arguments) = match &call.arguments {
        Arguments::Named(map) => ("named", Value::Map(map.clone())),
        Arguments::Positional(values) => ("positional", Value::vector(values.clone())),
    };
    Value::map(record(vec![
        ("name", call.name.name().into()),
        ("args", arguments),
        ("call-style", style.into()),
        ("result", call.result.clone()),
        ("error", text(call.error.clone())),
        ("captured", Value::Bool(call.captured)),
        ("text", calls::text(call).as_str().into()),
    ]))
}

fn tool(tool: &Tool) -> Value {
    let signature = tool.signature.as_ref();
    let signature =
        signature.map(|signature| format!("({}) -> {}", Fields(&signature.parameters), signature.returns));
    Value::map(record(vec![
        ("name", tool.name.name().into()),
        ("signature", text(signature)),
        ("description", text(tool.description.clone())),
    ]))
}

fn text(text: Option<impl Into<ecow::EcoString>>) -> Value {
    text.map_or(Value::Nil, Value::str)
}

fn record(fields: Vec<(&str, Value)>) -> Map {
    fields.into_iter().map(|(name, value)| (Value::keyword(name), value)).collect()
}
