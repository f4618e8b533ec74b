//! The atoms of a logged answer: in call arguments, in actions written as text, and in text for the user.

use rustc_hash::FxHashSet;

use crate::common::is_file;
use crate::identifiers::identifiers;
use crate::interface::{Interface, is_tool};
use crate::lines::{KnownLines, Parameter, declared_names, is_of_one_line};
use crate::matching::Atom;
use crate::names::{amounts_in_sentences, find_amounts, find_names, names_in_sentences};
use crate::sources::is_small_when_said;
use crate::uses::{Usage, Use, add_string, keep_distinct};
use conversation::{Call, Turn};
use serde_json::Value as Json;

/// Words in the names of search tools.
const SEARCH_TOOLS: [&str; 4] = ["search", "find", "grep", "glob"];
/// Shell commands that search. [`BESIDE`] has commands that may accompany them.
const SEARCHES: [&str; 10] =
    ["grep", "rg", "egrep", "fgrep", "ag", "ack", "find", "fd", "find_file", "locate"];
const BESIDE: [&str; 10] = ["cd", "head", "tail", "sort", "uniq", "wc", "cut", "xargs", "echo", "cat"];

/// Minimum digits of an invented identifier.
const EXAMPLE_DIGITS: usize = 4;
/// Options followed by the fields to print.
const SELECTIONS: [&str; 3] = ["--json", "--fields", "--columns"];

/// The distinct atoms of a logged turn, in order. Adds the turn's lines to the known ones.
pub fn of_logged(turn: &Turn, known: &mut KnownLines, interface: &Interface) -> Vec<Use> {
    let mut arguments = ArgumentAtoms { known, found: Vec::new(), texts: Vec::new() };
    for call in &turn.calls {
        arguments.add_call(call);
    }
    let ArgumentAtoms { mut found, texts, .. } = arguments;
    let texts: Vec<(Parameter<'_>, &str)> =
        texts.iter().map(|ArgumentText { tool, parameter, text }| ((*tool, *parameter), *text)).collect();
    for (parameter, text) in &texts {
        let mut usage = usage_of_argument(is_search_tool(parameter.0) || is_search_command(text));
        let is_command = is_command(parameter.1);
        if is_command && is_of_one_line(text) {
            usage = usage.min(Usage::Command);
        }
        for line in known.find_copied(text, *parameter) {
            // The model can repeat a command without seeing the old one. Its files and names are separate atoms.
            if line.is_exact || !is_command || is_of_one_line(text) {
                found.push(Use { atom: line.atom, usage });
            }
        }
    }
    known.add_turn(turn, &texts);
    if let Some(answer) = turn.spoken() {
        found.extend(identifiers(answer).map(|atom| Use { atom, usage: Usage::Said }.into_spoken()));
        found.extend(answer.lines().flat_map(find_amounts).map(|atom| Use { atom, usage: Usage::Said }));
        found.extend(find_names(answer).map(|atom| Use { atom, usage: Usage::Name }));
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

/// A text argument of a call.
struct ArgumentText<'t> {
    tool: &'t str,
    /// Empty if the call is written as text.
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
                    // It describes the command in other words.
                    if is_explained && parameter == "description" {
                        continue;
                    }
                    visit_leaves(value, &mut |value| match value {
                        Json::String(text) => self.add_text(tool, parameter, text),
                        other => self.add_number(tool, parameter, other),
                    });
                }
            }
            Some(single) => visit_leaves(single, &mut |value| match value {
                Json::String(action) => self.add_action(tool, action),
                other => {
                    let number = number_of(other);
                    self.found.extend(number.map(|atom| Use { atom, usage: Usage::Argument }));
                }
            }),
            None => {}
        }
    }

    /// Adds a text argument.
    fn add_text(&mut self, tool: &'t str, parameter: &'t str, text: &'t str) {
        let (whole, mut defined) = (Atom::of_text(text), self.known.defined_by(text));
        defined.extend(selected_fields(text));
        let mut all = Vec::new();
        add_string(text, usage_in(text, is_search_tool(tool)), &mut all);
        for used in all {
            if Some(&used.atom) == whole.as_ref() {
                let usage = if is_command(parameter) { used.usage.min(Usage::Command) } else { used.usage };
                self.found.push(Use { usage, ..used });
                continue;
            }
            if used.usage == Usage::Said || !is_round(&used.atom) {
                self.add_inside(used, text, &defined);
            }
        }
        self.found.extend(names_in_sentences(text).map(|atom| Use { atom, usage: Usage::Name }));
        self.found.extend(amounts_in_sentences(text).map(|atom| Use { atom, usage: Usage::Said }));
        self.texts.push(ArgumentText { tool, parameter, text });
    }

    /// Adds an atom inside a longer text, unless the text defines it.
    fn add_inside(&mut self, used: Use, text: &str, defined: &FxHashSet<&str>) {
        if defined.contains(used.atom.text().as_str()) {
            return;
        }
        match member_of_defined(&used.atom, defined) {
            // The name of a member of its own variable is the author's guess.
            Some(member) => {
                let usage = used.usage.min(Usage::Search);
                self.found.extend(identifiers(member).map(|atom| Use { atom, usage }));
            }
            None => self.found.push(used.into_inside_of(text)),
        }
    }

    fn add_number(&mut self, tool: &str, parameter: &str, value: &Json) {
        let usage = match parameter {
            parameter if is_position(parameter) => Usage::Position,
            parameter if is_limit(parameter) => Usage::Bound,
            _ => usage_of_argument(is_search_tool(tool)),
        };
        let is_bound = matches!(usage, Usage::Position | Usage::Bound);
        let number = number_of(value).filter(|number| !(is_bound && is_round(number)));
        self.found.extend(number.map(|atom| Use { atom, usage }));
    }

    /// Adds a call written as text.
    fn add_action(&mut self, tool: &'t str, action: &'t str) {
        let usage = usage_of_argument(is_search_command(action));
        let mut defined = self.known.defined_by(action);
        defined.extend(selected_fields(action));
        defined.extend(action.lines().flat_map(declared_names));
        for atom in identifiers(action) {
            if !is_round(&atom) && !is_tool(atom.text()) {
                self.add_inside(Use { atom, usage }, action, &defined);
            }
        }
        self.texts.push(ArgumentText { tool, parameter: "", text: action });
    }
}

/// `state` and `closedAt` of `gh issue view 12 --json state,closedAt`: the program documents the fields it prints. The names
/// have letters only, since the word after a plain option `--json` may be an argument.
fn selected_fields(command: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut words = command.split(|c: char| c.is_whitespace() || c == '=');
    while let Some(word) = words.next() {
        if !SELECTIONS.contains(&word) {
            continue;
        }
        let Some(value) = words.next() else { break };
        let value = value.trim_start_matches(['"', '\'', '\\']);
        let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != ',').unwrap_or(value.len());
        let (names, rest) = value.split_at(end);
        if !rest.starts_with(|c: char| c.is_alphanumeric() || "_-./".contains(c)) {
            fields.extend(names.split(','));
        }
    }
    fields
}

/// `exit_code` of `result.exit_code` and `code:result.exit_code`, if the same code defines `result`.
fn member_of_defined<'a>(atom: &'a Atom, defined: &FxHashSet<&str>) -> Option<&'a str> {
    let text = atom.text();
    // `settings.json` is a file, also where the code has a variable `settings`.
    if is_file(text) {
        return None;
    }
    let value = text.split_once(':').map_or(text.as_str(), |(_, value)| value);
    value.split_once('.').filter(|(name, _)| defined.contains(name)).map(|(_, member)| member)
}

/// Returns true for a round number, as in `sed -n 200,260p` and `timeout 30000`. The author chose it where any number would do.
fn is_round(atom: &Atom) -> bool {
    // In logs of coding agents, 28 numbers in arguments alone got answers reported as lacking a fact. 13 of them were round,
    // and no earlier text had suggested these.
    let Atom::Number(text) = atom else { return false };
    text.parse::<u64>().is_ok_and(|number| number % if number < 1_000 { 10 } else { 100 } == 0)
}

/// Returns true for a parameter with a shell command, and for a call that is code or text as a whole.
fn is_command(parameter: &str) -> bool {
    ["", "command", "cmd"].contains(&parameter)
}

/// Returns true for a parameter explained by a `description` argument: a command, or a task for another agent.
fn is_explained(parameter: &str) -> bool {
    parameter == "prompt" || !parameter.is_empty() && is_command(parameter)
}

/// Returns true for a parameter with a place in a file, such as `offset` and `start_line`.
fn is_position(parameter: &str) -> bool {
    let parameter = parameter.to_lowercase();
    parameter.contains("offset") || parameter.contains("line") && !parameter.contains("lines")
}

/// Returns true for a parameter that limits a tool.
fn is_limit(parameter: &str) -> bool {
    const LIMITS: [&str; 9] =
        ["count", "depth", "limit", "lines", "max", "page", "seconds", "timeout", "tokens"];
    let parameter = parameter.to_lowercase();
    LIMITS.iter().any(|word| parameter.contains(word)) || parameter.ends_with("_ms")
}

/// The usage of the atoms in an argument. The numbers of an arithmetic expression are facts, not choices of the author.
fn usage_in(text: &str, is_search: bool) -> Usage {
    if is_sum(text) { Usage::Said } else { usage_of_argument(is_search || is_search_command(text)) }
}

/// Returns true for arithmetic such as `(399 + 165) * 3`.
fn is_sum(text: &str) -> bool {
    let numbers = text.split_whitespace().filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    text.contains(['+', '-', '*', '/'])
        && text.chars().all(|c| c.is_ascii_digit() || " +-*/().,%".contains(c))
        && numbers.count() > 1
}

impl Use {
    /// The use of an atom inside a longer text.
    fn into_inside(self) -> Use {
        // A quoted English word is often the author's own, such as `'pending'` and `'MISSING:'` in new code.
        let is_chosen = matches!(&self.atom, Atom::Literal(text)
            if is_of_one_case(text.trim_end_matches(':')) || is_example_id(text));
        if is_chosen { Use { usage: self.usage.min(Usage::Word), ..self } } else { self }
    }

    /// The use of an atom inside an argument. A plain file name in quotes in a text of several lines, as in new code, is an example as
    /// often as a fact: `"auth.go"`.
    fn into_inside_of(self, text: &str) -> Use {
        let is_example = matches!(&self.atom, Atom::Literal(name)
            if is_file(name) && !is_of_one_line(text) && text.contains(&format!("\"{name}\"")));
        if is_example { Use { usage: self.usage.min(Usage::Word), ..self } } else { self.into_inside() }
    }

    /// The use of an atom in text for the user.
    fn into_spoken(self) -> Use {
        if is_small_when_said(&self.atom) || counts_up(&self.atom) {
            Use { usage: Usage::Argument, ..self }
        } else {
            self.into_inside()
        }
    }
}

/// Returns true for `123` and `12345`, typical numbers in examples.
fn counts_up(atom: &Atom) -> bool {
    matches!(atom, Atom::Number(text) if "123456789".starts_with(text.as_str()))
}

/// Returns true for an invented identifier, such as `b2c3d4e5f6a7`: single letters and ascending digits by turns.
fn is_example_id(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let mut pairs = text.as_bytes().windows(2);
    digits.len() >= EXAMPLE_DIGITS
        && "0123456789".contains(&digits)
        && pairs.all(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
}

fn is_of_one_case(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase()) || word.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn usage_of_argument(is_search: bool) -> Usage {
    if is_search { Usage::Search } else { Usage::Argument }
}

/// Calls `visit` with each string and number in a JSON value.
fn visit_leaves<'v>(value: &'v Json, visit: &mut impl FnMut(&'v Json)) {
    match value {
        Json::String(_) | Json::Number(_) => visit(value),
        Json::Array(items) => items.iter().for_each(|item| visit_leaves(item, visit)),
        Json::Object(fields) => fields.values().for_each(|value| visit_leaves(value, visit)),
        Json::Null | Json::Bool(_) => {}
    }
}

fn number_of(value: &Json) -> Option<Atom> {
    Atom::of_text(&value.to_string())
}

fn is_search_tool(name: &str) -> bool {
    let name = name.to_lowercase();
    SEARCH_TOOLS.iter().any(|word| name.contains(word))
}

/// Returns true if a shell command only searches, as in `cd src && grep -rn "name" . | head`.
fn is_search_command(command: &str) -> bool {
    let command = without_quoted(command);
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

/// The command without its texts in quotes, such as the pattern in `grep "one\\|two"`. An apostrophe inside a word, as in `don't`,
/// and a quote without an end hide nothing.
fn without_quoted(command: &str) -> String {
    let (mut bare, mut rest) = (String::new(), command);
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, from) = rest.split_at(at);
        bare.push_str(before);
        let (quote, after) = from.split_at(1);
        let is_apostrophe = quote == "'" && before.ends_with(char::is_alphanumeric);
        let end = after.find(quote).filter(|_| !is_apostrophe && !before.ends_with('\\'));
        rest = end.map_or(after, |end| &after[end + 1..]);
    }
    bare + rest
}
