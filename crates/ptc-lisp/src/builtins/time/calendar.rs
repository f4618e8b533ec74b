//! Dates by the calendar: months, weeks and years, names of days, and distances in units.

use std::cmp::Ordering;

use super::{moved, of_date, of_duration, ordered, overflow, span, wrong};
use crate::builtins::{Constant, between, builtins, exactly};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::time::{Civil, Date};
use crate::value::Value;

const WEEKDAYS: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const MONTHS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

builtins! {
    pub(in crate::builtins) static ROWS;

    /// How many whole units, such as ChronoUnit/DAYS, lie between two dates or datetimes.
    ".between" [exactly(3)] = between_in_units =>
        "(.between ChronoUnit/DAYS (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-03-01\")) ;=> 30"
    /// The name of the day, such as MONDAY.
    ".getDayOfWeek" [exactly(1)] = |cx, args| named(cx, ".getDayOfWeek", weekday, args) =>
        "(.getDayOfWeek (LocalDate/parse \"2024-01-31\")) ;=> \"WEDNESDAY\""
    /// The day of the date in its year, from 1.
    ".getDayOfYear" [exactly(1)] = |_, args| of_date(".getDayOfYear", day_of_year, args) =>
        "(.getDayOfYear (LocalDate/parse \"2024-01-31\")) ;=> 31"
    /// The datetime in seconds since 1970.
    ".getEpochSecond" [exactly(1)] = |_, args| of_instant(".getEpochSecond", |millis| millis.div_euclid(1_000), args) =>
        "(.getEpochSecond (java.util.Date. 5000)) ;=> 5"
    /// The name of the month, such as JANUARY.
    ".getMonth" [exactly(1)] = |cx, args| named(cx, ".getMonth", month, args) =>
        "(.getMonth (LocalDate/parse \"2024-01-31\")) ;=> \"JANUARY\""
    /// The whole seconds of the duration.
    ".getSeconds" [exactly(1)] = |_, args| of_duration(".getSeconds", |millis| millis.div_euclid(1_000), args) =>
        "(.getSeconds (Duration/between (java.util.Date. 0) (java.util.Date. 90000))) ;=> 90"
    /// Whether the two dates or datetimes are the same.
    ".isEqual" [exactly(2)] = |_, args| ordered(".isEqual", Ordering::Equal, args) =>
        "(.isEqual (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-01-31\")) ;=> true"
    /// Whether the year of the date has 366 days.
    ".isLeapYear" [exactly(1)] = leap_year => "(.isLeapYear (LocalDate/parse \"2024-01-31\")) ;=> true"
    /// Whether the duration is less than none.
    ".isNegative" [exactly(1)] = |_, args| span::test(".isNegative", |millis| millis < 0, args) =>
        "(.isNegative (Duration/ofSeconds -1)) ;=> true"
    /// Whether the duration is none.
    ".isZero" [exactly(1)] = |_, args| span::test(".isZero", |millis| millis == 0, args) =>
        "(.isZero (Duration/ofSeconds 0)) ;=> true"
    /// How many days the month of the date has.
    ".lengthOfMonth" [exactly(1)] = |_, args| of_date(".lengthOfMonth", |date| date.civil().days_in_month().into(), args) =>
        "(.lengthOfMonth (LocalDate/parse \"2024-01-31\")) ;=> 31"
    /// How many days the year of the date has.
    ".lengthOfYear" [exactly(1)] = |_, args| of_date(".lengthOfYear", |date| 365 + i64::from(date.civil().is_in_leap_year()), args) =>
        "(.lengthOfYear (LocalDate/parse \"2024-01-31\")) ;=> 366"
    /// What is a duration, or a number of units, earlier; a duration without another.
    ".minus" [between(2, 3)] = |_, args| span::moved(".minus", i64::checked_neg, args) =>
        "(str (.minus (LocalDate/parse \"2024-03-01\") 1 ChronoUnit/DAYS)) ;=> \"2024-02-29\""
    /// The date this many months earlier, at the end of a month that is too short.
    ".minusMonths" [exactly(2)] = |_, args| months_moved(".minusMonths", 1, i64::checked_neg, args) =>
        "(str (.minusMonths (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2023-12-31\""
    /// The datetime this many seconds earlier.
    ".minusSeconds" [exactly(2)] = |_, args| span::later(".minusSeconds", -span::SECOND, args) =>
        "(str (.minusSeconds (Instant/ofEpochMilli 9000) 9)) ;=> \"1970-01-01T00:00:00Z\""
    /// The date this many weeks earlier.
    ".minusWeeks" [exactly(2)] = |_, args| moved(".minusWeeks", |weeks| weeks.checked_mul(7).and_then(i64::checked_neg), args) =>
        "(str (.minusWeeks (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-01-24\""
    /// The date this many years earlier.
    ".minusYears" [exactly(2)] = |_, args| months_moved(".minusYears", 12, i64::checked_neg, args) =>
        "(str (.minusYears (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2023-01-31\""
    /// What is a duration, or a number of units, later; a duration and another.
    ".plus" [between(2, 3)] = |_, args| span::moved(".plus", Some, args) =>
        "(str (.plus (Instant/ofEpochMilli 0) (Duration/ofHours 1))) ;=> \"1970-01-01T01:00:00Z\""
    /// The datetime this many milliseconds later.
    ".plusMillis" [exactly(2)] = |_, args| span::later(".plusMillis", 1, args) =>
        "(str (.plusMillis (Instant/ofEpochMilli 0) 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The date this many months later, at the end of a month that is too short.
    ".plusMonths" [exactly(2)] = |_, args| months_moved(".plusMonths", 1, Some, args) =>
        "(str (.plusMonths (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-02-29\""
    /// The datetime this many seconds later.
    ".plusSeconds" [exactly(2)] = |_, args| span::later(".plusSeconds", span::SECOND, args) =>
        "(str (.plusSeconds (Instant/ofEpochMilli 0) 60)) ;=> \"1970-01-01T00:01:00Z\""
    /// The date this many weeks later.
    ".plusWeeks" [exactly(2)] = |_, args| moved(".plusWeeks", |weeks| weeks.checked_mul(7), args) =>
        "(str (.plusWeeks (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-02-07\""
    /// The date this many years later.
    ".plusYears" [exactly(2)] = |_, args| months_moved(".plusYears", 12, Some, args) =>
        "(str (.plusYears (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2025-01-31\""
    /// The whole hours of the duration.
    ".toHours" [exactly(1)] = |_, args| of_duration(".toHours", |millis| millis / 3_600_000, args) =>
        "(.toHours (Duration/between (java.util.Date. 0) (java.util.Date. 7300000))) ;=> 2"
    /// The whole minutes of the duration.
    ".toMinutes" [exactly(1)] = |_, args| of_duration(".toMinutes", |millis| millis / 60_000, args) =>
        "(.toMinutes (Duration/between (java.util.Date. 0) (java.util.Date. 90000))) ;=> 1"
    /// The same as .getSeconds.
    ".toSeconds" [exactly(1)] = |_, args| of_duration(".toSeconds", |millis| millis.div_euclid(span::SECOND), args) =>
        "(.toSeconds (Duration/ofMinutes 2)) ;=> 120"
    /// How many whole units the second date or datetime is after the first.
    ".until" [exactly(3)] = until =>
        "(.until (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-02-29\") ChronoUnit/DAYS) ;=> 29"
    /// The date on this day of its month.
    ".withDayOfMonth" [exactly(2)] = with_day =>
        "(str (.withDayOfMonth (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-01-01\""
    /// The date in this month of its year, on its last day if it is too short.
    ".withMonth" [exactly(2)] = |_, args| {
            with(
                ".withMonth",
                "a month from 1 to 12",
                |civil, month| Some(Civil { month: u32::try_from(month).ok()?, ..civil }),
                args,
            )
        } =>
        "(str (.withMonth (LocalDate/parse \"2024-01-31\") 2)) ;=> \"2024-02-29\""
    /// The same day of another year.
    ".withYear" [exactly(2)] = |_, args| with(".withYear", "a year", |civil, year| Some(Civil { year, ..civil }), args) =>
        "(str (.withYear (LocalDate/parse \"2024-02-29\") 2023)) ;=> \"2023-02-28\""
    /// The duration of this many days.
    "Duration/ofDays" [exactly(1)] = |_, args| span::duration("Duration/ofDays", span::DAY, args) =>
        "(.toHours (Duration/ofDays 2)) ;=> 48"
    /// The duration of this many hours.
    "Duration/ofHours" [exactly(1)] = |_, args| span::duration("Duration/ofHours", span::HOUR, args) =>
        "(.toMinutes (Duration/ofHours 2)) ;=> 120"
    /// The duration of this many milliseconds.
    "Duration/ofMillis" [exactly(1)] = |_, args| span::duration("Duration/ofMillis", 1, args) =>
        "(.toMillis (Duration/ofMillis 5)) ;=> 5"
    /// The duration of this many minutes.
    "Duration/ofMinutes" [exactly(1)] = |_, args| span::duration("Duration/ofMinutes", span::MINUTE, args) =>
        "(str (Duration/ofMinutes 90)) ;=> \"PT1H30M\""
    /// The duration of this many seconds.
    "Duration/ofSeconds" [exactly(1)] = |_, args| span::duration("Duration/ofSeconds", span::SECOND, args) =>
        "(.toMillis (Duration/ofSeconds 2)) ;=> 2000"
    /// The datetime this many milliseconds after 1970.
    "Instant/ofEpochMilli" [exactly(1)] = |_, args| of_epoch_milli("Instant/ofEpochMilli", args) =>
        "(str (Instant/ofEpochMilli 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The datetime this many seconds after 1970.
    "Instant/ofEpochSecond" [exactly(1)] = |_, args| match args {
            [Value::Int(seconds)] => {
                seconds.checked_mul(span::SECOND).map_or_else(overflow, |millis| Ok(Value::DateTime(millis)))
            }
            _ => wrong("Instant/ofEpochSecond", "an integer", args),
        } =>
        "(str (Instant/ofEpochSecond 60)) ;=> \"1970-01-01T00:01:00Z\""
    /// The date of a year, a month and a day, both from 1.
    "LocalDate/of" [exactly(3)] = |_, args| date_of("LocalDate/of", args) =>
        "(str (LocalDate/of 2024 2 29)) ;=> \"2024-02-29\""
    /// The date this many days after 1970-01-01.
    "LocalDate/ofEpochDay" [exactly(1)] = |_, args| of_epoch_day("LocalDate/ofEpochDay", args) =>
        "(str (LocalDate/ofEpochDay 1)) ;=> \"1970-01-02\""
    /// The datetime this many milliseconds after 1970.
    "java.time.Instant/ofEpochMilli" [exactly(1)] = |_, args| of_epoch_milli("java.time.Instant/ofEpochMilli", args) =>
        "(str (java.time.Instant/ofEpochMilli 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The date of a year, a month and a day, both from 1.
    "java.time.LocalDate/of" [exactly(3)] = |_, args| date_of("java.time.LocalDate/of", args) =>
        "(str (java.time.LocalDate/of 2024 2 29)) ;=> \"2024-02-29\""
    /// The date this many days after 1970-01-01.
    "java.time.LocalDate/ofEpochDay" [exactly(1)] = |_, args| of_epoch_day("java.time.LocalDate/ofEpochDay", args) =>
        "(str (java.time.LocalDate/ofEpochDay 1)) ;=> \"1970-01-02\""
}

/// Units and days are their own names.
pub(in crate::builtins) static CONSTANTS: &[Constant] = &[
    unit("ChronoUnit/DAYS", "Days"),
    unit("ChronoUnit/HOURS", "Hours"),
    unit("ChronoUnit/MINUTES", "Minutes"),
    unit("ChronoUnit/MONTHS", "Months"),
    unit("ChronoUnit/SECONDS", "Seconds"),
    unit("ChronoUnit/WEEKS", "Weeks"),
    unit("ChronoUnit/YEARS", "Years"),
    day("DayOfWeek/FRIDAY", "FRIDAY"),
    day("DayOfWeek/MONDAY", "MONDAY"),
    day("DayOfWeek/SATURDAY", "SATURDAY"),
    day("DayOfWeek/SUNDAY", "SUNDAY"),
    day("DayOfWeek/THURSDAY", "THURSDAY"),
    day("DayOfWeek/TUESDAY", "TUESDAY"),
    day("DayOfWeek/WEDNESDAY", "WEDNESDAY"),
];

const fn day(name: &'static str, value: &'static str) -> Constant {
    Constant {
        name,
        value: Value::Str(ecow::EcoString::inline(value)),
        doc: "A day as .getDayOfWeek gives it.",
    }
}

const fn unit(name: &'static str, value: &'static str) -> Constant {
    Constant {
        name,
        value: Value::Str(ecow::EcoString::inline(value)),
        doc: "A unit of time, for .between and .until.",
    }
}

fn of_instant(name: &str, part: fn(i64) -> i64, args: &[Value]) -> Eval {
    match args {
        [Value::DateTime(millis)] => Ok(Value::Int(part(*millis))),
        _ => wrong(name, "a datetime", args),
    }
}

fn named(cx: &mut Interpreter<'_>, name: &str, of: fn(Date) -> &'static str, args: &[Value]) -> Eval {
    match args {
        [Value::Date(date)] => cx.string(of(*date)),
        _ => wrong(name, "a date", args),
    }
}

/// The first of 1970 was a Thursday.
fn weekday(date: Date) -> &'static str {
    WEEKDAYS[(i64::from(date.0) + 3).rem_euclid(7) as usize]
}

fn month(date: Date) -> &'static str {
    MONTHS[(date.civil().month as usize - 1) % 12]
}

fn day_of_year(date: Date) -> i64 {
    let first = Civil { month: 1, day: 1, ..date.civil() }.date().unwrap_or(date);
    i64::from(date.0) - i64::from(first.0) + 1
}

fn leap_year(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Date(date)] => Ok(Value::Bool(date.civil().is_in_leap_year())),
        _ => wrong(".isLeapYear", "a date", args),
    }
}

fn months_moved(name: &str, months: i64, sign: fn(i64) -> Option<i64>, args: &[Value]) -> Eval {
    match args {
        [Value::Date(date), Value::Int(count)] => {
            let moved =
                count.checked_mul(months).and_then(sign).and_then(|months| plus_months(*date, months));
            moved.map_or_else(overflow, |date| Ok(Value::Date(date)))
        }
        [Value::Date(_), other] => type_error(name, "an integer", other),
        _ => wrong(name, "a date", args),
    }
}

pub(super) fn plus_months(date: Date, months: i64) -> Option<Date> {
    let civil = date.civil();
    let all = months_since_year_0(civil).checked_add(months)?;
    let first = Civil { year: all.div_euclid(12), month: all.rem_euclid(12) as u32 + 1, day: 1 };
    Civil { day: civil.day.min(first.days_in_month()), ..first }.date()
}

fn months_since_year_0(civil: Civil) -> i64 {
    civil.year * 12 + i64::from(civil.month) - 1
}

fn with_day(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Date(date), day] = &*args else { return wrong(".withDayOfMonth", "a date", args) };
    let civil = date.civil();
    let found = match day {
        Value::Int(day) => u32::try_from(*day).ok().and_then(|day| Civil { day, ..civil }.date()),
        _ => None,
    };
    let expected = format!("a day from 1 to {}", civil.days_in_month());
    found.map_or_else(|| no_date(".withDayOfMonth", &expected, day), |date| Ok(Value::Date(date)))
}

/// The date with another year or month.
fn with(name: &str, expected: &str, change: fn(Civil, i64) -> Option<Civil>, args: &[Value]) -> Eval {
    let [Value::Date(date), part] = args else { return wrong(name, "a date", args) };
    let Value::Int(number @ -999_999..=999_999) = part else { return type_error(name, expected, part) };
    let changed = change(date.civil(), *number).filter(|civil| (1..=12).contains(&civil.month));
    let found = changed.and_then(|civil| Civil { day: civil.day.min(civil.days_in_month()), ..civil }.date());
    found.map_or_else(|| no_date(name, expected, part), |date| Ok(Value::Date(date)))
}

fn no_date(name: &str, expected: &str, given: &Value) -> Eval {
    type_error(name, expected, given).map_err(of_class(Class::DateTimeException))
}

/// The number of a day or month that is given by its name.
pub(in crate::builtins) fn name_number(name: &str) -> Option<i64> {
    let place = |names: &[&str]| names.iter().position(|known| *known == name);
    place(&WEEKDAYS).or_else(|| place(&MONTHS)).map(|index| index as i64 + 1)
}

fn date_of(name: &str, args: &[Value]) -> Eval {
    let [Value::Int(year), Value::Int(month), Value::Int(day)] = args else {
        let misfit = args.iter().find(|value| !matches!(value, Value::Int(_)));
        return type_error(name, "an integer", misfit.unwrap_or(&Value::Nil));
    };
    let part = |number: &i64| u32::try_from(*number).unwrap_or_default();
    let date = Civil { year: *year, month: part(month), day: part(day) };
    let exists = (-999_999..=999_999).contains(year).then(|| date.date()).flatten();
    let given = Value::vector(args.to_vec());
    exists
        .map_or_else(|| no_date(name, "year, month and day of a date", &given), |date| Ok(Value::Date(date)))
}

fn of_epoch_day(name: &str, args: &[Value]) -> Eval {
    match args {
        [Value::Int(days)] => Date(0).plus_days(*days).map_or_else(overflow, |date| Ok(Value::Date(date))),
        _ => wrong(name, "an integer", args),
    }
}

fn of_epoch_milli(name: &str, args: &[Value]) -> Eval {
    match args {
        [Value::Int(millis)] => Ok(Value::DateTime(*millis)),
        _ => wrong(name, "an integer", args),
    }
}

fn between_in_units(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [unit, start, end] = args else { return Ok(Value::Nil) };
    distance(".between", unit, start, end)
}

fn until(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [start, end, unit] = args else { return Ok(Value::Nil) };
    distance(".until", unit, start, end)
}

fn distance(name: &str, unit: &Value, start: &Value, end: &Value) -> Eval {
    let Value::Str(text) = unit else { return type_error(name, "a unit such as ChronoUnit/DAYS", unit) };
    let found = match (start, end) {
        (Value::Date(start), Value::Date(end)) => days_apart(text, *start, *end),
        (Value::DateTime(start), Value::DateTime(end)) => {
            unit_millis(text).and_then(|unit| Some(end.checked_sub(*start)? / unit))
        }
        (Value::Date(_), other) => return type_error(name, "a date", other),
        (Value::DateTime(_), other) => return type_error(name, "a datetime", other),
        (other, _) => return type_error(name, "a date or datetime", other),
    };
    found.map_or_else(|| type_error(name, "a unit that fits the dates", unit), |count| Ok(Value::Int(count)))
}

fn days_apart(unit: &str, start: Date, end: Date) -> Option<i64> {
    let days = i64::from(end.0) - i64::from(start.0);
    match unit {
        "Days" => Some(days),
        "Weeks" => Some(days / 7),
        "Months" => Some(months_apart(start.civil(), end.civil())),
        "Years" => Some(months_apart(start.civil(), end.civil()) / 12),
        _ => None,
    }
}

/// Whole months: the last one counts once its day has come.
fn months_apart(start: Civil, end: Civil) -> i64 {
    let packed = |civil: Civil| months_since_year_0(civil) * 32 + i64::from(civil.day);
    (packed(end) - packed(start)) / 32
}

pub(super) fn unit_millis(unit: &str) -> Option<i64> {
    Some(match unit {
        "Days" => 86_400_000,
        "Hours" => 3_600_000,
        "Minutes" => 60_000,
        "Seconds" => 1_000,
        _ => return None,
    })
}
