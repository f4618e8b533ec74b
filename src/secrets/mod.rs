//! Finds secrets in logged texts: keys, tokens and passwords. They must not end up in files for others. A secret is recognised by its shape
//! (`rules.tsv`), its block (`blocks.rs`) or the text before it. The shapes come from providers' documentation, with the rules of gitleaks
//! 8.30 as a checklist.

mod blocks;
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

use rustc_hash::FxHashMap;
use std::ops::Range;

pub use contexts::{Context, context_rows, contexts, found_by_context};
pub use json::{JsonString, replace_strings};
pub use public::{PublicKey, public_keys};
pub use rules::{Rule, rules};
pub use values::Strength;

/// Names of patterns with compile errors, such as a size limit. They would find nothing. There are none.
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
    unusable.extend(others.into_iter().filter(|(_, is_usable)| !is_usable).map(|(name, _)| name));
    unusable
}

/// The text with its secrets replaced by `[secret 1]` and so on.
pub fn without_secrets(text: &str) -> String {
    let mut secrets = Secrets::default();
    secrets.learn(text, None);
    secrets.hidden(text).map_or_else(|| text.to_owned(), |(hidden, _)| hidden)
}

/// Secrets are found again by this many last bytes: the minimum length of a secret.
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
        if key.is_some_and(|key| named::is_of_key(key, text)) && !public::is_public(text) {
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
                // Skip part of a webhook URL: the whole URL is one secret. A list of all keys would cost their square.
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
        let known: Vec<String> = self.known.values().flatten().map(|(secret, _)| secret.clone()).collect();
        for secret in known.iter().filter(|secret| secret.contains(char::is_whitespace)) {
            for word in secret.split(char::is_whitespace).filter(|word| word.len() >= SHORTEST_LINE) {
                self.add(word.trim_end_matches('$'));
            }
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
        occurrences.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.end)));
        let (mut hidden, mut end, mut count) = (String::new(), 0, 0);
        for secret in occurrences {
            if let Some(before) = text.get(end..secret.start).filter(|_| secret.start >= end) {
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
            let Some(known) = <&[u8; ANCHOR]>::try_from(last).ok().and_then(|last| self.known.get(last))
            else {
                continue;
            };
            let end = at + ANCHOR;
            let Some(before) = text.get(..end) else { continue };
            for (secret, number) in known.iter().filter(|(secret, _)| before.ends_with(secret)) {
                let start = end - secret.len();
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

/// A slice of a text that ends where the search for it ended goes on to the end of its run of letters and signs. A run with more than `most`
/// further bytes is no value.
fn extend_to_end<'t>(text: &'t str, slice: &'t str, searched: usize, most: usize) -> &'t str {
    let start = offset_in(text, slice);
    let end = start + slice.len();
    let Some(after) = text.get(end..).filter(|_| end == searched) else { return slice };
    let within = after.bytes().take(most.saturating_add(1));
    let length = within.take_while(|byte| is_of_run(*byte)).count();
    if length > most { slice } else { text.get(start..end + length).unwrap_or(slice) }
}

fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/_=.~%-".contains(&byte)
}

/// Returns true if a slice of a text lies within one of these ranges.
fn is_within(text: &str, slice: &str, ranges: &[Range<usize>]) -> bool {
    let start = offset_in(text, slice);
    let after = ranges.partition_point(|range| range.start <= start);
    let before = after.checked_sub(1).and_then(|last| ranges.get(last));
    before.is_some_and(|range| start + slice.len() <= range.end)
}

/// The byte offset of a slice in its text.
fn offset_in(text: &str, slice: &str) -> usize {
    slice.as_ptr().addr() - text.as_ptr().addr()
}

/// Returns true for a short word such as `tool_use`. Most strings of a log are one, and none is a key.
fn is_short_word(text: &str) -> bool {
    text.len() < SHORTEST_LINE
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}

/// Returns true if a call, an index or a path follows. The value is then part of a program.
fn is_code_after(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|after| after.starts_with(['(', '[']) || after.starts_with("::"))
}

/// Returns true if the name is a segment of a resource name, such as `…:secret:…`, or belongs to a public key. `end` is near the end of the
/// name.
fn is_of_another(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(text.floor_char_boundary(start.saturating_sub(8))..start).unwrap_or_default();
    let is_segment = before.ends_with(':')
        && text.get(start..).is_some_and(|rest| {
            let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            name.starts_with(':')
                && !name.starts_with(": ")
                && start + rest.len() - name.len() <= end.max(start + 1)
        });
    is_segment || before.trim_end_matches([' ', '-', '_']).to_ascii_lowercase().ends_with("public")
}

/// Returns true if no word continues across this byte offset. A letter before it may belong to an escape, such as `\n` or `\u003d`, or to a
/// colour code.
fn begins(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric());
    let last = before.get(before.floor_char_boundary(before.len().saturating_sub(6))..).unwrap_or_default();
    let escape = last.rsplit_once('\\').map_or("", |(_, escape)| escape);
    // Colours end with an `m`.
    let is_painted = last.ends_with('m') && last.contains('[');
    !is_inside
        || is_painted
        || ["n", "r", "t"].contains(&escape)
        || escape.len() == 5 && escape.starts_with('u')
}

fn ends(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    !(before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric()))
}
