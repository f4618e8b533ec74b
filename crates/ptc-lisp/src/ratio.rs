//! Clojure's ratios are floats with their divisor. A program sees only floats, but sums, differences, products and
//! quotients of them and of integers are exact.

use super::error::{ErrorKind, Eval, raise};
use super::value::Value;

/// The largest dividend or divisor.
const LARGEST: i128 = 1 << 63;
/// Digits of a ratio in arithmetic with floats, rounded half to even.
const DIGITS: u32 = 16;

/// An integer divided by a positive one.
#[derive(Clone, Copy)]
pub(super) struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    /// Converts two numbers to ratios. `None` unless one is a ratio and the other a ratio or an integer.
    pub(super) fn pair(a: &Value, b: &Value) -> Option<(Ratio, Ratio)> {
        match (a, b) {
            (Value::Float(_, 1.., _), Value::Float(_, 1.., _) | Value::Int(_))
            | (Value::Int(_), Value::Float(_, 1.., _)) => Some((Ratio::of(a)?, Ratio::of(b)?)),
            _ => None,
        }
    }

    fn of(value: &Value) -> Option<Ratio> {
        match value {
            Value::Int(number) => Some(Ratio { above: (*number).into(), below: 1 }),
            Value::Float(quotient, below @ 1.., last_bits) => {
                Some(Ratio::of_float(*quotient, *below, *last_bits))
            }
            _ => None,
        }
    }

    /// Restores the dividend: the float times the divisor is close to it, and `last_bits` give the rest.
    pub(super) fn of_float(quotient: f64, below: u64, last_bits: u32) -> Ratio {
        let near = (quotient * below as f64) as i128;
        let missing = last_bits.wrapping_sub(near as u32) as i32;
        Ratio { above: near + i128::from(missing), below: below.into() }
    }

    pub(super) fn plus(self, other: Ratio) -> Option<Ratio> {
        let shared = common_divisor(self.below, other.below);
        let (left, right) = (self.above * (other.below / shared), other.above * (self.below / shared));
        Ratio::reduced(left.checked_add(right)?, self.below / shared * other.below)
    }

    pub(super) fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { above: -other.above, ..other })
    }

    pub(super) fn times(self, other: Ratio) -> Option<Ratio> {
        let (left, right) =
            (common_divisor(self.above, other.below), common_divisor(other.above, self.below));
        Ratio::reduced(
            (self.above / left) * (other.above / right),
            (self.below / right) * (other.below / left),
        )
    }

    pub(super) fn by(self, other: Ratio) -> Eval<Option<Ratio>> {
        match other.above {
            0 => divide_by_zero(),
            divisor => Ok(self.times(Ratio { above: other.below * divisor.signum(), below: divisor.abs() })),
        }
    }

    /// Without its fraction.
    pub(super) fn whole(self) -> Ratio {
        Ratio { above: self.above / self.below, below: 1 }
    }

    pub(super) fn signum(self) -> i128 {
        self.above.signum()
    }

    /// In lowest terms. `None` if a part is too large for 64 bits: reducing it would hardly help.
    fn reduced(above: i128, below: i128) -> Option<Ratio> {
        if above.abs() > LARGEST || below > LARGEST {
            return None;
        }
        let shared = common_divisor(above, below);
        Some(Ratio { above: above / shared, below: below / shared })
    }

    /// Converts a ratio to a float as Clojure does. The last bits may differ from the nearest float.
    pub(super) fn rounded(self) -> f64 {
        if self.above % self.below == 0 {
            return (self.above / self.below) as f64;
        }
        let (digits, exponent) = decimal(self.above.unsigned_abs(), self.below.unsigned_abs());
        let size = match u32::try_from(-exponent) {
            // Both are exact as floats, so the quotient is the nearest float.
            Ok(places @ 0..=22) if digits < 1 << 53 => digits as f64 / 10_u128.pow(places) as f64,
            _ => format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN),
        };
        if self.above < 0 { -size } else { size }
    }

    /// An integer where the quotient comes out whole.
    pub(super) fn value(self) -> Value {
        match i64::try_from(self.above) {
            Ok(whole) if self.below == 1 => Value::Int(whole),
            _ => Value::Float(self.above as f64 / self.below as f64, self.below as u64, self.above as u32),
        }
    }
}

/// The exact quotient of two integers. The caller has ruled out a zero divisor and a whole quotient.
pub fn quotient(dividend: i64, divisor: i64) -> Value {
    let above = i128::from(dividend) * i128::from(divisor.signum());
    Ratio { above, below: i128::from(divisor).abs() }.value()
}

/// A quotient as sixteen digits, and the exponent of the power of ten behind them.
fn decimal(above: u128, below: u128) -> (u128, i32) {
    let limit = 10_u128.pow(DIGITS);
    let (mut places, mut size) = (0, above as f64 / below as f64);
    while size < 1e15 {
        (places, size) = (places + 1, size * 10.0);
    }
    let mut above = above * 10_u128.pow(places);
    if above / below < limit / 10 {
        (places, above) = (places + 1, above * 10);
    }
    let (mut below, mut exponent) = (below, -(places as i32));
    while above / below >= limit {
        (below, exponent) = (below * 10, exponent + 1);
    }
    let (digits, rest) = (above / below, above % below);
    let up = rest * 2 > below || rest * 2 == below && digits % 2 == 1;
    (digits + u128::from(up), exponent)
}

/// The greatest common divisor of two numbers up to [`LARGEST`], so both fit into a `u64`. Not both are 0.
fn common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs() as u64, b.unsigned_abs() as u64);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.into()
}

pub(super) fn divide_by_zero<T>() -> Eval<T> {
    raise(ErrorKind::ArithmeticError, "Divide by zero")
}
