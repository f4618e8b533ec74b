//! Interned names. Two symbols are equal exactly when they are the same pointer, so keywords compare
//! and hash in one instruction. Names live as long as the process; there are as many as distinct names
//! in the programs and data read, not as many as values.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, RwLock};

use rustc_hash::{FxHashMap, FxHasher};

/// The name of a keyword, a variable, a tool or a data key.
#[derive(Clone, Copy)]
pub struct Symbol(&'static Entry);

struct Entry {
    hash: u64,
    name: Box<str>,
}

static TABLE: LazyLock<RwLock<FxHashMap<&str, Symbol>>> = LazyLock::new(RwLock::default);

impl Symbol {
    /// The symbol of this name, made on first use.
    pub fn new(name: &str) -> Symbol {
        if let Some(known) = Symbol::known(name) {
            return known;
        }
        let mut table = TABLE.write().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = table.get(name) {
            return *found;
        }
        let mut hasher = FxHasher::default();
        name.hash(&mut hasher);
        let symbol = Symbol(Box::leak(Box::new(Entry { hash: hasher.finish(), name: name.into() })));
        table.insert(symbol.name(), symbol);
        symbol
    }

    /// The symbol of this name, if it has been made before.
    pub fn known(name: &str) -> Option<Symbol> {
        TABLE.read().unwrap_or_else(|e| e.into_inner()).get(name).copied()
    }

    /// The text of the name.
    pub fn name(self) -> &'static str {
        &self.0.name
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        self.name().cmp(other.name())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
