//! The atoms of a program: literals and names that its author must have taken from somewhere.

use ecow::EcoString;

use crate::agent::Turn;
use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::print::pr_str;
use ptc_lisp::read::{literal, read};
use ptc_lisp::session::Arguments;
use ptc_lisp::source::Source;
use ptc_lisp::value::Value;

/// Shorter strings are no evidence.
const MIN_CHARACTERS: usize = 3;
/// Numbers with fewer digits are no evidence.
const MIN_DIGITS: usize = 2;

/// A literal or name, as requests show it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A string, keyword or number.
    Literal(EcoString),
    /// A symbol without namespace, which may name a definition.
    Name(EcoString),
    /// The name of a tool.
    Tool(EcoString),
}

impl Atom {
    pub fn text(&self) -> &EcoString {
        match self {
            Atom::Literal(text) | Atom::Name(text) | Atom::Tool(text) => text,
        }
    }
}

/// The atoms of a program in order, each once; none of a program that cannot be read.
pub fn atoms(program: &str) -> Vec<Atom> {
    let mut found = Vec::new();
    for form in &read(&Source::new("program", program)).unwrap_or_default() {
        collect(form, &mut found);
    }
    distinct(found)
}

/// The atoms of a recorded turn in order, each once: strings and numbers in the arguments of calls, and identifiers in
/// long strings, in actions and in an answer to the user.
pub fn recorded_atoms(turn: &Turn) -> Vec<Atom> {
    let mut found = Vec::new();
    for call in &turn.tool_calls {
        match &call.arguments {
            Arguments::Named(arguments) => arguments.iter().for_each(|(_, value)| leaves(value, &mut found)),
            Arguments::Positional(values) => values.iter().for_each(|value| leaves(value, &mut found)),
        }
    }
    let spoken = turn.recorded.as_ref().and_then(|recorded| recorded.spoken());
    spoken.into_iter().for_each(|answer| found.extend(identifiers(answer)));
    distinct(found)
}

/// Strings and numbers in a value of JSON.
fn leaves(value: &Value, found: &mut Vec<Atom>) {
    match value {
        Value::Str(text) if text.contains(char::is_whitespace) => found.extend(identifiers(text)),
        Value::Str(text) => found.extend(is_long(text).then(|| Atom::Literal(text.clone()))),
        Value::Int(_) | Value::Float(..) => {
            found.extend(Some(Atom::Literal(pr_str(value).into())).filter(has_digits))
        }
        Value::Vector(items) => items.iter().for_each(|item| leaves(item, found)),
        Value::Map(map) => map.iter().for_each(|(_, value)| leaves(value, found)),
        _ => {}
    }
}

/// Words with a digit, with one of `_ - / . :` inside, or with inner capitals: names, paths and numbers.
fn identifiers(text: &str) -> impl Iterator<Item = Atom> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || "_-/.:@".contains(c);
    let words = text.split(move |c: char| !is_part(c)).map(|word| word.trim_matches(|c| "-/.:@".contains(c)));
    words.filter(|word| is_long(word) && is_identifier(word)).map(|word| Atom::Literal(word.into()))
}

fn is_identifier(word: &str) -> bool {
    let letters = word.chars().skip(1);
    word.contains(|c: char| "_-/.:@".contains(c))
        || word.chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS
        || word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic)
        || letters.clone().any(char::is_uppercase) && letters.clone().any(char::is_lowercase)
}

fn distinct(mut atoms: Vec<Atom>) -> Vec<Atom> {
    let mut seen = rustc_hash::FxHashSet::default();
    atoms.retain(|atom| seen.insert(atom.clone()));
    atoms
}

fn is_long(text: &str) -> bool {
    text.chars().count() >= MIN_CHARACTERS
}

fn collect(form: &Form, found: &mut Vec<Atom>) {
    match &form.kind {
        FormKind::Str(text) => found.extend(is_long(text).then(|| Atom::Literal(text.clone()))),
        FormKind::Keyword(_) => found.extend(printed(form)),
        FormKind::Int(_) | FormKind::Float(_) => found.extend(printed(form).filter(has_digits)),
        FormKind::Symbol(name) | FormKind::Var(name) => found.extend(name_of(name.name())),
        FormKind::List(forms)
        | FormKind::Vector(forms)
        | FormKind::Map(forms)
        | FormKind::Set(forms)
        | FormKind::ShortFn(forms) => forms.iter().for_each(|form| collect(form, found)),
        FormKind::Quote(form) => collect(form, found),
        FormKind::Nil | FormKind::Bool(_) | FormKind::Regex(_) => {}
    }
}

fn printed(form: &Form) -> Option<Atom> {
    literal(form).map(|value| Atom::Literal(pr_str(&value).into()))
}

fn has_digits(atom: &Atom) -> bool {
    atom.text().chars().filter(char::is_ascii_digit).count() >= MIN_DIGITS
}

/// The atom of a symbol; names of other namespaces are part of the language or data.
fn name_of(symbol: &str) -> Option<Atom> {
    match symbol.split_once('/') {
        None => Some(Atom::Name(symbol.into())),
        Some(("user", name)) => Some(Atom::Name(name.into())),
        Some(("tool", name)) => Some(Atom::Tool(name.into())),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_names_each_once() {
        let program = "(def best (filter #(= (:category %) \"Pen\") data/products))
                       (tool/get-stock \"ab\" 7 12 -40 4.5 {:category \"Pen\"} '[user/old] #\"Regex\")";
        let texts: Vec<String> = atoms(program)
            .into_iter()
            .map(|atom| match atom {
                Atom::Literal(text) => format!("={text}"),
                Atom::Name(text) => text.to_string(),
                Atom::Tool(text) => format!("tool {text}"),
            })
            .collect();
        let expected = [
            "def",
            "best",
            "filter",
            "=",
            "=:category",
            "%",
            "=Pen",
            "tool get-stock",
            "=12",
            "=-40",
            "=4.5",
            "old",
        ];
        assert_eq!(texts, expected);
        assert_eq!(atoms("(unclosed \"text\""), []);
    }
}
