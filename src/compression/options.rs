//! Options of strategies: their names, defaults and values. Where values come from and which of them
//! wins is the business of suites and scenarios.

use ecow::EcoString;

use super::Strategy;
use super::history::View;
use super::setting::SettingError;
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// One option of a strategy: a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// As scenarios write it.
    pub name: &'static str,
    pub default: u32,
    /// The smallest value that makes sense.
    pub least: u32,
    /// One line.
    pub doc: &'static str,
}

/// API-004
pub const PRINTLN_LIMIT: OptionRow =
    OptionRow { name: "println_limit", default: 15, least: 0, doc: "most recent prints that are shown" };
/// API-005
pub const TOOL_CALL_LIMIT: OptionRow = OptionRow {
    name: "tool_call_limit",
    default: 20,
    least: 0,
    doc: "most recent tool calls that are shown",
};
/// TRN-002
pub const SAMPLE_LIMIT: OptionRow =
    OptionRow { name: "sample_limit", default: 3, least: 0, doc: "items that a sample shows" };
/// TRN-002
pub const SAMPLE_PRINTABLE_LIMIT: OptionRow = OptionRow {
    name: "sample_printable_limit",
    default: 80,
    least: 0,
    doc: "characters of a string that a sample shows",
};
/// S1-27
pub const ERROR_CONTEXT: OptionRow = OptionRow {
    name: "error_context",
    default: 1,
    least: 0,
    doc: "successful turns before a failed one that are shown whole",
};
/// S2-24
pub const WINDOW: OptionRow =
    OptionRow { name: "window", default: 3, least: 1, doc: "most recent turns that are shown whole" };
pub const KEEP_RECENT_TURNS: OptionRow =
    OptionRow { name: "keep_recent_turns", default: 3, least: 1, doc: "most recent turns that are kept" };

/// The name of the option that every strategy has.
pub const TRIGGER: &str = "trigger";

/// When compression starts; without either it always compresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trigger {
    /// Compress once more turns than this are completed.
    pub turns: Option<u32>,
    /// Compress once the `full-history` request has at least this many tokens.
    pub tokens: Option<u64>,
}

/// The options of one strategy; what was not set has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    numbers: Vec<(&'static str, u32)>,
    trigger: Trigger,
    extra: Bindings,
}

impl Options {
    /// The value of an option.
    pub fn get(&self, row: &OptionRow) -> usize {
        let set = self.numbers.iter().find(|(name, _)| *name == row.name);
        set.map_or(row.default, |(_, value)| *value) as usize
    }

    pub fn trigger(&self) -> Trigger {
        self.trigger
    }

    /// Options that the strategy does not list but takes (S4-22).
    pub fn extra(&self) -> &Bindings {
        &self.extra
    }

    /// Sets one option of this strategy.
    ///
    /// # Errors
    /// When the strategy has no such option, or not with this value.
    pub fn set(&mut self, strategy: &dyn Strategy, name: &str, value: &Value) -> Result<(), SettingError> {
        if name == TRIGGER {
            self.trigger = Trigger::of(value)?;
        } else if let Some(row) = strategy.options().iter().find(|row| row.name == name) {
            let number = row.check(value)?;
            self.numbers.retain(|(name, _)| *name != row.name);
            self.numbers.push((row.name, number));
        } else if strategy.takes_any_option() {
            self.extra.insert(Symbol::new(name), value.clone());
        } else {
            return Err(unknown_option(strategy, name));
        }
        Ok(())
    }
}

impl OptionRow {
    fn check(&self, value: &Value) -> Result<u32, SettingError> {
        let number = whole_number(value).and_then(|number| u32::try_from(number).ok());
        number.filter(|number| *number >= self.least).ok_or_else(|| {
            let expected = ecow::eco_format!("a whole number from {}", self.least);
            bad_value(self.name, expected, value)
        })
    }
}

impl Trigger {
    /// Whether the request that follows is a compressed one.
    pub fn is_met(&self, view: &View<'_>) -> bool {
        let turns = self.turns.map(|turns| view.turns.len() > turns as usize);
        let many = turns == Some(true);
        match self.tokens {
            Some(tokens) => many || view.full_history_tokens() >= tokens,
            None => turns.unwrap_or(true),
        }
    }

    /// `{:turns 4}`, `{:tokens 8000}` or both.
    fn of(value: &Value) -> Result<Trigger, SettingError> {
        let bad = || bad_value(TRIGGER, "{turns: N, tokens: M}, one of them or both".into(), value);
        let Value::Map(entries) = value else { return Err(bad()) };
        let mut trigger = Trigger::default();
        for (name, value) in entries.iter() {
            let number = whole_number(value).ok_or_else(bad)?;
            match key_text(name) {
                Some("turns") => trigger.turns = Some(u32::try_from(number).map_err(|_| bad())?),
                Some("tokens") => trigger.tokens = Some(number),
                _ => return Err(bad()),
            }
        }
        if entries.is_empty() { Err(bad()) } else { Ok(trigger) }
    }
}

fn key_text(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.name()),
        Value::Str(text) => Some(text),
        _ => None,
    }
}

fn whole_number(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

fn bad_value(option: &str, expected: EcoString, found: &Value) -> SettingError {
    SettingError::BadValue { option: option.into(), expected, found: to_clojure(found, 3, 60).0 }
}

/// The names of all options of a strategy.
pub fn option_names(strategy: &dyn Strategy) -> impl Iterator<Item = &'static str> {
    strategy.options().iter().map(|row| row.name).chain([TRIGGER])
}

fn unknown_option(strategy: &dyn Strategy, name: &str) -> SettingError {
    SettingError::UnknownOption {
        strategy: strategy.name().into(),
        option: name.into(),
        known: option_names(strategy).collect(),
    }
}
