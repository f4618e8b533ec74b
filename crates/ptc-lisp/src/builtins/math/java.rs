//! The rest of `java.lang.Math`: angles, exact and floored arithmetic, and integers that wrap around.

use super::{as_float, checked, float, integer, wider};
use crate::builtins::prelude::*;
use crate::builtins::string::char;
use crate::ratio::divide_by_zero;

builtins! {
    pub(in crate::builtins) static ROWS;

    "Math/IEEE-remainder" = libm::remainder;
    "Math/IEEEremainder" = libm::remainder;
    "Math/absExact" = |a: i64| checked(a.checked_abs());
    "Math/acos" = libm::acos;
    "Math/addExact" = |Both(a): Both, Both(b): Both| checked(a.checked_add(b));
    "Math/asin" = libm::asin;
    "Math/atan" = libm::atan;
    "Math/atan2" = libm::atan2;
    "Math/copySign" = f64::copysign;
    "Math/cos" = libm::cos;
    "Math/cosh" = libm::cosh;
    "Math/decrementExact" = |a: i64| checked(a.checked_sub(1));
    "Math/expm1" = libm::expm1;
    "Math/floorDiv" = |Both(a): Both, Both(b): Both| floored(a, b, floor_div);
    "Math/floorMod" = |Both(a): Both, Both(b): Both| floored(a, b, floor_mod);
    "Math/fma" = libm::fma;
    "Math/getExponent" = exponent;
    "Math/hypot" = libm::hypot;
    "Math/incrementExact" = |a: i64| checked(a.checked_add(1));
    "Math/log1p" = libm::log1p;
    "Math/multiplyExact" = |Both(a): Both, Both(b): Both| checked(a.checked_mul(b));
    "Math/negateExact" = |a: i64| checked(a.checked_neg());
    "Math/nextAfter" = libm::nextafter;
    "Math/nextDown" = f64::next_down;
    "Math/nextUp" = f64::next_up;
    "Math/rint" = f64::round_ties_even;
    // Beyond these powers every float is zero or infinite.
    "Math/scalb" = |number: f64, power: f64| libm::scalbn(number, power.clamp(-4_000.0, 4_000.0) as i32);
    "Math/sin" = libm::sin;
    "Math/sinh" = libm::sinh;
    "Math/subtractExact" = |Both(a): Both, Both(b): Both| checked(a.checked_sub(b));
    "Math/tan" = libm::tan;
    "Math/tanh" = libm::tanh;
    "Math/toDegrees" = |angle: f64| angle * 57.295_779_513_082_32;
    "Math/toIntExact" = |a: i64| checked(i32::try_from(a).ok().map(i64::from));
    "Math/toRadians" = |angle: f64| angle * 0.017_453_292_519_943_295;
    "Math/ulp" = |number: f64| -> f64 {
        let size = number.abs();
        let next = size.next_up();
        if next.is_finite() { next - size } else { size - size.next_down() }
    };
    "byte" = |cx: &mut Call, number: &Value| within(cx, number, -128, 127);
    "short" = |cx: &mut Call, number: &Value| within(cx, number, -32_768, 32_767);
    "unchecked-add" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_add, |a, b| a + b);
    "unchecked-add-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_add(b));
    "unchecked-byte" = |Whole32(number): Whole32| i64::from(number as i8);
    "unchecked-char" = |cx: &mut Call, Whole32(code): Whole32| char(cx, Value::Int(i64::from(code as u16)));
    "unchecked-dec" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_sub(1), |a| a - 1.0);
    "unchecked-dec-int" = |Narrow(a): Narrow| i64::from(a.wrapping_sub(1));
    "unchecked-divide-int" = |cx: &mut Call, a: &Value, b: Narrow| whole_quotient(cx, a, b, i32::wrapping_div);
    "unchecked-double" alias "double" = as_float;
    "unchecked-float" alias "float" = as_float;
    "unchecked-inc" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_add(1), |a| a + 1.0);
    "unchecked-inc-int" = |Narrow(a): Narrow| i64::from(a.wrapping_add(1));
    "unchecked-int" = |Whole32(number): Whole32| i64::from(number as i32);
    "unchecked-long" = |Whole64(number): Whole64| number;
    "unchecked-multiply" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_mul, |a, b| a * b);
    "unchecked-multiply-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_mul(b));
    "unchecked-negate" = |cx: &mut Call, number: &Value| wrapping(cx, number, |a| a.wrapping_neg(), |a| -a);
    "unchecked-negate-int" = |Narrow(a): Narrow| i64::from(a.wrapping_neg());
    "unchecked-remainder-int" = |cx: &mut Call, a: &Value, b: Narrow| whole_quotient(cx, a, b, i32::wrapping_rem);
    "unchecked-short" = |Whole32(number): Whole32| i64::from(number as i16);
    "unchecked-subtract" = |cx: &mut Call, a: &Value, b: &Value| wider(cx, a, b, i64::wrapping_sub, |a, b| a - b);
    "unchecked-subtract-int" = |Narrow(a): Narrow, Narrow(b): Narrow| i64::from(a.wrapping_sub(b));
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

/// One of two integer arguments.
struct Both(i64);

from_value! { Both: Value::Int(number) => Both(*number); "integers" }

/// A number with an integer part of 32 bits.
struct Narrow(i32);

from_value! { Narrow: |cx, value| narrow(cx, value); }

fn narrow(cx: &mut Call, value: &Value) -> Eval<Narrow> {
    if let Value::Int(number) = integer(&mut cx.named("long"), value)?
        && let Ok(number) = i32::try_from(number)
    {
        return Ok(Narrow(number));
    }
    cx.type_error("an integer of 32 bits", value)
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
