//! Decides whether a value is a secret or a word, number, path, name, placeholder or piece of code.

use std::collections::BTreeSet;

use super::chars::{
    are_alphanumeric_or, are_hex_digits, are_letters, are_lower, are_lower_digits_or, contains_any,
    count_distinct, ends_with_any, has_digit, has_letter, has_lower, has_upper, is_constant_name, is_digit,
    leading_name, longest_consonants, starts_with_any, without_number,
};

/// Maximum bytes of a secret found by the text before it.
pub(super) const LONGEST_VALUE: usize = 8_192;

/// Words in placeholders for secrets.
const PLACEHOLDERS: &[&str] = &[
    "***",
    "...",
    "xxxx",
    "your",
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "replace_",
    "redacted",
    "undefined",
    "process.env",
    "os.environ",
    "getenv",
    "secrets.",
    "[secret",
];

/// Prefixes of public keys, digests and addresses.
const PUBLIC: &[&str] = &[
    "age1", "xpub", "ypub", "zpub", "npub1", "ssh-", "sha1:", "sha256:", "sha256-", "sha384-", "sha512-",
    "sha512:", "md5:", "bc1q", "urn:", "arn:", "http%3a", "https%3a",
];

/// File extensions.
const FILES: &[&str] = &[
    ".pem", ".key", ".crt", ".pub", ".env", ".json", ".yaml", ".yml", ".toml", ".txt", ".conf", ".js", ".ts",
    ".py", ".rs", ".html", ".md",
];

/// Characters of passwords, not of names.
const SIGNS: [char; 11] = ['!', '@', '#', '%', '^', '&', '*', '+', '?', '$', '~'];

/// Characters rarely found in prose.
const SIGNS_NOT_OF_PROSE: &str = "#$%&*+<=>@[\\]^`{|}~";

/// Signs of random passwords. Three of them outweigh the brackets of a template.
const RANDOM_SIGNS: &str = "!@#%^&*+?~|;,[]=";

/// The kind of value expected after some text. The surer the text, the more values are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Any value except a placeholder.
    Exact,
    /// A password chosen by a person, perhaps of words, with a digit or a sign.
    Chosen,
    /// A password in a sentence, perhaps chosen by a person: words joined by signs are prose.
    Said,
    /// A key with random characters.
    Random,
    /// A password of letters, digits and signs.
    Strong,
    /// A short key of letters and digits.
    Short,
    /// A key with capitals, small letters and digits. Excludes hashes.
    Mixed,
    /// A key with capitals, or with letters and digits in no order. Excludes hashes.
    Dense,
    /// A key, a hash or a UUID.
    Opaque,
    /// A list of words, such as the seed phrase of a wallet.
    Phrase,
    /// Joined words and a number, such as `cobalt-pelican-lantern-64`.
    Words,
    /// A one-time number.
    Digits,
}

impl Strength {
    /// Parses the name of a strength in a table.
    pub fn parse(name: &str) -> Option<Strength> {
        Some(match name {
            "exact" => Strength::Exact,
            "chosen" => Strength::Chosen,
            "said" => Strength::Said,
            "random" => Strength::Random,
            "strong" => Strength::Strong,
            "short" => Strength::Short,
            "mixed" => Strength::Mixed,
            "dense" => Strength::Dense,
            "opaque" => Strength::Opaque,
            "phrase" => Strength::Phrase,
            "words" => Strength::Words,
            "digits" => Strength::Digits,
            _ => return None,
        })
    }
}

/// Minimum bytes of a key. [`KEY_BITS`] and [`MIXED_BITS`] are its minimum bits of entropy per byte, [`SHORTEST`] is the minimum for
/// passwords.
const SHORTEST_KEY: usize = 14;
const KEY_BITS: f64 = 2.75;
const MIXED_BITS: f64 = 3.5;
const SHORTEST: usize = 6;

/// Returns true if the value is a secret, given the text around it.
pub fn is_likely(value: &str, strength: Strength) -> bool {
    match strength {
        Strength::Exact => value.len() >= SHORTEST && !is_placeholder(value),
        Strength::Chosen => is_chosen(value),
        Strength::Said => is_chosen(value) && !is_joined(value) && !is_identifier(value) && !is_email(value),
        Strength::Random => is_key(value),
        Strength::Strong => is_strong(value) && is_chosen(value) && has_sign_and_digit(value),
        Strength::Short => is_mixed(value) && is_strong(value) && is_chosen(value),
        Strength::Mixed => is_mixed(value) && is_key(value) && entropy(value) >= MIXED_BITS,
        Strength::Dense => {
            let has_order = is_hash(value) || count_turns(value) < LEAST_TURNS;
            is_likely(value, Strength::Mixed) || is_likely(value, Strength::Opaque) && !has_order
        }
        Strength::Opaque => value.len() >= SHORTEST_KEY && is_secret(value) && !is_words(value),
        Strength::Phrase => {
            let words: BTreeSet<&str> = value.split_whitespace().collect();
            words.len() >= 10 && !words.iter().any(is_common_word)
        }
        Strength::Words => is_passphrase(value) && has_digit(value),
        Strength::Digits => value.len() >= SHORTEST,
    }
}

/// Minimum of [`count_turns`] in a random value of 24 small letters and digits.
const LEAST_TURNS: usize = 6;

/// The number of places where a digit follows a letter, or a letter a digit.
fn count_turns(value: &str) -> usize {
    let mut turns = 0;
    for pair in value.as_bytes().windows(2) {
        let are_alphanumeric = pair.iter().all(u8::is_ascii_alphanumeric);
        turns += usize::from(are_alphanumeric && pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    }
    turns
}

/// Common words of prose. Seed phrases don't contain them.
const COMMON_WORDS: &[&str] = &["the", "and", "for", "with", "this", "are", "from", "not", "was", "must"];

fn is_common_word(word: &&str) -> bool {
    COMMON_WORDS.contains(word)
}

/// Returns true for a password likely to be chosen by a person.
pub fn is_chosen(value: &str) -> bool {
    let is_option = value.starts_with('-');
    value.len() >= SHORTEST
        && (is_secret(value) || is_app_password(value) || is_scrambled(value))
        && !is_option
        && !is_sentence(value)
        && !is_version(value)
        && !is_uuid(value)
}

/// Returns true for letters with more changes of case than a name, such as `MJTbTztHyTiHz`, and for unpronounceable ones, such as
/// `etaghmxtwjdejb`.
pub fn is_scrambled(value: &str) -> bool {
    if value.len() < 10 || !are_letters(value) || is_identifier(value) {
        return false;
    }
    let changes = count_case_changes(value);
    let vowels = value.matches(['a', 'e', 'i', 'o', 'u', 'y', 'A', 'E', 'I', 'O', 'U', 'Y']).count();
    let is_unspeakable = changes == 0 && longest_consonants(value) >= 5 && vowels * 4 <= value.len();
    changes * 4 >= value.len() || is_unspeakable
}

/// The number of places where a capital follows a small letter, or a small letter a capital.
fn count_case_changes(letters: &str) -> usize {
    let mut changes = 0;
    for pair in letters.as_bytes().windows(2) {
        changes += usize::from(pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase());
    }
    changes
}

/// Returns true for an address such as `me2@shop.com`.
fn is_email(value: &str) -> bool {
    let Some((user, host)) = value.split_once('@') else { return false };
    is_plain_name(user) && host.contains('.') && host.split('.').all(is_host_part)
}

fn is_host_part(part: &str) -> bool {
    part.len() >= 2 && are_lower_digits_or(part, b"-")
}

/// Returns true for words of small letters, joined as in `correct-horse-battery-staple`. Only after a name such as `passphrase`.
pub fn is_passphrase(value: &str) -> bool {
    let words: BTreeSet<&str> = value.split(['-', ' ', '.', '_']).collect();
    words.len() >= 4 && words.iter().all(is_word_of_passphrase)
}

fn is_word_of_passphrase(word: &&str) -> bool {
    (2..=12).contains(&word.len())
        && are_lower_digits_or(word, b"")
        && !is_common_word(word)
        && !["pass", "password", "passphrase", "key", "secret", "file"].contains(word)
}

/// Names of algorithms, with digits. They occur after words such as `password`.
const ALGORITHMS: &[&str] = &[
    "sha256",
    "sha512",
    "sha384",
    "sha224",
    "argon2",
    "argon2i",
    "argon2id",
    "base64",
    "base32",
    "oauth2",
    "oauth1",
    "ed25519",
    "x25519",
    "pbkdf2",
    "aes128",
    "aes192",
    "aes256",
    "aes-128",
    "aes-256",
    "rsa2048",
    "rsa4096",
    "utf8mb4",
    "latin1",
    "sha-256",
    "sha-512",
    "md5sum",
    "sha1sum",
    "pkcs12",
    "pkcs11",
    "sha256sum",
    "scram-sha-256",
    "sha512crypt",
    "secp256k1",
    "sigv4a",
    "keccak256",
    "blake2b",
    "blake3",
    "crypt3",
];

/// Returns true for an app password of Google or Apple: sixteen small letters, perhaps in groups of four. Few words of four letters have
/// three consonants in a row or a rare letter, and few of sixteen have four consonants in a row.
pub fn is_app_password(value: &str) -> bool {
    let groups: Vec<&str> = value.split([' ', '-']).collect();
    let vowels = value.matches(['a', 'e', 'i', 'o', 'u']).count();
    match groups.as_slice() {
        [whole] => whole.len() == 16 && are_lower(whole) && vowels <= 5 && longest_consonants(whole) >= 4,
        [_, _, _, _] => {
            let (mut consonants, mut rare) = (0, 0);
            for group in groups {
                if group.len() != 4 || !are_lower(group) {
                    return false;
                }
                consonants = longest_consonants(group).max(consonants);
                rare += usize::from(group.contains(['j', 'k', 'q', 'v', 'w', 'x', 'z']));
            }
            vowels <= 7 && (consonants >= 3 || rare >= 3)
        }
        _ => false,
    }
}

/// Returns true for the name of a package, such as `@shop/cart`.
fn is_package(value: &str) -> bool {
    let Some(name) = value.strip_prefix('@') else { return false };
    let Some((owner, name)) = name.split_once('/') else { return false };
    is_plain_name(owner) && name.split(['/', '@']).all(is_plain_name)
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && are_alphanumeric_or(name, b"_-.")
}

/// Returns true for a version number such as `v2.14.0-beta.3`, or an IP range.
fn is_version(value: &str) -> bool {
    let rest = value.trim_start_matches(['v', '=', '^', '~', '>', '<']);
    let numbers = rest.split(['-', '/', '+']).next().unwrap_or(rest);
    numbers.contains('.') && numbers.split('.').all(is_number)
}

fn is_number(digits: &str) -> bool {
    without_number(digits).is_empty()
}

/// Returns true for hexadecimal digits, perhaps in groups.
pub fn is_hash(value: &str) -> bool {
    value.split('-').all(are_hex_digits)
}

/// Returns true for five groups of hexadecimal digits.
pub fn is_uuid(value: &str) -> bool {
    value.len() == 36 && value.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && is_hash(value)
}

/// Returns true for several words, unless there are as many signs as in a random value.
pub fn is_sentence(value: &str) -> bool {
    let spaces = value.bytes().filter(u8::is_ascii_whitespace).count();
    let has_few_signs = spaces * 8 > value.len() || count_distinct(value, SIGNS_NOT_OF_PROSE) < 4;
    spaces > 0 && has_few_signs && !is_app_password(value)
}

/// Returns true for a value of three character classes that is not a name. It counts as a secret even where names are common.
pub fn is_strong(value: &str) -> bool {
    if value.len() < 8 || value.contains(char::is_whitespace) {
        return false;
    }
    let mut kinds = 0;
    for has_kind in [has_lower(value), has_upper(value), has_digit(value), value.contains(SIGNS)] {
        kinds += usize::from(has_kind);
    }
    kinds >= 3 && !is_words(value) && !is_call(value)
}

/// Returns true for an expression in code, which has fewer kinds of signs than a password.
fn is_call(value: &str) -> bool {
    value.contains(['(', '[', '"']) && SIGNS.iter().filter(|sign| value.contains(**sign)).count() < 3
}

fn has_sign_and_digit(value: &str) -> bool {
    // Punctuation at the end belongs to the sentence.
    let value = value.trim_end_matches(['.', '!', '?']);
    has_digit(value) && value.contains(SIGNS)
}

/// Returns true for a long random value.
fn is_key(value: &str) -> bool {
    let is_possible = is_secret(value) || is_value(value) && is_random(value);
    value.len() >= SHORTEST_KEY
        && is_possible
        && !is_words(value)
        && !is_uuid(value)
        && entropy(value) >= KEY_BITS
}

/// Returns true for capitals, small letters and digits.
pub fn is_mixed(value: &str) -> bool {
    has_upper(value) && has_lower(value) && has_digit(value)
}

/// Returns true for a placeholder: a variable, a template or a word such as `changeme`.
fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let first = value.bytes().next();
    let is_masked = value.bytes().all(|byte| Some(byte) == first);
    is_masked || contains_any(&lower, PLACEHOLDERS) || is_template(value)
}

fn is_template(value: &str) -> bool {
    let has_angles = value.starts_with('<') || value.contains('<') && value.contains('>');
    let has_braces = value.contains('{') && value.contains('}');
    // Random passwords with many signs contain brackets too.
    let is_random = value.len() >= 12 && has_digit(value) && count_distinct(value, RANDOM_SIGNS) >= 3;
    (has_angles || has_braces) && !is_random
        || value.starts_with('%') && value.ends_with('%')
        || contains_any(value, &["${", "$(", "{{", "%s", "%(", "<%"])
        || has_variable(value)
}

/// Returns true if a variable name follows a `$`.
fn has_variable(value: &str) -> bool {
    for (at, _) in value.match_indices('$') {
        let rest = &value[at + 1..];
        let name = leading_name(rest, b"_");
        let is_whole = at == 0 && name.len() == rest.len() && !name.is_empty();
        if is_whole || name.len() >= 3 && is_constant_name(name) && !has_digit(name) {
            return true;
        }
    }
    false
}

/// Returns true for names written by people: words of letters, and numbers, joined by signs or camel case.
pub fn is_words(value: &str) -> bool {
    is_identifier(value) || is_joined(value) || is_numbered_word(value)
}

/// Returns true for small letters followed by up to four digits.
fn is_numbered_word(value: &str) -> bool {
    let word = without_number(value);
    are_lower(word) && value.len() - word.len() <= 4
}

/// Returns true for a name in code, such as `win32api.RegOpenKeyEx`, made of pronounceable words. Random letters change case after two on
/// average, and have long runs of consonants.
pub fn is_identifier(value: &str) -> bool {
    if !are_alphanumeric_or(value, b"_.:") || !has_upper(value) {
        return false;
    }
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let (mut words, mut last) = (0, '.');
    for c in value.chars() {
        let begins_word = c.is_ascii_uppercase() || c.is_ascii_lowercase() && !last.is_ascii_alphabetic();
        words += usize::from(begins_word);
        last = c;
    }
    digits * 6 <= letters && letters >= words * 3 && longest_consonants(value) < 5
}

/// Returns true for several words or numbers joined by signs.
pub fn is_joined(value: &str) -> bool {
    let mut parts = 0;
    for part in value.split(['-', '_', '.', '/', '=', '+']) {
        if part.is_empty() {
            continue;
        }
        if !is_word_or_number(part) {
            return false;
        }
        parts += 1;
    }
    parts > 1
}

/// Returns true for numbers, words, and words with a number such as `file1` and `v2`.
fn is_word_or_number(part: &str) -> bool {
    let word = without_number(part);
    let is_word = are_letters(word) && part.len() - word.len() <= 4;
    word.is_empty() || is_word && part.len() < 16 || part.len() < 4
}

/// Shannon entropy in bits per byte.
pub fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    let mut bits = 0.0;
    for count in counts {
        if count == 0 {
            continue;
        }
        let share = f64::from(count) / length;
        bits -= share * libm::log2(share);
    }
    bits
}

/// Returns false for text written by hand, such as a name with hyphens or the first line of a private key. Digits are not required: Hugging
/// Face keys have none, and neither has one in thirty AWS keys.
pub fn is_random(key: &str) -> bool {
    if has_digit(key) {
        return true;
    }
    let longest = key.split(['-', '_', '.']).max_by_key(|part| part.len()).unwrap_or(key);
    let letters: BTreeSet<char> = longest.chars().collect();
    let capitals = longest.bytes().filter(u8::is_ascii_uppercase).count();
    let has_many = capitals >= 5 && letters.len() > 10 && !is_identifier(longest);
    let is_unspeakable = longest.len() >= 24 && letters.len() > 8 && longest_consonants(longest) >= 5;
    has_many || is_unspeakable
}

/// Returns true for a possible secret: not a word, number, path, name or piece of code.
pub fn is_secret(value: &str) -> bool {
    (has_digit(value) || value.contains(SIGNS)) && is_value(value)
}

/// Words in names of secrets.
const NAME_PARTS: &[&str] =
    &["password", "passwd", "secret", "token", "apikey", "_key", "key_", "-key", "key-"];

/// Like [`is_secret`], but also accepts letters alone.
pub fn is_value(value: &str) -> bool {
    if value.len() > LONGEST_VALUE || !has_letter(value) {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let is_address = value.len() < 20 && lower.starts_with("0x");
    // Parsing accepts exponents too.
    let is_number = is_address || value.parse::<f64>().is_ok();
    let is_constant = value.contains('_') && is_constant_name(value) && is_words(value);
    if is_number || is_constant {
        return false;
    }
    // Kubernetes' sealed secrets are encrypted.
    let is_sealed = value.starts_with("Ag") && value.len() > 200;
    if is_sealed || is_route(value) || is_reference(value) {
        return false;
    }
    // `password: db_password2` names a variable. A key that contains such a word by chance is longer.
    let names_itself =
        value.len() < 30 && are_alphanumeric_or(&lower, b"_-.%:@/") && contains_any(&lower, NAME_PARTS);
    let is_path = starts_with_any(&lower, &["/", "./", "../", "~/", "http:", "https:"]) && !is_base64(value);
    let is_public = starts_with_any(&lower, PUBLIC) || contains_any(&lower, &["::", "://"]);
    let is_name = names_itself || is_path || is_public || ends_with_any(&lower, FILES);
    !is_name
        && !ALGORITHMS.contains(&lower.as_str())
        && !is_package(value)
        && !lower.ends_with(['(', ',', ';'])
        && !is_placeholder(value)
}

/// Returns true for a route of Rails such as `users#show`, or a validation rule such as `required|string`.
fn is_route(value: &str) -> bool {
    value.contains(['#', '|']) && are_lower_digits_or(value, b"#|:/-_.") && !has_digit_inside(value)
}

/// Returns true for a reference in code, such as `&config.secret`.
fn is_reference(value: &str) -> bool {
    let Some(name) = value.strip_prefix(['&', '*']) else { return false };
    is_plain_name(name) && name.contains(['.', '_'])
}

/// Returns true for a digit next to a letter.
fn has_digit_inside(value: &str) -> bool {
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| has_digit(word) && has_letter(word))
}

/// Returns true for a long base64 value. It may begin with a slash, as paths do.
fn is_base64(value: &str) -> bool {
    value.len() >= 40
        && are_alphanumeric_or(value, b"+/=")
        && is_mixed(value)
        && !is_joined(value)
        && entropy(value) >= 4.5
}

/// Returns true for a possible secret without quotes. Types, macros and variables are unquoted too.
pub fn is_plain_secret(value: &str) -> bool {
    if !has_digit(value) || value.starts_with(['*', '&']) {
        return false;
    }
    // A word in a name is shorter.
    let has_long_part = value.split('_').any(|part| part.len() >= 24 && has_digit(part));
    has_long_part || !is_variable(value)
}

/// Returns true for the name of a variable, such as `user_id2`.
pub fn is_variable(value: &str) -> bool {
    value.len() < 24
        && value.contains('_')
        && are_lower_digits_or(value, b"_")
        && !value.starts_with(is_digit)
}
