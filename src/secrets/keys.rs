//! Finds the keys of `rules.tsv`. The literals with which keys begin are searched first, and a shape is tried only at its own. One
//! automaton of all shapes would have more states than fit its cache, and take a hundred times as long.

use std::sync::LazyLock;

use regex::Regex;
use regex_syntax::hir::literal::Extractor;

use super::begins;
use super::rules::{Rule, rules};
use super::values::is_random;

/// Bytes of the longest key. Longer ones lose their end, which is as secret as a part.
const LONGEST: usize = 4_096;

/// Random characters of a key that is known by nothing else. Identifiers of calls have 24, of Anthropic's tools 22.
const RANDOM: usize = 36;

/// Fewest letters and digits behind each other in a key of a rule whose part is a single sign.
const RUN: usize = 32;

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

/// The shapes that are searched by a part of the key.
static PARTS: LazyLock<Vec<usize>> = LazyLock::new(|| {
    SHAPES.iter().enumerate().filter(|(_, shape)| shape.literals.is_empty()).map(|(index, _)| index).collect()
});

/// The shapes and their literals, by the first byte of these.
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
    let has_run = has_run(text);
    for shape in PARTS.iter().map(|index| &SHAPES[*index]) {
        // A part of one sign stands in any text, but its keys are long.
        if shape.part.len() == 1 && !has_run || !text.contains(shape.part) {
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

/// Returns true if as many letters and digits stand behind each other as in keys that a single sign divides.
fn has_run(text: &str) -> bool {
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte.is_ascii_alphanumeric() { run + 1 } else { 0 };
        if run >= RUN {
            return true;
        }
    }
    false
}

/// Keys of services that no rule names: a word in lower case, perhaps a version, `_`, and at least [`RANDOM`] characters with many
/// capitals, small letters and digits. Identifiers of calls and messages are shorter or have no capitals.
fn prefixed(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut follows_backslash = false;
    for piece in text.split_inclusive(|c: char| !is_of_key(c)) {
        let run = piece.trim_end_matches(|c: char| !is_of_key(c));
        // The letter of an escaped line break is no part of the key.
        let run = if follows_backslash { run.strip_prefix(['n', 'r', 't']).unwrap_or(run) } else { run };
        // A rule knows where its key ends.
        let is_new = run.len() > RANDOM && key_at(run, 0).is_none();
        if is_new && (is_prefixed(run) || is_two_hashes(run)) {
            found.push(run);
        }
        follows_backslash = piece.ends_with('\\');
    }
    found
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn is_prefixed(run: &str) -> bool {
    let Some((prefix, mut random)) = run.split_once('_') else { return false };
    let is_prefix = (2..=12).contains(&prefix.len())
        && prefix.starts_with(|c: char| c.is_ascii_lowercase())
        && prefix.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    // `wandb_v1_…` and `mdb_sa_sk_…`.
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

/// A key of Mailgun: 32, 8 and 8 hexadecimal digits.
fn is_two_hashes(run: &str) -> bool {
    let parts = run.split('-').map(str::len);
    let is_hex = run.chars().all(|c| c == '-' || c.is_ascii_hexdigit() && !c.is_ascii_uppercase());
    run.len() == 50 && is_hex && parts.eq([32, 8, 8])
}

/// The key that begins at a place.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    let first = rest.bytes().next()?;
    for (literal, index) in &BY_FIRST_BYTE[usize::from(first)] {
        if rest.starts_with(literal)
            && let Some(key) = SHAPES[*index].pattern.find(rest)
            && is_random(key.as_str())
        {
            return Some(key.as_str());
        }
    }
    None
}
