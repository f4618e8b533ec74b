//! Prints values as Clojure does, in full or bounded, and labels their types.

use std::fmt::Write;

use ecow::{EcoString, eco_format};

use super::bounded::Bounded;
use super::error::{Error, ErrorKind};
use super::limits::MAX_STRING;
use super::stack::guarded;
use super::symbol::Symbol;
use super::time;
use super::value::{Function, Value};

/// Form of the strings and dates inside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Readable by the reader: `pr-str`.
    Readable,
    /// Without quotes and escapes: `println`.
    Plain,
}

/// Limits of what is shown of a value.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    items: usize,
    characters: usize,
}

/// Bounded printing shows collections inside this many others as dots.
const MAX_SHOWN_NESTING: u32 = 3;

/// Writes values into one text and counts the elements of their collections.
pub struct Printer {
    out: Bounded,
    style: Style,
    bounds: Option<Bounds>,
    truncated: bool,
    elements: u64,
    max_elements: u64,
}

/// Bounded text of a value, and true if anything at any depth was cut (`docs/language.md` §11). The cost depends on what is shown, not on the size of the value.
pub fn to_clojure(value: &Value, limit: usize, printable_limit: usize) -> (String, bool) {
    let mut printer = Printer::limited(Style::Readable, u64::MAX, MAX_STRING);
    printer.write_bounded(value, limit, printable_limit);
    let truncated = printer.truncated || printer.out.is_full();
    (printer.out.finish().into(), truncated)
}

/// Readable text of a value, cut after the longest string of programs.
pub fn pr_str(value: &Value) -> String {
    printed(value, Printer::write).into()
}

/// Result of `str` with one argument, cut after the longest string of programs.
pub fn str_of(value: &Value) -> EcoString {
    printed(value, Printer::write_str_argument)
}

/// Readable text of a value for a reader outside of the program.
///
/// # Errors
/// `memory_exceeded` if it is longer than the longest string of programs.
pub fn whole(value: &Value) -> Result<EcoString, Error> {
    let text = printed(value, Printer::write);
    if text.len() <= MAX_STRING {
        return Ok(text);
    }
    let message = format!("value limit exceeded: more than {MAX_STRING} bytes of text; give a part of it");
    Err(Error::new(ErrorKind::MemoryExceeded, message))
}

fn printed(value: &Value, write: impl FnOnce(&mut Printer, &Value)) -> EcoString {
    let mut printer = Printer::limited(Style::Readable, u64::MAX, MAX_STRING);
    write(&mut printer, value);
    printer.out.finish()
}

impl Printer {
    /// A printer with a limit of elements and of written bytes.
    pub fn limited(style: Style, max_elements: u64, max_bytes: usize) -> Printer {
        let out = Bounded::new(max_bytes);
        Printer { out, style, bounds: None, truncated: false, elements: 0, max_elements }
    }

    /// The text and the number of elements taken from collections.
    pub fn finish(self) -> (EcoString, u64) {
        (self.out.finish(), self.elements)
    }

    /// Appends text between values, such as a space.
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Appends a value in the printer's style.
    pub fn write(&mut self, value: &Value) {
        self.write_nested(value, 0);
    }

    /// Appends at most this many items of a value and characters of its strings, as [`to_clojure`] does.
    pub fn write_bounded(&mut self, value: &Value, limit: usize, printable_limit: usize) {
        self.bounds = Some(Bounds { items: limit, characters: printable_limit });
        self.write(value);
        let len = value.item_count().unwrap_or(0);
        if len > limit {
            let _ = write!(self.out, " ({len} items, showing first {limit})");
        }
    }

    /// Appends a value as `str` prints its arguments: readable inside collections, plain otherwise.
    pub fn write_str_argument(&mut self, value: &Value) {
        match value {
            Value::Nil => {}
            Value::Str(text) => self.out.push_str(text),
            Value::Float(number, ..) if number.is_nan() => self.out.push_str("NaN"),
            Value::Float(number, ..) if number.is_infinite() => {
                self.out.push_str(if *number > 0.0 { "Infinity" } else { "-Infinity" });
            }
            Value::Regex(regex) => self.out.push_str(regex.source()),
            Value::Date(_) | Value::DateTime(_) | Value::Duration(_) => self.write_time(value),
            other => self.write(other),
        }
    }

    fn write_nested(&mut self, value: &Value, depth: u32) {
        match value {
            _ if self.out.is_full() => {}
            Value::Nil => self.out.push_str("nil"),
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Int(value) => drop(write!(self.out, "{value}")),
            Value::Float(value, ..) => self.out.push_str(&float_text(*value)),
            Value::Str(text) => self.write_string(text),
            Value::Keyword(name) => self.write_prefixed(":", *name),
            Value::Var(name) => self.write_prefixed("#'", *name),
            Value::Vector(items) => self.write_values("[", "]", items.len(), items.iter(), depth),
            Value::List(items) => self.write_values("(", ")", items.len(), items.iter(), depth),
            Value::Set(set) => self.write_values("#{", "}", set.len(), set.keys(), depth),
            Value::Map(map) => {
                self.write_collection(
                    ["{", ", ", "}"],
                    map.len(),
                    map.iter(),
                    depth,
                    |printer, (key, value)| {
                        printer.write_nested(key, depth + 1);
                        printer.out.push_str(" ");
                        printer.write_nested(value, depth + 1);
                    },
                );
            }
            Value::Function(function) => self.write_function(function),
            Value::Regex(regex) => {
                self.out.push_str("#\"");
                self.out.push_str(&regex.readable_source());
                self.out.push_str("\"");
            }
            Value::Date(_) | Value::DateTime(_) | Value::Duration(_) => {
                let quote = if self.style == Style::Readable { "\"" } else { "" };
                self.out.push_str(quote);
                self.write_time(value);
                self.out.push_str(quote);
            }
            Value::Generator(_) => self.out.push_str("#<generator>"),
            Value::Reduced(value) => {
                self.out.push_str("#<reduced ");
                guarded(|| self.write_nested(&value.0, depth));
                self.out.push_str(">");
            }
        }
    }

    fn write_prefixed(&mut self, prefix: &str, name: Symbol) {
        self.out.push_str(prefix);
        self.out.push_str(name.name());
    }

    fn write_string(&mut self, text: &str) {
        if self.style == Style::Plain {
            return self.out.push_str(text);
        }
        self.out.push_str("\"");
        let cut = self.bounds.and_then(|bounds| text.char_indices().nth(bounds.characters)).map(|(at, _)| at);
        write_escaped(&mut self.out, &text[..cut.unwrap_or(text.len())]);
        if cut.is_some() {
            self.truncated = true;
            self.out.push_str("...");
        }
        self.out.push_str("\"");
    }

    fn write_values<'a>(
        &mut self,
        open: &str,
        close: &str,
        len: usize,
        items: impl Iterator<Item = &'a Value>,
        depth: u32,
    ) {
        let write = |printer: &mut Printer, item| printer.write_nested(item, depth + 1);
        self.write_collection([open, " ", close], len, items, depth, write);
    }

    fn write_collection<T>(
        &mut self,
        [open, separator, close]: [&str; 3],
        len: usize,
        items: impl Iterator<Item = T>,
        depth: u32,
        write: impl Fn(&mut Printer, T),
    ) {
        self.out.push_str(open);
        if self.bounds.is_some() && depth >= MAX_SHOWN_NESTING && len > 0 {
            self.truncated = true;
            self.out.push_str("...");
        } else {
            let shown = self.bounds.map_or(len, |bounds| bounds.items.min(len));
            self.elements = self.elements.saturating_add(shown as u64);
            guarded(|| {
                for (index, item) in items.take(shown).enumerate() {
                    if self.elements > self.max_elements || self.out.is_full() {
                        return;
                    }
                    if index > 0 {
                        self.out.push_str(separator);
                    }
                    write(self, item);
                }
            });
            if shown < len {
                self.truncated = true;
                self.out.push_str(if shown == 0 { "" } else { separator });
                self.out.push_str("...");
            }
        }
        self.out.push_str(close);
    }

    fn write_function(&mut self, function: &Function) {
        match function {
            Function::Closure(closure) => {
                self.out.push_str("#fn");
                self.out.push_str(&closure.lambda().parameters_in_brackets());
            }
            Function::Tool(name) => {
                self.write_prefixed("#<tool ", *name);
                self.out.push_str(">");
            }
            _ => self.out.push_str("#<builtin>"),
        }
    }

    fn write_time(&mut self, value: &Value) {
        let mut text = EcoString::new();
        match value {
            Value::Date(date) => time::write_date(&mut text, *date),
            Value::DateTime(millis) => time::write_datetime(&mut text, *millis),
            Value::Duration(millis) => time::write_duration(&mut text, *millis),
            _ => {}
        }
        self.out.push_str(&text);
    }
}

fn write_escaped(out: &mut Bounded, text: &str) {
    let mut rest = &text[..text.ceil_char_boundary(out.room().saturating_add(1))];
    let is_escaped = |c: char| matches!(c, '"' | '\\') || c.is_control();
    while let Some((before, character)) = rest.find(is_escaped).and_then(|at| {
        let character = rest[at..].chars().next()?;
        Some((&rest[..at], character))
    }) {
        out.push_str(before);
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c => drop(write!(out, "\\u{:04X}", u32::from(c))),
        }
        rest = &rest[before.len() + character.len_utf8()..];
    }
    out.push_str(rest);
}

/// Text of a float as Java writes it: the shortest unambiguous digits, positional from 1e-3 to 1e7.
fn float_text(number: f64) -> EcoString {
    if number.is_nan() {
        return "##NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "##Inf".into() } else { "##-Inf".into() };
    }
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-3..1e7).contains(&magnitude) {
        let text = eco_format!("{number}");
        return if text.contains('.') { text } else { text + ".0" };
    }
    let mut text = format!("{number:e}");
    if !text.contains('.') {
        // Java takes the nearest decimal with two digits, not always with a 0 at the end: 4.9E-324.
        text = format!("{number:.1e}");
    }
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    eco_format!("{mantissa}E{exponent}")
}

/// Short name of a value's type (`docs/language.md` §12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeLabel {
    /// A vector or list with its length.
    List(u32),
    /// A map with its size.
    Map(u32),
    /// A set with its size.
    Set(u32),
    /// A function of the program.
    Closure,
    /// Any other type.
    Named(&'static str),
}

impl TypeLabel {
    /// The label of a value.
    #[inline]
    pub fn of(value: &Value) -> TypeLabel {
        use TypeLabel::Named;
        match value {
            Value::Vector(items) | Value::List(items) => TypeLabel::List(items.len() as u32),
            Value::Map(map) => TypeLabel::Map(map.len() as u32),
            Value::Set(set) => TypeLabel::Set(set.len() as u32),
            Value::Function(Function::Closure(_)) => TypeLabel::Closure,
            Value::Function(_) => Named("fn"),
            Value::Nil => Named("nil"),
            Value::Bool(_) => Named("boolean"),
            Value::Int(_) => Named("integer"),
            Value::Float(..) => Named("float"),
            Value::Str(_) => Named("string"),
            Value::Keyword(_) => Named("keyword"),
            Value::Regex(_) => Named("regex"),
            Value::Var(_) => Named("var"),
            Value::Date(_) => Named("date"),
            Value::DateTime(_) => Named("datetime"),
            Value::Duration(_) => Named("duration"),
            Value::Generator(_) | Value::Reduced(_) => Named("unknown"),
        }
    }
}

impl std::fmt::Display for TypeLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TypeLabel::List(len) => write!(f, "list[{len}]"),
            TypeLabel::Map(len) => write!(f, "map[{len}]"),
            TypeLabel::Set(len) => write!(f, "set[{len}]"),
            TypeLabel::Closure => f.write_str("#fn[...]"),
            TypeLabel::Named(name) => f.write_str(name),
        }
    }
}
