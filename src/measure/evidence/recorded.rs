//! The atoms of a recorded answer: in the arguments of calls, in actions that are written as text, and in an answer to
//! the user.

use ecow::EcoString;

use super::atoms::{Usage, Use, distinct, string};
use super::identifiers::identifiers;
use super::interface::Interface;
use super::lines::{KnownLines, Parameter};
use super::matching::Atom;
use super::names::{names, names_in_sentences};
use crate::agent::{ToolCall, Turn};
use ptc_lisp::print::{pr_str, str_of};
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// Words in the names of tools that search.
const SEARCH_TOOLS: [&str; 4] = ["search", "find", "grep", "glob"];
/// Commands of a shell that search, and others that may stand beside one without doing more.
const SEARCHES: [&str; 10] =
    ["grep", "rg", "egrep", "fgrep", "ag", "ack", "find", "fd", "find_file", "locate"];
const BESIDE: [&str; 10] = ["cd", "head", "tail", "sort", "uniq", "wc", "cut", "xargs", "echo", "cat"];

/// The text of an argument, with the tool and the parameter.
type Argument<'t> = (EcoString, &'t EcoString);

/// The atoms of a recorded turn in order, each once, and its lines added to the known ones.
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
                            string(text, usage(is_search || is_search_command(text)), &mut found);
                            found.extend(
                                names_in_sentences(text).map(|name| Use { atom: name, usage: Usage::Name }),
                            );
                            texts.push((call, (parameter.clone(), text)));
                        }
                        other => {
                            let number = Atom::of_text(&pr_str(other));
                            found.extend(number.map(|atom| Use { atom, usage: usage(is_search) }));
                        }
                    });
                }
            }
            Arguments::Positional(values) => {
                for value in values {
                    leaves(value, &mut |value| match value {
                        Value::Str(action) => {
                            let usage = usage(is_search_command(action));
                            found.extend(identifiers(action).map(|atom| Use { atom, usage }));
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
        found.extend(identifiers(answer).map(|atom| Use { atom, usage: Usage::Said }));
        found.extend(names(answer).map(|atom| Use { atom, usage: Usage::Name }));
    }
    found.retain(|one| !interface.has(&one.atom));
    distinct(found)
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
