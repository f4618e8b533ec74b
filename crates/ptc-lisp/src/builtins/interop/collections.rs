//! Methods of Java's collections, map entries, keywords and numbers.

use crate::builtins::logic::equal;
use crate::builtins::time::name_number;
use crate::builtins::{between, builtins, exactly, run_as};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::value::Value;

builtins! {
    pub(in crate::builtins) static ROWS;

    /// The number without its fraction, as an integer of 8 bits.
    ".byteValue" [exactly(1)] = |_, args| {
            whole(
                ".byteValue",
                |number| i64::from(number as i8),
                |number| i64::from(number as i32 as i8),
                args,
            )
        } =>
        "(.byteValue 300) ;=> 44"
    /// Whether the map has the key.
    ".containsKey" [exactly(2)] = |cx, args| of_map(cx, ".containsKey", "contains?", args) =>
        "(.containsKey {:a 1} :a) ;=> true"
    /// Whether the map has the value under some key.
    ".containsValue" [exactly(2)] = contains_value => "(.containsValue {:a 1} 1) ;=> true"
    /// How many items the collection has.
    ".count" [exactly(1)] = |cx, args| of_collection(cx, ".count", "count", args) => "(.count [1 2]) ;=> 2"
    /// The number as a float.
    ".doubleValue" [exactly(1)] = |cx, args| of_number(cx, ".doubleValue", "double", args) =>
        "(.doubleValue 3) ;=> 3.0"
    /// The entries of the map as a set.
    ".entrySet" [exactly(1)] = |cx, args| of_map(cx, ".entrySet", "set", args) =>
        "(.entrySet {:a 1}) ;=> #{[:a 1]}"
    /// The number as a float.
    ".floatValue" [exactly(1)] = |cx, args| of_number(cx, ".floatValue", "double", args) =>
        "(.floatValue 3) ;=> 3.0"
    /// The value under the key of a map, at the index of a vector.
    ".get" [exactly(2)] = item => "(.get {:a 1} :a) ;=> 1"
    /// The key of the map entry.
    ".getKey" [exactly(1)] = |cx, args| run_as(cx, "key", args) => "(.getKey (first {:a 1})) ;=> :a"
    /// The name of the keyword.
    ".getName" [exactly(1)] = |cx, args| of_keyword(cx, ".getName", "name", args) =>
        "(.getName :a/b) ;=> \"b\""
    /// The namespace of the keyword, or nil.
    ".getNamespace" [exactly(1)] = |cx, args| of_keyword(cx, ".getNamespace", "namespace", args) =>
        "(.getNamespace :a/b) ;=> \"a\""
    /// The value under the key of the map, or the default.
    ".getOrDefault" [exactly(3)] = |cx, args| of_map(cx, ".getOrDefault", "get", args) =>
        "(.getOrDefault {:a 1} :b 5) ;=> 5"
    /// The value of the map entry; the number of a day or month.
    ".getValue" [exactly(1)] = |cx, args| match args {
            [Value::Str(name)] if let Some(number) = name_number(name) => Ok(Value::Int(number)),
            _ => run_as(cx, "val", args),
        } =>
        "(.getValue (first {:a 1})) ;=> 1"
    /// The number without its fraction, as an integer of 32 bits.
    ".intValue" [exactly(1)] = |_, args| {
            whole(".intValue", |number| i64::from(number as i32), |number| i64::from(number as i32), args)
        } =>
        "(.intValue 3.7) ;=> 3"
    /// Whether the float is infinite.
    ".isInfinite" [exactly(1)] = |_, args| of_float(".isInfinite", f64::is_infinite, args) =>
        "(.isInfinite ##Inf) ;=> true"
    /// Whether the float is not a number.
    ".isNaN" [exactly(1)] = |_, args| of_float(".isNaN", f64::is_nan, args) => "(.isNaN ##NaN) ;=> true"
    /// The key of the map entry.
    ".key" [exactly(1)] = |cx, args| run_as(cx, "key", args) => "(.key (first {:a 1})) ;=> :a"
    /// The keys of the map as a set.
    ".keySet" [exactly(1)] = key_set => "(.keySet {:a 1}) ;=> #{:a}"
    /// The number without its fraction.
    ".longValue" [exactly(1)] = |_, args| whole(".longValue", |number| number, |number| number as i64, args) =>
        "(.longValue 3.7) ;=> 3"
    /// The item at the index, or the default.
    ".nth" [between(2, 3)] = nth => "(.nth [1 2] 0) ;=> 1"
    /// The number without its fraction, as an integer of 16 bits.
    ".shortValue" [exactly(1)] = |_, args| {
            whole(
                ".shortValue",
                |number| i64::from(number as i16),
                |number| i64::from(number as i32 as i16),
                args,
            )
        } =>
        "(.shortValue 5.7) ;=> 5"
    /// How many items the collection has.
    ".size" [exactly(1)] = |cx, args| of_collection(cx, ".size", "count", args) => "(.size {:a 1}) ;=> 1"
    /// The items from one index up to another.
    ".subList" [exactly(3)] = sub_list => "(.subList [1 2 3] 0 2) ;=> [1 2]"
    /// The items of the collection as a vector: there are no arrays.
    ".toArray" [exactly(1)] = |cx, args| of_collection(cx, ".toArray", "vec", args) =>
        "(.toArray [1 2]) ;=> [1 2]"
    /// The value of the map entry.
    ".val" [exactly(1)] = |cx, args| run_as(cx, "val", args) => "(.val (first {:a 1})) ;=> 1"
    /// The same as get.
    ".valAt" [between(2, 3)] = |cx, args| run_as(cx, "get", args) => "(.valAt {:a 1} :a) ;=> 1"
    /// The values of the map.
    ".values" [exactly(1)] = values => "(.values {:a 1}) ;=> (1)"
}

/// What `builtin` does, for maps alone.
fn of_map(cx: &mut Interpreter<'_>, name: &str, builtin: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Map(_), ..] => run_as(cx, builtin, args),
        _ => wrong(name, "a map", args),
    }
}

fn of_collection(cx: &mut Interpreter<'_>, name: &str, builtin: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Map(_) | Value::Set(_) | Value::Vector(_) | Value::List(_)] => run_as(cx, builtin, args),
        _ => wrong(name, "a collection", args).map_err(of_class(Class::IllegalArgumentException)),
    }
}

fn of_keyword(cx: &mut Interpreter<'_>, name: &str, builtin: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Keyword(_)] => run_as(cx, builtin, args),
        _ => wrong(name, "a keyword", args),
    }
}

fn of_number(cx: &mut Interpreter<'_>, name: &str, builtin: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(_) | Value::Float(..)] => run_as(cx, builtin, args),
        _ => wrong(name, "a number", args),
    }
}

fn whole(name: &str, integers: fn(i64) -> i64, floats: fn(f64) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(number)] => Ok(Value::Int(integers(*number))),
        [Value::Float(number, ..)] => Ok(Value::Int(floats(*number))),
        _ => wrong(name, "a number", args),
    }
}

fn of_float(name: &str, test: fn(f64) -> bool, args: &[Value]) -> Eval {
    match args {
        [Value::Float(number, ..)] => Ok(Value::Bool(test(*number))),
        _ => wrong(name, "a float", args),
    }
}

fn nth(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [_, _] => item(cx, args),
        _ => run_as(cx, "nth", args),
    }
}

fn sub_list(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Vector(items) | Value::List(items), Value::Int(start), Value::Int(end)] = &*args else {
        return wrong(".subList", "a vector and two indices", args);
    };
    if *start < 0 || start > end || usize::try_from(*end).map_or(true, |end| end > items.len()) {
        return type_error(".subList", &format!("indices up to {}", items.len()), &Value::Int(*end));
    }
    let (start, end) = (Value::Int(*start), Value::Int(*end));
    let vector = run_as(cx, "vec", &mut [Value::List(items.clone())])?;
    run_as(cx, "subvec", &mut [vector, start, end])
}

fn contains_value(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Map(map), wanted] = args else { return wrong(".containsValue", "a map", args) };
    for (_, value) in map.iter() {
        cx.tick(1)?;
        if equal(cx, value, wanted)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn item(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Map(_) | Value::Set(_), _] => run_as(cx, "get", args),
        [Value::Vector(items) | Value::List(items), Value::Int(index)] => {
            let found = usize::try_from(*index).ok().and_then(|index| items.get(index));
            found.cloned().map_or_else(|| outside(items.len(), *index), Ok)
        }
        [Value::Vector(_) | Value::List(_), other] => type_error(".get", "an index", other),
        _ => wrong(".get", "a map or a vector", args),
    }
}

fn outside(len: usize, index: i64) -> Eval {
    type_error(".get", &format!("an index below {len}"), &Value::Int(index))
        .map_err(of_class(Class::IndexOutOfBoundsException))
}

fn key_set(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let keys = of_map(cx, ".keySet", "keys", args)?;
    run_as(cx, "set", &mut [keys])
}

fn values(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match of_map(cx, ".values", "vals", args)? {
        Value::Nil => cx.list(Vec::new()),
        values => Ok(values),
    }
}

fn wrong(name: &str, expected: &str, args: &[Value]) -> Eval {
    type_error(name, expected, args.first().unwrap_or(&Value::Nil))
}
