//! Statics of `Character`. A character is a string of length one.

use std::sync::LazyLock;

use regex::Regex;

use crate::builtins::prelude::*;
use crate::builtins::text::code_point;

/// A character, or its code point, which Java's methods take, too.
pub(super) struct Character(pub char);

from_value! {
    Character: |cx, value| match value.as_character().or_else(|| code_point(value)) {
        Some(character) => Ok(Character(character)),
        None => cx.type_error("a character", value),
    };
}

/// Value of a digit, or -1.
pub(super) fn digit(digit: char, radix: i64) -> i64 {
    let radix = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix));
    radix.and_then(|radix| digit.to_digit(radix)).map_or(-1, i64::from)
}

pub(super) fn upper_case(character: char) -> char {
    single(character, character.to_uppercase())
}

pub(super) fn lower_case(character: char) -> char {
    single(character, character.to_lowercase())
}

/// The changed character, or the original if the change gives several, as in Java.
fn single(original: char, mut changed: impl ExactSizeIterator<Item = char>) -> char {
    if changed.len() == 1 { changed.next().unwrap_or(original) } else { original }
}

pub(super) fn is_digit(character: char) -> bool {
    static DECIMAL_DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Nd}").ok());
    is_in(&DECIMAL_DIGIT, character)
}

pub(super) fn is_letter(character: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{L}").ok());
    is_in(&LETTER, character)
}

pub(super) fn is_space(character: char) -> bool {
    static SPACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Z}").ok());
    is_in(&SPACE, character)
}

fn is_in(class: &Option<Regex>, character: char) -> bool {
    class.as_ref().is_some_and(|class| class.is_match(character.encode_utf8(&mut [0; 4])))
}
