//! Patterns of dates as in `java.time.format`, datetimes by their parts, and periods. A formatter is its
//! pattern, a string; a period is a map.

use super::{DATE_TEXT, DATETIME_TEXT, DAY, DateTime, Day, HOUR, MINUTE, MONTHS, SECOND, WEEKDAYS};
use super::{date_of, or_overflow, parse, parse_instant, time_later};
use crate::builtins::prelude::*;
use crate::print::str_of;
use crate::time::{Civil, Date};

builtins! {
    pub(in crate::builtins) static ROWS;

    ".atStartOfDay" = |date: Date| Value::DateTime(date.start_millis());
    ".format" = format_date;
    ".getDays" = |cx: &mut Call, period: &Value| part_of_period(cx, period, "days");
    ".getHour" = |time: DateTime| time.0.rem_euclid(DAY) / HOUR;
    ".getMinute" = |time: DateTime| time.0.rem_euclid(HOUR) / MINUTE;
    ".getMonths" = |cx: &mut Call, period: &Value| part_of_period(cx, period, "months");
    ".getSecond" = |time: DateTime| time.0.rem_euclid(MINUTE) / SECOND;
    ".getYears" = |cx: &mut Call, period: &Value| part_of_period(cx, period, "years");
    ".minusHours" = |time: DateTime, hours: i64| time_later(time, hours, -HOUR);
    ".minusMinutes" = |time: DateTime, minutes: i64| time_later(time, minutes, -MINUTE);
    ".plusHours" = |time: DateTime, hours: i64| time_later(time, hours, HOUR);
    ".plusMinutes" = |time: DateTime, minutes: i64| time_later(time, minutes, MINUTE);
    ".toLocalDate" = |Day(date): Day| Value::Date(date);
    "DateTimeFormatter/ofPattern" = |cx: &mut Call, pattern: Value| -> Eval {
        parse_pattern(cx, &pattern)?;
        Ok(pattern)
    };
    "LocalDateTime/of" = datetime_of;
    "LocalDateTime/parse" = |cx: &mut Call, text: &Value, pattern: Option<&Value>| -> Eval {
        let Some(pattern) = pattern else { return parse_instant(cx, text) };
        parse_by(cx, text, pattern, DATETIME_TEXT, |civil, time| {
            Some(Value::DateTime(civil.date()?.start_millis() + time?))
        })
    };
    "Period/between" = period_between;
    "Period/ofDays" = |days: i64| make_period(0, days);
    "Period/ofMonths" = |months: i64| make_period(months, 0);
    "Period/ofYears" = |years: i64| or_overflow(years.checked_mul(12)).map(|months| make_period(months, 0));
}

/// A part of a pattern.
enum Token<'p> {
    /// A letter and its number of repetitions.
    Field(char, usize),
    Text(&'p str),
}

/// The parts of a pattern.
///
/// # Errors
/// The first text without meaning.
fn split_pattern(pattern: &str) -> Result<Vec<Token<'_>>, &str> {
    let (mut tokens, mut rest) = (Vec::new(), pattern);
    while let Some(first) = rest.chars().next() {
        let run = rest.find(|c| c != first).unwrap_or(rest.len());
        let length = match (first, run) {
            ('\'', 2..) => {
                tokens.push(Token::Text("'"));
                2
            }
            ('\'', _) => {
                let text = rest[1..].split_once('\'').ok_or(rest)?.0;
                tokens.push(Token::Text(text));
                text.len() + 2
            }
            ('y' | 'u' | 'S', 1..=9)
            | ('M' | 'E', 1..=4)
            | ('d' | 'H' | 'h' | 'm' | 's', 1..=2)
            | ('a', 1) => {
                tokens.push(Token::Field(first, run));
                run
            }
            _ if first.is_alphabetic() => return Err(&rest[..run]),
            _ => {
                tokens.push(Token::Text(&rest[..run]));
                run
            }
        };
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn parse_pattern<'p>(cx: &Call, pattern: &'p Value) -> Eval<Vec<Token<'p>>> {
    let Value::Str(text) = pattern else { return cx.type_error("a pattern such as \"yyyy-MM-dd\"", pattern) };
    let part = match split_pattern(text) {
        Ok(tokens) => return Ok(tokens),
        Err(part) => part,
    };
    let hint = format!("'{part}' has no meaning; letters are yyyy MM MMM MMMM dd HH hh mm ss SSS a EEE EEEE");
    type_error_hint(cx.name, "a pattern such as \"yyyy-MM-dd\"", pattern, &hint)
        .map_err(of_class(Class::IllegalArgumentException))
}

fn format_date(cx: &mut Call, a: &Value, b: &Value) -> Eval {
    let (time, pattern) = if let Value::Str(_) = a { (b, a) } else { (a, b) };
    let tokens = parse_pattern(cx, pattern)?;
    let millis = match time {
        Value::Date(_) if tokens.iter().any(is_of_time) => {
            return cx.type_error("a datetime, since the pattern has a time", time);
        }
        Value::DateTime(millis) => millis.rem_euclid(DAY),
        _ => 0,
    };
    let Day(date) = Day::from_value(cx, &mut time.clone())?;
    let mut out = String::new();
    for token in tokens {
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Field(letter, width) => out.push_str(&format_field(letter, width, date, millis)),
        }
    }
    cx.string(out)
}

fn is_of_time(token: &Token) -> bool {
    matches!(token, Token::Field('H' | 'h' | 'm' | 's' | 'S' | 'a', _))
}

fn format_field(letter: char, width: usize, date: Date, millis: i64) -> String {
    let civil = date.civil();
    let hour = millis / HOUR;
    let number = match letter {
        'y' | 'u' if width == 2 => civil.year.rem_euclid(100),
        'y' | 'u' => civil.year,
        'M' if width > 2 => return name_at(MONTHS, civil.month as usize - 1, width),
        'M' => civil.month.into(),
        'd' => civil.day.into(),
        // 1970 began on a Thursday.
        'E' => return name_at(WEEKDAYS, (i64::from(date.0) + 3).rem_euclid(7) as usize, width),
        'H' => hour,
        'h' => (hour + 11) % 12 + 1,
        'm' => millis % HOUR / MINUTE,
        's' => millis % MINUTE / SECOND,
        'S' => return format!("{:0<width$.width$}", format!("{:03}", millis % SECOND)),
        _ => return if hour < 12 { "AM" } else { "PM" }.to_string(),
    };
    format!("{number:0width$}")
}

/// `May`, or the whole name for four letters.
fn name_at(names: &str, index: usize, width: usize) -> String {
    let name = names.split(' ').nth(index).unwrap_or_default();
    let length = if width == 4 { name.len() } else { 3 };
    name[..1].to_string() + &name[1..length].to_lowercase()
}

/// The first of these names at the start of the text, in any case, and its index.
fn leading_name(text: &str, names: &str, width: usize) -> Option<(usize, String)> {
    for index in 0..names.split(' ').count() {
        let name = name_at(names, index, width);
        if let Some(start) = text.get(..name.len())
            && start.eq_ignore_ascii_case(&name)
        {
            return Some((index, name));
        }
    }
    None
}

/// Reads a text by a pattern: the day, and the time of day if there is one.
fn parse_text(tokens: &[Token<'_>], text: &str) -> Option<(Civil, Option<i64>)> {
    let mut rest = text;
    let (mut civil, mut hour, mut millis, mut is_afternoon) =
        (Civil { year: 0, month: 0, day: 0 }, None, 0, None);
    for token in tokens {
        let (letter, width) = match token {
            Token::Text(text) => {
                rest = rest.strip_prefix(text)?;
                continue;
            }
            Token::Field(letter, width) => (*letter, *width),
        };
        let names = match letter {
            'M' if width > 2 => Some(MONTHS),
            'E' => Some(WEEKDAYS),
            'a' => Some("AM PM"),
            _ => None,
        };
        let (number, length) = match names {
            Some(names) => {
                let (index, name) = leading_name(rest, names, if letter == 'a' { 4 } else { width })?;
                (index as i64, name.len())
            }
            None => {
                let most = if width > 1 {
                    width
                } else if matches!(letter, 'y' | 'u') {
                    9
                } else {
                    2
                };
                let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
                if digits < width {
                    return None;
                }
                (rest.get(..digits)?.parse().ok()?, digits)
            }
        };
        rest = &rest[length..];
        match letter {
            'y' | 'u' if width == 2 => civil.year = 2000 + number,
            'y' | 'u' => civil.year = number,
            'M' => civil.month = number as u32 + u32::from(names.is_some()),
            'd' => civil.day = number as u32,
            'H' if number < 24 => hour = Some(number),
            'h' if (1..=12).contains(&number) => hour = Some(number % 12),
            'm' if number < 60 => millis += number * MINUTE,
            's' if number < 60 => millis += number * SECOND,
            'S' => millis += number * SECOND / 10_i64.pow(width as u32),
            'a' => is_afternoon = Some(number),
            'E' => {}
            _ => return None,
        }
    }
    if !rest.is_empty() {
        return None;
    }
    let time = hour.map(|hour| (hour + 12 * is_afternoon.unwrap_or(0)) * HOUR + millis);
    Some((civil, time))
}

/// `(LocalDate/parse text formatter?)`
pub(super) fn parse_date(cx: &mut Call, text: &Value, pattern: Option<&Value>) -> Eval {
    let Some(pattern) = pattern else { return parse(cx, text) };
    parse_by(cx, text, pattern, DATE_TEXT, |civil, _| civil.date().map(Value::Date))
}

fn parse_by(
    cx: &mut Call,
    text: &Value,
    pattern: &Value,
    expected: &str,
    make: fn(Civil, Option<i64>) -> Option<Value>,
) -> Eval {
    let tokens = parse_pattern(cx, pattern)?;
    let Value::Str(source) = text else { return cx.type_error(expected, text) };
    cx.tick_text(source)?;
    if let Some((civil, time)) = parse_text(&tokens, source)
        && let Some(value) = make(civil, time)
    {
        return Ok(value);
    }
    let expected = format!("a text that fits the pattern {}", str_of(pattern));
    cx.type_error(&expected, text).map_err(of_class(Class::DateTimeParseException))
}

fn datetime_of(cx: &mut Call, year: i64, month: i64, day: i64, time: AtLeast<2>) -> Eval {
    let date = date_of(cx, year, month, day)?;
    let mut millis = date.start_millis();
    for (part, (unit, bound)) in time.0.iter().zip([(HOUR, 24), (MINUTE, 60), (SECOND, 60)]) {
        match part {
            Value::Int(number) if (0..bound).contains(number) => millis += number * unit,
            other => return cx.type_error(&format!("an integer from 0 to {}", bound - 1), other),
        }
    }
    Ok(Value::DateTime(millis))
}

fn make_period(months: i64, days: i64) -> Value {
    let mut parts = Map::new();
    for (name, number) in [("years", months / 12), ("months", months % 12), ("days", days)] {
        parts.insert(Value::keyword(name), Value::Int(number));
    }
    Value::map(parts)
}

fn period_between(start: Date, end: Date) -> Value {
    let (from, to) = (start.civil(), end.civil());
    let months = (to.year - from.year) * 12 + i64::from(to.month) - i64::from(from.month);
    let days = i64::from(to.day) - i64::from(from.day);
    match (months.signum(), days.signum()) {
        (1, -1) => {
            let reached = start.plus_months(months - 1).unwrap_or(end);
            make_period(months - 1, i64::from(end.0) - i64::from(reached.0))
        }
        (-1, 1) => make_period(months + 1, days - i64::from(to.days_in_month())),
        _ => make_period(months, days),
    }
}

/// The months and the days of a period.
pub(super) fn months_and_days(cx: &Call, period: &Value) -> Eval<(i64, i64)> {
    let months = or_overflow(part_of_period(cx, period, "years")?.checked_mul(12))?
        .checked_add(part_of_period(cx, period, "months")?);
    Ok((or_overflow(months)?, part_of_period(cx, period, "days")?))
}

/// A part of a period.
fn part_of_period(cx: &Call, period: &Value, name: &str) -> Eval<i64> {
    match flexible::get(period, &Value::keyword(name)) {
        Some(Value::Int(number)) => Ok(number),
        _ => cx.type_error("a period", period),
    }
}
