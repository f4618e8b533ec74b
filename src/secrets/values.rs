//! Decides whether a value is a secret or a word, number, path, name, placeholder or piece of code.

use std::collections::BTreeSet;

/// Maximum bytes of a secret found by the text before it.
pub(super) const MAX: usize = 8_192;

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
const SIGNS: &str = "!@#%^&*+?$~";

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
            words.len() >= 10 && !words.iter().any(|word| COMMON_WORDS.contains(word))
        }
        Strength::Words => is_passphrase(value) && value.contains(|c: char| c.is_ascii_digit()),
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

/// Returns true for letters that change case more often than those of a name, such as `MJTbTztHyTiHz`, or that nobody could say, such as
/// `etaghmxtwjdejb`.
pub fn is_scrambled(value: &str) -> bool {
    let are_letters = value.chars().all(|c| c.is_ascii_alphabetic());
    let is_upper: Vec<bool> = value.chars().map(|c| c.is_ascii_uppercase()).collect();
    let changes = is_upper.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let vowels = value.chars().filter(|c| "aeiouyAEIOUY".contains(*c)).count();
    let is_unspeakable = changes == 0 && longest_consonants(value) >= 5 && vowels * 4 <= value.len();
    value.len() >= 10
        && are_letters
        && !is_identifier(value)
        && (changes * 4 >= value.len() || is_unspeakable)
}

/// Returns true for an address such as `me2@shop.com`.
fn is_email(value: &str) -> bool {
    let Some((user, host)) = value.split_once('@') else { return false };
    is_plain_name(user) && host.contains('.') && host.split('.').all(is_host_part)
}

fn is_host_part(part: &str) -> bool {
    part.len() >= 2 && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Returns true for words of small letters, joined as in `correct-horse-battery-staple`. Only after a name such as `passphrase`.
pub fn is_passphrase(value: &str) -> bool {
    let words: BTreeSet<&str> = value.split(['-', ' ', '.', '_']).collect();
    let are_words = words.iter().all(|word| {
        (2..=12).contains(&word.len()) && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    });
    let is_prose = words.iter().any(|word| {
        COMMON_WORDS.contains(word)
            || ["pass", "password", "passphrase", "key", "secret", "file"].contains(word)
    });
    words.len() >= 4 && are_words && !is_prose
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
    let are_letters = groups.iter().all(|group| group.chars().all(|c| c.is_ascii_lowercase()));
    let vowels = value.chars().filter(|c| "aeiou".contains(*c)).count();
    match groups.as_slice() {
        [whole] => whole.len() == 16 && are_letters && vowels <= 5 && longest_consonants(whole) >= 4,
        [_, _, _, _] => {
            let is_unspeakable = groups.iter().any(|group| longest_consonants(group) >= 3);
            let rare =
                groups.iter().filter(|group| group.contains(['j', 'k', 'q', 'v', 'w', 'x', 'z'])).count();
            let is_unspeakable = is_unspeakable || rare >= 3;
            groups.iter().all(|group| group.len() == 4) && are_letters && vowels <= 7 && is_unspeakable
        }
        _ => false,
    }
}

/// Returns true for the name of a package, such as `@shop/cart`.
fn is_package(value: &str) -> bool {
    let Some((owner, name)) = value.strip_prefix('@').and_then(|name| name.split_once('/')) else {
        return false;
    };
    is_plain_name(owner) && name.split(['/', '@']).all(is_plain_name)
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// Returns true for a version number such as `v2.14.0-beta.3`, or an IP range.
fn is_version(value: &str) -> bool {
    let rest = value.trim_start_matches(['v', '=', '^', '~', '>', '<']);
    let numbers = rest.split(['-', '/', '+']).next().unwrap_or(rest);
    numbers.contains('.') && numbers.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Returns true for hexadecimal digits, perhaps in groups.
pub fn is_hash(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

/// Returns true for five groups of hexadecimal digits.
pub fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && value.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// Returns true for several words, unless there are as many signs as in a random value.
pub fn is_sentence(value: &str) -> bool {
    let spaces = value.chars().filter(char::is_ascii_whitespace).count();
    let signs: BTreeSet<char> =
        value.chars().filter(|c| c.is_ascii_punctuation() && !".,:;'\"()!?-_/".contains(*c)).collect();
    spaces > 0 && !is_app_password(value) && (spaces * 8 > value.len() || signs.len() < 4)
}

/// Returns true for a value of three character classes that is not a name. It counts as a secret even where names are common.
pub fn is_strong(value: &str) -> bool {
    let kinds: [fn(char) -> bool; 4] = [
        |c| c.is_ascii_lowercase(),
        |c| c.is_ascii_uppercase(),
        |c| c.is_ascii_digit(),
        |c| SIGNS.contains(c),
    ];
    let count = kinds.into_iter().filter(|is_it| value.contains(*is_it)).count();
    let signs: BTreeSet<char> = value.chars().filter(|c| SIGNS.contains(*c)).collect();
    let is_call = value.contains(['(', '[', '"']) && signs.len() < 3;
    value.len() >= 8 && count >= 3 && !is_words(value) && !is_call && !value.contains(char::is_whitespace)
}

fn has_sign_and_digit(value: &str) -> bool {
    // Punctuation at the end belongs to the sentence.
    let value = value.trim_end_matches(['.', '!', '?']);
    value.contains(|c: char| c.is_ascii_digit()) && value.contains(|c: char| SIGNS.contains(c))
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
    value.contains(|c: char| c.is_ascii_uppercase())
        && value.contains(|c: char| c.is_ascii_lowercase())
        && value.contains(|c: char| c.is_ascii_digit())
}

/// Returns true for a placeholder: a variable, a template or a word such as `changeme`.
fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_masked = value.bytes().skip(1).all(|byte| Some(&byte) == value.as_bytes().first());
    PLACEHOLDERS.iter().any(|word| lower.contains(word)) || is_template(value) || is_masked
}

fn is_template(value: &str) -> bool {
    let signs: BTreeSet<char> = value.chars().filter(|c| "!@#%^&*+?~|;,[]=".contains(*c)).collect();
    // Random passwords with many signs contain brackets too.
    let is_random = signs.len() >= 3 && value.len() >= 12 && value.contains(|c: char| c.is_ascii_digit());
    let has_angles = value.starts_with('<') || value.contains('<') && value.contains('>');
    let has_braces = value.contains('{') && value.contains('}');
    let is_bracketed = (has_angles || has_braces) && !is_random;
    let percent = value.starts_with('%') && value.ends_with('%');
    is_bracketed
        || percent
        || ["${", "$(", "{{", "%s", "%(", "<%"].iter().any(|start| value.contains(start))
        || has_variable(value)
}

/// Returns true if a variable name follows a `$`.
fn has_variable(value: &str) -> bool {
    value.match_indices('$').any(|(at, _)| {
        let rest = &value[at + 1..];
        let name = rest.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next().unwrap_or(rest);
        let is_whole = at == 0 && name.len() == rest.len() && !name.is_empty();
        let is_upper = name.len() >= 3 && name.chars().all(|c| c == '_' || c.is_ascii_uppercase());
        is_whole || is_upper
    })
}

/// Returns true for names written by people: words of letters, and numbers, joined by signs or camel case.
pub fn is_words(value: &str) -> bool {
    is_identifier(value) || is_joined(value) || is_numbered_word(value)
}

/// Returns true for small letters followed by up to four digits.
fn is_numbered_word(value: &str) -> bool {
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    word.chars().all(|c| c.is_ascii_lowercase()) && value.len() - word.len() <= 4
}

/// Returns true for a name in code, such as `win32api.RegOpenKeyEx`, made of pronounceable words. Random letters change case after two on
/// average, and have long runs of consonants.
pub fn is_identifier(value: &str) -> bool {
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let is_name = value.chars().all(|c| c.is_ascii_alphanumeric() || "_.:".contains(c));
    let (mut words, mut consonants, mut longest, mut last) = (0, 0, 0, '.');
    for c in value.chars() {
        let begins_word = c.is_ascii_uppercase() || c.is_ascii_lowercase() && !last.is_ascii_alphabetic();
        words += usize::from(begins_word);
        let is_consonant = c.is_ascii_alphabetic() && !"aeiouyAEIOUY".contains(c);
        consonants = if is_consonant { consonants + 1 } else { 0 };
        longest = longest.max(consonants);
        last = c;
    }
    is_name
        && value.contains(|c: char| c.is_ascii_uppercase())
        && digits * 6 <= letters
        && letters >= words * 3
        && longest < 5
}

pub fn is_joined(value: &str) -> bool {
    let parts = value.split(['-', '_', '.', '/', '=', '+']).filter(|part| !part.is_empty());
    parts.clone().count() > 1
        && parts.into_iter().all(|part| {
            let is_number = part.chars().all(|c| c.is_ascii_digit());
            // `file1` and `v2` are words too.
            let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
            let is_word = word.chars().all(|c| c.is_ascii_alphabetic()) && part.len() - word.len() <= 4;
            is_number || is_word && part.len() < 16 || part.len() < 4
        })
}

/// Shannon entropy in bits per byte.
pub fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    let mut bits = 0.0;
    for count in counts.into_iter().filter(|count| *count > 0) {
        let share = f64::from(count) / length;
        bits -= share * libm::log2(share);
    }
    bits
}

/// Returns false for text written by hand, such as a name with hyphens or the first line of a private key. Digits are not required: Hugging
/// Face keys have none, and neither has one in thirty AWS keys.
pub fn is_random(key: &str) -> bool {
    let mut parts = key.split(['-', '_', '.']);
    let longest = parts.by_ref().max_by_key(|part| part.len()).unwrap_or(key);
    let letters: BTreeSet<char> = longest.chars().collect();
    let capitals = longest.chars().filter(char::is_ascii_uppercase).count();
    let has_many = capitals >= 5 && letters.len() > 10 && !is_identifier(longest);
    let is_unspeakable = longest.len() >= 24 && letters.len() > 8 && longest_consonants(longest) >= 5;
    key.contains(|c: char| c.is_ascii_digit()) || has_many || is_unspeakable
}

/// Returns true for a possible secret: not a word, number, path, name or piece of code.
pub fn is_secret(value: &str) -> bool {
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let has_sign = value.contains(|c: char| SIGNS.contains(c));
    (has_digit || has_sign) && is_value(value)
}

/// Like [`is_secret`], but also accepts letters alone.
pub fn is_value(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_name = lower.chars().all(|c| c.is_ascii_alphanumeric() || "_-.%:@/".contains(c));
    // `password: db_password2` names a variable. A key that contains such a word by chance is longer.
    let words = ["password", "passwd", "secret", "token", "apikey", "_key", "key_", "-key", "key-"];
    let names_itself = is_name && value.len() < 30 && words.iter().any(|word| lower.contains(word));
    let starts_path =
        ["/", "./", "../", "~/", "http:", "https:"].iter().any(|start| lower.starts_with(start));
    let is_path = starts_path && !is_base64(value);
    let has_letter = value.contains(|c: char| c.is_ascii_alphabetic());
    let is_placeholder = is_placeholder(value) || lower.ends_with(['(', ',', ';']);
    // Numbers with an exponent, addresses, and constants in code.
    let is_address = value.len() < 20 && lower.starts_with("0x");
    let is_number = is_address || value.parse::<f64>().is_ok();
    let is_constant = value.contains('_')
        && value.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit());
    if value.len() > MAX || is_number || is_constant && is_words(value) {
        return false;
    }
    let is_algorithm = ALGORITHMS.contains(&lower.as_str());
    // Kubernetes' sealed secrets are encrypted. Rails routes and rules of validation are names.
    let is_sealed = value.starts_with("Ag") && value.len() > 200;
    let are_names = lower.contains(['#', '|'])
        && !has_digit_inside(value)
        && lower
            .split(['#', '|', ':', '/', '-', '_', '.'])
            .all(|name| name.chars().all(|c| c.is_ascii_alphanumeric()));
    if is_sealed || are_names && lower == value {
        return false;
    }
    let is_public =
        PUBLIC.iter().any(|start| lower.starts_with(start)) || lower.contains("::") || lower.contains("://");
    // A reference in code.
    let is_reference =
        value.strip_prefix(['&', '*']).is_some_and(|name| is_plain_name(name) && name.contains(['.', '_']));
    let is_file = is_reference || FILES.iter().any(|end| lower.ends_with(end));
    if is_public || is_file {
        return false;
    }
    has_letter && !is_placeholder && !names_itself && !is_path && !is_algorithm && !is_package(value)
}

/// Returns true for a digit next to a letter.
fn has_digit_inside(value: &str) -> bool {
    value.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        word.contains(|c: char| c.is_ascii_digit()) && word.contains(|c: char| c.is_ascii_alphabetic())
    })
}

/// Returns true for a long base64 value. It may begin with a slash, as paths do.
fn is_base64(value: &str) -> bool {
    let is_alphabet = value.chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c));
    value.len() >= 40 && is_alphabet && is_mixed(value) && !is_joined(value) && entropy(value) >= 4.5
}

/// Returns true for a possible secret without quotes. Types, macros and variables are unquoted too.
pub fn is_plain_secret(value: &str) -> bool {
    // A word in a name is shorter.
    let has_long_part =
        value.split('_').any(|part| part.len() >= 24 && part.contains(|c: char| c.is_ascii_digit()));
    value.contains(|c: char| c.is_ascii_digit())
        && !value.starts_with(['*', '&'])
        && (!is_variable(value) || has_long_part)
}

/// Returns true for the name of a variable, such as `user_id2`.
pub fn is_variable(value: &str) -> bool {
    value.contains('_')
        && value.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
        && !value.starts_with(|c: char| c.is_ascii_digit())
        && value.len() < 24
}

/// The length of the longest run of consonants.
fn longest_consonants(value: &str) -> usize {
    let runs = value.split(|c: char| !c.is_ascii_alphabetic() || "aeiouyAEIOUY".contains(c));
    runs.map(str::len).fold(0, usize::max)
}
