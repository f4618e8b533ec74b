//! Static methods of Java's classes of numbers, characters, booleans and strings, but for those that read
//! text as a number.

use super::statics::{parse_boolean, parse_float, parse_integer};
use crate::builtins::{at_least, between, builtins, exactly, run_as};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::value::Value;

builtins! {
    pub(in crate::builtins) static ROWS;

    /// The same as str.
    "Boolean/toString" [exactly(1)] = |cx, args| run_as(cx, "str", args) =>
        "(Boolean/toString true) ;=> \"true\""
    /// Whether the string is "true", in any case; a boolean as it is.
    "Boolean/valueOf" [exactly(1)] = boolean => "(Boolean/valueOf \"true\") ;=> true"
    /// Whether the character, or the code point, is a letter.
    "Character/isAlphabetic" [exactly(1)] = |cx, args| {
            let character = run_as(cx, "char", args)?;
            run_as(cx, "Character/isLetter", &mut [character])
        } =>
        "(Character/isAlphabetic 97) ;=> true"
    /// The character as text.
    "Character/toString" [exactly(1)] = |cx, args| run_as(cx, "char", args) =>
        "(Character/toString \\a) ;=> \"a\""
    /// The character as it is.
    "Character/valueOf" [exactly(1)] = |cx, args| run_as(cx, "char", args) =>
        "(Character/valueOf \\a) ;=> \"a\""
    /// The same as Double/valueOf.
    "Double." [exactly(1)] = double => "(Double. \"2.5\") ;=> 2.5"
    /// Whether the float is neither infinite nor NaN.
    "Double/isFinite" [exactly(1)] = |_, args| match args {
            [Value::Int(_)] => Ok(Value::Bool(true)),
            _ => of_float("Double/isFinite", f64::is_finite, args),
        } =>
        "(Double/isFinite 1.5) ;=> true"
    /// The same as infinite?.
    "Double/isInfinite" [exactly(1)] = |_, args| of_float("Double/isInfinite", f64::is_infinite, args) =>
        "(Double/isInfinite 1.5) ;=> false"
    /// The same as NaN?.
    "Double/isNaN" [exactly(1)] = |_, args| of_float("Double/isNaN", f64::is_nan, args) =>
        "(Double/isNaN 1.5) ;=> false"
    /// The same as +.
    "Double/sum" [exactly(2)] = |cx, args| run_as(cx, "+", args) => "(Double/sum 1.0 2.5) ;=> 3.5"
    /// The number as a float, as text.
    "Double/toString" [exactly(1)] = double_text => "(Double/toString 2.5) ;=> \"2.5\""
    /// The float that a string shows; a number as a float.
    "Double/valueOf" [exactly(1)] = double => "(Double/valueOf \"3.5\") ;=> 3.5"
    /// The same as Integer/valueOf.
    "Integer." [exactly(1)] = |cx, args| run_as(cx, "Integer/valueOf", args) => "(Integer. \"3\") ;=> 3"
    /// How many of the 32 bits are set.
    "Integer/bitCount" [exactly(1)] = |_, args| of_integer("Integer/bitCount", |number| i64::from((number as i32).count_ones()), args) =>
        "(Integer/bitCount 255) ;=> 8"
    /// The integer of the highest bit that is set; 0 if none is.
    "Integer/highestOneBit" [exactly(1)] = |_, args| {
            of_integer(
                "Integer/highestOneBit",
                |number| i64::from(highest(u64::from(number as u32)) as i32),
                args,
            )
        } =>
        "(Integer/highestOneBit 100) ;=> 64"
    /// The integer of the lowest bit that is set; 0 if none is.
    "Integer/lowestOneBit" [exactly(1)] = |_, args| of_integer("Integer/lowestOneBit", |number| number & number.wrapping_neg(), args) =>
        "(Integer/lowestOneBit 100) ;=> 4"
    /// How many of the 32 bits are zero before the first that is set.
    "Integer/numberOfLeadingZeros" [exactly(1)] = |_, args| {
            of_integer(
                "Integer/numberOfLeadingZeros",
                |number| i64::from((number as u32).leading_zeros()),
                args,
            )
        } =>
        "(Integer/numberOfLeadingZeros 1) ;=> 31"
    /// How many of the 32 bits are zero after the last that is set.
    "Integer/numberOfTrailingZeros" [exactly(1)] = |_, args| {
            of_integer(
                "Integer/numberOfTrailingZeros",
                |number| i64::from((number as u32).trailing_zeros()),
                args,
            )
        } =>
        "(Integer/numberOfTrailingZeros 8) ;=> 3"
    /// The 32 bits in reverse order.
    "Integer/reverse" [exactly(1)] = |_, args| of_integer("Integer/reverse", |number| i64::from((number as i32).reverse_bits()), args) =>
        "(Integer/reverse 2) ;=> 1073741824"
    /// -1, 0 or 1 by the sign of the integer.
    "Integer/signum" [exactly(1)] = |_, args| of_integer("Integer/signum", i64::signum, args) =>
        "(Integer/signum -5) ;=> -1"
    /// The same as +.
    "Integer/sum" [exactly(2)] = |cx, args| run_as(cx, "+", args) => "(Integer/sum 1 2) ;=> 3"
    /// The 32 bits of the integer in octal.
    "Integer/toOctalString" [exactly(1)] = |cx, args| text(cx, "Integer/toOctalString", |number| format!("{:o}", number as i32), args) =>
        "(Integer/toOctalString 8) ;=> \"10\""
    /// The integer that a string shows; an integer as it is.
    "Integer/valueOf" [exactly(1)] = |_, args| integer("Integer/valueOf", i32::MIN.into(), i32::MAX.into(), args) =>
        "(Integer/valueOf \"3\") ;=> 3"
    /// The same as Long/valueOf.
    "Long." [exactly(1)] = |cx, args| run_as(cx, "Long/valueOf", args) => "(Long. \"3\") ;=> 3"
    /// How many of the 64 bits are set.
    "Long/bitCount" [exactly(1)] = |_, args| of_integer("Long/bitCount", |number| i64::from(number.count_ones()), args) =>
        "(Long/bitCount 255) ;=> 8"
    /// The integer of the highest bit that is set; 0 if none is.
    "Long/highestOneBit" [exactly(1)] = |_, args| of_integer("Long/highestOneBit", |number| highest(number as u64), args) =>
        "(Long/highestOneBit 100) ;=> 64"
    /// The integer of the lowest bit that is set; 0 if none is.
    "Long/lowestOneBit" [exactly(1)] = |_, args| of_integer("Long/lowestOneBit", |number| number & number.wrapping_neg(), args) =>
        "(Long/lowestOneBit 100) ;=> 4"
    /// How many of the 64 bits are zero before the first that is set.
    "Long/numberOfLeadingZeros" [exactly(1)] = |_, args| of_integer("Long/numberOfLeadingZeros", |number| i64::from(number.leading_zeros()), args) =>
        "(Long/numberOfLeadingZeros 1) ;=> 63"
    /// How many of the 64 bits are zero after the last that is set.
    "Long/numberOfTrailingZeros" [exactly(1)] = |_, args| of_integer("Long/numberOfTrailingZeros", |number| i64::from(number.trailing_zeros()), args) =>
        "(Long/numberOfTrailingZeros 8) ;=> 3"
    /// The 64 bits in reverse order.
    "Long/reverse" [exactly(1)] = |_, args| of_integer("Long/reverse", i64::reverse_bits, args) =>
        "(Long/reverse 2) ;=> 4611686018427387904"
    /// The 64 bits, turned to the left.
    "Long/rotateLeft" [exactly(2)] = |_, args| turned("Long/rotateLeft", |bits, places| bits.rotate_left(places), args) =>
        "(Long/rotateLeft 1 3) ;=> 8"
    /// The 64 bits, turned to the right.
    "Long/rotateRight" [exactly(2)] = |_, args| turned("Long/rotateRight", |bits, places| bits.rotate_right(places), args) =>
        "(Long/rotateRight 8 3) ;=> 1"
    /// -1, 0 or 1 by the sign of the integer.
    "Long/signum" [exactly(1)] = |_, args| of_integer("Long/signum", i64::signum, args) =>
        "(Long/signum -5) ;=> -1"
    /// The same as +.
    "Long/sum" [exactly(2)] = |cx, args| run_as(cx, "+", args) => "(Long/sum 1 2) ;=> 3"
    /// The 64 bits of the integer as text, without leading zeros.
    "Long/toBinaryString" [exactly(1)] = |cx, args| text(cx, "Long/toBinaryString", |number| format!("{number:b}"), args) =>
        "(Long/toBinaryString 5) ;=> \"101\""
    /// The 64 bits of the integer in hexadecimal.
    "Long/toHexString" [exactly(1)] = |cx, args| text(cx, "Long/toHexString", |number| format!("{number:x}"), args) =>
        "(Long/toHexString 255) ;=> \"ff\""
    /// The 64 bits of the integer in octal.
    "Long/toOctalString" [exactly(1)] = |cx, args| text(cx, "Long/toOctalString", |number| format!("{number:o}"), args) =>
        "(Long/toOctalString 8) ;=> \"10\""
    /// The integer that a string shows; an integer as it is.
    "Long/valueOf" [exactly(1)] = |_, args| integer("Long/valueOf", i64::MIN, i64::MAX, args) =>
        "(Long/valueOf \"3\") ;=> 3"
    /// The string as it is.
    "String." [between(0, 1)] = |cx, args| run_as(cx, "str", args) => "(String. \"a\") ;=> \"a\""
    /// The same as format; a collection alone after the template holds the arguments.
    "String/format" [at_least(1)] = formatted => "(String/format \"%s-%s\" (into-array [1 2])) ;=> \"1-2\""
    /// The strings with the separator between each two.
    "String/join" [at_least(2)] = joined => "(String/join \", \" [\"a\" \"b\"]) ;=> \"a, b\""
}

fn boolean(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(*value)),
        _ => parse_boolean(cx, args),
    }
}

fn integer(name: &str, min: i64, max: i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(number)] if (min..=max).contains(number) => Ok(Value::Int(*number)),
        _ => parse_integer(name, min, max, args),
    }
}

fn double(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(_) | Value::Float(..)] => run_as(cx, "double", args),
        _ => parse_float("Double/valueOf", args),
    }
}

fn double_text(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let number = run_as(cx, "double", args)?;
    run_as(cx, "str", &mut [number])
}

fn of_float(name: &str, test: fn(f64) -> bool, args: &[Value]) -> Eval {
    match args {
        [Value::Float(number, ..)] => Ok(Value::Bool(test(*number))),
        [Value::Int(_)] => Ok(Value::Bool(false)),
        _ => type_error(name, "a number", args.first().unwrap_or(&Value::Nil)),
    }
}

fn of_integer(name: &str, function: fn(i64) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(number)] => Ok(Value::Int(function(*number))),
        _ => type_error(name, "an integer", args.first().unwrap_or(&Value::Nil)),
    }
}

/// The highest bit alone.
fn highest(bits: u64) -> i64 {
    bits.checked_ilog2().map_or(0, |place| (1_u64 << place) as i64)
}

/// Places beyond 64 begin anew, as in Java.
fn turned(name: &str, turn: fn(u64, u32) -> u64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(bits), Value::Int(places)] => {
            Ok(Value::Int(turn(*bits as u64, (places & 63) as u32) as i64))
        }
        [Value::Int(_), other] | [other, ..] => type_error(name, "an integer", other),
        [] => Ok(Value::Nil),
    }
}

fn text(cx: &mut Interpreter<'_>, name: &str, write: fn(i64) -> String, args: &[Value]) -> Eval {
    match args {
        [Value::Int(number)] => cx.string(write(*number)),
        _ => type_error(name, "an integer", args.first().unwrap_or(&Value::Nil)),
    }
}

/// Java takes an array of arguments where Clojure has none to give but that one.
fn formatted(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [template, Value::Vector(items)] => {
            cx.tick(items.len())?;
            let mut all: Vec<Value> = std::iter::once(template.take()).chain(items.iter().cloned()).collect();
            run_as(cx, "format", &mut all)
        }
        _ => run_as(cx, "format", args),
    }
}

fn joined(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(_), Value::Vector(_) | Value::List(_) | Value::Set(_)] => run_as(cx, "join", args),
        [separator @ Value::Str(_), texts @ ..] => {
            let texts = texts.iter_mut().map(Value::take).collect();
            let texts = cx.list(texts)?;
            run_as(cx, "join", &mut [separator.take(), texts])
        }
        _ => type_error("String/join", "a string", args.first().unwrap_or(&Value::Nil)),
    }
}
