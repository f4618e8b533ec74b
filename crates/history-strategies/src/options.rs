//! Options of strategies: names, defaults and values. Suites and scenarios settle which of several values applies.

use std::sync::Arc;

use ecow::EcoString;
use serde_json::{Map, Value};

use super::call::WrittenText;
use super::error::SettingError;
use conversation::cut::shortened;
use ptc_prices::TimeSpan;

/// One option of a [`BuiltIn`](crate::BuiltIn) strategy, with its [`OptionKind`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionRow {
    /// The key in scenarios.
    pub name: &'static str,
    pub kind: OptionKind,
    /// One line, shown in lists of options.
    pub doc: &'static str,
}

/// The valid values of an [`OptionRow`], and the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number, not below `least`.
    Count { default: u32, least: u32, most: u32 },
    /// A number of tokens or characters; 0 by default.
    Size,
    /// A number from 0.
    Factor(f64),
    /// A number from 0 to 1; 0 by default.
    Share,
    /// One of these words.
    Word { default: &'static str, others: &'static [&'static str] },
    /// True or false.
    Flag { default: bool },
    /// A list of names, empty by default.
    Names,
    /// The source of texts. By default, texts from the log or golden texts; otherwise placeholders of the same size.
    Writer,
    /// The path of a file below the suite's folder. No default.
    File,
}

/// An option with a whole number from `least` to `most`.
#[derive(Clone, Copy, Debug)]
pub struct CountOption {
    pub name: &'static str,
    pub default: u32,
    pub least: u32,
    pub most: u32,
    pub doc: &'static str,
}

/// An option with a number of tokens or characters, 0 by default.
#[derive(Clone, Copy, Debug)]
pub struct SizeOption {
    pub name: &'static str,
    pub doc: &'static str,
}

/// An option with a number from 0.
#[derive(Clone, Copy, Debug)]
pub struct FactorOption {
    pub name: &'static str,
    pub default: f64,
    pub doc: &'static str,
}

/// An option with a number from 0 to 1, 0 by default.
#[derive(Clone, Copy, Debug)]
pub struct ShareOption {
    pub name: &'static str,
    pub doc: &'static str,
}

/// An option with a word from a fixed set.
#[derive(Clone, Copy, Debug)]
pub struct WordOption {
    pub name: &'static str,
    pub default: &'static str,
    pub others: &'static [&'static str],
    pub doc: &'static str,
}

/// A boolean option.
#[derive(Clone, Copy, Debug)]
pub struct FlagOption {
    pub name: &'static str,
    pub default: bool,
    pub doc: &'static str,
}

/// An option with a list of names, empty by default.
#[derive(Clone, Copy, Debug)]
pub struct NamesOption {
    pub name: &'static str,
    pub doc: &'static str,
}

/// The value of an option after it was set.
#[derive(Clone, Debug, PartialEq)]
enum OptionValue {
    Count(u32),
    Factor(f64),
    Word(&'static str),
    Flag(bool),
    Names(Vec<EcoString>),
    Writer(Writer),
    File(EcoString),
}

/// The source of the texts that a model writes for a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// Placeholders of the texts' size.
    Size,
    /// No text, at no cost.
    Empty,
    /// An ideal writer: the text contains all facts needed by later answers.
    Perfect,
    /// The logged agent, at the places where it wrote the texts. If the log has none, a live model, by way of golden texts.
    Recorded,
    /// The user's program: the words of its command line.
    Command(Vec<String>),
}

impl CountOption {
    pub const fn new(name: &'static str, default: u32, least: u32, doc: &'static str) -> CountOption {
        CountOption { name, default, least, most: u32::MAX, doc }
    }

    /// Sets the largest valid value.
    pub const fn at_most(self, most: u32) -> CountOption {
        CountOption { most, ..self }
    }

    pub const fn row(self) -> OptionRow {
        let kind = OptionKind::Count { default: self.default, least: self.least, most: self.most };
        OptionRow { name: self.name, kind, doc: self.doc }
    }
}

impl FactorOption {
    pub const fn row(self) -> OptionRow {
        OptionRow { name: self.name, kind: OptionKind::Factor(self.default), doc: self.doc }
    }
}

impl SizeOption {
    pub const fn row(self) -> OptionRow {
        OptionRow { name: self.name, kind: OptionKind::Size, doc: self.doc }
    }
}

impl ShareOption {
    pub const fn row(self) -> OptionRow {
        OptionRow { name: self.name, kind: OptionKind::Share, doc: self.doc }
    }
}

impl WordOption {
    pub const fn row(self) -> OptionRow {
        let kind = OptionKind::Word { default: self.default, others: self.others };
        OptionRow { name: self.name, kind, doc: self.doc }
    }
}

impl FlagOption {
    pub const fn row(self) -> OptionRow {
        OptionRow { name: self.name, kind: OptionKind::Flag { default: self.default }, doc: self.doc }
    }
}

impl NamesOption {
    pub const fn row(self) -> OptionRow {
        OptionRow { name: self.name, kind: OptionKind::Names, doc: self.doc }
    }
}

pub const PRINTLN_LIMIT: CountOption =
    CountOption::new("println_limit", 15, 0, "most recent prints that are shown");
pub const TOOL_CALL_LIMIT: CountOption =
    CountOption::new("tool_call_limit", 20, 0, "most recent tool calls that are shown");
pub const SAMPLE_LIMIT: CountOption = CountOption::new("sample_limit", 3, 0, "items that a sample shows");
pub const SAMPLE_PRINTABLE_LIMIT: CountOption =
    CountOption::new("sample_printable_limit", 80, 0, "characters of a string that a sample shows");
pub const ERROR_CONTEXT: CountOption =
    CountOption::new("error_context", 1, 0, "successful turns before a failed one that are shown whole");
pub const WINDOW: CountOption = CountOption::new("window", 3, 1, "most recent turns that are shown whole");
pub const KEEP_RECENT_TURNS: CountOption =
    CountOption::new("keep_recent_turns", 3, 1, "most recent turns that are kept");
pub const STEP: CountOption =
    CountOption::new("step", 1, 1, "turns by which the border between old and recent turns moves at a time");
pub const CACHE_FIRST: FlagOption = FlagOption {
    name: "cache_first",
    default: false,
    doc: "sections that only grow stand before those that change",
};

/// The source of the texts that a model writes for a strategy.
pub const WRITER: OptionRow = OptionRow {
    name: "writer",
    kind: OptionKind::Writer,
    doc: "origin of the texts: recorded, size, empty, perfect or a command",
};

/// The instruction to the model that writes texts for a strategy.
pub const PROMPT: OptionRow = OptionRow {
    name: "prompt",
    kind: OptionKind::File,
    doc: "file with the instruction to the model that writes the texts",
};

/// The name of an option common to all strategies.
pub const TRIGGER: &str = "trigger";

/// The unit of the sizes in a trigger. Products trigger on billed tokens; copied strategies count the tokens of texts.
pub const TOKENS_OF_TRIGGER: WordOption = WordOption {
    name: "trigger_tokens",
    default: "counted",
    others: &[BILLED],
    doc: "tokens of the sizes in the trigger: counted, or billed where a log has bills",
};
const BILLED: &str = "billed";

/// Most characters of a rejected value in its error.
const FOUND_CHARACTERS: usize = 60;

/// The assumed window in tokens of a model with an unknown window.
const UNKNOWN_WINDOW: u32 = 200_000;

/// The condition for compression, from [`Options::trigger`]. Without a bound, every request is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trigger {
    /// Compress once more turns than this are completed.
    pub turns: Option<u32>,
    /// Compress once the `full-history` request has at least this many tokens.
    pub tokens: Option<u64>,
    /// Compress once the `full-history` request takes at least this share of the model's window.
    pub window: Option<f64>,
    /// Compress once the `full-history` request leaves fewer tokens than this of the model's window.
    pub free: Option<u64>,
    /// Compress after a pause of at least this time before a request.
    pub idle: Option<TimeSpan>,
    /// The fewest tokens of a request for which a pause counts.
    pub idle_tokens: Option<u64>,
}

/// The options of one strategy, set with [`Variant::with`](crate::Variant::with). Unset options have their defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    values: Vec<(&'static str, OptionValue)>,
    pub(crate) trigger: Trigger,
    pub(crate) extra: Map<String, Value>,
    /// The model's context window in tokens, if known.
    pub(crate) window: Option<u32>,
    /// Texts written by a model for the strategy in one run, in order.
    pub(crate) texts: Arc<[WrittenText]>,
    /// The content of the file named by the option `prompt`.
    pub(crate) prompt: Option<EcoString>,
}

impl Options {
    /// The value of a [`CountOption`].
    pub fn get(&self, option: &CountOption) -> usize {
        match self.set_value(option.name) {
            Some(OptionValue::Count(count)) => *count as usize,
            _ => option.default as usize,
        }
    }

    /// The value of a [`SizeOption`].
    pub fn size(&self, option: &SizeOption) -> usize {
        match self.set_value(option.name) {
            Some(OptionValue::Count(size)) => *size as usize,
            _ => 0,
        }
    }

    /// The value of a [`FactorOption`].
    pub fn factor(&self, option: &FactorOption) -> f64 {
        match self.set_value(option.name) {
            Some(OptionValue::Factor(factor)) => *factor,
            _ => option.default,
        }
    }

    /// The value of a [`ShareOption`].
    pub fn share(&self, option: &ShareOption) -> f64 {
        match self.set_value(option.name) {
            Some(OptionValue::Factor(share)) => *share,
            _ => 0.0,
        }
    }

    /// The value of a [`WordOption`]: the chosen word, or the default.
    pub fn word(&self, option: &WordOption) -> &'static str {
        match self.set_value(option.name) {
            Some(OptionValue::Word(word)) => word,
            _ => option.default,
        }
    }

    /// The value of a [`FlagOption`].
    pub fn flag(&self, option: &FlagOption) -> bool {
        match self.set_value(option.name) {
            Some(OptionValue::Flag(flag)) => *flag,
            _ => option.default,
        }
    }

    /// The value of a [`NamesOption`].
    pub fn names(&self, option: &NamesOption) -> &[EcoString] {
        match self.set_value(option.name) {
            Some(OptionValue::Names(names)) => names,
            _ => &[],
        }
    }

    /// The [`Writer`] of a strategy's texts. `None` if unset.
    pub fn writer(&self) -> Option<&Writer> {
        match self.set_value(WRITER.name) {
            Some(OptionValue::Writer(writer)) => Some(writer),
            _ => None,
        }
    }

    /// The path of the file with the instruction for writing texts. `None` if unset.
    pub fn prompt_file(&self) -> Option<&str> {
        match self.set_value(PROMPT.name) {
            Some(OptionValue::File(path)) => Some(path),
            _ => None,
        }
    }

    /// The instruction for writing texts, after its file was read.
    pub fn prompt(&self) -> Option<&EcoString> {
        self.prompt.as_ref()
    }

    /// Number of completed turns to compress. `recent` is the option for the number of recent turns.
    pub fn old_turns(&self, recent: &CountOption, completed: usize) -> usize {
        let old = completed.saturating_sub(self.get(recent));
        // Between two multiples of `step` the prefix does not change, so it stays cached.
        old - old % self.get(&STEP).max(1)
    }

    /// The value if it was set. It always has the option's kind, since `set` parses it by the option's row.
    fn set_value(&self, option: &str) -> Option<&OptionValue> {
        self.values.iter().find(|(name, _)| *name == option).map(|(_, value)| value)
    }

    /// The options that were set, with their values as JSON.
    pub fn written(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.values.iter().map(|(name, value)| (*name, value.to_json()))
    }

    pub fn trigger(&self) -> Trigger {
        self.trigger
    }

    /// The fewest tokens at which a request fires the trigger. `None` if the trigger has no token bound.
    pub fn tokens_of(&self, trigger: Trigger) -> Option<u64> {
        let window = f64::from(self.window.unwrap_or(UNKNOWN_WINDOW));
        let share = trigger.window.map(|share| (share * window) as u64);
        let rest = trigger.free.map(|free| (window as u64).saturating_sub(free));
        trigger.tokens.into_iter().chain(share).chain(rest).min()
    }

    /// Returns true if the trigger's sizes are in billed tokens.
    pub(crate) fn has_billed_trigger(&self) -> bool {
        self.word(&TOKENS_OF_TRIGGER) == BILLED
    }

    /// The text with this number (from 1), written by a model for the strategy.
    pub fn text(&self, number: usize) -> Option<&WrittenText> {
        self.texts.get(number.checked_sub(1)?)
    }

    /// Options accepted by the strategy without being listed.
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }

    /// Parses and sets a listed option.
    pub(crate) fn set(&mut self, row: &OptionRow, value: &Value) -> Result<(), SettingError> {
        let read =
            row.kind.read_value(value).ok_or_else(|| bad_value(row.name, row.kind.expected(), value))?;
        self.values.retain(|(name, _)| *name != row.name);
        self.values.push((row.name, read));
        Ok(())
    }
}

impl OptionValue {
    fn to_json(&self) -> String {
        match self {
            OptionValue::Count(count) => count.to_string(),
            // Price shares are quotients: write 0.3 / 3.0 as 0.1.
            OptionValue::Factor(factor) => ((factor * 1e9).round() / 1e9).to_string(),
            OptionValue::Word(word) => serde_json::json!(word).to_string(),
            OptionValue::Flag(flag) => flag.to_string(),
            OptionValue::Names(names) => serde_json::json!(names).to_string(),
            OptionValue::Writer(Writer::Command(command)) => {
                serde_json::json!({ "command": command }).to_string()
            }
            OptionValue::Writer(Writer::Size) => serde_json::json!("size").to_string(),
            OptionValue::Writer(Writer::Empty) => serde_json::json!("empty").to_string(),
            OptionValue::Writer(Writer::Perfect) => serde_json::json!("perfect").to_string(),
            OptionValue::Writer(Writer::Recorded) => serde_json::json!("recorded").to_string(),
            OptionValue::File(path) => serde_json::json!(path).to_string(),
        }
    }
}

impl OptionKind {
    /// The default, as it is written in files.
    pub fn default_text(self) -> EcoString {
        match self {
            OptionKind::Count { default, .. } => ecow::eco_format!("{default}"),
            OptionKind::Factor(default) => ecow::eco_format!("{default}"),
            OptionKind::Size | OptionKind::Share => "0".into(),
            OptionKind::Word { default, .. } => default.into(),
            OptionKind::Flag { default } => ecow::eco_format!("{default}"),
            OptionKind::Names => "[]".into(),
            OptionKind::Writer => "recorded or size".into(),
            OptionKind::File => "our own".into(),
        }
    }

    fn read_value(self, value: &Value) -> Option<OptionValue> {
        match self {
            OptionKind::Count { least, most, .. } => {
                let count = parse_count(value).filter(|number| (least..=most).contains(number));
                count.map(OptionValue::Count)
            }
            OptionKind::Size => parse_count(value).map(OptionValue::Count),
            OptionKind::Factor(_) => {
                let factor = value.as_f64().filter(|number| *number >= 0.0 && number.is_finite());
                factor.map(OptionValue::Factor)
            }
            OptionKind::Share => {
                let share = if value.as_f64() == Some(0.0) { Some(0.0) } else { parse_share(value) };
                share.map(OptionValue::Factor)
            }
            OptionKind::Word { default, others } => {
                let word = value.as_str()?;
                let mut words = [&default].into_iter().chain(others);
                words.find(|known| **known == word).map(|word| OptionValue::Word(word))
            }
            OptionKind::Flag { .. } => value.as_bool().map(OptionValue::Flag),
            OptionKind::Names => {
                let names = value.as_array()?.iter().map(|name| name.as_str().map(EcoString::from));
                names.collect::<Option<_>>().map(OptionValue::Names)
            }
            OptionKind::Writer => Writer::parse_writer(value).map(OptionValue::Writer),
            OptionKind::File => {
                let path = value.as_str().filter(|path| !path.is_empty())?;
                Some(OptionValue::File(path.into()))
            }
        }
    }

    fn expected(self) -> EcoString {
        match self {
            OptionKind::Count { least, most: u32::MAX, .. } => {
                ecow::eco_format!("a whole number from {least}")
            }
            OptionKind::Count { least, most, .. } => {
                ecow::eco_format!("a whole number from {least} to {most}")
            }
            OptionKind::Size => "a whole number from 0".into(),
            OptionKind::Factor(_) => "a number from 0".into(),
            OptionKind::Share => "a number from 0 to 1".into(),
            OptionKind::Word { default, others } => {
                ecow::eco_format!("one of {}", [&[default], others].concat().join(", "))
            }
            OptionKind::Flag { .. } => "true or false".into(),
            OptionKind::Names => "a list of names".into(),
            OptionKind::Writer => {
                "one of recorded, size, empty, perfect, or {command: [PROGRAM, ARGUMENT …]}".into()
            }
            OptionKind::File => "the path of a file".into(),
        }
    }
}

impl Writer {
    fn parse_writer(value: &Value) -> Option<Writer> {
        if let Value::Object(entries) = value {
            let words = entries.get("command").filter(|_| entries.len() == 1)?.as_array()?;
            let words = words.iter().map(|word| word.as_str().map(str::to_owned));
            let words: Vec<String> = words.collect::<Option<_>>()?;
            return (!words.is_empty()).then_some(Writer::Command(words));
        }
        match value.as_str()? {
            "size" => Some(Writer::Size),
            "empty" => Some(Writer::Empty),
            "perfect" => Some(Writer::Perfect),
            "recorded" => Some(Writer::Recorded),
            _ => None,
        }
    }
}

impl Trigger {
    /// A share of the window.
    pub fn of_window(share: f64) -> Trigger {
        Trigger { window: Some(share), ..Trigger::default() }
    }

    /// Returns true if a request with this size, after a pause of `milliseconds`, should be compressed because of the pause.
    pub fn is_idle(&self, milliseconds: u64, tokens: u64) -> bool {
        let is_long = self.idle.is_some_and(|idle| milliseconds >= idle.milliseconds());
        is_long && tokens >= self.idle_tokens.unwrap_or(0)
    }

    /// Returns true if only pauses fire the trigger.
    pub fn is_idle_only(&self) -> bool {
        let has_size = self.tokens.is_some() || self.window.is_some() || self.free.is_some();
        self.idle.is_some() && self.turns.is_none() && !has_size
    }

    /// Parses `{"turns": 4}`, `{"tokens": 8000}`, `{"window": 0.8}`, `{"free": 33000}`, `{"idle": "54m"}`, or a combination.
    pub(crate) fn parse(value: &Value) -> Result<Trigger, SettingError> {
        let expected = "{turns: N, tokens: M, window: SHARE, free: M, idle: TIME}, one of them or several; idle_tokens: M beside idle";
        let bad = || bad_value(TRIGGER, expected.into(), value);
        let Value::Object(entries) = value else { return Err(bad()) };
        let mut trigger = Trigger::default();
        for (name, value) in entries {
            match name.as_str() {
                "turns" => trigger.turns = Some(parse_count(value).ok_or_else(bad)?),
                "tokens" => trigger.tokens = Some(value.as_u64().ok_or_else(bad)?),
                "window" => trigger.window = Some(parse_share(value).ok_or_else(bad)?),
                "free" => trigger.free = Some(value.as_u64().ok_or_else(bad)?),
                "idle" => {
                    let time = value.as_str().and_then(|text| text.parse().ok());
                    trigger.idle = Some(time.ok_or_else(bad)?);
                }
                "idle_tokens" => trigger.idle_tokens = Some(value.as_u64().ok_or_else(bad)?),
                _ => return Err(bad()),
            }
        }
        let is_empty = entries.is_empty() || trigger.idle_tokens.is_some() && trigger.idle.is_none();
        if is_empty { Err(bad()) } else { Ok(trigger) }
    }
}

/// A number above 0 and at most 1.
fn parse_share(value: &Value) -> Option<f64> {
    value.as_f64().filter(|share| *share > 0.0 && *share <= 1.0)
}

fn parse_count(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn bad_value(option: &str, expected: EcoString, found: &Value) -> SettingError {
    let found = shortened(&found.to_string(), FOUND_CHARACTERS).into_owned();
    SettingError::BadValue { option: option.into(), expected, found }
}
