//! Parts of the files' types that serde and schemars do not have: maps that keep their order, free-form data,
//! and keys for which null is a value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::node::Reading;
use ptc_lisp::value::Value;

/// Named entries in the order of the file; null is the same as no entry.
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
        Reading::unbounded().read(parser).map(|node| Datum(node.to_value()))
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
