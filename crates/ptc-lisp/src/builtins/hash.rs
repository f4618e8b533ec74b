//! Hashes as Clojure and Java compute them. Tables of this crate hash differently.

use super::logic::tick_nested;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    "hash" = hash;
    "hash-ordered-coll" = |cx: &mut Call, collection: Value| -> Eval<i64> {
        tick_nested(cx, &collection)?;
        let items = cx.items(collection.clone())?;
        shown(cx, ordered(items.iter()), &collection)
    };
    "hash-unordered-coll" = |cx: &mut Call, collection: Value| -> Eval<i64> {
        tick_nested(cx, &collection)?;
        let items = cx.items(collection.clone())?;
        shown(cx, unordered(items.iter().map(clojure_hash), items.len()), &collection)
    };
}

/// Mixed into keywords and combined hashes.
const GOLDEN: u32 = 0x9e37_79b9;

fn hash(cx: &mut Call, value: &Value) -> Eval<i64> {
    tick_nested(cx, value)?;
    shown(cx, clojure_hash(value), value)
}

fn shown(cx: &Call, hash: Option<u32>, value: &Value) -> Eval<i64> {
    hash.map_or_else(|| cx.type_error("data", value), |hash| Ok((hash as i32).into()))
}

/// `hasheq` of data. None for functions and other values.
fn clojure_hash(value: &Value) -> Option<u32> {
    Some(match value {
        Value::Nil | Value::Bool(_) | Value::Float(..) => java_hash(value)? as u32,
        Value::Int(number) => hash_long(*number),
        Value::Str(text) => match string_hash(text) {
            0 => 0,
            hash => finished(mixed(0, hash), 4),
        },
        Value::Keyword(name) => hash_symbol(name.name()).wrapping_add(GOLDEN),
        Value::Vector(items) | Value::List(items) => guarded(|| ordered(items.iter()))?,
        Value::Set(set) => guarded(|| unordered(set.keys().map(clojure_hash), set.len()))?,
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| ordered([key, value].into_iter()));
            guarded(|| unordered(entries, map.len()))?
        }
        _ => return None,
    })
}

/// `hashCode` of strings, numbers and booleans, and 0 for nil, as `format` shows it.
pub(super) fn java_hash(value: &Value) -> Option<i32> {
    Some(match value {
        Value::Nil => 0,
        Value::Bool(true) => 1231,
        Value::Bool(false) => 1237,
        Value::Int(number) => (*number ^ (*number as u64 >> 32) as i64) as i32,
        Value::Float(number, ..) => {
            let bits = if *number == 0.0 { 0 } else { number.to_bits() };
            (bits ^ (bits >> 32)) as i32
        }
        Value::Str(text) => string_hash(text) as i32,
        _ => return None,
    })
}

fn string_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

fn hash_long(number: i64) -> u32 {
    if number == 0 {
        return 0;
    }
    finished(mixed(mixed(0, number as u32), (number as u64 >> 32) as u32), 8)
}

fn hash_symbol(name: &str) -> u32 {
    let (space, name) = match name.split_once('/') {
        Some((space, bare)) if !bare.is_empty() => (string_hash(space), bare),
        _ => (0, name),
    };
    let seed = hash_units(name);
    seed ^ space.wrapping_add(GOLDEN).wrapping_add(seed << 6).wrapping_add((seed as i32 >> 2) as u32)
}

/// Murmur3 over the characters of a text, two at a time.
fn hash_units(text: &str) -> u32 {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut hash = 0;
    for pair in units.chunks(2) {
        match pair {
            [a, b] => hash = mixed(hash, u32::from(*a) | u32::from(*b) << 16),
            [last] => hash ^= scrambled((*last).into()),
            _ => {}
        }
    }
    finished(hash, 2 * units.len() as u32)
}

fn ordered<'a>(items: impl Iterator<Item = &'a Value>) -> Option<u32> {
    let (mut hash, mut count) = (1_u32, 0);
    for item in items {
        hash = hash.wrapping_mul(31).wrapping_add(clojure_hash(item)?);
        count += 1;
    }
    Some(finished(mixed(0, hash), count))
}

fn unordered(mut hashes: impl Iterator<Item = Option<u32>>, count: usize) -> Option<u32> {
    let sum = hashes.try_fold(0_u32, |sum, hash| Some(sum.wrapping_add(hash?)))?;
    Some(finished(mixed(0, sum), count as u32))
}

fn scrambled(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

fn mixed(hash: u32, block: u32) -> u32 {
    (hash ^ scrambled(block)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finished(hash: u32, length: u32) -> u32 {
    let hash = hash ^ length;
    let hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}
