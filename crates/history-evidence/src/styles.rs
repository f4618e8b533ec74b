//! Styles of names: `user_id`, `userId` and `UserID` are one name. A model that sees one of them can write the others.

use crate::characters::is_digits;
use crate::names::is_capitalised;

/// Maximum number of words of a name.
const WORDS: usize = 6;
/// Minimum digits of a number that identifies something. Shorter ones are in many texts.
const DIGITS: usize = 5;

/// `user_id`, `user-id`, `userid`, `userId`, `UserId` and `USER_ID` for any of them, `user id` for `user_id` and `user-id`, and
/// `invoice` for `Invoice`, and `Gift Card 6276644` for `gift_card_6276644`. Words of prose are no other style of `userId`: any text about users has them.
pub fn other_styles(name: &str) -> Vec<String> {
    if let Some((kind, number)) = split_number(name) {
        let lower = words_of_name(kind).join(" ").to_lowercase();
        let title: Vec<String> = lower.split(' ').map(capitalise).collect();
        return vec![format!("{} {number}", title.join(" ")), format!("{lower} {number}")];
    }
    let words = words_of_name(name);
    if words.len() == 1 && is_capitalised(name) {
        return vec![name.to_lowercase()];
    }
    if !(2..=WORDS).contains(&words.len()) {
        return Vec::new();
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let pascal: Vec<String> = words.iter().copied().map(capitalise).collect();
    let camel = lower[0].clone() + &pascal[1..].concat();
    let mut styles = vec![lower.join("_"), lower.join("-"), lower.concat(), camel, pascal.concat()];
    styles.push(lower.join("_").to_uppercase());
    if name.contains(['_', '-']) {
        styles.push(lower.join(" "));
    }
    styles.retain(|style| style != name);
    styles
}

/// `user` and `ID` of `userID`, `user_ID` and `user-ID`. None for a text with other marks or digits.
pub fn words_of_name(name: &str) -> Vec<&str> {
    if !name.as_bytes().iter().all(is_of_plain_name) {
        return Vec::new();
    }
    let mut words = Vec::new();
    for part in name.split(['_', '-']) {
        if part.is_empty() {
            continue;
        }
        let (mut start, bytes) = (0, part.as_bytes());
        for at in 1..bytes.len() {
            let ends_acronym = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if bytes[at].is_ascii_uppercase() && (bytes[at - 1].is_ascii_lowercase() || ends_acronym) {
                words.push(&part[start..at]);
                start = at;
            }
        }
        words.push(&part[start..]);
    }
    words
}

fn is_of_plain_name(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-')
}

/// `gift_card` and `6276644` of `gift_card_6276644`
fn split_number(name: &str) -> Option<(&str, &str)> {
    let (kind, number) = name.rsplit_once(['_', '-'])?;
    let is_number = number.len() >= DIGITS && is_digits(number);
    (is_number && !words_of_name(kind).is_empty()).then_some((kind, number))
}

fn capitalise(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// The byte offsets of the later words of a name: 4 in `userId` and `user_id`.
pub fn borders_of_name(name: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = name.as_bytes();
    (1..bytes.len()).filter(|&at| {
        bytes[at] == b'_' || bytes[at - 1].is_ascii_lowercase() && bytes[at].is_ascii_uppercase()
    })
}
