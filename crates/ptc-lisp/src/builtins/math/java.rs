//! The rest of `java.lang.Math`: angles, exact and floored arithmetic, and integers that wrap around.

use super::division::divide_by_zero;
use super::extreme::wider;
use super::{float, overflow, real, real_pair, wrong};
use crate::builtins::{Builtin, exactly, row, run_as};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::value::Value;

pub(in crate::builtins) static ROWS: &[Builtin] = &[
    row(
        "Math/IEEE-remainder",
        exactly(2),
        |_, args| real_pair("Math/IEEE-remainder", libm::remainder, args),
        "The same as Math/IEEEremainder, as clojure.math calls it.",
        "(math/IEEE-remainder 5 3) ;=> -1.0",
    ),
    row(
        "Math/IEEEremainder",
        exactly(2),
        |_, args| real_pair("Math/IEEEremainder", libm::remainder, args),
        "What is left by the nearest whole quotient.",
        "(Math/IEEEremainder 5 3) ;=> -1.0",
    ),
    row(
        "Math/absExact",
        exactly(1),
        |_, args| exact("Math/absExact", i64::checked_abs, args),
        "The same as Math/abs, for integers.",
        "(Math/absExact -5) ;=> 5",
    ),
    row(
        "Math/acos",
        exactly(1),
        |_, args| real("Math/acos", libm::acos, args),
        "Arc cosine.",
        "(Math/acos 1) ;=> 0.0",
    ),
    row(
        "Math/addExact",
        exactly(2),
        |_, args| exact_pair("Math/addExact", i64::checked_add, args),
        "The same as +, for integers.",
        "(Math/addExact 1 2) ;=> 3",
    ),
    row(
        "Math/asin",
        exactly(1),
        |_, args| real("Math/asin", libm::asin, args),
        "Arc sine.",
        "(Math/asin 0) ;=> 0.0",
    ),
    row(
        "Math/atan",
        exactly(1),
        |_, args| real("Math/atan", libm::atan, args),
        "Arc tangent.",
        "(Math/atan 0) ;=> 0.0",
    ),
    row(
        "Math/atan2",
        exactly(2),
        |_, args| real_pair("Math/atan2", libm::atan2, args),
        "The angle of the point x, y, of which y is given first.",
        "(Math/atan2 0 1) ;=> 0.0",
    ),
    row(
        "Math/copySign",
        exactly(2),
        |_, args| real_pair("Math/copySign", f64::copysign, args),
        "The first number with the sign of the second.",
        "(Math/copySign 1.0 -2.0) ;=> -1.0",
    ),
    row(
        "Math/cos",
        exactly(1),
        |_, args| real("Math/cos", libm::cos, args),
        "Cosine of an angle in radians.",
        "(Math/cos 0) ;=> 1.0",
    ),
    row(
        "Math/cosh",
        exactly(1),
        |_, args| real("Math/cosh", libm::cosh, args),
        "Hyperbolic cosine.",
        "(Math/cosh 0) ;=> 1.0",
    ),
    row(
        "Math/decrementExact",
        exactly(1),
        |_, args| exact("Math/decrementExact", |number| number.checked_sub(1), args),
        "The same as dec, for integers.",
        "(Math/decrementExact 5) ;=> 4",
    ),
    row(
        "Math/expm1",
        exactly(1),
        |_, args| real("Math/expm1", libm::expm1, args),
        "e raised to the number, less one.",
        "(Math/expm1 0) ;=> 0.0",
    ),
    row(
        "Math/floorDiv",
        exactly(2),
        |_, args| floored("Math/floorDiv", floor_div, args),
        "Integer quotient, rounded down.",
        "(Math/floorDiv -7 3) ;=> -3",
    ),
    row(
        "Math/floorMod",
        exactly(2),
        |_, args| floored("Math/floorMod", floor_mod, args),
        "Remainder that has the sign of the divisor.",
        "(Math/floorMod -7 3) ;=> 2",
    ),
    row(
        "Math/fma",
        exactly(3),
        fused,
        "The product of two numbers and a third added, rounded once.",
        "(Math/fma 2 3 4) ;=> 10.0",
    ),
    row(
        "Math/getExponent",
        exactly(1),
        exponent,
        "The power of two in the float.",
        "(Math/getExponent 8.0) ;=> 3",
    ),
    row(
        "Math/hypot",
        exactly(2),
        |_, args| real_pair("Math/hypot", libm::hypot, args),
        "The length of the hypotenuse.",
        "(Math/hypot 3 4) ;=> 5.0",
    ),
    row(
        "Math/incrementExact",
        exactly(1),
        |_, args| exact("Math/incrementExact", |number| number.checked_add(1), args),
        "The same as inc, for integers.",
        "(Math/incrementExact 5) ;=> 6",
    ),
    row(
        "Math/log1p",
        exactly(1),
        |_, args| real("Math/log1p", libm::log1p, args),
        "Natural logarithm of the number and one.",
        "(Math/log1p 0) ;=> 0.0",
    ),
    row(
        "Math/multiplyExact",
        exactly(2),
        |_, args| exact_pair("Math/multiplyExact", i64::checked_mul, args),
        "The same as *, for integers.",
        "(Math/multiplyExact 2 3) ;=> 6",
    ),
    row(
        "Math/negateExact",
        exactly(1),
        |_, args| exact("Math/negateExact", i64::checked_neg, args),
        "The integer with the other sign.",
        "(Math/negateExact 5) ;=> -5",
    ),
    row(
        "Math/nextAfter",
        exactly(2),
        |_, args| real_pair("Math/nextAfter", libm::nextafter, args),
        "The float beside the first number towards the second.",
        "(Math/nextAfter 1 2) ;=> 1.0000000000000002",
    ),
    row(
        "Math/nextDown",
        exactly(1),
        |_, args| real("Math/nextDown", f64::next_down, args),
        "The greatest float below the number.",
        "(Math/nextDown 1) ;=> 0.9999999999999999",
    ),
    row(
        "Math/nextUp",
        exactly(1),
        |_, args| real("Math/nextUp", f64::next_up, args),
        "The least float above the number.",
        "(Math/nextUp 1) ;=> 1.0000000000000002",
    ),
    row(
        "Math/rint",
        exactly(1),
        |_, args| real("Math/rint", f64::round_ties_even, args),
        "The nearest whole float, halves to the even one.",
        "(Math/rint 2.5) ;=> 2.0",
    ),
    row(
        "Math/scalb",
        exactly(2),
        |_, args| real_pair("Math/scalb", scaled, args),
        "The number times a power of two.",
        "(Math/scalb 1.5 2) ;=> 6.0",
    ),
    row(
        "Math/sin",
        exactly(1),
        |_, args| real("Math/sin", libm::sin, args),
        "Sine of an angle in radians.",
        "(Math/sin 0) ;=> 0.0",
    ),
    row(
        "Math/sinh",
        exactly(1),
        |_, args| real("Math/sinh", libm::sinh, args),
        "Hyperbolic sine.",
        "(Math/sinh 0) ;=> 0.0",
    ),
    row(
        "Math/subtractExact",
        exactly(2),
        |_, args| exact_pair("Math/subtractExact", i64::checked_sub, args),
        "The same as -, for integers.",
        "(Math/subtractExact 5 2) ;=> 3",
    ),
    row(
        "Math/tan",
        exactly(1),
        |_, args| real("Math/tan", libm::tan, args),
        "Tangent of an angle in radians.",
        "(Math/tan 0) ;=> 0.0",
    ),
    row(
        "Math/tanh",
        exactly(1),
        |_, args| real("Math/tanh", libm::tanh, args),
        "Hyperbolic tangent.",
        "(Math/tanh 0) ;=> 0.0",
    ),
    row(
        "Math/toDegrees",
        exactly(1),
        |_, args| real("Math/toDegrees", |angle| angle * 57.295_779_513_082_32, args),
        "Radians as degrees.",
        "(Math/toDegrees Math/PI) ;=> 180.0",
    ),
    row(
        "Math/toIntExact",
        exactly(1),
        |_, args| exact("Math/toIntExact", |number| i32::try_from(number).ok().map(i64::from), args),
        "The integer, if 32 bits hold it.",
        "(Math/toIntExact 5) ;=> 5",
    ),
    row(
        "Math/toRadians",
        exactly(1),
        |_, args| real("Math/toRadians", |angle| angle * 0.017_453_292_519_943_295, args),
        "Degrees as radians.",
        "(Math/toRadians 180) ;=> 3.141592653589793",
    ),
    row(
        "Math/ulp",
        exactly(1),
        |_, args| real("Math/ulp", last_place, args),
        "The distance to the next float.",
        "(Math/ulp 1.0) ;=> 2.220446049250313E-16",
    ),
    row(
        "byte",
        exactly(1),
        |cx, args| within(cx, "byte", -128, 127, args),
        "As long, for numbers of 8 bits.",
        "(byte 5) ;=> 5",
    ),
    row(
        "short",
        exactly(1),
        |cx, args| within(cx, "short", -32_768, 32_767, args),
        "As long, for numbers of 16 bits.",
        "(short 5) ;=> 5",
    ),
    row(
        "unchecked-add",
        exactly(2),
        |_, args| wider("unchecked-add", i64::wrapping_add, |a, b| a + b, args),
        "As +, but integers wrap around.",
        "(unchecked-add 1 2) ;=> 3",
    ),
    row(
        "unchecked-add-int",
        exactly(2),
        |cx, args| narrow_pair(cx, "unchecked-add-int", i32::wrapping_add, args),
        "As +, but integers of 32 bits wrap around.",
        "(unchecked-add-int 2147483647 1) ;=> -2147483648",
    ),
    row(
        "unchecked-byte",
        exactly(1),
        |cx, args| lowest(cx, |bits| i64::from(bits as i8), args),
        "The lowest 8 bits of the number.",
        "(unchecked-byte 300) ;=> 44",
    ),
    row(
        "unchecked-char",
        exactly(1),
        |cx, args| {
            let code = lowest(cx, |bits| i64::from(bits as u16), args)?;
            run_as(cx, "char", &mut [code])
        },
        "The character of the lowest 16 bits of the number.",
        "(unchecked-char 97) ;=> \"a\"",
    ),
    row(
        "unchecked-dec",
        exactly(1),
        |_, args| wrapping("unchecked-dec", |a| a.wrapping_sub(1), |a| a - 1.0, args),
        "As dec, but integers wrap around.",
        "(unchecked-dec 1) ;=> 0",
    ),
    row(
        "unchecked-dec-int",
        exactly(1),
        |cx, args| narrow(cx, "unchecked-dec-int", |a| a.wrapping_sub(1), args),
        "As dec, but integers of 32 bits wrap around.",
        "(unchecked-dec-int 1) ;=> 0",
    ),
    row(
        "unchecked-divide-int",
        exactly(2),
        |cx, args| whole_quotient(cx, "unchecked-divide-int", i32::wrapping_div, args),
        "As quot, for integers of 32 bits.",
        "(unchecked-divide-int 7 2) ;=> 3",
    ),
    row(
        "unchecked-double",
        exactly(1),
        |cx, args| run_as(cx, "double", args),
        "The same as double.",
        "(unchecked-double 1) ;=> 1.0",
    ),
    row(
        "unchecked-float",
        exactly(1),
        |cx, args| run_as(cx, "float", args),
        "The same as float.",
        "(unchecked-float 1) ;=> 1.0",
    ),
    row(
        "unchecked-inc",
        exactly(1),
        |_, args| wrapping("unchecked-inc", |a| a.wrapping_add(1), |a| a + 1.0, args),
        "As inc, but integers wrap around.",
        "(unchecked-inc 1) ;=> 2",
    ),
    row(
        "unchecked-inc-int",
        exactly(1),
        |cx, args| narrow(cx, "unchecked-inc-int", |a| a.wrapping_add(1), args),
        "As inc, but integers of 32 bits wrap around.",
        "(unchecked-inc-int 1) ;=> 2",
    ),
    row(
        "unchecked-int",
        exactly(1),
        |cx, args| run_as(cx, ".intValue", args),
        "The number without its fraction, the lowest 32 bits of it.",
        "(unchecked-int 5.5) ;=> 5",
    ),
    row(
        "unchecked-long",
        exactly(1),
        |cx, args| run_as(cx, ".longValue", args),
        "The number without its fraction.",
        "(unchecked-long 5.5) ;=> 5",
    ),
    row(
        "unchecked-multiply",
        exactly(2),
        |_, args| wider("unchecked-multiply", i64::wrapping_mul, |a, b| a * b, args),
        "As *, but integers wrap around.",
        "(unchecked-multiply 2 3) ;=> 6",
    ),
    row(
        "unchecked-multiply-int",
        exactly(2),
        |cx, args| narrow_pair(cx, "unchecked-multiply-int", i32::wrapping_mul, args),
        "As *, but integers of 32 bits wrap around.",
        "(unchecked-multiply-int 2147483647 2) ;=> -2",
    ),
    row(
        "unchecked-negate",
        exactly(1),
        |_, args| wrapping("unchecked-negate", i64::wrapping_neg, |a| -a, args),
        "As -, but integers wrap around.",
        "(unchecked-negate 1) ;=> -1",
    ),
    row(
        "unchecked-negate-int",
        exactly(1),
        |cx, args| narrow(cx, "unchecked-negate-int", i32::wrapping_neg, args),
        "As -, but integers of 32 bits wrap around.",
        "(unchecked-negate-int 1) ;=> -1",
    ),
    row(
        "unchecked-remainder-int",
        exactly(2),
        |cx, args| whole_quotient(cx, "unchecked-remainder-int", i32::wrapping_rem, args),
        "As rem, for integers of 32 bits.",
        "(unchecked-remainder-int 7 2) ;=> 1",
    ),
    row(
        "unchecked-short",
        exactly(1),
        |cx, args| lowest(cx, |bits| i64::from(bits as i16), args),
        "The lowest 16 bits of the number.",
        "(unchecked-short 70000) ;=> 4464",
    ),
    row(
        "unchecked-subtract",
        exactly(2),
        |_, args| wider("unchecked-subtract", i64::wrapping_sub, |a, b| a - b, args),
        "As -, but integers wrap around.",
        "(unchecked-subtract 5 2) ;=> 3",
    ),
    row(
        "unchecked-subtract-int",
        exactly(2),
        |cx, args| narrow_pair(cx, "unchecked-subtract-int", i32::wrapping_sub, args),
        "As -, but integers of 32 bits wrap around.",
        "(unchecked-subtract-int 5 2) ;=> 3",
    ),
];

fn within(cx: &mut Interpreter<'_>, name: &str, min: i64, max: i64, args: &mut [Value]) -> Eval {
    let given = args.first().cloned().unwrap_or_default();
    match run_as(cx, "long", args)? {
        Value::Int(number) if (min..=max).contains(&number) => Ok(Value::Int(number)),
        _ => wrong(name, &format!("a number from {min} to {max}"), &[given]),
    }
}

/// An operation on integers that has no value where it overflows.
fn exact(name: &str, function: fn(i64) -> Option<i64>, args: &[Value]) -> Eval {
    match args {
        [Value::Int(number)] => function(*number).map_or_else(overflow, |result| Ok(Value::Int(result))),
        _ => wrong(name, "an integer", args),
    }
}

fn exact_pair(name: &str, function: fn(i64, i64) -> Option<i64>, args: &[Value]) -> Eval {
    match args {
        [Value::Int(a), Value::Int(b)] => {
            function(*a, *b).map_or_else(overflow, |result| Ok(Value::Int(result)))
        }
        _ => wrong(name, "integers", misfit(args)),
    }
}

fn floored(name: &str, function: fn(i64, i64) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(_), Value::Int(0)] => divide_by_zero(),
        [Value::Int(a), Value::Int(b)] => Ok(Value::Int(function(*a, *b))),
        _ => wrong(name, "integers", misfit(args)),
    }
}

fn wrapping(name: &str, integers: fn(i64) -> i64, floats: fn(f64) -> f64, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(number)] => Ok(Value::Int(integers(*number))),
        _ => real(name, floats, args),
    }
}

/// An operation on 32 bits that wraps around.
fn narrow(cx: &mut Interpreter<'_>, name: &str, function: fn(i32) -> i32, args: &mut [Value]) -> Eval {
    let [value] = args else { return wrong(name, "an integer of 32 bits", args) };
    let number = within_32_bits(cx, name, value)?;
    Ok(Value::Int(function(number).into()))
}

fn narrow_pair(
    cx: &mut Interpreter<'_>,
    name: &str,
    function: fn(i32, i32) -> i32,
    args: &mut [Value],
) -> Eval {
    let [a, b] = args else { return wrong(name, "integers of 32 bits", args) };
    let (a, b) = (within_32_bits(cx, name, a)?, within_32_bits(cx, name, b)?);
    Ok(Value::Int(function(a, b).into()))
}

fn whole_quotient(
    cx: &mut Interpreter<'_>,
    name: &str,
    function: fn(i32, i32) -> i32,
    args: &mut [Value],
) -> Eval {
    if let [_, divisor] = &mut *args
        && within_32_bits(cx, name, divisor)? == 0
    {
        return divide_by_zero();
    }
    narrow_pair(cx, name, function, args)
}

/// The number without its fraction.
fn within_32_bits(cx: &mut Interpreter<'_>, name: &str, value: &Value) -> Eval<i32> {
    match run_as(cx, "long", &mut [value.clone()])? {
        Value::Int(number) if let Ok(number) = i32::try_from(number) => Ok(number),
        _ => type_error(name, "an integer of 32 bits", value),
    }
}

/// What is left of the lowest 32 bits of a number.
fn lowest(cx: &mut Interpreter<'_>, cut: fn(i64) -> i64, args: &mut [Value]) -> Eval {
    let bits = run_as(cx, ".intValue", args)?;
    Ok(if let Value::Int(bits) = bits { Value::Int(cut(bits)) } else { bits })
}

/// The arguments from the first that is no integer.
fn misfit(args: &[Value]) -> &[Value] {
    let at = args.iter().position(|value| !matches!(value, Value::Int(_))).unwrap_or(0);
    args.get(at..).unwrap_or_default()
}

fn floor_mod(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn fused(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [a, b, c] => {
            let number = |value| float("Math/fma", value);
            Ok(Value::float(libm::fma(number(a)?, number(b)?, number(c)?)))
        }
        _ => wrong("Math/fma", "three numbers", args),
    }
}

/// As Java has it: -1023 of zero and what is nearly zero, 1024 of what is not finite.
fn exponent(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [value] = args else { return wrong("Math/getExponent", "a number", args) };
    let bits = float("Math/getExponent", value)?.to_bits();
    Ok(Value::Int((bits >> 52 & 0x7ff) as i64 - 1023))
}

/// Beyond these powers every float is zero or infinite.
fn scaled(number: f64, power: f64) -> f64 {
    libm::scalbn(number, power.clamp(-4_000.0, 4_000.0) as i32)
}

fn last_place(number: f64) -> f64 {
    let size = number.abs();
    let next = size.next_up();
    if next.is_finite() { next - size } else { size - size.next_down() }
}
