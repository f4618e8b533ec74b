//! Results of the sequence functions. Each slot costs allocation.

use super::build::cons;
use crate::builtins::prelude::*;

/// A sequence of unknown length. Each slot is charged when it is added.
#[derive(Default)]
pub struct Growing(Vec<Value>);

impl Growing {
    pub fn push(&mut self, cx: &mut Interpreter<'_>, value: Value) -> Eval<()> {
        grow(cx, self.0.len(), 1)?;
        self.0.push(value);
        Ok(())
    }

    pub fn extend(&mut self, cx: &mut Interpreter<'_>, items: Items) -> Eval<()> {
        grow(cx, self.0.len(), items.len())?;
        self.0.extend(items);
        Ok(())
    }

    pub fn into_list(self) -> Value {
        Value::list(self.0)
    }
}

/// Pays for new slots in a collection of `len` items.
pub fn grow(cx: &mut Interpreter<'_>, len: usize, added: usize) -> Eval<()> {
    if len.saturating_add(added) > MAX_ITEMS {
        return cx.allocate_slots(len.saturating_add(added));
    }
    cx.allocate_slots(added)
}

/// The items as a list, or nil for none, as `seq` gives.
pub fn list_or_nil(items: Items) -> Value {
    if items.is_empty() { Value::Nil } else { Value::List(items) }
}

/// Adds one item as `conj` does, in place unless the collection is shared.
pub fn add(cx: &mut Call, collection: &mut Value, item: Value) -> Eval<()> {
    match collection {
        Value::Vector(items) => {
            grow(cx, items.len(), 1)?;
            items.push(item);
        }
        Value::List(items) => {
            grow(cx, items.len(), 1)?;
            if items.is_queue() { items.push(item) } else { items.push_front(item) }
        }
        Value::Nil => *collection = cx.list(vec![item])?,
        Value::Map(map) => return add_entries(cx, map, item),
        Value::Set(set) => return add_key(cx, set, item, ()),
        Value::Generator(_) => *collection = cons(cx, item, collection.take())?,
        other => return cx.type_error("a collection", other),
    }
    Ok(())
}

/// Adds what `conj` accepts for a map: a pair, a map, a sequence or set of pairs, or nil.
fn add_entries(cx: &mut Call, map: &mut Arc<Map>, item: Value) -> Eval<()> {
    match item {
        Value::Nil => Ok(()),
        Value::Vector(_) => add_pair(cx, map, item),
        Value::Map(other) => merge(cx, map, &other),
        Value::List(pairs) => pairs.into_iter().try_for_each(|pair| add_pair(cx, map, pair)),
        Value::Set(pairs) => pairs.keys().try_for_each(|pair| add_pair(cx, map, pair.clone())),
        other => not_a_pair(cx, &other, Class::IllegalArgumentException),
    }
}

fn add_pair(cx: &mut Call, map: &mut Arc<Map>, pair: Value) -> Eval<()> {
    match &pair {
        Value::Vector(items) => match &items[..] {
            [key, value] => add_key(cx, map, key.clone(), value.clone()),
            _ => not_a_pair(cx, &pair, Class::IllegalArgumentException),
        },
        other => not_a_pair(cx, other, Class::of_wrong(other)),
    }
}

fn not_a_pair(cx: &Call, got: &Value, class: Class) -> Eval<()> {
    cx.type_error("a [key value] pair or a map", got).map_err(of_class(class))
}

fn merge(cx: &mut Interpreter<'_>, map: &mut Arc<Map>, other: &Map) -> Eval<()> {
    cx.tick(other.len())?;
    other.iter().try_for_each(|(key, value)| add_key(cx, map, key.clone(), value.clone()))
}

/// Adds an entry to a map or a member to a set.
pub fn add_key<V: Clone>(
    cx: &mut Interpreter<'_>,
    table: &mut Arc<Table<V>>,
    key: Value,
    value: V,
) -> Eval<()> {
    if let Err((key, other)) = table.admits(&key) {
        return cannot_compare(&key, &other);
    }
    if table.len() >= MAX_ITEMS {
        cx.allocate_entries(MAX_ITEMS + 1)?;
    }
    cx.allocate_entries(1)?;
    Arc::make_mut(table).insert(key, value);
    Ok(())
}
