//! What an agent says about compression, and what is wrong when it cannot be meant (API-001…API-006). How
//! it is written in a file is the business of scenarios.

use std::fmt;

use ecow::EcoString;

use super::variant::Variant;
use super::{BASELINE, DEFAULT};
use ptc_lisp::hint::nearest;
use ptc_lisp::session::Bindings;

/// The `compression` of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Setting {
    /// Absent or `false` (API-003).
    #[default]
    Off,
    /// `true`
    On,
    /// `single-user-coalesced`
    Named(String),
    /// `{strategy: single-user-coalesced, println_limit: 10}`; without a strategy the default one.
    Configured { strategy: Option<String>, options: Bindings },
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    UnknownStrategy { name: String, known: Vec<String> },
    UnknownOption { strategy: EcoString, option: EcoString, known: Vec<&'static str> },
    BadValue { option: EcoString, expected: EcoString, found: String },
}

/// The strategy that a setting means, with its options (API-006).
///
/// # Errors
/// When there is no such strategy, or it has no such option, or not with this value.
pub fn normalize(setting: &Setting) -> Result<Variant<'static>, SettingError> {
    let variant = Variant::named(setting.strategy())?;
    match setting {
        Setting::Configured { options, .. } => variant.with_all(options),
        Setting::Off | Setting::On | Setting::Named(_) => Ok(variant),
    }
}

impl Setting {
    /// The name of the strategy that is meant.
    pub fn strategy(&self) -> &str {
        match self {
            Setting::Off => BASELINE.name(),
            Setting::On | Setting::Configured { strategy: None, .. } => DEFAULT.name(),
            Setting::Named(name) | Setting::Configured { strategy: Some(name), .. } => name,
        }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::UnknownStrategy { name, known } => {
                write!(f, "unknown strategy '{name}' (strategies: {})", known.join(", "))?;
                f.write_str(&suggestion(name, known.iter().map(String::as_str)))
            }
            SettingError::UnknownOption { strategy, option, known } => {
                write!(f, "{strategy} has no option '{option}' (options: {})", known.join(", "))?;
                f.write_str(&suggestion(option, known.iter().copied()))
            }
            SettingError::BadValue { option, expected, found } => {
                write!(f, "{option}: expected {expected}, found {found}")
            }
        }
    }
}

impl std::error::Error for SettingError {}

/// `; did you mean 'window'?` where a known name is near.
fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = nearest(name, known);
    nearest.map(|known| format!("; did you mean '{known}'?")).unwrap_or_default()
}
