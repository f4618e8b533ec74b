//! Merges two YAML trees by picking or rejecting each difference. List items are aligned by similarity.

use serde_yaml::{Mapping, Value};

/// A step from a tree to one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    /// The index of an item in the old list. Added items have their index in the new list.
    Item(usize),
    /// An item of the new list alone.
    Added,
    /// An item of the old list alone.
    Removed,
    /// The name of the key itself.
    Name,
    /// The order of the keys.
    Order,
}

/// Picks one side of a difference.
pub(super) trait Pick {
    /// Returns true to pick the new side. A side is `None` if the key is missing there.
    fn takes_new(&mut self, path: &[Step], old: Option<&Value>, new: Option<&Value>) -> bool;
}

/// Keys with maps of independent options as values.
const MAPS_OF_OPTIONS: [&str; 2] = ["compression", "limits"];
/// Minimum characters of a value to recognise a renamed key.
const TELLING: usize = 5;
/// Maximum pairs of list items to compare.
const MOST_PAIRS: usize = 40_000;

/// The old tree with the picked differences applied.
pub(super) fn mix(old: &Value, new: &Value, path: &mut Vec<Step>, pick: &mut dyn Pick) -> Value {
    match (old, new) {
        _ if is_same(old, new) => old.clone(),
        (Value::Mapping(old), Value::Mapping(new)) => Value::Mapping(mix_mappings(old, new, path, pick)),
        (Value::Sequence(old), Value::Sequence(new)) => Value::Sequence(mix_lists(old, new, path, pick)),
        _ => chosen(Some(old), Some(new), path, pick).unwrap_or_else(|| old.clone()),
    }
}

fn chosen(old: Option<&Value>, new: Option<&Value>, path: &[Step], pick: &mut dyn Pick) -> Option<Value> {
    if pick.takes_new(path, old, new) { new.cloned() } else { old.cloned() }
}

/// A value on one side only.
enum One<'v> {
    Old(&'v Value),
    New(&'v Value),
}

/// The picked value of a key on one side only. A map of independent options is compared with an empty map, so that each option is a
/// difference of its own.
fn chosen_of_one(one: One<'_>, path: &mut Vec<Step>, pick: &mut dyn Pick) -> Option<Value> {
    let (old, new) = match one {
        One::Old(value) => (Some(value), None),
        One::New(value) => (None, Some(value)),
    };
    let (Some(Value::Mapping(options)), [Step::Key(key)]) = (old.or(new), path.as_slice()) else {
        return chosen(old, new, path, pick);
    };
    if !MAPS_OF_OPTIONS.contains(&key.as_str()) {
        return chosen(old, new, path, pick);
    }
    let none = Mapping::new();
    let mixed = match old {
        Some(_) => mix_mappings(options, &none, path, pick),
        None => mix_mappings(&none, options, path, pick),
    };
    if mixed.is_empty() { None } else { Some(Value::Mapping(mixed)) }
}

/// Equality including the order of keys.
fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Mapping(old), Value::Mapping(new)) => {
            let mut pairs = old.iter().zip(new);
            old.len() == new.len() && pairs.all(|((a, x), (b, y))| a == b && is_same(x, y))
        }
        (Value::Sequence(old), Value::Sequence(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }
        (Value::Tagged(old), Value::Tagged(new)) => old.tag == new.tag && is_same(&old.value, &new.value),
        _ => old == new,
    }
}

fn mix_mappings(old: &Mapping, new: &Mapping, path: &mut Vec<Step>, pick: &mut dyn Pick) -> Mapping {
    let renamed = renamed_keys(old, new);
    let mut result: Vec<(Value, Value)> = Vec::new();
    for (key, value) in old {
        path.push(step_of(key));
        if let Some((_, name)) = renamed.iter().find(|(from, _)| *from == key) {
            path.push(Step::Name);
            let takes = pick.takes_new(path, Some(key), Some(name));
            path.pop();
            result.push((if takes { *name } else { key }.clone(), value.clone()));
        } else if let Some(other) = new.get(key) {
            result.push((key.clone(), mix(value, other, path, pick)));
        } else if let Some(value) = chosen_of_one(One::Old(value), path, pick) {
            result.push((key.clone(), value));
        }
        path.pop();
    }
    reorder(old, new, &mut result, path, pick);
    for (number, (key, value)) in new.iter().enumerate() {
        if old.contains_key(key) || renamed.iter().any(|(_, to)| *to == key) {
            continue;
        }
        path.push(step_of(key));
        if let Some(value) = chosen_of_one(One::New(value), path, pick) {
            // Insert the key after its predecessor in the new tree.
            let before: Vec<&Value> = new.keys().take(number).collect();
            let at = match result.iter().rposition(|(key, _)| before.contains(&key)) {
                Some(at) => at + 1,
                None => 0,
            };
            result.insert(at, (key.clone(), value));
        }
        path.pop();
    }
    result.into_iter().collect()
}

/// Applies the new order of common keys, if it is picked.
fn reorder(
    old: &Mapping,
    new: &Mapping,
    result: &mut [(Value, Value)],
    path: &mut Vec<Step>,
    pick: &mut dyn Pick,
) {
    let before: Vec<&Value> = old.keys().filter(|key| new.contains_key(*key)).collect();
    let after: Vec<&Value> = new.keys().filter(|key| old.contains_key(*key)).collect();
    if before == after {
        return;
    }
    path.push(Step::Order);
    if pick.takes_new(path, None, None) {
        result.sort_by_key(|(key, _)| after.iter().position(|known| *known == key));
    }
    path.pop();
}

/// Old and new names of renamed keys: same value, different key.
fn renamed_keys<'m>(old: &'m Mapping, new: &'m Mapping) -> Vec<(&'m Value, &'m Value)> {
    let mut renamed: Vec<(&Value, &Value)> = Vec::new();
    for (key, value) in old {
        if new.contains_key(key) {
            continue;
        }
        let twin = new.iter().find(|(name, other)| {
            let is_free = !old.contains_key(*name) && renamed.iter().all(|(_, to)| to != name);
            is_free && is_same(value, other)
        });
        if let Some((name, _)) = twin
            && text_of(value).len() >= TELLING
        {
            renamed.push((key, name));
        }
    }
    renamed
}

fn mix_lists(old: &[Value], new: &[Value], path: &mut Vec<Step>, pick: &mut dyn Pick) -> Vec<Value> {
    let start = old.iter().zip(new).take_while(|(old, new)| is_same(old, new)).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let pairs_from_end = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = pairs_from_end.take_while(|(old, new)| is_same(old, new)).count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    let mut result = old[..start].to_vec();
    for pair in align_items(&old[start..old_end], &new[start..new_end]) {
        let (Pair::Both(at, _) | Pair::Old(at) | Pair::New(at)) = pair;
        path.push(Step::Item(start + at));
        match pair {
            Pair::Both(at, place) => result.push(mix(&old[start + at], &new[start + place], path, pick)),
            // The index of an old item may equal that of a new one, so mark the side.
            Pair::Old(at) => {
                path.push(Step::Removed);
                result.extend(chosen(Some(&old[start + at]), None, path, pick));
                path.pop();
            }
            Pair::New(at) => {
                path.push(Step::Added);
                result.extend(chosen(None, Some(&new[start + at]), path, pick));
                path.pop();
            }
        }
        path.pop();
    }
    result.extend_from_slice(&old[old_end..]);
    result
}

/// Indexes of aligned items in the old and the new list.
#[derive(Clone, Copy)]
enum Pair {
    Both(usize, usize),
    /// An item without a partner in the new list.
    Old(usize),
    /// An item without a partner in the old list.
    New(usize),
}

/// Aligns two lists by maximum total similarity, in order.
fn align_items(old: &[Value], new: &[Value]) -> Vec<Pair> {
    if old.len() == new.len() {
        return (0..old.len()).map(|at| Pair::Both(at, at)).collect();
    }
    if old.len() * new.len() > MOST_PAIRS {
        return (0..old.len()).map(Pair::Old).chain((0..new.len()).map(Pair::New)).collect();
    }
    let from: Vec<Letters> = old.iter().map(Letters::of_value).collect();
    let to: Vec<Letters> = new.iter().map(Letters::of_value).collect();
    // Alignment by dynamic programming: the best score for the items from these indexes on.
    let width = new.len() + 1;
    let mut best = vec![0.0_f64; (old.len() + 1) * width];
    for at in (0..old.len()).rev() {
        for place in (0..new.len()).rev() {
            let paired = best[(at + 1) * width + place + 1] + from[at].likeness(&to[place]);
            let apart = best[(at + 1) * width + place].max(best[at * width + place + 1]);
            best[at * width + place] = paired.max(apart);
        }
    }
    let (mut at, mut place, mut pairs) = (0, 0, Vec::new());
    while at < old.len() || place < new.len() {
        let score = best[at * width + place];
        if at < old.len()
            && place < new.len()
            && score > best[(at + 1) * width + place].max(best[at * width + place + 1])
        {
            pairs.push(Pair::Both(at, place));
            (at, place) = (at + 1, place + 1);
        } else if at < old.len() && (place == new.len() || score == best[(at + 1) * width + place]) {
            pairs.push(Pair::Old(at));
            at += 1;
        } else {
            pairs.push(Pair::New(place));
            place += 1;
        }
    }
    pairs
}

/// Byte frequencies of a text.
struct Letters {
    counts: [u32; 256],
    length: usize,
}

impl Letters {
    fn of_value(value: &Value) -> Letters {
        let text = text_of(value);
        let mut counts = [0; 256];
        for byte in text.bytes() {
            counts[usize::from(byte)] += 1;
        }
        Letters { counts, length: text.len() }
    }

    /// Similarity from −0.5 (nothing in common) to 0.5 (same letters).
    fn likeness(&self, other: &Letters) -> f64 {
        let mut shared = 0;
        for (own, other) in self.counts.iter().zip(&other.counts) {
            shared += own.min(other);
        }
        f64::from(shared) * 2.0 / ((self.length + other.length).max(1) as f64) - 0.5
    }
}

/// The value as YAML, or in Rust's debug format if YAML cannot represent it. Different values have different texts.
pub(super) fn text_of(value: &Value) -> String {
    serde_yaml::to_string(value).unwrap_or_else(|_| format!("{value:?}"))
}

fn step_of(key: &Value) -> Step {
    Step::Key(match key {
        Value::String(name) => name.clone(),
        other => text_of(other).trim_end().to_owned(),
    })
}
