//! What a person or a model probably meant by a name that does not exist (`ptc-lisp.md` §13.3). Hints
//! stand after the message, divided from it by `. `; making one costs more than a lookup, so make it once.

use std::cmp::Reverse;

use strsim::damerau_levenshtein;

use super::builtins;

const MUTABLE_STATE: &str = "mutable state is not available; use def, reduce or loop";
const RANDOMNESS: &str = "not available: programs are deterministic";
const FILES: &str = "no file access";

/// Names that programs bring along from Clojure, and what to know about each. Sorted.
const ABSENT: &[(&str, &str)] = &[
    ("add-watch", MUTABLE_STATE),
    ("agent", MUTABLE_STATE),
    ("alter", MUTABLE_STATE),
    ("atom", MUTABLE_STATE),
    ("commute", MUTABLE_STATE),
    ("compare-and-set!", MUTABLE_STATE),
    ("delay", MUTABLE_STATE),
    ("deref", MUTABLE_STATE),
    ("load", FILES),
    ("promise", MUTABLE_STATE),
    ("rand", RANDOMNESS),
    ("rand-int", RANDOMNESS),
    ("rand-nth", RANDOMNESS),
    ("random-sample", RANDOMNESS),
    ("random-uuid", RANDOMNESS),
    ("ref", MUTABLE_STATE),
    ("ref-set", MUTABLE_STATE),
    ("reset!", MUTABLE_STATE),
    ("reset-vals!", MUTABLE_STATE),
    ("send", MUTABLE_STATE),
    ("send-off", MUTABLE_STATE),
    ("shuffle", RANDOMNESS),
    ("slurp", FILES),
    ("spit", FILES),
    ("swap!", MUTABLE_STATE),
    ("swap-vals!", MUTABLE_STATE),
    ("volatile!", MUTABLE_STATE),
    ("vreset!", MUTABLE_STATE),
    ("vswap!", MUTABLE_STATE),
];

/// The hint for an undefined name. `forms` are the names of special forms, `known` the locals,
/// definitions, tools and data keys in sight; builtins are known anyway.
pub fn undefined<'a>(name: &str, forms: &[&'a str], known: impl Iterator<Item = &'a str>) -> Option<String> {
    if forms.contains(&name) {
        return Some(format!("'{name}' is a special form; write ({name} …)"));
    }
    if let Ok(row) = ABSENT.binary_search_by_key(&name, |(absent, _)| absent) {
        return ABSENT.get(row).map(|(_, hint)| hint.to_string());
    }
    if is_method(name) {
        return Some(supported_methods());
    }
    let builtins = builtins::all().map(|builtin| builtin.name);
    did_you_mean(name, known.chain(forms.iter().copied()).chain(builtins))
}

/// `Did you mean 'X'?`, where a candidate is near enough.
pub fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("Did you mean '{candidate}'?"))
}

/// The candidate that differs only in `-` and `_`, else the one that takes the fewest edits, at most two,
/// or one for a name up to three characters; of several such the first by alphabet. A name that would have
/// to be replaced altogether is near to nothing.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let allowed = if length <= 3 { 1 } else { 2 };
    candidates
        .filter(|candidate| *candidate != name)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| {
            (Reverse(is_respelling(name, candidate)), damerau_levenshtein(name, candidate), candidate)
        })
        .filter(|(respelling, distance, _)| respelling.0 || *distance <= allowed && *distance < length)
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Whether the two names differ only in `-` and `_`.
fn is_respelling(name: &str, candidate: &str) -> bool {
    let same = |(a, b): (u8, u8)| a == b || matches!((a, b), (b'-', b'_') | (b'_', b'-'));
    name.len() == candidate.len() && name.bytes().zip(candidate.bytes()).all(same)
}

fn is_method(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|method| method.starts_with(char::is_alphabetic))
}

fn supported_methods() -> String {
    let mut methods: Vec<&str> =
        builtins::all().map(|builtin| builtin.name).filter(|name| is_method(name)).collect();
    methods.sort_unstable();
    format!("Supported methods: {}", methods.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(name, candidates.iter().copied()), expected, "{name}");
    }

    #[test]
    fn nearest_takes_the_fewest_edits_then_the_first_by_alphabet() {
        check("totl", &["total", "tot"], Some("tot"));
        check("fliter", &["filter", "flier"], Some("filter"));
        check("maap", &["mapv", "map"], Some("map"));
        check("prinltn", &["println"], Some("println"));
        check("broken-code", &["total", "filter"], None);
        check("filtre", &["filter", "filtrex"], Some("filter"));
    }

    #[test]
    fn short_names_allow_one_edit_and_never_a_whole_new_name() {
        check("mpa", &["map"], Some("map"));
        check("fst", &["first"], None);
        check("x", &["y", "*"], None);
        check("x", &["xs"], None);
        check("xs", &["ys"], Some("ys"));
        check("xyzw", &["abcd"], None);
    }

    #[test]
    fn the_other_spelling_of_a_hyphen_comes_first() {
        check("total_qty", &["total-qt", "total-qty"], Some("total-qty"));
        check("a_b_c_d", &["a-b-c-d", "abcd"], Some("a-b-c-d"));
        check("total-qty", &["total_qty"], Some("total_qty"));
    }

    #[track_caller]
    fn check_undefined(name: &str, expected: Option<&str>) {
        assert_eq!(undefined(name, &["if", "let"], ["stock-of"].into_iter()).as_deref(), expected, "{name}");
    }

    #[test]
    fn undefined_names_get_the_hint_of_their_kind() {
        check_undefined("if", Some("'if' is a special form; write (if …)"));
        check_undefined("swap!", Some("mutable state is not available; use def, reduce or loop"));
        check_undefined("shuffle", Some("not available: programs are deterministic"));
        check_undefined("slurp", Some("no file access"));
        check_undefined("stock_of", Some("Did you mean 'stock-of'?"));
        check_undefined("something-else-entirely", None);
        let methods = undefined(".frobnicate", &[], std::iter::empty()).unwrap();
        assert!(methods.starts_with("Supported methods: "), "{methods}");
    }

    #[test]
    fn absent_names_are_sorted_for_the_search() {
        assert!(ABSENT.is_sorted());
    }
}
