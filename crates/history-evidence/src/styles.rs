//! Styles of names: `user_id`, `userId` and `UserID` are one name. A model that sees one of them can write the others.

use crate::names::is_capitalised;

/// Maximum number of words of a name.
const WORDS: usize = 6;
/// Minimum digits of a number that identifies something. Shorter ones are in many texts.
const DIGITS: usize = 5;

/// `user_id`, `user-id`, `userid`, `userId`, `UserId` and `USER_ID` for any of them, `user id` for `user_id` and `user-id`, and
/// `invoice` for `Invoice`, and `Gift Card 6276644` for `gift_card_6276644`. Words of prose are no other style of `userId`: any text about users has them.
pub fn other_styles(name: &str) -> Vec<String> {
    if let Some((kind, number)) = split_number(name) {
        let words: Vec<String> =
            words_of_name(kind).iter().map(|word| capitalise(&word.to_lowercase())).collect();
        let title = words.join(" ");
        return vec![format!("{title} {number}"), format!("{} {number}", title.to_lowercase())];
    }
    let words = words_of_name(name);
    if words.len() == 1 && is_capitalised(name) {
        return vec![name.to_lowercase()];
    }
    if !(2..=WORDS).contains(&words.len()) {
        return Vec::new();
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let pascal: String = words.iter().map(|word| capitalise(word)).collect();
    let camel = lower.first().cloned().unwrap_or_default()
        + &words[1..].iter().map(|word| capitalise(word)).collect::<String>();
    let mut styles = vec![lower.join("_"), lower.join("-"), lower.concat(), camel, pascal];
    styles.push(lower.join("_").to_uppercase());
    if name.contains(['_', '-']) {
        styles.push(lower.join(" "));
    }
    styles.retain(|style| style != name);
    styles
}

/// `user` and `ID` of `userID`, `user_ID` and `user-ID`. None for a text with other marks or digits.
pub fn words_of_name(name: &str) -> Vec<&str> {
    if !name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'-') {
        return Vec::new();
    }
    let mut words = Vec::new();
    for part in name.split(['_', '-']).filter(|part| !part.is_empty()) {
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

/// `gift_card` and `6276644` of `gift_card_6276644`
fn split_number(name: &str) -> Option<(&str, &str)> {
    let (kind, number) = name.rsplit_once(['_', '-'])?;
    let is_number = number.len() >= DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !words_of_name(kind).is_empty()).then_some((kind, number))
}

fn capitalise(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// The byte offsets of the later words of a name: 4 in `userId` and `user_id`.
pub fn borders_of_name(name: &str) -> impl Iterator<Item = usize> + '_ {
    let pairs = name.as_bytes().windows(2).enumerate();
    let borders = pairs
        .filter(|(_, pair)| pair[1] == b'_' || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    borders.map(|(at, _)| at + 1)
}
