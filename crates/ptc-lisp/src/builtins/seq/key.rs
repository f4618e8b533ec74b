//! Key specifications of `group-by`, `sort-by`, `sum-by` and the like (`docs/language.md` §4.3).

use crate::builtins::prelude::*;

/// A way to the part of an item that counts.
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
    pub fn of(&self, cx: &mut Interpreter<'_>, item: &Value) -> Eval {
        let mut key = Value::Nil;
        self.put(cx, item, &mut key)?;
        Ok(key)
    }

    /// Puts the key of an item into a place that holds nothing yet.
    pub fn put(&self, cx: &mut Interpreter<'_>, item: &Value, place: &mut Value) -> Eval<()> {
        match self {
            Key::Call(function) => cx.call_on(function, item, place)?,
            Key::Field(name) => *place = lookup(item, name).unwrap_or_default(),
            Key::Path(path) => *place = follow(cx, path, item)?,
        }
        Ok(())
    }

    /// Puts the key of an item in its place.
    pub fn replace(&self, cx: &mut Interpreter<'_>, item: &mut Value) -> Eval<()> {
        match self {
            Key::Call(function) => cx.call_in_place(function, item),
            _ => {
                *item = self.of(cx, item)?;
                Ok(())
            }
        }
    }
}

fn follow(cx: &mut Interpreter<'_>, path: &Items, item: &Value) -> Eval {
    cx.tick(path.len())?;
    Ok(path.iter().try_fold(item.clone(), |value, key| lookup(&value, key)).unwrap_or_default())
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
