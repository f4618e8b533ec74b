//! JSON text to values and back, and the row of the data that is read in `edn`.

use super::super::error::Eval;
use super::super::eval::{Interpreter, infinite};
use super::super::json;
use super::super::value::Value;
use super::{between, builtins, edn, exactly};

builtins! {
    pub(super) static ROWS;

    /// The first value that the text shows; nil, or what :eof says in a map before it, where it shows none.
    "edn/read-string" [between(1, 2)] = edn::read_string =>
        r#"(edn/read-string "{:a [1 2.5]}") ;=> {:a [1 2.5]}"#
    /// Compact JSON text of a value; nil where something in it has no JSON form.
    "json/generate-string" [exactly(1)] = generate_string =>
        r#"(json/generate-string {:a [1 nil]}) ;=> "{\"a\":[1,null]}""#
    /// The value of JSON text, keys as keywords; nil where it is not JSON.
    "json/parse" [exactly(1)] = parse => r#"(json/parse "{\"a\": [1, 2.5]}") ;=> {:a [1 2.5]}"#
    /// The values of lines of JSON text; blank lines are skipped, a line that is not JSON is nil.
    "json/parse-lines" [exactly(1)] = parse_lines => r#"(json/parse-lines "1\n\n{}") ;=> [1 {}]"#
    /// The value of JSON text, keys as keywords; nil where it is not JSON.
    "json/parse-string" [exactly(1)] = parse => r#"(json/parse-string "[true, null]") ;=> [true nil]"#
}

fn parse(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            parsed(cx, text)
        }
        _ => Ok(Value::Nil),
    }
}

fn parse_lines(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = args else { return Ok(Value::Nil) };
    cx.tick_text(text)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values = lines.map(|line| parsed(cx, line)).collect::<Eval<Vec<Value>>>()?;
    cx.vector(values)
}

fn parsed(cx: &mut Interpreter<'_>, text: &str) -> Eval {
    let value = json::parse(text).unwrap_or_default();
    cx.allocate(bytes(&value))?;
    Ok(value)
}

/// What a value read from JSON costs; readers do not nest deeply.
fn bytes(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.len(),
        Value::Vector(items) => 16 * items.len() + items.iter().map(bytes).sum::<usize>(),
        Value::Map(map) => map.iter().map(|(key, value)| 32 + bytes(key) + bytes(value)).sum(),
        _ => 0,
    }
}

fn generate_string(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Generator(_)] => infinite(),
        [value] => match json::generate(value) {
            Some((text, elements)) => {
                cx.tick(elements)?;
                cx.string(text)
            }
            None => Ok(Value::Nil),
        },
        _ => Ok(Value::Nil),
    }
}
