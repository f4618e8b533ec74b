//! The strategies of an evaluation, and their options in each scenario.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agent::SystemPrompt;
use crate::compression::{
    AnyStrategy, BASELINE, CommandWriter, RECORDED, Rendered, SettingError, Severity, Strategy,
    StrategyError, TRIGGER, Variant,
};
use crate::processes::Environment;
use crate::report::StrategySetting;
use crate::scenario::options::{KnownStrategy, Layers, settle};
use crate::scenario::suite::{Suite, beside};
use crate::scenario::{JsonOptions, Scenario, help_for_model, read_text};
use ptc_prices::PriceTable;

/// Options that limit how many prints and calls a strategy shows.
const LIMITS: [&str; 2] = ["println_limit", "tool_call_limit"];
/// Options that set how much recent history is kept unchanged.
const KEEPS: [&str; 3] = ["keep_recent_turns", "keep", "window"];
/// The folder of golden texts, next to the suite's folder.
const GOLDEN_FOLDER: &str = "snapshots";

/// The strategies of an evaluation, in reporting order.
#[derive(Clone)]
pub struct Plan {
    strategies: Vec<Planned>,
    /// `full-history`, if the suite has it; golden files of others may refer to it instead of repeating its requests. It is rendered
    /// even if it is not selected, since golden files must not depend on the selection.
    repeated: Option<Planned>,
    /// The suite's options for all strategies.
    suite: JsonOptions,
    /// The suite's first model and its context window, if known.
    model: Option<(String, u32)>,
    /// Starts the suite's commands for writing texts.
    pub(super) commands: Commands,
    /// The folder of golden texts, if the suite is a folder.
    pub(super) golden_folder: Option<PathBuf>,
    /// The suite's folder. Files named by options must be below it.
    root: PathBuf,
}

/// Runs the suite's commands in its folder and environment.
#[derive(Clone, Debug)]
pub struct Commands {
    folder: PathBuf,
    environment: Option<Environment>,
    /// The prices for the usage reported by commands.
    prices: Arc<PriceTable>,
}

impl Commands {
    fn of(suite: &Suite) -> Commands {
        let folder = std::path::absolute(&suite.root).unwrap_or_else(|_| suite.root.clone());
        let prices = Arc::new(suite.known.prices.clone());
        Commands { folder, environment: suite.known.command_environment.clone(), prices }
    }

    /// Adds the price of the model that a command called for this request.
    ///
    /// # Errors
    /// The model has no known price.
    pub fn priced<M>(&self, mut rendered: Rendered<M>) -> Result<Rendered<M>, StrategyError> {
        let Some(call) = &mut rendered.call else { return Ok(rendered) };
        let Some(usage) = &mut call.usage else { return Ok(rendered) };
        let Some(model) = &usage.model else { return Ok(rendered) };
        // Without a price table, reports have no models either, so the price is not needed.
        if self.prices.rows().is_empty() {
            return Ok(rendered);
        }
        match self.prices.find(model, self.prices.day()) {
            Ok(price) => usage.price = Some(Arc::new(price)),
            Err(unknown) => {
                let help = help_for_model(&unknown);
                return Err(StrategyError::new(format!("usage.model: there is no model '{model}'\n{help}")));
            }
        }
        Ok(rendered)
    }

    /// Starts a command for writing texts.
    ///
    /// # Errors
    /// It is not allowed, or cannot be started.
    pub fn start(&self, words: &[String]) -> Result<CommandWriter, StrategyError> {
        CommandWriter::start(words, &self.folder, self.environment.clone())
    }
}

/// One strategy of the plan.
#[derive(Clone)]
struct Planned {
    /// The name in reports: the strategy's name with the options from the command line.
    label: String,
    strategy: KnownStrategy,
    /// The options of the variant.
    variant: JsonOptions,
    command_line: JsonOptions,
}

impl Plan {
    /// The plan for these strategies of a suite, each with its options from the command line.
    ///
    /// # Errors
    /// A strategy neither exists nor is a variant of the suite.
    pub fn new(suite: &Suite, wanted: &[(String, JsonOptions)]) -> Result<Plan, SettingError> {
        let mut strategies = Vec::with_capacity(wanted.len());
        for (name, options) in wanted {
            strategies.push(plan_strategy(suite, name, options)?);
        }
        let has_plain = suite.strategies.iter().any(|name| name == BASELINE.name());
        let repeated = match has_plain {
            true => Some(plan_strategy(suite, BASELINE.name(), &JsonOptions::default())?),
            false => None,
        };
        Ok(Plan {
            strategies,
            repeated,
            suite: suite.options.clone(),
            model: first_window(suite),
            commands: Commands::of(suite),
            golden_folder: (!suite.is_in_memory()).then(|| beside(&suite.root, GOLDEN_FOLDER)),
            root: suite.root.clone(),
        })
    }

    /// Sets the folder of golden texts.
    pub fn with_golden_texts_in(mut self, folder: &Path) -> Plan {
        self.golden_folder = Some(folder.to_owned());
        self
    }

    /// The plan for all strategies of the suite.
    ///
    /// # Errors
    /// Fails like [`Plan::new`].
    pub fn of(suite: &Suite) -> Result<Plan, SettingError> {
        let wanted: Vec<_> =
            suite.strategies.iter().map(|name| (name.clone(), JsonOptions::default())).collect();
        Plan::new(suite, &wanted)
    }

    /// Adds a strategy unknown to the suite. It gets the suite's options for all strategies.
    pub fn with(mut self, strategy: impl Strategy + 'static) -> Plan {
        let name = strategy.name().to_string();
        let strategy = KnownStrategy::of(&name, AnyStrategy::Own(Arc::new(strategy)));
        let none = JsonOptions::default();
        self.strategies.push(Planned { label: name, strategy, variant: none.clone(), command_line: none });
        self
    }

    /// The names of the strategies.
    pub fn names(&self) -> Vec<&str> {
        self.strategies.iter().map(|planned| planned.label.as_str()).collect()
    }

    /// The family and severity of each strategy, for a scenario without options. Invalid options leave the severity unknown; the scenarios
    /// report the error.
    pub fn settings(&self) -> Vec<StrategySetting> {
        let none = JsonOptions::default();
        let mut settings = Vec::with_capacity(self.strategies.len());
        for planned in &self.strategies {
            let mut setting = StrategySetting {
                family: planned.label.clone(),
                severity: None,
                prompt: planned.strategy.prompt.as_ref().map(|prompt| prompt.name.clone()),
            };
            if let Ok(Variant { strategy, options, .. }) = planned.variant_with(&none, self) {
                setting.severity = strategy.severity(&options);
                if let Some(Severity { kept: Some(_), .. }) = setting.severity {
                    let mut others = planned.effective_options(&none, self);
                    others.retain(|name, _| !KEEPS.contains(&name.as_str()));
                    let prompt = setting.prompt.as_deref().unwrap_or_default();
                    setting.family = format!("{} {} {prompt}", strategy.name(), serde_json::json!(others));
                }
            }
            settings.push(setting);
        }
        settings
    }

    /// The names of the built-in strategies with a limit on prints or calls.
    pub fn limited(&self) -> Vec<String> {
        let mut limited = Vec::new();
        for planned in &self.strategies {
            if let AnyStrategy::BuiltIn(strategy) = &planned.strategy.base
                && strategy.options().iter().any(|row| LIMITS.contains(&row.name))
            {
                limited.push(planned.label.clone());
            }
        }
        limited
    }

    /// The names of the strategies that send the plain history until a run is long enough. Empty if the baseline is not the plain history:
    /// a strategy equal to another baseline may still have changed every request.
    pub fn until_limit(&self, baseline: &str) -> Vec<String> {
        let mut waiting = Vec::new();
        let mut is_plain = false;
        for planned in &self.strategies {
            let base = &planned.strategy.base;
            is_plain |=
                planned.label == baseline && [BASELINE.name(), RECORDED.name()].contains(&base.name());
            let keeps = base.options().iter().any(|row| KEEPS.contains(&row.name));
            if keeps || planned.effective_options(&JsonOptions::default(), self).contains_key(TRIGGER) {
                waiting.push(planned.label.clone());
            }
        }
        if is_plain { waiting } else { Vec::new() }
    }

    /// The errors of strategies unable to render any scenario. Each is checked with its options for a scenario without options.
    ///
    /// # Errors
    /// A strategy lacks an option, or rejects its value.
    pub fn broken(&self) -> Result<Vec<StrategyError>, SettingError> {
        let mut errors = Vec::new();
        for variant in self.settled()? {
            errors.extend(variant.strategy.check(&variant.options).err());
        }
        Ok(errors)
    }

    /// The strategies with their effective options for a scenario without options.
    ///
    /// # Errors
    /// A strategy lacks an option, or rejects its value.
    pub fn settled(&self) -> Result<Vec<Variant<'_>>, SettingError> {
        let none = JsonOptions::default();
        self.strategies.iter().map(|planned| planned.variant_with(&none, self)).collect()
    }

    /// The strategies with their effective options for this scenario.
    ///
    /// # Errors
    /// A strategy lacks an option, or rejects its value.
    pub fn variants_for(&self, scenario: &Scenario) -> Result<Vec<Variant<'_>>, SettingError> {
        self.strategies.iter().map(|planned| planned.variant_for(scenario, self)).collect()
    }

    /// `full-history`, if the suite has it, with its effective options for this scenario. Golden files of other strategies may refer
    /// to it.
    ///
    /// # Errors
    /// Fails like [`Plan::variants_for`].
    pub fn repeated_for(&self, scenario: &Scenario) -> Result<Option<Variant<'_>>, SettingError> {
        self.repeated.as_ref().map(|planned| planned.variant_for(scenario, self)).transpose()
    }
}

impl Planned {
    fn variant_for(&self, scenario: &Scenario, plan: &Plan) -> Result<Variant<'_>, SettingError> {
        let name = self.strategy.name_without_prompt();
        let variant = match &scenario.compression {
            Some(chosen) if chosen.strategy == name => self.variant_with(&chosen.options, plan)?,
            _ => self.variant_with(&JsonOptions::default(), plan)?,
        };
        let Some(prompt) = &self.strategy.prompt else { return Ok(variant) };
        let text = prompt.text.as_deref().unwrap_or(SystemPrompt::text());
        Ok(variant.with_system(match scenario.script() {
            Some(script) => script.agent.system_text_with(text),
            None => text.into(),
        }))
    }

    /// The effective options for a scenario with these options.
    fn effective_options(&self, scenario: &JsonOptions, plan: &Plan) -> JsonOptions {
        let (command_line, variant) = (&self.command_line, &self.variant);
        settle(&self.strategy, Layers { command_line, scenario, variant, suite: &plan.suite })
    }

    /// The strategy with its effective options for a scenario with these options, and with its prompt file read.
    fn variant_with(&self, scenario: &JsonOptions, plan: &Plan) -> Result<Variant<'_>, SettingError> {
        let KnownStrategy { base, product, .. } = &self.strategy;
        let window = match (&plan.model, product) {
            (Some((model, window)), Some(product)) => Some(product.window_of(model, *window)),
            (Some((_, window)), None) => Some(*window),
            (None, _) => None,
        };
        let variant = Variant::new(&**base).called(&self.label).for_window(window);
        let variant = variant.with_all(&self.effective_options(scenario, plan))?;
        let Some(path) = variant.options.prompt_file() else { return Ok(variant) };
        match read_text(&plan.root, &plan.root, path) {
            Ok((_, text)) => Ok(variant.with_prompt(&text)),
            Err(refused) => Err(SettingError::Prompt { reason: refused.message() }),
        }
    }
}

/// The suite's first model and its context window, if known.
fn first_window(suite: &Suite) -> Option<(String, u32)> {
    let prices = &suite.known.prices;
    let price = prices.find(suite.models.first()?, prices.day()).ok()?;
    Some((price.model, price.window?))
}

fn plan_strategy(suite: &Suite, name: &str, command_line: &JsonOptions) -> Result<Planned, SettingError> {
    let Some(strategy) = suite.known.strategy(name).cloned() else {
        let known = suite.known.strategy_names().into_iter().map(str::to_string).collect();
        return Err(SettingError::UnknownStrategy { name: name.to_string(), known });
    };
    Variant::new(&*strategy.base).with_all(command_line)?;
    Ok(Planned {
        label: label(name, command_line),
        variant: strategy.options.clone(),
        strategy,
        command_line: command_line.clone(),
    })
}

/// `trim,keep_recent_turns=1`, `fold,trigger=tokens=16000`
pub(super) fn label(name: &str, options: &JsonOptions) -> String {
    let mut label = name.to_owned();
    for (option, value) in options {
        let value = match value {
            serde_json::Value::String(word) => word.clone(),
            serde_json::Value::Object(bounds) if option == TRIGGER => {
                let bounds: Vec<String> =
                    bounds.iter().map(|(bound, value)| format!("{bound}={}", unquoted_text(value))).collect();
                bounds.join("+")
            }
            value => value.to_string(),
        };
        label += &format!(",{option}={value}");
    }
    label
}

fn unquoted_text(value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}
