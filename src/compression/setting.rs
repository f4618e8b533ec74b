//! The `compression` of an agent. Scenarios decide how it is written in a file.

use super::error::SettingError;
use super::strategies::{BASELINE, DEFAULT};
use super::variant::Variant;
use serde_json::{Map, Value};

/// The `compression` of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Setting {
    /// Absent or `false`.
    #[default]
    Off,
    /// `true`
    On,
    /// `single-user-coalesced`
    Named(String),
    /// `{strategy: single-user-coalesced, println_limit: 10}`; without a strategy the default one.
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
        Setting::Named(name) => Variant::named(name),
        Setting::Configured { strategy, options } => {
            let variant = strategy.as_deref().map_or(Ok(Variant::new(DEFAULT)), Variant::named)?;
            variant.with_all(options)
        }
    }
}
