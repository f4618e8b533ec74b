//! Arithmetic: checked 64-bit integers and floats, never a silent wrap. Here are the rows, sums and products,
//! and what all of it shares; comparison of numbers is in `logic`.

mod bits;
mod division;
mod extreme;
mod java;
mod precise;
mod ratio;
mod rounding;

use std::cmp::Ordering;

use crate::error::{ErrorKind, Eval, raise, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::print::str_of;
use crate::value::Value;

use super::{Builtin, Constant, at_least, between, exactly};
use division::{divide, modulus, quotient, remainder};
use extreme::{extreme, greater, lesser, wider};

pub(super) use java::ROWS as JAVA;
use ratio::Ratio;

pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: "*",
        arity: at_least(0),
        run: |_, args| fold(&MULTIPLY, args),
        doc: "Product of numbers; 1 without any.",
        example: "(* 2 3.5) ;=> 7.0",
    },
    Builtin {
        name: "*'",
        arity: at_least(0),
        run: |_, args| fold(&MULTIPLY, args),
        doc: "The same as *.",
        example: "(*' 2 3) ;=> 6",
    },
    Builtin {
        name: "+",
        arity: at_least(0),
        run: |_, args| fold(&ADD, args),
        doc: "Sum of numbers; 0 without any.",
        example: "(+ 1 2 3) ;=> 6",
    },
    Builtin {
        name: "+'",
        arity: at_least(0),
        run: |_, args| fold(&ADD, args),
        doc: "The same as +.",
        example: "(+' 1 2) ;=> 3",
    },
    Builtin {
        name: "-",
        arity: at_least(1),
        run: subtract,
        doc: "The first number less the others; one number is negated.",
        example: "(- 10 3 2) ;=> 5",
    },
    Builtin {
        name: "-'",
        arity: at_least(1),
        run: subtract,
        doc: "The same as -.",
        example: "(-' 3 1) ;=> 2",
    },
    Builtin {
        name: "/",
        arity: at_least(1),
        run: divide,
        doc: "Quotient: an integer where integers divide evenly, else a float; one number is inverted.",
        example: "(/ 10 4) ;=> 2.5",
    },
    Builtin {
        name: "Math/abs",
        arity: exactly(1),
        run: |_, args| absolute("Math/abs", args),
        doc: "The number without its sign.",
        example: "(Math/abs -3) ;=> 3",
    },
    Builtin {
        name: "Math/cbrt",
        arity: exactly(1),
        run: |_, args| real("Math/cbrt", precise::cbrt, args),
        doc: "Cube root.",
        example: "(Math/cbrt 27) ;=> 3.0",
    },
    Builtin {
        name: "Math/ceil",
        arity: exactly(1),
        run: |_, args| real("Math/ceil", f64::ceil, args),
        doc: "The least whole float that is not less.",
        example: "(Math/ceil 2.1) ;=> 3.0",
    },
    Builtin {
        name: "Math/exp",
        arity: exactly(1),
        run: |_, args| real("Math/exp", precise::exp, args),
        doc: "e raised to the number.",
        example: "(Math/exp 0) ;=> 1.0",
    },
    Builtin {
        name: "Math/floor",
        arity: exactly(1),
        run: |_, args| real("Math/floor", f64::floor, args),
        doc: "The greatest whole float that is not greater.",
        example: "(Math/floor -2.5) ;=> -3.0",
    },
    Builtin {
        name: "Math/log",
        arity: exactly(1),
        run: |_, args| real("Math/log", precise::log, args),
        doc: "Natural logarithm.",
        example: "(Math/log 1) ;=> 0.0",
    },
    Builtin {
        name: "Math/log10",
        arity: exactly(1),
        run: |_, args| real("Math/log10", libm::log10, args),
        doc: "Logarithm to base ten.",
        example: "(Math/log10 1000) ;=> 3.0",
    },
    Builtin {
        name: "Math/max",
        arity: exactly(2),
        run: |_, args| wider("Math/max", i64::max, greater, args),
        doc: "The greater of two numbers; a float if one of them is.",
        example: "(Math/max 1 2.5) ;=> 2.5",
    },
    Builtin {
        name: "Math/min",
        arity: exactly(2),
        run: |_, args| wider("Math/min", i64::min, lesser, args),
        doc: "The lesser of two numbers; a float if one of them is.",
        example: "(Math/min 1 2.5) ;=> 1.0",
    },
    Builtin {
        name: "Math/pow",
        arity: exactly(2),
        run: |_, args| real_pair("Math/pow", precise::pow, args),
        doc: "The first number raised to the second, a float.",
        example: "(Math/pow 2 10) ;=> 1024.0",
    },
    Builtin {
        name: "Math/round",
        arity: exactly(1),
        run: rounding::round_half_up,
        doc: "The nearest integer, halves up.",
        example: "(Math/round -2.5) ;=> -2",
    },
    Builtin {
        name: "Math/signum",
        arity: exactly(1),
        run: |_, args| real("Math/signum", signum, args),
        doc: "-1.0, 0.0 or 1.0, by the sign.",
        example: "(Math/signum -2.5) ;=> -1.0",
    },
    Builtin {
        name: "Math/sqrt",
        arity: exactly(1),
        run: |_, args| real("Math/sqrt", f64::sqrt, args),
        doc: "Square root.",
        example: "(Math/sqrt 16) ;=> 4.0",
    },
    Builtin {
        name: "abs",
        arity: exactly(1),
        run: |_, args| absolute("abs", args),
        doc: "The number without its sign.",
        example: "(abs -2.5) ;=> 2.5",
    },
    Builtin {
        name: "bit-and",
        arity: at_least(2),
        run: |_, args| bits::fold("bit-and", |a, b| a & b, args),
        doc: "Bits set in every integer.",
        example: "(bit-and 12 10) ;=> 8",
    },
    Builtin {
        name: "bit-and-not",
        arity: at_least(2),
        run: |_, args| bits::fold("bit-and-not", |a, b| a & !b, args),
        doc: "Bits of the first integer that no other has.",
        example: "(bit-and-not 15 1) ;=> 14",
    },
    Builtin {
        name: "bit-clear",
        arity: exactly(2),
        run: |_, args| bits::at("bit-clear", |a, bit| a & !(1 << bit), args),
        doc: "The integer with one bit cleared, counted from 0.",
        example: "(bit-clear 15 0) ;=> 14",
    },
    Builtin {
        name: "bit-flip",
        arity: exactly(2),
        run: |_, args| bits::at("bit-flip", |a, bit| a ^ 1 << bit, args),
        doc: "The integer with one bit inverted, counted from 0.",
        example: "(bit-flip 1 0) ;=> 0",
    },
    Builtin {
        name: "bit-not",
        arity: exactly(1),
        run: bits::not,
        doc: "The integer with every bit inverted.",
        example: "(bit-not 1) ;=> -2",
    },
    Builtin {
        name: "bit-or",
        arity: at_least(2),
        run: |_, args| bits::fold("bit-or", |a, b| a | b, args),
        doc: "Bits set in any of the integers.",
        example: "(bit-or 12 10) ;=> 14",
    },
    Builtin {
        name: "bit-set",
        arity: exactly(2),
        run: |_, args| bits::at("bit-set", |a, bit| a | 1 << bit, args),
        doc: "The integer with one bit set, counted from 0.",
        example: "(bit-set 8 0) ;=> 9",
    },
    Builtin {
        name: "bit-shift-left",
        arity: exactly(2),
        run: |_, args| bits::at("bit-shift-left", |a, by| a << by, args),
        doc: "Bits moved up; the distance is taken modulo 64.",
        example: "(bit-shift-left 1 4) ;=> 16",
    },
    Builtin {
        name: "bit-shift-right",
        arity: exactly(2),
        run: |_, args| bits::at("bit-shift-right", |a, by| a >> by, args),
        doc: "Bits moved down, the sign kept.",
        example: "(bit-shift-right -8 1) ;=> -4",
    },
    Builtin {
        name: "bit-test",
        arity: exactly(2),
        run: bits::test,
        doc: "Whether the bit of this number is set, counted from 0.",
        example: "(bit-test 5 2) ;=> true",
    },
    Builtin {
        name: "bit-xor",
        arity: at_least(2),
        run: |_, args| bits::fold("bit-xor", |a, b| a ^ b, args),
        doc: "Bits set in an odd number of the integers.",
        example: "(bit-xor 12 10) ;=> 6",
    },
    Builtin {
        name: "ceil",
        arity: exactly(1),
        run: |_, args| rounding::to_integer("ceil", f64::ceil, args),
        doc: "The least integer that is not less.",
        example: "(ceil 2.1) ;=> 3",
    },
    Builtin {
        name: "dec",
        arity: exactly(1),
        run: |_, args| step(&SUBTRACT, "dec", args),
        doc: "One less.",
        example: "(dec 5) ;=> 4",
    },
    Builtin {
        name: "dec'",
        arity: exactly(1),
        run: |_, args| step(&SUBTRACT, "dec'", args),
        doc: "The same as dec.",
        example: "(dec' 5) ;=> 4",
    },
    Builtin {
        name: "double",
        arity: exactly(1),
        run: |_, args| real("double", f64::from, args),
        doc: "The number as a float.",
        example: "(double 3) ;=> 3.0",
    },
    Builtin {
        name: "float",
        arity: exactly(1),
        run: |_, args| real("float", f64::from, args),
        doc: "The number as a float, not rounded to single precision.",
        example: "(float 3) ;=> 3.0",
    },
    Builtin {
        name: "floor",
        arity: exactly(1),
        run: |_, args| rounding::to_integer("floor", f64::floor, args),
        doc: "The greatest integer that is not greater.",
        example: "(floor -2.5) ;=> -3",
    },
    Builtin {
        name: "inc",
        arity: exactly(1),
        run: |_, args| step(&ADD, "inc", args),
        doc: "One more.",
        example: "(inc 5) ;=> 6",
    },
    Builtin {
        name: "inc'",
        arity: exactly(1),
        run: |_, args| step(&ADD, "inc'", args),
        doc: "The same as inc.",
        example: "(inc' 5) ;=> 6",
    },
    Builtin {
        name: "int",
        arity: exactly(1),
        run: |_, args| rounding::integer("int", args),
        doc: "The number as an integer, truncated toward zero; a character gives its code point.",
        example: "(int 3.9) ;=> 3",
    },
    Builtin {
        name: "long",
        arity: exactly(1),
        run: |_, args| rounding::integer("long", args),
        doc: "The same as int.",
        example: "(long -3.9) ;=> -3",
    },
    Builtin {
        name: "max",
        arity: at_least(1),
        run: |_, args| extreme("max", Ordering::Greater, args),
        doc: "The greatest of the numbers; use apply for a collection.",
        example: "(max 1 3 2) ;=> 3",
    },
    Builtin {
        name: "min",
        arity: at_least(1),
        run: |_, args| extreme("min", Ordering::Less, args),
        doc: "The least of the numbers; use apply for a collection.",
        example: "(min 1 3 2) ;=> 1",
    },
    Builtin {
        name: "mod",
        arity: exactly(2),
        run: modulus,
        doc: "Remainder that has the sign of the divisor.",
        example: "(mod -7 2) ;=> 1",
    },
    Builtin {
        name: "num",
        arity: exactly(1),
        run: number,
        doc: "The number as it is.",
        example: "(num 1.5) ;=> 1.5",
    },
    Builtin {
        name: "pow",
        arity: exactly(2),
        run: |_, args| real_pair("pow", precise::pow, args),
        doc: "The first number raised to the second, a float.",
        example: "(pow 2 10) ;=> 1024.0",
    },
    Builtin {
        name: "quot",
        arity: exactly(2),
        run: quotient,
        doc: "Integer quotient, truncated toward zero.",
        example: "(quot -7 2) ;=> -3",
    },
    Builtin {
        name: "rem",
        arity: exactly(2),
        run: remainder,
        doc: "Remainder of quot; it has the sign of the dividend.",
        example: "(rem -7 2) ;=> -1",
    },
    Builtin {
        name: "round",
        arity: between(1, 2),
        run: rounding::round,
        doc: "The nearest integer, halves away from zero; with a count of decimals, a float.",
        example: "(round 3.14159 2) ;=> 3.14",
    },
    Builtin {
        name: "sqrt",
        arity: exactly(1),
        run: |_, args| real("sqrt", f64::sqrt, args),
        doc: "Square root.",
        example: "(sqrt 16) ;=> 4.0",
    },
    Builtin {
        name: "trunc",
        arity: exactly(1),
        run: |_, args| rounding::to_integer("trunc", f64::trunc, args),
        doc: "The integer part.",
        example: "(trunc -2.7) ;=> -2",
    },
    Builtin {
        name: "unsigned-bit-shift-right",
        arity: exactly(2),
        run: |_, args| bits::at("unsigned-bit-shift-right", |a, by| (a as u64 >> by) as i64, args),
        doc: "Bits moved down, zeros put in.",
        example: "(unsigned-bit-shift-right 8 1) ;=> 4",
    },
];

pub(super) static CONSTANTS: &[Constant] = &[
    Constant {
        name: "Double/NEGATIVE_INFINITY",
        value: Value::float(f64::NEG_INFINITY),
        doc: "Less than every other float.",
    },
    Constant { name: "Double/NaN", value: Value::float(f64::NAN), doc: "Not a number; equal to nothing." },
    Constant {
        name: "Double/POSITIVE_INFINITY",
        value: Value::float(f64::INFINITY),
        doc: "Greater than every other float.",
    },
    Constant {
        name: "Math/E",
        value: Value::float(std::f64::consts::E),
        doc: "The base of natural logarithms.",
    },
    Constant {
        name: "Math/PI",
        value: Value::float(std::f64::consts::PI),
        doc: "The circumference of a circle of diameter one.",
    },
    Constant {
        name: "NEGATIVE_INFINITY",
        value: Value::float(f64::NEG_INFINITY),
        doc: "Less than every other float.",
    },
    Constant { name: "NaN", value: Value::float(f64::NAN), doc: "Not a number; equal to nothing." },
    Constant {
        name: "POSITIVE_INFINITY",
        value: Value::float(f64::INFINITY),
        doc: "Greater than every other float.",
    },
];

/// What an operation does to two integers, none where it overflows, to two floats, and to quotients of
/// integers, none where these grow too large.
struct Operation {
    name: &'static str,
    /// The value without operands.
    identity: i64,
    integers: fn(i64, i64) -> Option<i64>,
    floats: fn(f64, f64) -> f64,
    ratios: fn(Ratio, Ratio) -> Option<Ratio>,
}

static ADD: Operation = Operation {
    name: "+",
    identity: 0,
    integers: i64::checked_add,
    floats: |a, b| a + b,
    ratios: Ratio::plus,
};
static SUBTRACT: Operation = Operation {
    name: "-",
    identity: 0,
    integers: i64::checked_sub,
    floats: |a, b| a - b,
    ratios: Ratio::minus,
};
static MULTIPLY: Operation = Operation {
    name: "*",
    identity: 1,
    integers: i64::checked_mul,
    floats: |a, b| a * b,
    ratios: Ratio::times,
};

fn fold(operation: &Operation, args: &mut [Value]) -> Eval {
    match args {
        [] => Ok(Value::Int(operation.identity)),
        [only @ (Value::Nil | Value::Int(_) | Value::Float(..))] => Ok(only.take()),
        [other] => type_error(operation.name, "a number", other),
        [a, b] => combine(operation, a, b),
        [first, rest @ ..] => fold_rest(operation, first, rest),
    }
}

/// Integers stay in a register for as long as there are only integers.
fn fold_rest(operation: &Operation, first: &Value, mut rest: &[Value]) -> Eval {
    let mut total = first.clone();
    if let Value::Int(total) = &mut total {
        while let [Value::Int(next), others @ ..] = rest {
            let Some(result) = (operation.integers)(*total, *next) else { return overflow() };
            (*total, rest) = (result, others);
        }
    }
    rest.iter().try_fold(total, |total, value| combine(operation, &total, value))
}

/// `a + b` of two numbers.
pub fn sum(a: &Value, b: &Value) -> Eval {
    combine(&ADD, a, b)
}

fn combine(operation: &Operation, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => match (operation.integers)(*a, *b) {
            Some(result) => Ok(Value::Int(result)),
            None => overflow(),
        },
        (Value::Float(a, 0, _), Value::Float(b, 0, _)) => Ok(Value::float((operation.floats)(*a, *b))),
        _ => match Ratio::pair(a, b).and_then(|(a, b)| (operation.ratios)(a, b)) {
            Some(exact) => Ok(exact.value()),
            None => {
                Ok(Value::float((operation.floats)(float(operation.name, a)?, float(operation.name, b)?)))
            }
        },
    }
}

fn subtract(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Float(only, 0, _)] => Ok(Value::float(-*only)),
        [only] => combine(&SUBTRACT, &Value::Int(0), only),
        _ => fold(&SUBTRACT, args),
    }
}

fn step(operation: &Operation, name: &str, args: &mut [Value]) -> Eval {
    match args {
        [number @ (Value::Int(_) | Value::Float(..))] => combine(operation, number, &Value::Int(1)),
        _ => wrong(name, "a number", args),
    }
}

fn absolute(name: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(number)] => number.checked_abs().map_or_else(overflow, |result| Ok(Value::Int(result))),
        [Value::Float(number, 0, _)] => Ok(Value::float(number.abs())),
        [negative @ Value::Float(f64::NEG_INFINITY..0.0, ..)] => combine(&SUBTRACT, &Value::Int(0), negative),
        [number @ Value::Float(..)] => Ok(number.take()),
        _ => wrong(name, "a number", args),
    }
}

fn number(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [value] => number_of("num", value),
        _ => wrong("num", "a number", args),
    }
}

/// A function of one float.
fn real(name: &str, function: impl Fn(f64) -> f64, args: &mut [Value]) -> Eval {
    match args {
        [value] => Ok(Value::float(function(float(name, value)?))),
        _ => wrong(name, "a number", args),
    }
}

/// A function of two floats.
fn real_pair(name: &str, function: impl Fn(f64, f64) -> f64, args: &mut [Value]) -> Eval {
    match args {
        [a, b] => Ok(Value::float(function(float(name, a)?, float(name, b)?))),
        _ => wrong(name, "two numbers", args),
    }
}

/// As `Math.signum`: zeros and NaN are returned as they are.
fn signum(number: f64) -> f64 {
    if number == 0.0 || number.is_nan() { number } else { number.signum() }
}

fn number_of(name: &str, value: &Value) -> Eval {
    match value {
        Value::Int(number) => Ok(Value::Int(*number)),
        Value::Float(..) => Ok(value.clone()),
        other => type_error(name, "a number", other),
    }
}

fn float(name: &str, value: &Value) -> Eval<f64> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number, 0, _) => Ok(*number),
        Value::Float(quotient, below, last_bits) => {
            Ok(Ratio::of_float(*quotient, *below, *last_bits).rounded())
        }
        other => type_error(name, "a number", other),
    }
}

/// The type error of the first argument, for functions whose arguments all have one type.
fn wrong(name: &str, expected: &str, args: &[Value]) -> Eval {
    type_error(name, expected, args.first().unwrap_or(&Value::Nil))
}

fn overflow() -> Eval {
    raise(ErrorKind::ArithmeticError, "integer overflow")
}

fn not_an_integer<T>(number: f64) -> Eval<T> {
    let shown = str_of(&Value::float(number));
    raise(ErrorKind::ArithmeticError, format!("cannot convert {shown} to an integer"))
        .map_err(of_class(Class::IllegalArgumentException))
}
