//! Options of strategies: names, defaults and values. Suites and scenarios decide which of several values
//! counts.

use ecow::EcoString;

use super::error::SettingError;
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Bindings;
use ptc_lisp::value::Value;

/// One option of a strategy: a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRow {
    /// The key in scenarios.
    pub name: &'static str,
    pub default: u32,
    /// The smallest allowed value.
    pub least: u32,
    /// One line.
    pub doc: &'static str,
}

const fn row(name: &'static str, default: u32, least: u32, doc: &'static str) -> OptionRow {
    OptionRow { name, default, least, doc }
}

/// API-004
pub const PRINTLN_LIMIT: OptionRow = row("println_limit", 15, 0, "most recent prints that are shown");
/// API-005
pub const TOOL_CALL_LIMIT: OptionRow = row("tool_call_limit", 20, 0, "most recent tool calls that are shown");
/// TRN-002
pub const SAMPLE_LIMIT: OptionRow = row("sample_limit", 3, 0, "items that a sample shows");
/// TRN-002
pub const SAMPLE_PRINTABLE_LIMIT: OptionRow =
    row("sample_printable_limit", 80, 0, "characters of a string that a sample shows");
/// S1-27
pub const ERROR_CONTEXT: OptionRow =
    row("error_context", 1, 0, "successful turns before a failed one that are shown whole");
/// S2-24
pub const WINDOW: OptionRow = row("window", 3, 1, "most recent turns that are shown whole");
pub const KEEP_RECENT_TURNS: OptionRow = row("keep_recent_turns", 3, 1, "most recent turns that are kept");

/// The name of the option that every strategy has.
pub const TRIGGER: &str = "trigger";

/// Start of compression. Without a bound it always compresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trigger {
    /// Compress once more turns than this are completed.
    pub turns: Option<u32>,
    /// Compress once the `full-history` request has at least this many tokens.
    pub tokens: Option<u64>,
}

/// The options of one strategy. An option that is not set has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    numbers: Vec<(&'static str, u32)>,
    pub(super) trigger: Trigger,
    pub(super) extra: Bindings,
}

impl Options {
    /// The value of an option.
    pub fn get(&self, row: &OptionRow) -> usize {
        let set = self.numbers.iter().find(|(name, _)| *name == row.name);
        set.map_or(row.default, |(_, value)| *value) as usize
    }

    /// Options that the strategy does not list but takes (S4-22).
    pub fn extra(&self) -> &Bindings {
        &self.extra
    }

    /// Sets an option that the strategy lists.
    pub(super) fn set(&mut self, row: &OptionRow, value: &Value) -> Result<(), SettingError> {
        let number = whole_number(value).and_then(|number| u32::try_from(number).ok());
        let number = number.filter(|number| *number >= row.least).ok_or_else(|| {
            bad_value(row.name, ecow::eco_format!("a whole number from {}", row.least), value)
        })?;
        self.numbers.retain(|(name, _)| *name != row.name);
        self.numbers.push((row.name, number));
        Ok(())
    }
}

impl Trigger {
    /// Reads `{:turns 4}`, `{:tokens 8000}` or both.
    pub(super) fn parse(value: &Value) -> Result<Trigger, SettingError> {
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
