//! Strategies by name and their options: what is known, what a file chose, and which choice counts.

use super::Options;
use super::entries::{Datum, Named};
use super::shape::suggestion;
use crate::lisp::symbol::Symbol;

/// The strategy that `compression: true` means (API-001).
pub const DEFAULT_STRATEGY: &str = "single-user-coalesced";
/// What runs are compared with when nothing else is said.
pub const DEFAULT_BASELINE: &str = "full-history";

/// Names that files may use, from the registries.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Built-in strategies; those of a suite are joined by its variants.
    pub strategies: Vec<KnownStrategy>,
    pub tokenizers: Vec<String>,
    pub models: Vec<String>,
    pub metrics: Vec<String>,
}

/// A strategy and the options it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownStrategy {
    pub name: String,
    /// None: any, since only its program knows.
    pub options: Option<Vec<String>>,
}

/// What a scenario says its agent runs under.
#[derive(Clone, Debug)]
pub struct Compression {
    /// A built-in strategy or a variant.
    pub strategy: String,
    /// Its options in this scenario.
    pub options: Options,
}

/// What each place says of a strategy's options. Empty where it says nothing.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'a> {
    pub command_line: &'a Options,
    /// Empty unless this is the strategy that the scenario names.
    pub scenario: &'a Options,
    pub variant: &'a Options,
    /// For every strategy that has an option of the name.
    pub suite: &'a Options,
}

impl Known {
    pub fn strategy(&self, name: &str) -> Option<&KnownStrategy> {
        self.strategies.iter().find(|known| known.name == name)
    }

    pub fn strategy_names(&self) -> Vec<&str> {
        self.strategies.iter().map(|known| known.name.as_str()).collect()
    }
}

impl KnownStrategy {
    pub fn has(&self, option: &str) -> bool {
        self.options.as_ref().is_none_or(|known| known.iter().any(|name| name == option))
    }

    /// What is wrong with an option, and what to try.
    pub fn refuse(&self, option: &str) -> Option<(String, String)> {
        let known = self.options.as_ref().filter(|_| !self.has(option))?;
        let message = format!("the strategy {} has no option '{option}'", self.name);
        let help = if known.is_empty() { "remove it".to_owned() } else { suggestion(option, known) };
        Some((message, help))
    }
}

/// The options that count for one strategy (API-007): command line, then scenario, variant and suite; what
/// none of them says is left to the strategy's defaults. Sorted by name.
pub fn settle(strategy: &KnownStrategy, layers: Layers<'_>) -> Options {
    let suite = layers.suite.iter().filter(|(name, _)| strategy.has(name.name()));
    let mut settled: Options = suite.map(|(name, value)| (*name, value.clone())).collect();
    for layer in [layers.variant, layers.scenario, layers.command_line] {
        settled.extend(layer.iter().map(|(name, value)| (*name, value.clone())));
    }
    settled.sort_keys();
    settled
}

/// The first that is said: command line, scenario, suite, in this order; else the default (API-007).
pub fn first_said<T>(places: [Option<T>; 3], default: T) -> T {
    places.into_iter().flatten().next().unwrap_or(default)
}

/// Options as they stand in a file.
pub fn to_options(named: &Named<Datum>) -> Options {
    named.iter().map(|(name, Datum(value))| (Symbol::new(name), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lisp::value::Value;

    fn options(pairs: &[(&str, i64)]) -> Options {
        pairs.iter().map(|&(name, value)| (Symbol::new(name), Value::Int(value))).collect()
    }

    /// API-007
    #[test]
    fn the_nearer_place_wins_for_every_option() {
        let places = ["a", "b", "c", "d"];
        let known = places.iter().map(|name| name.to_string()).collect();
        let strategy = KnownStrategy { name: "s".to_owned(), options: Some(known) };
        let said = |from: usize, value| {
            options(&places[from..].iter().map(|&name| (name, value)).collect::<Vec<_>>())
        };
        let (suite, variant, scenario, command_line) = (said(0, 1), said(1, 2), said(2, 3), said(3, 4));
        let layers =
            Layers { command_line: &command_line, scenario: &scenario, variant: &variant, suite: &suite };
        assert_eq!(settle(&strategy, layers), options(&[("a", 1), ("b", 2), ("c", 3), ("d", 4)]));
    }

    #[test]
    fn a_suite_gives_options_only_to_strategies_that_have_them() {
        let strategy = KnownStrategy { name: "s".to_owned(), options: Some(vec!["a".to_owned()]) };
        let none = Options::default();
        let suite = options(&[("b", 1), ("a", 2)]);
        let layers = Layers { command_line: &none, scenario: &none, variant: &none, suite: &suite };
        assert_eq!(settle(&strategy, layers), options(&[("a", 2)]));
    }

    #[test]
    fn single_settings_follow_the_same_order() {
        assert_eq!(first_said([Some(1), Some(2), Some(3)], 4), 1);
        assert_eq!(first_said([None, Some(2), Some(3)], 4), 2);
        assert_eq!(first_said([None, None, None], 4), 4);
    }
}
