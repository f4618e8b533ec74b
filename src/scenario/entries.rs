//! Deserialization of special entries: free-form data, keys with null as a value, and keys without a value.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer};

use super::node::Reading;
use ptc_lisp::value::Value;

/// Any data, as a PTC-Lisp value.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum(pub Value);

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

/// Deserializes a nullable key, so that null differs from a missing key.
pub fn present<'de, D: Deserializer<'de>>(parser: D) -> Result<Option<Datum>, D::Error> {
    Datum::deserialize(parser).map(Some)
}

/// Deserializes a key without a value as the default: `data:` with nothing below it is empty data.
pub fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    parser: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(parser).map(Option::unwrap_or_default)
}
