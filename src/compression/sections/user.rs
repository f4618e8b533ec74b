//! Definitions: functions first, then values, each in order of first definition, so that a section grows at its end.

use ptc_lisp::memory::{Definition, Memory};
use ptc_lisp::value::{Function, Value};

use super::samples::{Samples, write_label, write_type};

/// The column of the comment after a name, in characters from 0.
const COLUMN: usize = 30;
const SPACES: &str = "                              ";

/// `;; === user/ (your prelude) ===` and a line for each name.
pub fn section(out: &mut String, memory: Option<&Memory>, samples: Option<Samples>) {
    if let Some(memory) = memory.filter(|memory| !memory.is_empty()) {
        out.push_str(";; === user/ (your prelude) ===\n");
        lines(out, || memory.iter(), samples);
    }
}

/// A line for each definition, functions first.
pub fn lines<'a, I>(out: &mut String, definitions: impl Fn() -> I, samples: Option<Samples>)
where
    I: Iterator<Item = &'a Definition>,
{
    let start = out.len();
    for definition in functions_first(definitions) {
        if out.len() > start {
            out.push('\n');
        }
        if definition.is_function() {
            function_line(out, definition);
        } else {
            value_line(out, definition, samples);
        }
    }
}

/// Reorders definitions: functions first, then values.
pub fn functions_first<'a, I>(definitions: impl Fn() -> I) -> impl Iterator<Item = &'a Definition>
where
    I: Iterator<Item = &'a Definition>,
{
    let functions = definitions().filter(|definition| definition.is_function());
    functions.chain(definitions().filter(|definition| !definition.is_function()))
}

/// `(pricey? [p])                 ; "Costs over 100" -> boolean`
fn function_line(out: &mut String, definition: &Definition) {
    let start = out.len();
    function_head(out, definition);
    if let Some(docstring) = &definition.docstring {
        pad(out, start);
        out.push_str("; ");
        quote(out, docstring);
    }
    if let Some(label) = definition.return_type {
        out.push_str(" -> ");
        write_label(out, label);
    }
}

/// `electronics                   ; "In stock" = list[4], sample: {:name "Laptop"}`
fn value_line(out: &mut String, definition: &Definition, samples: Option<Samples>) {
    let start = out.len();
    out.push_str(definition.name.name());
    pad(out, start);
    out.push_str("; ");
    if let Some(docstring) = &definition.docstring {
        quote(out, docstring);
        out.push(' ');
    }
    out.push_str("= ");
    write_type(out, &definition.value, samples);
}

/// `(pricey? [p])`: the name and the parameter lists in the source's spelling.
pub fn function_head(out: &mut String, definition: &Definition) {
    out.push('(');
    out.push_str(definition.name.name());
    if let Value::Function(Function::Closure(closure)) = &definition.value {
        for parameters in &closure.lambda().parameters {
            out.push(' ');
            out.push_str(parameters);
        }
    }
    out.push(')');
}

/// Pads the text since `start` with spaces to column 30; at least one.
pub fn pad(out: &mut String, start: usize) {
    let written = out.get(start..).map_or(0, |text| text.chars().count());
    let missing = COLUMN.saturating_sub(written).max(1);
    out.push_str(SPACES.get(..missing).unwrap_or(SPACES));
}

/// Writes the docstring in quotes, without escaping.
pub fn quote(out: &mut String, docstring: &str) {
    out.push('"');
    out.push_str(docstring);
    out.push('"');
}
