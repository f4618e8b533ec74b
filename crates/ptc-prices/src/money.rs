//! Amounts of money, exact: no sum depends on the order of its parts.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in units of 10⁻¹² dollars. A dollar per million tokens is a million of these units per token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u128);

/// Units per millionth of a dollar.
const PER_MICRO: u128 = 1_000_000;
/// Units per dollar.
const PER_DOLLAR: u128 = PER_MICRO * PER_MICRO;
/// Decimals of a dollar.
const DECIMALS: usize = 12;
/// The last of them are not shown to people.
const BEYOND: usize = 6;

impl Money {
    /// The cost of one token at a price in dollars per million tokens. The price is rounded to six decimals.
    pub(super) fn of_token(dollars_per_million: f64) -> Money {
        Money((dollars_per_million * PER_MICRO as f64 + 0.5).floor() as u128)
    }

    pub(super) fn times(self, number: u64) -> Money {
        Money(self.0 * u128::from(number))
    }

    /// This amount minus another one, at least 0.
    pub fn less(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }

    /// The share `parts / all` of the amount, rounded down.
    pub fn part(self, parts: u64, all: u64) -> Money {
        Money(self.0.saturating_mul(u128::from(parts)) / u128::from(all.max(1)))
    }

    /// This amount as a multiple of another; `None` if the other is 0.
    pub fn ratio(self, other: Money) -> Option<f64> {
        (other.0 > 0).then(|| self.0 as f64 / other.0 as f64)
    }

    /// An amount from units of 10⁻¹² dollars.
    pub fn of_units(units: u128) -> Money {
        Money(units)
    }

    /// The amount in units of 10⁻¹² dollars.
    pub fn exact(self) -> u128 {
        self.0
    }

    /// The amount in dollars with all decimals.
    fn format_all_decimals(self) -> String {
        let [mut dollars, mut decimals] = [itoa::Buffer::new(); 2];
        // Adding a dollar keeps the leading zeros of the decimals.
        let decimals = decimals.format((self.0 % PER_DOLLAR + PER_DOLLAR) as u64);
        [dollars.format(self.0 / PER_DOLLAR), ".", &decimals[1..]].concat()
    }

    /// The amount in dollars, rounded to the nearest float.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / PER_DOLLAR as f64
    }
}

/// Dollars with six decimals, without a sign.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = (*self + Money(PER_MICRO / 2)).format_all_decimals();
        text.truncate(text.len() - BEYOND);
        f.write_str(&text)
    }
}

/// Dollars as text with six to twelve decimals: exact, unlike a number in JSON.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = self.format_all_decimals();
        text.truncate(text.trim_end_matches('0').len().max(text.len() - BEYOND));
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Parses dollars with at most twelve decimals.
impl FromStr for Money {
    type Err = String;

    fn from_str(text: &str) -> Result<Money, String> {
        parse_dollars(text).ok_or_else(|| format!("expected dollars such as \"0.000125\", found \"{text}\""))
    }
}

fn parse_dollars(text: &str) -> Option<Money> {
    let (dollars, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > DECIMALS || !text.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit()) {
        return None;
    }
    let dollars: u128 = dollars.parse().ok()?;
    let rest: u128 = format!("{decimals:0<DECIMALS$}").parse().ok()?;
    let exact = dollars.checked_mul(PER_DOLLAR)?.checked_add(rest)?;
    Some(Money(exact))
}

impl JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "dollars, exact",
            "type": "string",
            "pattern": r"^[0-9]+\.[0-9]{6,12}$",
        })
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
