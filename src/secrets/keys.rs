//! Finds the keys of `rules.tsv`. Most keys begin with a literal, so literals are searched first and a pattern is tried only at its own
//! literals. A single automaton for all patterns would overflow its state cache and be a hundred times slower.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

use super::rules::{Rule, rules};
use super::values::{is_random, is_scrambled};
use super::{begins, extend_to_end};

/// Maximum bytes that a pattern sees. A longer key ends with its run of letters and signs.
const LONGEST: usize = 4_096;

/// Minimum random characters of a key without a rule. Call identifiers have 24, those of Anthropic's tools 22.
const RANDOM: usize = 36;

/// Minimum run of letters and digits if the literal of a rule is a single character.
const RUN: usize = 32;

/// A compiled rule.
struct Shape {
    /// Every key begins with one of these. Empty if the rule has a `part` instead.
    literals: Vec<String>,
    /// A substring of every key, for rules without `literals`.
    part: &'static str,
    /// Anchored if the rule has literals, else searched.
    pattern: Regex,
}

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| rules().filter_map(Shape::new).collect());

/// Indexes of the shapes with a `part`.
static PARTS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    SHAPES.iter().enumerate().filter(|(_, shape)| shape.literals.is_empty()).map(|(index, _)| index).collect()
});

/// Matches the parts of more than one character. Few texts have one.
static ANY_PART: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let parts = PARTS.iter().map(|index| SHAPES[*index].part).filter(|part| part.len() > 1);
    let parts: Vec<String> = parts.map(regex::escape).collect();
    Regex::new(&parts.join("|")).ok()
});

/// Literals and shape indexes, by the first byte of the literal.
static BY_FIRST_BYTE: LazyLock<Vec<Vec<(&'static str, usize)>>> = LazyLock::new(|| {
    let mut by_byte = vec![Vec::new(); 256];
    for (index, shape) in SHAPES.iter().enumerate() {
        for literal in &shape.literals {
            if let Some(first) = literal.bytes().next() {
                by_byte[usize::from(first)].push((literal.as_str(), index));
            }
        }
    }
    by_byte
});

/// Matches the literals of all shapes.
static LITERALS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let literals: Vec<String> =
        SHAPES.iter().flat_map(|shape| &shape.literals).map(|literal| regex::escape(literal)).collect();
    Regex::new(&literals.join("|")).ok()
});

impl Shape {
    /// Returns `None` for an unusable pattern. A test checks that there are none.
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

/// Names of rules with an unusable pattern. There are none.
pub fn unusable() -> Vec<&'static str> {
    rules().filter(|rule| Shape::new(*rule).is_none()).map(|rule| rule.name).collect()
}

/// Finds the keys in a text.
pub fn find(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let has_run = has_run(text);
    let has_part = ANY_PART.as_ref().is_some_and(|parts| parts.is_match(text));
    for shape in PARTS.iter().map(|index| &SHAPES[*index]) {
        // A part of one character occurs in any text, but its keys have a long run.
        let is_possible = if shape.part.len() == 1 { has_run } else { has_part };
        if !is_possible || !text.contains(shape.part) {
            continue;
        }
        for key in shape.pattern.find_iter(text) {
            if begins(text, key.start()) && is_random(key.as_str()) {
                found.push(key.as_str());
            }
        }
    }
    found.extend(prefixed(text));
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

/// Returns true if the text has a run of [`RUN`] letters and digits. Keys found by a single character have one.
fn has_run(text: &str) -> bool {
    let mut run = 0;
    if text.len() < RUN {
        return false;
    }
    for byte in text.bytes() {
        run = if byte.is_ascii_alphanumeric() { run + 1 } else { 0 };
        if run >= RUN {
            return true;
        }
    }
    false
}

/// Keys of services without a rule: a lower-case word, perhaps a version, `_`, and at least [`RANDOM`] characters with many capitals, small
/// letters and digits. Identifiers of calls and messages are shorter or have no capitals.
fn prefixed(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut start = 0;
    while bytes.len() > start + RANDOM {
        let length = bytes[start..].iter().take_while(|byte| is_of_key(**byte)).count();
        let end = start + length;
        // A run of ASCII ends at character boundaries.
        let run = text.get(start..end).filter(|run| run.len() > RANDOM).unwrap_or_default();
        // The letter of an escaped line break is not part of the key.
        let follows_backslash = start > 0 && bytes[start - 1] == b'\\';
        let run = if follows_backslash { run.strip_prefix(['n', 'r', 't']).unwrap_or(run) } else { run };
        // A rule finds the exact end of its key. Calls of Anthropic's tools have an identifier in another.
        let is_new = run.len() > RANDOM && !run.contains("toolu_") && key_at(run, 0).is_none();
        if is_new && (is_prefixed(run) || is_two_hashes(run)) {
            found.push(run);
        }
        start = end + 1;
    }
    found
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_prefixed(run: &str) -> bool {
    let Some((prefix, mut random)) = run.split_once('_') else { return false };
    let is_prefix = (2..=12).contains(&prefix.len())
        && prefix.starts_with(|c: char| c.is_ascii_lowercase())
        && prefix.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    // Such as `wandb_v1_…` and `mdb_sa_sk_…`.
    while let Some((word, rest)) = random.split_once('_')
        && word.len() <= 4
        && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    {
        random = rest;
    }
    let count = |is_it: fn(&char) -> bool| random.chars().filter(is_it).count();
    is_prefix
        && (RANDOM..LONGEST).contains(&random.len())
        && count(char::is_ascii_uppercase) >= 6
        && count(char::is_ascii_lowercase) >= 6
        && count(char::is_ascii_digit) >= 3
        && count(|c| *c == '_' || *c == '-') <= 4
}

/// Returns true for letters alone after a prefix such as `glrt-`, if no person would write them.
fn is_scrambled_key(key: &str) -> bool {
    let body = key.split_once(['-', '_']).map_or(key, |(_, body)| body).replace(['-', '_'], "");
    let letters: BTreeSet<char> = body.chars().collect();
    body.len() >= 16 && letters.len() > 8 && is_scrambled(&body)
}

/// A key of Mailgun: 32, 8 and 8 hexadecimal digits.
fn is_two_hashes(run: &str) -> bool {
    let parts = run.split('-').map(str::len);
    let is_hex = run.chars().all(|c| c == '-' || c.is_ascii_hexdigit() && !c.is_ascii_uppercase());
    run.len() == 50 && is_hex && parts.eq([32, 8, 8])
}

/// The key at a byte offset, by the rules with literals.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    let first = rest.bytes().next()?;
    for (literal, index) in &BY_FIRST_BYTE[usize::from(first)] {
        if rest.starts_with(literal)
            && let Some(key) = SHAPES[*index].pattern.find(rest)
            && (is_random(key.as_str()) || is_scrambled_key(key.as_str()))
        {
            return Some(extend_to_end(text, key.as_str(), at + rest.len(), usize::MAX));
        }
    }
    None
}
