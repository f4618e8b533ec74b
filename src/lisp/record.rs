//! Maps that share their keys, as those do that one literal makes: each holds only what belongs to the
//! keys. A key that is added leads to the keys of the next such maps, so that they are shared again.

use std::iter::Zip;
use std::slice;
use std::sync::OnceLock;

use triomphe::Arc;

use super::symbol::Symbol;
use super::table::{SMALL, find, is_small};
use super::value::Value;

/// A few different keys.
pub struct Keys {
    keys: Box<[Value]>,
    /// The same keys where all of them are keywords: names side by side are found sooner.
    names: Box<[Symbol]>,
    /// The same keys and the one that was first added to them.
    extended: OnceLock<Arc<Keys>>,
}

pub(super) struct Record<V> {
    keys: Arc<Keys>,
    values: Vec<V>,
}

/// The entries in order.
pub(super) type Iter<'t, V> = Zip<slice::Iter<'t, Value>, slice::Iter<'t, V>>;

impl Keys {
    /// None where there are too many of them, or one comes twice.
    pub fn new(keys: Vec<Value>) -> Option<Keys> {
        is_small(&keys).then(|| Keys::of(keys))
    }

    fn of(keys: Vec<Value>) -> Keys {
        let name = |key: &Value| if let Value::Keyword(name) = key { Some(*name) } else { None };
        let names = keys.iter().map(name).collect::<Option<_>>().unwrap_or_default();
        Keys { keys: keys.into(), names, extended: OnceLock::new() }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn find(&self, key: &Value) -> Option<usize> {
        match key {
            Value::Keyword(name) if !self.names.is_empty() => {
                self.names.iter().position(|other| other == name)
            }
            key => find(&self.keys, key),
        }
    }

    /// These keys and one more, if it is a keyword and nothing else was ever added to them.
    fn with(&self, key: &Value) -> Option<&Arc<Keys>> {
        if !matches!(key, Value::Keyword(_)) {
            return None;
        }
        let extended = self
            .extended
            .get_or_init(|| Arc::new(Keys::of(self.keys.iter().chain([key]).cloned().collect())));
        extended.keys.last().filter(|last| *last == key).map(|_| extended)
    }
}

impl<V: Clone> Record<V> {
    /// As many values as there are keys.
    pub(super) fn new(keys: Arc<Keys>, values: Vec<V>) -> Record<V> {
        Record { keys, values }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, key: &Value) -> Option<&V> {
        self.values.get(self.keys.find(key)?)
    }

    pub(super) fn get_mut(&mut self, key: &Value) -> Option<&mut V> {
        self.values.get_mut(self.keys.find(key)?)
    }

    pub(super) fn entry(&self, key: &Value) -> Option<(&Value, &V)> {
        let at = self.keys.find(key)?;
        self.keys.keys.get(at).zip(self.values.get(at))
    }

    /// Adds what belongs to a new key, or gives it back where the maps would no longer share their keys.
    pub(super) fn add(&mut self, key: &Value, value: V) -> Result<(), V> {
        if self.len() < SMALL
            && let Some(extended) = self.keys.with(key)
        {
            self.keys = extended.clone();
            self.values.push(value);
            return Ok(());
        }
        Err(value)
    }

    pub(super) fn iter(&self) -> Iter<'_, V> {
        self.keys.keys.iter().zip(&self.values)
    }

    pub(super) fn into_entries(self) -> Vec<(Value, V)> {
        self.keys.keys.iter().cloned().zip(self.values).collect()
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
    }
}

/// A copy is made to be changed: it has room for one more value.
impl<V: Clone> Clone for Record<V> {
    fn clone(&self) -> Record<V> {
        let mut values = Vec::with_capacity(self.values.len() + 1);
        values.extend_from_slice(&self.values);
        Record { keys: self.keys.clone(), values }
    }
}
