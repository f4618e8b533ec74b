//! The `compression` setting of an agent. The scenario module parses it.

use history_strategies::{BASELINE, SettingError, Variant};
use ptc_lisp::hint::suggestion;
use serde_json::{Map, Value};

use super::strategies::{DEFAULT, find};

/// The `compression` setting of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Setting {
    /// Absent or `false`.
    #[default]
    Off,
    /// `true`
    On,
    /// `single-user-coalesced`
    Named(String),
    /// `{strategy: single-user-coalesced, println_limit: 10}`; the strategy defaults to `DEFAULT`.
    Configured { strategy: Option<String>, options: Map<String, Value> },
}

/// Resolves a setting to a strategy with its options.
///
/// # Errors
/// The strategy or an option is unknown, or a value is out of range.
pub fn normalize(setting: &Setting) -> Result<Variant<'static>, SettingError> {
    match setting {
        Setting::Off => Ok(Variant::new(BASELINE)),
        Setting::On => Ok(Variant::new(DEFAULT)),
        Setting::Named(name) => named(name),
        Setting::Configured { strategy, options } => {
            let variant = strategy.as_deref().map_or(Ok(Variant::new(DEFAULT)), named)?;
            variant.with_all(options)
        }
    }
}

/// Finds a built-in strategy by name.
///
/// # Errors
/// The name is unknown.
pub fn named(name: &str) -> Result<Variant<'static>, SettingError> {
    find(name).map(|strategy| Variant::new(strategy))
}

/// The error message, with a suggestion for a mistyped name.
pub fn explain_refusal(error: &SettingError) -> String {
    match error {
        SettingError::UnknownStrategy { name, known } => {
            format!("unknown strategy '{name}'; {}", suggestion(name, known))
        }
        SettingError::UnknownOption { strategy, option, known } => {
            format!("{strategy} has no option '{option}'; {}", suggestion(option, known))
        }
        other => other.to_string(),
    }
}
