//! Words of the interface of tools, which a model knows from their declaration and not from earlier turns.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use crate::identifiers::identifiers;
use crate::matching::{Atom, words};
use crate::programs::CallTexts;
use conversation::Call;

/// The constants of JSON, as models of any language spell them; the files that npm and GitHub ask for; what Claude Code says of itself in
/// commits, and its agent that explores (its documentation, *Attribution settings* and *Subagents*); the field of every result in
/// code that Codex runs; what people who publish logs write in place of a name; the place of most repositories, the command of Python
/// (PEP 394), and the options of every program (GNU Coding Standards, 4.8).
const CONSTANTS: [&str; 18] = [
    "true",
    "false",
    "null",
    "none",
    "nil",
    "package.json",
    "README.md",
    "Claude Code",
    "https://claude.com/claude-code",
    "noreply@anthropic.com",
    "REDACTED",
    "GitHub",
    "https://github.com",
    "python3",
    "Explore",
    "exit_code",
    "--help",
    "--version",
];
/// The folders of programs and devices, and the top of the Filesystem Hierarchy Standard.
const SYSTEM: [&str; 4] = ["/bin/", "/dev/", "/usr/bin/", "/usr/sbin/"];
const TOP: [&str; 18] = [
    "bin", "boot", "dev", "etc", "home", "lib", "media", "mnt", "opt", "proc", "root", "run", "sbin", "srv",
    "sys", "tmp", "usr", "var",
];
// Many logs have no declarations of tools, so words that calls repeat count as words of the interface. Without them five of 60
// verdicts that were read by eye were false alarms, such as `max_output_tokens`, which each call of a code tool has.
/// A word that a parameter has in one of this many calls, and in [`CALLS`] calls, is a choice that the tool offers.
const SHARE: usize = 3;
const CALLS: usize = 3;
/// The least values of a parameter, and the values for each of its words, that make all of them choices.
const VALUES: usize = 12;
const VALUES_OF_WORD: usize = 4;
/// An identifier in one of this many calls that are code or text as a whole, and in [`TEXTS`] of them, is part of the interface.
const SHARE_OF_TEXTS: usize = 4;
const TEXTS: usize = 8;

/// The atoms of the interface.
#[derive(Default)]
pub struct Interface(FxHashSet<Atom>);

impl Interface {
    /// The words of the declarations of tools, which stand before every request, and the words that calls repeat.
    pub fn of(tools: &[EcoString], calls: &[CallTexts<'_>]) -> Interface {
        let mut atoms = FxHashSet::default();
        tools
            .iter()
            .filter_map(|tool| serde_json::from_str(tool).ok())
            .for_each(|tool: Json| declared(&tool, &mut atoms));
        atoms.extend(repeated_values(calls));
        atoms.extend(repeated_words(calls));
        Interface(atoms)
    }

    /// Returns true if an atom is no fact: it is part of the interface, a constant, or a folder of every system.
    pub fn has(&self, atom: &Atom) -> bool {
        let is = |constant: &&str| atom.text().eq_ignore_ascii_case(constant);
        CONSTANTS.iter().any(is)
            || self.0.contains(atom)
            || matches!(atom, Atom::Literal(text) if is_of_system(text))
    }
}

/// Returns true for `tools.write_stdin`: code that Codex runs has the declared tools in `tools`.
pub fn is_tool(name: &str) -> bool {
    name.strip_prefix("tools.").is_some_and(|name| !name.contains('.'))
}

/// `/tmp`, `/dev/null`, `/usr/bin/env`
fn is_of_system(path: &str) -> bool {
    let is_name = |rest: &str| !rest.contains('/');
    path.strip_prefix('/').is_some_and(|rest| TOP.contains(&rest.trim_end_matches('/')))
        || SYSTEM.iter().any(|folder| path.strip_prefix(folder).is_some_and(is_name))
}

/// The words and identifiers of all texts in a declaration.
fn declared(schema: &Json, atoms: &mut FxHashSet<Atom>) {
    let mut add = |text: &str| {
        atoms.extend(Atom::of_text(text).into_iter().chain(identifiers(text)));
        atoms.extend(words(text).filter_map(Atom::of_text));
    };
    match schema {
        Json::String(text) => add(text),
        Json::Number(number) => add(&number.to_string()),
        Json::Object(fields) => {
            fields.keys().for_each(|key| add(key));
            fields.values().for_each(|value| declared(value, atoms));
        }
        Json::Array(items) => items.iter().for_each(|item| declared(item, atoms)),
        Json::Null | Json::Bool(_) => {}
    }
}

/// The number of calls that have a parameter, and the number of times that each plain word is its value.
type Repeats = (usize, FxHashMap<EcoString, usize>);

/// Plain words that a parameter has in a third of its calls, and those of one that has few.
fn repeated_values(calls: &[CallTexts<'_>]) -> impl Iterator<Item = Atom> {
    let mut parameters: FxHashMap<(&str, &str), Repeats> = FxHashMap::default();
    for call in calls {
        for (key, word) in &call.named {
            let (calls, words) = parameters.entry((call.name, key)).or_default();
            *calls += 1;
            if let Some(word) = word.filter(|word| is_plain(word)) {
                *words.entry(word.into()).or_default() += 1;
            }
        }
    }
    parameters.into_values().flat_map(|(calls, words)| {
        let is_choice = is_choice(calls, &words);
        let is_often = move |count: usize| count >= CALLS && count * SHARE >= calls;
        let often = words.into_iter().filter(move |(_, count)| is_choice || is_often(*count));
        often.filter_map(|(word, _)| Atom::of_text(&word))
    })
}

/// Returns true if all values of a parameter are few plain words, such as the states of tasks.
fn is_choice(calls: usize, words: &FxHashMap<EcoString, usize>) -> bool {
    calls >= VALUES && words.len() * VALUES_OF_WORD <= calls && words.values().sum::<usize>() == calls
}

impl<'c> CallTexts<'c> {
    /// The texts of a call.
    pub fn of(call: &'c Call) -> CallTexts<'c> {
        let mut texts = CallTexts { name: &call.name, ..CallTexts::default() };
        match &call.arguments {
            Some(Json::Object(arguments)) => {
                arguments.iter().for_each(|(key, value)| texts.add(key, value));
            }
            single => texts.whole = Some(single.iter().filter_map(Json::as_str).collect()),
        }
        texts
    }

    fn add(&mut self, key: &'c str, value: &'c Json) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| self.add(key, item)),
            Json::Object(fields) => fields.iter().for_each(|(inner, value)| self.add(inner, value)),
            Json::String(text) => self.named.push((key.into(), Some(text))),
            Json::Null | Json::Bool(_) | Json::Number(_) => self.named.push((key.into(), None)),
        }
    }
}

/// Identifiers in a quarter of the calls that are code or text as a whole, such as `max_output_tokens`.
fn repeated_words(calls: &[CallTexts<'_>]) -> impl Iterator<Item = Atom> {
    let mut tools: FxHashMap<&str, (usize, FxHashMap<Atom, usize>)> = FxHashMap::default();
    for call in calls {
        let Some(texts) = &call.whole else { continue };
        let (calls, counts) = tools.entry(call.name).or_default();
        *calls += 1;
        let found: FxHashSet<Atom> = texts.iter().copied().flat_map(identifiers).collect();
        found.into_iter().for_each(|atom| *counts.entry(atom).or_default() += 1);
    }
    tools.into_values().flat_map(|(calls, counts)| {
        let often = move |count: usize| count >= TEXTS && count * SHARE_OF_TEXTS >= calls;
        counts
            .into_iter()
            .filter(move |(atom, count)| often(*count) && !atom.text().contains('/'))
            .map(|(atom, _)| atom)
    })
}

/// `str_replace`, `basic_economy`; neither names nor paths nor numbers.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}
