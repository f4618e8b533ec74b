//! Replaces parts of a text by a text, a template with groups, or the results of a function.

use super::regex::match_value;
use super::text::{Converted, append, push};
use crate::builtins::prelude::*;
use crate::regexp::{Match, Regex};

/// `(replace text match replacement)`
pub(super) fn replace_all(cx: &mut Call, text: Converted, sought: &Value, replacement: &Value) -> Eval {
    replace(cx, text, sought, replacement, usize::MAX)
}

/// `(replace-first text match replacement)`. Unlike `replace`, it converts the replacement of a string.
pub(super) fn replace_first(cx: &mut Call, text: Converted, sought: &Value, replacement: Value) -> Eval {
    let replacement = match sought {
        Value::Str(_) => Value::Str(Converted::of(cx, replacement)?.0),
        _ => replacement,
    };
    replace(cx, text, sought, &replacement, 1)
}

/// `(re-quote-replacement text)`: the text as a template without groups.
pub(super) fn quoted_replacement(cx: &mut Call, Converted(text): Converted) -> Eval {
    cx.string(text.as_str().replace('\\', r"\\").replace('$', r"\$"))
}

/// `(escape text characters)`: the second argument is a map or any function of a character.
pub(super) fn escape(cx: &mut Call, text: &str, replacements: &Value) -> Eval {
    cx.tick_text(text)?;
    let mut out = EcoString::new();
    for c in text.chars() {
        let character = Value::Str(EcoString::from(c));
        let replacement = match replacements {
            Value::Map(map) => map.get(&character).cloned().unwrap_or_default(),
            Value::Nil => return cx.type_error("a map of characters", replacements),
            function => cx.call(function, &mut [character])?,
        };
        match replacement {
            Value::Nil => push(&mut out, c.encode_utf8(&mut [0; 4])),
            other => append(cx, &mut out, &other)?,
        }
    }
    cx.string(out)
}

pub(super) fn replace(
    cx: &mut Call,
    Converted(text): Converted,
    sought: &Value,
    replacement: &Value,
    most: usize,
) -> Eval {
    let replaced = match (sought, replacement) {
        (Value::Str(sought), Value::Str(replacement)) => {
            let found = text.match_indices(sought.as_str()).take(most);
            splice(&text, found.map(|(at, found)| (at, at + found.len(), ())), |out, ()| {
                push(out, replacement);
                Ok(())
            })?
        }
        (Value::Str(_), other) => return cx.type_error("a string as replacement of a string", other),
        (Value::Regex(regex), replacement) => {
            cx.tick(text.len() / 16)?;
            let found = regex.matches(&text).take(most).map(|found| (found.start(), found.end(), found));
            match replacement {
                Value::Str(template) => replace_by_template(cx, &text, found, template, regex)?,
                function => replace_by_call(cx, &text, found, function)?,
            }
        }
        (other, _) => return cx.type_error("a string or a regex to look for", other),
    };
    cx.string(replaced)
}

/// A template that does not fit the pattern is an error only if there is a match.
fn replace_by_template<'t>(
    cx: &Call,
    text: &'t str,
    found: impl Iterator<Item = (usize, usize, Match<'t>)>,
    template: &EcoString,
    regex: &Regex,
) -> Eval<EcoString> {
    let parsed = Template::parse(template, regex);
    splice(text, found, |out, found| match &parsed {
        Some(template) => {
            template.fill(out, &found);
            Ok(())
        }
        None => cx.type_error("a replacement with groups of the pattern", &Value::Str(template.clone())),
    })
}

fn replace_by_call<'t>(
    cx: &mut Call,
    text: &'t str,
    found: impl Iterator<Item = (usize, usize, Match<'t>)>,
    function: &Value,
) -> Eval<EcoString> {
    splice(text, found, |out, found| {
        if function.is_nil() {
            return cx.type_error("a string or a function as replacement", function);
        }
        let found = match_value(cx, &found)?;
        match cx.call(function, &mut [found])? {
            Value::Str(part) => {
                push(out, &part);
                Ok(())
            }
            other => cx.type_error("a function that returns a string", &other),
        }
    })
}

/// Writes the text with replacements for the parts found, until it is too long for a string.
fn splice<F>(
    text: &str,
    found: impl Iterator<Item = (usize, usize, F)>,
    mut write: impl FnMut(&mut EcoString, F) -> Eval<()>,
) -> Eval<EcoString> {
    let mut out = EcoString::new();
    let mut begin = 0;
    for (start, end, found) in found {
        if out.len() > MAX_STRING {
            break;
        }
        push(&mut out, &text[begin..start]);
        write(&mut out, found)?;
        begin = end;
    }
    push(&mut out, &text[begin..]);
    Ok(out)
}

/// Replacement of regex matches: `$1`, `${name}` and `$name` are groups; `\` makes the next character plain.
struct Template(Vec<TemplatePart>);

enum TemplatePart {
    Text(EcoString),
    Group(usize),
}

impl Template {
    /// `None` if a group does not exist, or a `$` or `\` is incomplete.
    fn parse(source: &str, regex: &Regex) -> Option<Template> {
        let mut parts = Vec::new();
        let mut rest = source;
        while let Some(at) = rest.find(['$', '\\']) {
            parts.push(TemplatePart::Text(rest[..at].into()));
            let is_group = rest[at..].starts_with('$');
            rest = &rest[at + 1..];
            if is_group {
                let (group, length) = group_reference(rest, regex)?;
                parts.push(TemplatePart::Group(group));
                rest = &rest[length..];
            } else {
                let c = rest.chars().next()?;
                parts.push(TemplatePart::Text(EcoString::from(c)));
                rest = &rest[c.len_utf8()..];
            }
        }
        parts.push(TemplatePart::Text(rest.into()));
        Some(Template(parts))
    }

    fn fill(&self, out: &mut EcoString, found: &Match<'_>) {
        for part in &self.0 {
            match part {
                TemplatePart::Text(text) => push(out, text),
                TemplatePart::Group(number) => push(out, found.group(*number).unwrap_or("")),
            }
        }
    }
}

/// The group that the text after a `$` refers to, and the length of the reference.
fn group_reference(rest: &str, regex: &Regex) -> Option<(usize, usize)> {
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return numbered_group(rest, regex.group_count());
    }
    if let Some(braced) = rest.strip_prefix('{') {
        let (name, _) = braced.split_once('}')?;
        return Some((regex.group_named(name)?, name.len() + 2));
    }
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some((regex.group_named(&rest[..length])?, length))
}

/// Takes as many digits as name a group: `$12` is group 1 and a `2` if there are fewer than 12.
fn numbered_group(rest: &str, count: usize) -> Option<(usize, usize)> {
    let mut number = 0;
    let mut length = 0;
    for digit in rest.chars().map_while(|c| c.to_digit(10)) {
        let longer = number * 10 + digit as usize;
        if length > 0 && longer > count {
            break;
        }
        (number, length) = (longer, length + 1);
    }
    (number <= count).then_some((number, length))
}
