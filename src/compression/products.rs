//! Products and libraries with their own history compression: a data file for each, with the version it was checked against.
//!
//! A file contains presets (the product's defaults, as options of a strategy) and the product's settings.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use history_strategies::{BuiltIn, ONLY_TOOLS, RESULT_LIMIT, SUMMARIES};

use super::strategies::find;

/// The data files, by the name of their product.
const FILES: &[&str] = &[
    include_str!("products/ai-sdk.yaml"),
    include_str!("products/anthropic-api.yaml"),
    include_str!("products/claude-code.yaml"),
    include_str!("products/cline.yaml"),
    include_str!("products/codex.yaml"),
    include_str!("products/copilot-cli.yaml"),
    include_str!("products/gemini-cli.yaml"),
    include_str!("products/google-adk.yaml"),
    include_str!("products/goose.yaml"),
    include_str!("products/hermes.yaml"),
    include_str!("products/inspect.yaml"),
    include_str!("products/langchain.yaml"),
    include_str!("products/openai-agents.yaml"),
    include_str!("products/opencode.yaml"),
    include_str!("products/openhands.yaml"),
    include_str!("products/pi.yaml"),
    include_str!("products/pydantic-ai.yaml"),
    include_str!("products/roo.yaml"),
    include_str!("products/strands.yaml"),
];

/// A product with its presets and settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// The name for `apply --for`.
    pub name: String,
    /// The name in messages and reports.
    pub title: String,
    /// The package and version of the analysed code.
    pub version: String,
    /// The log formats that it writes.
    #[serde(default)]
    pub logs: Vec<String>,
    /// Tokens of its system prompt and tools; 0 if unknown.
    #[serde(default)]
    pub constant: u32,
    /// Its own context windows for models. `None` if it uses those of the API.
    window: Option<ProductWindow>,
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// The setting for the size that triggers a compaction.
    pub compacts_at: Option<CompactionSetting>,
    /// The setting for cache breakpoints.
    pub marks_cache: Option<PlainSetting>,
    /// The setting for a cache time to live of one hour.
    pub keeps_cache: Option<PlainSetting>,
    /// The setting for the length of tool results.
    pub output_limit: Option<OutputLimit>,
    /// The setting for the model of its subagents.
    pub subagents: Option<SubagentSetting>,
    /// Commands to use before a break.
    pub breaks: Option<BreakCommands>,
    /// An extension point for code that shortens the history.
    pub hook: Option<Hook>,
}

/// A product's own context windows, in tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductWindow {
    usual: u32,
    models: BTreeMap<String, u32>,
}

/// A product's default behaviour, as options of a strategy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name in files, reports and on the command line.
    pub name: String,
    #[serde(deserialize_with = "strategy_of_name")]
    pub strategy: &'static BuiltIn,
    pub options: Map<String, Value>,
    /// The product, with the version of the analysed code.
    pub product: String,
    /// The source of the rules.
    pub source: String,
    /// Rules that the options do not express.
    pub lacks: String,
}

/// A setting with a fixed value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainSetting {
    pub file: String,
    pub line: String,
    pub effect: String,
    pub evidence: Evidence,
}

/// The setting for the model of subagents, with a cheaper model of the same vendor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubagentSetting {
    pub file: String,
    pub line: String,
    pub model: String,
    pub evidence: Evidence,
}

/// A product's setting for the longest tool result. A longer one is cut when it arrives.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputLimit {
    /// The results with this limit, such as `Bash output`.
    pub what: String,
    pub file: String,
    /// A template of the line, with `{value}`.
    pub line: String,
    /// Values to try, from mild to aggressive.
    pub values: Vec<u32>,
    /// The unit of the values, such as `characters`.
    pub unit: String,
    /// Characters in a unit.
    pub characters: u32,
    /// The tools with this limit; all if empty.
    #[serde(default)]
    tools: Vec<String>,
    /// The shares of the limit that stay at the start and at the end of a longer result.
    #[serde(default)]
    keeps: (f64, f64),
    /// Characters at the start that stay of a longer result, whatever the limit.
    #[serde(default)]
    preview: u32,
    /// The rest of a longer result.
    pub rest: String,
    pub evidence: Evidence,
}

/// A product's setting for the size that triggers a compaction.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompactionSetting {
    pub file: String,
    /// A template of the line: placeholders in braces for the value and for facts about the model.
    pub line: String,
    pub value: Formula,
    least: Option<f64>,
    most: Option<f64>,
    /// The largest value as a share of the model's window.
    window_share: Option<f64>,
    /// The reason for the least value.
    #[serde(default)]
    below_least: String,
    /// The reason for the largest value.
    #[serde(default)]
    above_most: String,
    /// The effect of the setting.
    pub effect: String,
    pub evidence: Evidence,
}

/// The value of a setting for a size in tokens: `amount × times + plus`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    from: Amount,
    #[serde(default = "one")]
    times: f64,
    #[serde(default)]
    plus: f64,
}

/// The quantity that a setting expects, computed from a size in tokens.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Amount {
    /// The tokens themselves.
    Tokens,
    /// The tokens left in the window.
    Rest,
    /// The share of the window.
    Share,
    /// The share of the window in percent.
    Percent,
}

/// How a setting was verified.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// With the real program.
    Tried,
    /// In the code of the package.
    Read,
    /// On the vendor's page.
    Documented,
}

/// A product's commands for a break of its user.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakCommands {
    /// Compacts the history.
    pub before: String,
    /// Starts a new history.
    pub fresh: String,
}

/// A hook for a TypeScript file that shortens the history.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    pub file: String,
    /// The names of the strategies that it can run.
    pub strategies: Vec<String>,
    /// A prerequisite other than the file.
    pub needs: Option<String>,
    pub evidence: Evidence,
}

/// Why a product cannot compact at a given size.
#[derive(Clone, Debug, PartialEq)]
pub enum OutOfReach {
    /// The value is outside the limits of the product. The nearest size within them, if there is one.
    Limit { value: f64, reason: String, nearest: Option<u64> },
    /// The size is too close to the system prompt and tools, which no compaction removes.
    Constant { constant: u32, nearest: u64 },
}

/// A trigger below this multiple of the constant part compacts at nearly every request. Chosen, not measured.
const ABOVE_CONSTANT: u64 = 2;

static PRODUCTS: LazyLock<Result<Vec<Product>, String>> = LazyLock::new(|| {
    let mut products = Vec::with_capacity(FILES.len());
    for text in FILES {
        let product: Product = serde_yaml::from_str(text).map_err(|error| format!("{error} in {text}"))?;
        products.push(product);
    }
    Ok(products)
});

/// Reads the data files of all products.
///
/// # Errors
/// A file is invalid. A test excludes this.
pub fn read_products() -> Result<&'static [Product], &'static str> {
    match &*PRODUCTS {
        Ok(products) => Ok(products),
        Err(error) => Err(error),
    }
}

/// All products by name. Empty if a file is invalid, which a test excludes.
pub fn products() -> &'static [Product] {
    read_products().unwrap_or(&[])
}

/// All presets by name.
pub fn presets() -> Vec<&'static Preset> {
    let mut presets: Vec<&Preset> = products().iter().flat_map(|product| &product.presets).collect();
    presets.sort_by(|one, other| one.name.cmp(&other.name));
    presets
}

impl Product {
    /// Finds a product by name.
    pub fn find(name: &str) -> Option<&'static Product> {
        products().iter().find(|product| product.name == name)
    }

    /// Finds the product that writes logs of a format.
    pub fn of_logs(format: &str) -> Option<&'static Product> {
        products().iter().find(|product| product.logs.iter().any(|logs| logs == format))
    }

    /// The preset of its own compaction, if known.
    pub fn compaction(&self) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.strategy.name == SUMMARIES.name)
    }

    /// The context window in this product for a model with `of_api` tokens in the API.
    pub fn window_of(&self, model: &str, of_api: u32) -> u32 {
        let Some(window) = &self.window else { return of_api };
        window.models.get(model).copied().unwrap_or(window.usual).min(of_api)
    }

    /// Returns true if its owner can set anything.
    pub fn has_settings(&self) -> bool {
        let is_fixed = self.compacts_at.is_none() && self.output_limit.is_none() && self.breaks.is_none();
        !is_fixed || self.keeps_cache.is_some() || self.subagents.is_some() || self.hook.is_some()
    }

    /// Finds the product of a preset.
    pub fn of_preset(preset: &str) -> Option<&'static Product> {
        products().iter().find(|product| product.presets.iter().any(|known| known.name == preset))
    }

    /// Returns true if its hook can run this strategy.
    pub fn hook_can(&self, strategy: &str) -> bool {
        self.hook.as_ref().is_some_and(|hook| hook.strategies.iter().any(|known| known == strategy))
    }

    /// Computes the value of the setting for a compaction at this size.
    ///
    /// # Errors
    /// The product ignores the value, or would compact at nearly every request.
    pub fn compaction_value(
        &self,
        setting: &CompactionSetting,
        tokens: u64,
        window: u64,
    ) -> Result<f64, OutOfReach> {
        let nearest = u64::from(self.constant) * ABOVE_CONSTANT;
        if tokens < nearest {
            return Err(OutOfReach::Constant { constant: self.constant, nearest });
        }
        let value = setting.value.of_size(tokens, window);
        let share = setting.window_share.map(|share| share * window as f64);
        let most = [setting.most, share].into_iter().flatten().reduce(f64::min);
        let (bound, reason) = match (setting.least, most) {
            (Some(least), _) if value < least => (least, &setting.below_least),
            (_, Some(most)) if value > most => (most, &setting.above_most),
            _ => return Ok(value),
        };
        let nearest = Some(setting.value.size_of(bound, window)).filter(|size| *size > 0 && *size < window);
        Err(OutOfReach::Limit { value, reason: reason.clone(), nearest })
    }
}

impl OutputLimit {
    /// The line of the settings file for a value.
    pub fn line_for(&self, value: u32) -> String {
        self.line.replace("{value}", &value.to_string())
    }

    /// The limit as options of `as-recorded`.
    pub fn options(&self, value: u32) -> Map<String, Value> {
        let limit = value.saturating_mul(self.characters);
        let [start, end] = [self.keeps.0, self.keeps.1].map(|share| (f64::from(limit) * share) as u32);
        let mut options = Map::new();
        options.insert(RESULT_LIMIT.name.to_owned(), json!(limit));
        options.insert("keep_start".to_owned(), json!(start.max(self.preview.min(limit))));
        options.insert("keep_end".to_owned(), json!(end));
        if !self.tools.is_empty() {
            options.insert(ONLY_TOOLS.name.to_owned(), json!(self.tools));
        }
        options
    }
}

impl CompactionSetting {
    /// Returns true if the line depends on the window of the model.
    pub fn needs_window(&self) -> bool {
        self.value.from != Amount::Tokens || self.line.contains("{window}")
    }
}

impl Formula {
    /// The tokens by which the value exceeds the compaction size. `None` if it does not.
    pub fn tokens_above(self) -> Option<u64> {
        (self.from == Amount::Tokens && self.plus > 0.0).then_some(self.plus as u64)
    }

    fn of_size(self, tokens: u64, window: u64) -> f64 {
        let (tokens, window) = (tokens as f64, window as f64);
        let amount = match self.from {
            Amount::Tokens => tokens,
            Amount::Rest => window - tokens,
            Amount::Share => round_to_hundredths(tokens / window),
            Amount::Percent => (100.0 * tokens / window).round(),
        };
        amount * self.times + self.plus
    }

    /// The inverse of `of_size`: the size in tokens for a value.
    fn size_of(self, value: f64, window: u64) -> u64 {
        let (amount, window) = ((value - self.plus) / self.times, window as f64);
        let tokens = match self.from {
            Amount::Tokens => amount,
            Amount::Rest => window - amount,
            Amount::Share => amount * window,
            Amount::Percent => amount * window / 100.0,
        };
        tokens.max(0.0).round() as u64
    }
}

impl Evidence {
    /// The evidence as a sentence for the user, with the version of the product.
    pub fn sentence(self, product: &Product) -> String {
        let version = &product.version;
        match self {
            Evidence::Tried => format!("Tested with {version}."),
            Evidence::Read => format!("Read in {version}, not tested."),
            Evidence::Documented => format!("Documented, not tested: {version}."),
        }
    }

    /// `tested with 2.1.332`
    pub fn in_words(self, product: &Product) -> String {
        let version = product.version.split(' ').next_back().unwrap_or_default();
        match self {
            Evidence::Tried => format!("tested with {version}"),
            Evidence::Read => "read in its code, not tested".to_owned(),
            Evidence::Documented => "documented, not tested".to_owned(),
        }
    }
}

fn round_to_hundredths(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

fn one() -> f64 {
    1.0
}

fn strategy_of_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<&'static BuiltIn, D::Error> {
    let name = String::deserialize(deserializer)?;
    find(&name).map_err(serde::de::Error::custom)
}
