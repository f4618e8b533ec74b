//! Keys that are public by design (`public.tsv`): they are in every page and app that uses the service. They stay, because a reader learns
//! from them which account a log is about, and nobody can do more with them than a visitor.

use std::sync::LazyLock;

use regex::Regex;

use super::{begins, ends};

/// A kind of public keys.
#[derive(Clone, Copy, Debug)]
pub struct PublicKey {
    pub name: &'static str,
    pub pattern: &'static str,
    /// A variable or file with the key in place of `#`.
    pub place: &'static str,
    /// A key of the same service that is secret, with `#` in place of its random part.
    pub secret: &'static str,
}

/// All rows of the table.
pub fn public_keys() -> impl Iterator<Item = PublicKey> {
    include_str!("public.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(PublicKey {
            name: columns.next()?,
            pattern: columns.next()?,
            place: columns.next()?,
            secret: columns.next()?,
        })
    })
}

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns: Vec<&str> = public_keys().map(|key| key.pattern).collect();
    Regex::new(&patterns.join("|")).ok()
});

/// Names of rows with an invalid pattern. There are none.
pub fn unusable() -> Vec<&'static str> {
    public_keys().filter(|key| Regex::new(key.pattern).is_err()).map(|key| key.name).collect()
}

/// Finds the public keys in a text.
pub fn find(text: &str) -> Vec<&str> {
    let keys = ANY.iter().flat_map(|any| any.find_iter(text));
    let keys = keys.filter(|key| begins(text, key.start()) && ends(text, key.end()));
    keys.map(|key| key.as_str()).filter(|key| !is_of_courier(key)).collect()
}

/// Returns true for a key such as `pk_test_` with 28 capitals and digits. Courier's servers take it, so it is a secret.
fn is_of_courier(key: &str) -> bool {
    key.strip_prefix("pk_test_").is_some_and(|random| {
        random.len() == 28 && random.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    })
}

/// Returns true if the text is a public key.
pub fn is_public(text: &str) -> bool {
    find(text) == [text]
}
