//! A bounded cache of counts. Its keys are 128-bit hashes of texts, too long to collide by accident.

use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::{xxh3_128, xxh3_128_with_seed};

/// The hash of a text, or of a pair of texts.
// Four `u32` instead of a `u128`: an entry of key and count takes 20 bytes, against 32 with the alignment of a `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key([u32; 4]);

/// Passes on half of the bits: they are random already, and maps hash a key for each word that is counted.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, ..] = self.0;
        state.write_u64(u64::from(a) | u64::from(b) << 32);
    }
}

/// Hash seed for pairs, to keep their keys apart from those of texts.
const PAIR: u64 = 2;

impl Key {
    /// The key of a text.
    pub fn of(text: &str) -> Key {
        Key::from_bytes(xxh3_128(text.as_bytes()).to_le_bytes())
    }

    /// The key of a pair of texts.
    pub fn of_pair(left: &str, right: &str) -> Key {
        let mut both = [0; 32];
        both[..16].copy_from_slice(&Key::of(left).to_bytes());
        both[16..].copy_from_slice(&Key::of(right).to_bytes());
        Key::from_bytes(xxh3_128_with_seed(&both, PAIR).to_le_bytes())
    }

    /// The inverse of [`Key::to_bytes`].
    pub fn from_bytes(bytes: [u8; 16]) -> Key {
        let bits = u128::from_le_bytes(bytes);
        Key([bits as u32, (bits >> 32) as u32, (bits >> 64) as u32, (bits >> 96) as u32])
    }

    /// The 16 bytes of the hash.
    pub fn to_bytes(self) -> [u8; 16] {
        let [a, b, c, d] = self.0.map(u128::from);
        (a | b << 32 | c << 64 | d << 96).to_le_bytes()
    }
}

/// Copies an entry of a map.
pub fn copy_entry((key, count): (&Key, &u32)) -> (Key, u32) {
    (*key, *count)
}

/// Counts by key. When the young generation is full, it replaces the old one.
pub struct Memo {
    generations: RwLock<Generations>,
    /// The most entries of a generation.
    room: usize,
}

/// The entries in two generations.
// Dropping whole generations needs no time of last use. Each look-up would have to write it under the lock.
#[derive(Default)]
pub struct Generations {
    young: FxHashMap<Key, u32>,
    old: FxHashMap<Key, u32>,
}

impl Memo {
    pub fn with_room(room: usize) -> Memo {
        Memo { generations: RwLock::default(), room }
    }

    /// Locks the entries for several look-ups.
    pub fn read(&self) -> RwLockReadGuard<'_, Generations> {
        self.generations.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn insert_all(&self, numbers: impl IntoIterator<Item = (Key, u32)>) {
        let mut generations = self.generations.write().unwrap_or_else(PoisonError::into_inner);
        for (key, number) in numbers {
            generations.insert(key, number, self.room);
        }
    }
}

impl Generations {
    pub fn get(&self, key: &Key) -> Option<u32> {
        match self.young.get(key) {
            Some(count) => Some(*count),
            None => self.old.get(key).copied(),
        }
    }

    /// All entries, the newer generation first.
    pub fn all_counts(&self) -> impl Iterator<Item = (Key, u32)> + '_ {
        self.young.iter().chain(&self.old).map(copy_entry)
    }

    fn insert(&mut self, key: Key, number: u32, room: usize) {
        if self.young.len() >= room {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, number);
    }
}
