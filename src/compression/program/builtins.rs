//! What strategies in PTC-Lisp can call besides the language: types, samples and the sections that the
//! strategies in Rust are made of, as text.

use crate::agent::Agent;
use crate::compression::history::View;
use crate::compression::options::{Options, PRINTLN_LIMIT, TOOL_CALL_LIMIT};
use crate::compression::sections::samples::Samples;
use crate::compression::sections::{calls, error, output, stable, turns_left, user};
use ptc_lisp::builtins::{Arity, Builtin, exactly};
use ptc_lisp::error::{Eval, arity_error, type_error, type_error_hint};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::print::{Style, TypeLabel};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::{Composed, Function, Value};

static TYPE_LABEL: Builtin = Builtin {
    name: "type-label",
    arity: exactly(1),
    run: type_label,
    doc: "The type of a value as sections show it.",
    example: "(type-label [1 2]) ;=> \"list[2]\"",
};
static TO_CLOJURE: Builtin = Builtin {
    name: "to-clojure",
    arity: exactly(3),
    run: to_clojure,
    doc: "A value with at most so many items of collections and characters of strings.",
    example: "(to-clojure [1 2 3] 2 80) ;=> \"[1 2 ...] (3 items, showing first 2)\"",
};
/// Given before the call: items and characters.
static SAMPLE: Builtin = Builtin {
    name: "sample",
    arity: exactly(1),
    run: sample,
    doc: "The sample of a value as sections show it; nil where it has none.",
    example: "(sample []) ;=> nil",
};
/// Given before the call: the sections by name.
static SECTION: Builtin = Builtin {
    name: "section",
    arity: exactly(1),
    run: section,
    doc: "The text of a section; nil where it has nothing to show.",
    example: "(section :turns-left) ;=> \"Turns left: 4\"",
};

/// The functions by name. Sections are written only if they are wanted.
pub(super) fn bindings(view: &View<'_>, options: &Options, wants_sections: bool) -> Bindings {
    let (items, characters) = Samples::bounds(options);
    let sections = if wants_sections { sections(view, options) } else { Map::new() };
    let given = |run, parts: Vec<Value>| {
        Value::Function(Function::Composed(Composed { run, parts: parts.into() }.into()))
    };
    let rows = [
        (&SAMPLE, given(&SAMPLE, vec![items.into(), characters.into()])),
        (&SECTION, given(&SECTION, vec![Value::map(sections)])),
        (&TO_CLOJURE, Value::Function(Function::Builtin(&TO_CLOJURE))),
        (&TYPE_LABEL, Value::Function(Function::Builtin(&TYPE_LABEL))),
    ];
    rows.into_iter().map(|(builtin, function)| (Symbol::new(builtin.name), function)).collect()
}

/// Every section that has something to show, by name.
fn sections(view: &View<'_>, options: &Options) -> Map {
    let agent: &Agent = view.agent;
    let samples = Samples::unless_printed(view.totals().printlns, options);
    let mut sections = Map::new();
    let mut add = |name: &str, write: &dyn Fn(&mut String)| {
        let mut text = String::new();
        write(&mut text);
        let text = if text.is_empty() { Value::Nil } else { Value::str(text) };
        sections.insert(Value::keyword(name), text);
    };
    add("tool", &|out| stable::tools(out, &agent.tools));
    add("data", &|out| stable::data(out, &agent.data));
    add("return", &|out| stable::returns(out, agent));
    add("user", &|out| user::section(out, view.memory, samples));
    add("calls", &|out| {
        calls::section(out, view, options.get(&TOOL_CALL_LIMIT), samples);
    });
    add("output", &|out| {
        output::section(out, view.turns, options.get(&PRINTLN_LIMIT));
    });
    add("error", &|out| view.failed_last().into_iter().for_each(|turn| error::section(out, turn)));
    add("turns-left", &|out| turns_left::section(out, view));
    sections
}

fn type_label(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [value] => cx.string(TypeLabel::of(value).to_string()),
        other => wrong_count(&TYPE_LABEL, 0, other),
    }
}

fn to_clojure(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [value, Value::Int(items @ 0..), Value::Int(characters @ 0..)] => {
            bounded(cx, value, *items as usize, *characters as usize)
        }
        [_, Value::Int(0..), other] | [_, other, _] => {
            type_error(TO_CLOJURE.name, "whole numbers from 0 as limits", other)
        }
        other => wrong_count(&TO_CLOJURE, 0, other),
    }
}

fn sample(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(items), Value::Int(characters), value] => match Samples::shown(value) {
            Some(shown) => bounded(cx, shown, *items as usize, *characters as usize),
            None => Ok(Value::Nil),
        },
        other => wrong_count(&SAMPLE, 2, other),
    }
}

fn section(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Map(sections), name] => match sections.get(name) {
            Some(text) => Ok(text.clone()),
            None => {
                let known: Vec<String> = sections.keys().map(|name| format!("{name:?}")).collect();
                type_error_hint(SECTION.name, "a section", name, &format!("There are {}", known.join(" ")))
            }
        },
        other => wrong_count(&SECTION, 1, other),
    }
}

fn bounded(cx: &mut Interpreter<'_>, value: &Value, items: usize, characters: usize) -> Eval {
    let text = cx.print_with(Style::Readable, |printer| printer.write_bounded(value, items, characters))?;
    cx.string(text)
}

fn wrong_count(builtin: &Builtin, given: usize, args: &[Value]) -> Eval {
    let arity: Arity = builtin.arity;
    arity_error(builtin.name, &arity.to_string(), args.len() - given)
}
