//! The atoms of a program: the literals and names that its author must have taken from an earlier message that has them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::identifiers::identifiers;
use super::matching::Atom;
use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::print::pr_str;
use ptc_lisp::read::{literal, read};
use ptc_lisp::resolve::names_read;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

/// An atom of an answer, and what the answer does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub atom: Atom,
    pub usage: Usage,
}

/// Use of an atom in an answer. The later a use stands here, the more it tells: of several uses of an atom the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// It is a name in prose.
    Name,
    /// It is a word in quotes inside a longer text.
    Word,
    /// It bounds what a tool does, such as the first line that is read.
    Bound,
    /// It is looked for.
    Search,
    /// It is a command of a shell as a whole.
    Command,
    /// It is in the arguments of a call, or a small number that is said to the user.
    Argument,
    /// It is said to the user.
    Said,
    /// It is in a program, which needs the spelling that its data have.
    Program,
}

/// Functions that print. Literals among their arguments are labels, which the author chooses.
const PRINTERS: [&str; 3] = ["print", "println", "prn"];
/// Forms that define a name, which a docstring may follow.
const DEFINERS: [&str; 4] = ["def", "defonce", "defn", "defn-"];
/// Keywords of the language.
const SYNTAX: [&str; 9] = ["keys", "strs", "syms", "as", "or", "else", "let", "when", "while"];

/// The atoms of a program in order, each once. A program that cannot be read has none. A name is an atom only if an earlier
/// turn defined it and the program reads it before it defines it itself.
pub fn of_program(program: &str, is_defined: &dyn Fn(Symbol) -> bool) -> Vec<Use> {
    let source = Arc::new(Source::new("program", program));
    let forms = read(&source).unwrap_or_default();
    let mut found = Vec::new();
    forms.iter().for_each(|form| collect(form, &mut found));
    let defined = |atom: &Atom| matches!(atom, Atom::Name(name) if is_defined(Symbol::new(name)));
    if found.iter().any(|one: &Use| defined(&one.atom)) {
        let read = names_read(&source, &forms, is_defined);
        found.retain(|one| !matches!(&one.atom, Atom::Name(name) if !read.contains(&Symbol::new(name))));
    } else {
        found.retain(|one| !matches!(one.atom, Atom::Name(_)));
    }
    distinct(found)
}

/// A string as a whole and the identifiers inside it.
pub fn string(text: &str, usage: Usage, found: &mut Vec<Use>) {
    let atoms = Atom::of_text(text).into_iter().chain(identifiers(text));
    found.extend(atoms.map(|atom| Use { atom, usage }));
}

/// The atoms, each once with its last usage.
pub fn distinct(uses: Vec<Use>) -> Vec<Use> {
    let mut at = FxHashMap::default();
    let mut distinct: Vec<Use> = Vec::new();
    for used in uses {
        let known = *at.entry(used.atom.clone()).or_insert(distinct.len());
        match distinct.get_mut(known) {
            Some(known) => known.usage = known.usage.max(used.usage),
            None => distinct.push(used),
        }
    }
    distinct
}

fn collect(form: &Form, found: &mut Vec<Use>) {
    match &form.kind {
        FormKind::Str(text) => string(text, Usage::Program, found),
        FormKind::Keyword(name) if SYNTAX.contains(&name.name()) => {}
        FormKind::Keyword(_) | FormKind::Int(_) | FormKind::Float(_) | FormKind::Ratio(..) => {
            found.extend(literal(form).and_then(|value| Atom::of_text(&pr_str(&value))).map(in_program));
        }
        FormKind::Symbol(name) | FormKind::Var(name) => found.extend(name_of(name.name()).map(in_program)),
        FormKind::List(forms) | FormKind::ShortFn(forms) => call(forms, found),
        FormKind::Map(forms) => {
            for pair in forms.chunks(2) {
                match pair {
                    [
                        Form { kind: FormKind::Keyword(key), .. },
                        Form { kind: FormKind::Vector(names), .. },
                    ] if key.name() == "keys" => {
                        let keys = names.iter().filter_map(Form::as_symbol);
                        found.extend(keys.map(|key| in_program(Atom::Keyword(format!(":{key}").into()))));
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

/// The atoms of a call. Labels are none: literals that are direct arguments of a function that prints, the template of
/// `format`, and docstrings.
fn call(forms: &[Form], found: &mut Vec<Use>) {
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

fn in_program(atom: Atom) -> Use {
    Use { atom, usage: Usage::Program }
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
