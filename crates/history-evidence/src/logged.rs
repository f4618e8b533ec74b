//! The atoms of a logged answer. They stand in the arguments of calls, in actions that are written as text, and in an answer
//! to the user.

use rustc_hash::FxHashSet;

use crate::identifiers::identifiers;
use crate::interface::{Interface, is_tool};
use crate::lines::{KnownLines, Parameter, declared, is_of_one_line};
use crate::matching::Atom;
use crate::names::{amounts, amounts_in_sentences, names, names_in_sentences};
use crate::sources::is_small_when_said;
use crate::uses::{Usage, Use, add_string, keep_distinct};
use conversation::{Call, Turn};
use serde_json::Value as Json;

/// Words in the names of tools that search.
const SEARCH_TOOLS: [&str; 4] = ["search", "find", "grep", "glob"];
/// Commands of a shell that search, and those that may stand beside one in a command that only searches.
const SEARCHES: [&str; 10] =
    ["grep", "rg", "egrep", "fgrep", "ag", "ack", "find", "fd", "find_file", "locate"];
const BESIDE: [&str; 10] = ["cd", "head", "tail", "sort", "uniq", "wc", "cut", "xargs", "echo", "cat"];

/// The atoms of a logged turn in order, each once. Adds the lines of the turn to the known ones.
pub fn of_logged(turn: &Turn, known: &mut KnownLines, interface: &Interface) -> Vec<Use> {
    let mut arguments = ArgumentAtoms { known, found: Vec::new(), texts: Vec::new() };
    turn.calls.iter().for_each(|call| arguments.add_call(call));
    let ArgumentAtoms { mut found, texts, .. } = arguments;
    let texts: Vec<(Parameter<'_>, &str)> =
        texts.iter().map(|ArgumentText { tool, parameter, text }| ((*tool, *parameter), *text)).collect();
    for (parameter, text) in &texts {
        let usage = usage(is_search_tool(parameter.0) || is_search_command(text));
        let is_command = is_command(parameter.1);
        // A command is given again without its old text. What it says of files and names is an atom of its own.
        let copied = known
            .copied(text, *parameter)
            .into_iter()
            .filter(|line| line.is_exact || !is_command || is_of_one_line(text));
        let usage = if is_command && is_of_one_line(text) { usage.min(Usage::Command) } else { usage };
        found.extend(copied.map(|line| Use { atom: line.atom, usage }));
    }
    known.add(turn, &texts);
    if let Some(answer) = turn.spoken() {
        found.extend(identifiers(answer).map(|atom| Use { atom, usage: Usage::Said }.spoken()));
        found.extend(answer.lines().flat_map(amounts).map(|atom| Use { atom, usage: Usage::Said }));
        found.extend(names(answer).map(|atom| Use { atom, usage: Usage::Name }));
    }
    found.retain(|one| !interface.has(&one.atom));
    keep_distinct(found)
}

/// The atoms of the arguments of calls, and their texts.
struct ArgumentAtoms<'k, 't> {
    known: &'k KnownLines,
    found: Vec<Use>,
    texts: Vec<ArgumentText<'t>>,
}

/// A text in an argument of a call.
struct ArgumentText<'t> {
    tool: &'t str,
    /// Empty in a call that is written as text.
    parameter: &'t str,
    text: &'t str,
}

impl<'t> ArgumentAtoms<'_, 't> {
    fn add_call(&mut self, call: &'t Call) {
        let tool = call.name.as_str();
        match &call.arguments {
            Some(Json::Object(arguments)) => {
                let is_explained = arguments.keys().any(|key| is_explained(key));
                for (parameter, value) in arguments {
                    // It says in other words what the command does.
                    if is_explained && parameter == "description" {
                        continue;
                    }
                    leaves(value, &mut |value| match value {
                        Json::String(text) => self.add_text(tool, parameter, text),
                        other => self.add_number(tool, parameter, other),
                    });
                }
            }
            Some(single) => leaves(single, &mut |value| match value {
                Json::String(action) => self.add_action(tool, action),
                other => {
                    let number = number(other);
                    self.found.extend(number.map(|atom| Use { atom, usage: Usage::Argument }));
                }
            }),
            None => {}
        }
    }

    /// Adds a text that is an argument of its own.
    fn add_text(&mut self, tool: &'t str, parameter: &'t str, text: &'t str) {
        let (whole, defined) = (Atom::of_text(text), self.known.defined_by(text));
        let mut all = Vec::new();
        add_string(text, usage_in(text, is_search_tool(tool)), &mut all);
        for used in all {
            if Some(&used.atom) == whole.as_ref() {
                let usage = if is_command(parameter) { used.usage.min(Usage::Command) } else { used.usage };
                let is_used = !(is_command(parameter) && is_word(text));
                self.found.extend(is_used.then_some(Use { usage, ..used }));
                continue;
            }
            let is_chosen = used.usage != Usage::Said && is_round(&used.atom);
            if !is_chosen && !defined.contains(used.atom.text().as_str()) {
                self.found.push(used.inside());
            }
        }
        self.found.extend(names_in_sentences(text).map(|atom| Use { atom, usage: Usage::Name }));
        self.found.extend(amounts_in_sentences(text).map(|atom| Use { atom, usage: Usage::Said }));
        self.texts.push(ArgumentText { tool, parameter, text });
    }

    fn add_number(&mut self, tool: &str, parameter: &str, value: &Json) {
        let is_bound = is_limit(parameter);
        let number = number(value).filter(|number| !(is_bound && is_round(number)));
        let usage = if is_bound { Usage::Bound } else { usage(is_search_tool(tool)) };
        self.found.extend(number.map(|atom| Use { atom, usage }));
    }

    /// Adds a call that is written as text.
    fn add_action(&mut self, tool: &'t str, action: &'t str) {
        let usage = usage(is_search_command(action));
        let defined = self.known.defined_by(action);
        let told = identifiers(action).filter(|atom| !is_round(atom));
        let told = told.filter(|atom| !defined.contains(atom.text().as_str()) && !is_tool(atom.text()));
        let declared: FxHashSet<&str> = action.lines().flat_map(declared).collect();
        for atom in told {
            match member(&atom, &declared) {
                // A member that only the author has named is a guess.
                Some(member) => {
                    self.found.extend(identifiers(member).map(|atom| Use { atom, usage: Usage::Search }))
                }
                None => self.found.push(Use { atom, usage }.inside()),
            }
        }
        self.texts.push(ArgumentText { tool, parameter: "", text: action });
    }
}

/// `exit_code` of `result.exit_code` and `code:result.exit_code`, where the same code declares `result`
fn member<'a>(atom: &'a Atom, declared: &FxHashSet<&str>) -> Option<&'a str> {
    let text = atom.text();
    let value = text.split_once(':').map_or(text.as_str(), |(_, value)| value);
    value.split_once('.').filter(|(name, _)| declared.contains(name)).map(|(_, member)| member)
}

/// Returns true for a round number, such as those of `sed -n 200,260p` and `timeout 30000`. Authors choose them where any number
/// would do.
fn is_round(atom: &Atom) -> bool {
    // Of 28 numbers in arguments that alone made answers of coding agents short, 13 were round, and no earlier text had led to
    // these.
    let Atom::Number(text) = atom else { return false };
    text.parse::<u64>().is_ok_and(|number| number % if number < 1_000 { 10 } else { 100 } == 0)
}

/// Returns true for a parameter that is a command of a shell, and for a call that is code or text as a whole.
fn is_command(parameter: &str) -> bool {
    ["", "command", "cmd"].contains(&parameter)
}

/// Returns true for a parameter that a `description` beside it explains: a command, or a mission for another agent.
fn is_explained(parameter: &str) -> bool {
    parameter == "prompt" || !parameter.is_empty() && is_command(parameter)
}

/// Returns true for the name of a program alone, such as `uptime`, which is a word in many texts.
fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
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
        if is_small_when_said(&self.atom) || counts_up(&self.atom) {
            Use { usage: Usage::Argument, ..self }
        } else {
            self.inside()
        }
    }
}

/// Returns true for `123` and `12345`, which stand in examples.
fn counts_up(atom: &Atom) -> bool {
    matches!(atom, Atom::Number(text) if "123456789".starts_with(text.as_str()))
}

fn is_of_one_case(word: &str) -> bool {
    let has_only = |is_of_case: fn(&u8) -> bool| word.bytes().all(|byte| is_of_case(&byte));
    has_only(u8::is_ascii_lowercase) || has_only(u8::is_ascii_uppercase)
}

fn usage(is_search: bool) -> Usage {
    if is_search { Usage::Search } else { Usage::Argument }
}

/// Calls a function with each string and number in a value of JSON.
fn leaves<'v>(value: &'v Json, visit: &mut impl FnMut(&'v Json)) {
    match value {
        Json::String(_) | Json::Number(_) => visit(value),
        Json::Array(items) => items.iter().for_each(|item| leaves(item, visit)),
        Json::Object(fields) => fields.values().for_each(|value| leaves(value, visit)),
        Json::Null | Json::Bool(_) => {}
    }
}

/// The atom of a number.
fn number(value: &Json) -> Option<Atom> {
    Atom::of_text(&value.to_string())
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
