//! Classes of characters.

/// `0` to `9`.
pub fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// `a` to `z` and `A` to `Z`.
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// `a` to `z`.
pub fn is_small_letter(c: char) -> bool {
    c.is_ascii_lowercase()
}

/// `A` to `Z`.
pub fn is_capital(c: char) -> bool {
    c.is_ascii_uppercase()
}

/// A digit, or a letter from `a` to `f`.
pub fn is_hex_digit(c: char) -> bool {
    c.is_ascii_hexdigit()
}

/// Letters, digits, `-` and `_`. Next to an atom, such a character makes it part of a longer word.
pub fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Characters between two words.
pub fn is_between_words(c: char) -> bool {
    !is_of_word(c)
}

/// Letters, digits and `_`.
pub fn is_of_variable(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// One or more digits.
pub fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.as_bytes().iter().all(u8::is_ascii_digit)
}

/// Nothing but letters from `a` to `z`. True for an empty text.
pub fn is_of_small_letters(text: &str) -> bool {
    text.as_bytes().iter().all(u8::is_ascii_lowercase)
}

/// The number of digits in a text.
pub fn count_digits(text: &str) -> usize {
    text.as_bytes().iter().filter(|byte| byte.is_ascii_digit()).count()
}
