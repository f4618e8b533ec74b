//! `format` (`docs/language.md` §9.3): the directives of Java's `Formatter`, except those of dates.

pub(super) mod digits;

use super::hash::java_hash;
use super::text::{code_point, push, text_of};
use crate::builtins::prelude::*;
use digits::Digits;

/// One `%…` of a template.
struct Directive<'t> {
    /// Source text, for messages.
    source: &'t str,
    position: Position,
    flags: &'t str,
    width: Option<usize>,
    precision: Option<usize>,
    /// In lower case.
    conversion: char,
    upper: bool,
}

/// Argument that a directive takes.
enum Position {
    /// The one after the last argument of `Next`.
    Next,
    /// `%<s`: the argument of the directive before.
    Same,
    /// `%2$s`, from 1.
    At(usize),
}

/// Formats a template, the first argument, with the others.
pub(super) fn format_arguments(cx: &mut Call, arguments: &[Value]) -> Eval<EcoString> {
    let name = cx.name;
    let Some((Value::Str(template), arguments)) = arguments.split_first() else {
        return cx.type_error("a format string", arguments.first().unwrap_or(&Value::Nil));
    };
    cx.tick_text(template)?;
    let mut out = EcoString::new();
    let mut rest = template.as_str();
    let mut places = Places::default();
    let mut directives = 0;
    while let Some((text, after)) = rest.split_once('%') {
        push(&mut out, text);
        let (directive, length) = parse_directive(name, &rest[text.len()..])?;
        rest = &after[length - 1..];
        directive.check(name)?;
        let piece = match directive.conversion {
            'n' => "\n".to_string(),
            '%' => directive.justify("%".to_string()),
            _ => match places.of(&directive).and_then(|index| arguments.get(index)) {
                Some(argument) => directive.format(cx, argument)?,
                None => return complain(name, format!("no argument for '{}'", directive.source)),
            },
        };
        // Padding is charged even if the text is dropped.
        meter::owe_copy(piece.len());
        directives += 1;
        cx.tick(usize::from(directives % 8 == 0))?;
        push(&mut out, &piece);
        if out.len() > MAX_STRING {
            break;
        }
    }
    push(&mut out, rest);
    Ok(out)
}

/// Arguments taken so far.
#[derive(Default)]
struct Places {
    next: usize,
    last: Option<usize>,
}

impl Places {
    /// The argument that a directive takes.
    fn of(&mut self, directive: &Directive<'_>) -> Option<usize> {
        self.last = match directive.position {
            Position::Next => {
                self.next += 1;
                Some(self.next - 1)
            }
            Position::Same => self.last,
            Position::At(number) => number.checked_sub(1),
        };
        self.last
    }
}

/// Reads the directive at the beginning of a text. Returns it with its length.
fn parse_directive<'t>(name: &str, text: &'t str) -> Eval<(Directive<'t>, usize)> {
    let mut rest = &text[1..];
    let number = leading_digits(rest);
    let mut position = None;
    if let Some(after_number) = rest[number.len()..].strip_prefix('$')
        && !number.is_empty()
    {
        position = Some(number.parse().unwrap_or(0));
        rest = after_number;
    }
    let flags = leading(rest, |c| "-#+ 0,(<".contains(c));
    rest = &rest[flags.len()..];
    let width = leading_digits(rest);
    rest = &rest[width.len()..];
    let precision = rest.strip_prefix('.').map(leading_digits).filter(|digits| !digits.is_empty());
    rest = &rest[precision.map_or(0, |digits| digits.len() + 1)..];
    let letter = rest.chars().next();
    let length = text.len() - rest.len() + letter.map_or(0, char::len_utf8);
    let source = &text[..length];
    let (conversion, upper) = match letter {
        Some(letter @ ('B' | 'C' | 'G' | 'E' | 'X' | 'S' | 'H')) => (letter.to_ascii_lowercase(), true),
        Some(letter) if "sdfegxobchn%".contains(letter) => (letter, false),
        _ => {
            let known = "use one of s d f e g x o b c h n %";
            return complain(name, format!("unknown conversion '{source}'; {known}"));
        }
    };
    let position = match position {
        Some(number) => Position::At(number),
        None if flags.contains('<') => Position::Same,
        None => Position::Next,
    };
    let directive = Directive {
        source,
        position,
        flags,
        width: parse_bounded(name, source, (!width.is_empty()).then_some(width))?,
        precision: parse_bounded(name, source, precision)?,
        conversion,
        upper,
    };
    Ok((directive, length))
}

fn leading(text: &str, admits: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !admits(c)).unwrap_or(text.len())]
}

fn leading_digits(text: &str) -> &str {
    leading(text, |c| c.is_ascii_digit())
}

fn parse_bounded(name: &str, source: &str, digits: Option<&str>) -> Eval<Option<usize>> {
    let Some(digits) = digits else { return Ok(None) };
    match digits.parse::<usize>() {
        Ok(number @ ..=MAX_STRING) => Ok(Some(number)),
        _ => complain(name, format!("width and precision are at most {MAX_STRING}, got '{source}'")),
    }
}

/// Error class of a template that is wrong or does not fit its arguments.
const UNFIT: Class = Class::IllegalArgumentException;

fn complain<T>(name: &str, what: String) -> Eval<T> {
    raise(ErrorKind::TypeError, format!("{name}: {what}")).map_err(of_class(UNFIT))
}

impl Directive<'_> {
    fn has_flag(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// The flags that the conversion admits, and true for width and precision if it admits them.
    fn admitted_flags(&self) -> (&'static str, bool, bool) {
        match self.conversion {
            's' | 'b' | 'h' => ("-", true, true),
            'c' | '%' => ("-", true, false),
            'n' => ("", false, false),
            'd' => ("-0+ ,(", true, false),
            'f' => ("-0+ ,(#", true, true),
            'e' => ("-0+ (#", true, true),
            'g' => ("-0+ ,(", true, true),
            _ => ("-0#", true, false),
        }
    }

    /// Refuses what Java refuses.
    fn check(&self, name: &str) -> Eval<()> {
        let (flags, width, precision) = self.admitted_flags();
        let source = self.source;
        for (at, flag) in self.flags.char_indices() {
            let is_admitted = flag == '<' || flags.contains(flag);
            if !is_admitted || self.flags[..at].contains(flag) {
                return complain(name, format!("flag '{flag}' does not fit '{source}'"));
            }
        }
        if self.has_flag('-') && self.has_flag('0') || self.has_flag('+') && self.has_flag(' ') {
            return complain(name, format!("flags of '{source}' contradict each other"));
        }
        if self.width.is_none() && (self.has_flag('-') || self.has_flag('0')) {
            return complain(name, format!("a width is missing in '{source}'"));
        }
        if self.width.is_some() && !width || self.precision.is_some() && !precision {
            return complain(name, format!("width or precision does not fit '{source}'"));
        }
        Ok(())
    }

    fn format(&self, cx: &mut Call, argument: &Value) -> Eval<String> {
        match (self.conversion, argument) {
            ('b', value) => Ok(self.format_text(if value.is_truthy() { "true" } else { "false" })),
            (_, Value::Nil) => Ok(self.format_text("null")),
            ('s', value) => {
                let text = text_of(cx, value.clone())?;
                Ok(self.format_text(&text))
            }
            ('h', value) => match java_hash(value) {
                Some(hash) => Ok(self.format_text(&format!("{hash:x}"))),
                None => self.misfit(cx, "a string, number or boolean", value),
            },
            ('c', value) => match value.as_character().or_else(|| code_point(value)) {
                Some(c) => Ok(self.format_text(c.encode_utf8(&mut [0; 4]))),
                None => self.misfit(cx, "a character", value),
            },
            ('d', value) => match integer(value) {
                Some(number) => Ok(self.format_number(number < 0, number.unsigned_abs().to_string())),
                None => self.misfit(cx, "an integer", value),
            },
            ('x', Value::Int(number)) => Ok(self.format_unsigned("0x", format!("{number:x}"))),
            ('o', Value::Int(number)) => Ok(self.format_unsigned("0", format!("{number:o}"))),
            ('x' | 'o', value) => self.misfit(cx, "an integer", value),
            (_, Value::Int(number)) => Ok(self.format_float(*number as f64)),
            (_, Value::Float(number, ..)) => Ok(self.format_float(*number)),
            (_, value) => self.misfit(cx, "a number", value),
        }
    }

    fn misfit<T>(&self, cx: &Call, expected: &str, got: &Value) -> Eval<T> {
        cx.type_error(&format!("{expected} for {}", self.source), got).map_err(of_class(UNFIT))
    }

    /// Cuts a text to the precision.
    fn format_text(&self, text: &str) -> String {
        let mut shown = text;
        if let Some(precision) = self.precision
            && let Some((at, _)) = text.char_indices().nth(precision)
        {
            shown = &text[..at];
        }
        self.justify(shown.to_string())
    }

    fn justify(&self, text: String) -> String {
        let text = if self.upper { text.to_uppercase() } else { text };
        let missing = self.missing_width(text.chars().count());
        let padding = " ".repeat(missing);
        if self.has_flag('-') { text + &padding } else { padding + &text }
    }

    /// Number of characters between this length and the width.
    fn missing_width(&self, length: usize) -> usize {
        self.width.unwrap_or(0).saturating_sub(length)
    }

    fn format_unsigned(&self, prefix: &str, digits: String) -> String {
        let prefix = if self.has_flag('#') { prefix } else { "" };
        let zeros = if self.has_flag('0') { self.missing_width(prefix.len() + digits.len()) } else { 0 };
        self.justify(format!("{prefix}{}{digits}", "0".repeat(zeros)))
    }

    fn format_float(&self, number: f64) -> String {
        if number.is_nan() {
            return self.justify("NaN".to_string());
        }
        let negative = number.is_sign_negative();
        if number.is_infinite() {
            let (before, after) = self.signs_around(negative);
            return self.justify(format!("{before}Infinity{after}"));
        }
        let digits = Digits::of(number.abs());
        let precision = self.precision.unwrap_or(6);
        let mut text = match self.conversion {
            'e' => digits.scientific(precision),
            'g' => digits.general(precision),
            _ => digits.fixed(precision),
        };
        if self.has_flag('#') && precision == 0 {
            text.insert(text.find('e').unwrap_or(text.len()), '.');
        }
        self.format_number(negative, text)
    }

    /// A number with sign, groups and leading zeros as the flags say.
    fn format_number(&self, negative: bool, mut magnitude: String) -> String {
        if self.has_flag(',') {
            group_thousands(&mut magnitude);
        }
        let (before, after) = self.signs_around(negative);
        let zeros = self.missing_width(before.len() + magnitude.len() + after.len());
        let zeros = if self.has_flag('0') { "0".repeat(zeros) } else { String::new() };
        self.justify(format!("{before}{zeros}{magnitude}{after}"))
    }

    fn signs_around(&self, negative: bool) -> (&'static str, &'static str) {
        match negative {
            true if self.has_flag('(') => ("(", ")"),
            true => ("-", ""),
            false if self.has_flag('+') => ("+", ""),
            false if self.has_flag(' ') => (" ", ""),
            false => ("", ""),
        }
    }
}

fn integer(value: &Value) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    match value {
        Value::Int(number) => Some(*number),
        Value::Float(number, ..) if number.trunc() == *number && (-BEYOND..BEYOND).contains(number) => {
            Some(*number as i64)
        }
        _ => None,
    }
}

fn group_thousands(magnitude: &mut String) {
    let mut at = magnitude.find(|c: char| !c.is_ascii_digit()).unwrap_or(magnitude.len());
    while at > 3 {
        at -= 3;
        magnitude.insert(at, ',');
    }
}
