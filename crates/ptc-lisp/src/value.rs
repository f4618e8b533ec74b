//! The values of the language: immutable, cheap to clone, safe to share between threads.

use std::fmt;
use std::hash::{Hash, Hasher};

use ecow::EcoString;
use triomphe::Arc;

use super::builtin::Builtin;
use super::expr::{Group, Lambda};
use super::generator::Generator;
use super::items::Items;
use super::meter::{self, Comparison};
use super::regexp::Regex;
use super::stack::guarded;
use super::symbol::Symbol;
use super::table::{Map, Set};
use super::time::Date;
use super::transducer::Transducer;

/// Any value of a program.
#[derive(Clone, Default)]
pub enum Value {
    /// `nil`
    #[default]
    Nil,
    /// `true` and `false`
    Bool(bool),
    /// An integer; overflow is an error.
    Int(i64),
    /// A quotient of integers keeps its divisor and the last bits of its dividend, for exact arithmetic; the float has
    /// the other bits. Any other float has the divisor 0.
    Float(f64, u64, u32),
    /// Characters too: a character is a string of length one.
    Str(EcoString),
    /// `:name`
    Keyword(Symbol),
    /// `[1 2]`
    Vector(Items),
    /// Every other sequence; equal to a vector of equal items.
    List(Items),
    /// `{:a 1}`
    Map(Arc<Map>),
    /// `#{1 2}`
    Set(Arc<Set>),
    /// A function.
    Function(Function),
    /// `#"a+"`
    Regex(Arc<Regex>),
    /// `#'name`
    Var(Symbol),
    /// A day without a time.
    Date(Date),
    /// Milliseconds since 1970-01-01T00:00:00Z.
    DateTime(i64),
    /// Milliseconds.
    Duration(i64),
    /// An unbounded sequence (`docs/language.md` §4.6).
    Generator(Arc<Generator>),
    /// Result of `reduced`: ends a reduction early.
    Reduced(Arc<Held>),
}

const _: () = assert!(size_of::<Value>() <= 24);

/// A function value.
#[derive(Clone)]
pub enum Function {
    /// A function of the program.
    Closure(Arc<Closure>),
    /// A builtin.
    Builtin(&'static Builtin),
    /// Result of `comp`, `partial`, `juxt` and the like.
    Composed(Arc<Composed>),
    /// A tool, called by its name.
    Tool(Symbol),
    /// A transducer.
    Transducer(Arc<Transducer>),
}

/// A function of the program with its captured values.
pub struct Closure {
    /// The functions defined together with this one: `letfn` siblings, or this alone. They are not
    /// captured, which would make cycles, but made anew from the same captures when a call needs them.
    pub group: Arc<Group>,
    /// Index in the group.
    pub member: u32,
    /// Given by `def`, from 1; return types are recorded under it. 0: none.
    pub id: u32,
    /// The captured values, shared by all closures from one evaluation of a form.
    pub captures: Items,
}

/// A value in a box of its own. Boxes in boxes must not overflow the stack when they are dropped.
pub struct Held(pub Value);

impl Drop for Held {
    fn drop(&mut self) {
        guarded(|| drop(self.0.take()));
    }
}

/// A builtin and its first arguments. The arguments of the call follow.
pub struct Composed {
    /// The builtin.
    pub run: &'static Builtin,
    /// Its first arguments.
    pub parts: Items,
}

impl Value {
    /// A string value.
    pub fn str(text: impl Into<EcoString>) -> Value {
        Value::Str(text.into())
    }

    /// The keyword of this name.
    pub fn keyword(name: &str) -> Value {
        Value::Keyword(Symbol::new(name))
    }

    /// A float, but no quotient of integers.
    pub const fn float(number: f64) -> Value {
        Value::Float(number, 0, 0)
    }

    /// A vector of these items.
    pub fn vector(items: impl Into<Items>) -> Value {
        Value::Vector(items.into())
    }

    /// A list of these items.
    pub fn list(items: impl Into<Items>) -> Value {
        Value::List(items.into())
    }

    /// A map value.
    pub fn map(map: Map) -> Value {
        Value::Map(Arc::new(map))
    }

    /// A set value.
    pub fn set(set: Set) -> Value {
        Value::Set(Arc::new(set))
    }

    /// An entry of a map: a vector of its key and its value.
    pub fn entry(key: Value, value: Value) -> Value {
        Value::Vector(Items::pair(key, value).into_entry())
    }

    /// Moves the value out and leaves nil.
    pub fn take(&mut self) -> Value {
        std::mem::take(self)
    }

    /// Replaces a value. Most are nil, with nothing to drop.
    #[inline(always)]
    pub(super) fn fill(&mut self, value: Value) {
        match self {
            Value::Nil | Value::Int(_) => std::mem::forget(std::mem::replace(self, value)),
            held => *held = value,
        }
    }

    /// Drops the value, if there is anything to drop, and leaves nil or what was there.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if !matches!(self, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(..) | Value::Keyword(_))
        {
            *self = Value::Nil;
        }
    }

    /// All values but nil and false (`docs/language.md` §2.2).
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Returns true for nil.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// TYPE in error messages (`docs/language.md` §13.1).
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Float(..) => "number",
            Value::Str(_) => "string",
            Value::Keyword(_) => "keyword",
            Value::Vector(_) | Value::List(_) => "vector",
            Value::Map(_) => "map",
            Value::Set(_) => "set",
            Value::Function(_) | Value::Reduced(_) => "function",
            Value::Regex(_) => "regex",
            Value::Var(_) => "var",
            Value::Date(_) => "date",
            Value::DateTime(_) => "datetime",
            Value::Duration(_) => "duration",
            Value::Generator(_) => "generator",
        }
    }

    /// Number of items of a vector, list, set or map.
    pub fn item_count(&self) -> Option<usize> {
        match self {
            Value::Vector(items) | Value::List(items) => Some(items.len()),
            Value::Set(set) => Some(set.len()),
            Value::Map(map) => Some(map.len()),
            _ => None,
        }
    }

    /// The character of a string of length one.
    pub fn as_character(&self) -> Option<char> {
        let Value::Str(text) = self else { return None };
        let mut characters = text.chars();
        characters.next().filter(|_| characters.next().is_none())
    }

    /// A number as a float; a quotient of integers is not rounded to sixteen digits as in arithmetic.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number, ..) => Some(*number),
            _ => None,
        }
    }

    /// Returns true for NaN.
    pub fn is_nan(&self) -> bool {
        matches!(self, Value::Float(number, ..) if number.is_nan())
    }

    /// The items of a vector or list.
    pub fn as_items(&self) -> Option<&Items> {
        match self {
            Value::Vector(items) | Value::List(items) => Some(items),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($type:ty: $value:ident => $made:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $made
            }
        })*
    };
}

from! {
    bool: value => Value::Bool(value);
    i64: value => Value::Int(value);
    usize: value => Value::Int(value as i64);
    f64: value => Value::float(value);
    char: value => Value::Str(EcoString::from(value));
    &str: value => Value::Str(value.into());
    Date: value => Value::Date(value);
}

/// Equality of `=` (`docs/language.md` §2.4). Values that share parts may have far more elements than were allocated, so
/// comparing is metered. Past the program's limits all collections of one size are equal, so that tables stay small.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        use Value::*;
        match (self, other) {
            (Nil, Nil) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a, ..), Float(b, ..)) => a == b,
            (Str(a), Str(b)) => is_same_text(a, b),
            (Keyword(a), Keyword(b)) | (Var(a), Var(b)) => a == b,
            (Function(a), Function(b)) => a.same(b),
            (Regex(a), Regex(b)) => a.source() == b.source(),
            (Date(a), Date(b)) => a == b,
            (DateTime(a), DateTime(b)) | (Duration(a), Duration(b)) => a == b,
            (Generator(a), Generator(b)) => Arc::ptr_eq(a, b),
            (Reduced(a), Reduced(b)) => Arc::ptr_eq(a, b),
            _ => is_same_collection(self, other, &Comparison::begin()),
        }
    }
}

/// Past the program's limits all texts of one length are equal, so tables of them stay small.
fn is_same_text(a: &str, b: &str) -> bool {
    a.len() == b.len() && (!meter::owe_text(a.len()) || a == b)
}

fn is_same(a: &Value, b: &Value, comparison: &Comparison) -> bool {
    use Value::*;
    match (a, b) {
        (Vector(_) | List(_) | Map(_) | Set(_), _) => is_same_collection(a, b, comparison),
        _ => a == b,
    }
}

fn is_same_collection(a: &Value, b: &Value, comparison: &Comparison) -> bool {
    use Value::*;
    match (a, b) {
        (Vector(a) | List(a), Vector(b) | List(b)) => {
            a.len() == b.len()
                && guarded(|| {
                    let mut pairs = a.iter().zip(b.iter()).take_while(|_| comparison.look());
                    pairs.all(|(x, y)| is_same(x, y, comparison))
                })
        }
        (Map(a), Map(b)) => {
            let holds = |(key, value): (&Value, &Value)| {
                b.get(key).is_some_and(|other| is_same(value, other, comparison))
            };
            a.len() == b.len() && guarded(|| a.iter().take_while(|_| comparison.look()).all(holds))
        }
        (Set(a), Set(b)) => {
            a.len() == b.len()
                && guarded(|| a.keys().take_while(|_| comparison.look()).all(|key| b.contains(key)))
        }
        _ => false,
    }
}

impl Eq for Value {}

/// A hash covers at most this many inner values: enough to distinguish data, and fast for values with shared parts.
const HASHED_PARTS: u32 = 256;
/// Number for each entry of a map or set, whose order must not matter.
const HASHED_ENTRY_PARTS: u32 = 8;

/// Agrees with `=`: lists hash as vectors, `0.0` as `-0.0`, maps and sets without order.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(self, state, &mut { HASHED_PARTS });
    }
}

fn hash_value<H: Hasher>(value: &Value, state: &mut H, left: &mut u32) {
    use Value::*;
    if *left == 0 {
        return;
    }
    *left -= 1;
    match value {
        Nil => state.write_u8(0),
        Bool(value) => state.write_u8(1 + u8::from(*value)),
        Int(value) => state.write_i64(*value),
        Float(value, ..) => state.write_u64(if *value == 0.0 { 0 } else { value.to_bits() }),
        Str(value) => {
            if meter::owe_text(value.len()) {
                value.hash(state);
            }
        }
        Keyword(name) => name.hash(state),
        Var(name) => (3u8, name).hash(state),
        Vector(items) | List(items) => {
            (4u8, items.len()).hash(state);
            guarded(|| items.iter().take(*left as usize).for_each(|item| hash_value(item, state, left)));
        }
        Map(map) => {
            (5u8, map.len()).hash(state);
            hash_entries(map.iter(), map.len(), state, left, |(key, value), state, left| {
                hash_value(key, state, left);
                hash_value(value, state, left);
            });
        }
        Set(set) => {
            (6u8, set.len()).hash(state);
            hash_entries(set.keys(), set.len(), state, left, hash_value);
        }
        Function(function) => function.address().hash(state),
        Regex(regex) => regex.source().hash(state),
        Date(date) => date.hash(state),
        DateTime(millis) | Duration(millis) => (7u8, millis).hash(state),
        Generator(generator) => Arc::as_ptr(generator).hash(state),
        Reduced(value) => Arc::as_ptr(value).hash(state),
    }
}

/// Hash of entries in any order: the sum of their hashes. If there are too many, only their number counts, because their
/// order must not matter.
fn hash_entries<T, H: Hasher>(
    entries: impl Iterator<Item = T>,
    len: usize,
    state: &mut H,
    left: &mut u32,
    hash: impl Fn(T, &mut rustc_hash::FxHasher, &mut u32),
) {
    let cost = (len as u32).saturating_mul(HASHED_ENTRY_PARTS);
    if cost > *left {
        return;
    }
    *left -= cost;
    let hash_of_entry = |entry: T| {
        let mut hasher = rustc_hash::FxHasher::default();
        hash(entry, &mut hasher, &mut { HASHED_ENTRY_PARTS });
        hasher.finish()
    };
    state.write_u64(guarded(|| entries.map(hash_of_entry).fold(0, u64::wrapping_add)));
}

impl Closure {
    /// Another member of the group, or the same one under another id. What they captured is shared.
    pub fn sibling(&self, member: u32, id: u32) -> Closure {
        Closure { group: self.group.clone(), member, id, captures: self.captures.clone() }
    }

    /// The code of the function.
    pub fn lambda(&self) -> &Lambda {
        &self.group.members[self.member as usize]
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::print::pr_str(self))
    }
}

impl Function {
    /// Identity: two closures are the same when they come from one evaluation of one form.
    fn same(&self, other: &Function) -> bool {
        match (self, other) {
            (Function::Tool(a), Function::Tool(b)) => a == b,
            (Function::Closure(a), Function::Closure(b)) => {
                a.member == b.member && a.captures.is_shared_with(&b.captures)
            }
            _ => self.address() == other.address(),
        }
    }

    fn address(&self) -> usize {
        match self {
            // A closure is copied when it is defined; its code identifies it well enough to hash.
            Function::Closure(closure) => Arc::as_ptr(&closure.group) as usize,
            Function::Builtin(builtin) => *builtin as *const Builtin as usize,
            Function::Composed(composed) => Arc::as_ptr(composed) as usize,
            Function::Tool(name) => name.name().as_ptr() as usize,
            Function::Transducer(transducer) => Arc::as_ptr(transducer) as usize,
        }
    }
}
