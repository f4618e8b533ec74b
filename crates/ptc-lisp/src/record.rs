//! Maps that share their keys, as those do that one literal makes: each holds only what belongs to the
//! keys. A key that is added leads to the keys of the next such maps, so that they are shared again.

use std::iter::Zip;
use std::slice;
use std::sync::OnceLock;

use smallvec::SmallVec;
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
    values: Values<V>,
}

/// A few of them need no place of their own in memory.
pub(super) type Values<V> = SmallVec<[V; 4]>;

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
    /// The keys alone; as many values are to follow.
    pub(super) fn new(keys: Arc<Keys>) -> Record<V> {
        Record { keys, values: Values::new() }
    }

    /// Adds the values of all keys.
    pub(super) fn fill(&mut self, value: impl Fn() -> V) -> &mut [V] {
        self.values.extend((0..self.keys.len()).map(|_| value()));
        &mut self.values
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn get(&self, key: &Value) -> Option<&V> {
        self.values.get(self.keys.find(key)?)
    }

    /// Where a keyword stands, if all keys are keywords.
    #[inline(always)]
    pub(super) fn place_of(&self, name: Symbol) -> Option<usize> {
        self.keys.names.iter().position(|other| *other == name)
    }

    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> Option<&V> {
        self.values.get(place)
    }

    #[inline(always)]
    pub(super) fn at_mut(&mut self, place: usize) -> Option<&mut V> {
        self.values.get_mut(place)
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
        let mut values = Values::with_capacity(self.values.len() + 1);
        values.extend(self.values.iter().cloned());
        Record { keys: self.keys.clone(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Map;
    use super::*;

    fn keyword(name: impl std::fmt::Display) -> Value {
        Value::keyword(&name.to_string())
    }

    fn keys(names: &[&str]) -> Arc<Keys> {
        Arc::new(Keys::new(names.iter().map(keyword).collect()).unwrap())
    }

    #[test]
    fn the_key_that_is_added_first_is_shared_too() {
        let keys = keys(&["a"]);
        let with = |name: &str| {
            let mut record = Record::new(keys.clone());
            record.fill(|| 1);
            record.add(&keyword(name), 2).map(|()| record)
        };
        let (first, again) = (with("b").unwrap(), with("b").unwrap());
        assert!(Arc::ptr_eq(&first.keys, &again.keys));
        assert_eq!(first.into_entries(), [(keyword("a"), 1), (keyword("b"), 2)]);
        assert_eq!(with("c").err(), Some(2), "others have keys of their own");
    }

    #[test]
    fn only_keywords_are_added() {
        let mut record = Record::new(keys(&["a"]));
        record.fill(|| 1);
        assert_eq!(record.add(&Value::str("b"), 2), Err(2));
    }

    #[test]
    fn there_are_no_keys_twice_and_not_too_many() {
        assert!(Keys::new(vec![keyword("a"), keyword("a")]).is_none());
        assert!(Keys::new((0..=SMALL).map(keyword).collect()).is_none());
    }

    #[test]
    fn a_map_is_the_same_map_whether_its_keys_are_shared() {
        for name in ["a", "b", "c"] {
            let record = Map::record(keys(&["a", "b"]), |index, place| {
                *place = Value::from(index + 1);
                Ok::<(), ()>(())
            });
            let mut shared = Map::clone(&record.unwrap());
            let mut own: Map = shared.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            assert_eq!(shared.remove(&keyword(name)), own.remove(&keyword(name)));
            for at in 0..2 * SMALL {
                assert_eq!(
                    shared.insert(keyword(at), Value::from(at)),
                    own.insert(keyword(at), Value::from(at))
                );
                assert_eq!(shared.get(&keyword(at)), own.get(&keyword(at)));
            }
            assert_eq!(shared.len(), own.len());
            assert_eq!(shared.into_entries(), own.into_entries());
        }
    }
}
