//! The price table: what each model costs and how its provider caches. The rows are data, dated; no row
//! is known to the code.

use std::fmt;

use serde::Deserialize;

/// What a model costs, in dollars per million tokens, and how its provider finds what it has seen.
#[derive(Clone, Debug, PartialEq, Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub model: String,
    /// Other names that suites may use.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub aliases: Vec<String>,
    /// When the prices were looked up.
    pub date: String,
    /// Where.
    pub source: String,
    /// The public encoding of the model, if there is one.
    #[serde(default)]
    pub tokenizer: Option<String>,
    pub input: f64,
    /// A token read from the cache.
    pub read: f64,
    /// A token written to the cache; without it writing costs what input costs.
    #[serde(default)]
    pub write: Option<f64>,
    pub output: f64,
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub cache: CacheRule,
}

/// How a provider finds what it has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub struct CacheRule {
    pub prefix: Option<PrefixRule>,
    pub breakpoints: Option<BreakpointRule>,
}

/// The longest common start with the request before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixRule {
    /// Tokens below which nothing is cached.
    pub minimum: u32,
    /// What is cached beyond is a multiple of it.
    pub step: u32,
}

/// Whole messages up to a marked one, exact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakpointRule {
    /// Messages counted from the start (1) or from the end (-1).
    pub at: Vec<i32>,
    /// How many messages before a mark are tried; without it all.
    #[serde(default)]
    pub look_back: Option<u32>,
    /// Tokens below which nothing is cached.
    pub minimum: u32,
}

/// Prices by model.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceTable {
    rows: Vec<Price>,
}

/// A price file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceError {
    /// The file, and line and column where they are known.
    pub place: String,
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
    /// None, unless the file it was built with is broken.
    pub fn built_in() -> Result<PriceTable, PriceError> {
        let mut table = PriceTable { rows: Vec::new() };
        table.extend("prices.yaml", include_str!("prices.yaml"))?;
        Ok(table)
    }

    /// Takes over the rows of a file: those of known models replace what was known.
    ///
    /// # Errors
    /// The text is no price file; nothing was taken over.
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

    /// The row of a model, by its name or another that it goes by.
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
    /// Whether counts by this tokenizer only estimate what the provider would count.
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
    let repeated = rows
        .iter()
        .enumerate()
        .find(|(index, row)| rows.iter().take(*index).any(|earlier| earlier.model == row.model));
    match repeated {
        Some((_, row)) => Err(refuse(format!("there are two rows for '{}'; keep one", row.model))),
        None => Ok(rows),
    }
}
