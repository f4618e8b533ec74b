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
use transform::stepped;

pub(crate) use access::FIRST;
pub(super) use access::{ROWS as ACCESS, nth, pop};
pub(super) use aggregate::ROWS as AGGREGATION;
pub(crate) use build::LAZY_SEQ;
pub(super) use build::{conj, vec_of};
pub(super) use input::{Index, is_empty};
pub(super) use output::add;
pub(super) use sort::compare;
pub(crate) use {input::Rows, input::Source, input::Walk, tree::Substitutes};

builtins! {
    pub(in crate::builtins) static TRANSFORMATION;

    "bounded-count" = query::bounded_count;
    "cat" as CAT = cat;
    "combinations" = partition::combinations;
    "concat" = build::concat;
    "conj" as CONJ = build::conj;
    "cons" = build::cons;
    "contains?" = query::contains;
    "count" = query::count;
    "cycle" = |Sequence(items): Sequence| generator::cycling(items);
    "dedupe" = |cx: &mut Call, items: Option<Value>| stepped(cx, Step::Dedupe(None), items);
    "distinct" = transform::distinct;
    "doall" = query::doall;
    "dorun" = query::dorun;
    "empty" = query::empty;
    "empty?" = query::is_empty;
    "every?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, false).map(|it| it.is_none());
    "filter" = |cx: &mut Call, test: Value, items: Option<Value>| transform::filter(cx, test, items, true);
    "filterv" = transform::filterv;
    "flatten" = tree::flatten;
    "frequencies" = partition::frequencies;
    "group-by" = partition::group_by;
    "halt-when" = build::halt_when;
    "interleave" = build::interleave;
    "interpose" = build::interpose;
    "into" = build::into;
    "into-array" alias "vec" = build::vec_of;
    "iterate" = |function: Value, first: Value| Value::from(Rule::Iterate { function, current: first, started: false });
    "iteration" = build::iteration;
    "keep" = |cx: &mut Call, f: Value, items: Option<Value>| stepped(cx, Step::Keep(f), items);
    "keep-indexed" = |cx: &mut Call, function: Value, items: Option<Value>| {
        stepped(cx, Step::KeepIndexed { function, index: 0 }, items)
    };
    "keywordize-keys" = tree::keywordize_keys;
    "list" = |cx: &mut Call, items: &mut [Value]| cx.list(taken(items));
    "list*" = build::list_star;
    "map" = transform::map;
    "map-indexed" = transform::map_indexed;
    "mapcat" as MAPCAT = transform::mapcat;
    "mapv" = transform::mapv;
    "not-any?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, true).map(|it| it.is_none());
    "not-empty" = query::not_empty;
    "not-every?" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, false).map(|it| it.is_some());
    "partition" = partition::partition;
    "partition-all" = partition::partition_all;
    "partition-by" = partition::partition_by;
    "pcalls" = transform::pcalls;
    "pmap" = transform::pmap;
    "postwalk" = tree::postwalk;
    "postwalk-replace" = tree::postwalk_replace;
    "prewalk" = tree::prewalk;
    "prewalk-replace" = tree::prewalk_replace;
    "range" = build::range;
    "reduce" = reduce::reduce;
    "reduce-kv" = reduce::reduce_kv;
    "reductions" = reduce::reductions;
    "remove" = |cx: &mut Call, test: Value, items: Option<Value>| transform::filter(cx, test, items, false);
    "repeat" = build::repeat;
    "repeatedly" = build::repeatedly;
    "replace" = tree::replace;
    "replicate" alias "repeat" = build::replicate;
    "reverse" = transform::reversed;
    "run!" = reduce::run;
    "seq" as SEQ = query::seq;
    "sequence" = build::sequence_of;
    "some" = |cx: &mut Call, test: &Value, items: Source| first_result(cx, test, items, true).map(Option::unwrap_or_default);
    "sort" = sort::sort;
    "sort-by" = sort::sort_by;
    "stringify-keys" = tree::stringify_keys;
    "to-array" alias "vec" = build::vec_of;
    "transduce" = reduce::transduce;
    "tree-seq" = tree::tree_seq;
    "vec" = build::vec_of;
    "vector" as VECTOR = |cx: &mut Call, items: &mut [Value]| cx.vector(taken(items));
    "walk" = tree::walk;
    "zip" = build::zip;
}

fn cat(_: &Value) -> Eval {
    raise(ErrorKind::NotCallable, "cannot call transducer cat as a function; use it in into")
}
