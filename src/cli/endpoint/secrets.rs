//! Hides secrets of an endpoint from files, logs and messages.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode, percent_encode_byte};

/// Replaces a secret.
const HIDDEN: &str = "***";
/// Characters percent-encoded by most programs: all but the unreserved ones (RFC 3986, 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// Minimum length of a key to search for in answers. Shorter keys could occur by chance: local servers accept keys such as `none`.
const RANDOM: usize = 16;

/// The key, user information and query of an endpoint.
pub(super) struct Secrets {
    /// In lower case, longest first, because one may contain another.
    words: Vec<String>,
    /// Spellings of the key, in lower case.
    key: Vec<String>,
}

impl Secrets {
    pub(super) fn new(url: &str, key: Option<&str>) -> Secrets {
        let (_, user, rest) = split_url(url);
        let query = rest.split_once('?').map_or("", |(_, query)| query);
        let values = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
        let raw = [user, query].into_iter().chain(user.splitn(2, ':')).chain(values).chain(key);
        let mut words: Vec<String> = raw
            .flat_map(|word| [word.to_string(), percent_decode_str(word).decode_utf8_lossy().into_owned()])
            .filter(|word| !word.is_empty())
            .flat_map(|word| encodings_of(&word))
            .collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let key = key.filter(|key| key.len() >= RANDOM).map(encodings_of).unwrap_or_default();
        Secrets { words, key }
    }

    /// Replaces all secrets in a text.
    pub(super) fn hide(&self, text: &str) -> String {
        self.words.iter().fold(text.to_string(), |text, word| mask_word(&text, word))
    }

    /// Replaces only the key, in a URL. Some gateways have it in the path.
    pub(super) fn hide_key(&self, text: &str) -> String {
        self.key.iter().fold(text.to_string(), |text, word| mask_word(&text, word))
    }

    /// Returns true if an answer contains the key.
    pub(super) fn are_in(&self, answer: &str) -> bool {
        let answer = answer.to_ascii_lowercase();
        self.key.iter().any(|key| answer.contains(key.as_str()))
    }
}

/// Possible spellings of a secret in a server's reply, in lower case.
fn encodings_of(word: &str) -> Vec<String> {
    let everything = word.bytes().map(percent_encode_byte).collect::<String>();
    let [signs, reserved] =
        [NON_ALPHANUMERIC, RESERVED].map(|signs| percent_encode(word.as_bytes(), signs).to_string());
    let mut spellings = vec![word.to_string(), BASE64_STANDARD.encode(word), signs, reserved, everything];
    spellings.iter_mut().for_each(|spelling| spelling.make_ascii_lowercase());
    spellings.dedup();
    spellings
}

/// Replaces a lower-case word in the text, ignoring case.
fn mask_word(text: &str, word: &str) -> String {
    let (lower, mut hidden, mut end) = (text.to_ascii_lowercase(), String::new(), 0);
    for (start, _) in lower.match_indices(word) {
        // `to_ascii_lowercase` keeps all byte offsets.
        hidden += &text[end..start];
        hidden += HIDDEN;
        end = start + word.len();
    }
    hidden + &text[end..]
}

/// A URL without user information and query.
pub(super) fn shown(url: &str) -> String {
    let (scheme, _, rest) = split_url(url);
    format!("{scheme}{}", rest.split_once(['?', '#']).map_or(rest, |(path, _)| path))
}

/// Splits a URL into scheme, user information and the rest. Everything up to the last `@` counts as user information: in a malformed URL, a
/// password may contain any character.
fn split_url(url: &str) -> (&str, &str, &str) {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = url.split_at_checked(after_scheme).unwrap_or(("", url));
    let (user, rest) = rest.rsplit_once('@').unwrap_or(("", rest));
    (scheme, user, rest)
}
