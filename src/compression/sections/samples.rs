//! Types and samples of values. Samples are shown only if nothing was printed.

use std::fmt::Write;

use history_strategies::{Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT};
use ptc_lisp::print::{TypeLabel, to_clojure};
use ptc_lisp::value::Value;

/// The size limits of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    items: usize,
    characters: usize,
}

impl Samples {
    /// The size in `data/`, independent of options, because the opening is the same in all requests of a run.
    pub const DEFAULT: Samples =
        Samples { items: SAMPLE_LIMIT.default as usize, characters: SAMPLE_PRINTABLE_LIMIT.default as usize };

    /// The size from the options. `None` if there were prints: a program prints the values that its author wants to see.
    pub fn unless_printed(prints: u32, options: &Options) -> Option<Samples> {
        let (items, characters) = Samples::bounds(options);
        (prints == 0).then_some(Samples { items, characters })
    }

    /// The limits on items and characters from the options.
    pub fn bounds(options: &Options) -> (usize, usize) {
        (options.get(&SAMPLE_LIMIT), options.get(&SAMPLE_PRINTABLE_LIMIT))
    }

    /// The sample of a value, if it has one.
    pub fn sample(self, value: &Value) -> Option<String> {
        Samples::shown(value).map(|shown| to_clojure(shown, self.items, self.characters).0)
    }

    /// The part of a value used as its sample, if it has one.
    pub fn shown(value: &Value) -> Option<&Value> {
        has_sample(value).then(|| representative_value(value))
    }
}

/// Writes `list[7], sample: {:name "Laptop"}`, or the type only.
pub fn write_type(out: &mut String, value: &Value, samples: Option<Samples>) {
    write_label(out, TypeLabel::of(value));
    if let Some(sample) = samples.and_then(|samples| samples.sample(value)) {
        out.push_str(", sample: ");
        out.push_str(&sample);
    }
}

/// `list[7]`
pub fn write_label(out: &mut String, label: TypeLabel) {
    match label {
        TypeLabel::Named(name) => out.push_str(name),
        other => drop(write!(out, "{other}")),
    }
}

/// Returns false for nil, functions and empty collections: their types are enough.
fn has_sample(value: &Value) -> bool {
    match value {
        Value::Nil | Value::Function(_) => false,
        Value::Vector(items) | Value::List(items) => !items.is_empty(),
        Value::Map(map) => !map.is_empty(),
        Value::Set(set) => !set.is_empty(),
        _ => true,
    }
}

/// The most informative part of a value: the first map in a list of maps, because it contains the keys.
fn representative_value(value: &Value) -> &Value {
    match value.as_items().and_then(|items| items.first()) {
        Some(first @ Value::Map(_)) => first,
        _ => value,
    }
}
