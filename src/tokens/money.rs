//! Amounts of money, exact: no sum depends on the order of its parts.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// An amount in millionths of a millionth of a dollar: a dollar per million tokens is a million of them
/// a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u128);

/// In a millionth of a dollar.
const PER_MICRO: u128 = 1_000_000;

impl Money {
    /// What a number of tokens costs at a price in dollars per million tokens. Prices have up to six
    /// decimals; what is below counts as rounded.
    pub fn of_tokens(tokens: u64, dollars_per_million: f64) -> Money {
        let per_token = (dollars_per_million * PER_MICRO as f64 + 0.5).floor();
        Money(u128::from(tokens) * per_token as u128)
    }

    /// This amount as a multiple of another; none where that is nothing.
    pub fn ratio(self, other: Money) -> Option<f64> {
        (other.0 > 0).then(|| self.0 as f64 / other.0 as f64)
    }

    /// In millionths of a millionth of a dollar.
    pub fn exact(self) -> u128 {
        self.0
    }

    /// In dollars, as far as a float can say it.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / (PER_MICRO * PER_MICRO) as f64
    }
}

/// Dollars with six decimals, without a sign.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = (self.0 + PER_MICRO / 2) / PER_MICRO;
        write!(f, "{}.{:06}", micros / PER_MICRO, micros % PER_MICRO)
    }
}

impl Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::default(), Add::add)
    }
}
