//! Tool calls, one per line. Results are shown only if they appear nowhere else.

use crate::agent::{Call, ToolCall};
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

use history_strategies::lines::call_line;

use super::samples::{Samples, write_type};

/// The heading over the calls.
pub const HEADING: &str = ";; Tool calls made:";
/// The most items of an argument.
const ARGUMENT_ITEMS: usize = 3;
/// The most characters of a string in an argument.
const ARGUMENT_CHARACTERS: usize = 60;

/// Writes a heading and a line for each call; nothing if there are none. Returns the number of calls. With `results`, adds type and sample
/// of each result not captured by a `def`.
pub fn list<'a>(
    out: &mut String,
    heading: &str,
    calls: impl IntoIterator<Item = Call<'a>>,
    results: Option<Samples>,
) -> u32 {
    let mut shown = 0;
    for call in calls {
        if shown == 0 {
            out.push_str(heading);
        }
        out.push_str("\n;   ");
        write_call(out, call);
        // Results from a log are already shown as prints.
        if let Call::Program(call) = call
            && results.is_some()
            && !call.captured
            && call.error.is_none()
        {
            out.push_str(" -> ");
            write_type(out, &call.result, results);
        }
        shown += 1;
    }
    shown
}

/// `search-reviews("Electronics")`
pub fn text(call: Call<'_>) -> String {
    let mut text = String::new();
    write_call(&mut text, call);
    text
}

fn write_call(out: &mut String, call: Call<'_>) {
    match call {
        Call::Program(call) => write_call_of_program(out, call),
        Call::Logged(call) => out.push_str(&call_line(call)),
    }
}

fn write_call_of_program(out: &mut String, call: &ToolCall) {
    out.push_str(call.name.name());
    out.push('(');
    match &call.arguments {
        Arguments::Named(map) if map.is_empty() => {}
        Arguments::Named(map) => write_argument(out, &Value::Map(map.clone())),
        Arguments::Positional(values) => {
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_argument(out, value);
            }
        }
    }
    out.push(')');
}

fn write_argument(out: &mut String, value: &Value) {
    out.push_str(&to_clojure(value, ARGUMENT_ITEMS, ARGUMENT_CHARACTERS).0);
}
