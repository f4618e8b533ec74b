//! Names in prose: `Mei Lin`, and `Osaka` inside a sentence. At the start of a sentence, a single capitalised word may be any
//! English word, so it is no name.

use crate::characters::is_digit;
use crate::matching::Atom;

/// Minimum letters of a single-word name.
const LETTERS: usize = 3;
/// Characters found in lines of code.
const CODE: [char; 11] = ['(', ')', '{', '}', '[', ']', '=', '<', '>', '_', '\\'];
/// Words that begin a sentence or a salutation before a name.
const BEFORE_NAMES: [&str; 32] = [
    "After", "All", "An", "And", "As", "At", "But", "Can", "Dear", "Did", "For", "From", "Hello", "Hi", "If",
    "In", "Is", "My", "No", "On", "Or", "Our", "Please", "Since", "Thank", "Thanks", "The", "This", "To",
    "With", "Yes", "Your",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The names in a text, in order.
pub fn find_names(text: &str) -> Vec<Atom> {
    text.lines().filter(|line| !is_heading(line)).flat_map(names_of_line).collect()
}

/// `## New Features` and `**New Features:**`: capitalised words, but no names.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with('#') {
        return true;
    }
    let Some(rest) = line.strip_prefix("**") else { return false };
    rest.trim_end_matches(':').strip_suffix("**").is_some_and(|inside| !inside.contains("**"))
}

/// The amounts of money in a line: `$128`.
pub fn find_amounts(line: &str) -> Vec<Atom> {
    let mut amounts = Vec::new();
    for after in line.split(['$', '€', '£']).skip(1) {
        let rest = after.trim_start_matches(|c| is_digit(c) || c == ',' || c == '.');
        let digits = after[..after.len() - rest.len()].trim_end_matches([',', '.']);
        if let Some(amount) = Atom::parse_number(digits)
            && amount.is_long()
        {
            amounts.push(amount);
        }
    }
    amounts
}

/// The lines of a text that are sentences and not code.
pub fn lines_with_sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.trim_start().starts_with(char::is_uppercase) && !line.contains(CODE))
}

/// A word of a line, with its relation to the previous word.
struct Word<'l> {
    text: &'l str,
    is_capitalised: bool,
    /// True if only blanks separate it from the previous word.
    follows: bool,
}

/// The names in a line, in order.
pub fn names_of_line(line: &str) -> Vec<Atom> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut is_open = false;
    for token in line.split_whitespace() {
        let text = token.trim_matches(|c: char| !c.is_alphanumeric());
        let starts_bare = token.starts_with(char::is_alphanumeric);
        words.push(Word { text, is_capitalised: is_capitalised(text), follows: is_open && starts_bare });
        is_open = token.ends_with(char::is_alphanumeric);
    }
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(row) = words.get(from..)
        && let Some(first) = row.first()
    {
        let mut length = usize::from(first.is_capitalised);
        if length > 0 {
            length += row[1..].iter().take_while(|word| word.is_capitalised && word.follows).count();
        }
        found.extend(parse_name(&words, from, length));
        from += length.max(1);
    }
    found
}

/// The name in a run of capitalised words, if it is one.
fn parse_name(words: &[Word<'_>], from: usize, length: usize) -> Option<Atom> {
    let row = words.get(from..from + length)?;
    let first = row.first()?;
    let skipped = usize::from(BEFORE_NAMES.contains(&first.text));
    let name = row.get(skipped..)?;
    if name.len() > 1 {
        let texts: Vec<&str> = name.iter().map(|word| word.text).collect();
        return Some(Atom::Literal(texts.join(" ").into()));
    }
    let before = words.get(from.checked_sub(1)?)?;
    if skipped > 0 || !first.follows || !before.text.starts_with(char::is_lowercase) {
        return None;
    }
    let word = first.text;
    let is_long = word.chars().nth(LETTERS - 1).is_some();
    if is_long && !is_month(word) { Some(Atom::Literal(word.into())) } else { None }
}

/// `September`, `Sep` and `Sept`, but not `Marked` or `Maybe`.
pub fn is_month(word: &str) -> bool {
    let is_short = word.len() == 3 || word == "Sept";
    MONTHS.iter().any(|month| *month == word || is_short && month.starts_with(word))
}

/// `Osaka`, but neither `JSON` nor `fooBar`.
pub fn is_capitalised(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase)
        && !characters.as_str().is_empty()
        && characters.all(|c| c.is_lowercase() || c == '\'')
}
