//! Options of strategies: names, defaults and values. Suites and scenarios decide which of several values
//! counts.

use ecow::EcoString;

use super::error::SettingError;
use crate::signature::key_name;
use ptc_lisp::print::to_clojure;
use ptc_lisp::session::Bindings;
use ptc_lisp::value::Value;

/// One option of a strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionRow {
    /// The key in scenarios.
    pub name: &'static str,
    pub kind: OptionKind,
    /// One line.
    pub doc: &'static str,
}

/// Values that an option takes, and its default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number, not below `least`.
    Count { default: u32, least: u32 },
    /// A number from 0.
    Factor(f64),
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// True or false; false by default.
    Flag,
    /// A list of names, empty by default.
    Names,
}

/// The value of an option that was set.
#[derive(Clone, Debug, PartialEq)]
enum OptionValue {
    Count(u32),
    Factor(f64),
    Word(&'static str),
    Flag(bool),
    Names(Vec<EcoString>),
}

impl OptionRow {
    /// An option that is a whole number.
    pub const fn count(name: &'static str, default: u32, least: u32, doc: &'static str) -> OptionRow {
        OptionRow { name, kind: OptionKind::Count { default, least }, doc }
    }
}

pub const PRINTLN_LIMIT: OptionRow =
    OptionRow::count("println_limit", 15, 0, "most recent prints that are shown");
pub const TOOL_CALL_LIMIT: OptionRow =
    OptionRow::count("tool_call_limit", 20, 0, "most recent tool calls that are shown");
pub const SAMPLE_LIMIT: OptionRow = OptionRow::count("sample_limit", 3, 0, "items that a sample shows");
pub const SAMPLE_PRINTABLE_LIMIT: OptionRow =
    OptionRow::count("sample_printable_limit", 80, 0, "characters of a string that a sample shows");
pub const ERROR_CONTEXT: OptionRow =
    OptionRow::count("error_context", 1, 0, "successful turns before a failed one that are shown whole");
pub const WINDOW: OptionRow = OptionRow::count("window", 3, 1, "most recent turns that are shown whole");
pub const KEEP_RECENT_TURNS: OptionRow =
    OptionRow::count("keep_recent_turns", 3, 1, "most recent turns that are kept");
pub const STEP: OptionRow =
    OptionRow::count("step", 1, 1, "turns by which the border between old and recent turns moves at a time");
pub const CACHE_FIRST: OptionRow = OptionRow {
    name: "cache_first",
    kind: OptionKind::Flag,
    doc: "sections that only grow stand before those that change",
};

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
    values: Vec<(&'static str, OptionValue)>,
    pub(super) trigger: Trigger,
    pub(super) extra: Bindings,
}

impl Options {
    /// The value of an option that is a count; 0 for others.
    pub fn get(&self, row: &OptionRow) -> usize {
        match self.set_value(row) {
            Some(OptionValue::Count(count)) => *count as usize,
            _ => row.kind.count(),
        }
    }

    /// The value of an option that is a factor; 0 for others.
    pub fn factor(&self, row: &OptionRow) -> f64 {
        match (self.set_value(row), row.kind) {
            (Some(OptionValue::Factor(factor)), _) => *factor,
            (_, OptionKind::Factor(factor)) => factor,
            _ => 0.0,
        }
    }

    /// The value of an option that is a word; empty for others.
    pub fn word(&self, row: &OptionRow) -> &'static str {
        match (self.set_value(row), row.kind) {
            (Some(OptionValue::Word(word)), _) => word,
            (_, OptionKind::Word(words)) => words.first().copied().unwrap_or_default(),
            _ => "",
        }
    }

    /// The value of an option that is a flag.
    pub fn flag(&self, row: &OptionRow) -> bool {
        self.set_value(row) == Some(&OptionValue::Flag(true))
    }

    /// The value of an option that is a list of names.
    pub fn names(&self, row: &OptionRow) -> &[EcoString] {
        match self.set_value(row) {
            Some(OptionValue::Names(names)) => names,
            _ => &[],
        }
    }

    /// Number of completed turns that are old, a multiple of the option `step`. `recent` is the option for the number of
    /// recent ones.
    pub fn old_turns(&self, recent: &OptionRow, completed: usize) -> usize {
        let old = completed.saturating_sub(self.get(recent));
        old - old % self.get(&STEP).max(1)
    }

    fn set_value(&self, row: &OptionRow) -> Option<&OptionValue> {
        self.values.iter().find(|(name, _)| *name == row.name).map(|(_, value)| value)
    }

    pub fn trigger(&self) -> Trigger {
        self.trigger
    }

    /// Options that the strategy does not list but takes.
    pub fn extra(&self) -> &Bindings {
        &self.extra
    }

    /// Sets an option that the strategy lists.
    pub(super) fn set(&mut self, row: &OptionRow, value: &Value) -> Result<(), SettingError> {
        let read = row.kind.read(value).ok_or_else(|| bad_value(row.name, row.kind.expected(), value))?;
        self.values.retain(|(name, _)| *name != row.name);
        self.values.push((row.name, read));
        Ok(())
    }
}

impl OptionKind {
    /// The default of a count; 0 for others.
    pub const fn count(self) -> usize {
        match self {
            OptionKind::Count { default, .. } => default as usize,
            _ => 0,
        }
    }

    /// The default as files write it.
    pub fn default_text(self) -> EcoString {
        match self {
            OptionKind::Count { default, .. } => ecow::eco_format!("{default}"),
            OptionKind::Factor(default) => ecow::eco_format!("{default}"),
            OptionKind::Word(words) => words.first().copied().unwrap_or_default().into(),
            OptionKind::Flag => "false".into(),
            OptionKind::Names => "[]".into(),
        }
    }

    fn read(self, value: &Value) -> Option<OptionValue> {
        match self {
            OptionKind::Count { least, .. } => {
                let number = whole_number(value).and_then(|number| u32::try_from(number).ok());
                number.filter(|number| *number >= least).map(OptionValue::Count)
            }
            OptionKind::Factor(_) => match value {
                Value::Int(number) if *number >= 0 => Some(OptionValue::Factor(*number as f64)),
                Value::Float(number, ..) if *number >= 0.0 && number.is_finite() => {
                    Some(OptionValue::Factor(*number))
                }
                _ => None,
            },
            OptionKind::Word(words) => {
                let word = key_name(value)?;
                words.iter().find(|known| **known == word).map(|word| OptionValue::Word(word))
            }
            OptionKind::Flag => match value {
                Value::Bool(flag) => Some(OptionValue::Flag(*flag)),
                _ => None,
            },
            OptionKind::Names => {
                let names = value.as_items()?.iter().map(|name| key_name(name).map(EcoString::from));
                names.collect::<Option<_>>().map(OptionValue::Names)
            }
        }
    }

    fn expected(self) -> EcoString {
        match self {
            OptionKind::Count { least, .. } => ecow::eco_format!("a whole number from {least}"),
            OptionKind::Factor(_) => "a number from 0".into(),
            OptionKind::Word(words) => ecow::eco_format!("one of {}", words.join(", ")),
            OptionKind::Flag => "true or false".into(),
            OptionKind::Names => "a list of names".into(),
        }
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
            match key_name(name) {
                Some("turns") => trigger.turns = Some(u32::try_from(number).map_err(|_| bad())?),
                Some("tokens") => trigger.tokens = Some(number),
                _ => return Err(bad()),
            }
        }
        if entries.is_empty() { Err(bad()) } else { Ok(trigger) }
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
