//! Times of messages in logs.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json::{Json, Object};

/// A time as milliseconds since 1970-01-01 in UTC. It is written in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String", description = "A time in RFC 3339, such as 2026-10-02T11:04:09.250Z")]
pub struct LogTime(i64);

/// Fields with the time of a message.
const KEYS: [&str; 7] =
    ["timestamp", "ts", "created_at", "createdAt", "create_time", "created", "recorded_at"];

const DAY: i64 = 86_400_000;
/// Numbers below it are seconds: it is the year 5138, and as milliseconds a day of 1973.
const SECONDS: f64 = 1e11;
/// The first seconds of a log's numbers, a day of 2001. Fixtures and recordings that hide their times write 0 or 1.
const FIRST: f64 = 1e9;

impl LogTime {
    /// The time in the fields of a message or a line.
    pub(super) fn of(object: &Object) -> Option<LogTime> {
        KEYS.iter().find_map(|key| LogTime::read(object.get(key)?))
    }

    /// A time as text, or as a number of seconds, or of thousandths, millionths or billionths of one.
    pub(super) fn read(value: Json) -> Option<LogTime> {
        match value.text() {
            Some(text) => LogTime::parse(&text).or_else(|| LogTime::of_number(text.parse().ok()?)),
            None => LogTime::of_number(value.read()?),
        }
    }

    fn of_number(number: f64) -> Option<LogTime> {
        let mut seconds = number;
        while seconds >= SECONDS {
            seconds /= 1000.0;
        }
        (FIRST..SECONDS).contains(&seconds).then(|| LogTime((seconds * 1000.0).round() as i64))
    }

    /// A time in RFC 3339. One without an offset, as Python's programs write their local time, is taken as UTC: pauses
    /// between times of one log are the same.
    pub fn parse(text: &str) -> Option<LogTime> {
        let (date, rest) = (text.get(..10)?, text.get(10..)?);
        let day = day_number(date)?;
        let time = rest.strip_prefix(['T', 't', ' '])?;
        let end = time.find(['Z', 'z', '+', '-', ' ']).unwrap_or(time.len());
        let (clock, offset) = (time.get(..end)?, time.get(end..)?);
        Some(LogTime(day * DAY + milliseconds(clock)? - offset_of(offset.trim())?))
    }

    /// The day in UTC, counted from 1970-01-01.
    pub fn day(self) -> i64 {
        self.0.div_euclid(DAY)
    }

    /// Milliseconds since another time; nothing for a later one.
    pub fn milliseconds_since(self, earlier: LogTime) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// Seconds since another time; nothing for a later one.
    pub fn seconds_since(self, earlier: LogTime) -> f64 {
        self.milliseconds_since(earlier) as f64 / 1000.0
    }

    /// The time so many milliseconds later.
    pub(super) fn after(self, milliseconds: f64) -> LogTime {
        LogTime(self.0.saturating_add(milliseconds.round() as i64))
    }
}

/// Milliseconds of a clock such as `11:04:09.250`.
fn milliseconds(clock: &str) -> Option<i64> {
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut parts = whole.split(':').map(|part| digits(part, 2));
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !is_fraction || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let padded: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some((hours * 3600 + minutes * 60 + seconds) * 1000 + padded.parse::<i64>().ok()?)
}

/// Milliseconds of an offset such as `+02:00`.
fn offset_of(text: &str) -> Option<i64> {
    let sign = match text.chars().next() {
        None | Some('Z' | 'z') => return (text.len() < 2).then_some(0),
        Some('+') => 1,
        Some(_) => -1,
    };
    let digits_only: String = text.chars().skip(1).filter(|c| *c != ':').collect();
    let (hours, minutes) = match digits_only.get(2..)? {
        "" => (digits(&digits_only, 2)?, 0),
        minutes => (digits(digits_only.get(..2)?, 2)?, digits(minutes, 2)?),
    };
    Some(sign * (hours * 60 + minutes) * 60_000)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The number of a day such as `2026-10-02`, counted from 1970-01-01.
fn day_number(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // March is the first month, so that the day of a leap year is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

impl fmt::Display for LogTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        // Eras of 400 years from March of the year 0.
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
        let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
        write!(f, "{:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}", year + 400 * era)?;
        match rest % 1000 {
            0 => f.write_str("Z"),
            thousandths => write!(f, ".{thousandths:03}Z"),
        }
    }
}

impl Serialize for LogTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LogTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LogTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || {
            D::Error::invalid_value(
                Unexpected::Str(&text),
                &"a time in RFC 3339, such as 2026-10-02T11:04:09Z",
            )
        };
        LogTime::parse(&text).ok_or_else(wrong)
    }
}
