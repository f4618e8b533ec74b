//! The tool calls that were made, one a line, without their results but for one case (TC-001…TC-007).

use crate::agent::ToolCall;
use crate::compression::history::View;
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

use super::newest;
use super::samples::{Samples, write_type};

/// The heading over the calls (FMT-011).
pub const HEADING: &str = ";; Tool calls made:";
/// Items of an argument that are shown (TRN-003).
const ARGUMENT_ITEMS: usize = 3;
/// Characters of a string in an argument that are shown (TRN-003).
const ARGUMENT_CHARACTERS: usize = 60;

/// The last `limit` calls of successful turns, or that there were none at all (FMT-013, S2-15). Gives
/// the number of calls shown.
pub fn section(out: &mut String, view: &View<'_>, limit: usize, results: Option<Samples>) -> u32 {
    let totals = view.totals();
    if totals.successful_turns() > 0 && totals.tool_calls + totals.failed_tool_calls == 0 {
        out.push_str(";; No tool calls made");
    }
    list(out, HEADING, newest(view.turns, limit, |turn| &turn.tool_calls), results)
}

/// A heading and a line for each call; nothing where there are none. Gives the number of lines. With
/// `results`, calls whose result no `def` captured say what it was (TC-006, S3-18).
pub fn list<'a>(
    out: &mut String,
    heading: &str,
    calls: impl Iterator<Item = &'a ToolCall>,
    results: Option<Samples>,
) -> u32 {
    let start = out.len();
    out.push_str(heading);
    let mut shown = 0;
    for call in calls {
        out.push_str("\n;   ");
        write_call(out, call);
        write_result(out, call, results);
        shown += 1;
    }
    if shown == 0 {
        out.truncate(start);
    }
    shown
}

/// `search-reviews("Electronics")` (FMT-012)
pub fn text(call: &ToolCall) -> String {
    let mut text = String::new();
    write_call(&mut text, call);
    text
}

fn write_call(out: &mut String, call: &ToolCall) {
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

/// ` -> list[5], sample: {:id 1}` for a call that has a result which is nowhere else.
fn write_result(out: &mut String, call: &ToolCall, results: Option<Samples>) {
    if results.is_some() && !call.captured && call.error.is_none() {
        out.push_str(" -> ");
        write_type(out, &call.result, results);
    }
}
