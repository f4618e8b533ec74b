//! Span attributes: an object, an OTLP list, a flattened list with one attribute per field, or table columns.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::json::{Json, Object, json_text};

/// Prefix of column names with attributes, in tables of Phoenix.
const COLUMN: &str = "attributes.";

/// Path segments of OpenInference that only name the type of the value below.
const LEVELS: [&str; 5] = ["message", "message_content", "tool_call", "tool", "json_schema"];
/// Maximum path depth of an attribute that is read.
const MAX_FLAT: usize = 16;

/// Default limit of attributes per span in OpenTelemetry exporters.
const LIMIT: usize = 128;

/// Span attributes: from an object, an OTLP list of keys and values, or table columns.
pub(super) struct Attributes {
    all: Vec<(String, Box<RawValue>)>,
    /// Number of the span's own attributes, without those of its events.
    own: usize,
}

impl Attributes {
    /// Attributes of a span and of its events, because either may hold the messages.
    pub(super) fn with_events(object: &Object) -> Attributes {
        let events = object.list("events").into_iter().flatten().filter_map(Json::object);
        let mut attributes = Attributes::from_object(object);
        attributes.all.extend(events.flat_map(|event| Attributes::from_object(&event).all));
        attributes
    }

    pub(super) fn from_object(object: &Object) -> Attributes {
        let all = Attributes::list_attributes(object);
        Attributes { own: all.len(), all }
    }

    fn list_attributes(object: &Object) -> Vec<(String, Box<RawValue>)> {
        let Some(attributes) = object.get("attributes") else {
            let mut columns = Vec::new();
            for (column, value) in object.fields() {
                if let Some(key) = column.strip_prefix(COLUMN)
                    && !value.is_empty()
                {
                    columns.push((key.to_owned(), value.to_compact()));
                }
            }
            return columns;
        };
        if let Some(object) = attributes.object() {
            return object.fields().map(|(key, value)| (key.to_owned(), value.to_compact())).collect();
        }
        let pairs: Vec<Value> = attributes.read().unwrap_or_default();
        pairs.iter().filter_map(plain_pair).map(|(key, value)| (key, json_text(&value))).collect()
    }

    fn find_value(&self, key: &str) -> Option<&RawValue> {
        let (_, value) = self.all.iter().find(|(own, _)| own == key)?;
        Some(value)
    }

    /// All attributes as one JSON object.
    pub(super) fn to_json(&self) -> String {
        let all: std::collections::BTreeMap<&str, &RawValue> =
            self.all.iter().map(|(key, value)| (key.as_str(), value.as_ref())).collect();
        json_text(&all).get().to_owned()
    }

    /// A value, parsed if it is JSON in a string.
    pub(super) fn json(&self, key: &str) -> Option<Box<RawValue>> {
        let value = self.find_value(key)?;
        match Json::parse(value.get()).ok()?.text() {
            Some(text) => Some(Json::parse(&text).ok()?.to_compact()),
            // Tables of Phoenix have lists of objects with flattened OpenInference names.
            None if value.get().contains("\"message.") || value.get().contains("\"tool.") => {
                Some(json_text(&expand_keys(serde_json::from_str(value.get()).ok()?)))
            }
            None => Some(value.to_owned()),
        }
    }

    /// A token count under the first of these keys.
    pub(super) fn number(&self, keys: &[&str]) -> Option<u64> {
        keys.iter().find_map(|key| Json::parse(self.json(key)?.get()).ok()?.count())
    }

    /// Returns true if the exporter dropped the first attributes at its limit: the messages then start at an index above 0.
    pub(super) fn lack_first(&self, keys: &[&str], dropped: Option<u64>) -> bool {
        let is_at_limit = self.own == LIMIT || dropped.unwrap_or(0) > 0;
        is_at_limit && keys.iter().any(|key| self.first_index(key).unwrap_or(0) > 0)
    }

    /// Smallest index in the flattened list below a key.
    fn first_index(&self, key: &str) -> Option<usize> {
        self.all.iter().filter_map(|(own, _)| parse_index(own, key)).min()
    }

    /// Returns true for truncated JSON text: exporters cut long attributes.
    pub(super) fn is_cut(&self, key: &str) -> bool {
        let Some(text) = self.text(key) else { return false };
        text.starts_with(['[', '{']) && Json::parse(&text).is_err()
    }

    /// Rebuilds the list below a key from flattened attributes such as `llm.tools.0.name`.
    pub(super) fn join_flat(&self, key: &str) -> Option<Box<RawValue>> {
        let mut list = Value::Null;
        for (own, value) in &self.all {
            let Some(path) = strip_key(own, key) else { continue };
            let is_text = path.ends_with("json_schema") || path.ends_with("parameters");
            let text = if is_text { Json::parse(value.get()).ok().and_then(Json::text) } else { None };
            let value = serde_json::from_str(text.as_deref().unwrap_or(value.get())).ok()?;
            let path = split_path(path);
            if path.len() <= MAX_FLAT {
                set_at_path(&mut list, &path, value);
            }
        }
        let list = lists_of_numbers(list);
        if list.is_array() { Some(json_text(&list)) } else { None }
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        Json::parse(self.find_value(key)?.get()).ok()?.text()
    }
}

/// The rest of a flattened key below `key`: `0.name` of `llm.tools.0.name` below `llm.tools`.
fn strip_key<'k>(flattened: &'k str, key: &str) -> Option<&'k str> {
    flattened.strip_prefix(key)?.strip_prefix('.')
}

/// The steps of a path, without those that only name a type.
fn split_path(path: &str) -> Vec<&str> {
    path.split('.').filter(|step| !LEVELS.contains(step)).collect()
}

/// Expands flattened keys such as `message.tool_calls` to nested objects.
fn expand_keys(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(expand_keys).collect(),
        Value::Object(fields) => {
            let mut whole = Value::Object(Map::new());
            for (key, value) in fields {
                let path = split_path(&key);
                let text = if key.ends_with("json_schema") { value.as_str() } else { None };
                let parsed = text.and_then(|text| serde_json::from_str(text).ok());
                match (path.is_empty(), parsed) {
                    // All segments of the key were type names: the value is the tool's whole schema.
                    (true, parsed) => return expand_keys(parsed.unwrap_or(value)),
                    (false, Some(parsed)) => set_at_path(&mut whole, &path, parsed),
                    (false, None) => set_at_path(&mut whole, &path, expand_keys(value)),
                }
            }
            whole
        }
        other => other,
    }
}

fn set_at_path(place: &mut Value, path: &[&str], value: Value) {
    let Some((first, rest)) = path.split_first() else { return *place = value };
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    if let Some(fields) = place.as_object_mut() {
        // OpenInference numbers the parts of a message in `message.contents`.
        let key = if *first == "contents" { "content" } else { first };
        set_at_path(fields.entry(key).or_insert(Value::Null), rest, value);
    }
}

/// Converts objects with only numeric keys to lists.
fn lists_of_numbers(value: Value) -> Value {
    let Value::Object(fields) = value else { return value };
    let numbers: Option<Vec<usize>> = fields.keys().map(|key| key.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
        return Value::Object(
            fields.into_iter().map(|(key, value)| (key, lists_of_numbers(value))).collect(),
        );
    };
    let mut items: Vec<(usize, Value)> =
        numbers.into_iter().zip(fields.into_iter().map(|(_, value)| value)).collect();
    items.sort_by_key(|(number, _)| *number);
    items.into_iter().map(|(_, value)| lists_of_numbers(value)).collect()
}

/// Converts an OTLP value to plain JSON.
pub(super) fn plain_value(value: &Value) -> Value {
    if let Some(items) = otlp_list(value, "arrayValue") {
        return items.iter().map(plain_value).collect();
    }
    if let Some(pairs) = otlp_list(value, "kvlistValue") {
        return Value::Object(pairs.iter().filter_map(plain_pair).collect::<Map<_, _>>());
    }
    if let Some(integer) = value.get("intValue") {
        let number = integer.as_str().and_then(|text| text.parse::<i64>().ok());
        return number.map_or(integer.clone(), Value::from);
    }
    let other = ["stringValue", "doubleValue", "boolValue"].iter().find_map(|key| value.get(key));
    other.cloned().unwrap_or(Value::Null)
}

fn otlp_list<'v>(value: &'v Value, key: &str) -> Option<&'v Vec<Value>> {
    value.get(key)?.get("values")?.as_array()
}

/// The key and the plain value of an OTLP pair.
fn plain_pair(pair: &Value) -> Option<(String, Value)> {
    Some((pair.get("key")?.as_str()?.to_owned(), plain_value(pair.get("value")?)))
}

/// The index after `key` in a flattened key such as `messages.3.role`.
fn parse_index(flattened: &str, key: &str) -> Option<usize> {
    strip_key(flattened, key)?.split('.').next()?.parse().ok()
}
