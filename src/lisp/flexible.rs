//! PLACEHOLDER

use super::table::Map;
use super::value::Value;

pub fn lookup<'a>(map: &'a Map, key: &Value) -> Option<&'a Value> {
    map.get(key)
}
