//! Words of a tool interface. The model knows them from the tool's declaration, not from earlier turns.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use crate::identifiers::identifiers;
use crate::matching::{Atom, words};
use crate::programs::CallTexts;
use conversation::Call;

/// Well-known constants: those of JSON in the spellings of several languages; the file names npm and GitHub ask for; the
/// attribution and the exploring agent of Claude Code (its documentation, *Attribution settings* and *Subagents*); the result
/// field and the list of tools in code run by Codex; the placeholder of published logs; and the options of every program (GNU Coding Standards, 4.8).
const CONSTANTS: [&str; 15] = [
    "true",
    "false",
    "null",
    "none",
    "nil",
    "package.json",
    "README.md",
    "https://claude.com/claude-code",
    "noreply@anthropic.com",
    "REDACTED",
    "Explore",
    "exit_code",
    "ALL_TOOLS",
    "--help",
    "--version",
];
/// Folders of programs and devices. [`TOP`] has the top level of the Filesystem Hierarchy Standard.
const SYSTEM: [&str; 4] = ["/bin/", "/dev/", "/usr/bin/", "/usr/sbin/"];
const TOP: [&str; 18] = [
    "bin", "boot", "dev", "etc", "home", "lib", "media", "mnt", "opt", "proc", "root", "run", "sbin", "srv",
    "sys", "tmp", "usr", "var",
];
// Many logs have no tool declarations, so words repeated by calls count as interface words. Without this rule, five of 60
// verdicts checked by hand were false alarms, such as `max_output_tokens`, an argument in every call of a code tool.
/// A value of a parameter is a fixed choice of the tool if at least [`CALLS`] calls, and one in [`SHARE`], have it.
const SHARE: usize = 3;
const CALLS: usize = 3;
/// All values of a parameter are fixed choices if it has at least [`VALUES`] values, and [`VALUES_OF_WORD`] for each distinct
/// word.
const VALUES: usize = 12;
const VALUES_OF_WORD: usize = 4;
/// An identifier is part of the interface if at least [`TEXTS`] calls with code or plain text, and one in
/// [`SHARE_OF_TEXTS`], have it.
const SHARE_OF_TEXTS: usize = 4;
const TEXTS: usize = 8;

/// The atoms of the interface.
#[derive(Default)]
pub struct Interface(FxHashSet<Atom>);

impl Interface {
    /// Collects the words of tool declarations, part of every request, and the words repeated by calls.
    pub fn of_tools(tools: &[EcoString], calls: &[CallTexts<'_>]) -> Interface {
        // `claude.com` of `https://claude.com/claude-code`
        let mut atoms: FxHashSet<Atom> = CONSTANTS.iter().copied().flat_map(identifiers).collect();
        for tool in tools {
            if let Ok(tool) = serde_json::from_str::<Json>(tool) {
                add_declared(&tool, &mut atoms);
            }
        }
        atoms.extend(repeated_values(calls));
        atoms.extend(repeated_words(calls));
        Interface(atoms)
    }

    /// Returns true for atoms that are no facts: interface words, constants, and standard system folders.
    pub fn has(&self, atom: &Atom) -> bool {
        CONSTANTS.iter().any(|constant| atom.text().eq_ignore_ascii_case(constant))
            || self.0.contains(atom)
            || matches!(atom, Atom::Literal(text) if is_of_system(text))
    }
}

/// Returns true for names such as `tools.write_stdin`. Code run by Codex calls declared tools through `tools`.
pub fn is_tool(name: &str) -> bool {
    name.strip_prefix("tools.").is_some_and(|name| !name.contains('.'))
}

/// `/tmp`, `/dev/null`, `/usr/bin/env`
fn is_of_system(path: &str) -> bool {
    let Some(rest) = path.strip_prefix('/') else { return false };
    if TOP.contains(&rest.trim_end_matches('/')) {
        return true;
    }
    SYSTEM.iter().any(|folder| path.strip_prefix(folder).is_some_and(|name| !name.contains('/')))
}

/// Adds the words and identifiers of all texts in a declaration.
fn add_declared(schema: &Json, atoms: &mut FxHashSet<Atom>) {
    match schema {
        Json::String(text) => add_declared_text(text, atoms),
        Json::Number(number) => add_declared_text(&number.to_string(), atoms),
        Json::Object(fields) => {
            for (key, value) in fields {
                add_declared_text(key, atoms);
                add_declared(value, atoms);
            }
        }
        Json::Array(items) => {
            for item in items {
                add_declared(item, atoms);
            }
        }
        Json::Null | Json::Bool(_) => {}
    }
}

fn add_declared_text(text: &str, atoms: &mut FxHashSet<Atom>) {
    atoms.extend(Atom::of_text(text));
    atoms.extend(identifiers(text));
    atoms.extend(words(text).filter_map(Atom::of_text));
}

/// The number of calls with a parameter, and the count of each plain word among its values.
type Repeats = (usize, FxHashMap<EcoString, usize>);

/// Plain words used as fixed choices of a parameter, see [`SHARE`] and [`VALUES`].
fn repeated_values(calls: &[CallTexts<'_>]) -> Vec<Atom> {
    let mut parameters: FxHashMap<(&str, &str), Repeats> = FxHashMap::default();
    for call in calls {
        for (key, word) in &call.named {
            let (calls, words) = parameters.entry((call.name, key)).or_default();
            *calls += 1;
            if let Some(word) = *word
                && is_plain(word)
            {
                *words.entry(word.into()).or_default() += 1;
            }
        }
    }
    let mut repeated = Vec::new();
    for (calls, words) in parameters.into_values() {
        let is_choice = is_choice(calls, &words);
        for (word, count) in words {
            if is_choice || count >= CALLS && count * SHARE >= calls {
                repeated.extend(Atom::of_text(&word));
            }
        }
    }
    repeated
}

/// Returns true if a parameter has only a few distinct values, all plain words, such as the states of tasks.
fn is_choice(calls: usize, words: &FxHashMap<EcoString, usize>) -> bool {
    calls >= VALUES && words.len() * VALUES_OF_WORD <= calls && words.values().sum::<usize>() == calls
}

impl<'c> CallTexts<'c> {
    /// Collects the texts of a call.
    pub fn of_call(call: &'c Call) -> CallTexts<'c> {
        let mut texts = CallTexts { name: &call.name, ..CallTexts::default() };
        match &call.arguments {
            Some(Json::Object(arguments)) => {
                arguments.iter().for_each(|(key, value)| texts.add_argument(key, value));
            }
            single => texts.whole = Some(single.iter().filter_map(Json::as_str).collect()),
        }
        texts
    }

    fn add_argument(&mut self, key: &'c str, value: &'c Json) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| self.add_argument(key, item)),
            Json::Object(fields) => fields.iter().for_each(|(inner, value)| self.add_argument(inner, value)),
            Json::String(text) => self.named.push((key.into(), Some(text))),
            Json::Null | Json::Bool(_) | Json::Number(_) => self.named.push((key.into(), None)),
        }
    }
}

/// Identifiers repeated by a quarter of the calls with code or plain text, such as `max_output_tokens`.
fn repeated_words(calls: &[CallTexts<'_>]) -> Vec<Atom> {
    let mut tools: FxHashMap<&str, (usize, FxHashMap<Atom, usize>)> = FxHashMap::default();
    for call in calls {
        let Some(texts) = &call.whole else { continue };
        let (calls, counts) = tools.entry(call.name).or_default();
        *calls += 1;
        let found: FxHashSet<Atom> = texts.iter().copied().flat_map(identifiers).collect();
        for atom in found {
            *counts.entry(atom).or_default() += 1;
        }
    }
    let mut repeated = Vec::new();
    for (calls, counts) in tools.into_values() {
        for (atom, count) in counts {
            if count >= TEXTS && count * SHARE_OF_TEXTS >= calls && !atom.text().contains('/') {
                repeated.push(atom);
            }
        }
    }
    repeated
}

/// `str_replace`, `basic_economy`; neither names nor paths nor numbers.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}
