//! Hints for names that do not exist: functions of Clojure that are left out, and the names that other
//! languages use.

const ENVIRONMENT: &str = "programs see nothing of the machine that they run on";
const RANDOMNESS: &str = "not available: programs are deterministic";
const FILES: &str = "no file access";
const GENERATE_JSON: &str = "use (json/generate-string value)";
const JSON: &str = "keys become keywords; use (json/parse-string text) and (json/generate-string value)";
const NUMBERS: &str = "numbers are 64-bit integers and floats; use long or double";
const ONE_THREAD: &str = "programs run in one thread; call the function directly";
const PARSE_JSON: &str = "keys become keywords; use (json/parse-string text)";

/// Hint for a name.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    find(NAMES, name)
}

/// Hint for a name in a namespace that exists, under the namespace's shortest name.
pub fn of_qualified(name: &str) -> Option<&'static str> {
    find(QUALIFIED, name)
}

/// Hint for all names in a namespace that does not exist.
pub fn of_namespace(name: &str) -> Option<&'static str> {
    find(NAMESPACES, name)
}

fn find(rows: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    rows.iter().find(|(names, _)| names.split(' ').any(|absent| absent == name)).map(|(_, hint)| *hint)
}

/// Names, methods and constructors, with the hint that they share. Sorted.
const NAMES: &[(&str, &str)] = &[
    ("!", "use not"),
    ("!= /= <>", "use not="),
    ("&&", "use and"),
    ("** expt power", "use pow or Math/pow"),
    ("*= += -= setf setq", "values do not change; use let, loop, reduce or def"),
    (
        "*agent* add-watch agent agent-error alter alter-var-root aset aset-int aset-long atom commute \
         compare-and-set! deliver deref ensure promise ref ref-set remove-watch reset! reset-vals! send \
         send-off swap! swap-vals! sync var-set volatile! vreset! vswap! with-redefs-fn",
        "mutable state is not available; use def, reduce or loop",
    ),
    ("*clojure-version* *command-line-args* *file* clojure-version", ENVIRONMENT),
    ("*e", "errors are in the record; use try and catch"),
    (
        "*err* add-tap console.log display echo print-line printline puts tap> write-line writeln",
        "use println",
    ),
    ("*in* input io! prompt resultset-seq", "there is no input or output; use tools and data"),
    ("*ns* find-ns in-ns ns-name the-ns", "there are no namespaces of one's own; use def and defn"),
    ("*out*", "use println, or with-out-str for text"),
    ("*print-length*", "use (take n coll) before printing"),
    ("*print-level*", "use pprint"),
    ("++", "use inc"),
    ("--", "use dec"),
    (".add .append .push", "use (conj coll x), or str for text"),
    (".collect .toList", "use vec"),
    (".each .forEach", "use (doseq [x coll] …)"),
    (".filter", "use (filter f coll)"),
    (".format", "use format for text; dates print as ISO text"),
    (".getDay", "use .getDayOfWeek or .getDayOfMonth"),
    (".has", "use (contains? coll key)"),
    (".includes", "use (includes? string text) or (some #{x} coll)"),
    (".join str-join string-join", "use (str/join separator coll)"),
    (".keys", "use keys"),
    (".map", "use (map f coll)"),
    (".put .set", "use (assoc map key value)"),
    (".reduce", "use (reduce f coll)"),
    (".remove", "use (dissoc map key), (disj set x) or remove"),
    (".slice", "use subs, subvec, take or drop"),
    (".sort", "use sort or sort-by"),
    (".stream", "use map, filter and reduce"),
    (".toFixed", "use (format \"%.2f\" x)"),
    ("ArrayList. LinkedList. java.util.ArrayList. java.util.LinkedList.", "use a vector with conj"),
    (
        "BigDecimal. BigInteger. bigdec bigint biginteger denominator java.math.BigDecimal. \
         java.math.BigInteger. numerator rationalize",
        NUMBERS,
    ),
    ("False", "write false"),
    (
        "HashMap. LinkedHashMap. TreeMap. java.util.HashMap. java.util.LinkedHashMap. java.util.TreeMap.",
        "use a map with assoc; sorted-map keeps its keys in order",
    ),
    (
        "HashSet. TreeSet. java.util.HashSet. java.util.TreeSet.",
        "use a set with conj; sorted-set keeps its members in order",
    ),
    ("NIL NULL None null undefined", "write nil"),
    ("SimpleDateFormat. java.text.SimpleDateFormat.", "use LocalDate/parse, Instant/parse or re-matches"),
    (
        "StringBuffer. StringBuilder. java.lang.StringBuilder.",
        "strings do not change; use str, join or reduce",
    ),
    ("Throwable->map", "use ex-message and ex-data"),
    ("True", "write true"),
    (
        "aclone aget alength amap areduce boolean-array booleans byte-array bytes char-array double-array \
         doubles float-array floats int-array ints long-array longs make-array object-array short-array \
         shorts to-array-2d",
        "arrays do not exist; use vectors with nth, assoc and count",
    ),
    ("alias", "namespaces need no alias; write clojure.string or str"),
    ("all", "use every?"),
    (
        "all-ns apropos dir doc find-doc ns-publics source",
        "write a docstring; nothing is looked up at run time",
    ),
    ("alter-meta! meta vary-meta with-meta", "values have no metadata; keep it in a map"),
    (
        "ancestors cast derive descendants extends? instance? isa? make-hierarchy parents satisfies? supers \
         underive",
        "use a predicate such as string?, number? or map?, or (type x)",
    ),
    ("append", "use (conj coll x) for one item, (concat a b) or (into a b) for several"),
    ("aref elt list-ref", "use (nth coll index)"),
    ("average mean", "use avg, or avg-by with a key"),
    ("await bound-fn future-call future-cancel seque", ONE_THREAD),
    ("bean", "use a map"),
    ("begin progn", "use do"),
    ("bound? find-var ns-resolve requiring-resolve resolve", "write the name itself"),
    ("cadr", "use second"),
    ("call-tool tool-call use-tool", "write (tool/NAME …)"),
    ("car head", "use first"),
    ("cartesian-product", "use (for [x xs y ys] [x y])"),
    ("cdr tail", "use rest"),
    ("ceiling", "use ceil"),
    ("chars", "use (seq string)"),
    ("comparator", "a predicate such as < is a comparator as it is"),
    ("compile load-string", "text is not read as code; write the form itself"),
    ("completing", "leave it out: transduce calls f with the result alone only if f takes one argument"),
    ("concatenate", "use str for text, concat for collections"),
    ("cond-let", "use if-let, or when-let"),
    (
        "contains",
        "use (contains? coll key) for keys and members, (includes? string text) for text, (some #{x} coll) for items",
    ),
    ("count-by", "use (frequencies (map f coll))"),
    (
        "create-struct defstruct dict hash-table hashmap make-hash-table make-map struct struct-map",
        "use a map: {:key value}",
    ),
    ("current-time time-ms", "use (System/currentTimeMillis)"),
    ("date parse-date", "use (LocalDate/parse \"2024-05-01\")"),
    ("deep-merge merge-deep", "use (merge-with merge a b)"),
    ("default", "use (or x default), or (get map key default)"),
    ("defconst defconstant defparameter defvar", "use (def name value)"),
    ("define", "use (def name value) or (defn name [parameters] body)"),
    ("defun", "use (defn name [parameters] body)"),
    (
        "delay force realized?",
        "values are never lazy; write the expression itself, or a function without parameters",
    ),
    ("destructure", "use let"),
    ("dissoc-in", "use (update-in map path dissoc key)"),
    ("each for-each forEach foreach", "use doseq, or run! with a function"),
    ("eduction", "use (into [] xform coll) or sequence"),
    (
        "elem in in? member member?",
        "use (some #{x} coll) for items, (contains? coll key) for keys and members",
    ),
    ("elif else-if elsif prefer-method", "use cond with one test after the other"),
    ("else otherwise", "in if the other branch is the third form, in cond its test is :else"),
    ("enumerate", "use (map-indexed vector coll)"),
    ("enumeration-seq iterator-seq", "collections are sequences as they are"),
    ("extend", "use maps and functions"),
    ("file-seq line-seq load load-file read-line slurp spit", FILES),
    ("filter-keys filter-vals", "use (into {} (filter (fn [[k v]] …) map))"),
    ("filter-map", "use keep"),
    ("final-answer final_answer finish return-value submit", "use (return value)"),
    ("find-first first-where", "use (first (filter f coll))"),
    ("find-keyword", "use keyword"),
    ("flat-map flatMap flatmap", "use mapcat"),
    ("fmap map-vals map-values mapvals", "use update-vals"),
    ("fold fold-left fold-right foldl foldr", "use reduce"),
    ("from-json json-parse parse-json read-json", PARSE_JSON),
    ("func function lambda λ", "use (fn [x] …) or #(… %)"),
    ("generate-json json-str to-json write-json", GENERATE_JSON),
    ("gensym symbol", "symbols are no values; use keyword or a string"),
    ("get-method methods remove-method", "use a map of functions, or case"),
    ("has-key has-key? has? hasKey", "use (contains? map key)"),
    ("hash-combine", "use (hash [a b])"),
    ("if-not-let when-not-let", "use if-let with its other branch"),
    ("inst-ms", "use (.getTime datetime)"),
    ("intern", "use def"),
    ("intersect", "use intersection"),
    ("is-empty is-empty? isEmpty", "use empty?"),
    ("is-nil? null?", "use nil?"),
    ("lazy-cat", "use concat"),
    ("len length size string-length", "use count"),
    ("log", "use println for output, Math/log for logarithms"),
    ("macroexpand macroexpand-1", "macros do not exist"),
    ("map-keys", "use update-keys"),
    ("match switch", "use case, cond or condp"),
    ("maximum", "use (apply max coll)"),
    ("median", "use (nth (sort coll) (quot (count coll) 2))"),
    ("minimum", "use (apply min coll)"),
    ("mix-collection-hash", "use hash"),
    ("modulo", "use mod"),
    ("munge", "use str/replace or str/escape"),
    ("not-nil?", "use some?"),
    ("now today", "the clock stands still; use (java.util.Date.), or dates from data and tools"),
    ("number->string string string-append to-str to-string toString tostring", "use str"),
    ("order-by sort-desc", "use (sort-by key coll), or (sort-by key > coll) for descending order"),
    (
        "parse-float parse-number parseFloat str->int str->num str->number string->int string->number \
         to-float to-int to-integer to-long to-number",
        "use parse-long or parse-double for text, long or double for numbers",
    ),
    ("partitionv partitionv-all", "use (map vec (partition n coll))"),
    ("prepend", "use (cons x coll)"),
    ("print-method", "use str or format"),
    ("product", "use (reduce * coll)"),
    ("push", "use conj"),
    ("pvalues", "use list; nothing runs in parallel"),
    ("raise", "use throw"),
    ("rand rand-int rand-nth random random-sample random-uuid shuffle", RANDOMNESS),
    ("re-groups re-matcher", "use re-find, or re-seq for all matches"),
    (
        "read read-string",
        "text is not read as code; use parse-long, parse-double, edn/read-string or json/parse-string",
    ),
    ("reader-conditional", "write the form itself"),
    ("remainder", "use rem"),
    ("reverse-string", "use str/reverse"),
    ("rsubseq subseq", "use (filter #(<= low %) coll)"),
    ("slice sublist", "use subvec, take and drop, or subs for text"),
    ("sorted", "use sort"),
    (
        "sorted-map-by sorted-set-by",
        "use (sort-by key comparator coll), or sorted-map and sorted-set with rseq",
    ),
    ("splitv-at", "use split-at"),
    ("stddev", "use avg and Math/sqrt"),
    ("substr substring", "use subs"),
    ("tagged-literal", "write the value itself"),
    ("test", "use assert"),
    ("then", "leave it out: (if test then else)"),
    ("transpose", "use (apply map vector rows)"),
    ("truncate", "use trunc"),
    ("type-of typeof", "use type"),
    ("uniq unique", "use distinct"),
    ("unless", "use when-not or if-not"),
    ("uuid", "UUIDs are strings"),
    ("var-get", "call the var, or write the name itself"),
    ("variance", "use avg"),
    ("vector-of", "use vector"),
    ("xml-seq", "use tree-seq"),
    ("xor", "use (not= (boolean a) (boolean b))"),
    ("zip-with", "use (map f a b)"),
];

/// Names in namespaces that exist. Sorted.
const QUALIFIED: &[(&str, &str)] = &[
    (
        "Instant/now LocalDate/now",
        "the clock stands still; use (java.util.Date.), or dates from data and tools",
    ),
    ("Math/random", RANDOMNESS),
    ("System/exit System/getProperty System/getenv", ENVIRONMENT),
    ("System/nanoTime", "use System/currentTimeMillis"),
    ("json/decode json/loads json/parse-str json/read json/read-str json/read-string", PARSE_JSON),
    (
        "json/dumps json/encode json/generate json/generate-str json/stringify json/to-json json/write \
         json/write-str",
        GENERATE_JSON,
    ),
    ("set/add", "use conj"),
    ("set/contains?", "use contains?"),
    ("set/remove", "use disj"),
    ("set/symmetric-difference", "use difference of union and intersection"),
    ("str/find", "use index-of or re-find"),
    ("str/index str/indexOf", "use str/index-of"),
    (
        "str/left-pad str/lpad str/pad str/pad-left str/pad-right str/rpad",
        "use (format \"%5s\" text) or (format \"%-5s\" text)",
    ),
    ("str/lower str/to-lower str/to-lower-case str/toLowerCase", "use str/lower-case"),
    ("str/lstrip str/ltrim", "use str/triml"),
    ("str/rstrip str/rtrim", "use str/trimr"),
    ("str/strip", "use str/trim"),
    ("str/title str/title-case", "use str/capitalize for each word"),
    ("str/to-upper str/to-upper-case str/toUpperCase str/upper", "use str/upper-case"),
];

/// Namespaces and classes. Sorted.
const NAMESPACES: &[(&str, &str)] = &[
    ("BigDecimal BigInteger java.math.BigDecimal java.math.BigInteger", NUMBERS),
    (
        "DateTimeFormatter LocalDateTime ZonedDateTime java.time.LocalDateTime java.time.ZonedDateTime \
         java.time.format.DateTimeFormatter",
        "use LocalDate/parse or Instant/parse",
    ),
    ("JSON charred.api cheshire cheshire.core clojure.data.json jsonista.core", JSON),
    ("Random java.util.Random", RANDOMNESS),
    ("Thread async clojure.core.async java.lang.Thread", ONE_THREAD),
    ("UUID java.util.UUID", "UUIDs are strings, and programs are deterministic"),
    ("clojure.data", "compare with =, or with difference and intersection of sets"),
    ("clojure.java.io clojure.java.shell io java.io.File java.nio.file.Files", FILES),
    ("clojure.spec.alpha malli.core spec", "use predicates with assert"),
    ("clojure.test", "use assert"),
    ("clojure.zip zip", "use get-in, assoc-in, update-in or postwalk"),
    ("console", "use println"),
];

#[cfg(test)]
mod tests {
    use super::super::super::builtins;
    use super::super::super::resolve::SPECIAL_FORMS;
    use super::*;

    #[test]
    fn names_are_sorted_and_stand_in_one_row() {
        for rows in [NAMES, QUALIFIED, NAMESPACES] {
            assert!(rows.is_sorted());
            assert!(rows.iter().all(|(names, _)| names.split(' ').is_sorted()));
            let mut names: Vec<_> = rows.iter().flat_map(|(names, _)| names.split(' ')).collect();
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }

    #[test]
    fn names_that_exist_have_no_row() {
        for name in NAMES.iter().chain(QUALIFIED).flat_map(|(names, _)| names.split(' ')) {
            assert!(builtins::value(name).is_none(), "{name}");
            assert!(SPECIAL_FORMS.iter().all(|form| form.name != name), "{name}");
        }
    }
}
