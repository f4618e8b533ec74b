//! Words of the interface of tools, which a model knows from their declaration and not from earlier turns.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;

use super::matching::Atom;
use crate::agent::{Agent, Turn};
use ptc_lisp::print::str_of;
use ptc_lisp::session::Arguments;
use ptc_lisp::value::Value;

/// The constants of JSON, as models of any language spell them.
const CONSTANTS: [&str; 5] = ["true", "false", "null", "none", "nil"];
/// A word that a parameter has in a third of its calls, and in so many, is a choice that the tool offers.
const SHARE: usize = 3;
const CALLS: usize = 3;

/// The words of the interface.
#[derive(Default)]
pub struct Interface(FxHashSet<EcoString>);

impl Interface {
    /// The names and choices of the declared tools, and what their calls repeat.
    pub fn of<'t>(agent: &Agent, turns: impl Iterator<Item = &'t Turn>) -> Interface {
        let mut words = FxHashSet::default();
        let tools = agent.recorded.iter().flat_map(|recorded| &recorded.tools);
        tools
            .filter_map(|tool| serde_json::from_str(tool).ok())
            .for_each(|tool: Json| declared(&tool, &mut words));
        words.extend(repeated(turns));
        Interface(words)
    }

    /// Returns true if an atom is no fact: a word of the interface, or a constant.
    pub fn has(&self, atom: &Atom) -> bool {
        let Atom::Literal(text) = atom else { return false };
        CONSTANTS.iter().any(|constant| text.eq_ignore_ascii_case(constant)) || self.0.contains(text)
    }
}

/// Names of tools and parameters, and the values of `enum` and `const`.
fn declared(schema: &Json, words: &mut FxHashSet<EcoString>) {
    let mut add = |word: &Json| words.extend(word.as_str().map(EcoString::from));
    match schema {
        Json::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("name" | "const", word) => add(word),
                    ("enum", Json::Array(choices)) => choices.iter().for_each(&mut add),
                    ("properties", Json::Object(parameters)) => {
                        parameters.keys().for_each(|name| add(&Json::from(name.as_str())));
                    }
                    _ => {}
                }
            }
            fields.values().for_each(|value| declared(value, words));
        }
        Json::Array(items) => items.iter().for_each(|item| declared(item, words)),
        _ => {}
    }
}

/// Plain words that a parameter has in a third of its calls.
fn repeated<'t>(turns: impl Iterator<Item = &'t Turn>) -> impl Iterator<Item = EcoString> {
    let mut parameters: FxHashMap<(&str, String), (usize, FxHashMap<EcoString, usize>)> =
        FxHashMap::default();
    for call in turns.flat_map(|turn| &turn.tool_calls) {
        let Arguments::Named(arguments) = &call.arguments else { continue };
        for (key, value) in arguments.iter() {
            let (calls, words) = parameters.entry((call.name.name(), str_of(key).to_string())).or_default();
            *calls += 1;
            if let Value::Str(word) = value
                && is_plain(word)
            {
                *words.entry(word.as_str().into()).or_default() += 1;
            }
        }
    }
    parameters.into_values().flat_map(|(calls, words)| {
        words
            .into_iter()
            .filter_map(move |(word, count)| (count >= CALLS && count * SHARE >= calls).then_some(word))
    })
}

/// `str_replace`, `basic_economy`; neither names nor paths nor numbers.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}
