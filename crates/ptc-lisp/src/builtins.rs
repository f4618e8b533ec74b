//! The functions of the language, one row each. Arity errors, did-you-mean, `list builtins` and the
//! model's language reference follow from the rows; `manual` has their docs and examples.

mod call;
mod change;
pub(super) mod filter;
mod format;
mod hash;
mod interop;
mod json;
mod logic;
mod map;
mod math;
mod predicate;
mod prelude;
mod pretty;
mod print;
mod regex;
mod replace;
mod seq;
mod set;
mod string;
mod text;
mod time;
mod transient;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::form::Form;
use super::items::Items;
use super::read::{literal, read};
use super::value::{Function, Value};
use call::{builtins, from_value};

pub use call::{
    AtLeast, Call, FromValue, Implementation, IntoEval, Parameter, arity_of, every, run_typed, taken,
};
pub(super) use logic::{AT_LEAST, AT_MOST, DIFFERENT, EQUAL, GREATER, IDENTITY, LESS, SAME_NUMBER};
pub(super) use math::{DEC, INC, MINUS, MOD, PLUS, QUOT, REM, TIMES, sum};
pub(super) use predicate::{IS_NIL, of_class_named};
pub(super) use print::WITH_OUT_STR;
pub(super) use seq::{CAT, FIRST, LAZY_SEQ, MAPCAT, SEQ};
pub(super) use seq::{Rows, Source, Substitutes, Walk};

/// A family of builtins, as `list builtins` shows them.
pub struct Family {
    /// Heading of the family.
    pub title: &'static str,
    /// Sorted by name.
    pub rows: &'static [&'static Builtin],
}

/// All builtin functions, by family.
pub static FAMILIES: &[Family] = &[
    Family { title: "Arithmetic", rows: math::ROWS },
    Family { title: "The rest of java.lang.Math", rows: math::JAVA },
    Family { title: "Comparison and logic", rows: logic::ROWS },
    Family { title: "Type and value predicates", rows: predicate::ROWS },
    Family { title: "Sequence access and slicing", rows: seq::ACCESS },
    Family { title: "Sequence transformation", rows: seq::TRANSFORMATION },
    Family { title: "Aggregation helpers", rows: seq::AGGREGATION },
    Family { title: "Maps", rows: map::ROWS },
    Family { title: "Sets", rows: set::ROWS },
    Family { title: "Functions", rows: logic::FUNCTIONS },
    Family { title: "Exceptions", rows: logic::EXCEPTIONS },
    Family { title: "Hashes", rows: hash::ROWS },
    Family { title: "Transients", rows: transient::ROWS },
    Family { title: "Strings", rows: string::ROWS },
    Family { title: "Regular expressions", rows: regex::ROWS },
    Family { title: "Output", rows: print::ROWS },
    Family { title: "Pretty printing", rows: pretty::ROWS },
    Family { title: "JSON and EDN", rows: json::ROWS },
    Family { title: "Java-style interop", rows: interop::ROWS },
    Family { title: "More methods of strings", rows: interop::TEXTS },
    Family { title: "Methods of collections and numbers", rows: interop::COLLECTIONS },
    Family { title: "Statics of numbers and strings", rows: interop::BOXES },
    Family { title: "Dates", rows: time::ROWS },
    Family { title: "Calendar", rows: time::CALENDAR },
    Family { title: "Patterns of dates and periods", rows: time::PATTERNS },
];

/// Named values that are no functions, such as `Math/PI`: the names and values of `constants.edn`.
static CONSTANTS: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    let source = crate::source::Source::new("constants", include_str!("builtins/constants.edn"));
    let forms = read(&source).unwrap_or_default();
    let constant = |pair: &[Form]| Some((pair.first()?.as_symbol()?.name(), literal(pair.last()?)?));
    forms.chunks(2).filter_map(constant).collect()
});

/// The names of all constants.
pub fn constants() -> impl Iterator<Item = &'static str> {
    CONSTANTS.iter().map(|(name, _)| *name)
}

/// Every builtin function, family by family.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    FAMILIES.iter().flat_map(|family| family.rows.iter().copied())
}

/// The builtin of this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    static BY_NAME: LazyLock<FxHashMap<&str, &Builtin>> =
        LazyLock::new(|| all().map(|builtin| (builtin.name, builtin)).collect());
    BY_NAME.get(name).copied()
}

/// The value of the name of a builtin: a function or a named constant.
pub fn value(name: &str) -> Option<Value> {
    match (find(name), name) {
        (Some(builtin), _) => Some(Value::Function(Function::Builtin(builtin))),
        (None, "PersistentQueue/EMPTY") => Some(Value::List(Items::default().into_queue())),
        (None, "String/CASE_INSENSITIVE_ORDER") => value(".compareToIgnoreCase"),
        _ => CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()),
    }
}
