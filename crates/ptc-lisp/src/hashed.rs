//! Many keys in insertion order, found by hash: the payload of a [`Table`](super::table::Table) of more than a few keys.
//! Removing leaves a gap among the entries; when half of them are gaps they are closed, so every operation takes
//! amortized constant time. Collisions are the same on every machine, because they cost ticks.

use std::hash::{Hash, Hasher};
use std::slice;

use rustc_hash::FxHasher;

use super::meter;
use super::value::Value;

/// Free comparisons with other keys of the same hash, and free steps past other keys.
const FREE_COLLISIONS: usize = 4;
const FREE_PROBES: usize = 1 << 10;
const LEAST_SLOTS: usize = 32;
const VACANT: Slot = Slot { hash: 0, at: u32::MAX };

pub(super) struct Hashed<V> {
    /// Entries in order. `None` for a removed one.
    entries: Vec<Option<(Value, V)>>,
    len: usize,
    /// All entries before this index are removed.
    first: usize,
    /// Indexes of entries by hash: a power of two of slots, at most two thirds of them taken.
    slots: Box<[Slot]>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    at: u32,
}

/// The entries in order.
pub struct Iter<'t, V> {
    entries: slice::Iter<'t, Option<(Value, V)>>,
    left: usize,
}

impl<V> Hashed<V> {
    pub(super) fn with_capacity(entries: usize) -> Hashed<V> {
        Hashed { entries: Vec::with_capacity(entries), len: 0, first: 0, slots: vacant_slots(entries) }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, key: &Value) -> Option<&(Value, V)> {
        self.entries.get(self.find(key, hash_of(key))?)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, key: &Value) -> Option<&mut V> {
        let at = self.find(key, hash_of(key))?;
        self.entries.get_mut(at)?.as_mut().map(|(_, value)| value)
    }

    /// Adds or replaces; a key that is there already keeps its place and its spelling.
    pub(super) fn insert(&mut self, key: Value, value: V) -> Option<V> {
        let hash = hash_of(&key);
        if let Some(at) = self.find(&key, hash)
            && let Some(Some((_, old))) = self.entries.get_mut(at)
        {
            return Some(std::mem::replace(old, value));
        }
        if 3 * (self.entries.len() + 1) > 2 * self.slots.len() {
            self.rebuild(2 * (self.len + 1));
        }
        let at = self.entries.len() as u32;
        occupy(&mut self.slots, Slot { hash, at });
        self.entries.push(Some((key, value)));
        self.len += 1;
        None
    }

    pub(super) fn remove(&mut self, key: &Value) -> Option<V> {
        let at = self.find(key, hash_of(key))?;
        let (_, value) = self.entries.get_mut(at)?.take()?;
        self.len -= 1;
        while let Some(None) = self.entries.get(self.first) {
            self.first += 1;
        }
        if self.entries.len() > 2 * self.len + LEAST_SLOTS {
            self.rebuild(self.len);
        }
        Some(value)
    }

    pub(super) fn iter(&self) -> Iter<'_, V> {
        Iter { entries: self.entries.get(self.first..).unwrap_or(&[]).iter(), left: self.len }
    }

    pub(super) fn into_entries(self) -> impl Iterator<Item = (Value, V)> {
        self.entries.into_iter().flatten()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.len = 0;
        self.first = 0;
        self.slots = vacant_slots(0);
    }

    /// Index of the entry of a key.
    fn find(&self, key: &Value, hash: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let (mut probes, mut collisions) = (0, 0);
        let found = loop {
            let slot = self.slots.get((hash as usize + probes) & mask)?;
            if slot.at == VACANT.at {
                break None;
            }
            if slot.hash == hash
                && let Some(Some((other, _))) = self.entries.get(slot.at as usize)
            {
                if key == other {
                    break Some(slot.at as usize);
                }
                collisions += 1;
            }
            probes += 1;
        };
        if collisions > FREE_COLLISIONS || probes > FREE_PROBES {
            meter::owe((collisions + probes / FREE_PROBES) as u64);
        }
        found
    }

    /// Closes the gaps and makes room for this many entries.
    fn rebuild(&mut self, entries: usize) {
        let mut moved_to = Vec::with_capacity(self.entries.len());
        let mut kept = 0;
        for entry in &self.entries {
            moved_to.push(kept);
            kept += u32::from(entry.is_some());
        }
        let mut slots = vacant_slots(entries);
        for slot in self.slots.iter().filter(|slot| slot.at != VACANT.at) {
            if let (Some(Some(_)), Some(at)) =
                (self.entries.get(slot.at as usize), moved_to.get(slot.at as usize))
            {
                occupy(&mut slots, Slot { hash: slot.hash, at: *at });
            }
        }
        self.slots = slots;
        self.entries.retain(Option::is_some);
        self.first = 0;
    }
}

impl<'t, V> Iterator for Iter<'t, V> {
    type Item = &'t (Value, V);

    fn next(&mut self) -> Option<&'t (Value, V)> {
        let mut gap = 0;
        loop {
            match self.entries.next() {
                Some(Some(entry)) => {
                    meter::owe_steps(gap);
                    self.left -= 1;
                    return Some(entry);
                }
                Some(None) => gap += 1,
                None => return None,
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<V> ExactSizeIterator for Iter<'_, V> {}

/// A copy is made to be changed: it has room for one more entry.
impl<V: Clone> Clone for Hashed<V> {
    fn clone(&self) -> Hashed<V> {
        let mut entries = Vec::with_capacity(self.entries.len() + 1);
        entries.extend_from_slice(&self.entries);
        Hashed { entries, slots: self.slots.clone(), ..*self }
    }
}

fn vacant_slots(entries: usize) -> Box<[Slot]> {
    let slots = (entries + entries / 2 + 1).max(LEAST_SLOTS).next_power_of_two();
    vec![VACANT; slots].into_boxed_slice()
}

/// Takes the first vacant slot for a hash. There is always one.
fn occupy(slots: &mut [Slot], slot: Slot) {
    let mask = slots.len() - 1;
    let mut place = slot.hash as usize & mask;
    while slots.get(place).is_some_and(|taken| taken.at != VACANT.at) {
        place = (place + 1) & mask;
    }
    if let Some(vacant) = slots.get_mut(place) {
        *vacant = slot;
    }
}

/// The upper half of a product, which depends on all bits of the hash.
fn hash_of(key: &Value) -> u32 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    (hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
