//! Pieces of the files' types that serde and schemars do not bring: maps that keep their order, free-form
//! data, and keys for which null is a value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use ptc_lisp::json::key;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// Named things in the order of the file. Nothing is the same as none.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

/// Any data, as a value of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum(pub Value);

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named(Vec::new())
    }
}

impl<T> Named<T> {
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<Named<T>, D::Error> {
        parser.deserialize_any(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_unit<E: Error>(self) -> Result<Named<T>, E> {
        Ok(Named::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Named<T>, A::Error> {
        let mut named = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            named.push(entry);
        }
        Ok(Named(named))
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("NamedOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, T>::json_schema(generator)
    }
}

impl JsonSchema for Datum {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Datum".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(parser: D) -> Result<Datum, D::Error> {
        parser.deserialize_any(DatumVisitor).map(Datum)
    }
}

struct DatumVisitor;

impl<'de> Visitor<'de> for DatumVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Datum(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::vector(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Datum(value))) = entries.next_entry::<String, Datum>()? {
            map.insert(key(&name), value);
        }
        Ok(Value::map(map))
    }
}

/// For keys whose value may be null and that differ from keys that are not there.
pub fn present<'de, D: Deserializer<'de>>(parser: D) -> Result<Option<Datum>, D::Error> {
    Datum::deserialize(parser).map(Some)
}

/// For keys that may stand without a value.
pub fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    parser: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(parser).map(Option::unwrap_or_default)
}
