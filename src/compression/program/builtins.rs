//! Builtins for strategies in PTC-Lisp: types, samples, and the sections from the built-in strategies, as text.

use crate::compression::run::past_of;
use crate::compression::sections::samples::Samples;
use crate::compression::sections::{error, stable, summary, user};
use history_strategies::{Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT, View, write_words};
use ptc_lisp::builtin;
use ptc_lisp::builtin::Builtin;
use ptc_lisp::builtins::Call;
use ptc_lisp::error::{Eval, type_error_hint};
use ptc_lisp::print::{Style, TypeLabel};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::{Composed, Function, Value};
use triomphe::Arc;

/// The type of a value, as in sections.
static TYPE_LABEL: Builtin = builtin!("type-label", type_label);
/// A value as text, with limits on items of collections and characters of strings.
static TO_CLOJURE: Builtin = builtin!("to-clojure", to_clojure);
/// The sample of a value, as in sections; nil without a sample. The limits on items and characters are bound in advance.
static SAMPLE: Builtin = builtin!("sample", call_sample);
/// The text of a section; nil if it is empty. The map of sections is bound in advance.
static SECTION: Builtin = builtin!("section", call_section);

/// The builtins by name.
pub(super) fn bindings(view: &View<'_>, options: &Options, wants_sections: bool) -> Bindings {
    // Writing all sections is slow in a long run.
    let (items, characters) = Samples::bounds(options);
    let sections = if wants_sections { write_sections(view, options) } else { Map::new() };
    let rows = [
        (&SAMPLE, compose_function(&SAMPLE, vec![items.into(), characters.into()])),
        (&SECTION, compose_function(&SECTION, vec![Value::map(sections)])),
        (&TO_CLOJURE, Value::Function(Function::Builtin(&TO_CLOJURE))),
        (&TYPE_LABEL, Value::Function(Function::Builtin(&TYPE_LABEL))),
    ];
    let mut bindings = Bindings::default();
    for (builtin, function) in rows {
        bindings.insert(Symbol::new(builtin.name), function);
    }
    bindings
}

/// A function that gets these parts before its arguments.
fn compose_function(run: &'static Builtin, parts: Vec<Value>) -> Value {
    Value::Function(Function::Composed(Composed { run, parts: parts.into() }.into()))
}

/// All sections by name; nil if empty.
fn write_sections(view: &View<'_>, options: &Options) -> Map {
    let samples = Samples::unless_printed(view.totals().printlns, options);
    let mut sections = Map::new();
    let past = past_of(view);
    let agent = past.agent();
    let tools = agent.map_or(&[][..], |agent| &agent.tools);
    add_section(&mut sections, "tool", |out| stable::tools(out, tools));
    add_section(&mut sections, "data", |out| {
        if let Some(agent) = agent {
            stable::data(out, &agent.data);
        }
    });
    add_section(&mut sections, "return", |out| {
        if let Some(agent) = agent {
            stable::returns(out, agent);
        }
    });
    add_section(&mut sections, "user", |out| user::section(out, past.memory(), samples));
    add_section(&mut sections, "conversation", |out| write_words(out, view.turns()));
    add_section(&mut sections, "calls", |out| {
        summary::tool_calls(out, view, options.get(&TOOL_CALL_LIMIT), samples);
    });
    add_section(&mut sections, "output", |out| {
        summary::prints(out, view, options.get(&PRINTLN_LIMIT));
    });
    add_section(&mut sections, "error", |out| {
        if let Some(turn) = summary::failed_last(view) {
            error::section(out, turn);
        }
    });
    add_section(&mut sections, "turns-left", |out| summary::turns_left(out, view));
    sections
}

fn add_section(sections: &mut Map, name: &str, write: impl FnOnce(&mut String)) {
    let mut text = String::new();
    write(&mut text);
    let text = if text.is_empty() { Value::Nil } else { Value::str(text) };
    sections.insert(Value::keyword(name), text);
}

fn type_label(cx: &mut Call, value: &Value) -> Eval {
    cx.string(TypeLabel::of(value).to_string())
}

fn to_clojure(cx: &mut Call, value: &Value, items: &Value, characters: &Value) -> Eval {
    match (items, characters) {
        (Value::Int(items @ 0..), Value::Int(characters @ 0..)) => {
            sample_within(cx, value, *items, *characters)
        }
        (Value::Int(0..), other) | (other, _) => cx.type_error("whole numbers from 0 as limits", other),
    }
}

fn call_sample(cx: &mut Call, items: i64, characters: i64, value: &Value) -> Eval {
    match Samples::shown(value) {
        Some(shown) => sample_within(cx, shown, items, characters),
        None => Ok(Value::Nil),
    }
}

fn call_section(cx: &mut Call, sections: Arc<Map>, name: &Value) -> Eval {
    match sections.get(name) {
        Some(text) => Ok(text.clone()),
        None => {
            let known: Vec<String> = sections.keys().map(|name| format!("{name:?}")).collect();
            type_error_hint(cx.name, "a section", name, &format!("There are {}", known.join(" ")))
        }
    }
}

fn sample_within(cx: &mut Call, value: &Value, items: i64, characters: i64) -> Eval {
    let (items, characters) = (items as usize, characters as usize);
    let text = cx.print_with(Style::Readable, |printer| printer.write_bounded(value, items, characters))?;
    cx.string(text)
}
