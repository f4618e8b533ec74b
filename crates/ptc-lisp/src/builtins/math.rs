//! Arithmetic: checked 64-bit integers and floats, never a silent wrap. `logic` compares numbers.

mod division;
mod java;
mod precise;

use crate::builtins::format::digits::Digits;
use crate::builtins::prelude::*;
use crate::print::str_of;
use crate::ratio::Ratio;
use division::{MODULUS, QUOTIENT, REMAINDER, divide, divide_integrally};

pub(super) use java::{ROWS as JAVA, Whole32, Whole64};

builtins! {
    pub(super) static ROWS;

    "*" as TIMES = multiply;
    "*'" alias "*" = multiply;
    "+" as PLUS = add;
    "+'" alias "+" = add;
    "-" as MINUS = subtract;
    "-'" alias "-" = subtract;
    "/" = divide;
    "Math/abs" = absolute;
    "Math/cbrt" = precise::cbrt;
    "Math/ceil" = f64::ceil;
    "Math/exp" = precise::exp;
    "Math/floor" = f64::floor;
    "Math/log" = precise::log;
    "Math/log10" = libm::log10;
    "Math/max" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::max, greater);
    "Math/min" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::min, lesser);
    "Math/pow" = precise::pow;
    "Math/round" = round_half_up;
    // `Math.signum`: zeros and NaN are returned as they are.
    "Math/signum" = |number: f64| if number == 0.0 || number.is_nan() { number } else { number.signum() };
    "Math/sqrt" = f64::sqrt;
    "abs" = absolute;
    "bit-and" = |cx: &mut Call, bits: AtLeast<2>| fold_bits(cx, bits, |a, b| a & b);
    "bit-and-not" = |cx: &mut Call, bits: AtLeast<2>| fold_bits(cx, bits, |a, b| a & !b);
    "bit-clear" = |Bits(a): Bits, Position(bit): Position| a & !(1 << bit);
    "bit-flip" = |Bits(a): Bits, Position(bit): Position| a ^ 1 << bit;
    "bit-not" = |Bits(a): Bits| !a;
    "bit-or" = |cx: &mut Call, bits: AtLeast<2>| fold_bits(cx, bits, |a, b| a | b);
    "bit-set" = |Bits(a): Bits, Position(bit): Position| a | 1 << bit;
    "bit-shift-left" = |Bits(a): Bits, Position(by): Position| a << by;
    "bit-shift-right" = |Bits(a): Bits, Position(by): Position| a >> by;
    "bit-test" = |Bits(a): Bits, Position(bit): Position| a >> bit & 1 == 1;
    "bit-xor" = |cx: &mut Call, bits: AtLeast<2>| fold_bits(cx, bits, |a, b| a ^ b);
    "ceil" = |cx: &mut Call, number: &Value| to_integer(cx, number, f64::ceil);
    "dec" as DEC = decrement;
    "dec'" = decrement;
    "double" = as_float;
    "float" = as_float;
    "floor" = |cx: &mut Call, number: &Value| to_integer(cx, number, f64::floor);
    "inc" as INC = increment;
    "inc'" = increment;
    "int" = integer;
    "long" = integer;
    "max" = |cx: &mut Call, numbers: AtLeast<1>| find_extreme(cx, numbers, Ordering::Greater);
    "min" = |cx: &mut Call, numbers: AtLeast<1>| find_extreme(cx, numbers, Ordering::Less);
    "mod" as MOD = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &MODULUS, a, b);
    "num" = |cx: &mut Call, number: &Value| number_of(cx, number);
    "pow" = precise::pow;
    "quot" as QUOT = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &QUOTIENT, a, b);
    "rem" as REM = |cx: &mut Call, a: &Value, b: &Value| divide_integrally(cx, &REMAINDER, a, b);
    "round" = round;
    "sqrt" = f64::sqrt;
    "trunc" = |cx: &mut Call, number: &Value| to_integer(cx, number, f64::trunc);
    "unsigned-bit-shift-right" = |Bits(a): Bits, Position(by): Position| (a as u64 >> by) as i64;
}

/// An operation on two integers, floats or quotients of integers. `None` if the result is too large.
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

#[inline]
fn add(cx: &mut Call, numbers: &mut [Value]) -> Eval {
    combine_all(cx, &ADD, numbers)
}

#[inline]
fn multiply(cx: &mut Call, numbers: &mut [Value]) -> Eval {
    combine_all(cx, &MULTIPLY, numbers)
}

#[inline]
fn increment(cx: &mut Call, number: &Value) -> Eval {
    step_by_one(cx, &ADD, number)
}

#[inline]
fn decrement(cx: &mut Call, number: &Value) -> Eval {
    step_by_one(cx, &SUBTRACT, number)
}

/// Any number, converted to a float.
#[inline]
pub(super) fn as_float(number: f64) -> f64 {
    number
}

fn combine_all(cx: &Call, operation: &Operation, numbers: &mut [Value]) -> Eval {
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
    for number in rest {
        total = combine(cx.name, operation, &total, number)?;
    }
    Ok(total)
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
        _ => combine_all(cx, &SUBTRACT, numbers),
    }
}

fn step_by_one(cx: &Call, operation: &Operation, number: &Value) -> Eval {
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

/// The result of an operation on integers. `None` is an overflow.
fn checked(result: Option<i64>) -> Eval {
    match result {
        Some(number) => Ok(Value::Int(number)),
        None => overflow(),
    }
}

fn overflow<T>() -> Eval<T> {
    raise(ErrorKind::ArithmeticError, "integer overflow")
}

fn not_an_integer<T>(number: f64) -> Eval<T> {
    let shown = str_of(&Value::float(number));
    raise(ErrorKind::ArithmeticError, format!("cannot convert {shown} to an integer"))
        .map_err(of_class(Class::IllegalArgumentException))
}

/// The bits of an integer.
struct Bits(i64);

/// The number of a bit, or a distance, modulo 64 as the JVM has it.
struct Position(u32);

from_value! {
    Bits: |cx, value| match value {
        Value::Int(bits) => Ok(Bits(*bits)),
        Value::Nil => cx.type_error("an integer", value),
        other => cx.type_error("an integer", other).map_err(of_class(Class::IllegalArgumentException)),
    };
    Position: |cx, value| Bits::from_value(cx, value).map(|Bits(number)| Position((number & 63) as u32));
}

/// Combines the bits of the integers from left to right.
fn fold_bits(cx: &mut Call, integers: AtLeast<2>, combine: fn(i64, i64) -> i64) -> Eval<i64> {
    let [first, others @ ..] = integers.0 else { return Ok(0) };
    let mut total = Bits::from_value(cx, first)?.0;
    for value in others {
        total = combine(total, Bits::from_value(cx, value)?.0);
    }
    Ok(total)
}

/// The greatest or least number. NaN wins, and of equal numbers the later one.
fn find_extreme(cx: &Call, numbers: AtLeast<1>, order: Ordering) -> Eval {
    let AtLeast([first, others @ ..]) = numbers else { return Ok(Value::Nil) };
    if let Value::Vector(_) | Value::List(_) | Value::Set(_) = first {
        let hint = format!("Use (apply {} coll)", cx.name);
        return type_error_hint(cx.name, "a number", first, &hint);
    }
    let mut best = number_of(cx, first)?;
    for value in others {
        let value = number_of(cx, value)?;
        let keeps = best.is_nan() || !value.is_nan() && compare_numbers(&best, &value) == order;
        if !keeps {
            best = value;
        }
    }
    Ok(best)
}

/// A function of two numbers, of floats when one of them is a float.
fn wider(
    cx: &Call,
    a: &Value,
    b: &Value,
    integers: fn(i64, i64) -> i64,
    floats: fn(f64, f64) -> f64,
) -> Eval {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(integers(*a, *b))),
        _ => Ok(Value::float(floats(float(cx.name, a)?, float(cx.name, b)?))),
    }
}

/// `Math.max`: NaN wins, and 0.0 is greater than -0.0.
fn greater(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(Ordering::Equal) if a.is_sign_positive() => a,
        Some(Ordering::Greater) => a,
        Some(_) => b,
    }
}

fn lesser(a: f64, b: f64) -> f64 {
    -greater(-a, -b)
}

/// The first float too large for an integer.
const BEYOND_INTEGERS: f64 = 9_223_372_036_854_775_808.0;

/// `floor`, `ceil`, `trunc`: infinities and NaN are returned as they are.
fn to_integer(cx: &Call, number: &Value, rounded: fn(f64) -> f64) -> Eval {
    match number {
        Value::Float(number, ..) if number.is_finite() => exact_integer(rounded(*number)),
        other => number_of(cx, other),
    }
}

/// `int` and `long`.
fn integer(cx: &mut Call, value: &Value) -> Eval {
    match value {
        Value::Int(number) => Ok(Value::Int(*number)),
        Value::Float(number, ..) => exact_integer(number.trunc()),
        other => match other.as_character() {
            Some(character) => Ok(Value::Int(u32::from(character).into())),
            None => cx.type_error("a number", other),
        },
    }
}

/// `round`: halves away from zero.
fn round(cx: &mut Call, number: &Value, decimals: Option<&Value>) -> Eval {
    match decimals {
        None => to_integer(cx, number, f64::round),
        Some(decimals) => match (number_of(cx, number)?.as_number(), decimals) {
            (Some(number), Value::Int(decimals)) => Ok(Value::float(round_decimals(number, *decimals))),
            _ => cx.type_error("an integer number of decimals", decimals),
        },
    }
}

/// `Math/round`: halves up; floats beyond the integers give the nearest integer and NaN gives 0, as in Java.
fn round_half_up(cx: &mut Call, number: &Value) -> Eval {
    match number {
        Value::Float(number, ..) => {
            let floor = number.floor();
            Ok(Value::Int(if *number - floor >= 0.5 { floor + 1.0 } else { floor } as i64))
        }
        other => number_of(cx, other),
    }
}

fn exact_integer(whole: f64) -> Eval {
    if (-BEYOND_INTEGERS..BEYOND_INTEGERS).contains(&whole) {
        return Ok(Value::Int(whole as i64));
    }
    not_an_integer(whole)
}

/// Rounds the printed decimal digits: 2.345 becomes 2.35, as people expect.
fn round_decimals(number: f64, decimals: i64) -> f64 {
    if number.is_finite() {
        Digits::of(number.abs()).with_decimals(decimals).copysign(number)
    } else {
        number
    }
}
