//! Finds values after names ending with `password`, `secret`, `token`, `key` and the like, in any notation: assignments and comparisons of
//! all languages, constructors, arguments, elements, attributes, options and settings.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::chars::{contains_any, ends_with_any, is_constant_name, starts_with_any};
use super::starts::SparseRegex;
use super::values::{
    is_app_password, is_chosen, is_hash, is_mixed, is_passphrase, is_plain_secret, is_scrambled, is_sentence,
    is_strong,
};
use super::variables::is_dense;
use super::{is_code_after, is_of_another, offset_in};

/// Maximum bytes of a name.
const LONGEST_NAME: usize = 60;
/// Minimum bytes of a key if only a space separates it from its name.
const LONG: usize = 20;
/// Maximum bytes to search from a name to the end of its value. The key of a service account has 3,100 in base64.
const NEAR: usize = 8_192;
/// Suffixes of password names. [`OTHER_WORDS`] have the same suffixes.
const PASSWORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pass_phrase",
    "pass-phrase",
    "passcode",
    "pwd",
    "secret",
    "psk",
    "pass",
];
const OTHER_WORDS: &[&str] =
    &["bypass", "compass", "trespass", "surpass", "overpass", "bandpass", "lowpass", "highpass"];
/// Words allowed after the suffix, such as `_value`.
const TAILS: &[&str] = &[
    "value",
    "text",
    "string",
    "raw",
    "plain",
    "plaintext",
    "hex",
    "base64",
    "b64",
    "prod",
    "dev",
    "live",
    "old",
    "new",
    "test",
    "base",
    "-data",
];

/// Suffixes of key names.
const KEYS: &[&str] = &[
    "token",
    "key",
    "auth",
    "cookie",
    "salt",
    "cred",
    "creds",
    "credential",
    "jwt",
    "dsn",
    "license",
    "crumb",
    "csrf",
    "xsrf",
    "pepper",
    "api_hash",
    "secret_id",
    "secretid",
];
/// Words in names of public keys.
const OPEN: &[&str] = &["public", "sitekey", "site_key", "site-key"];
/// Suffixes of names of environment variables.
const ENV_KEYS: &[&str] = &["_PAT", "_PIN", "_PW", "_WEBHOOK", "_SESSION", "_CERTIFICATE", "_PK"];

/// Words in names of secrets.
static WORDS: LazyLock<Option<SparseRegex>> = LazyLock::new(|| {
    SparseRegex::new(
        r"(?i-u:pass[_-]?phrase|passcode|password|passwd|pass|pwd|secret|psk|token|key|auth|cookie|salt|credentials?|creds?|jwt|dsn|license|crumb|csrf|xsrf|pepper|api_hash)|PAT|PIN|PW|_PK|WEBHOOK|SESSION|CERTIFICATE|(?:(?-u:\b)|_)pw",
    )
});

/// A quoted value after the name, perhaps in a constructor.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let closing = r#"(?:\\*["'`]|[\])}>]){0,4}"#;
    let typed = r#"(?:[ \t]*:[ \t]*|[ \t]+)&?(?:'static[ ])?[A-Za-z\[\]<>*]{1,20}[ \t]*=[ \t]*"#;
    let assigns = r"[ \t]*(?:(?:\|\||\?\?|[?:!.+])?={1,3}>?|->|<-|\|\|?|\?\?|[ ]-[ ])[ \t]*(?:[\r\n]+[ \t]*)?|[ \t]*[:({][ \t]*|[ \t]+";
    let called =
        r"(?:(?:new[ ]+)?[A-Za-z_][A-Za-z0-9_.:<>]*!?\([ ]*|string\([0-9]{1,4}\)[ ]|\[\]byte\(|\[[ ]*)?";
    Regex::new(&format!(
        r#"^(?:{typed}|\\*["'`][ \t]*,[ \t]*|{closing}(?:{assigns})){called}[@bBrRuUNL]{{0,2}}(?:\\*"((?:[^"\r\n\\]|\\+/){{4,}})\\*"|\\*'([^'\r\n\\]{{4,}})\\*'|\\*`([^`\r\n\\]{{4,}})\\*`)"#
    ))
    .ok()
});

/// An unquoted value after a sign, or in an element.
static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"^(?:\\*["'`]|[\])]){0,3}(?:[ \t]*(?:::?=|\|\|=|\?\?=|\?=|===?|=>|->|→|=|:|\\+u003[dD])[ \t]*(?:[>|][+-]?[ \t]*[\r\n]+[ \t]*)?|\\*["'`]?>\s*(?:<(?:value|string)>\s*)?|\\*["'`][ ]+value=\\*["'])(?:base64:)?([A-Za-z0-9+/_.=~!@#$%^&*?-]{6,})"#,
    )
    .ok()
});

/// The value of an environment variable, perhaps of several parts.
static ENV: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:[ \t]*[=:][ \t]*|`?[ \t]+[|│][ \t]+)(?:base64:)?([A-Za-z0-9+/_.=~!@#$%^&*?:|-]{6,})")
        .ok()
});

/// A value after the name of a setting or an option, separated by a space.
static SPACED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^[ \t]+([A-Za-z0-9+/_.=~!@#$%^&*?-]{6,})(?:[ \t]+[a-z]{1,12})?[ \t]*(?:[\r\n\\;]|$)").ok()
});

/// The value of an option, up to the next one.
static OPTION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[ \t]+([A-Za-z0-9+/_.=~!@#$%^&*?:-]{6,})(?:[ \t\r\n\\;]|$)").ok());

/// Bytes of a key, written as escapes.
static BYTES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\\*["'`]?\]?[ \t]*[=:][ \t]*b?\\*["']((?:\\+x[0-9a-fA-F]{2}){8,})\\*["']"#).ok()
});

/// All patterns, named for a test.
pub const PATTERNS: [(&str, &LazyLock<Option<Regex>>); 6] = [
    ("quoted values", &QUOTED),
    ("plain values", &PLAIN),
    ("values of environments", &ENV),
    ("spaced values", &SPACED),
    ("values of options", &OPTION),
    ("bytes of keys", &BYTES),
];

/// The name of a secret in a text.
struct Name<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    is_password: bool,
    /// True for a plural such as `gpg --recv-keys`. A hash after it is an identifier.
    is_plural: bool,
}

/// Returns true if the pattern of names is usable. It is.
pub fn has_words() -> bool {
    WORDS.is_some()
}

/// Finds the values after names of secrets.
pub fn secrets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let Some(words) = &*WORDS else { return found };
    let mut from = 0;
    while let Some(word) = words.find_at(text, from) {
        from = word.end;
        let Some(name) = Name::around(text, word) else { continue };
        from = name.end;
        if let Some(secret) = name.find_secret() {
            // Names within a value are hidden with it.
            from = from.max(offset_in(text, secret) + secret.len());
            found.push(secret);
        }
    }
    found
}

/// Returns true if the text is a secret as the value of this object key.
pub fn is_of_key(key: &str, text: &str) -> bool {
    let Some(words) = &*WORDS else { return false };
    if text.contains(['"', '\n']) || !words.is_match(key) {
        return false;
    }
    let field = format!("\"{key}\": \"{text}\"");
    secrets(&field).contains(&text)
}

impl<'t> Name<'t> {
    /// Expands a word to the whole name. `None` if more words change its meaning, as in `token_count`.
    fn around(text: &'t str, word: Range<usize>) -> Option<Name<'t>> {
        let bytes = text.as_bytes();
        let Range { mut start, mut end } = word;
        while start > word.start.saturating_sub(LONGEST_NAME) && is_of_path(bytes[start - 1]) {
            start -= 1;
        }
        while end < word.end + LONGEST_NAME && is_of_name(*bytes.get(end)?) {
            end += 1;
        }
        // Reject a name without a separator after it: most words of prose.
        if !b"\"'`\\])}> \t=:,({?|!".contains(bytes.get(end)?) {
            return None;
        }
        let name = text.get(start..end)?;
        let lower = name.to_ascii_lowercase();
        // A table of the schema `public` may have passwords.
        let column = lower.rsplit('.').next().unwrap_or(&lower);
        if contains_any(column, OPEN) {
            return None;
        }
        let core = strip_tail(&lower);
        let is_password = ends_with_any(core, PASSWORDS) && !ends_with_any(core, OTHER_WORDS);
        let is_password = is_password || core == "pw" || core.ends_with("_pw") || name.ends_with("PW");
        // Lists of keys have plural names.
        let is_plural = core.ends_with('s') && !core.ends_with("ss");
        let core = if is_plural { core.trim_end_matches('s') } else { core };
        let is_key = ends_with_any(core, KEYS) || ends_with_any(name, ENV_KEYS);
        (is_password || is_key).then_some(Name { text, start, end, is_password, is_plural })
    }

    /// The secret after the name.
    fn find_secret(&self) -> Option<&'t str> {
        if is_of_another(self.text, self.start, self.end) {
            return None;
        }
        let end = self.text.floor_char_boundary(self.end + NEAR);
        let rest = self.text.get(self.end..end)?;
        if let Some(captures) = BYTES.as_ref()?.captures(rest) {
            return Some(captures.get(1)?.as_str());
        }
        if let Some(captures) = QUOTED.as_ref()?.captures(rest) {
            let value = captures.iter().skip(1).flatten().next()?;
            let gap = rest.get(..value.start())?;
            return self.is_quoted_secret(gap, value.as_str()).then_some(value.as_str());
        }
        if let Some(value) = self.find_plain(rest) {
            let gap = rest.get(..value.start())?;
            // URL parameters follow each other.
            let secret = match value.as_str().split_once('&') {
                Some((first, _)) if value.as_str().contains('=') => first,
                _ => value.as_str(),
            };
            return self.is_plain_secret(gap, secret, rest, value.end()).then_some(secret);
        }
        let pattern = if self.is_option() { &OPTION } else { &SPACED };
        let value = pattern.as_ref()?.captures(rest)?.get(1)?;
        let is_place = self.is_option() || self.is_env() || self.begins_line() && self.is_password;
        let is_place = is_place || is_strong(value.as_str()) && value.len() >= LONG;
        let is_secret = self.is_plain_secret(" ", value.as_str(), rest, value.end());
        (is_place && is_secret).then_some(value.as_str())
    }

    /// The unquoted value after the name.
    fn find_plain(&self, rest: &'t str) -> Option<Match<'t>> {
        if self.is_env()
            && let Some(captures) = ENV.as_ref()?.captures(rest)
        {
            return captures.get(1);
        }
        PLAIN.as_ref()?.captures(rest)?.get(1)
    }

    fn name(&self) -> &'t str {
        // Names are ASCII.
        &self.text[self.start..self.end]
    }

    fn is_quoted_secret(&self, gap: &str, value: &str) -> bool {
        // `PAT` also names regex patterns.
        let is_short_name = ends_with_any(self.name(), ENV_KEYS);
        if self.is_of_phrase() && is_passphrase(value) {
            return true;
        }
        if is_sentence(value) || is_short_name && value.contains(['[', '(', '^', '\\']) {
            return false;
        }
        let name = self.name().to_ascii_lowercase();
        let gap_signs = gap.trim_start_matches(['\\', '"', '\'', '`', ']', ')', ' ', '\t']);
        // A quoted text after a name may not be assigned to it: list elements, arguments and quoted words of prose look the same.
        let is_next = gap.trim_matches(['"', '\'', '`', '@', ' ', ',', '\t']).is_empty();
        let is_definition = is_next && self.is_env();
        // `:password "x"` in Clojure, and `storePassword "x"` as a line of Gradle.
        let is_of_map = is_next && self.text[..self.start].ends_with(':');
        let is_line = is_next && self.is_password && self.begins_line();
        let is_set = gap.starts_with('(') && starts_with_any(&name, &["set", "with"]);
        let is_assigned = is_definition
            || is_of_map
            || is_line
            || is_set
            || gap.contains('=')
            || gap_signs.starts_with([':', '?', '|', '!', '-', '+', '.', '<']);
        let is_password = self.is_password && is_chosen(value) && (is_assigned || is_strong(value));
        let is_short = is_assigned
            && is_strong(value)
            && is_chosen(value)
            && is_mixed(value)
            && value.contains(['+', '!', '@', '#', '%', '^', '&', '*']);
        let is_salt = name.ends_with("salt") && is_mixed(value) && value.len() >= 8 && is_chosen(value);
        if self.is_plural && is_hash(value) {
            return false;
        }
        let before = format!("{}{gap}", self.trimmed_name());
        is_password || is_salt || is_short || is_dense(value, &before) && (is_assigned || is_strong(value))
    }

    fn is_plain_secret(&self, gap: &str, value: &str, rest: &str, end: usize) -> bool {
        let name = self.trimmed_name();
        // `PASS: TestOfSomething2` is the result of a test.
        let is_result = name == "PASS" && !gap.contains('=');
        // A cookie contains its own name.
        if name.to_ascii_lowercase().ends_with("cookie") && value.trim_end_matches('=').contains('=') {
            return false;
        }
        let is_typed = is_plain_secret(value) || is_app_password(value) || is_scrambled(value);
        let is_password = self.is_password && !is_result && is_chosen(value) && is_typed;
        let is_password = is_password || self.is_of_phrase() && gap.contains('=') && is_passphrase(value);
        let before = format!("{name}{gap}");
        // The address behind `<password>` in the template of a URL.
        let is_name = self.is_plural && is_hash(value) || gap.ends_with('>') && value.starts_with('@');
        // The line after a placeholder such as `<your-secret>`.
        let is_name = is_name
            || gap.starts_with('>') && gap.contains('\n') && value.trim_end_matches('=').contains('=');
        !is_name && !is_code_after(rest, end) && (is_password || is_dense(value, &before))
    }

    /// The name without leading `-` and `_`.
    fn trimmed_name(&self) -> &'t str {
        self.name().trim_start_matches(['-', '_'])
    }

    /// Returns true for the name of an environment variable, such as `SHOP_TOKEN`.
    fn is_env(&self) -> bool {
        let name = self.name();
        name.len() > 3 && is_constant_name(name)
    }

    /// Returns true for a name such as `BORG_PASSPHRASE`. Its value may be words.
    fn is_of_phrase(&self) -> bool {
        let name = self.name().to_ascii_lowercase().replace(['_', '-'], "");
        name.ends_with("passphrase")
    }

    fn is_option(&self) -> bool {
        self.name().starts_with('-')
    }

    /// Returns true if the name is the first word of its line, after a prompt or spaces.
    fn begins_line(&self) -> bool {
        let before = &self.text[..self.start];
        let near = &before[before.ceil_char_boundary(before.len().saturating_sub(INDENT))..];
        let line = near.rsplit(['\n', '\r']).next().unwrap_or(near);
        line.trim_matches([' ', '\t', '$', '>', '+', '-', '|']).is_empty() || line.ends_with("\\n")
    }
}

/// Maximum bytes of the prompt or spaces before a name at the start of a line.
const INDENT: usize = 200;

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns true for a byte of a name with dots, such as `shop.token`.
fn is_of_path(byte: u8) -> bool {
    is_of_name(byte) || byte == b'.'
}

/// Strips digits and words such as `_value` from the end of a name.
fn strip_tail(name: &str) -> &str {
    let mut core = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-'));
    for tail in TAILS {
        if let Some(shorter) = core.strip_suffix(tail) {
            core = shorter.trim_end_matches(['_', '-']);
            break;
        }
    }
    core
}
