//! The price table: dated rows with the prices of models and the caching rules of their providers.

use std::fmt;

use serde::Deserialize;

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
    /// The date on which the prices were looked up.
    pub date: String,
    /// The page that lists the prices.
    pub source: String,
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
    /// Price of an output token.
    pub output: f64,
    /// The caching rule of the provider; by default nothing is cached.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub cache: CacheRule,
}

/// The rule by which a provider caches requests: one of the two, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct CacheRule {
    /// Caches starts of requests by their tokens.
    pub prefix: Option<PrefixRule>,
    /// Caches starts of requests up to marked messages.
    pub breakpoints: Option<BreakpointRule>,
}

/// Caches the longest start that a request shares with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixRule {
    /// Tokens below which nothing is cached.
    pub minimum: u32,
    /// Tokens beyond the minimum are cached in multiples of this.
    pub step: u32,
}

/// Caches the messages up to a marked one, if all of them are equal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakpointRule {
    /// Messages counted from the start (1) or from the end (-1).
    pub at: Vec<i32>,
    /// Messages before a mark at which a cached start may end; all of them if it is missing.
    #[serde(default)]
    pub look_back: Option<u32>,
    /// Tokens below which nothing is cached.
    pub minimum: u32,
}

/// The prices of all models.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceTable {
    rows: Vec<Price>,
}

/// A price file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceError {
    /// The file, and line and column if they are known.
    pub place: String,
    /// The problem.
    pub message: String,
}

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for PriceError {}

impl PriceTable {
    /// The prices that come with the program.
    ///
    /// # Errors
    /// Never, unless the crate was built with a broken file.
    pub fn built_in() -> Result<PriceTable, PriceError> {
        let mut table = PriceTable { rows: Vec::new() };
        table.extend("prices.yaml", include_str!("prices.yaml"))?;
        Ok(table)
    }

    /// Adds the rows of a price file. They replace rows of the same model.
    ///
    /// # Errors
    /// The text is not a price file. The table is unchanged.
    pub fn extend(&mut self, path: &str, text: &str) -> Result<(), PriceError> {
        let rows = read(path, text)?;
        for row in rows {
            match self.rows.iter_mut().find(|known| known.model == row.model) {
                Some(known) => *known = row,
                None => self.rows.push(row),
            }
        }
        Ok(())
    }

    /// The row of a model, by its name or an alias.
    pub fn find(&self, name: &str) -> Option<&Price> {
        let by_alias = || self.rows.iter().find(|row| row.aliases.iter().any(|alias| alias == name));
        self.rows.iter().find(|row| row.model == name).or_else(by_alias)
    }

    /// All rows, in the order of the files.
    pub fn rows(&self) -> &[Price] {
        &self.rows
    }
}

impl Price {
    /// Returns true if the model does not use this tokenizer, so that counts are estimates.
    pub fn is_estimate(&self, tokenizer: &str) -> bool {
        self.tokenizer.as_deref() != Some(tokenizer)
    }

    fn problem(&self) -> Option<String> {
        let prices = [self.input, self.read, self.write.unwrap_or(0.0), self.output];
        let is_price = |price: &f64| (0.0..=1_000_000.0).contains(price);
        if !prices.iter().all(is_price) {
            return Some(format!("a price of '{}' is not between 0 and 1000000 dollars", self.model));
        }
        match &self.cache {
            CacheRule { prefix: Some(_), breakpoints: Some(_) } => {
                Some(format!("the cache of '{}' has both prefix and breakpoints; keep one", self.model))
            }
            CacheRule { prefix: Some(PrefixRule { step: 0, .. }), .. } => {
                Some(format!("the cache of '{}' has a step of 0; expected at least 1", self.model))
            }
            CacheRule { breakpoints: Some(rule), .. } if rule.at.contains(&0) => {
                Some(format!("the cache of '{}' has a breakpoint at 0; count from 1 or from -1", self.model))
            }
            _ => None,
        }
    }
}

fn read(path: &str, text: &str) -> Result<Vec<Price>, PriceError> {
    let rows: Vec<Price> = serde_yaml::from_str(text).map_err(|error| {
        let place = match error.location() {
            Some(at) => format!("{path}:{}:{}", at.line(), at.column()),
            None => path.to_owned(),
        };
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or_default().to_owned();
        PriceError { place, message }
    })?;
    let refuse = |message| PriceError { place: path.to_owned(), message };
    if let Some(problem) = rows.iter().find_map(Price::problem) {
        return Err(refuse(problem));
    }
    let mut models = rustc_hash::FxHashSet::default();
    match rows.iter().find(|row| !models.insert(&row.model)) {
        Some(row) => Err(refuse(format!("there are two rows for '{}'; keep one", row.model))),
        None => Ok(rows),
    }
}
