//! Durations, and what is that much later or earlier.

use super::calendar::{plus_months, unit_millis};
use super::{overflow, wrong};
use crate::error::{Eval, type_error};
use crate::time::Date;
use crate::value::Value;

pub(super) const SECOND: i64 = 1_000;
pub(super) const MINUTE: i64 = 60 * SECOND;
pub(super) const HOUR: i64 = 60 * MINUTE;
pub(super) const DAY: i64 = 24 * HOUR;

pub(super) fn test(name: &str, holds: fn(i64) -> bool, args: &[Value]) -> Eval {
    match args {
        [Value::Duration(millis)] => Ok(Value::Bool(holds(*millis))),
        _ => wrong(name, "a duration", args),
    }
}

pub(super) fn duration(name: &str, unit: i64, args: &[Value]) -> Eval {
    match args {
        [Value::Int(count)] => {
            count.checked_mul(unit).map_or_else(overflow, |millis| Ok(Value::Duration(millis)))
        }
        _ => wrong(name, "an integer", args),
    }
}

pub(super) fn later(name: &str, unit: i64, args: &[Value]) -> Eval {
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

pub(super) fn moved(name: &str, sign: fn(i64) -> Option<i64>, args: &[Value]) -> Eval {
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
