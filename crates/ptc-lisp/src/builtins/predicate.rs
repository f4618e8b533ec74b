//! Types of values. These functions answer for every value and never fail.

use super::logic::tick_nested;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    /// True if the value is not a number, as 0.0 divided by 0.0 is.
    "NaN?" = |value: &Value| value.is_nan() =>
        "(NaN? ##NaN) ;=> true"
    /// Always true.
    "any?" = |_: &Value| true => "(any? nil) ;=> true"
    /// True if the value is a vector or map.
    "associative?" = |value: &Value| matches!(value, Value::Vector(_) | Value::Map(_)) =>
        "(associative? [1]) ;=> true"
    /// True if the value is true or false.
    "boolean?" = |value: &Value| matches!(value, Value::Bool(_)) => "(boolean? nil) ;=> false"
    /// Always false: there are no arrays.
    "bytes?" = |_: &Value| false => r#"(bytes? "x") ;=> false"#
    /// True if the value is a string of one character.
    "char?" = |value: &Value| value.as_character().is_some() => "(char? \"a\") ;=> true"
    /// The same as type.
    "class" = type_of => "(class \"a\") ;=> :string"
    /// Always false: types are keywords.
    "class?" = |_: &Value| false => "(class? 1) ;=> false"
    /// True if the value is a collection; a string is none.
    "coll?" = |value: &Value| value.item_count().is_some() || matches!(value, Value::Generator(_)) =>
        "(coll? {}) ;=> true"
    /// True if the value is a collection that knows its length; a string is none.
    "counted?" = |value: &Value| value.item_count().is_some() => "(counted? [1]) ;=> true"
    /// Always false: there are no decimals.
    "decimal?" = |_: &Value| false => "(decimal? 1.0) ;=> false"
    /// Always false: values are never lazy.
    "delay?" = |_: &Value| false => "(delay? 1) ;=> false"
    /// True if no two of the arguments are equal.
    "distinct?" = is_distinct => "(distinct? 1 2 1) ;=> false"
    /// True if the value is a float.
    "double?" = |value: &Value| matches!(value, Value::Float(..)) => "(double? 1) ;=> false"
    /// True if the value is an even whole number.
    "even?" = |value: &Value| remainder_by_two(value) == Some(0.0) => "(even? 2) ;=> true"
    /// True if the value is a float.
    "float?" = |value: &Value| matches!(value, Value::Float(..)) => "(float? 1.0) ;=> true"
    /// True if the value is a function; a keyword is none.
    "fn?" = |value: &Value| matches!(value, Value::Function(_)) => "(fn? inc) ;=> true"
    /// Always false: programs run in one thread.
    "future?" = |_: &Value| false => "(future? 1) ;=> false"
    /// True if the value is a keyword: symbols are no values here.
    "ident?" = |value: &Value| matches!(value, Value::Keyword(_)) => "(ident? :a) ;=> true"
    /// True if the value can be called: a function, keyword, map, set, vector or var.
    "ifn?" = is_callable => "(ifn? :a) ;=> true"
    /// True if the value is a vector.
    "indexed?" = |value: &Value| matches!(value, Value::Vector(_)) => "(indexed? [1]) ;=> true"
    /// True if the value is an infinity.
    "infinite?" = |value: &Value| matches!(value, Value::Float(number, ..) if number.is_infinite()) =>
        "(infinite? ##Inf) ;=> true"
    /// True if the value is a datetime.
    "inst?" = |value: &Value| matches!(value, Value::DateTime(_)) => "(inst? (java.util.Date. 0)) ;=> true"
    /// True if the value is of a class, which is named, such as String, Long or clojure.lang.Keyword.
    "instance?" = |cx: &mut Call, class: &Value, value: Value| match class {
        Value::Function(_) => cx.call(class, &mut [value]),
        other => cx.type_error("the name of a class", other),
    } => "(instance? String \"a\") ;=> true"
    /// True if the value is an integer.
    "int?" = |value: &Value| matches!(value, Value::Int(_)) => "(int? 1) ;=> true"
    /// True if the value is an integer.
    "integer?" = |value: &Value| matches!(value, Value::Int(_)) => "(integer? 1.0) ;=> false"
    /// True if the value is a keyword.
    "keyword?" = |value: &Value| matches!(value, Value::Keyword(_)) => "(keyword? :a) ;=> true"
    /// True if the value is a list, as most functions on sequences return.
    "list?" = |value: &Value| matches!(value, Value::List(_)) => "(list? (map inc [1])) ;=> true"
    /// True if the value is an entry of a map; other pairs are plain vectors.
    "map-entry?" = |value: &Value| matches!(value, Value::Vector(items) if items.is_entry()) =>
        "(map map-entry? [(first {:a 1}) [:a 1]]) ;=> (true false)"
    /// True if the value is a map.
    "map?" = |value: &Value| matches!(value, Value::Map(_)) => "(map? {}) ;=> true"
    /// True if the value is an integer and not negative.
    "nat-int?" = |value: &Value| matches!(value, Value::Int(0..)) => "(nat-int? 0) ;=> true"
    /// True if the value is a negative integer.
    "neg-int?" = |value: &Value| matches!(value, Value::Int(..0)) => "(neg-int? -1) ;=> true"
    /// True if the value is a number less than zero.
    "neg?" = |value: &Value| sign(value) == Some(Ordering::Less) => "(neg? -1) ;=> true"
    /// True if the value is nil.
    "nil?" as IS_NIL = |value: &Value| matches!(value, Value::Nil) => "(nil? nil) ;=> true"
    /// True if the value is a number.
    "number?" = |value: &Value| matches!(value, Value::Int(_) | Value::Float(..)) => "(number? 1.5) ;=> true"
    /// True if the value is an odd whole number.
    "odd?" = |value: &Value| remainder_by_two(value) == Some(1.0) => "(odd? -3) ;=> true"
    /// True if the value is a positive integer.
    "pos-int?" = |value: &Value| matches!(value, Value::Int(1..)) => "(pos-int? 0) ;=> false"
    /// True if the value is a number greater than zero.
    "pos?" = |value: &Value| sign(value) == Some(Ordering::Greater) => "(pos? 1) ;=> true"
    /// The same as qualified-keyword?.
    "qualified-ident?" = is_qualified => "(qualified-ident? :a/b) ;=> true"
    /// True if the value is a keyword with a namespace.
    "qualified-keyword?" = is_qualified => "(qualified-keyword? :a/b) ;=> true"
    /// Always false: symbols are no values here.
    "qualified-symbol?" = |_: &Value| false => "(qualified-symbol? :a/b) ;=> false"
    /// Always false: there are no ratios.
    "ratio?" = |_: &Value| false => "(ratio? 1) ;=> false"
    /// True if the value is an integer: there are no ratios.
    "rational?" = |value: &Value| matches!(value, Value::Int(_)) => "(rational? 1) ;=> true"
    /// Always false: reader conditionals are no values.
    "reader-conditional?" = |_: &Value| false => "(reader-conditional? 1) ;=> false"
    /// Always false: records are maps here.
    "record?" = |_: &Value| false => "(record? {:a 1}) ;=> false"
    /// True if the value is a regular expression.
    "regex?" = |value: &Value| matches!(value, Value::Regex(_)) => "(regex? #\"a\") ;=> true"
    /// True if rseq takes the value: a vector, a sorted map or a sorted set.
    "reversible?" = |value: &Value| matches!(value, Value::Vector(_)) || is_sorted(value) =>
        "(reversible? [1]) ;=> true"
    /// True if the value is a sequence and no vector.
    "seq?" = |value: &Value| matches!(value, Value::List(_) | Value::Generator(_)) =>
        "(seq? (map inc [1])) ;=> true"
    /// True if the value can be walked: a collection, a string or nil.
    "seqable?" = is_seqable => "(seqable? \"a\") ;=> true"
    /// True if the value is a vector or list.
    "sequential?" = is_sequential => "(sequential? [1]) ;=> true"
    /// True if the value is a set.
    "set?" = |value: &Value| matches!(value, Value::Set(_)) => "(set? #{}) ;=> true"
    /// The same as simple-keyword?.
    "simple-ident?" = is_simple => "(simple-ident? :a) ;=> true"
    /// True if the value is a keyword without a namespace.
    "simple-keyword?" = is_simple => "(simple-keyword? :a) ;=> true"
    /// Always false: symbols are no values here.
    "simple-symbol?" = |_: &Value| false => "(simple-symbol? :a) ;=> false"
    /// True if the value is not nil.
    "some?" as IS_SOME = |value: &Value| !value.is_nil() => "(some? false) ;=> true"
    /// True if the value is a sorted map or set.
    "sorted?" = is_sorted => "(sorted? (sorted-set 1)) ;=> true"
    /// Always false: symbols are no values.
    "special-symbol?" = |_: &Value| false => "(special-symbol? :if) ;=> false"
    /// True if the value is a string.
    "string?" = |value: &Value| matches!(value, Value::Str(_)) => "(string? \"a\") ;=> true"
    /// Always false: symbols are no values.
    "symbol?" = |_: &Value| false => "(symbol? :a) ;=> false"
    /// Always false: there are no tagged literals.
    "tagged-literal?" = |_: &Value| false => "(tagged-literal? 1) ;=> false"
    /// The type of the value as a keyword; nil for nil.
    "type" = type_of => "(type 1.5) ;=> :number"
    /// Always false: URIs are strings here.
    "uri?" = |_: &Value| false => r#"(uri? "x") ;=> false"#
    /// Always false: UUIDs are strings here.
    "uuid?" = |_: &Value| false => r#"(uuid? "x") ;=> false"#
    /// True if the value is a var.
    "var?" = |value: &Value| matches!(value, Value::Var(_)) => "(var? #'inc) ;=> true"
    /// True if the value is a vector.
    "vector?" = |value: &Value| matches!(value, Value::Vector(_)) => "(vector? [1]) ;=> true"
    /// Always false: there is no mutable state.
    "volatile?" = |_: &Value| false => "(volatile? 1) ;=> false"
    /// True if the value is the number zero.
    "zero?" = |value: &Value| sign(value) == Some(Ordering::Equal) => "(zero? 0.0) ;=> true"
}

/// Predicates and the classes of Java and Clojure whose values they accept.
const CLASSES: &[(&str, &str)] = &[
    ("associative?", "Associative"),
    ("boolean?", "Boolean"),
    ("char?", "Character"),
    ("coll?", "IPersistentCollection"),
    ("counted?", "Counted"),
    ("decimal?", "BigDecimal"),
    ("double?", "Double Float"),
    ("fn?", "Fn"),
    ("ifn?", "IFn"),
    ("inst?", "Date Instant"),
    ("int?", "Byte Integer Long Short"),
    ("keyword?", "Keyword Named"),
    ("list?", "IPersistentList PersistentList"),
    ("map-entry?", "IMapEntry MapEntry"),
    ("map?", "APersistentMap IPersistentMap Map PersistentArrayMap PersistentHashMap"),
    ("number?", "Number"),
    ("ratio?", "Ratio"),
    ("regex?", "Pattern"),
    ("seq?", "ISeq LazySeq"),
    ("seqable?", "Seqable"),
    ("sequential?", "List Sequential"),
    ("set?", "APersistentSet IPersistentSet PersistentHashSet Set"),
    ("some?", "Object"),
    ("sorted?", "PersistentTreeMap PersistentTreeSet Sorted"),
    ("string?", "CharSequence String"),
    ("var?", "Var"),
    ("vector?", "APersistentVector IPersistentVector PersistentVector"),
];

/// The predicate of a class, which is named with its package or without.
pub(crate) fn of_class_named(class: &str) -> Option<Value> {
    let class = class.rsplit('.').next()?;
    let (predicate, _) = CLASSES.iter().find(|(_, names)| names.split(' ').any(|name| name == class))?;
    crate::builtins::value(predicate)
}

/// True for a keyword with a namespace.
fn is_qualified(value: &Value) -> bool {
    let has_namespace =
        |name: &str| name.split_once('/').is_some_and(|(space, bare)| !space.is_empty() && !bare.is_empty());
    matches!(value, Value::Keyword(name) if has_namespace(name.name()))
}

fn is_simple(value: &Value) -> bool {
    matches!(value, Value::Keyword(_)) && !is_qualified(value)
}

fn is_sequential(value: &Value) -> bool {
    matches!(value, Value::Vector(_) | Value::List(_) | Value::Generator(_))
}

fn is_sorted(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.is_sorted(),
        Value::Set(set) => set.is_sorted(),
        _ => false,
    }
}

fn is_seqable(value: &Value) -> bool {
    use Value::*;
    matches!(value, Nil | Str(_) | Vector(_) | List(_) | Map(_) | Set(_) | Generator(_))
}

pub(super) fn is_callable(value: &Value) -> bool {
    use Value::*;
    matches!(value, Function(_) | Keyword(_) | Map(_) | Set(_) | Vector(_) | Var(_))
}

/// The order of a number and zero; none for NaN and for other values.
fn sign(value: &Value) -> Option<Ordering> {
    match value {
        Value::Int(number) => Some(number.cmp(&0)),
        Value::Float(number, ..) => number.partial_cmp(&0.0),
        _ => None,
    }
}

/// 0 or 1 for whole numbers, a fraction for others, none for what is no number.
fn remainder_by_two(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number.rem_euclid(2) as f64),
        Value::Float(number, ..) => Some(number.rem_euclid(2.0)),
        _ => None,
    }
}

fn is_distinct(cx: &mut Call, values: AtLeast<1>) -> Eval<bool> {
    let mut seen = Set::with_capacity(values.0.len());
    every(values.0, |value| {
        tick_nested(cx, value)?;
        Ok(seen.insert(value.take(), ()).is_none())
    })
}

fn type_of(value: &Value) -> Value {
    if value.is_nil() { Value::Nil } else { Value::keyword(value.type_name()) }
}
