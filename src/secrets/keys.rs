//! Finds the keys of `rules.tsv`. Most keys begin with a literal, so literals are searched first and a pattern is tried only at its own
//! literals. A single automaton for all patterns would overflow its state cache and be a hundred times slower.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

use super::chars::{are_lower_digits_or, has_upper, is_digit, is_lower};
use super::rules::{Rule, rules};
use super::starts::Starts;
use super::values::{is_hash, is_random, is_scrambled};
use super::{begins, extend_to_end};

/// Maximum bytes that a pattern sees. A longer key ends with its run of letters and signs.
const LONGEST: usize = 4_096;

/// Minimum random characters of a key without a rule. Call identifiers have 24, those of Anthropic's tools 22.
const RANDOM: usize = 36;

/// Minimum run of letters and digits in a key whose literal is a single character.
const RUN: usize = 32;

/// Maximum bytes of a key before its part or run. After it, the key has no white space.
const BEFORE_PART: usize = 128;

/// A rule. Its pattern is compiled at the first possible key.
struct Shape {
    /// Every key begins with one of these. Empty if the rule has a `part` instead.
    literals: Vec<String>,
    /// A substring of every key, for rules without `literals`.
    part: &'static str,
    /// Anchored if the rule has literals, else searched.
    pattern: String,
    compiled: OnceLock<Option<Regex>>,
}

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| rules().filter_map(Shape::new).collect());

/// A literal, and the index of its shape.
type Literal = (&'static str, usize);

/// The parts of more than one character.
static PARTS: LazyLock<Starts<Literal>> = LazyLock::new(|| {
    let mut parts: Vec<Literal> = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        if shape.part.len() > 1 {
            parts.push((shape.part, index));
        }
    }
    index_literals(&parts)
});

/// Indexes of the shapes with a part of one character. It occurs in any text, but these keys have a long run.
static OF_RUNS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let mut indexes = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        if shape.part.len() == 1 {
            indexes.push(index);
        }
    }
    indexes
});

/// The literals of all shapes.
static LITERALS: LazyLock<Starts<Literal>> = LazyLock::new(|| {
    let mut literals: Vec<Literal> = Vec::new();
    for (index, shape) in SHAPES.iter().enumerate() {
        for literal in &shape.literals {
            literals.push((literal.as_str(), index));
        }
    }
    index_literals(&literals)
});

fn index_literals(literals: &[Literal]) -> Starts<Literal> {
    Starts::of(literals.iter().map(|literal| (literal.0.as_bytes(), *literal)))
}

impl Shape {
    /// Returns `None` for an invalid pattern, or one without literals. A test checks that there are none.
    fn new(rule: Rule) -> Option<Shape> {
        let compiled = OnceLock::new();
        if !rule.literal.is_empty() {
            let (part, pattern) = (rule.literal, rule.pattern.to_owned());
            return Some(Shape { literals: Vec::new(), part, pattern, compiled });
        }
        let parsed = regex_syntax::parse(rule.pattern).ok()?;
        let mut literals = Vec::new();
        for literal in Extractor::new().extract(&parsed).literals()? {
            literals.push(String::from_utf8(literal.as_bytes().to_vec()).ok()?);
        }
        Some(Shape { literals, part: "", pattern: format!("^(?:{})", rule.pattern), compiled })
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&self.pattern).ok()).as_ref()
    }

    /// Finds the keys of a rule without literals in a byte range.
    fn find<'t>(&self, text: &'t str, range: Range<usize>, found: &mut Vec<&'t str>) {
        let (Some(near), Some(regex)) = (text.get(range.clone()), self.regex()) else { return };
        for key in regex.find_iter(near) {
            if begins(text, range.start + key.start()) && is_random(key.as_str()) {
                found.push(key.as_str());
            }
        }
    }
}

/// Names of rules with an unusable pattern. There are none.
pub fn unusable() -> Vec<&'static str> {
    let mut unusable = Vec::new();
    for rule in rules() {
        if Shape::new(rule).is_none_or(|shape| shape.regex().is_none()) {
            unusable.push(rule.name);
        }
    }
    unusable
}

/// Finds the keys in a text.
pub fn find(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (index, range) in near_parts(text) {
        SHAPES[index].find(text, range, &mut found);
    }
    found.extend(prefixed(text));
    let mut from = 0;
    while let Some((at, literals)) = LITERALS.next(text, from) {
        from = at + 1;
        if is_at(text, at, literals)
            && begins(text, at)
            && let Some(key) = key_at(text, at)
        {
            found.push(key);
            from = at + key.len();
        }
    }
    found
}

/// Returns true if one of these literals is at a byte offset.
fn is_at(text: &str, at: usize, literals: &[Literal]) -> bool {
    let rest = &text.as_bytes()[at..];
    literals.iter().any(|(literal, _)| starts_with(rest, literal.as_bytes()))
}

fn starts_with(rest: &[u8], literal: &[u8]) -> bool {
    // Most are other literals with the same hash, so compare one byte before calling `memcmp`.
    rest.first() == literal.first() && rest.starts_with(literal)
}

/// The byte ranges around parts of shapes, with the index of the shape. Sorted, with overlapping ranges of a shape joined.
fn near_parts(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some((at, literals)) = PARTS.next(text, from) {
        for (literal, index) in literals {
            if starts_with(&text.as_bytes()[at..], literal.as_bytes()) {
                parts.push((*index, at));
            }
        }
        from = at + 1;
    }
    for run in find_runs(text, RUN, u8::is_ascii_alphanumeric) {
        for index in &*OF_RUNS {
            parts.push((*index, run.start));
        }
    }
    parts.sort_unstable();
    let mut near: Vec<(usize, Range<usize>)> = Vec::new();
    for (index, at) in parts {
        let last = near.last_mut().filter(|(last, _)| *last == index);
        if let Some((_, range)) = &last
            && at < range.end
        {
            continue;
        }
        let start = text.floor_char_boundary(at.saturating_sub(BEFORE_PART));
        let end = match text[at..].find([' ', '\t', '\n', '\r', '\x0c']) {
            Some(length) => at + length,
            None => text.len(),
        };
        match last {
            Some((_, range)) if start <= range.end => range.end = end,
            _ => near.push((index, start..end)),
        }
    }
    near
}

/// The byte ranges of all runs of at least `least` such bytes.
fn find_runs(text: &str, least: usize, is_of_run: fn(&u8) -> bool) -> Vec<Range<usize>> {
    let (bytes, mut runs, mut start) = (text.as_bytes(), Vec::new(), 0);
    // Read from the last byte of a possible run: most bytes are skipped.
    while let Some(possible) = bytes.get(start..start + least) {
        if let Some(last) = possible.iter().rposition(|byte| !is_of_run(byte)) {
            start += last + 1;
            continue;
        }
        let mut end = start + least;
        while bytes.get(end).is_some_and(is_of_run) {
            end += 1;
        }
        runs.push(start..end);
        start = end;
    }
    runs
}

/// Keys of services without a rule: a lower-case word, perhaps a version, `_`, and at least [`RANDOM`] characters with many capitals, small
/// letters and digits. Identifiers of calls and messages are shorter or have no capitals.
fn prefixed(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for Range { start, end } in find_runs(text, RANDOM + 1, is_of_key) {
        // A run of ASCII ends at character boundaries.
        let run = text.get(start..end).unwrap_or_default();
        // The letter of an escaped line break is not part of the key.
        let follows_backslash = start > 0 && text.as_bytes()[start - 1] == b'\\';
        let run = if follows_backslash { run.strip_prefix(['n', 'r', 't']).unwrap_or(run) } else { run };
        // A rule finds the exact end of its key. Anthropic's `toolu_` identifiers may be part of another one.
        let is_new = run.len() > RANDOM && !run.contains("toolu_") && key_at(run, 0).is_none();
        if is_new && (is_prefixed(run) || is_two_hashes(run)) {
            found.push(run);
        }
    }
    found
}

fn is_of_key(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_prefixed(run: &str) -> bool {
    let Some((prefix, mut random)) = run.split_once('_') else { return false };
    if !(2..=12).contains(&prefix.len()) || !prefix.starts_with(is_lower) || !are_lower_digits_or(prefix, b"")
    {
        return false;
    }
    // Such as `wandb_v1_…` and `mdb_sa_sk_…`.
    while let Some((word, rest)) = random.split_once('_')
        && word.len() <= 4
        && are_lower_digits_or(word, b"")
    {
        random = rest;
    }
    (RANDOM..LONGEST).contains(&random.len())
        && random.bytes().filter(u8::is_ascii_uppercase).count() >= 6
        && random.bytes().filter(u8::is_ascii_lowercase).count() >= 6
        && random.matches(is_digit).count() >= 3
        && random.matches(['_', '-']).count() <= 4
}

/// Returns true for random letters after a prefix such as `glrt-`.
fn is_scrambled_key(key: &str) -> bool {
    let body = match key.split_once(['-', '_']) {
        Some((_, body)) => body.replace(['-', '_'], ""),
        None => key.to_owned(),
    };
    let letters: BTreeSet<char> = body.chars().collect();
    body.len() >= 16 && letters.len() > 8 && is_scrambled(&body)
}

/// A key of Mailgun: 32, 8 and 8 hexadecimal digits.
fn is_two_hashes(run: &str) -> bool {
    run.len() == 50 && run.split('-').map(str::len).eq([32, 8, 8]) && is_hash(run) && !has_upper(run)
}

/// The key at a byte offset, by the rules with literals.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    for (literal, index) in LITERALS.at_start(rest) {
        if rest.starts_with(literal)
            && let Some(regex) = SHAPES[*index].regex()
            && let Some(key) = regex.find(rest)
            && (is_random(key.as_str()) || is_scrambled_key(key.as_str()))
        {
            return Some(extend_to_end(text, key.as_str(), at + rest.len(), usize::MAX));
        }
    }
    None
}
