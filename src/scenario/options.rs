//! Known strategies and their options, and how the options of several files combine.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::JsonOptions;
use super::document::Target;
use super::system_prompt::SuitePrompt;
use crate::compression::{
    AnyStrategy, Preset, Product, STRATEGIES, SettingError, Variant, option_names, presets,
};
use crate::processes::Environment;
use ptc_lisp::hint::suggestion;
use ptc_prices::PriceTable;

/// Separates the names of a strategy and a prompt.
const BEFORE_PROMPT: char = '+';

/// The name of a strategy under a prompt, such as `fold+shorter`. Not used for the first prompt.
pub fn under_prompt(strategy: &str, prompt: &str) -> String {
    format!("{strategy}{BEFORE_PROMPT}{prompt}")
}

/// Names valid in files, from the registries.
#[derive(Clone, Debug)]
pub struct Known {
    /// The built-in strategies and presets. In a suite also its variants.
    pub strategies: Vec<KnownStrategy>,
    pub tokenizers: Vec<String>,
    /// Models, found by any spelling of their names.
    pub prices: PriceTable,
    pub metrics: Vec<String>,
    /// Metrics with one value per model, written as `cost:MODEL`.
    pub model_metrics: Vec<String>,
    /// The environment variables for strategies run as commands. `None` if commands may not run.
    pub command_environment: Option<Environment>,
}

/// A strategy known by name.
#[derive(Clone)]
pub struct KnownStrategy {
    pub name: String,
    /// The built-in strategy it is based on, or a program of the user.
    pub base: AnyStrategy,
    /// The options of a preset or variant.
    pub options: JsonOptions,
    /// The product with this strategy. `None` for strategies of `ptc-eval` itself or of the user.
    pub product: Option<&'static Product>,
    /// The prompt to render it under. `None`: the scenario's own.
    pub prompt: Option<Arc<SuitePrompt>>,
}

/// Why a strategy rejects an option.
pub struct RefusedOption {
    /// The wrong part of the option: its name or its value.
    pub target: Target,
    pub message: String,
    pub help: String,
}

/// The strategy set in a scenario for its agent.
#[derive(Clone, Debug)]
pub struct Compression {
    /// A built-in strategy or a variant.
    pub strategy: String,
    /// Its options in this scenario.
    pub options: JsonOptions,
}

/// The options of a strategy, by source.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    pub command_line: &'a JsonOptions,
    /// Empty unless the scenario selects this strategy.
    pub scenario: &'a JsonOptions,
    pub variant: &'a JsonOptions,
    /// For every strategy with an option of the same name.
    pub suite: &'a JsonOptions,
}

impl Known {
    pub fn strategy(&self, name: &str) -> Option<&KnownStrategy> {
        self.strategies.iter().find(|known| known.name == name)
    }

    pub fn strategy_names(&self) -> Vec<&str> {
        self.strategies.iter().map(|known| known.name.as_str()).collect()
    }
}

impl KnownStrategy {
    /// Returns true if it has an option of this name. Programs of users accept any.
    pub fn has(&self, option: &str) -> bool {
        self.base.takes_any_option() || option_names(&*self.base).any(|name| name == option)
    }

    /// The names of its options.
    pub fn options(&self) -> Vec<&'static str> {
        option_names(&*self.base).collect()
    }

    /// Why the strategy rejects the option. `None` if it accepts it.
    pub fn refuse(&self, option: &str, value: &Value) -> Option<RefusedOption> {
        if !self.has(option) {
            let message = format!("the strategy {} has no option '{option}'", self.name);
            let help = match option {
                "options" => "write each option beside the name of the strategy".to_owned(),
                _ => suggestion(option, &self.options()),
            };
            return Some(RefusedOption { target: Target::Key, message, help });
        }
        let error = Variant::new(&*self.base).with(option, value.clone()).err()?;
        let message = match error {
            SettingError::BadValue { expected, found, .. } => format!("expected {expected}, found {found}"),
            other => other.to_string(),
        };
        let is_quoted = value.as_str().is_some_and(|text| self.takes_written(option, text));
        let help = if is_quoted { "write it without quotes" } else { "" };
        Some(RefusedOption { target: Target::Value, message, help: help.to_owned() })
    }

    /// Returns true if the option takes the value that this text has without quotes.
    fn takes_written(&self, option: &str, text: &str) -> bool {
        let value = serde_json::from_str::<Value>(text);
        value.is_ok_and(|value| Variant::new(&*self.base).with(option, value).is_ok())
    }
}

impl fmt::Debug for KnownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KnownStrategy").field(&self.name).finish()
    }
}

impl KnownStrategy {
    /// A strategy without options.
    pub fn of(name: &str, base: AnyStrategy) -> KnownStrategy {
        let (options, name) = (JsonOptions::default(), name.to_owned());
        KnownStrategy { name, base, options, product: None, prompt: None }
    }

    /// A copy of the strategy under another prompt.
    pub fn under(&self, prompt: &Arc<SuitePrompt>) -> KnownStrategy {
        KnownStrategy {
            name: under_prompt(&self.name, &prompt.name),
            prompt: Some(prompt.clone()),
            ..self.clone()
        }
    }

    /// The name without the suffix for the prompt.
    pub fn name_without_prompt(&self) -> &str {
        let Some(prompt) = &self.prompt else { return &self.name };
        let plain = self.name.strip_suffix(&prompt.name).and_then(|name| name.strip_suffix(BEFORE_PROMPT));
        plain.unwrap_or(&self.name)
    }
}

impl From<&Preset> for KnownStrategy {
    fn from(preset: &Preset) -> KnownStrategy {
        let base = AnyStrategy::BuiltIn(preset.strategy);
        let options = preset.options.clone().into_iter().collect();
        let product = Product::of_preset(&preset.name);
        KnownStrategy { options, product, ..KnownStrategy::of(&preset.name, base) }
    }
}

/// The built-in strategies and the presets, and no other names.
impl Default for Known {
    fn default() -> Known {
        let mut strategies = Vec::new();
        for base in STRATEGIES {
            strategies.push(KnownStrategy::of(base.name, AnyStrategy::BuiltIn(*base)));
        }
        strategies.extend(presets().into_iter().map(KnownStrategy::from));
        Known {
            strategies,
            tokenizers: Vec::new(),
            prices: PriceTable::default(),
            metrics: Vec::new(),
            model_metrics: Vec::new(),
            command_environment: None,
        }
    }
}

/// The effective options of one strategy, sorted by name. The command line wins over the scenario, the scenario over the variant, and the
/// variant over the suite.
pub fn settle(strategy: &KnownStrategy, layers: Layers<'_>) -> JsonOptions {
    let mut settled = layers.suite.clone();
    settled.retain(|name, _| strategy.has(name));
    for layer in [layers.variant, layers.scenario, layers.command_line] {
        settled.extend(layer.clone());
    }
    settled.sort_keys();
    settled
}
