//! Flexible keys (`docs/language.md` §2.7): a keyword finds a string key and the reverse, and hyphens find underscores.
//! Only reads are flexible, and the spelling of a key that is there already; writes are exact.

use ecow::EcoString;

use super::error::Eval;
use super::meter;
use super::order::cannot_compare;
use super::symbol::Symbol;
use super::table::Map;
use super::value::Value;

/// Value of this key in any of its spellings; the exact one wins.
pub fn lookup<'a>(map: &'a Map, key: &Value) -> Option<&'a Value> {
    map.get(key).or_else(|| search(map, key, |spelled| map.get(spelled)))
}

/// The key in the spelling of the map.
pub fn spelling<'a>(map: &'a Map, key: &Value) -> Option<&'a Value> {
    key_in(map, key).or_else(|| search(map, key, |spelled| key_in(map, spelled)))
}

/// The key of the map that is equal to this one.
fn key_in<'a>(map: &'a Map, key: &Value) -> Option<&'a Value> {
    let (found, _) = map.entry(key)?;
    Some(found)
}

/// Result of `get`: a map's value, a set's member, the item at an index of a vector or string.
pub fn get(collection: &Value, key: &Value) -> Option<Value> {
    match (collection, key) {
        (Value::Map(map), _) => lookup(map, key).cloned(),
        (Value::Set(set), _) => Some(set.entry(key)?.0.clone()),
        (Value::Vector(items), Value::Int(index)) => items.get(usize::try_from(*index).ok()?).cloned(),
        (Value::Str(text), Value::Int(index)) => character(text, usize::try_from(*index).ok()?),
        _ => None,
    }
}

/// Result of `get`, or an error where the key is refused.
pub fn find(collection: &Value, key: &Value) -> Eval<Option<Value>> {
    let found = get(collection, key);
    if found.is_none() {
        refuse_missing(collection, key)?;
    }
    Ok(found)
}

/// The error of a sorted collection that cannot compare a key with its own, names excepted.
pub fn refuse_missing(collection: &Value, key: &Value) -> Eval<()> {
    let other = match collection {
        Value::Set(set) => set.bars(key),
        Value::Map(map) => map.bars(key).filter(|own| !is_name(key) || !is_name(own)),
        _ => None,
    };
    match other {
        Some(other) => cannot_compare(key, &other),
        None => Ok(()),
    }
}

fn character(text: &str, index: usize) -> Option<Value> {
    meter::owe_steps(index.min(text.len()));
    text.chars().nth(index).map(Value::from)
}

/// Tries the spellings other than the one given.
fn search<'a, T>(map: &'a Map, key: &Value, find: impl Fn(&Value) -> Option<&'a T>) -> Option<&'a T> {
    let (name, is_keyword) = match key {
        _ if map.is_empty() => return None,
        Value::Keyword(name) => (name.name(), true),
        Value::Str(text) => (text.as_str(), false),
        _ => return None,
    };
    // Making and hashing the other spellings reads the name a few times more.
    if !meter::owe_text(name.len()) {
        return None;
    }
    if let Some(key) = key_of(!is_keyword, name)
        && let Some(found) = find(&key)
    {
        return Some(found);
    }
    let others = [swapped(name, '-', '_'), swapped(name, '_', '-')];
    for is_keyword in [is_keyword, !is_keyword] {
        for name in others.iter().flatten() {
            if let Some(key) = key_of(is_keyword, name)
                && let Some(found) = find(&key)
            {
                return Some(found);
            }
        }
    }
    None
}

/// The name with one character in place of another. `None` if that changes nothing.
fn swapped(name: &str, from: char, to: char) -> Option<EcoString> {
    name.contains(from).then(|| name.chars().map(|c| if c == from { to } else { c }).collect())
}

/// Returns true for a key that has other spellings.
fn is_name(key: &Value) -> bool {
    matches!(key, Value::Keyword(_) | Value::Str(_))
}

/// The key of this name. `None` for a keyword that was never interned: no map can contain it.
fn key_of(is_keyword: bool, name: &str) -> Option<Value> {
    if is_keyword { Symbol::known(name).map(Value::Keyword) } else { Some(Value::str(name)) }
}
