//! The `compression` value of an agent: what it may look like, and what is wrong when it does not
//! (API-001…API-006).

use std::fmt;

use ecow::EcoString;
use serde_json::{Map, Value};

use super::{BASELINE, DEFAULT};
use crate::lisp::hint::nearest;

/// What an agent says about compression.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Setting {
    /// Absent or `false` (API-003).
    #[default]
    Off,
    /// `true`
    On,
    /// `single-user-coalesced`
    Named(String),
    /// `{strategy: single-user-coalesced, println_limit: 10}`
    Configured { strategy: String, options: Map<String, Value> },
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingError {
    /// Neither true, false, a name nor a map with a name.
    BadSetting {
        found: String,
    },
    UnknownStrategy {
        name: String,
        known: Vec<String>,
    },
    UnknownOption {
        strategy: EcoString,
        option: EcoString,
        known: Vec<EcoString>,
    },
    BadValue {
        option: EcoString,
        expected: EcoString,
        found: String,
    },
}

/// The strategy that a setting means and the options that it gives (API-006). Whether they exist is seen
/// where they are looked up.
pub fn normalize(setting: &Setting) -> (&str, Map<String, Value>) {
    match setting {
        Setting::Off => (BASELINE.name(), Map::new()),
        Setting::On => (DEFAULT.name(), Map::new()),
        Setting::Named(name) => (name, Map::new()),
        Setting::Configured { strategy, options } => (strategy, options.clone()),
    }
}

impl Setting {
    /// Reads a setting as it stands in a scenario.
    ///
    /// # Errors
    /// When it is neither true, false, nil, a name nor a map with the key `strategy`.
    pub fn from_json(value: &Value) -> Result<Setting, SettingError> {
        match value {
            Value::Null | Value::Bool(false) => Ok(Setting::Off),
            Value::Bool(true) => Ok(Setting::On),
            Value::String(name) => Ok(Setting::Named(name.clone())),
            Value::Object(entries) => Setting::from_entries(entries),
            other => Err(SettingError::BadSetting { found: other.to_string() }),
        }
    }

    fn from_entries(entries: &Map<String, Value>) -> Result<Setting, SettingError> {
        let Some(Value::String(strategy)) = entries.get("strategy") else {
            return Err(SettingError::BadSetting { found: Value::Object(entries.clone()).to_string() });
        };
        let options = entries.iter().filter(|(name, _)| *name != "strategy");
        Ok(Setting::Configured {
            strategy: strategy.clone(),
            options: options.map(|(name, value)| (name.clone(), value.clone())).collect(),
        })
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::BadSetting { found } => write!(
                f,
                "compression: expected true, false, the name of a strategy or {{strategy: NAME, option: value}}, \
                 found {found}"
            ),
            SettingError::UnknownStrategy { name, known } => {
                write!(f, "unknown strategy '{name}' (strategies: {})", known.join(", "))?;
                f.write_str(&suggestion(name, known))
            }
            SettingError::UnknownOption { strategy, option, known } => {
                write!(f, "{strategy} has no option '{option}' (options: {})", known.join(", "))?;
                f.write_str(&suggestion(option, known))
            }
            SettingError::BadValue { option, expected, found } => {
                write!(f, "{option}: expected {expected}, found {found}")
            }
        }
    }
}

impl std::error::Error for SettingError {}

/// `; did you mean 'window'?` where a known name is near.
fn suggestion<T: AsRef<str>>(name: &str, known: &[T]) -> String {
    let nearest = nearest(name, known.iter().map(|known| known.as_ref()));
    nearest.map(|known| format!("; did you mean '{known}'?")).unwrap_or_default()
}
