//! The atoms of a recorded answer. They stand in the arguments of calls, in actions that are written as text, and in an answer
//! to the user.

use ecow::EcoString;

use super::atoms::{Usage, Use, distinct, string};
use super::identifiers::identifiers;
use super::interface::Interface;
use super::lines::{KnownLines, Parameter};
use super::matching::Atom;
use super::names::{amounts, amounts_in_sentences, names, names_in_sentences};
use super::sources::is_small_when_said;
use crate::agent::{ToolCall, Turn};
use ptc_lisp::print::{pr_str, str_of};
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// Words in the names of tools that search.
const SEARCH_TOOLS: [&str; 4] = ["search", "find", "grep", "glob"];
/// Commands of a shell that search, and those that may stand beside one in a command that only searches.
const SEARCHES: [&str; 10] =
    ["grep", "rg", "egrep", "fgrep", "ag", "ack", "find", "fd", "find_file", "locate"];
const BESIDE: [&str; 10] = ["cd", "head", "tail", "sort", "uniq", "wc", "cut", "xargs", "echo", "cat"];

/// The text of an argument, with the tool and the parameter.
type Argument<'t> = (EcoString, &'t EcoString);

/// The atoms of a recorded turn in order, each once. Adds the lines of the turn to the known ones.
pub fn of_recorded(turn: &Turn, known: &mut KnownLines, interface: &Interface) -> Vec<Use> {
    let mut found = Vec::new();
    let mut texts: Vec<(&ToolCall, Argument<'_>)> = Vec::new();
    for call in &turn.tool_calls {
        let is_search = is_search_tool(call.name.name());
        match &call.arguments {
            Arguments::Named(arguments) => {
                for (key, value) in arguments.iter() {
                    let parameter = str_of(key);
                    leaves(value, &mut |value| match value {
                        Value::Str(text) => {
                            found.extend(of_argument(text, usage_in(text, is_search), known));
                            found.extend(
                                names_in_sentences(text).map(|name| Use { atom: name, usage: Usage::Name }),
                            );
                            found.extend(
                                amounts_in_sentences(text).map(|atom| Use { atom, usage: Usage::Said }),
                            );
                            texts.push((call, (parameter.clone(), text)));
                        }
                        other => {
                            let number = Atom::of_text(&pr_str(other));
                            let is_bound = is_limit(&parameter);
                            let told = number.filter(|number| !(is_bound && is_round(number)));
                            let usage = if is_bound { Usage::Bound } else { usage(is_search) };
                            found.extend(told.map(|atom| Use { atom, usage }));
                        }
                    });
                }
            }
            Arguments::Positional(values) => {
                for value in values {
                    leaves(value, &mut |value| match value {
                        Value::Str(action) => {
                            let usage = usage(is_search_command(action));
                            let defined = known.defined_by(action);
                            let told = identifiers(action).filter(|atom| !is_round(atom));
                            let told = told.filter(|atom| !defined.contains(atom.text().as_str()));
                            found.extend(told.map(|atom| Use { atom, usage }.inside()));
                            texts.push((call, (EcoString::new(), action)));
                        }
                        other => {
                            let number = Atom::of_text(&pr_str(other));
                            found.extend(number.map(|atom| Use { atom, usage: Usage::Argument }));
                        }
                    });
                }
            }
        }
    }
    let texts: Vec<(Parameter<'_>, &str)> = texts
        .iter()
        .map(|(call, (parameter, text))| ((call.name.name(), parameter.as_str()), text.as_str()))
        .collect();
    for (parameter, text) in &texts {
        let usage = usage(is_search_tool(parameter.0) || is_search_command(text));
        found.extend(known.copied(text, *parameter).into_iter().map(|atom| Use { atom, usage }));
    }
    known.add(turn, &texts);
    let spoken = turn.recorded.as_ref().and_then(|recorded| recorded.spoken());
    if let Some(answer) = spoken {
        found.extend(identifiers(answer).map(|atom| Use { atom, usage: Usage::Said }.spoken()));
        found.extend(answer.lines().flat_map(amounts).map(|atom| Use { atom, usage: Usage::Said }));
        found.extend(names(answer).map(|atom| Use { atom, usage: Usage::Name }));
    }
    found.retain(|one| !interface.has(&one.atom));
    distinct(found)
}

/// The atoms of an argument that is a text.
fn of_argument(text: &str, usage: Usage, known: &KnownLines) -> Vec<Use> {
    let (whole, defined) = (Atom::of_text(text), known.defined_by(text));
    let (mut all, mut found) = (Vec::new(), Vec::new());
    string(text, usage, &mut all);
    for one in all {
        if Some(&one.atom) == whole.as_ref() {
            found.push(one);
            continue;
        }
        let is_chosen = one.usage != Usage::Said && is_round(&one.atom);
        if !is_chosen && !defined.contains(one.atom.text().as_str()) {
            found.push(one.inside());
        }
    }
    found
}

/// Returns true for a round number, such as those of `sed -n 200,260p` and `timeout 30000`. Authors choose them where any number
/// would do.
fn is_round(atom: &Atom) -> bool {
    // Of 28 numbers in arguments that alone made answers of coding agents short, 13 were round, and no earlier text had led to
    // these.
    let Atom::Number(text) = atom else { return false };
    text.parse::<u64>().is_ok_and(|number| number % if number < 1_000 { 10 } else { 100 } == 0)
}

/// Returns true for a parameter that bounds what a tool does.
fn is_limit(parameter: &str) -> bool {
    const LIMITS: [&str; 10] =
        ["count", "depth", "limit", "lines", "max", "offset", "page", "seconds", "timeout", "tokens"];
    let parameter = parameter.to_lowercase();
    LIMITS.iter().any(|word| parameter.contains(word)) || parameter.ends_with("_ms")
}

/// The usage of the atoms of an argument. The numbers of a sum are no choice of the author.
fn usage_in(text: &str, is_search: bool) -> Usage {
    if is_sum(text) { Usage::Said } else { usage(is_search || is_search_command(text)) }
}

/// Returns true for `(399 + 165) * 3`.
fn is_sum(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || " +-*/().,%".contains(c);
    let is_number = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    text.contains(['+', '-', '*', '/'])
        && text.chars().all(is_part)
        && text.split_whitespace().filter(|word| is_number(word)).count() > 1
}

impl Use {
    /// The use of an atom that stands inside a text and is not the whole of it.
    fn inside(self) -> Use {
        // A word of English in quotes is often not from what was read, such as `'pending'` and `'MISSING:'` in new code.
        let is_word = matches!(&self.atom, Atom::Literal(text) if is_of_one_case(text.trim_end_matches(':')));
        if is_word { Use { usage: self.usage.min(Usage::Word), ..self } } else { self }
    }

    /// The use of an atom that stands in an answer to the user.
    fn spoken(self) -> Use {
        if is_small_when_said(&self.atom) { Use { usage: Usage::Argument, ..self } } else { self.inside() }
    }
}

fn is_of_one_case(word: &str) -> bool {
    let has_only = |is_of_case: fn(&u8) -> bool| word.bytes().all(|byte| is_of_case(&byte));
    has_only(u8::is_ascii_lowercase) || has_only(u8::is_ascii_uppercase)
}

fn usage(is_search: bool) -> Usage {
    if is_search { Usage::Search } else { Usage::Argument }
}

/// Calls a function with each string and number in a value of JSON.
fn leaves<'v>(value: &'v Value, visit: &mut impl FnMut(&'v Value)) {
    match value {
        Value::Str(_) | Value::Int(_) | Value::Float(..) => visit(value),
        Value::Vector(items) => items.iter().for_each(|item| leaves(item, visit)),
        Value::Map(map) => map.iter().for_each(|(_, value)| leaves(value, visit)),
        _ => {}
    }
}

fn is_search_tool(name: &str) -> bool {
    let name = name.to_lowercase();
    SEARCH_TOOLS.iter().any(|word| name.contains(word))
}

/// Returns true if a command only searches, as in `cd src && grep -rn "name" . | head`.
fn is_search_command(command: &str) -> bool {
    let commands = command.split(['|', ';', '&', '\n']).map(str::trim).filter(|command| !command.is_empty());
    let mut programs = commands.filter_map(|command| {
        let mut words = command.split_whitespace();
        match words.next()? {
            "git" => words.next(),
            program => Some(program),
        }
    });
    let mut searches = false;
    let is_beside = programs.all(|program| {
        let is_search = SEARCHES.contains(&program) || program.starts_with("search_");
        searches |= is_search;
        is_search || BESIDE.contains(&program)
    });
    is_beside && searches
}
