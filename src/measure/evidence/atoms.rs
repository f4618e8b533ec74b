//! The atoms of an answer: what its author must have taken from somewhere, if anything before it has them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::identifiers::identifiers;
use super::matching::Atom;
use crate::agent::Turn;
use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::print::pr_str;
use ptc_lisp::read::{literal, read};
use ptc_lisp::resolve::names_read;
use ptc_lisp::session::Arguments;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// Functions that print their arguments: literals among these are labels.
const PRINTERS: [&str; 3] = ["print", "println", "prn"];
/// Forms that define a name, which a docstring may follow.
const DEFINERS: [&str; 4] = ["def", "defonce", "defn", "defn-"];
/// Keywords of the language.
const SYNTAX: [&str; 9] = ["keys", "strs", "syms", "as", "or", "else", "let", "when", "while"];

/// The atoms of a program in order, each once; none of a program that cannot be read. Names are those of definitions
/// that the program reads before it makes them itself.
pub fn of_program(program: &str, is_defined: &dyn Fn(Symbol) -> bool) -> Vec<Atom> {
    let source = Arc::new(Source::new("program", program));
    let forms = read(&source).unwrap_or_default();
    let mut found = Vec::new();
    forms.iter().for_each(|form| collect(form, &mut found));
    let defined = |atom: &Atom| matches!(atom, Atom::Name(name) if is_defined(Symbol::new(name)));
    if found.iter().any(defined) {
        let read = names_read(&source, &forms, is_defined);
        found.retain(|atom| !matches!(atom, Atom::Name(name) if !read.contains(&Symbol::new(name))));
    } else {
        found.retain(|atom| !matches!(atom, Atom::Name(_)));
    }
    distinct(found)
}

/// The atoms of a recorded turn in order, each once: in the arguments of calls, in actions that are written as text and
/// in an answer to the user.
pub fn of_recorded(turn: &Turn) -> Vec<Atom> {
    let mut found = Vec::new();
    for call in &turn.tool_calls {
        match &call.arguments {
            Arguments::Named(arguments) => arguments.iter().for_each(|(_, value)| leaves(value, &mut found)),
            Arguments::Positional(values) => {
                for value in values {
                    match value {
                        Value::Str(action) => found.extend(identifiers(action)),
                        _ => leaves(value, &mut found),
                    }
                }
            }
        }
    }
    let spoken = turn.recorded.as_ref().and_then(|recorded| recorded.spoken());
    spoken.into_iter().for_each(|answer| found.extend(identifiers(answer)));
    distinct(found)
}

/// Strings and numbers in a value of JSON.
fn leaves(value: &Value, found: &mut Vec<Atom>) {
    match value {
        Value::Str(text) => string(text, found),
        Value::Int(_) | Value::Float(..) => found.extend(Atom::of_text(&pr_str(value))),
        Value::Vector(items) => items.iter().for_each(|item| leaves(item, found)),
        Value::Map(map) => map.iter().for_each(|(_, value)| leaves(value, found)),
        _ => {}
    }
}

/// A string as a whole and the identifiers inside it.
fn string(text: &str, found: &mut Vec<Atom>) {
    found.extend(Atom::of_text(text));
    found.extend(identifiers(text));
}

fn distinct(mut atoms: Vec<Atom>) -> Vec<Atom> {
    let mut seen = FxHashSet::default();
    atoms.retain(|atom| seen.insert(atom.clone()));
    atoms
}

fn collect(form: &Form, found: &mut Vec<Atom>) {
    match &form.kind {
        FormKind::Str(text) => string(text, found),
        FormKind::Keyword(name) if SYNTAX.contains(&name.name()) => {}
        FormKind::Keyword(_) | FormKind::Int(_) | FormKind::Float(_) | FormKind::Ratio(..) => {
            found.extend(literal(form).and_then(|value| Atom::of_text(&pr_str(&value))));
        }
        FormKind::Symbol(name) | FormKind::Var(name) => found.extend(name_of(name.name())),
        FormKind::List(forms) | FormKind::ShortFn(forms) => call(forms, found),
        FormKind::Map(forms) => {
            for pair in forms.chunks(2) {
                match pair {
                    [
                        Form { kind: FormKind::Keyword(key), .. },
                        Form { kind: FormKind::Vector(names), .. },
                    ] if key.name() == "keys" => {
                        let keys = names.iter().filter_map(Form::as_symbol);
                        found.extend(keys.map(|key| Atom::Keyword(format!(":{key}").into())));
                    }
                    _ => pair.iter().for_each(|form| collect(form, found)),
                }
            }
        }
        FormKind::Vector(forms) | FormKind::Set(forms) => forms.iter().for_each(|form| collect(form, found)),
        FormKind::Quote(form) => collect(form, found),
        FormKind::Nil | FormKind::Bool(_) | FormKind::Regex(_) => {}
    }
}

/// The atoms of a call, without literals that are only labels: direct arguments of a function that prints, the template
/// of `format`, and docstrings.
fn call(forms: &[Form], found: &mut Vec<Atom>) {
    let name = forms.first().and_then(Form::as_symbol).map_or("", Symbol::name);
    let is_literal = |form: &Form| {
        matches!(form.kind, FormKind::Str(_) | FormKind::Keyword(_) | FormKind::Int(_) | FormKind::Float(_))
    };
    for (index, form) in forms.iter().enumerate() {
        let is_label = match index {
            1 if name == "format" => true,
            2 => DEFINERS.contains(&name) && forms.len() > 3,
            _ => false,
        };
        if !(is_literal(form) && (is_label || PRINTERS.contains(&name))) {
            collect(form, found);
        }
    }
}

/// The atom of a symbol; names of other namespaces are part of the language or data.
fn name_of(symbol: &str) -> Option<Atom> {
    match symbol.split_once('/') {
        None => Some(Atom::Name(symbol.into())),
        Some(("user", name)) => Some(Atom::Name(name.into())),
        Some(("tool", name)) => Some(Atom::Literal(name.into())),
        Some(_) => None,
    }
}
