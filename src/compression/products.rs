//! Products and libraries that compress their own history: a data file each, with the version that was read.
//!
//! A file holds presets (the product's defaults as options of a strategy) and the settings of its owner.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use history_strategies::{BuiltIn, SUMMARIES};

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

/// A product, and everything its owner can set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// The name for `apply --for`.
    pub name: String,
    /// The name in sentences.
    pub title: String,
    /// The package and version that was read.
    pub version: String,
    /// The readers of its logs.
    #[serde(default)]
    pub logs: Vec<String>,
    /// Tokens of its system prompt and tools; 0 if unknown.
    #[serde(default)]
    pub constant: u32,
    /// The windows that it gives models. None if they are those of the API.
    window: Option<ProductWindow>,
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// The setting for the size at which it compacts its history.
    pub compacts_at: Option<CompactionSetting>,
    /// The setting that keeps the cache for one hour.
    pub keeps_cache: Option<PlainSetting>,
    /// The setting for the model of its subagents.
    pub subagents: Option<SubagentSetting>,
    /// Commands for a person who takes a break.
    pub breaks: Option<BreakCommands>,
    /// A hook for code that shortens the history.
    pub hook: Option<Hook>,
}

/// The windows that a product gives models.
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
    /// The name in files, in reports and on the command line.
    pub name: String,
    #[serde(deserialize_with = "strategy_of_name")]
    pub strategy: &'static BuiltIn,
    pub options: Map<String, Value>,
    /// The product with the version that was read.
    pub product: String,
    /// The source of the rules.
    pub source: String,
    /// Rules that the options do not express.
    pub lacks: String,
}

/// A setting without a value to compute.
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

/// The setting for the size at which a product compacts its history.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompactionSetting {
    pub file: String,
    /// The line of the file, with the value and facts about the model in braces.
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

/// An amount that is computed from a size in tokens.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Amount {
    /// The tokens themselves.
    Tokens,
    /// The rest of the window.
    Rest,
    /// The share of the window.
    Share,
    /// The share of the window in percent.
    Percent,
}

/// The way in which a setting was verified.
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

/// Commands of a product for a break of its user.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakCommands {
    /// Compacts the history.
    pub before: String,
    /// Starts a new history.
    pub fresh: String,
}

/// A hook that lets a file of TypeScript shorten the history.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    pub file: String,
    /// The strategies that it can do.
    pub strategies: Vec<String>,
    /// A condition beyond the file itself.
    pub needs: Option<String>,
    pub evidence: Evidence,
}

/// Reason why a product cannot compact at a size.
#[derive(Clone, Debug, PartialEq)]
pub enum OutOfReach {
    /// The value is outside the limits of the product. The nearest size within them, if there is one.
    Limit { value: f64, reason: String, nearest: Option<u64> },
    /// The size is too close to the part of each request that no compaction removes.
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
/// A file is not valid, which a test excludes.
pub fn read_products() -> Result<&'static [Product], &'static str> {
    match &*PRODUCTS {
        Ok(products) => Ok(products),
        Err(error) => Err(error),
    }
}

/// All products by name. A test reads the files, so they can be read here.
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

    /// The preset for its compaction.
    pub fn compaction(&self) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.strategy.name == SUMMARIES.name)
    }

    /// The window that it gives a model, from that of the API.
    pub fn window_of(&self, model: &str, of_api: u32) -> u32 {
        let Some(window) = &self.window else { return of_api };
        window.models.get(model).copied().unwrap_or(window.usual).min(of_api)
    }

    /// Finds the product of a preset.
    pub fn of_preset(preset: &str) -> Option<&'static Product> {
        products().iter().find(|product| product.presets.iter().any(|known| known.name == preset))
    }

    /// Returns true if its hook can run this strategy.
    pub fn hook_can(&self, strategy: &str) -> bool {
        self.hook.as_ref().is_some_and(|hook| hook.strategies.iter().any(|known| known == strategy))
    }

    /// Computes the value of its setting that compacts at this size, for a model with this window.
    ///
    /// # Errors
    /// The product ignores the value, or the size is useless.
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

impl CompactionSetting {
    /// Returns true if the line depends on the window of the model.
    pub fn needs_window(&self) -> bool {
        self.value.from != Amount::Tokens || self.line.contains("{window}")
    }
}

impl Formula {
    /// Tokens by which the value exceeds the size at which the product compacts.
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

    /// The size in tokens that has this value.
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
    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Evidence::Tried => "Tried with the real program.",
            Evidence::Read => "Read in its code, not tried.",
            Evidence::Documented => "From the vendor's page, not tried.",
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
