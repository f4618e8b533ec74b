//! Which strategies a run renders, and with which options in each scenario (API-007).

use crate::compression::{SettingError, Strategy, Variant, find};
use crate::lisp::json::from_json;
use crate::scenario::options::{KnownStrategy, Layers, settle};
use crate::scenario::suite::{Base, Suite};
use crate::scenario::{Options, Scenario};

/// The strategies of a run, in the order in which they are reported.
#[derive(Clone)]
pub struct Plan {
    strategies: Vec<Planned>,
    suite: Options,
}

/// One strategy of the plan.
#[derive(Clone)]
struct Planned {
    /// As reports call it.
    name: String,
    /// The built-in strategy that it is made of.
    base: &'static dyn Strategy,
    known: KnownStrategy,
    variant: Options,
    command_line: Options,
}

impl Plan {
    /// The plan for these strategies of a suite, each with the options that the command line gave it.
    ///
    /// # Errors
    /// A strategy that neither exists nor is a variant of the suite.
    pub fn new(suite: &Suite, wanted: &[(String, Options)]) -> Result<Plan, SettingError> {
        let strategies = wanted.iter().map(|(name, options)| planned(suite, name, options));
        Ok(Plan { strategies: strategies.collect::<Result<_, _>>()?, suite: suite.options.clone() })
    }

    /// The names of the strategies.
    pub fn names(&self) -> Vec<&str> {
        self.strategies.iter().map(|planned| planned.name.as_str()).collect()
    }

    /// The strategies with the options that count in this scenario.
    ///
    /// # Errors
    /// An option that a strategy does not have, or not with this value.
    pub fn variants_for(&self, scenario: &Scenario) -> Result<Vec<Variant<'static>>, SettingError> {
        let nothing = Options::default();
        let variant_of = |planned: &Planned| {
            let chosen = scenario.compression.as_ref().filter(|chosen| chosen.strategy == planned.name);
            let layers = Layers {
                command_line: &planned.command_line,
                scenario: chosen.map_or(&nothing, |chosen| &chosen.options),
                variant: &planned.variant,
                suite: &self.suite,
            };
            let variant = Variant::new(planned.base).called(&planned.name);
            settle(&planned.known, layers)
                .iter()
                .try_fold(variant, |variant, (option, value)| variant.with(option, from_json(value)))
        };
        self.strategies.iter().map(variant_of).collect()
    }
}

fn planned(suite: &Suite, name: &str, command_line: &Options) -> Result<Planned, SettingError> {
    let variant = suite.variants.iter().find(|variant| variant.name == name);
    let base = match variant.map(|variant| &variant.base) {
        Some(Base::Strategy(base)) => find(base)?,
        Some(Base::Program { .. }) | None => find(name)?,
    };
    command_line
        .iter()
        .try_fold(Variant::new(base), |variant, (option, value)| variant.with(option, from_json(value)))?;
    Ok(Planned {
        name: name.to_string(),
        base,
        known: KnownStrategy { name: name.to_string(), base: Some(base) },
        variant: variant.map(|variant| variant.options.clone()).unwrap_or_default(),
        command_line: command_line.clone(),
    })
}
