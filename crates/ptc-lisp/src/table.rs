//! The table behind maps and sets: linear search up to eight keys, hashed beyond, a `BTreeMap` if sorted.

use std::cmp::Ordering;
use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::slice;

use super::hashed::{self, Hashed};
use super::meter;
use super::order::compare_for_sorting;
use super::stack::guarded;
use super::value::Value;

/// A map of keyed values.
pub type Map = Table<Value>;
/// A set is a table of keys without values.
pub type Set = Table<()>;

/// Up to so many keys, a linear search.
const SMALL: usize = 8;

/// Keys with a payload each. Sorted tables order them by `compare`, others keep insertion order.
pub struct Table<V: Clone>(Repr<V>);

#[derive(Clone)]
enum Repr<V: Clone> {
    Small(Vec<(Value, V)>),
    Hashed(Hashed<V>),
    Sorted(BTreeMap<SortKey, V>, Direction),
}

/// The order of the keys of a sorted table: by `compare`, or reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The least key first.
    Rising,
    /// The greatest key first.
    Falling,
}

/// The entries of a table in order.
pub enum Iter<'t, V> {
    /// Searched one by one.
    Small(slice::Iter<'t, (Value, V)>),
    /// Found by hash.
    Hashed(hashed::Iter<'t, V>),
    /// Sorted.
    Sorted(btree_map::Iter<'t, SortKey, V>),
}

/// A key of a sorted table. `Table::admits` keeps out keys without an order.
#[derive(Clone)]
pub struct SortKey(Value, Direction);

impl<V: Clone> Table<V> {
    /// An empty table.
    pub fn new() -> Table<V> {
        Table(Repr::Small(Vec::new()))
    }

    /// An empty table with room for this many entries.
    pub fn with_capacity(entries: usize) -> Table<V> {
        if entries <= SMALL {
            Table(Repr::Small(Vec::with_capacity(entries)))
        } else {
            Table(Repr::Hashed(Hashed::with_capacity(entries)))
        }
    }

    /// An empty table with sorted keys.
    pub fn sorted(direction: Direction) -> Table<V> {
        Table(Repr::Sorted(BTreeMap::new(), direction))
    }

    /// An empty table with the order of this one.
    pub fn emptied(&self) -> Table<V> {
        self.direction().map_or_else(Table::new, Table::sorted)
    }

    /// The order of the keys, if they are sorted.
    pub fn direction(&self) -> Option<Direction> {
        match self.0 {
            Repr::Sorted(_, direction) => Some(direction),
            _ => None,
        }
    }

    /// Returns true if the keys are sorted.
    pub fn is_sorted(&self) -> bool {
        self.direction().is_some()
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Small(entries) => entries.len(),
            Repr::Hashed(entries) => entries.len(),
            Repr::Sorted(entries, _) => entries.len(),
        }
    }

    /// Returns true if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&V> {
        match &self.0 {
            Repr::Small(entries) => find(entries, key).and_then(|at| entries.get(at)).map(|(_, v)| v),
            Repr::Hashed(entries) => entries.get(key).map(|(_, v)| v),
            Repr::Sorted(entries, direction) => entries.get(&SortKey(key.clone(), *direction)),
        }
    }

    /// The value to change in place.
    pub fn get_mut(&mut self, key: &Value) -> Option<&mut V> {
        match &mut self.0 {
            Repr::Small(entries) => find(entries, key).and_then(|at| entries.get_mut(at)).map(|(_, v)| v),
            Repr::Hashed(entries) => entries.get_mut(key),
            Repr::Sorted(entries, direction) => entries.get_mut(&SortKey(key.clone(), *direction)),
        }
    }

    /// The key in the spelling of the table, and its value.
    pub fn entry(&self, key: &Value) -> Option<(&Value, &V)> {
        match &self.0 {
            Repr::Small(entries) => find(entries, key).and_then(|at| entries.get(at)).map(|(k, v)| (k, v)),
            Repr::Hashed(entries) => entries.get(key).map(|(k, v)| (k, v)),
            Repr::Sorted(entries, direction) => {
                entries.get_key_value(&SortKey(key.clone(), *direction)).map(|(k, v)| (&k.0, v))
            }
        }
    }

    /// Returns true if the key is there.
    pub fn contains(&self, key: &Value) -> bool {
        self.get(key).is_some()
    }

    /// Checks that a sorted table can compare the key with its own. The error is the incomparable pair.
    pub fn admits(&self, key: &Value) -> Result<(), (Value, Value)> {
        let Repr::Sorted(entries, direction) = &self.0 else { return Ok(()) };
        // Compares with the greatest key: the least may be nil, and nil has an order with everything.
        let greatest = match direction {
            Direction::Rising => entries.keys().next_back(),
            Direction::Falling => entries.keys().next(),
        };
        let last = greatest.map(|SortKey(last, _)| last).filter(|last| !last.is_nil());
        // Compare a first key with itself: some keys have no order. A vector always passes.
        match (last, key) {
            (None, Value::Vector(_)) => Ok(()),
            (last, key) => match super::order::compare(key, last.unwrap_or(key)) {
                Some(_) => Ok(()),
                None => Err((key.clone(), last.unwrap_or(key).clone())),
            },
        }
    }

    /// A key of a sorted table without an order to this one.
    pub fn bars(&self, key: &Value) -> Option<Value> {
        if self.is_empty() { None } else { self.admits(key).err().map(|(_, other)| other) }
    }

    /// Adds or replaces. A known key keeps its place and its spelling.
    pub fn insert(&mut self, key: Value, value: V) -> Option<V> {
        match &mut self.0 {
            Repr::Small(entries) => {
                if let Some((_, old)) = find(entries, &key).and_then(|at| entries.get_mut(at)) {
                    return Some(std::mem::replace(old, value));
                }
                if entries.len() < SMALL {
                    entries.push((key, value));
                    return None;
                }
                let mut hashed = Hashed::with_capacity(2 * SMALL);
                for (key, value) in std::mem::take(entries) {
                    hashed.insert(key, value);
                }
                hashed.insert(key, value);
                self.0 = Repr::Hashed(hashed);
                None
            }
            Repr::Hashed(entries) => entries.insert(key, value),
            Repr::Sorted(entries, direction) => entries.insert(SortKey(key, *direction), value),
        }
    }

    /// Takes a key out; the others keep their order.
    pub fn remove(&mut self, key: &Value) -> Option<V> {
        match &mut self.0 {
            Repr::Small(entries) => {
                let at = find(entries, key)?;
                Some(entries.remove(at).1)
            }
            Repr::Hashed(entries) => entries.remove(key),
            Repr::Sorted(entries, direction) => entries.remove(&SortKey(key.clone(), *direction)),
        }
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, V> {
        match &self.0 {
            Repr::Small(entries) => Iter::Small(entries.iter()),
            Repr::Hashed(entries) => Iter::Hashed(entries.iter()),
            Repr::Sorted(entries, _) => Iter::Sorted(entries.iter()),
        }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.iter().map(|(key, _)| key)
    }

    /// The entries, moved out in order.
    pub fn into_entries(mut self) -> Vec<(Value, V)> {
        match std::mem::replace(&mut self.0, Repr::Small(Vec::new())) {
            Repr::Small(entries) => entries,
            Repr::Hashed(entries) => entries.into_entries().collect(),
            Repr::Sorted(entries, _) => entries.into_iter().map(|(k, v)| (k.0, v)).collect(),
        }
    }
}

/// Index of a key among a few. Most keys are keywords, compared as pointers.
#[inline]
fn find<V>(entries: &[(Value, V)], key: &Value) -> Option<usize> {
    match key {
        Value::Keyword(name) => {
            entries.iter().position(|(other, _)| matches!(other, Value::Keyword(other) if other == name))
        }
        key => entries.iter().position(|(other, _)| other == key),
    }
}

impl Table<Value> {
    /// The values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }
}

impl<V: Clone> Default for Table<V> {
    fn default() -> Table<V> {
        Table::new()
    }
}

impl<'t, V> Iterator for Iter<'t, V> {
    type Item = (&'t Value, &'t V);

    #[inline]
    fn next(&mut self) -> Option<(&'t Value, &'t V)> {
        match self {
            Iter::Small(entries) => entries.next().map(|(k, v)| (k, v)),
            Iter::Hashed(entries) => entries.next().map(|(k, v)| (k, v)),
            Iter::Sorted(entries) => entries.next().map(|(k, v)| (&k.0, v)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Small(entries) => entries.size_hint(),
            Iter::Hashed(entries) => entries.size_hint(),
            Iter::Sorted(entries) => entries.size_hint(),
        }
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

/// Called only when a shared table is about to change (copy on write). Charges for the copy.
impl<V: Clone> Clone for Table<V> {
    fn clone(&self) -> Table<V> {
        meter::owe_kept(32 * self.len());
        Table(self.0.clone())
    }
}

impl<V: Clone + fmt::Debug> fmt::Debug for Table<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V: Clone> Drop for Table<V> {
    fn drop(&mut self) {
        match &mut self.0 {
            Repr::Small(entries) if entries.is_empty() => {}
            Repr::Small(entries) => guarded(|| entries.clear()),
            Repr::Hashed(entries) => guarded(|| entries.clear()),
            Repr::Sorted(entries, _) => guarded(|| entries.clear()),
        }
    }
}

impl<V: Clone> FromIterator<(Value, V)> for Table<V> {
    fn from_iter<I: IntoIterator<Item = (Value, V)>>(entries: I) -> Table<V> {
        let entries = entries.into_iter();
        let mut table = Table::with_capacity(entries.size_hint().0);
        for (key, value) in entries {
            table.insert(key, value);
        }
        table
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &SortKey) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortKey {}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &SortKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SortKey {
    fn cmp(&self, other: &SortKey) -> Ordering {
        match self.1 {
            Direction::Rising => compare_for_sorting(&self.0, &other.0),
            Direction::Falling => compare_for_sorting(&other.0, &self.0),
        }
    }
}
