//! What a person or a model probably meant by a name that does not exist (`docs/language.md` §13.3). Hints
//! stand after the message, divided from it by `. `; making one costs more than a lookup, so make it once.

use std::cmp::Reverse;

use strsim::damerau_levenshtein;

use super::builtins;
use super::value::Value;

const MUTABLE_STATE: &str = "mutable state is not available; use def, reduce or loop";
const RANDOMNESS: &str = "not available: programs are deterministic";
const FILES: &str = "no file access";
const LAZINESS: &str = "values are never lazy; write the expression itself, or a function without parameters";

/// Names that programs bring along from Clojure, and what to know about each. Sorted.
const ABSENT: &[(&str, &str)] = &[
    ("ArrayList.", "use a vector with conj"),
    ("BigDecimal.", "numbers are 64-bit integers and floats; use long or double"),
    ("BigInteger.", "numbers are 64-bit integers and floats; use long or double"),
    ("HashMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("HashSet.", "use a set with conj; sorted-set keeps its members in order"),
    ("LinkedHashMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("LinkedList.", "use a vector with conj"),
    ("SimpleDateFormat.", "use LocalDate/parse, Instant/parse or re-matches"),
    ("StringBuffer.", "strings do not change; use str, join or reduce"),
    ("StringBuilder.", "strings do not change; use str, join or reduce"),
    ("TreeMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("TreeSet.", "use a set with conj; sorted-set keeps its members in order"),
    ("aclone", "arrays do not exist; use vectors with nth, assoc and count"),
    ("add-tap", "use println"),
    ("add-watch", MUTABLE_STATE),
    ("agent", MUTABLE_STATE),
    ("aget", "arrays do not exist; use vectors with nth, assoc and count"),
    ("alength", "arrays do not exist; use vectors with nth, assoc and count"),
    ("alter", MUTABLE_STATE),
    ("alter-meta!", "values have no metadata; keep it in a map"),
    ("amap", "arrays do not exist; use vectors with nth, assoc and count"),
    ("apropos", "write a docstring; nothing is looked up at run time"),
    ("areduce", "arrays do not exist; use vectors with nth, assoc and count"),
    ("aset", MUTABLE_STATE),
    ("atom", MUTABLE_STATE),
    ("bigdec", "numbers are 64-bit integers and floats; use long or double"),
    ("bigint", "numbers are 64-bit integers and floats; use long or double"),
    ("biginteger", "numbers are 64-bit integers and floats; use long or double"),
    ("byte-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("char-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("commute", MUTABLE_STATE),
    ("comparator", "a predicate such as < is a comparator as it is"),
    ("compare-and-set!", MUTABLE_STATE),
    ("completing", "leave it out: transduce calls f with the result alone only if f takes one argument"),
    ("delay", LAZINESS),
    ("denominator", "numbers are 64-bit integers and floats; use long or double"),
    ("deref", MUTABLE_STATE),
    ("derive", "use a predicate such as string?, number? or map?, or (type x)"),
    ("dir", "write a docstring; nothing is looked up at run time"),
    ("doc", "write a docstring; nothing is looked up at run time"),
    ("double-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("edn/read-string", "text is not read as code; use json/parse-string"),
    ("eduction", "use (into [] xform coll) or sequence"),
    ("file-seq", FILES),
    ("find-doc", "write a docstring; nothing is looked up at run time"),
    ("find-var", "write the name itself"),
    ("force", LAZINESS),
    ("future-call", "programs run in one thread; call the function directly"),
    ("gensym", "symbols are no values; use keyword or a string"),
    ("halt-when", "use take-while or reduce with reduced"),
    ("inst-ms", "use (.getTime datetime)"),
    ("instance?", "use a predicate such as string?, number? or map?, or (type x)"),
    ("int-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("isa?", "use a predicate such as string?, number? or map?, or (type x)"),
    ("iteration", "use loop with recur"),
    ("java.lang.StringBuilder.", "strings do not change; use str, join or reduce"),
    ("java.math.BigDecimal.", "numbers are 64-bit integers and floats; use long or double"),
    ("java.math.BigInteger.", "numbers are 64-bit integers and floats; use long or double"),
    ("java.text.SimpleDateFormat.", "use LocalDate/parse, Instant/parse or re-matches"),
    ("java.util.ArrayList.", "use a vector with conj"),
    ("java.util.HashMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("java.util.HashSet.", "use a set with conj; sorted-set keeps its members in order"),
    ("java.util.LinkedHashMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("java.util.LinkedList.", "use a vector with conj"),
    ("java.util.TreeMap.", "use a map with assoc; sorted-map keeps its keys in order"),
    ("java.util.TreeSet.", "use a set with conj; sorted-set keeps its members in order"),
    ("lazy-cat", "use concat"),
    ("line-seq", FILES),
    ("load", FILES),
    ("load-file", FILES),
    ("long-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("macroexpand", "macros do not exist"),
    ("macroexpand-1", "macros do not exist"),
    ("make-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("meta", "values have no metadata; keep it in a map"),
    ("ns-resolve", "write the name itself"),
    ("numerator", "numbers are 64-bit integers and floats; use long or double"),
    ("object-array", "arrays do not exist; use vectors with nth, assoc and count"),
    ("partitionv", "use (map vec (partition n coll))"),
    ("partitionv-all", "use (map vec (partition n coll))"),
    ("promise", MUTABLE_STATE),
    ("rand", RANDOMNESS),
    ("rand-int", RANDOMNESS),
    ("rand-nth", RANDOMNESS),
    ("random-sample", RANDOMNESS),
    ("random-uuid", RANDOMNESS),
    ("rationalize", "numbers are 64-bit integers and floats; use long or double"),
    ("re-groups", "use re-find, or re-seq for all matches"),
    ("re-matcher", "use re-find, or re-seq for all matches"),
    ("read", "text is not read as code; use parse-long, parse-double or json/parse-string"),
    ("read-line", FILES),
    ("read-string", "text is not read as code; use parse-long, parse-double or json/parse-string"),
    ("realized?", LAZINESS),
    ("ref", MUTABLE_STATE),
    ("ref-set", MUTABLE_STATE),
    ("requiring-resolve", "write the name itself"),
    ("reset!", MUTABLE_STATE),
    ("reset-vals!", MUTABLE_STATE),
    ("resolve", "write the name itself"),
    ("rsubseq", "use (filter #(<= low %) coll)"),
    ("send", MUTABLE_STATE),
    ("send-off", MUTABLE_STATE),
    ("shuffle", RANDOMNESS),
    ("slurp", FILES),
    ("sorted-map-by", "use (sort-by key comparator coll), or sorted-map and sorted-set with rseq"),
    ("sorted-set-by", "use (sort-by key comparator coll), or sorted-map and sorted-set with rseq"),
    ("source", "write a docstring; nothing is looked up at run time"),
    ("spit", FILES),
    ("splitv-at", "use split-at"),
    ("subseq", "use (filter #(<= low %) coll)"),
    ("swap!", MUTABLE_STATE),
    ("swap-vals!", MUTABLE_STATE),
    ("symbol", "symbols are no values; use keyword or a string"),
    ("tap>", "use println"),
    ("uuid", "UUIDs are strings"),
    ("vary-meta", "values have no metadata; keep it in a map"),
    ("volatile!", MUTABLE_STATE),
    ("vreset!", MUTABLE_STATE),
    ("vswap!", MUTABLE_STATE),
    ("with-meta", "values have no metadata; keep it in a map"),
];

/// Functions that take a function first and a collection behind it. Sorted.
const FUNCTION_FIRST: &[&str] = &[
    "drop-while",
    "every?",
    "filter",
    "filterv",
    "group-by",
    "keep",
    "keep-indexed",
    "map",
    "map-indexed",
    "mapcat",
    "mapv",
    "not-any?",
    "not-every?",
    "partition-by",
    "reduce",
    "remove",
    "run!",
    "some",
    "sort-by",
    "split-with",
    "take-while",
];

/// The hint for a function in the place of a collection.
pub fn swapped(name: &str, given: &Value) -> Option<String> {
    let is_swapped = matches!(given, Value::Function(_)) && FUNCTION_FIRST.binary_search(&name).is_ok();
    is_swapped.then(|| format!("Arguments look swapped; use ({name} f coll)"))
}

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
        return Some(supported_methods(name));
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

/// What methods there are, after the one that was probably meant.
fn supported_methods(name: &str) -> String {
    let mut methods: Vec<&str> =
        builtins::all().map(|builtin| builtin.name).filter(|name| is_method(name)).collect();
    methods.sort_unstable();
    let supported = format!("Supported methods: {}", methods.join(", "));
    match did_you_mean(name, methods.into_iter()) {
        Some(meant) => format!("{meant} {supported}"),
        None => supported,
    }
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
    fn names_are_sorted_for_the_search() {
        assert!(ABSENT.is_sorted());
        assert!(FUNCTION_FIRST.is_sorted());
    }
}
