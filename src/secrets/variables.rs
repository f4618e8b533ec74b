//! Values in sentences and elements, after weaker names than `password`. Such a value must be as random as a key.

use std::sync::LazyLock;

use memchr::memmem::find_iter;
use regex::Regex;

use super::chars::{
    are_lower_digits_or, contains_any, ends_with_any, has_upper, is_constant_name, leading_name,
    starts_with_any,
};
use super::starts::LongRegex;
use super::values::{
    Strength, entropy, is_hash, is_likely, is_mixed, is_plain_secret, is_random, is_secret, is_value,
    is_variable, is_words,
};
use super::{ANCHOR, is_code_after, is_of_another};

/// First words of key and token names that are not secret: they find, order or count something.
const STRUCTURAL: &[&str] = &[
    "bucket",
    "build",
    "cache",
    "cancel",
    "checksum",
    "column",
    "composite",
    "content",
    "continuation",
    "cursor",
    "dedup",
    "digest",
    "dict",
    "entry",
    "etag",
    "event",
    "fingerprint",
    "foreign",
    "group",
    "hash",
    "host",
    "id",
    "idempotency",
    "index",
    "item",
    "known",
    "lookup",
    "map",
    "message",
    "next",
    "node",
    "object",
    "page",
    "parent",
    "partition",
    "prev",
    "primary",
    "public",
    "query",
    "react",
    "registry",
    "request",
    "row",
    "s3",
    "signature",
    "sort",
    "span",
    "start",
    "storage",
    "sync",
    "trace",
    "unique",
    "version",
];
/// Minimum bytes of a key.
const SHORTEST: usize = 16;
/// Minimum bytes of a value if only a space separates it from its name.
const LONG: usize = 20;
/// Minimum bits of entropy per byte of a key, and of a password.
const KEY_BITS: f64 = 3.2;
const PASSWORD_BITS: f64 = 2.0;

/// The value after a name.
const VALUE: &str = r#"\\*["'`(]?(?:base64:)?([A-Za-z0-9+/_.=~!@#$%^&*?-]{6,})"#;
/// A sentence, such as `the key of the shop is x`.
static SENTENCE: LazyLock<Option<LongRegex>> = LazyLock::new(|| {
    let word = "(?i-u:key|token|secret|password|passphrase|passcode)";
    LongRegex::new(&format!(
        r"(?-u:\b)(?:(?i-u:api|access|auth)[ ])?{word}(?:[ \t]+[A-Za-z0-9]{{1,12}}){{0,2}}?[ \t]+(?:(?:is|was):?[ \t]+)?{VALUE}"
    ))
});

/// The text of an element such as `<secret>{name VALUE}</secret>`, an attribute after a setting name, and the default of a Terraform
/// variable.
static ELEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let last = "(?i-u:secret|token|key|password|passphrase|credential)";
    Regex::new(&format!(
        r#"<(?:[A-Za-z][A-Za-z0-9.:_-]*{last}|(?i-u:secret|token|password|credential))>([^<>]{{6,600}})</|<(?:add|entry|property)[ ][a-z]+="[^"<>]*{last}"[ ]+value="([^"<>]{{6,600}})"|variable[ ]+"[^"{{}}]*{last}"[ ]*\{{[^{{}}]*?default[ ]*=[ ]*"([^"{{}}]{{6,600}})""#
    ))
    .ok()
});

/// All patterns, named for a test.
pub const PATTERNS: [(&str, &LazyLock<Option<Regex>>); 1] = [("elements", &ELEMENT)];

/// Returns true if the pattern of sentences is usable. It is.
pub fn has_sentences() -> bool {
    SENTENCE.is_some()
}

/// Finds the secrets in sentences and elements.
pub fn secrets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let Some(pattern) = &*SENTENCE else { return found };
    let mut from = 0;
    while let Some((start, sentence)) = pattern.captures_at(text, from) {
        from = start + sentence.get_match().len().max(1);
        let Some(value) = sentence.get(1) else { continue };
        let (before, range) = (&text[start..start + value.start()], value.range());
        let is_other = is_of_another(text, start, start + range.start);
        if !is_other && !is_code_after(text, start + range.end) && is_dense(value.as_str(), before) {
            found.push(value.as_str());
        }
    }
    found.extend(find_before_name(text));
    if !text.contains('<') && !text.contains("variable") {
        return found;
    }
    let Some(elements) = &*ELEMENT else { return found };
    for element in elements.captures_iter(text) {
        for content in element.iter().skip(1).flatten() {
            for word in content.as_str().split_whitespace().flat_map(split_at_braces) {
                if is_secret_of_element(word) {
                    found.push(word);
                }
            }
        }
    }
    found
}

fn split_at_braces(word: &str) -> impl Iterator<Item = &str> {
    word.split(['{', '}'])
}

fn is_secret_of_element(word: &str) -> bool {
    // `<password>@host` of a URL.
    let is_host = word.starts_with('@');
    word.len() >= SHORTEST && !is_host && is_plain_secret(word) && is_random_value(word, KEY_BITS)
}

/// Finds the secrets in sentences such as `x is the password for the shop`.
fn find_before_name(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for verb in [" is ", " was "] {
        for at in find_iter(text.as_bytes(), verb) {
            let (before, after) = (&text[..at], &text[at + verb.len()..]);
            // First the cheap tests: a text may have many such verbs.
            if !starts_with_any(after.trim_start(), OWNERS) || !begins_with_name(after) {
                continue;
            }
            let value = before.rsplit(char::is_whitespace).next().unwrap_or(before);
            let value = value.trim_matches(['"', '\'', '`', '(', '*']);
            if is_likely(value, Strength::Said) {
                found.push(value);
            }
        }
    }
    found
}

/// Returns true for the rest of a sentence such as `x is the admin password for the shop`.
fn begins_with_name(rest: &str) -> bool {
    let rest = &rest[..rest.floor_char_boundary(LONGEST_SENTENCE)];
    let sentence = rest.split(['\n', '.', ',', ';', ':', '!']).next().unwrap_or(rest);
    let mut words = sentence.split_whitespace();
    let Some(owner) = words.next() else { return false };
    let has_noun = words.by_ref().take(3).any(|word| NOUNS.contains(&word));
    let end = words.next();
    OWNERS.contains(&owner) && has_noun && end.is_none_or(|word| ENDS.contains(&word))
}

/// Maximum bytes of a sentence to search.
const LONGEST_SENTENCE: usize = 200;
/// Words in sentences such as `x is the admin password for the shop`.
const OWNERS: &[&str] = &["the", "my", "our", "your", "its"];
const NOUNS: &[&str] = &["password", "passphrase", "passcode", "pwd", "secret", "token", "key"];
const ENDS: &[&str] = &["for", "of", "to", "on", "in", "at", "now", "and", "so"];

/// Returns true if a value is as random as a key. For variables with a vague name. `before` begins with the name.
pub fn is_dense(value: &str, before: &str) -> bool {
    let before = before.trim_start_matches(['-', ' ', '\t', '\r', '\n']);
    let name = leading_name(before, b"_.-");
    let lower = name.to_ascii_lowercase();
    let is_password = ends_with_any(&lower, &["pass", "pwd", "pw", "passwd", "password", "passphrase"]);
    let is_env = name.len() > 3 && is_constant_name(name);
    // Build systems also call names and hashes of cache entries keys.
    let is_hash = is_hash(value);
    let is_said = before.contains(" is") || before.contains(" was");
    let is_result = lower == "pass" && name != "pass";
    // `"token": "5d41…"` in JSON, and an argument of a call.
    let is_quoted = before.ends_with(['"', '\'', '`']);
    let is_field = before.starts_with("token\"") || before.starts_with("secret\"");
    let is_assigned = is_quoted && (lower != "key" && before.contains('=') || is_field);
    let is_kind = ["api", "access", "auth", "token"].contains(&lower.as_str());
    let first = first_word(name).to_ascii_lowercase();
    let is_secret_name = contains_any(&lower, &["secret", "private", "api", "access", "auth"]);
    // Cloud accounts and databases have pairs of keys.
    let is_account =
        ["primary", "storage", "registry"].contains(&first.as_str()) && is_mixed(value) && value.len() >= 32;
    let is_identity = first == "id" && lower.ends_with("token");
    let is_structural =
        STRUCTURAL.contains(&first.as_str()) && !is_env && !is_identity && !is_account && !is_secret_name;
    let may_be_hash = is_env || is_said || is_assigned || is_kind || has_owner(name);
    let (shortest, bits) = if is_password { (ANCHOR, PASSWORD_BITS) } else { (SHORTEST, KEY_BITS) };
    // With only a space between them, the value may be the next word.
    let is_spaced = before.trim_start_matches(name).trim_end_matches(['"', '\'', '`']).trim().is_empty();
    let is_long = value.len() >= if is_spaced && !is_said { LONG } else { shortest };
    let bits = if is_spaced { KEY_BITS } else { bits };
    let is_value = is_quoted || is_plain_secret(value) || is_random(value) && !is_variable(value);
    // A place in a bucket.
    let is_place = lower == "key" && is_place(value);
    is_long
        && is_value
        && !is_place
        && is_random_value(value, bits)
        && !is_structural
        && !is_result
        && (may_be_hash || !is_hash)
}

/// Returns true for a path of lower-case parts, such as `cas/b1/ce35a073`.
fn is_place(value: &str) -> bool {
    value.matches('/').count() >= 2 && value.split('/').all(is_lower_case_part)
}

fn is_lower_case_part(part: &str) -> bool {
    !part.is_empty() && are_lower_digits_or(part, b"_.-")
}

/// The first word of a name such as `cacheKey` and `cache_key`.
fn first_word(name: &str) -> &str {
    for (at, c) in name.char_indices().skip(1) {
        if !c.is_ascii_lowercase() && !c.is_ascii_digit() {
            return &name[..at];
        }
    }
    name
}

/// Returns true for a name with an owner before the last word, usually a service.
fn has_owner(name: &str) -> bool {
    // Names are ASCII.
    name.contains(['_', '-', '.']) || name.get(1..).is_some_and(has_upper)
}

fn is_random_value(value: &str, bits: f64) -> bool {
    let is_possible = is_secret(value) || is_value(value) && is_random(value);
    is_possible && !is_words(value) && entropy(value) >= bits
}
