//! Dates, datetimes and durations as in `java.time`. `crate::time` has the calendar, reading and printing.

mod pattern;

pub(super) use pattern::ROWS as PATTERNS;

use crate::builtins::prelude::*;
use crate::time::{Civil, Date, parse_datetime, parse_rfc_2822};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

const WEEKDAYS: &str = "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY";
const MONTHS: &str = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER";

const DATE_TEXT: &str = "a date such as \"2024-05-01\"";
const DATETIME_TEXT: &str = "a datetime such as \"2024-05-01T07:30:00Z\"";

builtins! {
    pub(super) static ROWS;

    ".after" = is_after;
    ".before" = is_before;
    ".getDayOfMonth" = |Day(date): Day| i64::from(date.civil().day);
    ".getMonthValue" = |Day(date): Day| i64::from(date.civil().month);
    ".getTime" = |time: DateTime| time.0;
    ".getYear" = |Day(date): Day| date.civil().year;
    ".isAfter" = is_after;
    ".isBefore" = is_before;
    ".minusDays" = |cx: &mut Call, start: &Value, days: &Value| moved(cx, i64::checked_neg, start, days, Some(&DAYS));
    ".plusDays" = |cx: &mut Call, start: &Value, days: &Value| moved(cx, Some, start, days, Some(&DAYS));
    ".toDays" = |duration: Duration| duration.0 / DAY;
    ".toEpochDay" = |date: Date| i64::from(date.0);
    ".toEpochMilli" = |time: DateTime| time.0;
    ".toMillis" = |duration: Duration| duration.0;
    "Date." alias "java.util.Date." = java_date;
    "Duration/between" = duration_between;
    "Instant/parse" = parse_instant;
    "LocalDate/parse" = pattern::parse_date;
    "System/currentTimeMillis" = |cx: &mut Call| cx.now();
    "currentTimeMillis" = |cx: &mut Call| cx.now();
    "java.time.Duration/between" = duration_between;
    "java.time.Instant/parse" = parse_instant;
    "java.time.LocalDate/parse" = pattern::parse_date;
    "java.util.Date." = java_date;
    "parse" = parse;
}

builtins! {
    pub(super) static CALENDAR;

    ".between" = between;
    ".getDayOfWeek" = |cx: &mut Call, Day(date): Day| -> Eval {
        // 1970 began on a Thursday.
        let weekday = (i64::from(date.0) + 3).rem_euclid(7) as usize;
        cx.string(WEEKDAYS.split(' ').nth(weekday).unwrap_or_default())
    };
    ".getDayOfYear" = |Day(date): Day| -> i64 {
        let first = Civil { month: 1, day: 1, ..date.civil() }.date().unwrap_or(date);
        i64::from(date.0) - i64::from(first.0) + 1
    };
    ".getEpochSecond" = |time: DateTime| time.0.div_euclid(SECOND);
    ".getMonth" = month;
    ".getSeconds" = |duration: Duration| duration.0.div_euclid(SECOND);
    ".isEqual" = |cx: &mut Call, a: &Value, b: &Value| compare(cx, a, b).map(Ordering::is_eq);
    ".isLeapYear" = |Day(date): Day| date.civil().is_in_leap_year();
    ".isNegative" = |duration: Duration| duration.0 < 0;
    ".isZero" = |duration: Duration| duration.0 == 0;
    ".lengthOfMonth" = |Day(date): Day| i64::from(date.civil().days_in_month());
    ".lengthOfYear" = |Day(date): Day| 365 + i64::from(date.civil().is_in_leap_year());
    ".minus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| moved(cx, i64::checked_neg, start, amount, unit);
    ".minusMonths" = |start: Start, months: i64| earlier(start, months, DateUnit::Months(1));
    ".minusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, -SECOND);
    ".minusWeeks" = |start: Start, weeks: i64| earlier(start, weeks, DateUnit::Days(7));
    ".minusYears" = |start: Start, years: i64| earlier(start, years, DateUnit::Months(12));
    ".plus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| moved(cx, Some, start, amount, unit);
    ".plusMillis" = |time: DateTime, millis: i64| time_later(time, millis, 1);
    ".plusMonths" = |start: Start, months: i64| later(start, months, DateUnit::Months(1));
    ".plusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, SECOND);
    ".plusWeeks" = |start: Start, weeks: i64| later(start, weeks, DateUnit::Days(7));
    ".plusYears" = |start: Start, years: i64| later(start, years, DateUnit::Months(12));
    ".toHours" = |duration: Duration| duration.0 / HOUR;
    ".toMinutes" = |duration: Duration| duration.0 / MINUTE;
    ".toSeconds" = |duration: Duration| duration.0.div_euclid(SECOND);
    ".until" = |cx: &mut Call, start: &Value, end: &Value, unit: &Value| between(cx, unit, start, end);
    ".withDayOfMonth" = |cx: &mut Call, date: Date, given: &Value| -> Eval<Date> {
        let civil = date.civil();
        let day = if let Value::Int(day) = given { u32::try_from(*day).ok() } else { None };
        let found = day.and_then(|day| Civil { day, ..civil }.date());
        found.map_or_else(|| no_date(cx, &format!("a day from 1 to {}", civil.days_in_month()), given), Ok)
    };
    ".withMonth" = |cx: &mut Call, date: Date, given: &Value| -> Eval<Date> {
        let month = |month| u32::try_from(month).unwrap_or_default();
        with(cx, given, "a month from 1 to 12", |number| Civil { month: month(number), ..date.civil() })
    };
    ".withYear" = |cx: &mut Call, date: Date, given: &Value| -> Eval<Date> {
        with(cx, given, "a year", |year| Civil { year, ..date.civil() })
    };
    "Duration/ofDays" = |days: i64| duration_of(days, DAY);
    "Duration/ofHours" = |hours: i64| duration_of(hours, HOUR);
    "Duration/ofMillis" = |millis: i64| duration_of(millis, 1);
    "Duration/ofMinutes" = |minutes: i64| duration_of(minutes, MINUTE);
    "Duration/ofSeconds" = |seconds: i64| duration_of(seconds, SECOND);
    "Instant/ofEpochMilli" = Value::DateTime;
    "Instant/ofEpochSecond" = |seconds: i64| time_later(DateTime(0), seconds, SECOND);
    "LocalDate/of" = date_of;
    "LocalDate/ofEpochDay" = date_of_day;
    "java.time.Instant/ofEpochMilli" = Value::DateTime;
    "java.time.LocalDate/of" = date_of;
    "java.time.LocalDate/ofEpochDay" = date_of_day;
}

/// The unit of days; units and days of the week are strings.
static DAYS: Value = Value::Str(EcoString::inline("Days"));

/// The day of a date or datetime.
struct Day(Date);

/// A day, and the milliseconds since its begin if it is that of a datetime.
struct Start(Date, Option<i64>);

impl Start {
    /// Another day, at the same time of day.
    fn on(&self, date: Option<Date>) -> Eval {
        let date = or_overflow(date)?;
        Ok(self.1.map_or(Value::Date(date), |time| Value::DateTime(date.start_millis() + time)))
    }
}

/// Milliseconds since 1970.
struct DateTime(i64);

/// Milliseconds.
struct Duration(i64);

/// Unit of dates: a number of days or of months.
#[derive(Clone, Copy)]
enum DateUnit {
    Days(i64),
    Months(i64),
}

impl DateUnit {
    fn of_name(name: &str) -> Option<DateUnit> {
        Some(match name {
            "Days" => DateUnit::Days(1),
            "Weeks" => DateUnit::Days(7),
            "Months" => DateUnit::Months(1),
            "Years" => DateUnit::Months(12),
            _ => return None,
        })
    }

    fn later(self, date: Date, count: i64) -> Option<Date> {
        match self {
            DateUnit::Days(days) => date.plus_days(count.checked_mul(days)?),
            DateUnit::Months(months) => date.plus_months(count.checked_mul(months)?),
        }
    }

    fn between(self, start: Date, end: Date) -> i64 {
        match self {
            DateUnit::Days(days) => (i64::from(end.0) - i64::from(start.0)) / days,
            DateUnit::Months(months) => start.months_until(end) / months,
        }
    }
}

/// Milliseconds of a unit of datetimes.
fn time_unit(name: &str) -> Option<i64> {
    Some(match name {
        "Days" => DAY,
        "Hours" => HOUR,
        "Minutes" => MINUTE,
        "Seconds" => SECOND,
        _ => return None,
    })
}

from_value! {
    Date: Value::Date(date) => *date; "a date"
    DateTime: Value::DateTime(millis) => DateTime(*millis); "a datetime"
    Duration: Value::Duration(millis) => Duration(*millis); "a duration"
}

/// Number of a day or month, from 1, given by its name.
pub(super) fn name_number(name: &str) -> Option<i64> {
    let index = |names: &str| names.split(' ').position(|known| known == name);
    index(WEEKDAYS).or_else(|| index(MONTHS)).map(|index| index as i64 + 1)
}

from_value! {
    Day: |cx, value| Start::from_value(cx, value).map(|start| Day(start.0));
    Start: |cx, value| match value {
        Value::Date(date) => Ok(Start(*date, None)),
        Value::DateTime(millis) => {
            let date = or_overflow(Date(0).plus_days(millis.div_euclid(DAY)))?;
            Ok(Start(date, Some(millis.rem_euclid(DAY))))
        }
        other => cx.type_error("a date", other),
    };
}

fn or_overflow<T>(result: Option<T>) -> Eval<T> {
    result.map_or_else(|| raise(ErrorKind::ArithmeticError, "integer overflow"), Ok)
}

fn no_date<T>(cx: &Call, expected: &str, given: &Value) -> Eval<T> {
    cx.type_error(expected, given).map_err(of_class(Class::DateTimeException))
}

fn java_date(cx: &mut Call, time: Option<&Value>) -> Eval {
    match time {
        None => Ok(Value::DateTime(cx.now())),
        Some(Value::Int(millis)) => Ok(Value::DateTime(*millis)),
        Some(value @ Value::Str(text)) => {
            cx.tick_text(text)?;
            let millis = parse_datetime(text)
                .or_else(|| Date::parse(text).map(Date::start_millis))
                .or_else(|| parse_rfc_2822(text));
            millis.map_or_else(|| cx.type_error(DATETIME_TEXT, value), |millis| Ok(Value::DateTime(millis)))
        }
        Some(other) => cx.type_error("milliseconds or a string", other),
    }
}

fn parse(cx: &mut Call, text: &Value) -> Eval {
    match text {
        Value::Str(source) if source.contains('T') => parse_instant(cx, text),
        _ => parse_with(cx, text, DATE_TEXT, |source| Date::parse(source).map(Value::Date)),
    }
}

fn parse_instant(cx: &mut Call, text: &Value) -> Eval {
    parse_with(cx, text, DATETIME_TEXT, |source| parse_datetime(source).map(Value::DateTime))
}

fn parse_with(cx: &mut Call, text: &Value, expected: &str, read: fn(&str) -> Option<Value>) -> Eval {
    let Value::Str(source) = text else { return cx.type_error(expected, text) };
    cx.tick_text(source)?;
    let unreadable = || cx.type_error(expected, text).map_err(of_class(Class::DateTimeParseException));
    read(source).map_or_else(unreadable, Ok)
}

fn is_after(cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
    compare(cx, a, b).map(Ordering::is_gt)
}

fn is_before(cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
    compare(cx, a, b).map(Ordering::is_lt)
}

fn compare(cx: &Call, a: &Value, b: &Value) -> Eval<Ordering> {
    match (a, b) {
        (Value::Date(a), Value::Date(b)) => Ok(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Ok(a.cmp(b)),
        (Value::Date(_), other) => cx.type_error("a date", other),
        (Value::DateTime(_), other) => cx.type_error("a datetime", other),
        (other, _) => cx.type_error("a date or datetime", other),
    }
}

fn later(start: Start, count: i64, unit: DateUnit) -> Eval {
    start.on(unit.later(start.0, count))
}

fn earlier(start: Start, count: i64, unit: DateUnit) -> Eval {
    start.on(count.checked_neg().and_then(|count| unit.later(start.0, count)))
}

fn time_later(DateTime(start): DateTime, count: i64, unit: i64) -> Eval {
    let end = count.checked_mul(unit).and_then(|millis| start.checked_add(millis));
    or_overflow(end.map(Value::DateTime))
}

fn duration_of(count: i64, unit: i64) -> Eval {
    or_overflow(count.checked_mul(unit).map(Value::Duration))
}

fn duration_between(DateTime(start): DateTime, DateTime(end): DateTime) -> Eval {
    or_overflow(end.checked_sub(start).map(Value::Duration))
}

/// Adds a duration, or a number of units, with a sign.
fn moved(
    cx: &mut Call,
    sign: fn(i64) -> Option<i64>,
    start: &Value,
    amount: &Value,
    unit: Option<&Value>,
) -> Eval {
    const UNFIT: &str = "a unit that fits the date";
    let sum = match (start, amount, unit) {
        (Value::DateTime(start), Value::Duration(millis), None) => {
            sign(*millis).and_then(|millis| start.checked_add(millis)).map(Value::DateTime)
        }
        (Value::Duration(length), Value::Duration(millis), None) => {
            sign(*millis).and_then(|millis| length.checked_add(millis)).map(Value::Duration)
        }
        (Value::Date(_) | Value::DateTime(_), Value::Map(_), None) => {
            let (months, days) = pattern::lengths(cx, amount)?;
            let start = Start::from_value(cx, &mut start.clone())?;
            let reached = sign(months).and_then(|months| start.0.plus_months(months));
            return start.on(reached.and_then(|date| date.plus_days(sign(days)?)));
        }
        (Value::DateTime(_) | Value::Duration(_), other, None) => return cx.type_error("a duration", other),
        (Value::Date(date), Value::Int(count), Some(unit @ Value::Str(name))) => {
            let Some(unit) = DateUnit::of_name(name) else { return cx.type_error(UNFIT, unit) };
            sign(*count).and_then(|count| unit.later(*date, count)).map(Value::Date)
        }
        (Value::DateTime(start), Value::Int(count), Some(unit @ Value::Str(name))) => {
            let Some(unit) = time_unit(name) else { return cx.type_error(UNFIT, unit) };
            let millis = sign(*count).and_then(|count| count.checked_mul(unit));
            millis.and_then(|millis| start.checked_add(millis)).map(Value::DateTime)
        }
        (Value::Date(_) | Value::DateTime(_), Value::Int(_), Some(other)) => {
            return cx.type_error("a unit such as ChronoUnit/DAYS", other);
        }
        (Value::Date(_) | Value::DateTime(_), other, _) => {
            return cx.type_error("an integer and a unit", other);
        }
        _ => return cx.type_error("a date, datetime or duration", start),
    };
    or_overflow(sum)
}

fn month(cx: &mut Call, Day(date): Day) -> Eval {
    cx.string(MONTHS.split(' ').nth(date.civil().month as usize - 1).unwrap_or_default())
}

/// The changed day, or the last of its month if that is too short.
fn with(cx: &Call, given: &Value, expected: &str, change: impl Fn(i64) -> Civil) -> Eval<Date> {
    let Value::Int(number @ -999_999..=999_999) = given else { return cx.type_error(expected, given) };
    let civil = change(*number);
    let found = Civil { day: civil.day.min(civil.days_in_month()), ..civil }.date();
    found.map_or_else(|| no_date(cx, expected, given), Ok)
}

fn date_of(cx: &mut Call, year: i64, month: i64, day: i64) -> Eval<Date> {
    let [month_number, day_number] = [month, day].map(|number| u32::try_from(number).unwrap_or_default());
    let date = Civil { year, month: month_number, day: day_number };
    let found = if (-999_999..=999_999).contains(&year) { date.date() } else { None };
    let given = || Value::vector([year, month, day].map(Value::Int).to_vec());
    found.map_or_else(|| no_date(cx, "year, month and day of a date", &given()), Ok)
}

fn date_of_day(days: i64) -> Eval<Date> {
    or_overflow(Date(0).plus_days(days))
}

/// Number of whole units between two dates or two datetimes.
fn between(cx: &mut Call, unit: &Value, start: &Value, end: &Value) -> Eval<i64> {
    let Value::Str(name) = unit else { return cx.type_error("a unit such as ChronoUnit/DAYS", unit) };
    compare(cx, start, end)?;
    let found = match (start, end) {
        (Value::Date(start), Value::Date(end)) => {
            DateUnit::of_name(name).map(|unit| unit.between(*start, *end))
        }
        (Value::DateTime(start), Value::DateTime(end)) => {
            time_unit(name).and_then(|unit| Some(end.checked_sub(*start)? / unit))
        }
        _ => None,
    };
    found.map_or_else(|| cx.type_error("a unit that fits the dates", unit), Ok)
}
