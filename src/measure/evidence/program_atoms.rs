//! The atoms of a program: literals and names its author must have copied from an earlier message.

use std::sync::Arc;

use history_evidence::{Atom, Usage, Use, add_string, keep_distinct};
use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::print::pr_str;
use ptc_lisp::read::{literal, read};
use ptc_lisp::resolve::names_read;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

/// Printing functions. Literals among their arguments are labels chosen by the author.
const PRINTERS: [&str; 3] = ["print", "println", "prn"];
/// Defining forms. A docstring may follow the name.
const DEFINERS: [&str; 4] = ["def", "defonce", "defn", "defn-"];
/// Keywords of the language.
const SYNTAX: [&str; 9] = ["keys", "strs", "syms", "as", "or", "else", "let", "when", "while"];

/// The distinct atoms of a program, in order; empty if it does not parse. A name counts if an earlier turn defined it and
/// the program reads it before redefining it.
pub fn of_program(program: &str, is_defined: &dyn Fn(&str) -> bool) -> Vec<Use> {
    let source = Arc::new(Source::new("program", program));
    let forms = read(&source).unwrap_or_default();
    let mut found = Vec::new();
    for form in &forms {
        collect_atoms(form, &mut found);
    }
    if found.iter().any(|one: &Use| matches!(&one.atom, Atom::Name(name) if is_defined(name))) {
        let read = names_read(&source, &forms, &|name: Symbol| is_defined(name.name()));
        found.retain(|one| !matches!(&one.atom, Atom::Name(name) if !read.contains(&Symbol::new(name))));
    } else {
        found.retain(|one| !matches!(one.atom, Atom::Name(_)));
    }
    keep_distinct(found)
}

fn collect_atoms(form: &Form, found: &mut Vec<Use>) {
    match &form.kind {
        FormKind::Str(text) => add_string(text, Usage::Program, found),
        FormKind::Keyword(name) if SYNTAX.contains(&name.name()) => {}
        FormKind::Keyword(_) | FormKind::Int(_) | FormKind::Float(_) | FormKind::Ratio(..) => {
            found.extend(literal(form).and_then(|value| Atom::of_text(&pr_str(&value))).map(in_program));
        }
        FormKind::Symbol(name) | FormKind::Var(name) => found.extend(name_of(name.name()).map(in_program)),
        FormKind::List(forms) | FormKind::ShortFn(forms) => collect_call(forms, found),
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
                    _ => {
                        for form in pair {
                            collect_atoms(form, found);
                        }
                    }
                }
            }
        }
        FormKind::Vector(forms) | FormKind::Set(forms) => {
            for form in forms.iter() {
                collect_atoms(form, found);
            }
        }
        FormKind::Quote(form) => collect_atoms(form, found),
        FormKind::Nil | FormKind::Bool(_) | FormKind::Regex(_) => {}
    }
}

/// Collects the atoms of a call. Skips labels: literal arguments of printing functions, the template of `format`, and
/// docstrings.
fn collect_call(forms: &[Form], found: &mut Vec<Use>) {
    let name = forms.first().and_then(Form::as_symbol).map_or("", Symbol::name);
    for (index, form) in forms.iter().enumerate() {
        let is_label = match index {
            1 if name == "format" => true,
            2 => DEFINERS.contains(&name) && forms.len() > 3,
            _ => false,
        };
        if !(is_literal(form) && (is_label || PRINTERS.contains(&name))) {
            collect_atoms(form, found);
        }
    }
}

fn is_literal(form: &Form) -> bool {
    matches!(form.kind, FormKind::Str(_) | FormKind::Keyword(_) | FormKind::Int(_) | FormKind::Float(_))
}

fn in_program(atom: Atom) -> Use {
    Use { atom, usage: Usage::Program }
}

/// The atom of a symbol. `None` for other namespaces: their names belong to the language or to data.
fn name_of(symbol: &str) -> Option<Atom> {
    match symbol.split_once('/') {
        None => Some(Atom::Name(symbol.into())),
        Some(("user", name)) => Some(Atom::Name(name.into())),
        Some(("tool", name)) => Some(Atom::Literal(name.into())),
        Some(_) => None,
    }
}
