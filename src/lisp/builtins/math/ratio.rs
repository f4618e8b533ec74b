//! Quotients of integers that become floats at once: `(double (/ 5 3))`. There are no ratios here, but what
//! Clojure makes of one as a float has sixteen decimal digits, which can differ in the last bits.

use crate::lisp::builtins::{Builtin, at_least};
use crate::lisp::error::Eval;
use crate::lisp::eval::Interpreter;
use crate::lisp::value::Value;

/// Digits that Clojure's ratios are rounded to, the even one where two are as near.
const DIGITS: i32 = 16;

/// The functions that make floats of all numbers they are given: what takes a `double` in Java.
const OF_FLOATS: [&str; 25] = [
    "Math/IEEEremainder",
    "Math/acos",
    "Math/asin",
    "Math/atan",
    "Math/atan2",
    "Math/cbrt",
    "Math/ceil",
    "Math/cos",
    "Math/cosh",
    "Math/exp",
    "Math/expm1",
    "Math/floor",
    "Math/hypot",
    "Math/log",
    "Math/log10",
    "Math/log1p",
    "Math/pow",
    "Math/sin",
    "Math/sinh",
    "Math/sqrt",
    "Math/tan",
    "Math/tanh",
    "Math/toDegrees",
    "Math/toRadians",
    "double",
];
/// Those that make floats of all numbers if the first or the second is one.
const OF_FLOATS_BESIDE_ONE: [&str; 4] = ["*", "+", "-", "/"];

/// What stands for `/` where its quotient is used as a float.
static FLOAT_QUOTIENT: Builtin = Builtin {
    name: "/",
    arity: at_least(1),
    run: divide_as_float,
    doc: "Quotient as a float, rounded as Clojure's ratios are.",
    example: "(double (/ 5 3)) ;=> 1.666666666666667",
};

/// Whether the function makes floats of all numbers that it is given.
pub fn makes_floats(builtin: &Builtin) -> bool {
    OF_FLOATS.contains(&builtin.name)
}

/// Whether the function makes floats of all numbers if the first or the second is one.
pub fn makes_floats_beside_one(builtin: &Builtin) -> bool {
    OF_FLOATS_BESIDE_ONE.contains(&builtin.name)
}

/// What to call for an argument `(/ a b)` of a function that makes a float of it.
pub fn float_quotient(builtin: &'static Builtin) -> &'static Builtin {
    if builtin.name == FLOAT_QUOTIENT.name { &FLOAT_QUOTIENT } else { builtin }
}

fn divide_as_float(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let Some((dividend, divisor)) = ratio(args) {
        return Ok(Value::Float(rounded(dividend, divisor)));
    }
    match super::division::divide(cx, args)? {
        Value::Int(quotient) => Ok(Value::Float(quotient as f64)),
        other => Ok(other),
    }
}

/// What is divided by what, where all of it is integers and the divisor no zero.
fn ratio(args: &[Value]) -> Option<(i64, i64)> {
    let integer = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
    let product =
        |divisors: &[Value]| divisors.iter().try_fold(1_i64, |all, value| all.checked_mul(integer(value)?));
    let (dividend, divisor) = match args {
        [divisor] => (1, integer(divisor)?),
        [dividend, divisors @ ..] => (integer(dividend)?, product(divisors)?),
        [] => return None,
    };
    (divisor != 0).then_some((dividend, divisor))
}

fn rounded(dividend: i64, divisor: i64) -> f64 {
    if dividend.checked_rem(divisor).unwrap_or(0) == 0 {
        return dividend as f64 / divisor as f64;
    }
    let sign = if (dividend < 0) == (divisor < 0) { 1.0 } else { -1.0 };
    let (above, below) = (u128::from(dividend.unsigned_abs()), u128::from(divisor.unsigned_abs()));
    let (digits, exponent) = decimal(above, below);
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN) * sign
}

/// A quotient as sixteen digits and the power of ten that they are multiplied with.
fn decimal(above: u128, below: u128) -> (u128, i32) {
    let limit = 10_u128.pow(DIGITS as u32);
    let (mut above, mut below, mut exponent) = (above, below, 0);
    while above / below < limit / 10 {
        above *= 10;
        exponent -= 1;
    }
    while above / below >= limit {
        below *= 10;
        exponent += 1;
    }
    let (digits, rest) = (above / below, above % below);
    let up = rest * 2 > below || rest * 2 == below && digits % 2 == 1;
    (digits + u128::from(up), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lisp::builtins::find;

    #[test]
    fn what_makes_floats_is_a_builtin() {
        for name in OF_FLOATS.iter().chain(&OF_FLOATS_BESIDE_ONE) {
            assert!(find(name).is_some(), "{name}");
        }
    }
}
