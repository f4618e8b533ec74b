//! Finds secrets in logged texts: keys, tokens and passwords. They must not end up in shared files. A secret is recognised by its shape
//! (`rules.tsv`), its block (`blocks.rs`) or the text before it. The shapes come from providers' documentation, with the rules of gitleaks
//! 8.30 as a checklist.

mod blocks;
mod chars;
mod contexts;
mod json;
mod keys;
mod named;
mod outputs;
mod public;
mod rules;
mod starts;
mod tables;
mod values;
mod variables;
mod views;

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashMap;

use chars::{is_alphanumeric, leading_name};

pub use contexts::{Context, context_rows, contexts, found_by_context};
pub use json::{JsonString, replace_strings};
pub use public::{PublicKey, public_keys};
pub use rules::{Rule, rules};
pub use values::Strength;

/// Names of patterns with compile errors, such as an exceeded size limit. They would find nothing, so a test expects none.
pub fn unusable_rules() -> Vec<&'static str> {
    let mut unusable = keys::unusable();
    unusable.extend(contexts::unusable());
    unusable.extend(public::unusable());
    let patterns = [
        variables::PATTERNS.as_slice(),
        &blocks::PATTERNS,
        &named::PATTERNS,
        &outputs::PATTERNS,
        &tables::PATTERNS,
    ];
    let views = views::patterns();
    for (name, pattern) in patterns.concat().into_iter().chain(views) {
        if pattern.is_none() {
            unusable.push(name);
        }
    }
    let others = [
        ("sentences", variables::has_sentences()),
        ("words of names", named::has_words()),
        ("hints of outputs", outputs::has_hints()),
        ("hints of heads", tables::has_hints()),
    ];
    for (name, is_usable) in others {
        if !is_usable {
            unusable.push(name);
        }
    }
    unusable
}

/// The text with its secrets replaced by `[secret 1]` and so on.
pub fn without_secrets(text: &str) -> String {
    let mut secrets = Secrets::default();
    secrets.learn(text, None);
    match secrets.hidden(text) {
        Some((hidden, _)) => hidden,
        None => text.to_owned(),
    }
}

/// The minimum length of a secret. Known secrets are found by this number of bytes at their end.
const ANCHOR: usize = 6;

/// Minimum bytes for a line of a private key to be searched separately.
const SHORTEST_LINE: usize = 24;

/// The secrets of all conversations so far. Equal secrets share one number.
#[derive(Default)]
pub struct Secrets {
    numbers: FxHashMap<String, usize>,
    /// Secrets and their numbers, by their last bytes.
    known: FxHashMap<[u8; ANCHOR], Vec<(String, usize)>>,
}

/// A secret at a byte range of a text.
struct Occurrence {
    start: usize,
    end: usize,
    number: usize,
}

impl Secrets {
    /// Returns true if no secrets were learned.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Learns the secrets of a text. `key` is the object key if the text is a value in an object.
    pub fn learn(&mut self, text: &str, key: Option<&str>) {
        if let Some(plain) = views::plain(text) {
            self.learn_plain(&plain, key);
        }
        self.learn_plain(text, key);
    }

    fn learn_plain(&mut self, text: &str, key: Option<&str>) {
        if !is_short_word(text) {
            self.learn_words(text);
        }
        if let Some(key) = key
            && named::is_of_key(key, text)
            && !public::is_public(text)
        {
            self.add(text);
        }
    }

    fn learn_words(&mut self, text: &str) {
        let keys = keys::find(text);
        let mut secrets = blocks::secrets(text);
        let ranges = joined_ranges(text, &keys);
        for find in [variables::secrets, named::secrets, contexts::secrets, outputs::secrets, tables::secrets]
        {
            for secret in find(text) {
                // Skip part of a webhook URL: the whole URL is one secret. Comparing with each key would be quadratic.
                if !is_within(text, secret, &ranges) {
                    secrets.push(secret);
                }
            }
        }
        // Few texts have secrets, so few are searched for public keys.
        if keys.is_empty() && secrets.is_empty() {
            return;
        }
        let public = joined_ranges(text, &public::find(text));
        for secret in keys.iter().chain(&secrets) {
            if !is_within(text, secret, &public) {
                self.add(secret);
            }
        }
    }

    /// Learns secrets in the output of commands such as `{"command": "pass show shop"}`. The output alone does not look secret.
    pub fn learn_output(&mut self, arguments: &str, output: &str) {
        replace_strings(arguments, &mut |string| {
            for secret in outputs::of_command(string.text, output) {
                self.add(secret);
            }
            None
        });
    }

    /// Learns each line of multi-line secrets separately, for texts stored by lines.
    pub fn learn_lines(&mut self) {
        let mut lines = Vec::new();
        for (secret, _) in self.known.values().flatten() {
            if !secret.contains(char::is_whitespace) {
                continue;
            }
            for word in secret.split_whitespace() {
                if word.len() >= SHORTEST_LINE {
                    lines.push(word.trim_end_matches('$').to_owned());
                }
            }
        }
        for line in lines {
            self.add(&line);
        }
    }

    fn add(&mut self, value: &str) {
        // Drop the full stop of a sentence.
        let value = value.trim_end_matches('.');
        let Some(anchor) = value.as_bytes().last_chunk::<ANCHOR>() else { return };
        // Private keys with different line breaks get the same number.
        let plain = value.replace("\\n", "").replace(char::is_whitespace, "");
        let number = self.numbers.len() + 1;
        let number = *self.numbers.entry(plain).or_insert(number);
        let known = self.known.entry(*anchor).or_default();
        if known.iter().all(|(secret, _)| secret != value) {
            known.push((value.to_owned(), number));
        }
    }

    /// The text with its secrets replaced, and their count. `None` if there are none.
    pub fn hidden(&self, text: &str) -> Option<(String, usize)> {
        if self.is_empty() {
            return None;
        }
        let mut occurrences = self.occurrences(text);
        // At the same start, the longest wins.
        occurrences.sort_by_key(|secret| (secret.start, Reverse(secret.end)));
        let (mut hidden, mut end, mut count) = (String::new(), 0, 0);
        for secret in occurrences {
            // `None` if it overlaps with the one before.
            if let Some(before) = text.get(end..secret.start) {
                hidden += &format!("{before}[secret {}]", secret.number);
                (end, count) = (secret.end, count + 1);
            }
        }
        // Secrets begin and end at character boundaries.
        (count > 0).then(|| (hidden + &text[end..], count))
    }

    /// The secrets in a text, ordered by their end.
    fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let mut occurrences = Vec::new();
        for (at, last) in text.as_bytes().windows(ANCHOR).enumerate() {
            let Ok(last) = <&[u8; ANCHOR]>::try_from(last) else { continue };
            let Some(known) = self.known.get(last) else { continue };
            let end = at + ANCHOR;
            let Some(before) = text.get(..end) else { continue };
            for (secret, number) in known {
                let Some(rest) = before.strip_suffix(secret.as_str()) else { continue };
                let start = rest.len();
                if begins(text, start) && ends(text, end) {
                    occurrences.push(Occurrence { start, end, number: *number });
                }
            }
        }
        occurrences
    }
}

/// The byte ranges of slices of a text, in order, with overlapping ones joined.
fn joined_ranges(text: &str, slices: &[&str]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for slice in slices {
        let start = offset_in(text, slice);
        ranges.push(start..start + slice.len());
    }
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Extends a slice that ends at the end of the searched part to the end of its run of letters and signs. If the run has more than `most`
/// further bytes, it is no value and the slice is returned unchanged.
fn extend_to_end<'t>(text: &'t str, slice: &'t str, searched: usize, most: usize) -> &'t str {
    let start = offset_in(text, slice);
    let end = start + slice.len();
    if end != searched {
        return slice;
    }
    let mut length = 0;
    for byte in &text.as_bytes()[end..] {
        if !is_of_run(*byte) {
            break;
        }
        length += 1;
        if length > most {
            return slice;
        }
    }
    text.get(start..end + length).unwrap_or(slice)
}

fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/_=.~%-".contains(&byte)
}

/// Returns true if a slice of a text lies within one of these ranges.
fn is_within(text: &str, slice: &str, ranges: &[Range<usize>]) -> bool {
    let start = offset_in(text, slice);
    let after = ranges.partition_point(|range| range.start <= start);
    match ranges[..after].last() {
        Some(before) => start + slice.len() <= before.end,
        None => false,
    }
}

/// The byte offset of a slice in its text.
fn offset_in(text: &str, slice: &str) -> usize {
    slice.as_ptr().addr() - text.as_ptr().addr()
}

/// Returns true for a short word such as `tool_use`. Most strings in logs are such words, and none is a key.
fn is_short_word(text: &str) -> bool {
    text.len() < SHORTEST_LINE
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}

/// Returns true if a call, an index or a path follows. The value is then part of a program.
fn is_code_after(text: &str, end: usize) -> bool {
    let Some(after) = text.get(end..) else { return false };
    after.starts_with(['(', '[']) || after.starts_with("::")
}

/// Returns true if the name is a segment of a resource name, such as `…:secret:…`, or belongs to a public key. `end` is near the end of the
/// name.
fn is_of_another(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(text.floor_char_boundary(start.saturating_sub(8))..start).unwrap_or_default();
    if before.ends_with(':')
        && let Some(rest) = text.get(start..)
    {
        let name = leading_name(rest, b"_-");
        let after = &rest[name.len()..];
        let is_near = start + name.len() <= end.max(start + 1);
        if is_near && after.starts_with(':') && !after.starts_with(": ") {
            return true;
        }
    }
    before.trim_end_matches([' ', '-', '_']).to_ascii_lowercase().ends_with("public")
}

/// Returns true if a secret may begin at this byte offset: at the start of a word, or after the letter of an escape, such as `\n` or
/// `\u003d`, or of a colour code.
fn begins(text: &str, at: usize) -> bool {
    if !is_inside_word(text, at) {
        return true;
    }
    let before = &text[..at];
    let last = &before[before.floor_char_boundary(before.len().saturating_sub(6))..];
    // Colours end with an `m`.
    if last.ends_with('m') && last.contains('[') {
        return true;
    }
    let Some((_, escape)) = last.rsplit_once('\\') else { return false };
    matches!(escape, "n" | "r" | "t") || escape.len() == 5 && escape.starts_with('u')
}

fn ends(text: &str, at: usize) -> bool {
    !is_inside_word(text, at)
}

/// Returns true if a word continues across this byte offset.
fn is_inside_word(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    before.ends_with(is_alphanumeric) && after.starts_with(is_alphanumeric)
}
