//! Durations, and what is that much later or earlier.

use super::calendar::{plus_months, unit_millis};
use super::{of_duration, overflow, wrong};
use crate::lisp::builtins::{Builtin, between, exactly, row};
use crate::lisp::error::{Eval, type_error};
use crate::lisp::time::Date;
use crate::lisp::value::Value;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

pub(in crate::lisp::builtins) static ROWS: &[Builtin] = &[
    row(
        ".isNegative",
        exactly(1),
        |_, args| test(".isNegative", |millis| millis < 0, args),
        "Whether the duration is less than none.",
        "(.isNegative (Duration/ofSeconds -1)) ;=> true",
    ),
    row(
        ".isZero",
        exactly(1),
        |_, args| test(".isZero", |millis| millis == 0, args),
        "Whether the duration is none.",
        "(.isZero (Duration/ofSeconds 0)) ;=> true",
    ),
    row(
        ".minus",
        between(2, 3),
        |_, args| moved(".minus", i64::checked_neg, args),
        "What is a duration, or a number of units, earlier; a duration without another.",
        "(str (.minus (LocalDate/parse \"2024-03-01\") 1 ChronoUnit/DAYS)) ;=> \"2024-02-29\"",
    ),
    row(
        ".minusSeconds",
        exactly(2),
        |_, args| later(".minusSeconds", -SECOND, args),
        "The datetime this many seconds earlier.",
        "(str (.minusSeconds (Instant/ofEpochMilli 9000) 9)) ;=> \"1970-01-01T00:00:00Z\"",
    ),
    row(
        ".plus",
        between(2, 3),
        |_, args| moved(".plus", Some, args),
        "What is a duration, or a number of units, later; a duration and another.",
        "(str (.plus (Instant/ofEpochMilli 0) (Duration/ofHours 1))) ;=> \"1970-01-01T01:00:00Z\"",
    ),
    row(
        ".plusMillis",
        exactly(2),
        |_, args| later(".plusMillis", 1, args),
        "The datetime this many milliseconds later.",
        "(str (.plusMillis (Instant/ofEpochMilli 0) 1000)) ;=> \"1970-01-01T00:00:01Z\"",
    ),
    row(
        ".plusSeconds",
        exactly(2),
        |_, args| later(".plusSeconds", SECOND, args),
        "The datetime this many seconds later.",
        "(str (.plusSeconds (Instant/ofEpochMilli 0) 60)) ;=> \"1970-01-01T00:01:00Z\"",
    ),
    row(
        ".toSeconds",
        exactly(1),
        |_, args| of_duration(".toSeconds", |millis| millis.div_euclid(SECOND), args),
        "The same as .getSeconds.",
        "(.toSeconds (Duration/ofMinutes 2)) ;=> 120",
    ),
    row(
        "Duration/ofDays",
        exactly(1),
        |_, args| duration("Duration/ofDays", DAY, args),
        "The duration of this many days.",
        "(.toHours (Duration/ofDays 2)) ;=> 48",
    ),
    row(
        "Duration/ofHours",
        exactly(1),
        |_, args| duration("Duration/ofHours", HOUR, args),
        "The duration of this many hours.",
        "(.toMinutes (Duration/ofHours 2)) ;=> 120",
    ),
    row(
        "Duration/ofMillis",
        exactly(1),
        |_, args| duration("Duration/ofMillis", 1, args),
        "The duration of this many milliseconds.",
        "(.toMillis (Duration/ofMillis 5)) ;=> 5",
    ),
    row(
        "Duration/ofMinutes",
        exactly(1),
        |_, args| duration("Duration/ofMinutes", MINUTE, args),
        "The duration of this many minutes.",
        "(str (Duration/ofMinutes 90)) ;=> \"PT1H30M\"",
    ),
    row(
        "Duration/ofSeconds",
        exactly(1),
        |_, args| duration("Duration/ofSeconds", SECOND, args),
        "The duration of this many seconds.",
        "(.toMillis (Duration/ofSeconds 2)) ;=> 2000",
    ),
    row(
        "Instant/ofEpochSecond",
        exactly(1),
        |_, args| match args {
            [Value::Int(seconds)] => {
                seconds.checked_mul(SECOND).map_or_else(overflow, |millis| Ok(Value::DateTime(millis)))
            }
            _ => wrong("Instant/ofEpochSecond", "an integer", args),
        },
        "The datetime this many seconds after 1970.",
        "(str (Instant/ofEpochSecond 60)) ;=> \"1970-01-01T00:01:00Z\"",
    ),
];

fn test(name: &str, holds: fn(i64) -> bool, args: &[Value]) -> Eval {
    match args {
        [Value::Duration(millis)] => Ok(Value::Bool(holds(*millis))),
        _ => wrong(name, "a duration", args),
    }
}

fn duration(name: &str, unit: i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(count)] => {
            count.checked_mul(unit).map_or_else(overflow, |millis| Ok(Value::Duration(millis)))
        }
        _ => wrong(name, "an integer", args),
    }
}

fn later(name: &str, unit: i64, args: &[Value]) -> Eval {
    match args {
        [start @ Value::DateTime(_), Value::Int(count)] => {
            shifted(start, count.checked_mul(unit)).map_or_else(overflow, Ok)
        }
        [Value::DateTime(_), other] => type_error(name, "an integer", other),
        _ => wrong(name, "a datetime", args),
    }
}

/// A datetime or duration that is so much later or longer.
fn shifted(start: &Value, millis: Option<i64>) -> Option<Value> {
    match start {
        Value::DateTime(start) => start.checked_add(millis?).map(Value::DateTime),
        Value::Duration(length) => length.checked_add(millis?).map(Value::Duration),
        _ => None,
    }
}

fn moved(name: &str, sign: fn(i64) -> Option<i64>, args: &[Value]) -> Eval {
    match args {
        [start @ (Value::DateTime(_) | Value::Duration(_)), Value::Duration(millis)] => {
            shifted(start, sign(*millis)).map_or_else(overflow, Ok)
        }
        [Value::DateTime(_) | Value::Duration(_), other] => type_error(name, "a duration", other),
        [Value::Date(_) | Value::DateTime(_), Value::Int(_), Value::Str(unit)]
            if !is_unit(&args[0], unit) =>
        {
            type_error(name, "a unit that fits the date", &args[2])
        }
        [Value::Date(date), Value::Int(count), Value::Str(unit)] => sign(*count)
            .and_then(|count| date_moved(*date, count, unit))
            .map_or_else(overflow, |date| Ok(Value::Date(date))),
        [start @ Value::DateTime(_), Value::Int(count), Value::Str(unit)] => {
            let millis = sign(*count).and_then(|count| count.checked_mul(unit_millis(unit)?));
            shifted(start, millis).map_or_else(overflow, Ok)
        }
        [Value::Date(_) | Value::DateTime(_), Value::Int(_), other] => {
            type_error(name, "a unit such as ChronoUnit/DAYS", other)
        }
        [Value::Date(_) | Value::DateTime(_), other, ..] => type_error(name, "an integer and a unit", other),
        _ => wrong(name, "a date, datetime or duration", args),
    }
}

fn is_unit(start: &Value, unit: &str) -> bool {
    match start {
        Value::Date(_) => matches!(unit, "Days" | "Weeks" | "Months" | "Years"),
        _ => unit_millis(unit).is_some(),
    }
}

fn date_moved(date: Date, count: i64, unit: &str) -> Option<Date> {
    match unit {
        "Days" => date.plus_days(count),
        "Weeks" => date.plus_days(count.checked_mul(7)?),
        "Months" => plus_months(date, count),
        _ => plus_months(date, count.checked_mul(12)?),
    }
}
