//! Dates, datetimes and durations, as Java names what programs do with them. Reading, printing and
//! the calendar itself are in `lisp::time`.

mod calendar;
mod span;

use std::cmp::Ordering;

use crate::error::{ErrorKind, Eval, raise, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::time::{Date, parse_datetime, parse_rfc_2822};
use crate::value::Value;

use super::{between, builtins, exactly};

pub(super) use calendar::{CONSTANTS, ROWS as CALENDAR, name_number};

const DATE_TEXT: &str = "a date such as \"2024-05-01\"";
const DATETIME_TEXT: &str = "a datetime such as \"2024-05-01T07:30:00Z\"";

builtins! {
    pub(super) static ROWS;

    /// The same as .isAfter.
    ".after" [exactly(2)] = |_, args| ordered(".after", Ordering::Greater, args) =>
        "(.after (java.util.Date. 0) (java.util.Date. 1)) ;=> false"
    /// The same as .isBefore.
    ".before" [exactly(2)] = |_, args| ordered(".before", Ordering::Less, args) =>
        "(.before (java.util.Date. 0) (java.util.Date. 1)) ;=> true"
    /// The day of the date in its month, from 1.
    ".getDayOfMonth" [exactly(1)] = |_, args| of_date(".getDayOfMonth", |date| date.civil().day.into(), args) =>
        "(.getDayOfMonth (LocalDate/parse \"2024-02-28\")) ;=> 28"
    /// The month of the date, from 1.
    ".getMonthValue" [exactly(1)] = |_, args| of_date(".getMonthValue", |date| date.civil().month.into(), args) =>
        "(.getMonthValue (LocalDate/parse \"2024-02-28\")) ;=> 2"
    /// The datetime in milliseconds since 1970.
    ".getTime" [exactly(1)] = |_, args| of_datetime(".getTime", args) =>
        "(.getTime (java.util.Date. 5)) ;=> 5"
    /// The year of the date.
    ".getYear" [exactly(1)] = |_, args| of_date(".getYear", |date| date.civil().year, args) =>
        "(.getYear (LocalDate/parse \"2024-02-28\")) ;=> 2024"
    /// Whether the first date or datetime is after the second.
    ".isAfter" [exactly(2)] = |_, args| ordered(".isAfter", Ordering::Greater, args) =>
        "(.isAfter (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> false"
    /// Whether the first date or datetime is before the second.
    ".isBefore" [exactly(2)] = |_, args| ordered(".isBefore", Ordering::Less, args) =>
        "(.isBefore (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> true"
    /// The date this many days earlier.
    ".minusDays" [exactly(2)] = |_, args| moved(".minusDays", i64::checked_neg, args) =>
        "(str (.minusDays (LocalDate/parse \"2024-03-01\") 1)) ;=> \"2024-02-29\""
    /// The date this many days later.
    ".plusDays" [exactly(2)] = |_, args| moved(".plusDays", Some, args) =>
        "(str (.plusDays (LocalDate/parse \"2024-02-28\") 2)) ;=> \"2024-03-01\""
    /// The whole days of the duration.
    ".toDays" [exactly(1)] = |_, args| of_duration(".toDays", |millis| millis / 86_400_000, args) =>
        "(.toDays (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-03T12:00:00Z\"))) ;=> 2"
    /// The date in days since 1970-01-01.
    ".toEpochDay" [exactly(1)] = |_, args| of_date(".toEpochDay", |date| date.0.into(), args) =>
        "(.toEpochDay (LocalDate/parse \"1970-01-11\")) ;=> 10"
    /// The same as .getTime.
    ".toEpochMilli" [exactly(1)] = |_, args| of_datetime(".toEpochMilli", args) =>
        "(.toEpochMilli (Instant/parse \"1970-01-01T00:00:01Z\")) ;=> 1000"
    /// The duration in milliseconds.
    ".toMillis" [exactly(1)] = |_, args| of_duration(".toMillis", |millis| millis, args) =>
        "(.toMillis (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T00:00:01Z\"))) ;=> 1000"
    /// The time from the first datetime to the second.
    "Duration/between" [exactly(2)] = |_, args| between_datetimes("Duration/between", args) =>
        "(str (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\""
    /// The datetime that a text such as 2024-05-01T07:30:00Z stands for; UTC if it names no offset.
    "Instant/parse" [exactly(1)] = |cx, args| parse_instant(cx, "Instant/parse", args) =>
        "(str (Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\""
    /// The date that YYYY-MM-DD stands for, or the datetime if there is a time.
    "LocalDate/parse" [exactly(1)] = |cx, args| parse(cx, "LocalDate/parse", args) =>
        "(str (LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\""
    /// The time of the scenario in milliseconds since 1970; it does not pass.
    "System/currentTimeMillis" [exactly(0)] = |cx, _| Ok(Value::Int(cx.now())) =>
        "(= (System/currentTimeMillis) (.getTime (java.util.Date.))) ;=> true"
    /// The same as System/currentTimeMillis.
    "currentTimeMillis" [exactly(0)] = |cx, _| Ok(Value::Int(cx.now())) =>
        "(= (currentTimeMillis) (System/currentTimeMillis)) ;=> true"
    /// The same as Duration/between.
    "java.time.Duration/between" [exactly(2)] = |_, args| between_datetimes("java.time.Duration/between", args) =>
        "(str (java.time.Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\""
    /// The same as Instant/parse.
    "java.time.Instant/parse" [exactly(1)] = |cx, args| parse_instant(cx, "java.time.Instant/parse", args) =>
        "(str (java.time.Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\""
    /// The same as LocalDate/parse.
    "java.time.LocalDate/parse" [exactly(1)] = |cx, args| parse(cx, "java.time.LocalDate/parse", args) =>
        "(str (java.time.LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\""
    /// The datetime of now, of milliseconds since 1970, or of a text such as 2024-05-01T07:30:00Z.
    "java.util.Date." [between(0, 1)] = java_date =>
        "(.getTime (java.util.Date. \"1970-01-01T00:00:01Z\")) ;=> 1000"
    /// The date that YYYY-MM-DD stands for, or the datetime if there is a time.
    "parse" [exactly(1)] = |cx, args| parse(cx, "parse", args) => "(.getYear (parse \"2024-05-01\")) ;=> 2024"
}

fn java_date(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [] => Ok(Value::DateTime(cx.now())),
        [Value::Int(millis)] => Ok(Value::DateTime(*millis)),
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            let millis = parse_datetime(text)
                .or_else(|| Date::parse(text).map(Date::start_millis))
                .or_else(|| parse_rfc_2822(text));
            millis.map_or_else(
                || wrong("java.util.Date.", DATETIME_TEXT, args),
                |millis| Ok(Value::DateTime(millis)),
            )
        }
        _ => wrong("java.util.Date.", "milliseconds or a string", args),
    }
}

fn parse(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] if text.contains('T') => parse_instant(cx, name, args),
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            Date::parse(text).map_or_else(|| unreadable(name, DATE_TEXT, args), |date| Ok(Value::Date(date)))
        }
        _ => wrong(name, DATE_TEXT, args),
    }
}

fn parse_instant(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = args else { return wrong(name, DATETIME_TEXT, args) };
    cx.tick_text(text)?;
    parse_datetime(text)
        .map_or_else(|| unreadable(name, DATETIME_TEXT, args), |millis| Ok(Value::DateTime(millis)))
}

fn unreadable(name: &str, expected: &str, args: &[Value]) -> Eval {
    wrong(name, expected, args).map_err(of_class(Class::DateTimeParseException))
}

/// Whether the first stands in `order` to the second.
fn ordered(name: &str, order: Ordering, args: &[Value]) -> Eval {
    match args {
        [Value::Date(a), Value::Date(b)] => Ok(Value::Bool(a.cmp(b) == order)),
        [Value::DateTime(a), Value::DateTime(b)] => Ok(Value::Bool(a.cmp(b) == order)),
        [Value::Date(_), other] => type_error(name, "a date", other),
        [Value::DateTime(_), other] => type_error(name, "a datetime", other),
        _ => wrong(name, "a date or datetime", args),
    }
}

fn moved(name: &str, days_later: fn(i64) -> Option<i64>, args: &[Value]) -> Eval {
    match args {
        [Value::Date(date), Value::Int(days)] => {
            match days_later(*days).and_then(|days| date.plus_days(days)) {
                Some(date) => Ok(Value::Date(date)),
                None => overflow(),
            }
        }
        [Value::Date(_), other] => type_error(name, "an integer", other),
        _ => wrong(name, "a date", args),
    }
}

fn between_datetimes(name: &str, args: &[Value]) -> Eval {
    match args {
        [Value::DateTime(start), Value::DateTime(end)] => {
            end.checked_sub(*start).map_or_else(overflow, |millis| Ok(Value::Duration(millis)))
        }
        [Value::DateTime(_), other] => type_error(name, "a datetime", other),
        _ => wrong(name, "a datetime", args),
    }
}

fn of_date(name: &str, part: fn(Date) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::Date(date)] => Ok(Value::Int(part(*date))),
        _ => wrong(name, "a date", args),
    }
}

fn of_datetime(name: &str, args: &[Value]) -> Eval {
    match args {
        [Value::DateTime(millis)] => Ok(Value::Int(*millis)),
        _ => wrong(name, "a datetime", args),
    }
}

fn of_duration(name: &str, amount: fn(i64) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::Duration(millis)] => Ok(Value::Int(amount(*millis))),
        _ => wrong(name, "a duration", args),
    }
}

/// The type error of the first argument.
fn wrong(name: &str, expected: &str, args: &[Value]) -> Eval {
    type_error(name, expected, args.first().unwrap_or(&Value::Nil))
}

fn overflow() -> Eval {
    raise(ErrorKind::ArithmeticError, "integer overflow")
}
