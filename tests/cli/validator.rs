//! Validates the part of JSON Schema that our schemas use. Any other keyword fails the test, so that none goes
//! unchecked.

use regex::Regex;
use serde_json::{Map, Value};

pub struct Schema {
    root: Value,
}

/// Keywords that do not constrain values.
const ANNOTATIONS: [&str; 10] = [
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "default",
    "format",
    "examples",
    "$comment",
    "deprecated",
];

impl Schema {
    pub fn new(root: Value) -> Schema {
        Schema { root }
    }

    /// The first problem of a value, if any.
    pub fn refuses(&self, value: &Value) -> Option<String> {
        self.check(&self.root, value, "").err()
    }

    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        match schema {
            Value::Bool(true) => Ok(()),
            Value::Bool(false) => Err(format!("{at}: nothing is allowed here, found {value}")),
            Value::Object(keywords) => {
                keywords.iter().try_for_each(|(name, bound)| self.keyword(keywords, name, bound, value, at))
            }
            other => panic!("no schema: {other}"),
        }
    }

    fn keyword(
        &self,
        schema: &Map<String, Value>,
        name: &str,
        bound: &Value,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let holds = |is_so: bool| match is_so {
            true => Ok(()),
            false => Err(format!("{at}: {name} {bound} does not hold for {value}")),
        };
        let fitting = || list(bound).iter().filter(|one| self.check(one, value, at).is_ok()).count();
        let number = |holds: fn(f64, f64) -> bool| match value.as_f64() {
            Some(found) => holds(found, bound.as_f64().unwrap()),
            None => true,
        };
        match name {
            "type" if bound.is_array() => holds(list(bound).iter().any(|one| is_of(one, value))),
            "type" => holds(is_of(bound, value)),
            "enum" => holds(list(bound).contains(value)),
            "const" => holds(bound == value),
            "pattern" => holds(value.as_str().is_none_or(|text| regex(bound).is_match(text))),
            "minimum" => holds(number(|found, least| found >= least)),
            "maximum" => holds(number(|found, most| found <= most)),
            "exclusiveMinimum" => holds(number(|found, least| found > least)),
            "minLength" => {
                holds(value.as_str().is_none_or(|text| text.len() as u64 >= bound.as_u64().unwrap()))
            }
            "minItems" => {
                holds(value.as_array().is_none_or(|all| all.len() as u64 >= bound.as_u64().unwrap()))
            }
            "minProperties" => {
                holds(value.as_object().is_none_or(|all| all.len() as u64 >= bound.as_u64().unwrap()))
            }
            "maxProperties" => {
                holds(value.as_object().is_none_or(|all| all.len() as u64 <= bound.as_u64().unwrap()))
            }
            "anyOf" => holds(fitting() > 0),
            "oneOf" => holds(fitting() == 1),
            "allOf" => list(bound).iter().try_for_each(|one| self.check(one, value, at)),
            "$ref" => self.check(self.definition(bound), value, at),
            "required" => {
                holds(value.as_object().is_none_or(|found| {
                    list(bound).iter().all(|key| found.contains_key(key.as_str().unwrap()))
                }))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items
                    .into_iter()
                    .try_for_each(|(index, item)| self.check(bound, item, &format!("{at}[{index}]")))
            }
            "maxItems" => {
                holds(value.as_array().is_none_or(|all| all.len() as u64 <= bound.as_u64().unwrap()))
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten().zip(list(bound)).enumerate();
                items
                    .into_iter()
                    .try_for_each(|(index, (item, one))| self.check(one, item, &format!("{at}[{index}]")))
            }
            "properties" => {
                bound.as_object().unwrap().iter().try_for_each(|(key, schema)| match value.get(key) {
                    Some(found) => self.check(schema, found, &format!("{at}.{key}")),
                    None => Ok(()),
                })
            }
            "propertyNames" => value.as_object().into_iter().flatten().try_for_each(|(key, _)| {
                self.check(bound, &Value::String(key.clone()), &format!("{at}.{key}"))
            }),
            "additionalProperties" => {
                let known =
                    |key: &String| schema.get("properties").is_some_and(|known| known.get(key).is_some());
                let others = value.as_object().into_iter().flatten().filter(|(key, _)| !known(key));
                others
                    .into_iter()
                    .try_for_each(|(key, found)| self.check(bound, found, &format!("{at}.{key}")))
            }
            name if ANNOTATIONS.contains(&name) => Ok(()),
            name => panic!("{at}: the validator does not know the keyword {name}"),
        }
    }

    fn definition(&self, reference: &Value) -> &Value {
        let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
        self.root.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn regex(pattern: &Value) -> Regex {
    Regex::new(pattern.as_str().unwrap()).unwrap()
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
        other => panic!("no type: {other}"),
    }
}
