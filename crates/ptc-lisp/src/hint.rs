//! Hints for names that do not exist and for arguments that are swapped (`docs/language.md` §13.3). A hint follows the
//! message after `. `. Making one costs more than a lookup.

pub(super) mod absent;

use std::cmp::Reverse;

use strsim::damerau_levenshtein;

use super::builtin::Builtin;
use super::builtins;
use super::error::Unwind;
use super::print::to_clojure;
use super::value::{Function, Value};

/// Approximate number of names in the language. It is fixed, so that a new name does not change the ticks of programs.
pub const LANGUAGE_NAMES: usize = 800;

/// Functions that take a key first and a collection behind it.
const KEY_FIRST: &str = "avg-by distinct-by group-by max-by min-by pluck sort-by sum-by";

/// Functions that take a function first and a collection behind it.
const FUNCTION_FIRST: &str = "drop-while every? filter filterv keep keep-indexed map map-indexed mapcat mapv \
     not-any? not-every? partition-by reduce remove run! some split-with take-while";

/// The hint for a function or keyword in the place of a collection.
pub fn swapped(name: &str, given: &Value) -> Option<String> {
    let is_function = match given {
        Value::Function(_) => true,
        Value::Keyword(key) => !matches!(key.name(), "asc" | "desc"),
        _ => false,
    };
    let call = match name {
        "get-in" if is_function => return Some("Use (get map key), or a path such as [:a :b]".to_string()),
        "select-keys" if is_function => return Some("Use a vector of keys".to_string()),
        "sort-by" if matches!(given, Value::Keyword(_)) && !is_function => "(sort-by key comparator coll)",
        "reduce" if matches!(given, Value::Int(_) | Value::Str(_)) => "(reduce f init coll)",
        "apply" if is_function => "(apply f coll)",
        _ if is_function && KEY_FIRST.split_whitespace().any(|known| known == name) => {
            return Some(format!("Arguments look swapped; use ({name} key coll)"));
        }
        _ if is_function && FUNCTION_FIRST.split_whitespace().any(|known| known == name) => {
            return Some(format!("Arguments look swapped; use ({name} f coll)"));
        }
        _ => return None,
    };
    Some(format!("Arguments look swapped; use {call}"))
}

/// The hint for a collection in the place of a number.
pub fn number_first(name: &str, given: &Value) -> Option<String> {
    let call = match name {
        "take" | "drop" | "take-last" | "drop-last" | "take-nth" | "split-at" | "partition"
        | "partition-all" => format!("({name} n coll)"),
        "repeat" => "(repeat n x)".to_string(),
        "nth" => "(nth coll index)".to_string(),
        _ => return None,
    };
    let is_collection = matches!(given, Value::Vector(_) | Value::List(_) | Value::Map(_) | Value::Set(_));
    (is_collection || name == "repeat" && !given.is_nil())
        .then(|| format!("Arguments look swapped; use {call}"))
}

/// The hint for a value in the place of a function.
pub fn not_callable(value: &Value, arguments: &[Value]) -> Option<String> {
    match (value, arguments) {
        (_, [Value::Function(Function::Builtin(operator)), other]) => {
            let [left, right] = [value, other].map(|operand| to_clojure(operand, 3, 60).0);
            Some(format!("The function comes first: ({} {left} {right})", operator.name))
        }
        (Value::Bool(_), _) => Some("Where a test is to be a function, write #(> % 5)".to_string()),
        _ => None,
    }
}

/// Adds to the error of a call that a local, which is no function, hides the builtin of that name.
pub fn of_hidden(hidden: Option<&str>, callee: &Value, unwind: Box<Unwind>) -> Box<Unwind> {
    match hidden {
        Some(name) if !matches!(callee, Value::Function(_)) => add_hint(
            unwind,
            &format!("'{name}' is a local here, which hides the function; give it another name"),
        ),
        _ => unwind,
    }
}

/// Adds how to destructure a map entry, if a function wants its key and value as two arguments.
pub fn of_pair(wanted: u32, given: &[Value], unwind: Box<Unwind>) -> Box<Unwind> {
    match (wanted, given) {
        (2, [pair]) if is_pair(pair) => add_hint(unwind, "For a pair as one argument write (fn [[a b]] …)"),
        (3, [_, pair]) if is_pair(pair) => {
            add_hint(unwind, "For a pair as second argument write (fn [acc [k v]] …), or use reduce-kv")
        }
        _ => unwind,
    }
}

fn is_pair(value: &Value) -> bool {
    matches!(value, Value::Vector(items) if items.len() == 2)
}

/// Adds what to write if `update` passes nil, for a missing value, to arithmetic.
pub fn of_missing(function: &Value, unwind: Box<Unwind>) -> Box<Unwind> {
    match function {
        Value::Function(Function::Builtin(Builtin { name: name @ ("+" | "-" | "inc" | "dec"), .. })) => {
            add_hint(unwind, &format!("Nothing stands there yet; use (fnil {name} 0)"))
        }
        _ => unwind,
    }
}

/// Adds a hint to an error that has no position yet.
fn add_hint(mut unwind: Box<Unwind>, hint: &str) -> Box<Unwind> {
    if let Unwind::Error(error) = &mut *unwind
        && error.span.is_none()
    {
        error.message.push_str(". ");
        error.message.push_str(hint);
    }
    unwind
}

/// The hint for an undefined name; `forms` are special forms, `known` the other names in sight but builtins.
pub fn undefined<'a>(name: &str, forms: &[&'a str], known: impl Iterator<Item = &'a str>) -> Option<String> {
    if forms.contains(&name) {
        return Some(format!("'{name}' is a special form; write ({name} …)"));
    }
    if is_method(name) {
        return Some(nearest_methods(name));
    }
    let known: Vec<&str> = known.collect();
    if let Some(instead) = absent::of("name", name) {
        return Some(match did_you_mean(name, known.into_iter()).filter(|_| name.len() > 3) {
            Some(meant) => format!("{meant} {instead}"),
            None => instead.to_string(),
        });
    }
    let builtins = builtins::all().map(|builtin| builtin.name);
    did_you_mean(name, known.into_iter().chain(forms.iter().copied()).chain(builtins))
}

/// `Did you mean 'X'?`, where a candidate is near enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("Did you mean '{candidate}'?"))
}

/// Start of a [`suggestion`] for a name that is like no known one.
pub const ALL_NAMES: &str = "expected one of";

/// `did you mean 'tools'?`, or a list of all known names.
pub fn suggestion<S: AsRef<str>>(name: &str, known: &[S]) -> String {
    match nearest(name, known.iter().map(AsRef::as_ref)) {
        Some(near) => format!("did you mean '{near}'?"),
        None => {
            let all: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
            format!("{ALL_NAMES}: {}", all.join(", "))
        }
    }
}

/// Fewest letters of a name that may be short for another name.
const SHORTEST_START: usize = 3;

/// The likeliest candidate: one with another `-` or `_`, else the only one with the name as its start, else the one
/// with the fewest edits. One edit is allowed, and another for each four characters. A change of
/// case is no edit, but decides ties; others go to the first by alphabet.
///
/// ```
/// use ptc_lisp::hint::nearest;
///
/// let known = ["full-history", "observation-masking", "trim"];
/// assert_eq!(nearest("observtion-maskd", known.into_iter()), Some("observation-masking"));
/// assert_eq!(nearest("observ", known.into_iter()), Some("observation-masking"));
/// assert_eq!(nearest("fold", known.into_iter()), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Tables cut long names with an ellipsis.
    let name = name.trim_end_matches('…');
    let length = name.chars().count();
    let allowed = 1 + length / 4;
    let (characters, lower) = (character_bits(name), name.to_lowercase());
    let mut near: Option<(Reverse<bool>, usize, usize, &str)> = None;
    let mut begun: Vec<&str> = Vec::new();
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        if length >= SHORTEST_START && candidate.starts_with(name) {
            begun.push(candidate);
        }
        // An edit replaces at most one character by one.
        let differing = (character_bits(candidate) ^ characters).count_ones() as usize;
        if differing > 2 * allowed || candidate.chars().count().abs_diff(length) > allowed {
            continue;
        }
        let respelled = is_respelling(name, candidate);
        let distance = damerau_levenshtein(&lower, &candidate.to_lowercase());
        // A name that would have to be replaced altogether is near to nothing.
        if respelled || distance <= allowed && distance < length {
            let with_case = damerau_levenshtein(name, candidate);
            let found = (Reverse(respelled), distance, with_case, candidate);
            near = match near {
                Some(near) => Some(near.min(found)),
                None => Some(found),
            };
        }
    }
    begun.dedup();
    match (near, begun.as_slice()) {
        (Some((Reverse(true), .., respelled)), _) => Some(respelled),
        (_, [only]) => Some(only),
        (near, _) => near.map(|(.., candidate)| candidate),
    }
}

/// The characters of a name in lower case, a bit for each modulo 64.
fn character_bits(name: &str) -> u64 {
    let mut all = 0;
    for character in name.chars().flat_map(char::to_lowercase) {
        all |= 1 << (u32::from(character) % 64);
    }
    all
}

/// Returns true if the two names are equal, treating `-` and `_` as the same.
pub(super) fn is_respelling(name: &str, candidate: &str) -> bool {
    if name.len() != candidate.len() {
        return false;
    }
    for pair in name.bytes().zip(candidate.bytes()) {
        match pair {
            (a, b) if a == b => {}
            (b'-', b'_') | (b'_', b'-') => {}
            _ => return false,
        }
    }
    true
}

fn is_method(name: &str) -> bool {
    match name.strip_prefix('.') {
        Some(method) => method.starts_with(char::is_alphabetic),
        None => false,
    }
}

/// Advice on a method: its replacement, else the one that was probably meant, else the three that are nearest.
fn nearest_methods(name: &str) -> String {
    if let Some(instead) = absent::of("name", name) {
        return instead.to_string();
    }
    let mut methods: Vec<&str> =
        builtins::all().map(|builtin| builtin.name).filter(|name| is_method(name)).collect();
    if let Some(meant) = did_you_mean(name, methods.iter().copied()) {
        return meant;
    }
    methods.sort_by_cached_key(|method| (damerau_levenshtein(name, method), *method));
    format!("The nearest methods are {}", methods[..3].join(", "))
}
