//! Binds the arguments of a tool call to the names of the tool's parameters (`docs/language.md` §7.1 to §7.3).

use crate::signature::{Accepted, Field, Mismatches, coerce};
use ptc_lisp::error::{ErrorKind, Eval, raise};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::session::Arguments;
use ptc_lisp::stack::guarded;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

use super::tool::Tool;

/// The allocation charged for the record of a call, in bytes. The record outlives the call, so a program with calls in a loop must hit its
/// memory limit.
const RECORD: usize = 256;

/// Binds arguments to the tool's parameters and coerces their types. Elements cost ticks, strings cost allocation.
///
/// # Errors
/// `tool_args_error`, or a spent limit.
pub fn bind_arguments(
    tool: &Tool,
    arguments: &Arguments,
    interpreter: &mut Interpreter<'_>,
) -> Eval<Accepted<Map>> {
    interpreter.allocate(RECORD)?;
    let named = match by_name(tool, arguments) {
        Ok(named) => named,
        Err(reason) => return refuse_arguments(tool, &reason),
    };
    if let Some(mismatch) = not_data(&named, interpreter)? {
        return refuse_arguments(tool, &mismatch.to_string());
    }
    let Some(signature) = &tool.signature else {
        return Ok(Accepted { value: named, warnings: Vec::new() });
    };
    match coerce(&signature.parameters, &named, &mut |count| interpreter.tick(count))? {
        Ok(accepted) => Ok(accepted),
        Err(mismatches) => refuse_arguments(tool, &mismatches.to_string()),
    }
}

fn refuse_arguments<T>(tool: &Tool, reason: &str) -> Eval<T> {
    raise(ErrorKind::ToolArgsError, format!("Tool '{}' arguments invalid: {reason}", tool.name))
}

fn by_name(tool: &Tool, arguments: &Arguments) -> Result<Map, String> {
    match (arguments, &tool.signature) {
        (Arguments::Named(map), _) => Ok(map.as_ref().clone()),
        (Arguments::Positional(values), Some(signature)) => in_order(&signature.parameters, values),
        (Arguments::Positional(values), None) => Ok(number_values(values)),
    }
}

fn in_order(parameters: &[Field], values: &[Value]) -> Result<Map, String> {
    if values.len() > parameters.len() {
        let plural = if parameters.len() == 1 { "" } else { "s" };
        return Err(format!("expected at most {} argument{plural}, got {}", parameters.len(), values.len()));
    }
    let names = parameters.iter().map(|parameter| Value::Keyword(Symbol::new(&parameter.name)));
    Ok(names.zip(values.iter().cloned()).collect())
}

fn number_values(values: &[Value]) -> Map {
    let names = (1..).map(|number: usize| Value::keyword(&format!("arg{number}")));
    names.zip(values.iter().cloned()).collect()
}

/// Finds the first value that is not data, such as a function.
fn not_data(arguments: &Map, interpreter: &mut Interpreter<'_>) -> Eval<Option<Mismatches>> {
    for (key, value) in arguments.iter() {
        if let Some(type_name) = first_not_data(value, interpreter)? {
            let path = ptc_lisp::print::str_of(key);
            let path = path.strip_prefix(':').unwrap_or(&path);
            return Ok(Some(Mismatches::of_one(path, format!("expected data, got {type_name}"))));
        }
    }
    Ok(None)
}

/// The type name of the first value that is not data.
fn first_not_data(value: &Value, interpreter: &mut Interpreter<'_>) -> Eval<Option<&'static str>> {
    match value {
        Value::Vector(items) | Value::List(items) => any_not_data(items.iter(), items.len(), interpreter),
        Value::Set(set) => any_not_data(set.keys(), set.len(), interpreter),
        Value::Map(map) => any_not_data(map.keys().chain(map.values()), map.len(), interpreter),
        Value::Str(text) => interpreter.allocate(text.len()).map(|()| None),
        // These exist only inside a program: JSON has no form for them.
        Value::Function(_) | Value::Reduced(_) | Value::Regex(_) | Value::Var(_) | Value::Generator(_) => {
            Ok(Some(value.type_name()))
        }
        _ => Ok(None),
    }
}

fn any_not_data<'v>(
    values: impl Iterator<Item = &'v Value>,
    count: usize,
    interpreter: &mut Interpreter<'_>,
) -> Eval<Option<&'static str>> {
    interpreter.tick(count)?;
    guarded(|| {
        for value in values {
            if let Some(type_name) = first_not_data(value, interpreter)? {
                return Ok(Some(type_name));
            }
        }
        Ok(None)
    })
}
