//! Times of messages in logs.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::json::{Json, Object};

/// A time in whole milliseconds. It is written in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "String", description = "A time in RFC 3339, such as 2026-10-02T11:04:09.250Z")]
pub struct LogTime(Timestamp);

/// Fields with the time of a message.
const KEYS: [&str; 8] =
    ["timestamp", "ts", "created_at", "createdAt", "create_time", "createTime", "created", "recorded_at"];

/// Fields of a logged request with its send time.
const SENT: [&str; 7] = [
    "start_time",
    "startTime",
    "started_at",
    "startedAt",
    "request_created_at",
    "requestTimestamp",
    "request_time",
];
/// Fields of a logged request with the end time of its answer.
const ENDED: [&str; 7] = [
    "end_time",
    "endTime",
    "ended_at",
    "completed_at",
    "completedAt",
    "response_created_at",
    "response_time",
];

const SECONDS_OF_A_DAY: i64 = 86_400;
/// Numbers below this are seconds (until the year 5138), larger ones a smaller unit. As milliseconds, this number is a day in 1973.
const SECONDS: f64 = 1e11;
/// The smallest plausible number of seconds (2001). Fixtures and anonymized recordings write 0 or 1.
const FIRST: f64 = 1e9;

impl LogTime {
    /// Reads the time of a message or a log line.
    pub(super) fn of_object(object: &Object) -> Option<LogTime> {
        KEYS.iter().find_map(|key| LogTime::read(object.get(key)?))
    }

    /// Reads the send time of a logged request and the end time of its answer.
    pub(super) fn of_exchange(object: &Object) -> (Option<LogTime>, Option<LogTime>) {
        let sent = SENT.iter().find_map(|key| LogTime::read(object.get(key)?));
        let ended = ENDED.iter().find_map(|key| LogTime::read(object.get(key)?));
        (sent.or_else(|| LogTime::of_object(object)), ended)
    }

    /// Reads the time in the first existing field.
    pub(super) fn of_fields(object: &Object, keys: &[&str]) -> Option<LogTime> {
        object.first(keys).and_then(LogTime::read)
    }

    /// Returns true for a field with a time of a message or request.
    pub(super) fn is_field(key: &str) -> bool {
        [&KEYS[..], &SENT, &ENDED].iter().any(|keys| keys.contains(&key))
    }

    /// Parses a time: text, or a number of seconds, milliseconds, microseconds or nanoseconds.
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
        if !(FIRST..SECONDS).contains(&seconds) {
            return None;
        }
        LogTime::of_milliseconds((seconds * 1000.0).round() as i64)
    }

    fn of_milliseconds(milliseconds: i64) -> Option<LogTime> {
        Timestamp::from_millisecond(milliseconds).ok().map(LogTime)
    }

    /// Parses RFC 3339. A time without an offset (Python's local time) is treated as UTC; differences within one log stay correct.
    pub fn parse(text: &str) -> Option<LogTime> {
        let (date, rest) = (text.get(..10)?, text.get(10..)?);
        let time = rest.strip_prefix(['T', 't', ' '])?;
        let end = time.find(['Z', 'z', '+', '-', ' ']).unwrap_or(time.len());
        let (clock, offset) = (time.get(..end)?, time.get(end..)?.trim());
        let offset = if offset.is_empty() { "Z" } else { offset };
        let timestamp: Timestamp = format!("{date}T{clock}{offset}").parse().ok()?;
        LogTime::of_milliseconds(timestamp.as_millisecond())
    }

    /// Days since 1970-01-01, in UTC.
    pub fn day(self) -> i64 {
        self.0.as_second().div_euclid(SECONDS_OF_A_DAY)
    }

    /// Seconds since 1970-01-01 00:00 UTC.
    pub fn seconds(self) -> i64 {
        self.0.as_second()
    }

    /// Milliseconds since another time; 0 if that is later.
    pub fn milliseconds_since(self, earlier: LogTime) -> u64 {
        u64::try_from(self.0.duration_since(earlier.0).as_millis()).unwrap_or(0)
    }

    /// Seconds since another time; 0 if that is later.
    pub fn seconds_since(self, earlier: LogTime) -> f64 {
        self.milliseconds_since(earlier) as f64 / 1000.0
    }

    /// Adds milliseconds, saturating at the limits of the calendar.
    pub(super) fn after(self, milliseconds: f64) -> LogTime {
        let last = if milliseconds < 0.0 { Timestamp::MIN } else { Timestamp::MAX };
        let later = self.0.checked_add(SignedDuration::from_millis(milliseconds.round() as i64));
        LogTime(later.unwrap_or(last))
    }
}

impl fmt::Display for LogTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_millisecond() {
            0 => write!(f, "{:.0}", self.0),
            _ => write!(f, "{:.3}", self.0),
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
        let expected = "a time in RFC 3339, such as 2026-10-02T11:04:09Z";
        LogTime::parse(&text).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &expected))
    }
}
