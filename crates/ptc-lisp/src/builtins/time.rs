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
    ".getTime" = epoch_millis;
    ".getYear" = |Day(date): Day| date.civil().year;
    ".isAfter" = is_after;
    ".isBefore" = is_before;
    ".minusDays" = |cx: &mut Call, start: &Value, days: &Value| add_amount(cx, i64::checked_neg, start, days, Some(&DAYS));
    ".plusDays" = |cx: &mut Call, start: &Value, days: &Value| add_amount(cx, Some, start, days, Some(&DAYS));
    ".toDays" = |duration: Duration| duration.0 / DAY;
    ".toEpochDay" = |date: Date| i64::from(date.0);
    ".toEpochMilli" = epoch_millis;
    ".toMillis" = |duration: Duration| duration.0;
    "Date." alias "java.util.Date." = java_date;
    "Duration/between" = duration_between;
    "Instant/parse" = parse_instant;
    "LocalDate/parse" = pattern::parse_date;
    "System/currentTimeMillis" = current_millis;
    "currentTimeMillis" = current_millis;
    "java.time.Duration/between" = duration_between;
    "java.time.Instant/parse" = parse_instant;
    "java.time.LocalDate/parse" = pattern::parse_date;
    "java.util.Date." = java_date;
    "parse" = parse;
}

builtins! {
    pub(super) static CALENDAR;

    ".between" = units_between;
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
    ".getMonth" = month_name;
    ".getSeconds" = |duration: Duration| duration.0.div_euclid(SECOND);
    ".isEqual" = |cx: &mut Call, a: &Value, b: &Value| compare_times(cx, a, b).map(Ordering::is_eq);
    ".isLeapYear" = |Day(date): Day| date.civil().is_in_leap_year();
    ".isNegative" = |duration: Duration| duration.0 < 0;
    ".isZero" = |duration: Duration| duration.0 == 0;
    ".lengthOfMonth" = |Day(date): Day| i64::from(date.civil().days_in_month());
    ".lengthOfYear" = |Day(date): Day| 365 + i64::from(date.civil().is_in_leap_year());
    ".minus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| add_amount(cx, i64::checked_neg, start, amount, unit);
    ".minusMonths" = |start: Start, months: i64| subtract_units(start, months, DateUnit::Months(1));
    ".minusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, -SECOND);
    ".minusWeeks" = |start: Start, weeks: i64| subtract_units(start, weeks, DateUnit::Days(7));
    ".minusYears" = |start: Start, years: i64| subtract_units(start, years, DateUnit::Months(12));
    ".plus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| add_amount(cx, Some, start, amount, unit);
    ".plusMillis" = |time: DateTime, millis: i64| time_later(time, millis, 1);
    ".plusMonths" = |start: Start, months: i64| add_units(start, months, DateUnit::Months(1));
    ".plusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, SECOND);
    ".plusWeeks" = |start: Start, weeks: i64| add_units(start, weeks, DateUnit::Days(7));
    ".plusYears" = |start: Start, years: i64| add_units(start, years, DateUnit::Months(12));
    ".toHours" = |duration: Duration| duration.0 / HOUR;
    ".toMinutes" = |duration: Duration| duration.0 / MINUTE;
    ".toSeconds" = |duration: Duration| duration.0.div_euclid(SECOND);
    ".until" = |cx: &mut Call, start: &Value, end: &Value, unit: &Value| units_between(cx, unit, start, end);
    ".withDayOfMonth" = with_day_of_month;
    ".withMonth" = |cx: &mut Call, date: Date, given: &Value| -> Eval<Date> {
        const EXPECTED: &str = "a month from 1 to 12";
        let month = u32::try_from(year_or_month(cx, given, EXPECTED)?).unwrap_or_default();
        last_day(cx, Civil { month, ..date.civil() }, given, EXPECTED)
    };
    ".withYear" = |cx: &mut Call, date: Date, given: &Value| -> Eval<Date> {
        let year = year_or_month(cx, given, "a year")?;
        last_day(cx, Civil { year, ..date.civil() }, given, "a year")
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

/// The day of a date or datetime, and for a datetime the milliseconds since midnight.
struct Start(Date, Option<i64>);

impl Start {
    /// Another day, at the same time of day.
    fn on(&self, date: Option<Date>) -> Eval {
        let date = or_overflow(date)?;
        match self.1 {
            Some(time) => Ok(Value::DateTime(date.start_millis() + time)),
            None => Ok(Value::Date(date)),
        }
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

    fn add_to(self, date: Date, count: i64) -> Option<Date> {
        match self {
            DateUnit::Days(days) => date.plus_days(count.checked_mul(days)?),
            DateUnit::Months(months) => date.plus_months(count.checked_mul(months)?),
        }
    }

    fn count_between(self, start: Date, end: Date) -> i64 {
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
    for names in [WEEKDAYS, MONTHS] {
        for (number, known) in (1..).zip(names.split(' ')) {
            if known == name {
                return Some(number);
            }
        }
    }
    None
}

fn epoch_millis(time: DateTime) -> i64 {
    time.0
}

fn current_millis(cx: &mut Call) -> i64 {
    cx.now()
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
    match result {
        Some(result) => Ok(result),
        None => raise(ErrorKind::ArithmeticError, "integer overflow"),
    }
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
            match parse_any_datetime(text) {
                Some(millis) => Ok(Value::DateTime(millis)),
                None => cx.type_error(DATETIME_TEXT, value),
            }
        }
        Some(other) => cx.type_error("milliseconds or a string", other),
    }
}

/// Milliseconds since 1970 of a datetime, a date, or a date of mails.
fn parse_any_datetime(text: &str) -> Option<i64> {
    if let Some(millis) = parse_datetime(text) {
        return Some(millis);
    }
    match Date::parse(text) {
        Some(date) => Some(date.start_millis()),
        None => parse_rfc_2822(text),
    }
}

fn parse(cx: &mut Call, text: &Value) -> Eval {
    match text {
        Value::Str(source) if source.contains('T') => parse_instant(cx, text),
        _ => match Date::parse(text_to_parse(cx, text, DATE_TEXT)?) {
            Some(date) => Ok(Value::Date(date)),
            None => refuse_text(cx, text, DATE_TEXT),
        },
    }
}

fn parse_instant(cx: &mut Call, text: &Value) -> Eval {
    match parse_datetime(text_to_parse(cx, text, DATETIME_TEXT)?) {
        Some(millis) => Ok(Value::DateTime(millis)),
        None => refuse_text(cx, text, DATETIME_TEXT),
    }
}

/// Spends the ticks of parsing a text.
fn text_to_parse<'t>(cx: &mut Call, text: &'t Value, expected: &str) -> Eval<&'t str> {
    let Value::Str(source) = text else { return cx.type_error(expected, text) };
    cx.tick_text(source)?;
    Ok(source)
}

fn refuse_text(cx: &Call, text: &Value, expected: &str) -> Eval {
    cx.type_error(expected, text).map_err(of_class(Class::DateTimeParseException))
}

fn is_after(cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
    compare_times(cx, a, b).map(Ordering::is_gt)
}

fn is_before(cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
    compare_times(cx, a, b).map(Ordering::is_lt)
}

fn compare_times(cx: &Call, a: &Value, b: &Value) -> Eval<Ordering> {
    match (a, b) {
        (Value::Date(a), Value::Date(b)) => Ok(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Ok(a.cmp(b)),
        (Value::Date(_), other) => cx.type_error("a date", other),
        (Value::DateTime(_), other) => cx.type_error("a datetime", other),
        (other, _) => cx.type_error("a date or datetime", other),
    }
}

fn add_units(start: Start, count: i64, unit: DateUnit) -> Eval {
    start.on(unit.add_to(start.0, count))
}

fn subtract_units(start: Start, count: i64, unit: DateUnit) -> Eval {
    let date = match count.checked_neg() {
        Some(count) => unit.add_to(start.0, count),
        None => None,
    };
    start.on(date)
}

fn time_later(DateTime(start): DateTime, count: i64, unit: i64) -> Eval {
    let millis = or_overflow(count.checked_mul(unit))?;
    or_overflow(start.checked_add(millis).map(Value::DateTime))
}

fn duration_of(count: i64, unit: i64) -> Eval {
    or_overflow(count.checked_mul(unit).map(Value::Duration))
}

fn duration_between(DateTime(start): DateTime, DateTime(end): DateTime) -> Eval {
    or_overflow(end.checked_sub(start).map(Value::Duration))
}

/// Adds a duration, or a number of units, with a sign.
fn add_amount(
    cx: &mut Call,
    sign: fn(i64) -> Option<i64>,
    start: &Value,
    amount: &Value,
    unit: Option<&Value>,
) -> Eval {
    const UNFIT: &str = "a unit that fits the date";
    let sum = match (start, amount, unit) {
        (Value::DateTime(start), Value::Duration(millis), None) => {
            start.checked_add(or_overflow(sign(*millis))?).map(Value::DateTime)
        }
        (Value::Duration(length), Value::Duration(millis), None) => {
            length.checked_add(or_overflow(sign(*millis))?).map(Value::Duration)
        }
        (Value::Date(_) | Value::DateTime(_), Value::Map(_), None) => {
            let (months, days) = pattern::months_and_days(cx, amount)?;
            let start = Start::from_value(cx, &mut start.clone())?;
            let reached = or_overflow(start.0.plus_months(or_overflow(sign(months))?))?;
            return start.on(reached.plus_days(or_overflow(sign(days))?));
        }
        (Value::DateTime(_) | Value::Duration(_), other, None) => return cx.type_error("a duration", other),
        (Value::Date(date), Value::Int(count), Some(unit @ Value::Str(name))) => {
            let Some(unit) = DateUnit::of_name(name) else { return cx.type_error(UNFIT, unit) };
            unit.add_to(*date, or_overflow(sign(*count))?).map(Value::Date)
        }
        (Value::DateTime(start), Value::Int(count), Some(unit @ Value::Str(name))) => {
            let Some(unit) = time_unit(name) else { return cx.type_error(UNFIT, unit) };
            let millis = or_overflow(or_overflow(sign(*count))?.checked_mul(unit))?;
            start.checked_add(millis).map(Value::DateTime)
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

fn month_name(cx: &mut Call, Day(date): Day) -> Eval {
    cx.string(MONTHS.split(' ').nth(date.civil().month as usize - 1).unwrap_or_default())
}

fn with_day_of_month(cx: &mut Call, date: Date, given: &Value) -> Eval<Date> {
    let civil = date.civil();
    if let Value::Int(day) = given
        && let Ok(day) = u32::try_from(*day)
        && let Some(date) = (Civil { day, ..civil }).date()
    {
        return Ok(date);
    }
    no_date(cx, &format!("a day from 1 to {}", civil.days_in_month()), given)
}

fn year_or_month(cx: &Call, given: &Value, expected: &str) -> Eval<i64> {
    match given {
        Value::Int(number @ -999_999..=999_999) => Ok(*number),
        _ => cx.type_error(expected, given),
    }
}

/// The date, or the last day of a shorter month.
fn last_day(cx: &Call, civil: Civil, given: &Value, expected: &str) -> Eval<Date> {
    match (Civil { day: civil.day.min(civil.days_in_month()), ..civil }).date() {
        Some(date) => Ok(date),
        None => no_date(cx, expected, given),
    }
}

fn date_of(cx: &mut Call, year: i64, month: i64, day: i64) -> Eval<Date> {
    if (-999_999..=999_999).contains(&year)
        && let (Ok(month), Ok(day)) = (u32::try_from(month), u32::try_from(day))
        && let Some(date) = (Civil { year, month, day }).date()
    {
        return Ok(date);
    }
    let given = Value::vector([year, month, day].map(Value::Int).to_vec());
    no_date(cx, "year, month and day of a date", &given)
}

fn date_of_day(days: i64) -> Eval<Date> {
    or_overflow(Date(0).plus_days(days))
}

/// Number of whole units between two dates or two datetimes.
fn units_between(cx: &mut Call, unit: &Value, start: &Value, end: &Value) -> Eval<i64> {
    let Value::Str(name) = unit else { return cx.type_error("a unit such as ChronoUnit/DAYS", unit) };
    compare_times(cx, start, end)?;
    match (start, end) {
        (Value::Date(start), Value::Date(end)) => {
            if let Some(unit) = DateUnit::of_name(name) {
                return Ok(unit.count_between(*start, *end));
            }
        }
        (Value::DateTime(start), Value::DateTime(end)) => {
            if let Some(unit) = time_unit(name)
                && let Some(length) = end.checked_sub(*start)
            {
                return Ok(length / unit);
            }
        }
        _ => {}
    }
    cx.type_error("a unit that fits the dates", unit)
}
