//! Exponentials and logarithms rounded to the nearest float, as Java's are but for rare last digits. What
//! the `libm` crate gives is improved in numbers of twice the precision, so that every machine agrees.

use std::f64::consts::LN_2;

/// A number as the sum of two floats, the second less than half a unit in the last place of the first.
#[derive(Clone, Copy)]
struct Wide {
    high: f64,
    low: f64,
}

const ONE: Wide = Wide { high: 1.0, low: 0.0 };
/// The logarithm of 2; what one float cannot hold of it is in the second.
const WIDE_LN_2: Wide = Wide { high: LN_2, low: 2.319_046_813_846_299_6e-17 };
/// Beyond this an exponential is zero or infinite.
const MAX_EXPONENT: f64 = 746.0;
/// The largest exponent of a power to multiply out.
const MAX_MULTIPLIED: f64 = 64.0;
/// Enough terms of the series for any argument up to half of ln 2.
const TERMS: u32 = 28;

/// e raised to the number.
pub(super) fn exp(number: f64) -> f64 {
    match number.abs() < MAX_EXPONENT {
        true => scaled(wide_exp(Wide { high: number, low: 0.0 })),
        false => libm::exp(number),
    }
}

/// Natural logarithm.
pub(super) fn log(number: f64) -> f64 {
    match number.is_finite() && number > 0.0 {
        true => wide_log(number).high,
        false => libm::log(number),
    }
}

/// `Math.pow`. Unlike C's function it returns NaN for 1 raised to an infinity or NaN.
pub(super) fn pow(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() {
        return f64::NAN;
    }
    let rough = libm::pow(base, exponent);
    if !rough.is_normal() || !base.is_finite() || !exponent.is_finite() || exponent == 0.0 {
        return rough;
    }
    let base = base.abs();
    let power = match exponent.fract() == 0.0 && (0.0..=MAX_MULTIPLIED).contains(&exponent) {
        true => multiplied(base, exponent as u32).high,
        false => scaled(wide_exp(wide_log(base).times(Wide { high: exponent, low: 0.0 }))),
    };
    power.copysign(rough)
}

/// Cube root with the last digits of Java's: an estimate from the exponent, a rational improvement of it to 23
/// bits, and one step of Newton's method from its first 20 bits.
pub(super) fn cbrt(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let size = number.abs();
    let estimate = third_of_exponent(size);
    let sum = 19.0 / 35.0 + estimate * estimate / size * estimate;
    let better = estimate * (5.0 / 14.0 + 45.0 / 28.0 / (sum + 99.0 / 70.0 - 864.0 / 1225.0 / sum));
    let short = f64::from_bits(((better.to_bits() >> 32) + 1) << 32);
    let quotient = size / (short * short);
    let step = (quotient - short) / (short + short + quotient);
    (short + short * step).copysign(number)
}

/// A cube root to five bits: the upper half of the bits of a float is nearly its logarithm.
fn third_of_exponent(size: f64) -> f64 {
    const NORMAL: u64 = 715_094_163;
    /// For a number scaled by 2^54.
    const SCALED: u64 = 696_219_795;
    if size >= f64::MIN_POSITIVE {
        return f64::from_bits(((size.to_bits() >> 32) / 3 + NORMAL) << 32);
    }
    let scaled = (size * libm::scalbn(1.0, 54)).to_bits();
    f64::from_bits(((scaled >> 32) / 3 + SCALED) << 32 | scaled & 0xffff_ffff)
}

/// A power by multiplication, one bit of the exponent after the other. So a power of an integer midway between two floats is
/// exact, and rounds to the even one.
fn multiplied(base: f64, exponent: u32) -> Wide {
    (0..u32::BITS - exponent.leading_zeros()).rev().fold(ONE, |power, bit| {
        let square = power.times(power);
        if exponent >> bit & 1 == 1 { square.times(Wide { high: base, low: 0.0 }) } else { square }
    })
}

/// The exponential as a number near 1 and a power of two to multiply it by.
fn wide_exp(number: Wide) -> (Wide, i32) {
    let power = (number.high / LN_2).round();
    let rest = number.plus(WIDE_LN_2.times(Wide { high: -power, low: 0.0 }));
    let series = (1..=TERMS).rev().fold(ONE, |sum, term| ONE.plus(rest.times(sum).over(term.into())));
    (series, power as i32)
}

/// One step of Newton's method from the rough logarithm `r`: ln x = r + ln (x / e^r).
fn wide_log(number: f64) -> Wide {
    let rough = libm::log(number);
    let (fraction, power) = libm::frexp(number);
    let (inverse, inverse_power) = wide_exp(Wide { high: -rough, low: 0.0 });
    let quotient = inverse.times(Wide { high: libm::scalbn(fraction, power + inverse_power), low: 0.0 });
    let rest = quotient.plus(Wide { high: -1.0, low: 0.0 });
    let step = rest.plus(rest.times(rest).over(-2.0));
    Wide { high: rough, low: 0.0 }.plus(step)
}

fn scaled((number, power): (Wide, i32)) -> f64 {
    libm::scalbn(number.high, power)
}

impl Wide {
    /// The exact sum of two floats.
    fn sum(a: f64, b: f64) -> Wide {
        let high = a + b;
        let taken = high - a;
        Wide { high, low: (a - (high - taken)) + (b - taken) }
    }

    fn plus(self, other: Wide) -> Wide {
        let high = Wide::sum(self.high, other.high);
        let low = Wide::sum(self.low, other.low);
        let carried = Wide::sum(high.high, high.low + low.high);
        Wide::sum(carried.high, carried.low + low.low)
    }

    fn times(self, other: Wide) -> Wide {
        let high = self.high * other.high;
        let rest = self.high.mul_add(other.high, -high);
        Wide::sum(high, rest + (self.high * other.low + self.low * other.high))
    }

    fn over(self, divisor: f64) -> Wide {
        let quotient = self.high / divisor;
        let rest = (-quotient).mul_add(divisor, self.high) + self.low;
        Wide::sum(quotient, rest / divisor)
    }
}
