//! Tests of the characters and words in a value, shared by all rules.

/// Vowels. `y` counts as one: words such as `rhythm` are pronounceable.
const VOWELS: &str = "aeiouyAEIOUY";

/// Returns true for an ASCII digit. To be used as a pattern.
pub fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Returns true for an ASCII small letter. To be used as a pattern.
pub fn is_lower(c: char) -> bool {
    c.is_ascii_lowercase()
}

/// Returns true for an ASCII letter or digit. To be used as a pattern.
pub fn is_alphanumeric(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

pub fn has_digit(value: &str) -> bool {
    value.as_bytes().iter().any(u8::is_ascii_digit)
}

pub fn has_lower(value: &str) -> bool {
    value.as_bytes().iter().any(u8::is_ascii_lowercase)
}

pub fn has_upper(value: &str) -> bool {
    value.as_bytes().iter().any(u8::is_ascii_uppercase)
}

pub fn has_letter(value: &str) -> bool {
    value.as_bytes().iter().any(u8::is_ascii_alphabetic)
}

pub fn are_letters(value: &str) -> bool {
    value.as_bytes().iter().all(u8::is_ascii_alphabetic)
}

pub fn are_lower(value: &str) -> bool {
    value.as_bytes().iter().all(u8::is_ascii_lowercase)
}

pub fn are_hex_digits(value: &str) -> bool {
    value.as_bytes().iter().all(u8::is_ascii_hexdigit)
}

/// Returns true if the value consists of letters, digits and these ASCII signs.
pub fn are_alphanumeric_or(value: &str, signs: &[u8]) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(&byte))
}

/// Returns true if the value consists of small letters, digits and these ASCII signs.
pub fn are_lower_digits_or(value: &str, signs: &[u8]) -> bool {
    value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || signs.contains(&byte))
}

/// Returns true for capitals, digits and `_`, as in the names of constants and environment variables.
pub fn is_constant_name(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The name at the start of a text: its letters, digits and these ASCII signs.
pub fn leading_name<'t>(text: &'t str, signs: &[u8]) -> &'t str {
    let mut end = 0;
    for byte in text.bytes() {
        if !byte.is_ascii_alphanumeric() && !signs.contains(&byte) {
            break;
        }
        end += 1;
    }
    // All bytes before `end` are ASCII.
    &text[..end]
}

/// The value without the digits at its end.
pub fn without_number(value: &str) -> &str {
    value.trim_end_matches(is_digit)
}

/// The number of different characters of `signs` in the value.
pub fn count_distinct(value: &str, signs: &str) -> usize {
    signs.chars().filter(|sign| value.contains(*sign)).count()
}

/// The length of the longest run of consonants.
pub fn longest_consonants(value: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in value.chars() {
        let is_consonant = c.is_ascii_alphabetic() && !VOWELS.contains(c);
        run = if is_consonant { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

pub fn contains_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

pub fn starts_with_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.starts_with(word))
}

pub fn ends_with_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.ends_with(word))
}
