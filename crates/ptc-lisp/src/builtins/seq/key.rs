//! Key specifications of `group-by`, `sort-by`, `sum-by` and the like (`docs/language.md` §4.3).

use crate::builtins::prelude::*;

/// A way to the relevant part of an item.
pub enum Key {
    Call(Value),
    /// A string looks itself up in a map.
    Field(Value),
    /// A vector is a path: `[:bin :zone]`.
    Path(Items),
}

impl FromValue<'_> for Key {
    fn from_value(_: &mut Call, value: &mut Value) -> Eval<Key> {
        Ok(match value.take() {
            Value::Vector(path) => Key::Path(path),
            name @ Value::Str(_) => Key::Field(name),
            callable => Key::Call(callable),
        })
    }
}

impl Key {
    /// The key of an item; nil where the item has none.
    pub fn of(&self, cx: &mut Interpreter<'_>, item: Value) -> Eval {
        match self {
            Key::Call(function) => cx.call(function, &mut [item]),
            Key::Field(name) => Ok(lookup(&item, name).unwrap_or_default()),
            Key::Path(path) => {
                cx.tick(path.len())?;
                Ok(path.iter().try_fold(item, |value, key| lookup(&value, key)).unwrap_or_default())
            }
        }
    }
}

/// `(get collection key)` without a default, as paths and key specifications read it: flexible on maps.
pub fn lookup(collection: &Value, key: &Value) -> Option<Value> {
    match (collection, key) {
        (Value::Map(map), _) => flexible::lookup(map, key).cloned(),
        (Value::Vector(items), Value::Int(index)) => items.get(usize::try_from(*index).ok()?).cloned(),
        (Value::Set(set), _) => set.entry(key).map(|(member, ())| member.clone()),
        _ => None,
    }
}
