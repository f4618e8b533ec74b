//! Atoms, and the search for them in texts. Atoms are matched line by line, so additional lines in a text never hide an atom.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;
use rustc_hash::FxHashSet;

use crate::characters::{
    count_digits, is_between_words, is_capital, is_digit, is_digits, is_hex_digit, is_letter, is_of_word,
    is_small_letter,
};
use crate::layout::{ESCAPES, significant};
use crate::styles::{borders_of_name, words_of_name};
use crate::system_text::SystemText;
use conversation::{Message, NativeCall, Role};

/// Shorter strings are no evidence: they occur in many texts by chance.
const MIN_CHARACTERS: usize = 3;
/// Numbers with fewer digits are no evidence: they occur in many texts by chance.
const MIN_DIGITS: usize = 2;
/// Digits of a hash of git, and of its short forms.
const HASH: usize = 40;
const SHORT_HASHES: RangeInclusive<usize> = 7..=12;
/// Maximum bytes of the start of a word that is looked for. A line of hyphens is one word.
const LONGEST_KEY: usize = 256;
/// Endings of ordinal numbers. Without them, an answer with `29 September` seemed to lack the 29 that its request had as `29th`.
const ORDINALS: [&str; 4] = ["st", "nd", "rd", "th"];
/// Bookkeeping lines of strategies and agents, with the digits removed.
const BOOKKEEPING: [&str; 6] = [
    "Turns left:",
    "Turn  of",
    "=== turn  ===",
    "[output of turn  omitted:  characters]",
    "[summary of turns  to ]",
    "FINAL TURN - you must call (return result) or (fail reason) now.",
];

/// Bytes of a line to compare before its digits are removed: the start of each bookkeeping line has no digits.
const BOOKKEEPING_START: usize = 5;

/// A literal or name used by an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A string, or an identifier inside one.
    Literal(EcoString),
    /// `:name`
    Keyword(EcoString),
    /// In its shortest form: `1234` for `1,234.0`.
    Number(EcoString),
    /// The name of a definition, without namespace.
    Name(EcoString),
    /// A line of code or text, or a sentence, trimmed.
    Line(EcoString),
}

/// An [`Atom`] with a finder for each of its spellings, from [`Atom::prepare_search`].
#[derive(Clone, Debug)]
pub struct Sought {
    atom: Atom,
    spellings: Vec<Finder<'static>>,
}

/// The lines before the first answer. They show no definition, even if they contain its name as a word.
#[derive(Clone, Debug, Default)]
pub struct OpeningLines {
    lines: FxHashSet<EcoString>,
    /// SYSTEM texts shared by several conversations.
    shared: Vec<Arc<SystemText>>,
}

impl OpeningLines {
    /// Returns true for a line of the opening.
    pub fn contains(&self, line: &str) -> bool {
        self.lines.contains(line) || self.shared.iter().any(|text| text.has_line(line))
    }

    /// Collects the lines of these messages.
    pub fn of<'m>(messages: impl Iterator<Item = &'m Message>) -> OpeningLines {
        let mut opening = OpeningLines::default();
        for message in messages {
            let shared = match message.role {
                Role::System => SystemText::of_conversation(&message.content),
                _ => None,
            };
            match shared {
                Some(text) => opening.shared.push(text),
                None => opening.lines.extend(message.content.lines().map(EcoString::from)),
            }
        }
        opening
    }
}

impl Atom {
    /// The text, in the normal form of its variant.
    pub fn text(&self) -> &EcoString {
        match self {
            Atom::Literal(text)
            | Atom::Keyword(text)
            | Atom::Number(text)
            | Atom::Name(text)
            | Atom::Line(text) => text,
        }
    }

    /// The atom of a quoted text. `None` if the text has several lines or is too short to be a fact.
    pub fn of_text(text: &str) -> Option<Atom> {
        if text.contains('\n') || !text.contains(char::is_alphanumeric) {
            return None;
        }
        let atom = if let Some(number) = Atom::parse_number(text) {
            number
        } else if is_keyword(text) {
            Atom::Keyword(text.into())
        } else {
            Atom::Literal(text.into())
        };
        atom.is_long().then_some(atom)
    }

    /// Parses a number, with or without group separators. Digits after a leading zero are a code, not a number.
    pub fn parse_number(text: &str) -> Option<Atom> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let mut groups = whole.split(',');
        let first = groups.next()?;
        let is_code = first.len() > 1 && first.starts_with('0');
        let is_grouped = first != whole;
        if !is_digits(first) || is_code || is_grouped && first.len() > 3 || !is_digits(fraction) {
            return None;
        }
        for group in groups {
            if group.len() != 3 || !is_digits(group) {
                return None;
            }
        }
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        let sign = if text.len() > unsigned.len() { "-" } else { "" };
        Some(Atom::Number(ecow::eco_format!("{sign}{}{point}{fraction}", whole.replace(',', ""))))
    }

    /// Returns false if the atom is too short to be a fact. Names and keywords are always long enough.
    pub fn is_long(&self) -> bool {
        match self {
            Atom::Literal(text) => text.chars().count() >= MIN_CHARACTERS,
            Atom::Number(text) => count_digits(text) >= MIN_DIGITS,
            Atom::Keyword(_) | Atom::Name(_) | Atom::Line(_) => true,
        }
    }

    /// Prepares the atom for searching.
    pub fn prepare_search(&self) -> Sought {
        let mut spellings = Vec::new();
        for spelling in self.list_spellings() {
            spellings.push(Finder::new(spelling.as_bytes()).into_owned());
        }
        Sought { atom: self.clone(), spellings }
    }

    /// The texts to search for.
    pub fn list_spellings(&self) -> Vec<EcoString> {
        let text = self.text();
        let (first, other) = match self {
            Atom::Name(_) | Atom::Line(_) => (text.clone(), None),
            Atom::Literal(_) => (text.clone(), escape_text(text)),
            Atom::Number(_) => (text.clone(), group_digits(text)),
            Atom::Keyword(_) => {
                // In PTC-Lisp, `:list-price` reads the key `list_price` too.
                let name = text.strip_prefix(':').unwrap_or(text);
                (name.into(), name.contains('-').then(|| name.replace('-', "_").into()))
            }
        };
        let mut spellings = vec![first];
        spellings.extend(other);
        spellings
    }

    /// The key word of each spelling. A value that holds the atom contains at least one of them. Empty for names, because
    /// values do not hold names.
    pub fn key_words(&self) -> Vec<EcoString> {
        let keyed = if matches!(self, Atom::Name(_)) { Vec::new() } else { self.keyed_spellings() };
        keyed.iter().map(|spelling| spelling.word().into()).collect()
    }

    /// The spellings that contain a word.
    pub fn keyed_spellings(&self) -> Vec<KeyedSpelling> {
        let mut keyed = Vec::new();
        for text in self.list_spellings() {
            let whole = match self {
                // In a text, the fraction may have more trailing zeros.
                Atom::Number(_) => text.split('.').next().unwrap_or(&text),
                _ => &text,
            };
            if let Some((at, word)) = unescaped_words(whole).max_by_key(|(_, word)| word.len()) {
                keyed.push(KeyedSpelling { key: at..at + word.len(), text });
            }
        }
        keyed
    }

    /// Words contained in every text that shows the atom.
    pub fn words_of_all_spellings(&self) -> impl Iterator<Item = &str> {
        let has_one = match self {
            // In a text, the fraction may have more trailing zeros.
            Atom::Number(text) => !text.contains('.') && group_digits(text).is_none(),
            Atom::Keyword(text) => !text.contains('-'),
            _ => true,
        };
        plain_words(if has_one { self.text() } else { "" })
            .map(|(_, word)| word)
            .filter(|word| !may_be_in_word(word))
    }

    /// Returns true if the spelling between these texts is the atom, and not part of a longer word or number.
    fn fits_between(&self, before: &str, spelling: &str, after: &str) -> bool {
        let (is_touched, next) = (ends_in_word(before), after.chars().next());
        match self {
            Atom::Line(_) => true,
            Atom::Literal(_) | Atom::Name(_) => {
                let begins_inside = spelling.starts_with(is_of_word) && is_touched;
                if begins_inside && !is_after_words(before, spelling) {
                    return false;
                }
                let goes_on = spelling.ends_with(is_of_word) && next.is_some_and(is_of_word);
                if !goes_on || is_plural(spelling, after) {
                    return true;
                }
                // Only the first or the last words of a name show it, not those in its middle.
                !begins_inside
                    && (is_before_line(spelling, after)
                        || is_before_time(spelling, after)
                        || is_before_words(spelling, after)
                        || is_before_hash(spelling, after))
            }
            Atom::Number(_) => !is_touched && !is_fraction(before) && ends_number(spelling, after),
            Atom::Keyword(_) => !is_touched && !next.is_some_and(is_of_word) && is_key(before, after),
        }
    }
}

/// A spelling of an atom with its longest word, used as the index key.
#[derive(Clone, Debug)]
pub struct KeyedSpelling {
    text: EcoString,
    /// Byte range of the word in `text`.
    key: Range<usize>,
}

impl KeyedSpelling {
    pub fn word(&self) -> &str {
        self.text.get(self.key.clone()).unwrap_or(&self.text)
    }

    /// Returns true if the line contains the atom with its key word at byte `at`.
    pub fn stands_at(&self, atom: &Atom, line: &str, at: usize) -> bool {
        let Some(start) = at.checked_sub(self.key.start) else { return false };
        let Some((before, rest)) = line.split_at_checked(start) else { return false };
        let Some(after) = rest.strip_prefix(&*self.text) else { return false };
        atom.fits_between(before, &self.text, after)
    }
}

impl Sought {
    /// The atom searched for.
    pub fn atom(&self) -> &Atom {
        &self.atom
    }

    /// Returns true if a message shows the atom.
    pub fn is_shown(&self, message: &Message, opening: &OpeningLines) -> bool {
        match message.role {
            Role::Assistant => self.stands_in(&message.content) || self.is_called(message.calls()),
            _ => self.is_told(&message.content, opening),
        }
    }

    /// Returns true if a message other than an answer shows the atom. A name must be in a line outside the opening.
    pub fn is_told(&self, text: &str, opening: &OpeningLines) -> bool {
        match self.atom {
            Atom::Name(_) => self.stands_outside(text, |line| opening.contains(line)),
            _ => self.stands_in(text),
        }
    }

    /// Returns true if a call has the atom as its name or in its arguments.
    pub fn is_called(&self, calls: &[NativeCall]) -> bool {
        calls.iter().any(|call| *call.name == **self.atom.text() || self.stands_in(&call.arguments))
    }

    /// Returns true if the text contains the atom, ignoring lines with the atom as their line number.
    pub fn stands_beside_numbers(&self, text: &str) -> bool {
        let number = self.atom.text().as_str();
        self.stands_outside(text, |line| line_number(line).is_some_and(|own| own.to_string() == number))
    }

    /// Returns true if the text contains the number. Ignores it as a line number in the output of `grep -n`, unless the facts
    /// include the file's path.
    pub fn stands_beside_places(&self, text: &str, facts: &[Atom]) -> bool {
        self.stands_outside(text, |line| {
            let Some((path, number)) = place_of_line(line) else { return false };
            number == self.atom.text().as_str() && !has_path(facts, path)
        })
    }

    /// Returns true if the number only numbers a heading: `### 12. Setup`.
    pub fn numbers_heading(&self, line: &str) -> bool {
        let title = line.trim_start_matches(['#', ' ', '*']);
        line.starts_with('#')
            && title.strip_prefix(self.atom.text().as_str()).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Returns true if the line has the number as the number of a line: `12: code`, `src/a.rs:12`, `line 12`, `offset=12`.
    pub fn stands_as_position(&self, line: &str) -> bool {
        let number = self.atom.text().as_str();
        for (at, _) in line.match_indices(number) {
            let (before, rest) = line.split_at(at);
            let after = &rest[number.len()..];
            if self.atom.fits_between(before, number, after) && is_position(before, after) {
                return true;
            }
        }
        false
    }

    /// Returns true if the atom is a name that may also be found inside a longer one.
    pub fn is_of_several_words(&self) -> bool {
        matches!(&self.atom, Atom::Literal(name) if words_of_name(name).len() > 1)
    }

    /// Returns true if the text has the name alone, and not only inside a longer one.
    pub fn is_named(&self, text: &str) -> bool {
        let name = self.atom.text().as_str();
        for (at, _) in text.match_indices(name) {
            let (before, rest) = text.split_at(at);
            if !ends_in_word(before) && !rest[name.len()..].starts_with(is_of_word) {
                return true;
            }
        }
        false
    }

    /// Returns true if the atom spans several lines.
    pub fn has_lines(&self) -> bool {
        self.atom.text().contains('\n')
    }

    /// Returns true if the text contains the atom outside of bookkeeping lines.
    pub fn stands_in(&self, text: &str) -> bool {
        self.stands_outside(text, |_| false)
    }

    fn stands_outside(&self, text: &str, is_ignored: impl Fn(&str) -> bool) -> bool {
        if let Atom::Line(line) = &self.atom {
            let line: String = significant(line).collect();
            return significant(text).collect::<String>().contains(&line);
        }
        for spelling in &self.spellings {
            let mut from = 0;
            while let Some(rest) = text.as_bytes().get(from..)
                && let Some(found) = spelling.find(rest)
            {
                let start = from + found;
                let (before, rest) = text.split_at(start);
                let (match_, after) = rest.split_at(spelling.needle().len());
                if !self.atom.fits_between(before, match_, after) {
                    from = start + rest.chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                let lines = lines_around(text, start..start + match_.len());
                let line = &text[lines.clone()];
                if !is_bookkeeping(line) && !is_ignored(line) {
                    return true;
                }
                from = lines.end;
            }
        }
        false
    }
}

/// `:price`, but neither `: price` nor `::price`.
fn is_keyword(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|name| !name.contains([' ', ':']))
}

/// Returns true if a fact is this path, its end, or a longer path.
fn has_path(facts: &[Atom], path: &str) -> bool {
    facts.iter().any(|fact| fact.text().ends_with(path) || path.ends_with(fact.text().as_str()))
}

/// The byte range of the lines with a part of `found`.
fn lines_around(text: &str, found: Range<usize>) -> Range<usize> {
    let start = text[..found.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[found.end..].find('\n').map_or(text.len(), |at| found.end + at);
    start..end
}

/// The number at the start of a line: `12\tcode`, `12→code`, `12: code`, `12|code`.
pub fn line_number(line: &str) -> Option<u64> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(is_digit);
    if !rest.trim_start_matches(' ').starts_with(['\t', '→', '|', '│', ':']) {
        return None;
    }
    line.get(..line.len() - rest.len())?.parse().ok()
}

/// Returns true if a number between these texts of a line is the number of a line.
fn is_position(before: &str, after: &str) -> bool {
    if before.trim().is_empty() {
        return after.starts_with('-')
            || after.trim_start_matches(' ').starts_with(['\t', '→', '|', '│', ':']);
    }
    let name = words(before).last().unwrap_or("").to_lowercase();
    let is_named = name.contains("line") || name.contains("offset");
    is_named || before.ends_with([':', '(', '+', '-', '#']) && !after.starts_with('%')
}

/// The path and line number at the start of a line printed by `grep -n`: `src/a.rs:12:code`.
fn place_of_line(line: &str) -> Option<(&str, &str)> {
    let (path, rest) = line.trim_start().split_once(':')?;
    let (number, _) = rest.split_once(':')?;
    let is_path = path.contains(['/', '.']) && !path.contains(char::is_whitespace);
    (is_path && is_digits(number)).then_some((path, number))
}

/// Splits a text into words, the runs of `is_of_word` characters. A word after an escaped line break is returned twice: with
/// the letter of the escape, and without it.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    unescaped_words(text).map(|(_, word)| word)
}

/// Visits the possible index keys in a text, each with its byte offset. Besides the whole word, these are: an ordinal without its
/// ending, a path's end without the line number, a date without its time, and the first or last words of a longer name.
pub fn visit_possible_keys<'t>(text: &'t str, mut visit: impl FnMut(usize, &'t str)) {
    for (at, word) in plain_words(text) {
        visit_keys_of_word(at, word, &mut visit);
        if let Some((at, rest)) = unescape_word(text, at, word) {
            visit_keys_of_word(at, rest, &mut visit);
        }
    }
}

fn visit_keys_of_word<'t>(at: usize, word: &'t str, visit: &mut impl FnMut(usize, &'t str)) {
    visit(at, word);
    if let Some(singular) = word.strip_suffix('s') {
        visit(at, singular);
    }
    for border in borders_of_name(word).take_while(|border| *border <= LONGEST_KEY) {
        let (first, last) = word.split_at(border);
        let last = last.strip_prefix('_').unwrap_or(last);
        visit(at, first);
        visit(at + word.len() - last.len(), last);
        if let Some(singular) = last.strip_suffix('s') {
            visit(at + word.len() - last.len(), singular);
        }
    }
    // Every other key needs a hyphen or a digit, and most words have neither.
    if !word.bytes().any(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return;
    }
    for (end, _) in word.match_indices('-').take_while(|(end, _)| *end <= LONGEST_KEY) {
        if end > 0 {
            visit(at, &word[..end]);
        }
    }
    for part in [cardinal_of(word), find_date(word)].into_iter().flatten() {
        visit(at, part);
    }
    if is_hash(word) {
        for short in SHORT_HASHES {
            visit(at, &word[..short]);
        }
    }
}

fn unescaped_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    plain_words(text)
        .flat_map(|(at, word)| [Some((at, word)), unescape_word(text, at, word)].into_iter().flatten())
}

/// `total` of `ntotal` in `\ntotal`, with its byte offset
fn unescape_word<'t>(text: &str, at: usize, word: &'t str) -> Option<(usize, &'t str)> {
    if !text.get(..at)?.ends_with('\\') {
        return None;
    }
    let rest = word.strip_prefix(ESCAPES)?;
    (!rest.is_empty()).then_some((at + 1, rest))
}

/// `2026-05-13` of `2026-05-13T10`
fn find_date(word: &str) -> Option<&str> {
    let (date, time) = word.split_once('T')?;
    (is_date(date) && time.starts_with(is_digit)).then_some(date)
}

/// `2026-05-13`
fn is_date(word: &str) -> bool {
    if word.len() != 10 {
        return false;
    }
    for (at, byte) in word.bytes().enumerate() {
        let is_part = if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() };
        if !is_part {
            return false;
        }
    }
    true
}

/// `20` of `20th`
fn cardinal_of(word: &str) -> Option<&str> {
    let number = ORDINALS.iter().find_map(|ending| word.strip_suffix(ending))?;
    number.ends_with(is_digit).then_some(number)
}

/// The words of a text, each with its byte offset.
pub fn plain_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_of_word)?;
        let rest = &text[start..];
        let word = &rest[..rest.find(is_between_words).unwrap_or(rest.len())];
        at = start + word.len();
        Some((start, word))
    })
}

/// Returns true if the text ends inside a word. The letter of `\n` is not part of a word, since call arguments and many results
/// are JSON.
fn ends_in_word(before: &str) -> bool {
    let mut characters = before.chars().rev();
    match characters.next() {
        Some(escape) if ESCAPES.contains(&escape) => characters.next() != Some('\\'),
        last => last.is_some_and(is_of_word),
    }
}

/// The text as escaped inside a JSON string; `None` if it is the same, or has other words.
fn escape_text(text: &str) -> Option<EcoString> {
    if text.contains(char::is_control) {
        return None;
    }
    let quoted = serde_json::Value::from(text).to_string();
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))?;
    (inside != text).then(|| inside.into())
}

/// Returns true for a bookkeeping line, such as `Turns left: 3`.
pub fn is_bookkeeping(line: &str) -> bool {
    let line = line.trim_start_matches([';', ' ']);
    let Some(start) = line.as_bytes().get(..BOOKKEEPING_START) else { return false };
    if !BOOKKEEPING.iter().any(|known| known.as_bytes().starts_with(start)) {
        return false;
    }
    let mut bare = line.to_owned();
    bare.retain(|c| !c.is_ascii_digit());
    BOOKKEEPING.contains(&bare.trim())
}

/// Returns true for a path before a line number, as in the context lines of `grep`: `src/a.rs-12-code`.
fn is_before_line(path: &str, after: &str) -> bool {
    let Some(number) = after.strip_prefix('-') else { return false };
    let rest = number.trim_start_matches(is_digit);
    path.contains('/') && rest.len() < number.len() && rest.starts_with('-')
}

/// Returns true for a date before a time, as in `2026-05-13T10:00`.
fn is_before_time(date: &str, after: &str) -> bool {
    let Some(time) = after.strip_prefix('T') else { return false };
    is_date(date) && time.starts_with(is_digit)
}

/// Returns true for a date or a name of several words: these can also be matched inside a longer word.
fn may_be_in_word(word: &str) -> bool {
    is_date(word)
        || is_before_hash(word, &"0".repeat(HASH.saturating_sub(word.len())))
        || words_of_name(word).len() > 1
}

/// Returns true for the first words of a longer name, such as `tree-sitter` in `tree-sitter-c-sharp` and `readLine` in
/// `readLineOf`.
fn is_before_words(name: &str, after: &str) -> bool {
    let goes_on = match after.strip_prefix(['-', '_']) {
        Some(rest) => rest.starts_with(is_letter),
        None => after.starts_with(is_capital) && name.ends_with(is_small_letter),
    };
    goes_on && ends_in_words(name)
}

/// Returns true for a name of several words before its plural's `s`.
fn is_plural(name: &str, after: &str) -> bool {
    after.strip_prefix('s').is_some_and(|rest| !rest.starts_with(is_of_word)) && ends_in_words(name)
}

/// Returns true if the last name in the text has several words.
fn ends_in_words(text: &str) -> bool {
    words_of_name(text.rsplit(is_between_words).next().unwrap_or(text)).len() > 1
}

/// Returns true for the short form of a hash of git.
fn is_before_hash(short: &str, after: &str) -> bool {
    let rest = after.trim_start_matches(is_hex_digit);
    SHORT_HASHES.contains(&short.len())
        && short.len() + after.len() - rest.len() == HASH
        && !rest.starts_with(is_of_word)
        && is_hex(short)
}

/// Returns true for a whole hash of git.
fn is_hash(word: &str) -> bool {
    word.len() == HASH && is_hex(word)
}

fn is_hex(word: &str) -> bool {
    word.as_bytes().iter().all(u8::is_ascii_hexdigit)
}

/// Returns true for the last words of a longer name, such as `ReadLine` in `mustReadLine`.
fn is_after_words(before: &str, name: &str) -> bool {
    let first = name.split(is_between_words).next().unwrap_or(name);
    let follows = match before.strip_suffix('_') {
        Some(rest) => rest.ends_with(is_letter),
        None => before.ends_with(is_small_letter) && name.starts_with(is_capital),
    };
    follows && words_of_name(first).len() > 1
}

/// Returns true if a number after this text would be the fraction of another number.
fn is_fraction(before: &str) -> bool {
    before.strip_suffix('.').is_some_and(|whole| whole.ends_with(is_digit))
}

/// Returns true if the digits after a number do not change its value.
fn ends_number(spelling: &str, after: &str) -> bool {
    let is_fraction = spelling.contains('.');
    let digits = if is_fraction { Some(after) } else { after.strip_prefix('.') };
    let end = match digits {
        Some(digits) if digits.starts_with(is_digit) => digits.trim_start_matches('0'),
        _ => after,
    };
    !end.starts_with(is_of_word) || !is_fraction && is_ordinal_ending(end)
}

/// Returns true if the text begins with the ending of an ordinal: `20th` is 20.
fn is_ordinal_ending(after: &str) -> bool {
    let ending = ORDINALS.iter().find_map(|ending| after.strip_prefix(ending));
    ending.is_some_and(|rest| !rest.starts_with(is_of_word))
}

/// `1,234` of `1234`
fn group_digits(number: &str) -> Option<EcoString> {
    let end = number.find('.').unwrap_or(number.len());
    let (whole, fraction) = number.split_at(end);
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    if digits.len() <= 3 || !is_digits(digits) {
        return None;
    }
    let mut grouped = EcoString::from(sign);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped.push_str(fraction);
    Some(grouped)
}

/// Returns true if the name between these texts is a keyword, a key of a map or a parameter of a signature.
fn is_key(before: &str, after: &str) -> bool {
    let last = before.chars().next_back();
    if last == Some(':') {
        return !before.trim_end_matches(':').ends_with(is_of_word);
    }
    let is_quoted = matches!(last, Some('"' | '\'')) && after.chars().next() == last;
    is_quoted || after.trim_start_matches(' ').starts_with([':', '='])
}
