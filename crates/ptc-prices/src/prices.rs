//! The price table: dated rows with the prices of models and the caching rules of their providers.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use jiff::SignedDuration;
use jiff::civil::{Date, date};
use rustc_hash::FxHashSet;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::names::NameIndex;
use crate::time_span::TimeSpan;

/// Models for suites without `models`: a current one of each of two vendors.
pub const DEFAULT_MODELS: [&str; 2] = ["gpt-6.1-sol", "claude-sonnet-5-5"];

/// The prices of a model, in dollars per million tokens, and the caching rule of its provider.
#[derive(Clone, Debug, PartialEq, Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The name of the model.
    pub model: String,
    /// Other names that suites may use.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub aliases: Vec<String>,
    /// The first day of these prices; without it the row is the first one of its model.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub from: Option<String>,
    /// The first day of the next prices, if any. Set by [`PriceTable::find`].
    #[serde(skip)]
    pub until: Option<String>,
    /// The date on which the prices were looked up, such as 2026-11-01.
    pub date: String,
    /// The page that lists the prices.
    pub source: String,
    /// `sure`, or the parts of the row that are assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// The public encoding of the model, if there is one.
    #[serde(default)]
    pub tokenizer: Option<String>,
    /// Price of an input token that is neither read from nor written to the cache.
    pub input: f64,
    /// Price of a token read from the cache.
    pub read: f64,
    /// Price of a token written to the cache; that of input if it is missing.
    #[serde(default)]
    pub write: Option<f64>,
    /// Lifetime of a cache entry after its last use. `None` if unknown: then nothing expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<TimeSpan>,
    /// The longer time that a request may ask for, with its price of writing.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub long: Option<LongCache>,
    /// Price of an output token.
    pub output: f64,
    /// The context window: maximum tokens of a request and its answer; missing if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// Prices of large requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<Tier>,
    /// The caching rule of the provider; by default nothing is cached.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub cache: CacheRule,
    /// Multiples of all prices by service tier, such as `priority: 2`.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub tiers: BTreeMap<String, f64>,
    /// Multiples of all prices by the place where the model runs, such as `us: 1.1`.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub geographies: BTreeMap<String, f64>,
    /// Dollars for 1,000 web searches of the provider.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub web_search: Option<f64>,
    /// Dollars for 1,000 uses of other tools of the provider, such as `file_search: 2.5`.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub server_tools: BTreeMap<String, f64>,
    /// The hours at which all prices are multiplied.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub peak: Option<Peak>,
}

/// Peak hours from Monday to Friday, with their price multiple.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peak {
    /// Factor for all prices, such as 2 for twice the price.
    pub times: f64,
    /// Half-open ranges of hours, UTC: the first hour and the hour after the last one.
    pub hours: Vec<[u8; 2]>,
}

/// A longer cache lifetime, at the request's choice. See [`Price::kept_for`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongCache {
    /// Time from an entry's last use to its expiry.
    pub ttl: TimeSpan,
    /// Price of writing a token with this lifetime.
    pub write: f64,
}

/// The prices of whole requests with more input tokens than a threshold. The write price rises in proportion to the input price.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// The most input tokens of a request at the usual prices.
    pub tokens: u32,
    /// Price of an input token that is neither read from nor written to the cache.
    pub input: f64,
    /// Price of a token read from the cache.
    pub read: f64,
    /// Price of an output token.
    pub output: f64,
}

/// The caching rule of a provider: at most one of [`PrefixRule`], [`BreakpointRule`] and [`NewestRule`]. Without a rule nothing is cached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct CacheRule {
    /// Caches the token prefix shared with the previous request.
    pub prefix: Option<PrefixRule>,
    /// Caches the prefix up to each cache breakpoint.
    pub breakpoints: Option<BreakpointRule>,
    /// Caches the whole request, and the prefix up to each cache breakpoint.
    pub newest: Option<NewestRule>,
}

/// Caches the longest prefix shared with the previous request. Writing costs the same as input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixRule {
    /// Minimum size of a cached prefix in tokens; `None` if unknown.
    #[serde(deserialize_with = "tokens_or_unknown")]
    pub minimum: Option<u32>,
    /// Beyond the minimum, prefixes are cached in multiples of this many tokens; `None` if unknown.
    #[serde(deserialize_with = "tokens_or_unknown")]
    pub step: Option<u32>,
}

/// Caches the prefix up to each cache breakpoint. A later request reads it if all its blocks are equal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakpointRule {
    /// Most cache breakpoints of a request.
    pub marks: u32,
    /// Number of blocks before a breakpoint in which the provider searches for a cached prefix; all of them if missing.
    #[serde(default)]
    pub look_back: Option<u32>,
    /// Minimum size of a cached prefix in tokens; `None` if unknown.
    #[serde(deserialize_with = "tokens_or_unknown")]
    pub minimum: Option<u32>,
}

/// Caches each whole request, and the prefix up to each cache breakpoint. A later request reads the longest match.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewestRule {
    /// Most cache breakpoints of a request, in addition to the implicit one at its end.
    pub marks: u32,
    /// Minimum size of a cached prefix in tokens; `None` if unknown.
    #[serde(deserialize_with = "tokens_or_unknown")]
    pub minimum: Option<u32>,
}

impl CacheRule {
    /// Minimum size of a cached prefix in tokens; 0 if unknown.
    pub fn minimum(&self) -> u32 {
        let minimum = match self {
            CacheRule { prefix: Some(PrefixRule { minimum: Some(minimum), .. }), .. } => Some(*minimum),
            CacheRule { breakpoints: Some(BreakpointRule { minimum: Some(minimum), .. }), .. } => {
                Some(*minimum)
            }
            CacheRule { newest: Some(rule), .. } => rule.minimum,
            _ => None,
        };
        minimum.unwrap_or(0)
    }
}

/// Parses a number of tokens or `unknown`. The key is required, so that a forgotten number is an error.
fn tokens_or_unknown<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    struct Tokens;
    impl Visitor<'_> for Tokens {
        type Value = Option<u32>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number of tokens, or `unknown`")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<u32>, E> {
            match u32::try_from(number) {
                Ok(tokens) => Ok(Some(tokens)),
                Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
            }
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<u32>, E> {
            match u32::try_from(number) {
                Ok(tokens) => Ok(Some(tokens)),
                Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
            }
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Option<u32>, E> {
            if text == "unknown" { Ok(None) } else { Err(E::invalid_value(Unexpected::Str(text), &self)) }
        }
    }
    deserializer.deserialize_any(Tokens)
}

/// The [`Price`]s of all models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceTable {
    rows: Vec<Price>,
    /// Row indexes by model name. Catalogues have thousands of models, and logs look up the model of each answer.
    pub(super) names: NameIndex,
    /// The newest look-up date, as a [`day_number`]; `None` without rows.
    newest: Option<i64>,
}

/// An invalid or duplicate row of a [`PriceTable`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {}: {message}; {help}", row + 1)]
pub struct PriceError {
    /// Index of the row.
    pub row: usize,
    /// Path of keys to the wrong value within the row.
    pub keys: Vec<&'static str>,
    /// The problem.
    pub message: String,
    /// Advice on what to do.
    pub help: &'static str,
}

/// The prices of a request of a given size, in dollars per million tokens. [`Price::rates`] chooses them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Price of an input token that is neither read from nor written to the cache.
    pub input: f64,
    /// Price of a token read from the cache.
    pub read: f64,
    /// Price of a token written to the cache.
    pub write: f64,
    /// Price of an output token.
    pub output: f64,
}

/// JSON lines, since each command that opens a suite parses all rows: YAML took ten times as long.
const BUILT_IN: &str = include_str!("prices.jsonl");

impl PriceTable {
    /// The built-in price table.
    ///
    /// # Errors
    /// Only if the crate was built with a broken file.
    pub fn built_in() -> Result<PriceTable, PriceError> {
        let mut rows = Vec::new();
        for (row, line) in BUILT_IN.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(price) => rows.push(price),
                Err(error) => {
                    let (message, help) = (error.to_string(), "reinstall the program");
                    return Err(PriceError { row, keys: Vec::new(), message, help });
                }
            }
        }
        let mut table = PriceTable::default();
        table.extend(rows)?;
        Ok(table)
    }

    /// Adds rows. They replace all earlier rows of the same models.
    ///
    /// # Errors
    /// A row is invalid, or two rows have the same model and first day. The table is unchanged.
    pub fn extend(&mut self, rows: Vec<Price>) -> Result<(), PriceError> {
        let mut starts = FxHashSet::default();
        for (row, price) in rows.iter().enumerate() {
            let problem = if starts.insert((&price.model, price.first_day())) {
                price.find_problem()
            } else {
                Some(Problem::new(&["model"], "there are two rows for it".into(), "keep one of the two"))
            };
            if let Some(Problem { keys, message, help }) = problem {
                return Err(PriceError { row, keys, message: format!("{}: {message}", price.model), help });
            }
        }
        let mut new: IndexMap<String, Vec<Price>> = IndexMap::new();
        for row in rows {
            new.entry(row.model.clone()).or_default().push(row);
        }
        let mut all = Vec::with_capacity(self.rows.len() + new.len());
        for known in std::mem::take(&mut self.rows) {
            match new.get_mut(&known.model) {
                // All new rows of a model replace its first old one. Its other old rows then append an empty list.
                Some(rows) => all.append(rows),
                None => all.push(known),
            }
        }
        all.extend(new.into_values().flatten());
        self.names = NameIndex::index_rows(&all);
        self.newest = all.iter().filter_map(|row| day_number(&row.date)).max();
        self.rows = all;
        Ok(())
    }

    /// All rows, in file order. A model has several if its price changed.
    pub fn rows(&self) -> &[Price] {
        &self.rows
    }

    /// The rows in force on a day such as 2026-11-01, one per model.
    pub fn rows_on(&self, day: &str) -> impl Iterator<Item = &Price> {
        self.rows.iter().filter(move |row| match self.in_force(&row.model, day) {
            Some(held) => std::ptr::eq(held, *row),
            None => false,
        })
    }

    /// The newest row of a model already in force on `day`, else its first one.
    pub(super) fn in_force(&self, model: &str, day: &str) -> Option<&Price> {
        let (mut newest, mut first): (Option<&Price>, Option<&Price>) = (None, None);
        for row in self.rows_of(model) {
            let from = row.first_day();
            if from <= day && newest.is_none_or(|newest| newest.first_day() <= from) {
                newest = Some(row);
            }
            if first.is_none_or(|first| first.first_day() > from) {
                first = Some(row);
            }
        }
        newest.or(first)
    }

    /// The newest look-up date in the table, see [`day_number`]. Evaluations use the prices of this day instead of
    /// today's, so that reports do not change overnight.
    pub fn day(&self) -> i64 {
        // An empty table has no price on any day.
        self.newest.unwrap_or(NO_DAY)
    }

    /// The rows of a model, in file order.
    fn rows_of(&self, model: &str) -> impl Iterator<Item = &Price> {
        self.names.rows_of(model).iter().filter_map(|row| self.rows.get(*row))
    }

    /// The rows of a model that begin after `day`, earliest first.
    pub fn announced_rows(&self, model: &str, day: &str) -> Vec<&Price> {
        let mut rows: Vec<&Price> = self.rows_of(model).filter(|row| row.first_day() > day).collect();
        rows.sort_by_key(|row| row.first_day());
        rows
    }
}

/// Prefixes of `confidence` for confirmed prices, even if the caching rule is assumed.
const CONFIRMED: [&str; 4] = ["sure", "price sure", "price and", "prices sure"];

/// The largest valid price multiple.
const MOST_TIMES: f64 = 1000.0;

/// A problem with a row: the path of keys to it, the message, and advice.
struct Problem {
    keys: Vec<&'static str>,
    message: String,
    help: &'static str,
}

impl Problem {
    fn new(keys: &[&'static str], message: String, help: &'static str) -> Problem {
        Problem { keys: keys.to_vec(), message, help }
    }
}

/// The highest valid price in dollars per million tokens. A dollar a token is far above any real price, and far below
/// the limit of [`Money`](crate::Money) sums.
const MOST: f64 = 1_000_000.0;

impl Price {
    /// Returns true if the model does not use this tokenizer, so its token counts are estimates.
    pub fn is_estimate(&self, tokenizer: &str) -> bool {
        self.tokenizer.as_deref() != Some(tokenizer)
    }

    /// Returns true if more than one price list has these prices: `confidence` is missing, or begins with `sure` or
    /// with a phrase such as `price sure`.
    pub fn is_confirmed(&self) -> bool {
        let confidence = self.confidence.as_deref().unwrap_or("sure");
        CONFIRMED.iter().any(|start| confidence.starts_with(start))
    }

    /// These prices with another cache lifetime; `None` if the provider does not offer it.
    pub fn kept_for(&self, ttl: TimeSpan) -> Option<Price> {
        match self.long {
            _ if self.ttl == Some(ttl) => Some(self.clone()),
            Some(long) if long.ttl == ttl => {
                Some(Price { ttl: Some(ttl), write: Some(long.write), ..self.clone() })
            }
            _ => None,
        }
    }

    /// The first day of the row, such as 2026-11-01; empty if `from` is missing.
    pub(super) fn first_day(&self) -> &str {
        self.from.as_deref().unwrap_or_default()
    }

    /// Days from the look-up date to `today`, see [`day_number`]; `None` if the date is invalid. A [`PriceTable`] has
    /// no such rows.
    pub fn age_on(&self, today: i64) -> Option<i64> {
        Some(today - day_number(&self.date)?)
    }

    /// The prices of a request with this many input tokens.
    pub fn rates(&self, input_tokens: u32) -> Rates {
        let Price { input, read, output, .. } = *self;
        let write = self.write.unwrap_or(input);
        match self.above {
            Some(tier) if input_tokens > tier.tokens => {
                let rise = if input > 0.0 { tier.input / input } else { 1.0 };
                Rates { input: tier.input, read: tier.read, write: write * rise, output: tier.output }
            }
            _ => Rates { input, read, write, output },
        }
    }

    /// The first problem of the row, if any.
    fn find_problem(&self) -> Option<Problem> {
        self.problem_of_prices()
            .or_else(|| self.problem_of_terms())
            .or_else(|| self.problem_of_dates())
            .or_else(|| self.problem_of_window())
            .or_else(|| self.problem_of_cache())
    }

    fn problem_of_prices(&self) -> Option<Problem> {
        let above = self.above.unwrap_or(Tier { tokens: 0, input: 0.0, read: 0.0, output: 0.0 });
        let prices: [(&[&'static str], f64); 8] = [
            (&["input"], self.input),
            (&["read"], self.read),
            (&["write"], self.write.unwrap_or(self.input)),
            (&["long", "write"], self.long.map_or(0.0, |long| long.write)),
            (&["output"], self.output),
            (&["above", "input"], above.input),
            (&["above", "read"], above.read),
            (&["above", "output"], above.output),
        ];
        let (keys, price) = prices.into_iter().find(|(_, price)| !(0.0..=MOST).contains(price))?;
        let message = format!("expected a price from 0 to {MOST}, found {price}");
        Some(Problem::new(keys, message, "write dollars per million tokens"))
    }

    fn problem_of_terms(&self) -> Option<Problem> {
        let searches = self.web_search.map(|price| ("web_search", price));
        let mut uses =
            searches.into_iter().chain(self.server_tools.values().map(|price| ("server_tools", *price)));
        if let Some((key, price)) = uses.find(|(_, price)| !(0.0..=MOST).contains(price)) {
            let message = format!("expected a price from 0 to {MOST}, found {price}");
            return Some(Problem::new(&[key], message, "write dollars per 1,000 uses"));
        }
        let mut multiples: Vec<(&'static str, f64)> = Vec::new();
        multiples.extend(self.tiers.values().map(|times| ("tiers", *times)));
        multiples.extend(self.geographies.values().map(|times| ("geographies", *times)));
        multiples.extend(self.peak.iter().map(|peak| ("peak", peak.times)));
        let (key, times) = multiples.into_iter().find(|(_, times)| !(0.0..=MOST_TIMES).contains(times))?;
        let message = format!("expected a multiple from 0 to {MOST_TIMES}, found {times}");
        Some(Problem::new(&[key], message, "write 2 for twice the price"))
    }

    fn problem_of_dates(&self) -> Option<Problem> {
        let dates: [(&'static str, Option<&str>); 2] =
            [("date", Some(&self.date)), ("from", self.from.as_deref())];
        for (key, date) in dates {
            if let Some(date) = date
                && day_number(date).is_none()
            {
                let message = format!("expected a date, found '{date}'");
                return Some(Problem::new(&[key], message, "write it as 2026-11-01"));
            }
        }
        None
    }

    fn problem_of_window(&self) -> Option<Problem> {
        if self.window != Some(0) {
            return None;
        }
        let message = "expected a window of at least 1 token, found 0".into();
        Some(Problem::new(&["window"], message, "leave it out if it is not known"))
    }

    fn problem_of_cache(&self) -> Option<Problem> {
        let CacheRule { prefix, breakpoints, newest } = &self.cache;
        let rules = [prefix.is_some(), breakpoints.is_some(), newest.is_some()];
        if rules.map(usize::from).iter().sum::<usize>() > 1 {
            let message = "the cache has several rules".into();
            return Some(Problem::new(&["cache"], message, "keep one of: prefix, breakpoints, newest"));
        }
        if let Some(PrefixRule { step: Some(0), .. }) = prefix {
            let message = "expected a step of at least 1, found 0".into();
            return Some(Problem::new(
                &["cache", "prefix", "step"],
                message,
                "1 means that any length is cached",
            ));
        }
        if prefix.is_some() && self.write.is_some() {
            let message = "a prefix cache has no write price".into();
            let help = "remove it, or replace prefix by breakpoints or newest";
            return Some(Problem::new(&["write"], message, help));
        }
        if let Some(long) = self.long.filter(|long| self.ttl.is_none_or(|ttl| ttl >= long.ttl)) {
            let message = format!("expected a time longer than ttl, found {}", long.ttl);
            let help = "ttl is the default lifetime, such as 5m; long is {ttl: 1h, write: PRICE}";
            return Some(Problem::new(&["long", "ttl"], message, help));
        }
        if let Some(BreakpointRule { marks: 0, .. }) = breakpoints {
            let message = "expected at least 1 mark, found 0".into();
            return Some(Problem::new(&["cache", "breakpoints", "marks"], message, "Anthropic's API has 4"));
        }
        None
    }
}

/// The day of an empty table.
const NO_DAY: i64 = 0;

/// The epoch of day numbers.
const FIRST_DAY: Date = date(1970, 1, 1);
const SECONDS_OF_A_DAY: i64 = 86_400;

/// Days from 1970-01-01 to a date such as `2026-11-01`; `None` if the date is invalid.
pub fn day_number(text: &str) -> Option<i64> {
    // Dates are also compared as text, so each day needs a single spelling.
    let day = text.parse::<Date>().ok().filter(|day| day.to_string() == text)?;
    Some(day.duration_since(FIRST_DAY).as_secs() / SECONDS_OF_A_DAY)
}

/// The date of a day number, the inverse of [`day_number`].
pub fn date_of_day(number: i64) -> String {
    let seconds = number.saturating_mul(SECONDS_OF_A_DAY);
    FIRST_DAY.saturating_add(SignedDuration::from_secs(seconds)).to_string()
}
