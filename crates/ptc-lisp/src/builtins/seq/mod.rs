//! The sequence functions: the table of transformations, and the functions by topic in this folder.

mod access;
mod aggregate;
mod build;
mod input;
mod key;
mod output;
mod partition;
mod query;
mod reduce;
mod sort;
mod transform;
mod tree;

use crate::builtins::prelude::*;
use crate::generator::Rule;
use input::Sequence;
use query::first_result;

pub(crate) use access::FIRST;
pub(super) use access::{ROWS as ACCESS, nth, pop};
pub(super) use aggregate::ROWS as AGGREGATION;
pub(crate) use build::LAZY_SEQ;
pub(super) use build::{conj, vec_of};
pub(super) use input::{Index, is_empty};
pub(super) use output::add;
pub(super) use sort::compare;
pub(crate) use {input::Rows, input::Source, input::Walk, sort::merge_sort, tree::Substitutes};

builtins! {
    pub(in crate::builtins) static TRANSFORMATION;

    /// The number of items; of an unbounded sequence, as many as asked for.
    "bounded-count" = query::bounded_count => "(bounded-count 2 (range)) ;=> 2"
    /// A transducer that sends on the items of each item.
    "cat" as CAT = cat => "(into [] cat [[1 2] [3]]) ;=> [1 2 3]"
    /// All choices of n items, in the order of the items.
    "combinations" = partition::combinations => "(combinations [1 2 3] 2) ;=> ((1 2) (1 3) (2 3))"
    /// The items of several collections as one list.
    "concat" = build::concat => "(concat [1] [2 3]) ;=> (1 2 3)"
    /// Adds items where that is natural: vectors at the end, lists in front.
    "conj" as CONJ = build::conj => "(conj [1 2] 3) ;=> [1 2 3]"
    /// A list with an item in front.
    "cons" = build::cons => "(cons 1 [2 3]) ;=> (1 2 3)"
    /// True if a map has a key, a set a member, a vector an index or else a member.
    "contains?" = query::contains => "(contains? {:a 1} :a) ;=> true"
    /// The number of items.
    "count" = query::count => "(count [1 2 3]) ;=> 3"
    /// Unbounded: the items again and again.
    "cycle" = |Sequence(items): Sequence| generator::cycling(items) => "(take 3 (cycle [1 2])) ;=> (1 2 1)"
    /// The items without consecutive repetitions.
    "dedupe" = transform::dedupe => "(dedupe [1 1 2 1]) ;=> (1 2 1)"
    /// The items without repetitions.
    "distinct" = transform::distinct => "(distinct [1 2 1]) ;=> (1 2)"
    /// The collection; sequences are never lazy.
    "doall" = query::doall => "(doall [1 2]) ;=> [1 2]"
    /// nil; sequences are never lazy.
    "dorun" = query::dorun => "(dorun [1 2]) ;=> nil"
    /// An empty collection of the same kind, or nil.
    "empty" = query::empty => "(empty [1 2]) ;=> []"
    /// True if there are no items.
    "empty?" = query::is_empty => "(empty? []) ;=> true"
    /// True if all items satisfy a predicate.
    "every?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, false).map(|it| it.is_none()) =>
        "(every? odd? [1 3]) ;=> true"
    /// Items that satisfy a predicate.
    "filter" = |cx: &mut Call, test: Value, items: Option<Value>| transform::filter(cx, test, items, true) =>
        "(filter odd? [1 2 3]) ;=> (1 3)"
    /// `filter` with the results in a vector.
    "filterv" = transform::filterv => "(filterv odd? [1 2 3]) ;=> [1 3]"
    /// The items of nested vectors and lists as one list.
    "flatten" = tree::flatten => "(flatten [1 [2 [3]]]) ;=> (1 2 3)"
    /// A map from each item to how often it occurs.
    "frequencies" = partition::frequencies => "(frequencies [:a :b :a]) ;=> {:a 2, :b 1}"
    /// A map from each key to the items that have it.
    "group-by" = partition::group_by => "(group-by odd? [1 2 3]) ;=> {true [1 3], false [2]}"
    /// A transducer that ends everything at an item that fits; the item is the result, or what a function
    /// makes of the result so far and the item.
    "halt-when" = build::halt_when => "(into [] (halt-when neg?) [1 -2 3]) ;=> -2"
    /// Items of several collections in turn, up to the shortest.
    "interleave" = build::interleave => "(interleave [1 2] [:a :b]) ;=> (1 :a 2 :b)"
    /// The items with a separator between them.
    "interpose" = build::interpose => "(interpose 0 [1 2]) ;=> (1 0 2)"
    /// Adds all items of one collection to another, through a transducer if given.
    "into" = build::into => "(into {} [[:a 1]]) ;=> {:a 1}"
    /// The items as a vector: there are no arrays.
    "into-array" alias "vec" = build::vec_of => "(into-array [1 2]) ;=> [1 2]"
    /// Unbounded: x, (f x), (f (f x)) …
    "iterate" = |function: Value, first: Value| Value::from(Rule::Iterate { function, current: first, started: false }) =>
        "(take 3 (iterate inc 1)) ;=> (1 2 3)"
    /// Results of a step that is called again with a key from its last result; :somef :vf :kf :initk say
    /// how.
    "iteration" = build::iteration => "(iteration (fn [n] (when (< n 3) (inc n))) :initk 0) ;=> (1 2 3)"
    /// Results of a function that are not nil.
    "keep" = transform::keep => "(keep :a [{:a 1} {}]) ;=> (1)"
    /// Results of a function on index and item that are not nil.
    "keep-indexed" = transform::keep_indexed => "(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b]) ;=> (:b)"
    /// Makes keywords of all string keys of maps, at any depth.
    "keywordize-keys" = tree::keywordize_keys => "(keywordize-keys {\"a\" {\"b\" 1}}) ;=> {:a {:b 1}}"
    /// A list of its arguments.
    "list" = |cx: &mut Call, items: &mut [Value]| cx.list(taken(items)) => "(list 1 2) ;=> (1 2)"
    /// A list of its arguments and the items of the last of them.
    "list*" = build::list_star => "(list* 1 2 [3]) ;=> (1 2 3)"
    /// Results of a function on the items of one or more collections.
    "map" = transform::map => "(map + [1 2] [10 20]) ;=> (11 22)"
    /// Results of a function on index and item.
    "map-indexed" = transform::map_indexed => "(map-indexed vector [:a :b]) ;=> ([0 :a] [1 :b])"
    /// `map` with the results joined into one list.
    "mapcat" as MAPCAT = transform::mapcat => "(mapcat range [1 3]) ;=> (0 0 1 2)"
    /// `map` with the results in a vector.
    "mapv" = transform::mapv => "(mapv inc [1 2]) ;=> [2 3]"
    /// True if no item satisfies a predicate.
    "not-any?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, true).map(|it| it.is_none()) =>
        "(not-any? odd? [2 4]) ;=> true"
    /// The collection, or nil if it is empty.
    "not-empty" = query::not_empty => "(not-empty []) ;=> nil"
    /// True if some item fails a predicate.
    "not-every?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, false).map(|it| it.is_some()) =>
        "(not-every? odd? [1 2]) ;=> true"
    /// Parts of n items; a short last one is dropped, or padded if padding is given.
    "partition" = partition::partition => "(partition 2 [1 2 3]) ;=> ((1 2))"
    /// Parts of n items; the last may be shorter.
    "partition-all" = partition::partition_all => "(partition-all 2 [1 2 3]) ;=> ((1 2) (3))"
    /// Parts in which a function gives the same value.
    "partition-by" = partition::partition_by => "(partition-by odd? [1 3 2]) ;=> ((1 3) (2))"
    /// Results of functions without arguments, called in order.
    "pcalls" = transform::pcalls => "(pcalls (fn [] 1) (fn [] 2)) ;=> [1 2]"
    /// `map`; calls are made in order.
    "pmap" = transform::pmap => "(pmap inc [1 2]) ;=> (2 3)"
    /// Applies a function to the parts of a form, then to the result.
    "postwalk" = tree::postwalk => "(postwalk (fn [x] (if (number? x) (inc x) x)) [1 [2]]) ;=> [2 [3]]"
    /// Replaces parts of a form that are keys of a map, from the inside out.
    "postwalk-replace" = tree::postwalk_replace => "(postwalk-replace {:a :z} [:a [:b :a]]) ;=> [:z [:b :z]]"
    /// Applies a function to a form, then to the parts of the result.
    "prewalk" = tree::prewalk => "(prewalk (fn [x] (if (number? x) (inc x) x)) [1 [2]]) ;=> [2 [3]]"
    /// Replaces parts of a form that are keys of a map, from the outside in.
    "prewalk-replace" = tree::prewalk_replace => "(prewalk-replace {:a :z} [:a [:b :a]]) ;=> [:z [:b :z]]"
    /// Numbers from a start to before an end by a step; unbounded without an end.
    "range" = build::range => "(range 0 10 3) ;=> (0 3 6 9)"
    /// Combines the items one after another, from an initial value if given.
    "reduce" = reduce::reduce => "(reduce + 10 [1 2 3]) ;=> 16"
    /// Combines the entries of a map, or index and item of a vector.
    "reduce-kv" = reduce::reduce_kv => "(reduce-kv (fn [sum k v] (+ sum v)) 0 {:a 1 :b 2}) ;=> 3"
    /// The values that `reduce` goes through.
    "reductions" = reduce::reductions => "(reductions + [1 2 3]) ;=> (1 3 6)"
    /// Items that do not satisfy a predicate.
    "remove" = |cx: &mut Call, test: Value, items: Option<Value>| transform::filter(cx, test, items, false) =>
        "(remove odd? [1 2 3]) ;=> (2)"
    /// A value n times; unbounded without n.
    "repeat" = build::repeat => "(repeat 2 :x) ;=> (:x :x)"
    /// Results of calling a function n times; unbounded without n.
    "repeatedly" = build::repeatedly => "(repeatedly 2 (fn [] 1)) ;=> (1 1)"
    /// Items replaced by what a map gives for them; of three arguments, text in a string; of one, a
    /// transducer.
    "replace" = tree::replace => "(replace {:a 1} [:a :b]) ;=> [1 :b]"
    /// The same as repeat.
    "replicate" alias "repeat" = build::replicate => "(replicate 2 :x) ;=> (:x :x)"
    /// The items from last to first.
    "reverse" = transform::reversed => "(reverse [1 2 3]) ;=> (3 2 1)"
    /// Calls a function on each item for its effects; nil.
    "run!" = reduce::run => "(run! identity [1 2]) ;=> nil"
    /// The items as a list; nil when there are none.
    "seq" as SEQ = query::seq => "(seq {:a 1}) ;=> ([:a 1])"
    /// The items as a list, through a transducer if given; of several collections in step.
    "sequence" = build::sequence_of => "(sequence (map inc) [1 2]) ;=> (2 3)"
    /// The first truthy result of a predicate, or nil.
    "some" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, true).map(Option::unwrap_or_default) =>
        "(some #{2} [1 2]) ;=> 2"
    /// The items in order, by a comparator if given.
    "sort" = sort::sort => "(sort > [1 3 2]) ;=> (3 2 1)"
    /// The items in order of a key, by a comparator if given.
    "sort-by" = sort::sort_by => "(sort-by :n [{:n 2} {:n 1}]) ;=> ({:n 1} {:n 2})"
    /// Makes strings of all keyword keys of maps, at any depth.
    "stringify-keys" = tree::stringify_keys => "(stringify-keys {:a {:b 1}}) ;=> {\"a\" {\"b\" 1}}"
    /// The items as a vector: there are no arrays.
    "to-array" alias "vec" = build::vec_of => "(to-array [1 2]) ;=> [1 2]"
    /// Reduces what a transducer makes of the items.
    "transduce" = reduce::transduce => "(transduce (map inc) + [1 2]) ;=> 5"
    /// The nodes of a tree, each before its children.
    "tree-seq" = tree::tree_seq => "(tree-seq vector? seq [1 [2]]) ;=> ([1 [2]] 1 [2] 2)"
    /// The items as a vector.
    "vec" = build::vec_of => "(vec (range 3)) ;=> [0 1 2]"
    /// A vector of its arguments.
    "vector" as VECTOR = |cx: &mut Call, items: &mut [Value]| cx.vector(taken(items)) =>
        "(vector 1 2) ;=> [1 2]"
    /// Applies one function to the items of a form and another to the result.
    "walk" = tree::walk => "(walk inc identity [1 2]) ;=> [2 3]"
    /// Pairs of items of two collections.
    "zip" = build::zip => "(zip [1 2] [:a :b]) ;=> ([1 :a] [2 :b])"
}

fn cat(_: &Value) -> Eval {
    raise(ErrorKind::NotCallable, "cannot call transducer cat as a function; use it in into")
}
