//! JSON of a log, parsed lazily one level at a time: nested bytes stay unchanged, and an invalid part does not affect its siblings.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// 2^53: below it, `f64` represents every whole number exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A valid JSON value.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(&'a str);

/// The fields of a JSON object. If a key is duplicate, the last one wins.
#[derive(Clone)]
pub(super) struct Object<'a> {
    /// The original text of the object.
    json: Json<'a>,
    fields: BTreeMap<String, &'a RawValue>,
}

impl Default for Object<'_> {
    fn default() -> Self {
        Object { json: Json("{}"), fields: BTreeMap::new() }
    }
}

impl<'a> Json<'a> {
    /// # Errors
    /// The text is not valid JSON.
    pub(super) fn parse(text: &'a str) -> Result<Json<'a>, serde_json::Error> {
        serde_json::from_str::<&RawValue>(text).map(|raw| Json(raw.get()))
    }

    pub(super) fn read<T: Deserialize<'a>>(self) -> Option<T> {
        serde_json::from_str(self.0).ok()
    }

    /// A non-negative integer. Data frames write counts as `12.0`.
    pub(super) fn count(self) -> Option<u64> {
        if let Some(count) = self.read() {
            return Some(count);
        }
        let number = self.read::<f64>()?;
        let is_count = number.fract() == 0.0 && (0.0..MAX_EXACT).contains(&number);
        is_count.then_some(number as u64)
    }

    pub(super) fn raw(self) -> &'a str {
        self.0
    }

    fn begins_with(self, first: char) -> bool {
        self.0.starts_with(first)
    }

    /// Parses an object; `None` for other values.
    pub(super) fn object(self) -> Option<Object<'a>> {
        // Check the first byte first: readers test every value, and a parser error costs more than parsing most values.
        if !self.begins_with('{') {
            return None;
        }
        Some(Object { json: self, fields: self.read()? })
    }

    /// Parses a list; `None` for other values.
    pub(super) fn list(self) -> Option<Vec<Json<'a>>> {
        if !self.begins_with('[') {
            return None;
        }
        let items: Vec<&RawValue> = self.read()?;
        Some(items.into_iter().map(|raw| Json(raw.get())).collect())
    }

    /// Parses a string; `None` for other values. Lone surrogates (from truncated texts) become U+FFFD.
    pub(super) fn text(self) -> Option<String> {
        if !self.begins_with('"') {
            return None;
        }
        if let Some(text) = self.read() {
            return Some(text);
        }
        let Bytes(bytes) = self.read()?;
        Some(String::from_utf8_lossy(&bytes).replace("\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}"))
    }

    /// The text of a string, or any other value as JSON.
    pub(super) fn to_plain_text(self) -> String {
        match self.text() {
            Some(text) => text,
            None => self.to_compact().get().to_owned(),
        }
    }

    /// Returns true if a string contains a lone surrogate.
    pub(super) fn has_half_characters(self) -> bool {
        let is_possible = self.0.contains("\\ud") || self.0.contains("\\uD");
        is_possible && has_half(self.0)
    }

    /// Returns true for `null`, and for an empty string, list or object.
    pub(super) fn is_empty(self) -> bool {
        match self.0.as_bytes() {
            [b'n', ..] | [b'"', b'"'] => true,
            [b'[', inside @ .., b']'] | [b'{', inside @ .., b'}'] => inside.trim_ascii().is_empty(),
            _ => false,
        }
    }

    /// Returns true if the value contains prose: any string with inner white space or non-ASCII characters.
    pub(super) fn has_words(self) -> bool {
        let Some(value) = self.read::<serde_json::Value>() else { return true };
        let mut open = vec![&value];
        while let Some(value) = open.pop() {
            match value {
                serde_json::Value::String(text) if has_inner_space(text) => return true,
                serde_json::Value::Array(items) => open.extend(items),
                serde_json::Value::Object(fields) => open.extend(fields.values()),
                _ => {}
            }
        }
        false
    }

    /// Removes white space between tokens.
    pub(super) fn to_compact(self) -> Box<RawValue> {
        let mut text = String::with_capacity(self.0.len());
        // Parsing and serializing again would change numbers like 1.10 and escapes.
        let (mut is_inside, mut is_escaped) = (false, false);
        for c in self.0.chars() {
            if is_inside || !c.is_ascii_whitespace() {
                text.push(c);
            }
            match c {
                '"' if !is_escaped => is_inside = !is_inside,
                '\\' => {
                    is_escaped = !is_escaped;
                    continue;
                }
                _ => {}
            }
            is_escaped = false;
        }
        RawValue::from_string(text).unwrap_or_else(|_| json_text(self.0))
    }
}

impl<'a> Object<'a> {
    /// The original text of the object, including fields removed since.
    pub(super) fn json(&self) -> Json<'a> {
        self.json
    }

    pub(super) fn get(&self, key: &str) -> Option<Json<'a>> {
        let value = self.fields.get(key)?.get();
        // Clients write null for missing values.
        if value == "null" { None } else { Some(Json(value)) }
    }

    /// The value at a dotted path, such as `cost.total`.
    pub(super) fn at(&self, path: &str) -> Option<Json<'a>> {
        match path.split_once('.') {
            Some((key, rest)) => self.object(key)?.at(rest),
            None => self.get(path),
        }
    }

    /// The value of the first existing key.
    pub(super) fn first(&self, keys: &[&str]) -> Option<Json<'a>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// The first object in one of these fields.
    pub(super) fn first_object(&self, keys: &[&str]) -> Option<Object<'a>> {
        keys.iter().find_map(|key| self.object(key))
    }

    pub(super) fn remove_keys(&mut self, keys: &[&str]) {
        self.fields.retain(|key, _| !keys.contains(&key.as_str()));
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.get(key)?.text()
    }

    pub(super) fn object(&self, key: &str) -> Option<Object<'a>> {
        self.get(key)?.object()
    }

    pub(super) fn list(&self, key: &str) -> Option<Vec<Json<'a>>> {
        self.get(key)?.list()
    }

    /// The object in a field, or an empty one.
    pub(super) fn below(&self, key: &str) -> Object<'a> {
        self.object(key).unwrap_or_default()
    }

    /// The `type` field, or an empty string.
    pub(super) fn kind(&self) -> String {
        self.text("type").unwrap_or_default()
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.get(key)?.count()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Json("true")))
    }

    /// The fields, sorted by key.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, Json<'a>)> {
        self.fields.iter().map(|(key, raw)| (key.as_str(), Json(raw.get())))
    }

    /// Parses strings containing a JSON list or object, in this object and in nested objects (one level), and returns the result as JSON.
    /// `None` if there are none.
    pub(super) fn with_texts_read(&self) -> Option<String> {
        self.with_texts(1, &mut |text| text.trim_start().starts_with(['[', '{']).then_some(text))
    }

    /// Replaces strings by the JSON returned from `read`, down to the given depth of nested objects, and returns the result as JSON. `None`
    /// if nothing is replaced.
    pub(super) fn with_texts(
        &self,
        depth: usize,
        read: &mut dyn FnMut(String) -> Option<String>,
    ) -> Option<String> {
        let mut replaced: BTreeMap<&str, Box<RawValue>> = BTreeMap::new();
        for (key, value) in self.fields() {
            let text = match value.text() {
                Some(text) => read(text),
                None if depth > 0 => value.object().and_then(|inner| inner.with_texts(depth - 1, read)),
                None => None,
            };
            if let Some(text) = text
                && let Ok(new) = RawValue::from_string(text)
            {
                replaced.insert(key, new);
            }
        }
        if replaced.is_empty() {
            return None;
        }
        let mut fields: BTreeMap<&str, &RawValue> = BTreeMap::new();
        for (key, old) in &self.fields {
            fields.insert(key, replaced.get(key.as_str()).map_or(*old, Box::as_ref));
        }
        serde_json::to_string(&fields).ok()
    }

    /// Returns true if the `type` field equals `kind`.
    pub(super) fn is_a(&self, kind: &str) -> bool {
        self.text("type").as_deref() == Some(kind)
    }
}

/// Returns true for a text with white space between words, or with non-ASCII characters.
fn has_inner_space(text: &str) -> bool {
    text.trim().contains(|c: char| c.is_whitespace() || !c.is_ascii())
}

/// Parses the UTF-16 code unit of an escape such as `\ud83d`.
fn parse_code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Returns true if a JSON escape is a lone surrogate.
fn has_half(mut text: &str) -> bool {
    while let Some(at) = text.find('\\') {
        let rest = text.get(at..).unwrap_or("");
        let length = match (parse_code_unit(rest), rest.get(6..).and_then(parse_code_unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => return true,
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        text = rest.get(length..).unwrap_or("");
    }
    false
}

/// Replaces `NaN`, `Infinity` and `-Infinity` (written by Python) by `null`. `None` if there are none.
pub(super) fn without_nan(text: &str) -> Option<String> {
    let mut valid = String::with_capacity(text.len());
    let (mut rest, mut is_inside) = (text, false);
    while let Some(c) = rest.chars().next() {
        if !is_inside && let Some(further) = strip_nan(rest) {
            valid.push_str("null");
            rest = further;
            continue;
        }
        let escaped = if is_inside && c == '\\' { rest.chars().nth(1).map_or(0, char::len_utf8) } else { 0 };
        let (taken, further) = rest.split_at_checked(c.len_utf8() + escaped)?;
        valid.push_str(taken);
        is_inside ^= c == '"';
        rest = further;
    }
    (valid != text).then_some(valid)
}

/// The text after a number without a JSON form.
fn strip_nan(text: &str) -> Option<&str> {
    ["NaN", "-Infinity", "Infinity"].iter().find_map(|word| text.strip_prefix(word))
}

/// Arguments of a call as JSON. A JSON text keeps its bytes; any other text becomes a string, and so does JSON nested too deep for a
/// scenario file.
pub(super) fn parse_arguments(value: Option<Json>) -> Box<RawValue> {
    let Some(value) = value else { return no_arguments() };
    let Some(text) = value.text() else {
        return if is_deep(value.0) { json_text(value.0) } else { value.to_compact() };
    };
    match Json::parse(&text) {
        _ if text.trim().is_empty() => no_arguments(),
        Ok(parsed) if !is_deep(parsed.0) => match RawValue::from_string(parsed.0.to_owned()) {
            Ok(value) => value,
            Err(_) => json_text(&text),
        },
        _ => json_text(&text),
    }
}

/// Returns true if a value is nested more than 100 levels deep. `serde_json` allows 127, including the levels around the value.
fn is_deep(text: &str) -> bool {
    if text.matches(['[', '{']).count() <= 100 {
        return false;
    }
    let around = ["[".repeat(27), "]".repeat(27)];
    let read = serde_json::from_str::<serde_json::Value>(&around.join(text));
    read.is_err_and(|error| error.to_string().starts_with("recursion limit"))
}

fn no_arguments() -> Box<RawValue> {
    Object::default().json().to_compact()
}

/// Serializes a string, or a value parsed from JSON before. Neither can fail.
pub(super) fn json_text(value: &(impl Serialize + ?Sized)) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_default()
}

/// A string, possibly with invalid Unicode.
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct OfString;
        impl Visitor<'_> for OfString {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(OfString)
    }
}
