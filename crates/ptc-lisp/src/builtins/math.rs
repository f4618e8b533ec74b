//! Arithmetic: checked 64-bit integers and floats, never a silent wrap. `logic` compares numbers.

mod bits;
mod division;
mod extreme;
mod java;
mod precise;
mod ratio;
mod rounding;

use crate::builtins::prelude::*;
use crate::print::str_of;
use bits::{Bits, Position};
use division::{MODULUS, QUOTIENT, REMAINDER, divide, divide_integrally};
use extreme::{extreme, greater, lesser, wider};
use ratio::Ratio;
pub use ratio::quotient;

pub(super) use java::{ROWS as JAVA, Whole32, Whole64};

builtins! {
    pub(super) static ROWS;

    /// Product of numbers; 1 without any.
    "*" as TIMES = |cx: &mut Call, numbers: &mut [Value]| fold(cx, &MULTIPLY, numbers) => "(* 2 3.5) ;=> 7.0"
    /// The same as *.
    "*'" alias "*" = |cx: &mut Call, numbers: &mut [Value]| fold(cx, &MULTIPLY, numbers) => "(*' 2 3) ;=> 6"
    /// Sum of numbers; 0 without any.
    "+" as PLUS = |cx: &mut Call, numbers: &mut [Value]| fold(cx, &ADD, numbers) => "(+ 1 2 3) ;=> 6"
    /// The same as +.
    "+'" alias "+" = |cx: &mut Call, numbers: &mut [Value]| fold(cx, &ADD, numbers) => "(+' 1 2) ;=> 3"
    /// The first number less the others; one number is negated.
    "-" as MINUS = subtract => "(- 10 3 2) ;=> 5"
    /// The same as -.
    "-'" alias "-" = subtract => "(-' 3 1) ;=> 2"
    /// Quotient: an integer where integers divide evenly, else a float; one number is inverted.
    "/" = divide => "(/ 10 4) ;=> 2.5"
    /// The number without its sign.
    "Math/abs" = absolute => "(Math/abs -3) ;=> 3"
    /// Cube root.
    "Math/cbrt" = precise::cbrt => "(Math/cbrt 27) ;=> 3.0"
    /// The least whole float that is not less.
    "Math/ceil" = f64::ceil => "(Math/ceil 2.1) ;=> 3.0"
    /// e raised to the number.
    "Math/exp" = precise::exp => "(Math/exp 0) ;=> 1.0"
    /// The greatest whole float that is not greater.
    "Math/floor" = f64::floor => "(Math/floor -2.5) ;=> -3.0"
    /// Natural logarithm.
    "Math/log" = precise::log => "(Math/log 1) ;=> 0.0"
    /// Logarithm to base ten.
    "Math/log10" = libm::log10 => "(Math/log10 1000) ;=> 3.0"
    /// The greater of two numbers; a float if one of them is.
    "Math/max" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::max, greater) =>
        "(Math/max 1 2.5) ;=> 2.5"
    /// The lesser of two numbers; a float if one of them is.
    "Math/min" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::min, lesser) =>
        "(Math/min 1 2.5) ;=> 1.0"
    /// The first number raised to the second, a float.
    "Math/pow" = precise::pow => "(Math/pow 2 10) ;=> 1024.0"
    /// The nearest integer, halves up.
    "Math/round" = rounding::round_half_up => "(Math/round -2.5) ;=> -2"
    /// -1.0, 0.0 or 1.0, by the sign.
    "Math/signum" = signum => "(Math/signum -2.5) ;=> -1.0"
    /// Square root.
    "Math/sqrt" = f64::sqrt => "(Math/sqrt 16) ;=> 4.0"
    /// The number without its sign.
    "abs" = absolute => "(abs -2.5) ;=> 2.5"
    /// Bits set in every integer.
    "bit-and" = |cx: &mut Call, bits: AtLeast<2>| bits::fold(cx, bits, |a, b| a & b) =>
        "(bit-and 12 10) ;=> 8"
    /// Bits of the first integer that no other has.
    "bit-and-not" = |cx: &mut Call, bits: AtLeast<2>| bits::fold(cx, bits, |a, b| a & !b) =>
        "(bit-and-not 15 1) ;=> 14"
    /// The integer with one bit cleared, counted from 0.
    "bit-clear" = |Bits(a): Bits, Position(bit): Position| a & !(1 << bit) => "(bit-clear 15 0) ;=> 14"
    /// The integer with one bit inverted, counted from 0.
    "bit-flip" = |Bits(a): Bits, Position(bit): Position| a ^ 1 << bit => "(bit-flip 1 0) ;=> 0"
    /// The integer with every bit inverted.
    "bit-not" = |Bits(a): Bits| !a => "(bit-not 1) ;=> -2"
    /// Bits set in any of the integers.
    "bit-or" = |cx: &mut Call, bits: AtLeast<2>| bits::fold(cx, bits, |a, b| a | b) => "(bit-or 12 10) ;=> 14"
    /// The integer with one bit set, counted from 0.
    "bit-set" = |Bits(a): Bits, Position(bit): Position| a | 1 << bit => "(bit-set 8 0) ;=> 9"
    /// Bits moved up; the distance is taken modulo 64.
    "bit-shift-left" = |Bits(a): Bits, Position(by): Position| a << by => "(bit-shift-left 1 4) ;=> 16"
    /// Bits moved down, the sign kept.
    "bit-shift-right" = |Bits(a): Bits, Position(by): Position| a >> by => "(bit-shift-right -8 1) ;=> -4"
    /// True if the bit of this number is set, counted from 0.
    "bit-test" = |Bits(a): Bits, Position(bit): Position| a >> bit & 1 == 1 => "(bit-test 5 2) ;=> true"
    /// Bits set in an odd number of the integers.
    "bit-xor" = |cx: &mut Call, bits: AtLeast<2>| bits::fold(cx, bits, |a, b| a ^ b) =>
        "(bit-xor 12 10) ;=> 6"
    /// The least integer that is not less.
    "ceil" = |cx: &mut Call, number: &Value| rounding::to_integer(cx, number, f64::ceil) => "(ceil 2.1) ;=> 3"
    /// One less.
    "dec" as DEC = |cx: &mut Call, number: &Value| step(cx, &SUBTRACT, number) => "(dec 5) ;=> 4"
    /// The same as dec.
    "dec'" = |cx: &mut Call, number: &Value| step(cx, &SUBTRACT, number) => "(dec' 5) ;=> 4"
    /// The number as a float.
    "double" = |number: f64| number => "(double 3) ;=> 3.0"
    /// The number as a float, not rounded to single precision.
    "float" = |number: f64| number => "(float 3) ;=> 3.0"
    /// The greatest integer that is not greater.
    "floor" = |cx: &mut Call, number: &Value| rounding::to_integer(cx, number, f64::floor) =>
        "(floor -2.5) ;=> -3"
    /// One more.
    "inc" as INC = |cx: &mut Call, number: &Value| step(cx, &ADD, number) => "(inc 5) ;=> 6"
    /// The same as inc.
    "inc'" = |cx: &mut Call, number: &Value| step(cx, &ADD, number) => "(inc' 5) ;=> 6"
    /// The number as an integer, truncated toward zero; a character gives its code point.
    "int" = rounding::integer => "(int 3.9) ;=> 3"
    /// The same as int.
    "long" = rounding::integer => "(long -3.9) ;=> -3"
    /// The greatest of the numbers; use apply for a collection.
    "max" = |cx: &mut Call, numbers: AtLeast<1>| extreme(cx, numbers, Ordering::Greater) =>
        "(max 1 3 2) ;=> 3"
    /// The least of the numbers; use apply for a collection.
    "min" = |cx: &mut Call, numbers: AtLeast<1>| extreme(cx, numbers, Ordering::Less) => "(min 1 3 2) ;=> 1"
    /// Remainder that has the sign of the divisor.
    "mod" as MOD = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &MODULUS, a, b) => "(mod -7 2) ;=> 1"
    /// The number as it is.
    "num" = |cx: &mut Call, number: &Value| number_of(cx, number) => "(num 1.5) ;=> 1.5"
    /// The first number raised to the second, a float.
    "pow" = precise::pow => "(pow 2 10) ;=> 1024.0"
    /// Integer quotient, truncated toward zero.
    "quot" as QUOT = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &QUOTIENT, a, b) =>
        "(quot -7 2) ;=> -3"
    /// Remainder of quot; it has the sign of the dividend.
    "rem" as REM = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &REMAINDER, a, b) =>
        "(rem -7 2) ;=> -1"
    /// The nearest integer, halves away from zero; with a count of decimals, a float.
    "round" = rounding::round => "(round 3.14159 2) ;=> 3.14"
    /// Square root.
    "sqrt" = f64::sqrt => "(sqrt 16) ;=> 4.0"
    /// The integer part.
    "trunc" = |cx: &mut Call, number: &Value| rounding::to_integer(cx, number, f64::trunc) =>
        "(trunc -2.7) ;=> -2"
    /// Bits moved down, zeros put in.
    "unsigned-bit-shift-right" = |Bits(a): Bits, Position(by): Position| (a as u64 >> by) as i64 =>
        "(unsigned-bit-shift-right 8 1) ;=> 4"
}

pub(super) static CONSTANTS: &[Constant] = &[
    constant("Double/NEGATIVE_INFINITY", Value::float(f64::NEG_INFINITY), "Less than every other float."),
    constant("Double/NaN", Value::float(f64::NAN), "Not a number; equal to nothing."),
    constant("Double/POSITIVE_INFINITY", Value::float(f64::INFINITY), "Greater than every other float."),
    constant("Math/E", Value::float(std::f64::consts::E), "The base of natural logarithms."),
    constant("Math/PI", Value::float(std::f64::consts::PI), "The circumference of a circle of diameter one."),
    constant("NEGATIVE_INFINITY", Value::float(f64::NEG_INFINITY), "Less than every other float."),
    constant("NaN", Value::float(f64::NAN), "Not a number; equal to nothing."),
    constant("POSITIVE_INFINITY", Value::float(f64::INFINITY), "Greater than every other float."),
];

/// An operation on two integers, floats or quotients of integers; none where the result is too large.
struct Operation {
    /// The value without operands.
    identity: i64,
    integers: fn(i64, i64) -> Option<i64>,
    floats: fn(f64, f64) -> f64,
    ratios: fn(Ratio, Ratio) -> Option<Ratio>,
}

static ADD: Operation =
    Operation { identity: 0, integers: i64::checked_add, floats: |a, b| a + b, ratios: Ratio::plus };
static SUBTRACT: Operation =
    Operation { identity: 0, integers: i64::checked_sub, floats: |a, b| a - b, ratios: Ratio::minus };
static MULTIPLY: Operation =
    Operation { identity: 1, integers: i64::checked_mul, floats: |a, b| a * b, ratios: Ratio::times };

fn fold(cx: &Call, operation: &Operation, numbers: &mut [Value]) -> Eval {
    match numbers {
        [] => Ok(Value::Int(operation.identity)),
        [Value::Nil] => Ok(Value::Nil),
        [only] => number_of(cx, only),
        [a, b] => combine(cx.name, operation, a, b),
        [first, rest @ ..] => fold_rest(cx, operation, first, rest),
    }
}

/// Integers stay in a register for as long as there are only integers.
fn fold_rest(cx: &Call, operation: &Operation, first: &Value, mut rest: &[Value]) -> Eval {
    let mut total = first.clone();
    if let Value::Int(total) = &mut total {
        while let [Value::Int(next), others @ ..] = rest {
            let Some(result) = (operation.integers)(*total, *next) else { return overflow() };
            (*total, rest) = (result, others);
        }
    }
    rest.iter().try_fold(total, |total, value| combine(cx.name, operation, &total, value))
}

/// `a + b` of two numbers.
pub fn sum(a: &Value, b: &Value) -> Eval {
    combine("+", &ADD, a, b)
}

fn combine(name: &str, operation: &Operation, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => checked((operation.integers)(*a, *b)),
        (Value::Float(a, 0, _), Value::Float(b, 0, _)) => Ok(Value::float((operation.floats)(*a, *b))),
        _ => match Ratio::pair(a, b).and_then(|(a, b)| (operation.ratios)(a, b)) {
            Some(exact) => Ok(exact.value()),
            None => Ok(Value::float((operation.floats)(float(name, a)?, float(name, b)?))),
        },
    }
}

fn subtract(cx: &mut Call, AtLeast(numbers): AtLeast<1>) -> Eval {
    match numbers {
        [Value::Float(only, 0, _)] => Ok(Value::float(-*only)),
        [only] => combine(cx.name, &SUBTRACT, &Value::Int(0), only),
        _ => fold(cx, &SUBTRACT, numbers),
    }
}

fn step(cx: &Call, operation: &Operation, number: &Value) -> Eval {
    number_of(cx, number)?;
    combine(cx.name, operation, number, &Value::Int(1))
}

fn absolute(cx: &mut Call, number: &Value) -> Eval {
    match number {
        Value::Int(number) => checked(number.checked_abs()),
        Value::Float(number, 0, _) => Ok(Value::float(number.abs())),
        Value::Float(f64::NEG_INFINITY..0.0, ..) => combine(cx.name, &SUBTRACT, &Value::Int(0), number),
        other => number_of(cx, other),
    }
}

/// `Math.signum`: zeros and NaN are returned as they are.
fn signum(number: f64) -> f64 {
    if number == 0.0 || number.is_nan() { number } else { number.signum() }
}

fn number_of(cx: &Call, value: &Value) -> Eval {
    match value {
        Value::Int(_) | Value::Float(..) => Ok(value.clone()),
        other => cx.type_error("a number", other),
    }
}

from_value! { f64: |cx, value| float(cx.name, value); }

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

/// The result of an operation on integers, none where it overflows.
fn checked(result: Option<i64>) -> Eval {
    result.map_or_else(overflow, |number| Ok(Value::Int(number)))
}

fn overflow<T>() -> Eval<T> {
    raise(ErrorKind::ArithmeticError, "integer overflow")
}

fn not_an_integer<T>(number: f64) -> Eval<T> {
    let shown = str_of(&Value::float(number));
    raise(ErrorKind::ArithmeticError, format!("cannot convert {shown} to an integer"))
        .map_err(of_class(Class::IllegalArgumentException))
}
