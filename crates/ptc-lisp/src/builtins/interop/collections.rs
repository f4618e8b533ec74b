//! Methods of collections, map entries, keywords and numbers.

use crate::builtins::logic::equal;
use crate::builtins::map::{get, key, val};
use crate::builtins::math::{Whole32, Whole64, as_float};
use crate::builtins::prelude::*;
use crate::builtins::seq::{Index, nth, vec_of};
use crate::builtins::set::set;
use crate::builtins::string::{keyword_name, namespace};
use crate::builtins::time::name_number;

builtins! {
    pub(in crate::builtins) static ROWS;

    ".byteValue" = |Whole32(number): Whole32| i64::from(number as i8);
    ".containsKey" = |cx: &mut Call, map: &Value, key: &Value| -> Eval<bool> {
        let Value::Map(_) = map else { return cx.type_error("a map", map) };
        Ok(flexible::find(map, key)?.is_some())
    };
    ".containsValue" = |cx: &mut Call, map: Arc<Map>, wanted: &Value| -> Eval<bool> {
        for value in map.values() {
            cx.tick(1)?;
            if equal(cx, value, wanted)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    ".count" = size;
    ".doubleValue" = as_float;
    ".entrySet" = |cx: &mut Call, map: Arc<Map>| set(cx, Value::Map(map));
    ".floatValue" = as_float;
    ".get" = item;
    ".getKey" = key;
    ".getName" = keyword_name;
    ".getNamespace" = namespace;
    ".getOrDefault" = |cx: &mut Call, map: &Value, key: &Value, default: Value| -> Eval {
        let Value::Map(_) = map else { return cx.type_error("a map", map) };
        get(map, key, Some(default))
    };
    // The value of a map entry, or the number of a day or month.
    ".getValue" = |cx: &mut Call, entry: &Value| -> Eval {
        if let Value::Str(name) = entry
            && let Some(number) = name_number(name)
        {
            return Ok(Value::Int(number));
        }
        val(cx, entry)
    };
    ".intValue" = |Whole32(number): Whole32| i64::from(number as i32);
    ".isInfinite" = |Float(number): Float| number.is_infinite();
    ".isNaN" = |Float(number): Float| number.is_nan();
    ".key" = key;
    ".keySet" = |cx: &mut Call, map: Arc<Map>| -> Eval {
        cx.tick(map.len())?;
        set(cx, Value::list(map.keys().cloned().collect::<Items>()))
    };
    ".longValue" = |Whole64(number): Whole64| number;
    ".nth" = |cx: &mut Call, collection: Value, index: &mut Value, default: Option<Value>| -> Eval {
        if default.is_none() {
            return item(cx, &collection, index);
        }
        let index = Index::from_value(cx, index)?;
        nth(cx, collection, index, default)
    };
    ".shortValue" = |Whole32(number): Whole32| i64::from(number as i16);
    ".size" = size;
    ".subList" = sub_list;
    ".toArray" = |cx: &mut Call, collection: Value| -> Eval {
        if collection.item_count().is_none() { no_collection(cx, &collection) } else { vec_of(cx, collection) }
    };
    ".val" = val;
    ".valAt" = get;
    ".values" = |cx: &mut Call, map: Arc<Map>| -> Eval {
        cx.tick(map.len())?;
        cx.list(map.iter().map(|(_, value)| value.clone()).collect())
    };
}

struct Float(f64);

from_value! {
    Float: Value::Float(number, ..) => Float(*number); "a float"
}

fn size(cx: &mut Call, collection: &Value) -> Eval<usize> {
    match collection.item_count() {
        Some(count) => Ok(count),
        None => no_collection(cx, collection),
    }
}

fn no_collection<T>(cx: &Call, value: &Value) -> Eval<T> {
    cx.type_error("a collection", value).map_err(of_class(Class::IllegalArgumentException))
}

fn item(cx: &mut Call, collection: &Value, key: &Value) -> Eval {
    match (collection, key) {
        (Value::Map(_) | Value::Set(_), key) => get(collection, key, None),
        (Value::Vector(items) | Value::List(items), Value::Int(index)) => {
            if let Ok(index) = usize::try_from(*index)
                && let Some(item) = items.get(index)
            {
                return Ok(item.clone());
            }
            cx.type_error(&format!("an index below {}", items.len()), key)
                .map_err(of_class(Class::IndexOutOfBoundsException))
        }
        (Value::Vector(_) | Value::List(_), other) => cx.type_error("an index", other),
        (other, _) => cx.type_error("a map or a vector", other),
    }
}

fn sub_list(cx: &mut Call, collection: &Value, start: &Value, end: &Value) -> Eval {
    let (Some(items), Value::Int(first), Value::Int(last)) = (collection.as_items(), start, end) else {
        return cx.type_error("a vector and two indices", collection);
    };
    if let (Ok(first), Ok(last)) = (usize::try_from(*first), usize::try_from(*last))
        && let Some(part) = items.get(first..last)
    {
        cx.tick(part.len())?;
        return cx.vector(part.to_vec());
    }
    cx.type_error(&format!("indices up to {}", items.len()), end)
}
