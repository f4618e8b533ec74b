//! The sequence functions: reading, transforming, building and summing up collections. This file is the
//! table of the transformations; the folder holds the functions, by topic.

mod access;
mod aggregate;
mod build;
mod input;
mod key;
mod number;
mod output;
mod partition;
mod query;
mod reduce;
mod sort;
mod transform;
mod tree;

use super::{Builtin, at_least, between, exactly, row, run_as};
use crate::lisp::error::{ErrorKind, raise};
use crate::lisp::value::Value;

pub(super) use access::ROWS as ACCESS;
pub(super) use aggregate::ROWS as AGGREGATION;

pub(in crate::lisp) use {
    input::Rows, input::Source, input::Walk, number::sum, sort::merge_sort, tree::substitute,
};

/// A builtin as a value, to be called for every item.
fn builtin(name: &str) -> Value {
    super::value(name).unwrap_or_default()
}

/// Sequence transformation.
pub(in crate::lisp::builtins) static TRANSFORMATION: &[Builtin] = &[
    row(
        "cat",
        exactly(1),
        |_, _| raise(ErrorKind::NotCallable, "cannot call transducer cat as a function; use it in into"),
        "A transducer that sends on the items of each item.",
        "(into [] cat [[1 2] [3]]) ;=> [1 2 3]",
    ),
    Builtin {
        name: "combinations",
        arity: exactly(2),
        run: partition::combinations,
        doc: "All choices of n items, in the order of the items.",
        example: "(combinations [1 2 3] 2) ;=> ((1 2) (1 3) (2 3))",
    },
    row(
        "bounded-count",
        exactly(2),
        query::bounded_count,
        "How many items there are; of an unbounded sequence, as many as asked for.",
        "(bounded-count 2 (range)) ;=> 2",
    ),
    Builtin {
        name: "concat",
        arity: at_least(0),
        run: build::concat,
        doc: "The items of several collections as one list.",
        example: "(concat [1] [2 3]) ;=> (1 2 3)",
    },
    Builtin {
        name: "conj",
        arity: at_least(0),
        run: build::conj,
        doc: "Adds items where that is natural: vectors at the end, lists in front.",
        example: "(conj [1 2] 3) ;=> [1 2 3]",
    },
    Builtin {
        name: "cons",
        arity: exactly(2),
        run: build::cons,
        doc: "A list with an item in front.",
        example: "(cons 1 [2 3]) ;=> (1 2 3)",
    },
    Builtin {
        name: "contains?",
        arity: exactly(2),
        run: query::contains,
        doc: "Whether a map has a key, a set a member, a vector an index or else a member.",
        example: "(contains? {:a 1} :a) ;=> true",
    },
    Builtin {
        name: "count",
        arity: exactly(1),
        run: query::count,
        doc: "The number of items.",
        example: "(count [1 2 3]) ;=> 3",
    },
    Builtin {
        name: "cycle",
        arity: exactly(1),
        run: build::cycle,
        doc: "Unbounded: the items again and again.",
        example: "(take 3 (cycle [1 2])) ;=> (1 2 1)",
    },
    Builtin {
        name: "dedupe",
        arity: between(0, 1),
        run: transform::dedupe,
        doc: "The items without consecutive repetitions.",
        example: "(dedupe [1 1 2 1]) ;=> (1 2 1)",
    },
    Builtin {
        name: "distinct",
        arity: between(0, 1),
        run: transform::distinct,
        doc: "The items without repetitions.",
        example: "(distinct [1 2 1]) ;=> (1 2)",
    },
    Builtin {
        name: "doall",
        arity: between(1, 2),
        run: query::doall,
        doc: "The collection; sequences are never lazy.",
        example: "(doall [1 2]) ;=> [1 2]",
    },
    Builtin {
        name: "dorun",
        arity: between(1, 2),
        run: query::dorun,
        doc: "nil; sequences are never lazy.",
        example: "(dorun [1 2]) ;=> nil",
    },
    Builtin {
        name: "empty",
        arity: exactly(1),
        run: query::empty,
        doc: "An empty collection of the same kind, or nil.",
        example: "(empty [1 2]) ;=> []",
    },
    Builtin {
        name: "empty?",
        arity: exactly(1),
        run: query::is_empty,
        doc: "Whether there are no items.",
        example: "(empty? []) ;=> true",
    },
    Builtin {
        name: "every?",
        arity: exactly(2),
        run: query::every,
        doc: "Whether all items satisfy a predicate.",
        example: "(every? odd? [1 3]) ;=> true",
    },
    Builtin {
        name: "filter",
        arity: between(1, 2),
        run: transform::filter,
        doc: "Items that satisfy a predicate.",
        example: "(filter odd? [1 2 3]) ;=> (1 3)",
    },
    Builtin {
        name: "filterv",
        arity: exactly(2),
        run: transform::filterv,
        doc: "As `filter`, as a vector.",
        example: "(filterv odd? [1 2 3]) ;=> [1 3]",
    },
    Builtin {
        name: "flatten",
        arity: exactly(1),
        run: tree::flatten,
        doc: "The items of nested vectors and lists as one list.",
        example: "(flatten [1 [2 [3]]]) ;=> (1 2 3)",
    },
    Builtin {
        name: "frequencies",
        arity: exactly(1),
        run: partition::frequencies,
        doc: "A map from each item to how often it occurs.",
        example: "(frequencies [:a :b :a]) ;=> {:a 2, :b 1}",
    },
    Builtin {
        name: "group-by",
        arity: exactly(2),
        run: partition::group_by,
        doc: "A map from each key to the items that have it.",
        example: "(group-by odd? [1 2 3]) ;=> {true [1 3], false [2]}",
    },
    Builtin {
        name: "interleave",
        arity: at_least(0),
        run: build::interleave,
        doc: "Items of several collections in turn, up to the shortest.",
        example: "(interleave [1 2] [:a :b]) ;=> (1 :a 2 :b)",
    },
    Builtin {
        name: "interpose",
        arity: between(1, 2),
        run: build::interpose,
        doc: "The items with a separator between them.",
        example: "(interpose 0 [1 2]) ;=> (1 0 2)",
    },
    Builtin {
        name: "into",
        arity: between(0, 3),
        run: build::into,
        doc: "Adds all items of one collection to another, through a transducer if given.",
        example: "(into {} [[:a 1]]) ;=> {:a 1}",
    },
    row(
        "into-array",
        exactly(1),
        |cx, args| run_as(cx, "vec", args),
        "The items as a vector: there are no arrays.",
        "(into-array [1 2]) ;=> [1 2]",
    ),
    Builtin {
        name: "iterate",
        arity: exactly(2),
        run: build::iterate,
        doc: "Unbounded: x, (f x), (f (f x)) …",
        example: "(take 3 (iterate inc 1)) ;=> (1 2 3)",
    },
    Builtin {
        name: "keep",
        arity: between(1, 2),
        run: transform::keep,
        doc: "Results of a function that are not nil.",
        example: "(keep :a [{:a 1} {}]) ;=> (1)",
    },
    Builtin {
        name: "keep-indexed",
        arity: between(1, 2),
        run: transform::keep_indexed,
        doc: "Results of a function on index and item that are not nil.",
        example: "(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b]) ;=> (:b)",
    },
    Builtin {
        name: "keywordize-keys",
        arity: exactly(1),
        run: tree::keywordize_keys,
        doc: "Makes keywords of all string keys of maps, at any depth.",
        example: "(keywordize-keys {\"a\" {\"b\" 1}}) ;=> {:a {:b 1}}",
    },
    Builtin {
        name: "list",
        arity: at_least(0),
        run: build::list,
        doc: "A list of its arguments.",
        example: "(list 1 2) ;=> (1 2)",
    },
    Builtin {
        name: "list*",
        arity: at_least(1),
        run: build::list_star,
        doc: "A list of its arguments and the items of the last of them.",
        example: "(list* 1 2 [3]) ;=> (1 2 3)",
    },
    Builtin {
        name: "map",
        arity: at_least(1),
        run: transform::map,
        doc: "Results of a function on the items of one or more collections.",
        example: "(map + [1 2] [10 20]) ;=> (11 22)",
    },
    Builtin {
        name: "map-indexed",
        arity: between(1, 2),
        run: transform::map_indexed,
        doc: "Results of a function on index and item.",
        example: "(map-indexed vector [:a :b]) ;=> ([0 :a] [1 :b])",
    },
    Builtin {
        name: "mapcat",
        arity: at_least(1),
        run: transform::mapcat,
        doc: "As `map`, with the results joined into one list.",
        example: "(mapcat range [1 3]) ;=> (0 0 1 2)",
    },
    Builtin {
        name: "mapv",
        arity: at_least(2),
        run: transform::mapv,
        doc: "As `map`, as a vector.",
        example: "(mapv inc [1 2]) ;=> [2 3]",
    },
    Builtin {
        name: "not-any?",
        arity: exactly(2),
        run: query::not_any,
        doc: "Whether no item satisfies a predicate.",
        example: "(not-any? odd? [2 4]) ;=> true",
    },
    Builtin {
        name: "not-empty",
        arity: exactly(1),
        run: query::not_empty,
        doc: "The collection, or nil if it is empty.",
        example: "(not-empty []) ;=> nil",
    },
    Builtin {
        name: "not-every?",
        arity: exactly(2),
        run: query::not_every,
        doc: "Whether some item fails a predicate.",
        example: "(not-every? odd? [1 2]) ;=> true",
    },
    Builtin {
        name: "partition",
        arity: between(2, 4),
        run: partition::partition,
        doc: "Parts of n items; a short last one is dropped, or padded if padding is given.",
        example: "(partition 2 [1 2 3]) ;=> ((1 2))",
    },
    Builtin {
        name: "partition-all",
        arity: between(1, 3),
        run: partition::partition_all,
        doc: "Parts of n items; the last may be shorter.",
        example: "(partition-all 2 [1 2 3]) ;=> ((1 2) (3))",
    },
    Builtin {
        name: "partition-by",
        arity: between(1, 2),
        run: partition::partition_by,
        doc: "Parts in which a function gives the same value.",
        example: "(partition-by odd? [1 3 2]) ;=> ((1 3) (2))",
    },
    Builtin {
        name: "pcalls",
        arity: at_least(0),
        run: transform::pcalls,
        doc: "Results of functions without arguments, called in order.",
        example: "(pcalls (fn [] 1) (fn [] 2)) ;=> [1 2]",
    },
    Builtin {
        name: "pmap",
        arity: at_least(2),
        run: transform::pmap,
        doc: "As `map`; calls are made in order.",
        example: "(pmap inc [1 2]) ;=> (2 3)",
    },
    Builtin {
        name: "postwalk",
        arity: exactly(2),
        run: tree::postwalk,
        doc: "Applies a function to the parts of a form, then to the result.",
        example: "(postwalk (fn [x] (if (number? x) (inc x) x)) [1 [2]]) ;=> [2 [3]]",
    },
    Builtin {
        name: "postwalk-replace",
        arity: exactly(2),
        run: tree::postwalk_replace,
        doc: "Replaces parts of a form that are keys of a map, from the inside out.",
        example: "(postwalk-replace {:a :z} [:a [:b :a]]) ;=> [:z [:b :z]]",
    },
    Builtin {
        name: "prewalk",
        arity: exactly(2),
        run: tree::prewalk,
        doc: "Applies a function to a form, then to the parts of the result.",
        example: "(prewalk (fn [x] (if (number? x) (inc x) x)) [1 [2]]) ;=> [2 [3]]",
    },
    Builtin {
        name: "prewalk-replace",
        arity: exactly(2),
        run: tree::prewalk_replace,
        doc: "Replaces parts of a form that are keys of a map, from the outside in.",
        example: "(prewalk-replace {:a :z} [:a [:b :a]]) ;=> [:z [:b :z]]",
    },
    Builtin {
        name: "range",
        arity: between(0, 3),
        run: build::range,
        doc: "Numbers from a start to before an end by a step; unbounded without an end.",
        example: "(range 0 10 3) ;=> (0 3 6 9)",
    },
    Builtin {
        name: "reduce",
        arity: between(2, 3),
        run: reduce::reduce,
        doc: "Combines the items one after another, from an initial value if given.",
        example: "(reduce + 10 [1 2 3]) ;=> 16",
    },
    Builtin {
        name: "reduce-kv",
        arity: exactly(3),
        run: reduce::reduce_kv,
        doc: "Combines the entries of a map, or index and item of a vector.",
        example: "(reduce-kv (fn [sum k v] (+ sum v)) 0 {:a 1 :b 2}) ;=> 3",
    },
    Builtin {
        name: "reductions",
        arity: between(2, 3),
        run: reduce::reductions,
        doc: "The values that `reduce` goes through.",
        example: "(reductions + [1 2 3]) ;=> (1 3 6)",
    },
    Builtin {
        name: "remove",
        arity: between(1, 2),
        run: transform::remove,
        doc: "Items that do not satisfy a predicate.",
        example: "(remove odd? [1 2 3]) ;=> (2)",
    },
    Builtin {
        name: "repeat",
        arity: between(1, 2),
        run: build::repeat,
        doc: "A value n times; unbounded without n.",
        example: "(repeat 2 :x) ;=> (:x :x)",
    },
    Builtin {
        name: "repeatedly",
        arity: between(1, 2),
        run: build::repeatedly,
        doc: "Results of calling a function n times; unbounded without n.",
        example: "(repeatedly 2 (fn [] 1)) ;=> (1 1)",
    },
    Builtin {
        name: "replace",
        arity: between(1, 3),
        run: tree::replace,
        doc: "Items replaced by what a map gives for them; of three arguments, text in a string; of one, a transducer.",
        example: "(replace {:a 1} [:a :b]) ;=> [1 :b]",
    },
    Builtin {
        name: "reverse",
        arity: exactly(1),
        run: transform::reverse,
        doc: "The items from last to first.",
        example: "(reverse [1 2 3]) ;=> (3 2 1)",
    },
    Builtin {
        name: "run!",
        arity: exactly(2),
        run: reduce::run,
        doc: "Calls a function on each item for its effects; nil.",
        example: "(run! identity [1 2]) ;=> nil",
    },
    Builtin {
        name: "seq",
        arity: exactly(1),
        run: query::seq,
        doc: "The items as a list; nil when there are none.",
        example: "(seq {:a 1}) ;=> ([:a 1])",
    },
    Builtin {
        name: "sequence",
        arity: at_least(1),
        run: build::sequence_of,
        doc: "The items as a list, through a transducer if given; of several collections in step.",
        example: "(sequence (map inc) [1 2]) ;=> (2 3)",
    },
    Builtin {
        name: "some",
        arity: exactly(2),
        run: query::some,
        doc: "The first truthy result of a predicate, or nil.",
        example: "(some #{2} [1 2]) ;=> 2",
    },
    Builtin {
        name: "sort",
        arity: between(1, 2),
        run: sort::sort,
        doc: "The items in order, by a comparator if given.",
        example: "(sort > [1 3 2]) ;=> (3 2 1)",
    },
    Builtin {
        name: "sort-by",
        arity: between(2, 3),
        run: sort::sort_by,
        doc: "The items in order of a key, by a comparator if given.",
        example: "(sort-by :n [{:n 2} {:n 1}]) ;=> ({:n 1} {:n 2})",
    },
    Builtin {
        name: "stringify-keys",
        arity: exactly(1),
        run: tree::stringify_keys,
        doc: "Makes strings of all keyword keys of maps, at any depth.",
        example: "(stringify-keys {:a {:b 1}}) ;=> {\"a\" {\"b\" 1}}",
    },
    row(
        "to-array",
        exactly(1),
        |cx, args| run_as(cx, "vec", args),
        "The items as a vector: there are no arrays.",
        "(to-array [1 2]) ;=> [1 2]",
    ),
    Builtin {
        name: "transduce",
        arity: between(3, 4),
        run: reduce::transduce,
        doc: "Reduces what a transducer makes of the items.",
        example: "(transduce (map inc) + [1 2]) ;=> 5",
    },
    Builtin {
        name: "tree-seq",
        arity: exactly(3),
        run: tree::tree_seq,
        doc: "The nodes of a tree, each before its children.",
        example: "(tree-seq vector? seq [1 [2]]) ;=> ([1 [2]] 1 [2] 2)",
    },
    Builtin {
        name: "vec",
        arity: exactly(1),
        run: build::vec_of,
        doc: "The items as a vector.",
        example: "(vec (range 3)) ;=> [0 1 2]",
    },
    Builtin {
        name: "vector",
        arity: at_least(0),
        run: build::vector,
        doc: "A vector of its arguments.",
        example: "(vector 1 2) ;=> [1 2]",
    },
    Builtin {
        name: "walk",
        arity: exactly(3),
        run: tree::walk,
        doc: "Applies one function to the items of a form and another to the result.",
        example: "(walk inc identity [1 2]) ;=> [2 3]",
    },
    Builtin {
        name: "zip",
        arity: exactly(2),
        run: build::zip,
        doc: "Pairs of items of two collections.",
        example: "(zip [1 2] [:a :b]) ;=> ([1 :a] [2 :b])",
    },
];
