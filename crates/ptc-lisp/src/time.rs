//! Dates and datetimes in UTC: the Gregorian calendar, reading and printing.

use std::fmt::Write;

use ecow::EcoString;

/// Calendar day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub i32);

/// Year, month and day of the Gregorian calendar, extended to all years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    pub year: i64,
    /// From 1.
    pub month: u32,
    /// From 1.
    pub day: u32,
}

const MILLIS_PER_DAY: i64 = 86_400_000;
const DAYS_PER_ERA: i64 = 146_097;
/// From 0000-03-01, the start of the first era, to 1970-01-01.
const DAYS_BEFORE_1970: i64 = 719_468;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

impl Date {
    /// Reads `YYYY-MM-DD`. None for other texts and for days that do not exist.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.split('-');
        let [year, month, day] = [4, 2, 2].map(|digits| number(parts.next()?, digits));
        if parts.next().is_some() {
            None
        } else {
            Civil { year: year?.into(), month: month?, day: day? }.date()
        }
    }

    pub fn civil(self) -> Civil {
        Civil::from_days(self.0.into())
    }

    /// The day this many days later. None beyond the range of dates, some six million years.
    pub fn plus_days(self, days: i64) -> Option<Date> {
        i32::try_from(i64::from(self.0).checked_add(days)?).ok().map(Date)
    }

    /// The day this many months later, or the last one of its month if that is too short.
    pub fn plus_months(self, months: i64) -> Option<Date> {
        let civil = self.civil();
        let total = civil.months().checked_add(months)?;
        let first = Civil { year: total.div_euclid(12), month: total.rem_euclid(12) as u32 + 1, day: 1 };
        Civil { day: civil.day.min(first.days_in_month()), ..first }.date()
    }

    /// Whole months until another day. The last month counts once its day has come.
    pub fn months_until(self, end: Date) -> i64 {
        (end.civil().months_and_days() - self.civil().months_and_days()) / 32
    }

    /// The start of the day in milliseconds since 1970.
    pub fn start_millis(self) -> i64 {
        i64::from(self.0) * MILLIS_PER_DAY
    }
}

impl Civil {
    /// Months with 32 days each, so that the difference of two days has whole months.
    fn months_and_days(self) -> i64 {
        self.months() * 32 + i64::from(self.day)
    }

    /// Counts in eras of 400 years, all as long. Years begin in March, so that leap days come last.
    fn from_days(days: i64) -> Civil {
        let shifted = days + DAYS_BEFORE_1970;
        let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = shifted.div_euclid(DAYS_PER_ERA) * 400 + year_of_era + i64::from(month <= 2);
        Civil { year, month: month as u32, day: day as u32 }
    }

    /// None if the day does not exist or is beyond the range of dates.
    pub fn date(self) -> Option<Date> {
        let exists = (1..=12).contains(&self.month) && self.day >= 1 && self.day <= self.days_in_month();
        let year = self.year - i64::from(self.month <= 2);
        let month_from_march = (i64::from(self.month) + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(self.day) - 1;
        let year_of_era = year.rem_euclid(400);
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days_of_eras = year.div_euclid(400).checked_mul(DAYS_PER_ERA)?;
        let days = days_of_eras.checked_add(day_of_era - DAYS_BEFORE_1970)?;
        if exists { i32::try_from(days).ok().map(Date) } else { None }
    }

    /// Months since the year 0.
    fn months(self) -> i64 {
        self.year * 12 + i64::from(self.month) - 1
    }

    pub fn is_in_leap_year(self) -> bool {
        self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0)
    }

    pub fn days_in_month(self) -> u32 {
        match self.month {
            2 => 28 + u32::from(self.is_in_leap_year()),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

/// Reads `YYYY-MM-DDThh:mm[:ss[.fff]][Z|±hh:mm]` as milliseconds since 1970. Without an offset it is UTC.
pub fn parse_datetime(text: &str) -> Option<i64> {
    let (date, rest) = text.split_once('T')?;
    let (time, zone) = rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len()));
    let offset = if matches!(zone, "" | "Z") { 0 } else { offset(zone, ":")? };
    Some(Date::parse(date)?.start_millis() + time_of_day(time)? - offset)
}

/// Reads `Wed, 01 May 2024 07:30:00 +0000` (RFC 2822). The weekday is optional and not checked.
pub fn parse_rfc_2822(text: &str) -> Option<i64> {
    let mut words = text.trim().split(' ').filter(|word| !word.is_empty()).peekable();
    words.next_if(|word| WEEKDAYS.contains(word));
    let day = words.next()?;
    let day = number(day, day.len().min(2))?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u32 + 1;
    let year = number(words.next()?, 4)?.into();
    let time = time_of_day(words.next()?)?;
    let zone = words.next()?;
    let offset = if matches!(zone, "GMT" | "UTC" | "UT" | "Z") { 0 } else { offset(zone, "")? };
    let date = Civil { year, month, day }.date()?;
    if words.next().is_none() { Some(date.start_millis() + time - offset) } else { None }
}

/// The number that consists of exactly this many digits.
fn number(text: &str, digits: usize) -> Option<u32> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The number of two digits below a bound.
fn two_digits(text: &str, bound: u32) -> Option<i64> {
    number(text, 2).filter(|number| *number < bound).map(i64::from)
}

/// `±hh:mm` in milliseconds, or with another separator.
fn offset(text: &str, separator: &str) -> Option<i64> {
    let (sign, text) = match text.split_at_checked(1)? {
        ("+", rest) => (60_000, rest),
        ("-", rest) => (-60_000, rest),
        _ => return None,
    };
    let (hours, minutes) = text.split_at_checked(2)?;
    Some(sign * (two_digits(hours, 24)? * 60 + two_digits(minutes.strip_prefix(separator)?, 60)?))
}

/// `hh:mm[:ss[.f…]]` in milliseconds; digits after the third are dropped.
fn time_of_day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let minutes = two_digits(parts.next()?, 24)? * 60 + two_digits(parts.next()?, 60)?;
    let Some(seconds) = parts.next() else { return Some(minutes * 60_000) };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    number(fraction, fraction.len().clamp(1, 9))?;
    let millis = i64::from(number(&format!("{fraction:0<3.3}"), 3)?);
    Some((minutes * 60 + two_digits(seconds, 60)?) * 1_000 + millis)
}

pub(super) fn write_date(out: &mut EcoString, date: Date) {
    write_civil(out, date.civil());
}

/// Prints as Java's `Instant`: with a fraction only if it is not zero.
pub(super) fn write_datetime(out: &mut EcoString, millis: i64) {
    write_civil(out, Civil::from_days(millis.div_euclid(MILLIS_PER_DAY)));
    let time = millis.rem_euclid(MILLIS_PER_DAY);
    let (hours, minutes) = (time / 3_600_000, time / 60_000 % 60);
    let _ = write!(out, "T{hours:02}:{minutes:02}:{:02}", time / 1_000 % 60);
    if time % 1_000 != 0 {
        let _ = write!(out, ".{:03}", time % 1_000);
    }
    out.push('Z');
}

/// Prints as Java's `Duration`: `PT1H30M`, `PT-1.5S`, `PT0S`.
pub(super) fn write_duration(out: &mut EcoString, millis: i64) {
    let parts = [(millis / 3_600_000, 'H'), (millis / 60_000 % 60, 'M')];
    out.push_str("PT");
    for (amount, unit) in parts.into_iter().filter(|(amount, _)| *amount != 0) {
        let _ = write!(out, "{amount}{unit}");
    }
    let rest = (millis % 60_000).unsigned_abs();
    if rest == 0 && millis != 0 {
        return;
    }
    let sign = if millis % 60_000 < 0 { "-" } else { "" };
    let fraction = format!(".{:03}", rest % 1_000);
    let _ = write!(out, "{sign}{}{}S", rest / 1_000, fraction.trim_end_matches('0').trim_end_matches('.'));
}

/// Years past 9999 carry a sign, as ISO 8601 asks.
fn write_civil(out: &mut EcoString, civil: Civil) {
    let sign = match civil.year {
        ..0 => "-",
        0..=9999 => "",
        _ => "+",
    };
    let _ = write!(out, "{sign}{:04}-{:02}-{:02}", civil.year.abs(), civil.month, civil.day);
}
