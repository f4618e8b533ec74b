//! Reads JSON and EDN, and writes JSON.

use crate::builtins::prelude::*;
use crate::json;
use crate::read::{literal, read};
use crate::source::Source;

/// Upper bound of the slots that a text of EDN needs, in bytes for each of its characters.
const EDN_BYTES_PER_CHARACTER: usize = 16;

builtins! {
    pub(super) static ROWS;

    "edn/read-string" = read_edn;
    "json/generate-string" = generate_string;
    "json/parse" = parse;
    "json/parse-lines" = |cx: &mut Call, text: &Value| -> Eval {
        let Value::Str(text) = text else { return Ok(Value::Nil) };
        cx.tick_text(text)?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let values = lines.map(|line| parsed(cx, line)).collect::<Eval<Vec<Value>>>()?;
        cx.vector(values)
    };
    "json/parse-string" = parse;
    "json/read-str" alias "json/parse-string" = parse;
    "json/write-str" alias "json/generate-string" = generate_string;
}

/// The options that libraries take for keywords as keys ask for what is done anyway.
fn parse(cx: &mut Call, text: &Value, options: &mut [Value]) -> Eval {
    let is_keyword =
        |value: &Value| matches!(value, Value::Function(Function::Builtin(f)) if f.name == "keyword");
    match options {
        [] | [Value::Bool(true)] => {}
        [function] if is_keyword(function) => {}
        [Value::Keyword(option), function] if option.name() == "key-fn" && is_keyword(function) => {}
        _ => return arity_error(cx.name, "1", 1 + options.len()),
    }
    let Value::Str(text) = text else { return Ok(Value::Nil) };
    cx.tick_text(text)?;
    parsed(cx, text)
}

fn parsed(cx: &mut Call, text: &str) -> Eval {
    let value = json::parse(text).unwrap_or_default();
    cx.allocate(json::allocation(&value))?;
    Ok(value)
}

fn generate_string(cx: &mut Call, value: Value) -> Eval {
    let value = cx.realized(value)?;
    let Some((text, elements)) = json::generate(&value) else { return Ok(Value::Nil) };
    cx.tick(elements)?;
    cx.string(text)
}

/// `(edn/read-string options? text)`
fn read_edn(cx: &mut Call, first: &Value, second: Option<&Value>) -> Eval {
    let text = second.unwrap_or(first);
    let unreadable = |cx: &Call, hint: &str| type_error_hint(cx.name, "text that shows data", text, hint);
    const CODE: &str = "Symbols and tagged literals are no data";
    let source = match text {
        Value::Nil => return Ok(Value::Nil),
        Value::Str(source) => source,
        _ => return cx.type_error("text that shows data", text),
    };
    cx.tick_text(source)?;
    cx.allocate(EDN_BYTES_PER_CHARACTER * source.len())?;
    match read(&Source::new("text", source.as_str())).as_deref() {
        Ok([]) if second.is_some() => Ok(flexible::get(first, &Value::keyword("eof")).unwrap_or_default()),
        Ok([]) => Ok(Value::Nil),
        Ok([first, ..]) => literal(first).map_or_else(|| unreadable(cx, CODE), Ok),
        Err(error) => unreadable(cx, &error.message),
    }
}
