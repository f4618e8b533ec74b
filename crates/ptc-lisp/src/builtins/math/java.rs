//! The rest of `java.lang.Math`: angles, exact and floored arithmetic, and integers that wrap around.

use super::division::divide_by_zero;
use super::extreme::wider;
use super::rounding::integer;
use super::{checked, float};
use crate::builtins::prelude::*;
use crate::builtins::string::char;

builtins! {
    pub(in crate::builtins) static ROWS;

    /// The same as Math/IEEEremainder, as clojure.math calls it.
    "Math/IEEE-remainder" = libm::remainder => "(math/IEEE-remainder 5 3) ;=> -1.0"
    /// The remainder of the nearest whole quotient.
    "Math/IEEEremainder" = libm::remainder => "(Math/IEEEremainder 5 3) ;=> -1.0"
    /// The same as Math/abs, for integers.
    "Math/absExact" = |a: i64| checked(a.checked_abs()) => "(Math/absExact -5) ;=> 5"
    /// Arc cosine.
    "Math/acos" = libm::acos => "(Math/acos 1) ;=> 0.0"
    /// The same as +, for integers.
    "Math/addExact" = |Both(a): Both, Both(b): Both| checked(a.checked_add(b)) => "(Math/addExact 1 2) ;=> 3"
    /// Arc sine.
    "Math/asin" = libm::asin => "(Math/asin 0) ;=> 0.0"
    /// Arc tangent.
    "Math/atan" = libm::atan => "(Math/atan 0) ;=> 0.0"
    /// The angle of the point x, y, of which y is given first.
    "Math/atan2" = libm::atan2 => "(Math/atan2 0 1) ;=> 0.0"
    /// The first number with the sign of the second.
    "Math/copySign" = f64::copysign => "(Math/copySign 1.0 -2.0) ;=> -1.0"
    /// Cosine of an angle in radians.
    "Math/cos" = libm::cos => "(Math/cos 0) ;=> 1.0"
    /// Hyperbolic cosine.
    "Math/cosh" = libm::cosh => "(Math/cosh 0) ;=> 1.0"
    /// The same as dec, for integers.
    "Math/decrementExact" = |a: i64| checked(a.checked_sub(1)) => "(Math/decrementExact 5) ;=> 4"
    /// e raised to the number, less one.
    "Math/expm1" = libm::expm1 => "(Math/expm1 0) ;=> 0.0"
    /// Integer quotient, rounded down.
    "Math/floorDiv" = |Both(a): Both, Both(b): Both| floored(a, b, floor_div) => "(Math/floorDiv -7 3) ;=> -3"
    /// Remainder that has the sign of the divisor.
    "Math/floorMod" = |Both(a): Both, Both(b): Both| floored(a, b, floor_mod) => "(Math/floorMod -7 3) ;=> 2"
    /// The product of two numbers and a third added, rounded once.
    "Math/fma" = libm::fma => "(Math/fma 2 3 4) ;=> 10.0"
    /// The power of two in the float.
    "Math/getExponent" = exponent => "(Math/getExponent 8.0) ;=> 3"
    /// The length of the hypotenuse.
    "Math/hypot" = libm::hypot => "(Math/hypot 3 4) ;=> 5.0"
    /// The same as inc, for integers.
    "Math/incrementExact" = |a: i64| checked(a.checked_add(1)) => "(Math/incrementExact 5) ;=> 6"
    /// Natural logarithm of the number and one.
    "Math/log1p" = libm::log1p => "(Math/log1p 0) ;=> 0.0"
    /// The same as *, for integers.
    "Math/multiplyExact" = |Both(a): Both, Both(b): Both| checked(a.checked_mul(b)) =>
        "(Math/multiplyExact 2 3) ;=> 6"
    /// The integer with the other sign.
    "Math/negateExact" = |a: i64| checked(a.checked_neg()) => "(Math/negateExact 5) ;=> -5"
    /// The float beside the first number towards the second.
    "Math/nextAfter" = libm::nextafter => "(Math/nextAfter 1 2) ;=> 1.0000000000000002"
    /// The greatest float below the number.
    "Math/nextDown" = f64::next_down => "(Math/nextDown 1) ;=> 0.9999999999999999"
    /// The least float above the number.
    "Math/nextUp" = f64::next_up => "(Math/nextUp 1) ;=> 1.0000000000000002"
    /// The nearest whole float, halves to the even one.
    "Math/rint" = f64::round_ties_even => "(Math/rint 2.5) ;=> 2.0"
    /// The number times a power of two.
    "Math/scalb" = scaled => "(Math/scalb 1.5 2) ;=> 6.0"
    /// Sine of an angle in radians.
    "Math/sin" = libm::sin => "(Math/sin 0) ;=> 0.0"
    /// Hyperbolic sine.
    "Math/sinh" = libm::sinh => "(Math/sinh 0) ;=> 0.0"
    /// The same as -, for integers.
    "Math/subtractExact" = |Both(a): Both, Both(b): Both| checked(a.checked_sub(b)) =>
        "(Math/subtractExact 5 2) ;=> 3"
    /// Tangent of an angle in radians.
    "Math/tan" = libm::tan => "(Math/tan 0) ;=> 0.0"
    /// Hyperbolic tangent.
    "Math/tanh" = libm::tanh => "(Math/tanh 0) ;=> 0.0"
    /// Radians as degrees.
    "Math/toDegrees" = |angle: f64| angle * 57.295_779_513_082_32 => "(Math/toDegrees Math/PI) ;=> 180.0"
    /// The integer, if 32 bits hold it.
    "Math/toIntExact" = |a: i64| checked(i32::try_from(a).ok().map(i64::from)) => "(Math/toIntExact 5) ;=> 5"
    /// Degrees as radians.
    "Math/toRadians" = |angle: f64| angle * 0.017_453_292_519_943_295 =>
        "(Math/toRadians 180) ;=> 3.141592653589793"
    /// The distance to the next float.
    "Math/ulp" = last_place => "(Math/ulp 1.0) ;=> 2.220446049250313E-16"
    /// Like long, for numbers of 8 bits.
    "byte" = |cx: &mut Call, number: &Value| within(cx, number, -128, 127) => "(byte 5) ;=> 5"
    /// Like long, for numbers of 16 bits.
    "short" = |cx: &mut Call, number: &Value| within(cx, number, -32_768, 32_767) => "(short 5) ;=> 5"
    /// Like +, but integers wrap around.
    "unchecked-add" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_add, |a, b| a + b) =>
        "(unchecked-add 1 2) ;=> 3"
    /// Like +, but integers of 32 bits wrap around.
    "unchecked-add-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_add(b)) =>
        "(unchecked-add-int 2147483647 1) ;=> -2147483648"
    /// The lowest 8 bits of the number.
    "unchecked-byte" = |Whole32(number): Whole32| i64::from(number as i8) =>
        "(unchecked-byte 300) ;=> 44"
    /// The character of the lowest 16 bits of the number.
    "unchecked-char" = |cx: &mut Call, Whole32(code): Whole32| char(cx, Value::Int(i64::from(code as u16))) =>
        "(unchecked-char 97) ;=> \"a\""
    /// Like dec, but integers wrap around.
    "unchecked-dec" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_sub(1), |a| a - 1.0) =>
        "(unchecked-dec 1) ;=> 0"
    /// Like dec, but integers of 32 bits wrap around.
    "unchecked-dec-int" = |Narrow(a): Narrow| i64::from(a.wrapping_sub(1)) => "(unchecked-dec-int 1) ;=> 0"
    /// Like quot, for integers of 32 bits.
    "unchecked-divide-int" = |cx: &mut Call, a: &Value, b: Narrow| whole_quotient(cx, a, b, i32::wrapping_div) =>
        "(unchecked-divide-int 7 2) ;=> 3"
    /// The same as double.
    "unchecked-double" alias "double" = |number: f64| number => "(unchecked-double 1) ;=> 1.0"
    /// The same as float.
    "unchecked-float" alias "float" = |number: f64| number => "(unchecked-float 1) ;=> 1.0"
    /// Like inc, but integers wrap around.
    "unchecked-inc" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_add(1), |a| a + 1.0) =>
        "(unchecked-inc 1) ;=> 2"
    /// Like inc, but integers of 32 bits wrap around.
    "unchecked-inc-int" = |Narrow(a): Narrow| i64::from(a.wrapping_add(1)) => "(unchecked-inc-int 1) ;=> 2"
    /// The number without its fraction, the lowest 32 bits of it.
    "unchecked-int" = |Whole32(number): Whole32| i64::from(number as i32) => "(unchecked-int 5.5) ;=> 5"
    /// The number without its fraction.
    "unchecked-long" = |Whole64(number): Whole64| number => "(unchecked-long 5.5) ;=> 5"
    /// Like *, but integers wrap around.
    "unchecked-multiply" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_mul, |a, b| a * b) =>
        "(unchecked-multiply 2 3) ;=> 6"
    /// Like *, but integers of 32 bits wrap around.
    "unchecked-multiply-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_mul(b)) =>
        "(unchecked-multiply-int 2147483647 2) ;=> -2"
    /// Like -, but integers wrap around.
    "unchecked-negate" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_neg(), |a| -a) =>
        "(unchecked-negate 1) ;=> -1"
    /// Like -, but integers of 32 bits wrap around.
    "unchecked-negate-int" = |Narrow(a): Narrow| i64::from(a.wrapping_neg()) =>
        "(unchecked-negate-int 1) ;=> -1"
    /// Like rem, for integers of 32 bits.
    "unchecked-remainder-int" = |cx: &mut Call, a: &Value, b: Narrow| whole_quotient(cx, a, b, i32::wrapping_rem) =>
        "(unchecked-remainder-int 7 2) ;=> 1"
    /// The lowest 16 bits of the number.
    "unchecked-short" = |Whole32(number): Whole32| i64::from(number as i16) =>
        "(unchecked-short 70000) ;=> 4464"
    /// Like -, but integers wrap around.
    "unchecked-subtract" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_sub, |a, b| a - b) =>
        "(unchecked-subtract 5 2) ;=> 3"
    /// Like -, but integers of 32 bits wrap around.
    "unchecked-subtract-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_sub(b)) =>
        "(unchecked-subtract-int 5 2) ;=> 3"
}

fn within(cx: &mut Call, number: &Value, min: i64, max: i64) -> Eval {
    match integer(&mut cx.named("long"), number)? {
        Value::Int(number) if (min..=max).contains(&number) => Ok(Value::Int(number)),
        _ => cx.type_error(&format!("a number from {min} to {max}"), number),
    }
}

/// A number without its fraction. Floats are cut to 32 bits, as in Java.
pub(in crate::builtins) struct Whole32(pub i64);

/// A number without its fraction. Floats are cut to 64 bits.
pub(in crate::builtins) struct Whole64(pub i64);

from_value! {
    Whole32: Value::Int(number) => Whole32(*number),
        Value::Float(number, ..) => Whole32((*number as i32).into());
        "a number"
    Whole64: Value::Int(number) => Whole64(*number), Value::Float(number, ..) => Whole64(*number as i64); "a number"
}

/// One of two arguments that are integers.
struct Both(i64);

from_value! { Both: Value::Int(number) => Both(*number); "integers" }

/// A number of which 32 bits hold the integer part.
struct Narrow(i32);

from_value! { Narrow: |cx, value| narrow(cx, value); }

fn narrow(cx: &mut Call, value: &Value) -> Eval<Narrow> {
    match integer(&mut cx.named("long"), value)? {
        Value::Int(number) if let Ok(number) = i32::try_from(number) => Ok(Narrow(number)),
        _ => cx.type_error("an integer of 32 bits", value),
    }
}

fn floored(a: i64, b: i64, function: fn(i64, i64) -> i64) -> Eval<i64> {
    if b == 0 { divide_by_zero() } else { Ok(function(a, b)) }
}

fn wrapping(cx: &mut Call, number: &Value, integers: fn(i64) -> i64, floats: fn(f64) -> f64) -> Eval {
    match number {
        Value::Int(number) => Ok(Value::Int(integers(*number))),
        other => Ok(Value::float(floats(float(cx.name, other)?))),
    }
}

fn whole_quotient(cx: &mut Call, a: &Value, b: Narrow, divide: fn(i32, i32) -> i32) -> Eval<i64> {
    if b.0 == 0 { divide_by_zero() } else { Ok(divide(narrow(cx, a)?.0, b.0).into()) }
}

fn floor_mod(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// The exponent as in Java: -1023 of zero and what is nearly zero, 1024 of what is not finite.
fn exponent(number: f64) -> i64 {
    (number.to_bits() >> 52 & 0x7ff) as i64 - 1023
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
