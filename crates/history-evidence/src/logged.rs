//! The atoms of a logged answer: in call arguments, in actions written as text, and in text for the user.

use rustc_hash::FxHashSet;

use crate::characters::{is_digit, is_letter, is_of_small_letters};
use crate::common::is_file;
use crate::identifiers::{identifiers, is_of_identifier};
use crate::interface::{Interface, is_tool};
use crate::lines::{KnownLines, Parameter, declared_names, is_of_one_line, variables_of};
use crate::matching::Atom;
use crate::names::{find_amounts, find_names, lines_with_sentences, names_of_line};
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

/// Ends of variables with a folder of temporary files.
const CACHES: [&str; 3] = ["CACHE", "CACHE_DIR", "TMPDIR"];

/// Options followed by the fields to print.
const SELECTIONS: [&str; 3] = ["--json", "--fields", "--columns"];

/// The distinct atoms of a logged turn, in order. Adds the turn's lines to the known ones.
pub fn of_logged(turn: &Turn, known: &mut KnownLines, interface: &Interface) -> Vec<Use> {
    let mut arguments = ArgumentAtoms { known, found: Vec::new(), texts: Vec::new() };
    for call in &turn.calls {
        arguments.add_call(call);
    }
    let ArgumentAtoms { mut found, texts, .. } = arguments;
    for &(parameter, text) in &texts {
        let mut usage = usage_of_argument(is_search_tool(parameter.0) || is_search_command(text));
        let is_command = is_command(parameter.1);
        if is_command && is_of_one_line(text) {
            usage = usage.min(Usage::Command);
        }
        for line in known.find_copied(text, parameter) {
            // The model can repeat a command without seeing the old one. Its files and names are separate atoms.
            if line.is_exact || !is_command || is_of_one_line(text) {
                found.push(Use { atom: line.atom, usage });
            }
        }
    }
    known.add_turn(turn, &texts);
    if let Some(answer) = turn.spoken() {
        add_spoken(answer, &mut found);
    }
    found.retain(|one| !interface.has(&one.atom));
    keep_distinct(found)
}

/// Adds the atoms of text for the user.
fn add_spoken(answer: &str, found: &mut Vec<Use>) {
    // Pseudo code has variables of its own.
    let defined = variables_of(answer.split("```").skip(1).step_by(2).flat_map(str::lines));
    for atom in identifiers(answer) {
        if !defined.contains(atom.text().as_str()) {
            found.push(Use { atom, usage: Usage::Said }.into_spoken());
        }
    }
    for line in answer.lines() {
        found.extend(with_usage(find_amounts(line), Usage::Said));
    }
    found.extend(with_usage(find_names(answer), Usage::Name));
}

fn with_usage(atoms: Vec<Atom>, usage: Usage) -> impl Iterator<Item = Use> {
    atoms.into_iter().map(move |atom| Use { atom, usage })
}

/// The atoms of the arguments of calls, and their texts.
struct ArgumentAtoms<'k, 't> {
    known: &'k KnownLines,
    found: Vec<Use>,
    /// The text arguments. The parameter's name is empty if the call is written as text.
    texts: Vec<(Parameter<'t>, &'t str)>,
}

/// Names in an argument that its author may have chosen.
struct Context<'t> {
    defined: FxHashSet<&'t str>,
    caches: FxHashSet<&'t str>,
    quoted: FxHashSet<&'t str>,
}

/// `/tmp/shop-cache` of `GOCACHE=/tmp/shop-cache`
fn folders_of_caches(text: &str) -> FxHashSet<&str> {
    let mut folders = FxHashSet::default();
    for variable in CACHES {
        for (at, _) in text.match_indices(variable) {
            let Some(value) = text[at + variable.len()..].strip_prefix('=') else { continue };
            let folder = value.split(|c| !is_of_identifier(c)).next().unwrap_or(value);
            folders.insert(folder.trim_end_matches(['-', '/', '.', ':', '@', ',']));
        }
    }
    folders
}

/// The texts between two double quotes. One line has none: it is a command, not code.
fn quoted_names(text: &str) -> FxHashSet<&str> {
    if is_of_one_line(text) {
        return FxHashSet::default();
    }
    let Some((_, rest)) = text.split_once('"') else { return FxHashSet::default() };
    let Some((inside, _)) = rest.rsplit_once('"') else { return FxHashSet::default() };
    inside.split('"').collect()
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
                    visit_leaves(value, &mut |leaf| match leaf {
                        Json::String(text) => self.add_text(tool, parameter, text),
                        other => self.add_number(tool, parameter, other),
                    });
                }
            }
            Some(single) => visit_leaves(single, &mut |leaf| match leaf {
                Json::String(action) => self.add_action(tool, action),
                other => self.found.extend(number_of(other, Usage::Argument)),
            }),
            None => {}
        }
    }

    /// Adds a text argument.
    fn add_text(&mut self, tool: &'t str, parameter: &'t str, text: &'t str) {
        let (whole, mut defined) = (Atom::of_text(text), self.known.defined_by(text));
        defined.extend(selected_fields(text));
        if is_command(parameter) {
            defined.extend(variables_of(text.lines()));
        }
        let context = Context { defined, caches: folders_of_caches(text), quoted: quoted_names(text) };
        let mut all = Vec::new();
        add_string(text, usage_in(text, is_search_tool(tool)), &mut all);
        for used in all {
            if Some(&used.atom) == whole.as_ref() {
                let usage = if is_command(parameter) { used.usage.min(Usage::Command) } else { used.usage };
                self.found.push(Use { usage, ..used });
                continue;
            }
            if used.usage == Usage::Said || !is_round(&used.atom) {
                self.add_inside(used, &context);
            }
        }
        for line in lines_with_sentences(text) {
            self.found.extend(with_usage(names_of_line(line), Usage::Name));
        }
        for line in lines_with_sentences(text) {
            self.found.extend(with_usage(find_amounts(line), Usage::Said));
        }
        self.texts.push(((tool, parameter), text));
    }

    /// Adds an atom inside a longer text, unless the text defines it.
    fn add_inside(&mut self, used: Use, context: &Context) {
        if context.defined.contains(used.atom.text().as_str()) {
            return;
        }
        match member_of_defined(&used.atom, &context.defined) {
            // The name of a member of its own variable is the author's guess.
            Some(member) => {
                let usage = used.usage.min(Usage::Search);
                self.found.extend(with_usage(identifiers(member), usage));
            }
            None => self.found.push(used.into_inside_of(context)),
        }
    }

    fn add_number(&mut self, tool: &str, parameter: &str, value: &Json) {
        let usage = match parameter {
            parameter if is_position(parameter) => Usage::Position,
            parameter if is_limit(parameter) => Usage::Bound,
            _ => usage_of_argument(is_search_tool(tool)),
        };
        let is_bound = matches!(usage, Usage::Position | Usage::Bound);
        if let Some(number) = number_of(value, usage)
            && !(is_bound && is_round(&number.atom))
        {
            self.found.push(number);
        }
    }

    /// Adds a call written as text.
    fn add_action(&mut self, tool: &'t str, action: &'t str) {
        let usage = usage_of_argument(is_search_command(action));
        let mut defined = self.known.defined_by(action);
        defined.extend(selected_fields(action));
        defined.extend(action.lines().flat_map(declared_names));
        defined.extend(variables_of(action.lines()));
        let context = Context { defined, caches: folders_of_caches(action), quoted: quoted_names(action) };
        for atom in identifiers(action) {
            if !is_round(&atom) && !is_tool(atom.text()) {
                self.add_inside(Use { atom, usage }, &context);
            }
        }
        self.texts.push(((tool, ""), action));
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
        let rest = value.trim_start_matches(|c| is_letter(c) || c == ',');
        let names = &value[..value.len() - rest.len()];
        if !rest.starts_with(char::is_alphanumeric) && !rest.starts_with(['_', '-', '.', '/']) {
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
    let value = match text.split_once(':') {
        Some((_, value)) => value,
        None => text,
    };
    let (name, member) = value.split_once('.')?;
    defined.contains(name).then_some(member)
}

/// Returns true for a round number, as in `sed -n 200,260p` and `timeout 30000`. The author chose it where any number would do.
fn is_round(atom: &Atom) -> bool {
    // In logs of coding agents, 28 numbers in arguments alone got answers reported as lacking a fact. 13 of them were round,
    // and no earlier text had suggested these.
    let Atom::Number(text) = atom else { return false };
    match text.parse::<u64>() {
        Ok(number) if number < 1_000 => number % 10 == 0,
        Ok(number) => number % 100 == 0,
        Err(_) => false,
    }
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
    text.contains(['+', '-', '*', '/'])
        && text.chars().all(|c| is_digit(c) || " +-*/().,%".contains(c))
        && text.split_whitespace().filter(|word| word.contains(is_digit)).count() > 1
}

impl Use {
    /// The use of an atom inside a longer text.
    fn into_inside(self) -> Use {
        // A quoted English word is often the author's own, such as `'pending'`, `'MISSING:'` and `"_comment"` in new code.
        let is_chosen = matches!(&self.atom, Atom::Literal(text)
            if is_of_one_case(text.trim_matches(['_', ':'])));
        if is_chosen { Use { usage: self.usage.min(Usage::Word), ..self } } else { self }
    }

    /// The use of an atom inside an argument. A plain file name in quotes in a text of several lines, as in new code, is an example as
    /// often as a fact: `"auth.go"`. A cache may be in any folder: `GOCACHE=/tmp/shop-cache`.
    fn into_inside_of(self, context: &Context) -> Use {
        if context.caches.contains(self.atom.text().as_str()) {
            return Use { usage: self.usage.min(Usage::Search), ..self };
        }
        let is_example = matches!(&self.atom, Atom::Literal(name)
            if is_file(name) && context.quoted.contains(name.as_str()));
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

fn is_of_one_case(word: &str) -> bool {
    is_of_small_letters(word) || word.as_bytes().iter().all(u8::is_ascii_uppercase)
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

fn number_of(value: &Json, usage: Usage) -> Option<Use> {
    let atom = Atom::of_text(&value.to_string())?;
    Some(Use { atom, usage })
}

fn is_search_tool(name: &str) -> bool {
    let name = name.to_lowercase();
    SEARCH_TOOLS.iter().any(|word| name.contains(word))
}

/// Returns true if a shell command only searches, as in `cd src && grep -rn "name" . | head`.
fn is_search_command(command: &str) -> bool {
    let mut searches = false;
    for command in without_quoted(command).split(['|', ';', '&', '\n']) {
        let mut words = command.split_whitespace();
        let program = match words.next() {
            Some("git") => words.next(),
            program => program,
        };
        let Some(program) = program else { continue };
        let is_search = SEARCHES.contains(&program) || program.starts_with("search_");
        if !is_search && !BESIDE.contains(&program) {
            return false;
        }
        searches |= is_search;
    }
    searches
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
        rest = match after.split_once(quote) {
            Some((_, after_quoted)) if !is_apostrophe && !before.ends_with('\\') => after_quoted,
            _ => after,
        };
    }
    bare + rest
}
