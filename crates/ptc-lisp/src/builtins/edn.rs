//! Text of Clojure's data to values. Nothing in it is evaluated.

use crate::error::{Eval, type_error_hint};
use crate::eval::Interpreter;
use crate::flexible;
use crate::read::{literal, read};
use crate::source::Source;
use crate::value::Value;

/// A slot for each character is more than what any text of data comes to.
const BYTES_OF_A_CHARACTER: usize = 16;

/// `(edn/read-string options? text)`
pub(super) fn read_string(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (at_end, text) = match args {
        [options, text] => (flexible::get(options, &Value::keyword("eof")), text),
        [text] => (None, text),
        _ => return Ok(Value::Nil),
    };
    if text.is_nil() {
        return Ok(Value::Nil);
    }
    let Value::Str(source) = &*text else { return no_data(text) };
    cx.tick_text(source)?;
    cx.allocate(BYTES_OF_A_CHARACTER * source.len())?;
    match read(&Source::new("text", source.as_str())).as_deref() {
        Ok([]) => Ok(at_end.unwrap_or_default()),
        Ok([first, ..]) => literal(first).map_or_else(|| no_data(text), Ok),
        Err(_) => no_data(text),
    }
}

fn no_data(value: &Value) -> Eval {
    type_error_hint(
        "edn/read-string",
        "text that shows data",
        value,
        "Symbols and tagged literals are no data",
    )
}
