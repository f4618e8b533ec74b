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

use super::{Builtin, between, exactly};

pub(super) use calendar::{CONSTANTS, ROWS as CALENDAR, name_number};

const DATE_TEXT: &str = "a date such as \"2024-05-01\"";
const DATETIME_TEXT: &str = "a datetime such as \"2024-05-01T07:30:00Z\"";

pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: ".after",
        arity: exactly(2),
        run: |_, args| ordered(".after", Ordering::Greater, args),
        doc: "The same as .isAfter.",
        example: "(.after (java.util.Date. 0) (java.util.Date. 1)) ;=> false",
    },
    Builtin {
        name: ".before",
        arity: exactly(2),
        run: |_, args| ordered(".before", Ordering::Less, args),
        doc: "The same as .isBefore.",
        example: "(.before (java.util.Date. 0) (java.util.Date. 1)) ;=> true",
    },
    Builtin {
        name: ".getDayOfMonth",
        arity: exactly(1),
        run: |_, args| of_date(".getDayOfMonth", |date| date.civil().day.into(), args),
        doc: "The day of the date in its month, from 1.",
        example: "(.getDayOfMonth (LocalDate/parse \"2024-02-28\")) ;=> 28",
    },
    Builtin {
        name: ".getMonthValue",
        arity: exactly(1),
        run: |_, args| of_date(".getMonthValue", |date| date.civil().month.into(), args),
        doc: "The month of the date, from 1.",
        example: "(.getMonthValue (LocalDate/parse \"2024-02-28\")) ;=> 2",
    },
    Builtin {
        name: ".getTime",
        arity: exactly(1),
        run: |_, args| of_datetime(".getTime", args),
        doc: "The datetime in milliseconds since 1970.",
        example: "(.getTime (java.util.Date. 5)) ;=> 5",
    },
    Builtin {
        name: ".getYear",
        arity: exactly(1),
        run: |_, args| of_date(".getYear", |date| date.civil().year, args),
        doc: "The year of the date.",
        example: "(.getYear (LocalDate/parse \"2024-02-28\")) ;=> 2024",
    },
    Builtin {
        name: ".isAfter",
        arity: exactly(2),
        run: |_, args| ordered(".isAfter", Ordering::Greater, args),
        doc: "Whether the first date or datetime is after the second.",
        example: "(.isAfter (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> false",
    },
    Builtin {
        name: ".isBefore",
        arity: exactly(2),
        run: |_, args| ordered(".isBefore", Ordering::Less, args),
        doc: "Whether the first date or datetime is before the second.",
        example: "(.isBefore (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> true",
    },
    Builtin {
        name: ".minusDays",
        arity: exactly(2),
        run: |_, args| moved(".minusDays", i64::checked_neg, args),
        doc: "The date this many days earlier.",
        example: "(str (.minusDays (LocalDate/parse \"2024-03-01\") 1)) ;=> \"2024-02-29\"",
    },
    Builtin {
        name: ".plusDays",
        arity: exactly(2),
        run: |_, args| moved(".plusDays", Some, args),
        doc: "The date this many days later.",
        example: "(str (.plusDays (LocalDate/parse \"2024-02-28\") 2)) ;=> \"2024-03-01\"",
    },
    Builtin {
        name: ".toDays",
        arity: exactly(1),
        run: |_, args| of_duration(".toDays", |millis| millis / 86_400_000, args),
        doc: "The whole days of the duration.",
        example: "(.toDays (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-03T12:00:00Z\"))) ;=> 2",
    },
    Builtin {
        name: ".toEpochDay",
        arity: exactly(1),
        run: |_, args| of_date(".toEpochDay", |date| date.0.into(), args),
        doc: "The date in days since 1970-01-01.",
        example: "(.toEpochDay (LocalDate/parse \"1970-01-11\")) ;=> 10",
    },
    Builtin {
        name: ".toEpochMilli",
        arity: exactly(1),
        run: |_, args| of_datetime(".toEpochMilli", args),
        doc: "The same as .getTime.",
        example: "(.toEpochMilli (Instant/parse \"1970-01-01T00:00:01Z\")) ;=> 1000",
    },
    Builtin {
        name: ".toMillis",
        arity: exactly(1),
        run: |_, args| of_duration(".toMillis", |millis| millis, args),
        doc: "The duration in milliseconds.",
        example: "(.toMillis (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T00:00:01Z\"))) ;=> 1000",
    },
    Builtin {
        name: "Duration/between",
        arity: exactly(2),
        run: |_, args| between_datetimes("Duration/between", args),
        doc: "The time from the first datetime to the second.",
        example: "(str (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\"",
    },
    Builtin {
        name: "Instant/parse",
        arity: exactly(1),
        run: |cx, args| parse_instant(cx, "Instant/parse", args),
        doc: "The datetime that a text such as 2024-05-01T07:30:00Z stands for; UTC if it names no offset.",
        example: "(str (Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\"",
    },
    Builtin {
        name: "LocalDate/parse",
        arity: exactly(1),
        run: |cx, args| parse(cx, "LocalDate/parse", args),
        doc: "The date that YYYY-MM-DD stands for, or the datetime if there is a time.",
        example: "(str (LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\"",
    },
    Builtin {
        name: "System/currentTimeMillis",
        arity: exactly(0),
        run: |cx, _| Ok(Value::Int(cx.now())),
        doc: "The time of the scenario in milliseconds since 1970; it does not pass.",
        example: "(= (System/currentTimeMillis) (.getTime (java.util.Date.))) ;=> true",
    },
    Builtin {
        name: "currentTimeMillis",
        arity: exactly(0),
        run: |cx, _| Ok(Value::Int(cx.now())),
        doc: "The same as System/currentTimeMillis.",
        example: "(= (currentTimeMillis) (System/currentTimeMillis)) ;=> true",
    },
    Builtin {
        name: "java.time.Duration/between",
        arity: exactly(2),
        run: |_, args| between_datetimes("java.time.Duration/between", args),
        doc: "The same as Duration/between.",
        example: "(str (java.time.Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\"",
    },
    Builtin {
        name: "java.time.Instant/parse",
        arity: exactly(1),
        run: |cx, args| parse_instant(cx, "java.time.Instant/parse", args),
        doc: "The same as Instant/parse.",
        example: "(str (java.time.Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\"",
    },
    Builtin {
        name: "java.time.LocalDate/parse",
        arity: exactly(1),
        run: |cx, args| parse(cx, "java.time.LocalDate/parse", args),
        doc: "The same as LocalDate/parse.",
        example: "(str (java.time.LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\"",
    },
    Builtin {
        name: "java.util.Date.",
        arity: between(0, 1),
        run: java_date,
        doc: "The datetime of now, of milliseconds since 1970, or of a text such as 2024-05-01T07:30:00Z.",
        example: "(.getTime (java.util.Date. \"1970-01-01T00:00:01Z\")) ;=> 1000",
    },
    Builtin {
        name: "parse",
        arity: exactly(1),
        run: |cx, args| parse(cx, "parse", args),
        doc: "The date that YYYY-MM-DD stands for, or the datetime if there is a time.",
        example: "(.getYear (parse \"2024-05-01\")) ;=> 2024",
    },
];

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
