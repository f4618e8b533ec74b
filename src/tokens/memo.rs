//! What has been counted. It may forget, and never errs: keys are a 64-bit hash and the length.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap;

/// Stands for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    hash: u64,
    length: usize,
}

impl Key {
    pub fn of(text: &str) -> Key {
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        Key { hash: hasher.finish(), length: text.len() }
    }
}

/// How many counts are kept at least; twice as many at most, about 50 MB.
const KEPT: usize = 500_000;

/// Counts by key. Once it is full, what was not asked for lately is forgotten.
pub struct Memo<K> {
    generations: RwLock<Generations<K>>,
}

struct Generations<K> {
    young: FxHashMap<K, u32>,
    old: FxHashMap<K, u32>,
}

impl<K> Default for Memo<K> {
    fn default() -> Memo<K> {
        let generations = Generations { young: FxHashMap::default(), old: FxHashMap::default() };
        Memo { generations: RwLock::new(generations) }
    }
}

impl<K: Copy + Eq + Hash> Memo<K> {
    pub fn get(&self, key: &K) -> Option<u32> {
        self.read().get(key)
    }

    /// The sum of what is known, and the rest.
    pub fn sum_known<T>(&self, entries: impl Iterator<Item = (K, T)>) -> (u32, Vec<(K, T)>) {
        let generations = self.read();
        let (mut sum, mut unseen) = (0_u32, Vec::new());
        for (key, entry) in entries {
            match generations.get(&key) {
                Some(count) => sum = sum.saturating_add(count),
                None => unseen.push((key, entry)),
            }
        }
        (sum, unseen)
    }

    pub fn insert_all(&self, counts: impl IntoIterator<Item = (K, u32)>) {
        let mut generations = self.generations.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (key, count) in counts {
            generations.insert(key, count);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Generations<K>> {
        self.generations.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<K: Copy + Eq + Hash> Generations<K> {
    fn get(&self, key: &K) -> Option<u32> {
        self.young.get(key).or_else(|| self.old.get(key)).copied()
    }

    fn insert(&mut self, key: K, count: u32) {
        if self.young.len() >= KEPT {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, count);
    }
}
