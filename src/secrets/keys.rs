//! Finds the keys of `rules.tsv`. The literals with which keys begin are searched first, and a shape is tried only at its own. One
//! automaton of all shapes would have more states than fit its cache, and take a hundred times as long.

use std::sync::LazyLock;

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

use super::rules::{Rule, rules};
use super::{begins, is_random};

/// Bytes of the longest key. Longer ones lose their end, which is as secret as a part.
const LONGEST: usize = 4_096;

/// A rule, ready to be tried.
struct Shape {
    /// Every key begins with one of them. Empty if the rule names a part of it instead.
    literals: Vec<String>,
    /// A part of each key.
    part: &'static str,
    /// Tried at the place of a literal, else searched.
    pattern: Regex,
}

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| rules().filter_map(Shape::new).collect());

/// The literals of all shapes.
static LITERALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let literals: Vec<String> =
        SHAPES.iter().flat_map(|shape| &shape.literals).map(|literal| regex::escape(literal)).collect();
    Regex::new(&literals.join("|")).ok()
});

impl Shape {
    /// None for a pattern that cannot be used, which a test refuses.
    fn new(rule: Rule) -> Option<Shape> {
        if !rule.literal.is_empty() {
            let pattern = Regex::new(rule.pattern).ok()?;
            return Some(Shape { literals: Vec::new(), part: rule.literal, pattern });
        }
        let parsed = regex_syntax::parse(rule.pattern).ok()?;
        let mut literals = Vec::new();
        for literal in Extractor::new().extract(&parsed).literals()? {
            literals.push(String::from_utf8(literal.as_bytes().to_vec()).ok()?);
        }
        let pattern = Regex::new(&format!("^(?:{})", rule.pattern)).ok()?;
        Some(Shape { literals, part: "", pattern })
    }
}

/// Rules that `find` leaves out, since their pattern or its beginning cannot be used. There are none.
pub fn unusable() -> Vec<&'static str> {
    rules().filter(|rule| Shape::new(*rule).is_none()).map(|rule| rule.name).collect()
}

/// The keys in a text.
pub fn find(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for shape in SHAPES.iter().filter(|shape| shape.literals.is_empty() && text.contains(shape.part)) {
        for key in shape.pattern.find_iter(text) {
            if begins(text, key.start()) && is_random(key.as_str()) {
                found.push(key.as_str());
            }
        }
    }
    let Some(literals) = &*LITERALS else { return found };
    let mut from = 0;
    while let Some(literal) = literals.find_at(text, from) {
        let key = if begins(text, literal.start()) { key_at(text, literal.start()) } else { None };
        found.extend(key);
        let first = literal.as_str().chars().next().map_or(1, char::len_utf8);
        from = literal.start() + key.map_or(first, str::len);
    }
    found
}

/// The key that begins at a place.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    for shape in SHAPES.iter() {
        if shape.literals.iter().any(|literal| rest.starts_with(literal.as_str()))
            && let Some(key) = shape.pattern.find(rest)
            && is_random(key.as_str())
        {
            return Some(key.as_str());
        }
    }
    None
}
