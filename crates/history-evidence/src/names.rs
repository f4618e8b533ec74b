//! Names in prose: `Mei Lin`, and `Osaka` inside a sentence. At the start of a sentence, a single capitalised word may be any
//! English word, so it is no name.

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
/// Month names and their abbreviations.
pub const MONTHS: [&str; 24] = [
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
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Sept",
    "Oct",
    "Nov",
    "Dec",
];

/// The names in a text, in order.
pub fn find_names(text: &str) -> impl Iterator<Item = Atom> + '_ {
    text.lines().filter(|line| !is_heading(line)).flat_map(names_of_line)
}

/// `## New Features` and `**New Features:**`: capitalised words, but no names.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let bold = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    line.starts_with('#') || bold.is_some_and(|inside| !inside.contains("**"))
}

/// The names in the sentences of a text. Lines of code are skipped.
pub fn names_in_sentences(text: &str) -> impl Iterator<Item = Atom> + '_ {
    lines_with_sentences(text).flat_map(names_of_line)
}

/// The amounts of money in the sentences of a text.
pub fn amounts_in_sentences(text: &str) -> impl Iterator<Item = Atom> + '_ {
    lines_with_sentences(text).flat_map(find_amounts)
}

/// The amounts of money in a line: `$128`.
pub fn find_amounts(line: &str) -> impl Iterator<Item = Atom> + '_ {
    line.split(['$', '€', '£']).skip(1).filter_map(|amount| {
        let digits = amount.split(|c: char| !c.is_ascii_digit() && !",.".contains(c)).next()?;
        Atom::parse_number(digits.trim_end_matches([',', '.'])).filter(Atom::is_long)
    })
}

fn lines_with_sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.trim_start().starts_with(char::is_uppercase) && !line.contains(CODE))
}

/// A word of a line, with its relation to the previous word.
struct Word<'l> {
    text: &'l str,
    is_capitalised: bool,
    /// True if only blanks separate it from the previous word.
    follows: bool,
}

fn names_of_line(line: &str) -> Vec<Atom> {
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
    while from < words.len() {
        let row = words[from..].iter().enumerate();
        let length = row.take_while(|(at, word)| word.is_capitalised && (*at == 0 || word.follows)).count();
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
    let before = from.checked_sub(1).and_then(|before| words.get(before));
    let is_inside = first.follows && before.is_some_and(|before| before.text.starts_with(char::is_lowercase));
    let word = name.first().filter(|_| skipped == 0 && is_inside)?.text;
    (word.chars().count() >= LETTERS && !MONTHS.contains(&word)).then(|| Atom::Literal(word.into()))
}

/// `Osaka`, but neither `JSON` nor `fooBar`.
pub fn is_capitalised(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(char::is_uppercase)
        && characters.clone().next().is_some()
        && characters.all(|c| c.is_lowercase() || c == '\'')
}
