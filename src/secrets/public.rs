//! Keys that are public by design (`public.tsv`): every page and app of the service contains them. They are not hidden, because they show
//! the account of a log and give no more access than a visitor has.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::is_constant_name;
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
    let mut unusable = Vec::new();
    for key in public_keys() {
        if Regex::new(key.pattern).is_err() {
            unusable.push(key.name);
        }
    }
    unusable
}

/// Finds the public keys in a text.
pub fn find(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let Some(any) = &*ANY else { return found };
    for key in any.find_iter(text) {
        if begins(text, key.start()) && ends(text, key.end()) && !is_of_courier(key.as_str()) {
            found.push(key.as_str());
        }
    }
    found
}

/// Returns true for a key such as `pk_test_` with 28 capitals and digits. Courier's servers accept it, so it is a secret.
fn is_of_courier(key: &str) -> bool {
    let Some(random) = key.strip_prefix("pk_test_") else { return false };
    random.len() == 28 && is_constant_name(random) && !random.contains('_')
}

/// Returns true if the text is a public key.
pub fn is_public(text: &str) -> bool {
    find(text) == [text]
}
