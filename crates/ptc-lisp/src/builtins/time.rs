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

    /// The same as .isAfter.
    ".after" = is_after => "(.after (java.util.Date. 0) (java.util.Date. 1)) ;=> false"
    /// The same as .isBefore.
    ".before" = is_before => "(.before (java.util.Date. 0) (java.util.Date. 1)) ;=> true"
    /// The day of the date in its month, from 1.
    ".getDayOfMonth" = |Day(date): Day| i64::from(date.civil().day) =>
        "(.getDayOfMonth (LocalDate/parse \"2024-02-28\")) ;=> 28"
    /// The month of the date, from 1.
    ".getMonthValue" = |Day(date): Day| i64::from(date.civil().month) =>
        "(.getMonthValue (LocalDate/parse \"2024-02-28\")) ;=> 2"
    /// The datetime in milliseconds since 1970.
    ".getTime" = |time: DateTime| time.0 => "(.getTime (java.util.Date. 5)) ;=> 5"
    /// The year of the date.
    ".getYear" = |Day(date): Day| date.civil().year => "(.getYear (LocalDate/parse \"2024-02-28\")) ;=> 2024"
    /// True if the first date or datetime is after the second.
    ".isAfter" = is_after =>
        "(.isAfter (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> false"
    /// True if the first date or datetime is before the second.
    ".isBefore" = is_before =>
        "(.isBefore (LocalDate/parse \"2024-01-01\") (LocalDate/parse \"2024-02-01\")) ;=> true"
    /// The date or datetime this many days earlier.
    ".minusDays" = |cx: &mut Call, start: &Value, days: &Value| moved(cx, i64::checked_neg, start, days, Some(&DAYS)) =>
        "(str (.minusDays (LocalDate/parse \"2024-03-01\") 1)) ;=> \"2024-02-29\""
    /// The date or datetime this many days later.
    ".plusDays" = |cx: &mut Call, start: &Value, days: &Value| moved(cx, Some, start, days, Some(&DAYS)) =>
        "(str (.plusDays (LocalDate/parse \"2024-02-28\") 2)) ;=> \"2024-03-01\""
    /// The whole days of the duration.
    ".toDays" = |duration: Duration| duration.0 / DAY =>
        "(.toDays (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-03T12:00:00Z\"))) ;=> 2"
    /// The date in days since 1970-01-01.
    ".toEpochDay" = |date: Date| i64::from(date.0) => "(.toEpochDay (LocalDate/parse \"1970-01-11\")) ;=> 10"
    /// The same as .getTime.
    ".toEpochMilli" = |time: DateTime| time.0 =>
        "(.toEpochMilli (Instant/parse \"1970-01-01T00:00:01Z\")) ;=> 1000"
    /// The duration in milliseconds.
    ".toMillis" = |duration: Duration| duration.0 =>
        "(.toMillis (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T00:00:01Z\"))) ;=> 1000"
    /// The same as java.util.Date.
    "Date." alias "java.util.Date." = java_date => "(.getTime (Date. 5)) ;=> 5"
    /// The time from the first datetime to the second.
    "Duration/between" = duration_between =>
        "(str (Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\""
    /// The datetime of a text such as 2024-05-01T07:30:00Z, in UTC if it has no offset.
    "Instant/parse" = parse_instant =>
        "(str (Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\""
    /// The date of a text such as 2024-05-01, or as a pattern has it, or the datetime if it has a time.
    "LocalDate/parse" = pattern::parse_date => "(str (LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\""
    /// The time of the scenario in milliseconds since 1970; it does not pass.
    "System/currentTimeMillis" = |cx: &mut Call| cx.now() =>
        "(= (System/currentTimeMillis) (.getTime (java.util.Date.))) ;=> true"
    /// The same as System/currentTimeMillis.
    "currentTimeMillis" = |cx: &mut Call| cx.now() =>
        "(= (currentTimeMillis) (System/currentTimeMillis)) ;=> true"
    /// The same as Duration/between.
    "java.time.Duration/between" = duration_between =>
        "(str (java.time.Duration/between (Instant/parse \"2024-01-01T00:00:00Z\") (Instant/parse \"2024-01-01T01:30:00Z\"))) ;=> \"PT1H30M\""
    /// The same as Instant/parse.
    "java.time.Instant/parse" = parse_instant =>
        "(str (java.time.Instant/parse \"2024-01-01T02:00:00+02:00\")) ;=> \"2024-01-01T00:00:00Z\""
    /// The same as LocalDate/parse.
    "java.time.LocalDate/parse" = pattern::parse_date =>
        "(str (java.time.LocalDate/parse \"2024-02-29\")) ;=> \"2024-02-29\""
    /// The datetime of now, of milliseconds since 1970, or of a text such as 2024-05-01T07:30:00Z.
    "java.util.Date." = java_date => "(.getTime (java.util.Date. \"1970-01-01T00:00:01Z\")) ;=> 1000"
    /// The date of a text such as 2024-05-01, or the datetime if it has a time.
    "parse" = parse => "(.getYear (parse \"2024-05-01\")) ;=> 2024"
}

builtins! {
    pub(super) static CALENDAR;

    /// Number of whole units, such as ChronoUnit/DAYS, between two dates or datetimes.
    ".between" = between =>
        "(.between ChronoUnit/DAYS (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-03-01\")) ;=> 30"
    /// The name of the day, such as MONDAY.
    ".getDayOfWeek" = day_of_week => "(.getDayOfWeek (LocalDate/parse \"2024-01-31\")) ;=> \"WEDNESDAY\""
    /// The day of the date in its year, from 1.
    ".getDayOfYear" = day_of_year => "(.getDayOfYear (LocalDate/parse \"2024-01-31\")) ;=> 31"
    /// The datetime in seconds since 1970.
    ".getEpochSecond" = |time: DateTime| time.0.div_euclid(SECOND) =>
        "(.getEpochSecond (java.util.Date. 5000)) ;=> 5"
    /// The name of the month, such as JANUARY.
    ".getMonth" = month => "(.getMonth (LocalDate/parse \"2024-01-31\")) ;=> \"JANUARY\""
    /// The whole seconds of the duration.
    ".getSeconds" = |duration: Duration| duration.0.div_euclid(SECOND) =>
        "(.getSeconds (Duration/between (java.util.Date. 0) (java.util.Date. 90000))) ;=> 90"
    /// True if the two dates or datetimes are the same.
    ".isEqual" = |cx: &mut Call, a: &Value, b: &Value| compare(cx, a, b).map(Ordering::is_eq) =>
        "(.isEqual (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-01-31\")) ;=> true"
    /// True if the year of the date has 366 days.
    ".isLeapYear" = |Day(date): Day| date.civil().is_in_leap_year() =>
        "(.isLeapYear (LocalDate/parse \"2024-01-31\")) ;=> true"
    /// True if the duration is negative.
    ".isNegative" = |duration: Duration| duration.0 < 0 => "(.isNegative (Duration/ofSeconds -1)) ;=> true"
    /// True if the duration is zero.
    ".isZero" = |duration: Duration| duration.0 == 0 => "(.isZero (Duration/ofSeconds 0)) ;=> true"
    /// Number of days of the month.
    ".lengthOfMonth" = |Day(date): Day| i64::from(date.civil().days_in_month()) =>
        "(.lengthOfMonth (LocalDate/parse \"2024-01-31\")) ;=> 31"
    /// Number of days of the year.
    ".lengthOfYear" = |Day(date): Day| 365 + i64::from(date.civil().is_in_leap_year()) =>
        "(.lengthOfYear (LocalDate/parse \"2024-01-31\")) ;=> 366"
    /// The date or datetime a duration or a number of units earlier; the difference of two durations.
    ".minus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| moved(cx, i64::checked_neg, start, amount, unit) =>
        "(str (.minus (LocalDate/parse \"2024-03-01\") 1 ChronoUnit/DAYS)) ;=> \"2024-02-29\""
    /// The date this many months earlier, at the end of a month that is too short.
    ".minusMonths" = |date: Date, months: i64| earlier(date, months, DateUnit::Months(1)) =>
        "(str (.minusMonths (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2023-12-31\""
    /// The datetime this many seconds earlier.
    ".minusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, -SECOND) =>
        "(str (.minusSeconds (Instant/ofEpochMilli 9000) 9)) ;=> \"1970-01-01T00:00:00Z\""
    /// The date this many weeks earlier.
    ".minusWeeks" = |date: Date, weeks: i64| earlier(date, weeks, DateUnit::Days(7)) =>
        "(str (.minusWeeks (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-01-24\""
    /// The date this many years earlier.
    ".minusYears" = |date: Date, years: i64| earlier(date, years, DateUnit::Months(12)) =>
        "(str (.minusYears (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2023-01-31\""
    /// The date or datetime a duration or a number of units later; the sum of two durations.
    ".plus" = |cx: &mut Call, start: &Value, amount: &Value, unit: Option<&Value>| moved(cx, Some, start, amount, unit) =>
        "(str (.plus (Instant/ofEpochMilli 0) (Duration/ofHours 1))) ;=> \"1970-01-01T01:00:00Z\""
    /// The datetime this many milliseconds later.
    ".plusMillis" = |time: DateTime, millis: i64| time_later(time, millis, 1) =>
        "(str (.plusMillis (Instant/ofEpochMilli 0) 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The date this many months later, at the end of a month that is too short.
    ".plusMonths" = |date: Date, months: i64| later(date, months, DateUnit::Months(1)) =>
        "(str (.plusMonths (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-02-29\""
    /// The datetime this many seconds later.
    ".plusSeconds" = |time: DateTime, seconds: i64| time_later(time, seconds, SECOND) =>
        "(str (.plusSeconds (Instant/ofEpochMilli 0) 60)) ;=> \"1970-01-01T00:01:00Z\""
    /// The date this many weeks later.
    ".plusWeeks" = |date: Date, weeks: i64| later(date, weeks, DateUnit::Days(7)) =>
        "(str (.plusWeeks (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-02-07\""
    /// The date this many years later.
    ".plusYears" = |date: Date, years: i64| later(date, years, DateUnit::Months(12)) =>
        "(str (.plusYears (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2025-01-31\""
    /// The whole hours of the duration.
    ".toHours" = |duration: Duration| duration.0 / HOUR =>
        "(.toHours (Duration/between (java.util.Date. 0) (java.util.Date. 7300000))) ;=> 2"
    /// The whole minutes of the duration.
    ".toMinutes" = |duration: Duration| duration.0 / MINUTE =>
        "(.toMinutes (Duration/between (java.util.Date. 0) (java.util.Date. 90000))) ;=> 1"
    /// The same as .getSeconds.
    ".toSeconds" = |duration: Duration| duration.0.div_euclid(SECOND) =>
        "(.toSeconds (Duration/ofMinutes 2)) ;=> 120"
    /// Number of whole units from the first date or datetime to the second.
    ".until" = |cx: &mut Call, start: &Value, end: &Value, unit: &Value| between(cx, unit, start, end) =>
        "(.until (LocalDate/parse \"2024-01-31\") (LocalDate/parse \"2024-02-29\") ChronoUnit/DAYS) ;=> 29"
    /// The date on this day of its month.
    ".withDayOfMonth" = with_day =>
        "(str (.withDayOfMonth (LocalDate/parse \"2024-01-31\") 1)) ;=> \"2024-01-01\""
    /// The date in this month of its year, on its last day if it is too short.
    ".withMonth" = with_month => "(str (.withMonth (LocalDate/parse \"2024-01-31\") 2)) ;=> \"2024-02-29\""
    /// The same day of another year.
    ".withYear" = with_year => "(str (.withYear (LocalDate/parse \"2024-02-29\") 2023)) ;=> \"2023-02-28\""
    /// The duration of this many days.
    "Duration/ofDays" = |days: i64| duration_of(days, DAY) => "(.toHours (Duration/ofDays 2)) ;=> 48"
    /// The duration of this many hours.
    "Duration/ofHours" = |hours: i64| duration_of(hours, HOUR) => "(.toMinutes (Duration/ofHours 2)) ;=> 120"
    /// The duration of this many milliseconds.
    "Duration/ofMillis" = |millis: i64| duration_of(millis, 1) => "(.toMillis (Duration/ofMillis 5)) ;=> 5"
    /// The duration of this many minutes.
    "Duration/ofMinutes" = |minutes: i64| duration_of(minutes, MINUTE) =>
        "(str (Duration/ofMinutes 90)) ;=> \"PT1H30M\""
    /// The duration of this many seconds.
    "Duration/ofSeconds" = |seconds: i64| duration_of(seconds, SECOND) =>
        "(.toMillis (Duration/ofSeconds 2)) ;=> 2000"
    /// The datetime this many milliseconds after 1970.
    "Instant/ofEpochMilli" = Value::DateTime =>
        "(str (Instant/ofEpochMilli 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The datetime this many seconds after 1970.
    "Instant/ofEpochSecond" = |seconds: i64| time_later(DateTime(0), seconds, SECOND) =>
        "(str (Instant/ofEpochSecond 60)) ;=> \"1970-01-01T00:01:00Z\""
    /// The date of a year, a month and a day, both from 1.
    "LocalDate/of" = date_of => "(str (LocalDate/of 2024 2 29)) ;=> \"2024-02-29\""
    /// The date this many days after 1970-01-01.
    "LocalDate/ofEpochDay" = date_of_day => "(str (LocalDate/ofEpochDay 1)) ;=> \"1970-01-02\""
    /// The datetime this many milliseconds after 1970.
    "java.time.Instant/ofEpochMilli" = Value::DateTime =>
        "(str (java.time.Instant/ofEpochMilli 1000)) ;=> \"1970-01-01T00:00:01Z\""
    /// The date of a year, a month and a day, both from 1.
    "java.time.LocalDate/of" = date_of => "(str (java.time.LocalDate/of 2024 2 29)) ;=> \"2024-02-29\""
    /// The date this many days after 1970-01-01.
    "java.time.LocalDate/ofEpochDay" = date_of_day =>
        "(str (java.time.LocalDate/ofEpochDay 1)) ;=> \"1970-01-02\""
}

/// Units and days of the week are strings.
pub(super) static CONSTANTS: &[Constant] = &[
    unit("ChronoUnit/DAYS", "Days"),
    unit("ChronoUnit/HOURS", "Hours"),
    unit("ChronoUnit/MINUTES", "Minutes"),
    unit("ChronoUnit/MONTHS", "Months"),
    unit("ChronoUnit/SECONDS", "Seconds"),
    unit("ChronoUnit/WEEKS", "Weeks"),
    unit("ChronoUnit/YEARS", "Years"),
    weekday("DayOfWeek/FRIDAY", "FRIDAY"),
    weekday("DayOfWeek/MONDAY", "MONDAY"),
    weekday("DayOfWeek/SATURDAY", "SATURDAY"),
    weekday("DayOfWeek/SUNDAY", "SUNDAY"),
    weekday("DayOfWeek/THURSDAY", "THURSDAY"),
    weekday("DayOfWeek/TUESDAY", "TUESDAY"),
    weekday("DayOfWeek/WEDNESDAY", "WEDNESDAY"),
];

const fn weekday(name: &'static str, value: &'static str) -> Constant {
    constant(name, Value::Str(EcoString::inline(value)), "A day as .getDayOfWeek gives it.")
}

const fn unit(name: &'static str, value: &'static str) -> Constant {
    constant(name, Value::Str(EcoString::inline(value)), "A unit of time, for .between and .until.")
}

/// The unit of days.
static DAYS: Value = Value::Str(EcoString::inline("Days"));

/// The day of a date or datetime.
struct Day(Date);

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

impl FromValue<'_> for Day {
    fn from_value(cx: &mut Call, value: &mut Value) -> Eval<Day> {
        match value {
            Value::Date(date) => Ok(Day(*date)),
            Value::DateTime(millis) => or_overflow(Date(0).plus_days(millis.div_euclid(DAY))).map(Day),
            other => cx.type_error("a date", other),
        }
    }
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

fn later(date: Date, count: i64, unit: DateUnit) -> Eval<Date> {
    or_overflow(unit.later(date, count))
}

fn earlier(date: Date, count: i64, unit: DateUnit) -> Eval<Date> {
    or_overflow(count.checked_neg().and_then(|count| unit.later(date, count)))
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
    cx: &Call,
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
        (Value::Date(date), Value::Map(_), None) => {
            let (months, days) = pattern::lengths(cx, amount)?;
            let reached = sign(months).and_then(|months| date.plus_months(months));
            reached.and_then(|date| date.plus_days(sign(days)?)).map(Value::Date)
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

fn day_of_week(cx: &mut Call, Day(date): Day) -> Eval {
    // 1970 began on a Thursday.
    let weekday = (i64::from(date.0) + 3).rem_euclid(7) as usize;
    cx.string(WEEKDAYS.split(' ').nth(weekday).unwrap_or_default())
}

fn month(cx: &mut Call, Day(date): Day) -> Eval {
    cx.string(MONTHS.split(' ').nth(date.civil().month as usize - 1).unwrap_or_default())
}

fn day_of_year(Day(date): Day) -> i64 {
    let first = Civil { month: 1, day: 1, ..date.civil() }.date().unwrap_or(date);
    i64::from(date.0) - i64::from(first.0) + 1
}

fn with_day(cx: &mut Call, date: Date, given: &Value) -> Eval<Date> {
    let civil = date.civil();
    let day = if let Value::Int(day) = given { u32::try_from(*day).ok() } else { None };
    let found = day.and_then(|day| Civil { day, ..civil }.date());
    found.map_or_else(|| no_date(cx, &format!("a day from 1 to {}", civil.days_in_month()), given), Ok)
}

fn with_month(cx: &mut Call, date: Date, given: &Value) -> Eval<Date> {
    let month = |month| u32::try_from(month).unwrap_or_default();
    with(cx, given, "a month from 1 to 12", |number| Civil { month: month(number), ..date.civil() })
}

fn with_year(cx: &mut Call, date: Date, given: &Value) -> Eval<Date> {
    with(cx, given, "a year", |year| Civil { year, ..date.civil() })
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
