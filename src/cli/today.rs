//! Today's date, for warnings about old prices. Only commands use it: no report depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use ptc_prices::{Price, date_of_day, day_number};

/// The age in days of an old price. Of the 28 models with changed rows in the table, 25 had their first change within this time.
const OLD: i64 = 180;
const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct Today {
    /// Count the age of prices from this date, such as 2026-11-22; default: today
    #[arg(long, value_name = "DATE", env = "PTC_EVAL_TODAY", hide_env = true, value_parser = parse_date)]
    today: Option<i64>,
}

fn parse_date(text: &str) -> Result<i64, String> {
    day_number(text).ok_or_else(|| "expected a day such as 2026-11-22".to_owned())
}

impl Today {
    /// The day as a number of days since 1970-01-01.
    pub(super) fn number(self) -> i64 {
        if let Some(today) = self.today {
            return today;
        }
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        (seconds / SECONDS_OF_A_DAY) as i64
    }

    /// The day as `2026-11-22`.
    #[cfg(feature = "live")]
    pub(super) fn date(self) -> String {
        date_of_day(self.number())
    }

    /// Warns about old prices, and about prices no longer valid.
    pub(super) fn warn(self, models: &[Price]) {
        self.warn_of_changes(models);
        let today = self.number();
        let old = models.iter().filter(|price| price.age_on(today).is_none_or(|age| age > OLD));
        let old: Vec<String> = old.map(|price| format!("{} ({})", price.model, price.date)).collect();
        if !old.is_empty() {
            errln!(
                "warning: prices are older than {OLD} days: {}; --prices FILE replaces them",
                old.join(", ")
            );
        }
    }

    fn warn_of_changes(self, models: &[Price]) {
        let today = date_of_day(self.number());
        let mut ended = Vec::new();
        for price in models {
            if let Some(until) = price.until.as_deref()
                && *until <= *today
            {
                ended.push(format!("{} ({until})", price.model));
            }
        }
        if !ended.is_empty() {
            errln!("warning: prices have changed since: {}; --prices FILE replaces them", ended.join(", "));
        }
    }
}
