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

/// Units from the longest on: letter, word and seconds.
const UNITS: [(char, &str, u32); 3] = [('h', "h", 3600), ('m', "min", 60), ('s', "s", 1)];

impl TimeSpan {
    /// The length of so many seconds; none of no seconds.
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

    /// The length for readers, in its two longest units: `5 min`, `1 h 30 min`.
    pub fn words(self) -> String {
        let parts = self.parts().take(2).map(|(number, (_, word, _))| format!("{number} {word}"));
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The numbers of its units, without those of which there are none.
    fn parts(self) -> impl Iterator<Item = (u32, (char, &'static str, u32))> {
        let mut rest = self.seconds;
        let parts = UNITS.into_iter().map(move |unit| {
            let number = rest / unit.2;
            rest %= unit.2;
            (number, unit)
        });
        parts.filter(|(number, _)| *number > 0)
    }
}

impl FromStr for TimeSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeSpan, String> {
        seconds(text)
            .and_then(TimeSpan::of_seconds)
            .ok_or_else(|| format!("expected a time such as 90s, 5m, 1h or 1h30m, found '{text}'"))
    }
}

/// The sum of numbers with units.
fn seconds(text: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for part in text.trim().split_inclusive(char::is_alphabetic) {
        let letter = part.chars().next_back()?;
        let number: u32 = part.strip_suffix(letter)?.trim().parse().ok()?;
        let (_, _, unit) = UNITS.into_iter().find(|(own, ..)| *own == letter)?;
        sum = sum.checked_add(number.checked_mul(unit)?)?;
    }
    Some(sum)
}

/// `1h30m`
impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|(number, (letter, ..))| write!(f, "{number}{letter}"))
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
