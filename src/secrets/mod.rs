//! Secrets in texts of logs: keys, tokens and passwords, which no file that others read should hold. They are known by their shape
//! (`rules.tsv`), by the block that they stand in (`blocks.rs`), or by what stands before them. The shapes are made of what providers
//! document, with the kinds of gitleaks 8.30 as a checklist.

mod blocks;
mod contexts;
mod json;
mod keys;
mod named;
mod outputs;
mod rules;
mod tables;
mod values;
mod variables;

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

pub use contexts::{Context, context_rows, contexts, found_by_context};
pub use json::{JsonString, replace_strings};
pub use rules::{Rule, rules};
pub use values::Strength;

/// The patterns that cannot be used, such as one that is too large, and so find nothing. There are none.
pub fn unusable_rules() -> Vec<&'static str> {
    let mut unusable = keys::unusable();
    unusable.extend(contexts::unusable());
    let patterns = [
        variables::PATTERNS.as_slice(),
        &blocks::PATTERNS,
        &named::PATTERNS,
        &outputs::PATTERNS,
        &tables::PATTERNS,
    ];
    for (name, pattern) in patterns.concat() {
        if pattern.is_none() {
            unusable.push(name);
        }
    }
    unusable
}

/// A code for a colour, also escaped.
static COLOURS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:\x1b|\\+(?:u001b|x1b|033|e))\[[0-9;]*m").ok());

/// The text with `[secret 1]` and so on in the place of its secrets.
pub fn without_secrets(text: &str) -> String {
    let mut secrets = Secrets::default();
    secrets.learn(text, None);
    secrets.hidden(text).map_or_else(|| text.to_owned(), |(hidden, _)| hidden)
}

/// The number of last bytes by which a secret is found again: as many as the shortest value that is taken for one has.
const ANCHOR: usize = 6;

/// Bytes of the shortest line of a private key that is searched alone.
const SHORTEST_LINE: usize = 24;

/// The secrets of all conversations so far. Equal ones have one number.
#[derive(Default)]
pub struct Secrets {
    numbers: FxHashMap<String, usize>,
    /// Secrets and their numbers, by their last bytes.
    known: FxHashMap<[u8; ANCHOR], Vec<(String, usize)>>,
}

/// A secret in a text, from one byte to another.
struct Occurrence {
    start: usize,
    end: usize,
    number: usize,
}

impl Secrets {
    /// Returns true if no secret is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Learns the secrets of a text. `key` is that of an object in whose value the text is.
    pub fn learn(&mut self, text: &str, key: Option<&str>) {
        // Colours stand between a name and its value.
        let plain = COLOURS.as_ref().map_or(text.into(), |colours| colours.replace_all(text, ""));
        if plain != text {
            self.learn(&plain, key);
        }
        let keys = keys::find(text);
        for key in &keys {
            self.add(key);
        }
        for secret in blocks::secrets(text) {
            self.add(secret);
        }
        for find in [variables::secrets, named::secrets, contexts::secrets, outputs::secrets, tables::secrets]
        {
            for secret in find(text) {
                // A part of an address of a webhook, which is one secret.
                if keys.iter().any(|key| key.len() > secret.len() && key.contains(secret)) {
                    continue;
                }
                self.add(secret);
            }
        }
        if key.is_some_and(|key| named::is_of_key(key, text)) {
            self.add(text);
        }
    }

    /// Learns what a command printed, such as that of `{"command": "pass show shop"}`. Its output alone does not tell that it is secret.
    pub fn learn_output(&mut self, arguments: &str, output: &str) {
        replace_strings(arguments, &mut |string| {
            for secret in outputs::of_command(string.text, output) {
                self.add(secret);
            }
            None
        });
    }

    /// Learns each line of the secrets of several lines, for texts that are stored by lines.
    pub fn learn_lines(&mut self) {
        let known: Vec<String> = self.known.values().flatten().map(|(secret, _)| secret.clone()).collect();
        for secret in known.iter().filter(|secret| secret.contains(char::is_whitespace)) {
            for word in secret.split(char::is_whitespace).filter(|word| word.len() >= SHORTEST_LINE) {
                self.add(word.trim_end_matches('$'));
            }
        }
    }

    fn add(&mut self, value: &str) {
        // The end of a sentence.
        let value = value.trim_end_matches('.');
        let Some(anchor) = value.as_bytes().last_chunk::<ANCHOR>() else { return };
        // A private key is the same with line breaks of any kind.
        let plain = value.replace("\\n", "").replace(char::is_whitespace, "");
        let number = self.numbers.len() + 1;
        let number = *self.numbers.entry(plain).or_insert(number);
        let known = self.known.entry(*anchor).or_default();
        if known.iter().all(|(secret, _)| secret != value) {
            known.push((value.to_owned(), number));
        }
    }

    /// The text without the secrets, and their number; none if it holds none.
    pub fn hidden(&self, text: &str) -> Option<(String, usize)> {
        let mut occurrences = self.occurrences(text);
        // The longest of those that begin at one place.
        occurrences.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.end)));
        let (mut hidden, mut end, mut count) = (String::new(), 0, 0);
        for secret in occurrences {
            if let Some(before) = text.get(end..secret.start).filter(|_| secret.start >= end) {
                hidden += &format!("{before}[secret {}]", secret.number);
                (end, count) = (secret.end, count + 1);
            }
        }
        // Places of secrets are borders of characters.
        (count > 0).then(|| (hidden + &text[end..], count))
    }

    /// The secrets in a text, in the order of their ends.
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

/// Returns true if a call, an index or a path follows: the value is a piece of a program.
fn is_code_after(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|after| after.starts_with(['(', '[']) || after.starts_with("::"))
}

/// Returns true if a name is a part of the name of a resource, such as `…:secret:…`, or that of a public key. `end` is near its end.
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

/// Returns true if no word goes on at this place. A letter may belong to an escape, such as that of a line break or of `=`.
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
