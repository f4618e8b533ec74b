//! Lengths of time as people write them: `5m`, `1h30m`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A length of time of whole seconds, one at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String", description = "A length of time, such as 90s, 5m or 1h30m")]
pub struct TimeSpan {
    seconds: u32,
}

/// A unit of time.
#[derive(Clone, Copy)]
struct Unit {
    /// The letter after a number in files and options.
    letter: char,
    /// The word in sentences.
    word: &'static str,
    seconds: u32,
}

/// The units, the longest first.
const UNITS: [Unit; 3] = [
    Unit { letter: 'h', word: "h", seconds: 3600 },
    Unit { letter: 'm', word: "min", seconds: 60 },
    Unit { letter: 's', word: "s", seconds: 1 },
];

impl TimeSpan {
    /// A length in seconds; `None` for 0.
    pub fn of_seconds(seconds: u32) -> Option<TimeSpan> {
        (seconds > 0).then_some(TimeSpan { seconds })
    }

    /// Whole seconds.
    pub fn seconds(self) -> u32 {
        self.seconds
    }

    /// Milliseconds.
    pub fn milliseconds(self) -> u64 {
        u64::from(self.seconds) * 1000
    }

    /// Text for readers, in the two longest units: `5 min`, `1 h 30 min`.
    pub fn words(self) -> String {
        let parts = self.split_units().take(2).map(|(number, unit)| format!("{number} {}", unit.word));
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The units with a number above 0, longest first.
    fn split_units(self) -> impl Iterator<Item = (u32, Unit)> {
        let mut rest = self.seconds;
        let parts = UNITS.into_iter().map(move |unit| {
            let number = rest / unit.seconds;
            rest %= unit.seconds;
            (number, unit)
        });
        parts.filter(|(number, _)| *number > 0)
    }
}

impl FromStr for TimeSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeSpan, String> {
        parse_seconds(text)
            .and_then(TimeSpan::of_seconds)
            .ok_or_else(|| format!("expected a time such as 90s, 5m, 1h or 1h30m, found '{text}'"))
    }
}

/// Parses numbers with units, and returns the sum in seconds.
fn parse_seconds(text: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for part in text.trim().split_inclusive(char::is_alphabetic) {
        let letter = part.chars().next_back()?;
        let number: u32 = part.strip_suffix(letter)?.trim().parse().ok()?;
        let unit = UNITS.into_iter().find(|unit| unit.letter == letter)?;
        sum = sum.checked_add(number.checked_mul(unit.seconds)?)?;
    }
    Some(sum)
}

/// `1h30m`
impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.split_units().try_for_each(|(number, unit)| write!(f, "{number}{}", unit.letter))
    }
}

impl Serialize for TimeSpan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeSpan, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
