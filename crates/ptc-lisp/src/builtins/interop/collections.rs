//! Methods of collections, map entries, keywords and numbers.

use crate::builtins::logic::equal;
use crate::builtins::map::{get, key, val};
use crate::builtins::math::{Whole32, Whole64};
use crate::builtins::prelude::*;
use crate::builtins::seq::{Index, nth, vec_of};
use crate::builtins::set::set;
use crate::builtins::string::{keyword_name, namespace};
use crate::builtins::time::name_number;

builtins! {
    pub(in crate::builtins) static ROWS;

    /// The number without its fraction, as an integer of 8 bits.
    ".byteValue" = |Whole32(number): Whole32| i64::from(number as i8) => "(.byteValue 300) ;=> 44"
    /// True if the map has the key.
    ".containsKey" = contains_key => "(.containsKey {:a 1} :a) ;=> true"
    /// True if the map has the value under some key.
    ".containsValue" = contains_value => "(.containsValue {:a 1} 1) ;=> true"
    /// Number of items of the collection.
    ".count" = size => "(.count [1 2]) ;=> 2"
    /// The number as a float.
    ".doubleValue" = |number: f64| number => "(.doubleValue 3) ;=> 3.0"
    /// The entries of the map as a set.
    ".entrySet" = |cx: &mut Call, map: Arc<Map>| set(cx, Value::Map(map)) =>
        "(.entrySet {:a 1}) ;=> #{[:a 1]}"
    /// The number as a float.
    ".floatValue" = |number: f64| number => "(.floatValue 3) ;=> 3.0"
    /// The value under the key of a map, at the index of a vector.
    ".get" = item => "(.get {:a 1} :a) ;=> 1"
    /// The key of the map entry.
    ".getKey" = key => "(.getKey (first {:a 1})) ;=> :a"
    /// The name of the keyword.
    ".getName" = keyword_name => "(.getName :a/b) ;=> \"b\""
    /// The namespace of the keyword, or nil.
    ".getNamespace" = namespace => "(.getNamespace :a/b) ;=> \"a\""
    /// The value under the key of the map, or the default.
    ".getOrDefault" = get_or_default => "(.getOrDefault {:a 1} :b 5) ;=> 5"
    /// The value of the map entry; the number of a day or month.
    ".getValue" = value_or_number => "(.getValue (first {:a 1})) ;=> 1"
    /// The number without its fraction, as an integer of 32 bits.
    ".intValue" = |Whole32(number): Whole32| i64::from(number as i32) => "(.intValue 3.7) ;=> 3"
    /// True if the float is infinite.
    ".isInfinite" = |Float(number): Float| number.is_infinite() => "(.isInfinite ##Inf) ;=> true"
    /// True if the float is not a number.
    ".isNaN" = |Float(number): Float| number.is_nan() => "(.isNaN ##NaN) ;=> true"
    /// The key of the map entry.
    ".key" = key => "(.key (first {:a 1})) ;=> :a"
    /// The keys of the map as a set.
    ".keySet" = key_set => "(.keySet {:a 1}) ;=> #{:a}"
    /// The number without its fraction.
    ".longValue" = |Whole64(number): Whole64| number => "(.longValue 3.7) ;=> 3"
    /// The item at the index, or the default.
    ".nth" = nth_or_default => "(.nth [1 2] 0) ;=> 1"
    /// The number without its fraction, as an integer of 16 bits.
    ".shortValue" = |Whole32(number): Whole32| i64::from(number as i16) => "(.shortValue 5.7) ;=> 5"
    /// Number of items of the collection.
    ".size" = size => "(.size {:a 1}) ;=> 1"
    /// The items from one index up to another.
    ".subList" = sub_list => "(.subList [1 2 3] 0 2) ;=> [1 2]"
    /// The items of the collection as a vector: there are no arrays.
    ".toArray" = to_array => "(.toArray [1 2]) ;=> [1 2]"
    /// The value of the map entry.
    ".val" = val => "(.val (first {:a 1})) ;=> 1"
    /// The same as get.
    ".valAt" = get => "(.valAt {:a 1} :a) ;=> 1"
    /// The values of the map.
    ".values" = values => "(.values {:a 1}) ;=> (1)"
}

struct Float(f64);

from_value! {
    Float: Value::Float(number, ..) => Float(*number); "a float"
}

fn size(cx: &mut Call, collection: &Value) -> Eval<usize> {
    collection.item_count().map_or_else(|| no_collection(cx, collection), Ok)
}

fn to_array(cx: &mut Call, collection: Value) -> Eval {
    if collection.item_count().is_none() { no_collection(cx, &collection) } else { vec_of(cx, collection) }
}

fn no_collection<T>(cx: &Call, value: &Value) -> Eval<T> {
    cx.type_error("a collection", value).map_err(of_class(Class::IllegalArgumentException))
}

fn contains_key(cx: &mut Call, map: &Value, key: &Value) -> Eval<bool> {
    let Value::Map(_) = map else { return cx.type_error("a map", map) };
    Ok(flexible::find(map, key)?.is_some())
}

fn contains_value(cx: &mut Call, map: Arc<Map>, wanted: &Value) -> Eval<bool> {
    let is_absent = every(map.values(), |value| cx.tick(1).and_then(|()| Ok(!equal(cx, value, wanted)?)))?;
    Ok(!is_absent)
}

fn get_or_default(cx: &mut Call, map: &Value, key: &Value, default: Value) -> Eval {
    let Value::Map(_) = map else { return cx.type_error("a map", map) };
    get(map, key, Some(default))
}

/// The value of a map entry, or the number of a day or month.
fn value_or_number(cx: &mut Call, entry: &Value) -> Eval {
    match entry {
        Value::Str(name) if let Some(number) = name_number(name) => Ok(Value::Int(number)),
        other => val(cx, other),
    }
}

fn key_set(cx: &mut Call, map: Arc<Map>) -> Eval {
    cx.tick(map.len())?;
    set(cx, Value::list(map.keys().cloned().collect::<Items>()))
}

fn values(cx: &mut Call, map: Arc<Map>) -> Eval {
    cx.tick(map.len())?;
    cx.list(map.iter().map(|(_, value)| value.clone()).collect())
}

fn nth_or_default(cx: &mut Call, collection: Value, index: &mut Value, default: Option<Value>) -> Eval {
    if default.is_none() {
        return item(cx, &collection, index);
    }
    let index = Index::from_value(cx, index)?;
    nth(cx, collection, index, default)
}

fn item(cx: &mut Call, collection: &Value, key: &Value) -> Eval {
    match (collection, key) {
        (Value::Map(_) | Value::Set(_), key) => get(collection, key, None),
        (Value::Vector(items) | Value::List(items), Value::Int(index)) => {
            let found = usize::try_from(*index).ok().and_then(|index| items.get(index));
            found.cloned().map_or_else(
                || {
                    cx.type_error(&format!("an index below {}", items.len()), key)
                        .map_err(of_class(Class::IndexOutOfBoundsException))
                },
                Ok,
            )
        }
        (Value::Vector(_) | Value::List(_), other) => cx.type_error("an index", other),
        (other, _) => cx.type_error("a map or a vector", other),
    }
}

fn sub_list(cx: &mut Call, collection: &Value, start: &Value, end: &Value) -> Eval {
    let (Some(items), Value::Int(first), Value::Int(last)) = (collection.as_items(), start, end) else {
        return cx.type_error("a vector and two indices", collection);
    };
    let range = usize::try_from(*first).ok().zip(usize::try_from(*last).ok());
    match range.and_then(|(first, last)| items.get(first..last)) {
        Some(part) => {
            cx.tick(part.len())?;
            cx.vector(part.to_vec())
        }
        None => cx.type_error(&format!("indices up to {}", items.len()), end),
    }
}
