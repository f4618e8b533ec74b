//! Identifiers inside a text: numbers, paths, names in code and quoted names, but no English words.

use crate::characters::{
    count_digits, is_capital, is_digit, is_digits, is_hex_digit, is_of_small_letters, is_of_variable,
};
use crate::common::value_of_call;
use crate::matching::Atom;
use crate::names::is_month;

/// Lengths in bytes of a quoted text that may be a name.
const QUOTED: std::ops::RangeInclusive<usize> = 3..=60;
/// Maximum digits of a count before an English word.
const COUNTED: usize = 3;
/// Maximum letters in each part of a pattern's ending: `.test.tsx`.
const ENDING: usize = 5;
/// Characters allowed inside an identifier besides letters and digits.
const MARKS: &str = "_-/.:@,";
/// Marks around a quoted text.
const QUOTES: [char; 3] = ['"', '\'', '`'];
/// Marks before an estimated number.
const ESTIMATES: [char; 2] = ['~', '≈'];
/// Marks between the host, the port, and the names and numbers in the path of an address.
const BETWEEN_PARTS: [char; 8] = ['/', ':', '@', '?', '&', '=', '#', ','];

/// The identifiers of a text: those in words, in quotes, and in addresses.
pub fn identifiers(text: &str) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut follows_month = false;
    for word in words_with_marks(text) {
        // Results write a date as `2024-05-20`. In tau-bench, the day of `May 20` matched a departure at `20:30`.
        if !(follows_month && is_day(word.text)) {
            add_word(&word, &mut atoms);
        }
        follows_month = is_month(word.text);
    }
    for line in text.lines() {
        add_quoted(line, &mut atoms);
    }
    for address in find_addresses(text) {
        atoms.extend(address.split(BETWEEN_PARTS).filter_map(part_of_address));
    }
    atoms
}

/// A word with the marks allowed in identifiers, and the text after it.
struct MarkedWord<'t> {
    text: &'t str,
    after: &'t str,
    is_estimate: bool,
}

/// The words of a text without escape letters: `\nSecond` gives `Second`.
fn words_with_marks(text: &str) -> Vec<MarkedWord<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_of_identifier) {
        let (before, rest) = text.split_at(at + start);
        let word = &rest[..rest.find(|c| !is_of_identifier(c)).unwrap_or(rest.len())];
        at = before.len() + word.len();
        if before.ends_with('*') && is_ending(word) {
            continue;
        }
        let text = match before.chars().next_back() {
            // Of `**/cart/*.ts`, only names are facts. `**/tmp/report**` is a path in bold.
            Some('*') if word.ends_with('/') || !rest[word.len()..].starts_with("**") => {
                word.trim_start_matches('/')
            }
            Some('\\') => skip_escape(word),
            Some('$') => skip_variable(word),
            // Every home folder has such files: `~/.config`.
            Some('~') => word.trim_start_matches(['/', '.']),
            _ => word,
        };
        // The rest of `trace`/trajectory is not a path.
        let text = if is_after_code(before) { text.trim_start_matches('/') } else { text };
        let is_estimate = before.trim_end().ends_with(ESTIMATES);
        words.push(MarkedWord { text, after: &rest[word.len()..], is_estimate });
    }
    words
}

pub fn is_of_identifier(c: char) -> bool {
    c.is_alphanumeric() || MARKS.contains(c)
}

/// Returns true after the closing backtick of code in prose.
fn is_after_code(before: &str) -> bool {
    let Some(code) = before.strip_suffix('`') else { return false };
    code.ends_with(char::is_alphanumeric) || code.ends_with(')')
}

/// `src/cart.js` of `../src/cart.js`: the absolute path has the same ending.
fn without_dots(path: &str) -> &str {
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("../").or(rest.strip_prefix("./")) {
        rest = after;
    }
    rest
}

/// `report.csv` of `$OUT/report.csv`. A variable alone stays, and so does an amount of money.
fn skip_variable(word: &str) -> &str {
    let rest = word.trim_start_matches(is_of_variable);
    let name = rest.trim_start_matches(['/', '.']);
    if name.len() < rest.len() && name.starts_with(char::is_alphabetic) { name } else { word }
}

/// Removes the escape from a word after a backslash.
fn skip_escape(word: &str) -> &str {
    if let Some(rest) = word.strip_prefix(['n', 't', 'r', '0']) {
        return rest;
    }
    match word.strip_prefix(['x', 'u']) {
        Some(code) => code.trim_start_matches(is_hex_digit),
        None => word,
    }
}

/// `13`, `13,`
fn is_day(word: &str) -> bool {
    matches!(word.trim_end_matches([',', '.']).parse::<u8>(), Ok(1..=31))
}

/// Adds a number with its commas, or the identifiers separated by commas.
fn add_word(word: &MarkedWord<'_>, atoms: &mut Vec<Atom>) {
    let MarkedWord { text, after, is_estimate } = *word;
    let text = value_of_call(text, after).unwrap_or(text);
    let word = text.trim_start_matches([',', ':', '@']).trim_end_matches(['-', '/', '.', ':', '@', ',']);
    let word = without_comment(word);
    if let Some(number) = Atom::parse_number(word) {
        if number.is_long() && !is_estimate {
            atoms.push(number);
        }
        return;
    }
    if is_member(word) && !after.starts_with(' ') {
        atoms.extend(Atom::of_text(word));
        return;
    }
    for part in word.split(',') {
        for end in split_range(part).into_iter().flatten() {
            for name in split_key_and_number(end).into_iter().flatten() {
                add_name(name, atoms);
            }
        }
    }
}

fn add_name(part: &str, atoms: &mut Vec<Atom>) {
    let name = without_dots(part).trim_start_matches(['-', '.', ':', '@']);
    let name = name.trim_end_matches(['-', '/', '.', ':', '@']);
    let name = count_of(name).or(before_adjective(name)).unwrap_or(name);
    if is_identifier(name) || is_compound(name) && !part.starts_with('-') {
        atoms.extend(Atom::of_text(name));
    }
}

/// `nolint:gosec` of a comment `//nolint:gosec`; `//app/core:lib` is a path.
fn without_comment(word: &str) -> &str {
    match word.strip_prefix("//") {
        Some(comment) if !comment.contains('/') => comment,
        _ => word,
    }
}

/// `v1.2` and `main` of `v1.2...main`, as git writes ranges
fn split_range(part: &str) -> [Option<&str>; 2] {
    let (mut from, mut to) = (part, None);
    if let Some((before, after)) = part.split_once("..") {
        let after = after.trim_start_matches('.');
        if before.starts_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric) {
            (from, to) = (before, Some(after));
        }
    }
    [Some(from), to]
}

/// `max_tokens` and `3000` of `max_tokens:3000`, but `parser.go:593`, `12:30` and `arXiv:2603.27277` stay whole.
fn split_key_and_number(part: &str) -> [Option<&str>; 2] {
    let (mut first, mut number) = (part, None);
    if let Some((key, count)) = part.split_once(':') {
        let is_key = key.starts_with(char::is_alphabetic) && !key.contains(['/', '.']);
        if is_key && is_digits(count) {
            (first, number) = (key, Some(count));
        }
    }
    [Some(first), number]
}

fn is_identifier(word: &str) -> bool {
    let digits = count_digits(word);
    // A letter needs a digit, and a number needs two: `1`, `2` and `2nd` are English.
    if digits > 0 {
        return !is_ordinal(word) && (digits > 1 || word.contains(char::is_alphabetic));
    }
    // A single slash is English: `and/or`, `client/server`.
    let is_path = word.starts_with('/') || word.matches('/').count() > 1;
    word.contains(['_', '@'])
        || word.contains("::")
        || is_path
        || has_dots_inside(word)
        || has_inner_capital(word)
        || word.contains('/') && word.split('/').any(is_part_of_path)
}

fn is_part_of_path(part: &str) -> bool {
    part.contains('-') || is_identifier(part)
}

/// `vexel-backups-eu`, but neither `read-only` nor `end-to-end`.
fn is_compound(word: &str) -> bool {
    word.matches('-').count() > 1 && word.split('-').all(is_part_of_compound)
}

fn is_part_of_compound(part: &str) -> bool {
    const LINKS: [&str; 22] = [
        "a", "and", "as", "at", "by", "for", "from", "if", "in", "is", "it", "not", "of", "off", "on", "one",
        "or", "out", "the", "to", "up", "we",
    ];
    part.chars().nth(1).is_some() && part.chars().all(char::is_lowercase) && !LINKS.contains(&part)
}

/// The addresses in a text, from `://` on: `api.vexel.io:7443/orders/884213` of `https://api.vexel.io:7443/orders/884213`.
fn find_addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split("://").skip(1).filter_map(|rest| rest.split(is_after_address).next())
}

fn is_after_address(c: char) -> bool {
    c.is_whitespace() || "\"'`<>(){}\\".contains(c)
}

/// A part of an address, if it is a name or number. An agent assembles addresses from such parts.
fn part_of_address(part: &str) -> Option<Atom> {
    let part = part.trim_end_matches(['.', '-']);
    match Atom::parse_number(part) {
        Some(number) => number.is_long().then_some(number),
        None if is_identifier(part) || is_compound(part) => Atom::of_text(part),
        None => None,
    }
}

/// `1st`, `22nd`
fn is_ordinal(word: &str) -> bool {
    let suffix = word.trim_start_matches(is_digit);
    ["st", "nd", "rd", "th"].contains(&suffix)
}

/// `1` of `1-indexed`, `240` of `240-repo`
fn count_of(word: &str) -> Option<&str> {
    let (number, rest) = word.split_once('-')?;
    let is_count = number.len() <= COUNTED && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = rest.len() > 2 && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_count && is_word).then_some(number)
}

/// `GitHub` of `GitHub-hosted`
fn before_adjective(word: &str) -> Option<&str> {
    let (name, rest) = word.split_once('-')?;
    let is_name = has_inner_capital(name) && name.as_bytes().iter().all(u8::is_ascii_alphabetic);
    (is_name && is_of_small_letters(rest)).then_some(name)
}

/// Returns true for the end of a file pattern, such as `_test.go` of `*_test.go`.
fn is_ending(word: &str) -> bool {
    let mut parts = word.trim_start_matches(['_', '.', '-']).split('.');
    parts.clone().nth(2).is_none() && parts.all(|part| part.len() <= ENDING)
}

/// `parse.py`, but neither `e.g` nor two sentences without a blank between, as in `done.Then`.
fn has_dots_inside(word: &str) -> bool {
    let Some((_, last)) = word.rsplit_once('.') else { return false };
    if last.starts_with(char::is_uppercase) {
        return false;
    }
    let mut has_long_part = false;
    for part in word.split('.') {
        if part.is_empty() {
            return false;
        }
        has_long_part |= part.chars().nth(1).is_some();
    }
    has_long_part
}

/// `cart.Items`. Before a blank, it is `done.Then` of two sentences.
fn is_member(word: &str) -> bool {
    let Some((value, member)) = word.split_once('.') else { return false };
    let is_value = value.len() > 1 && is_of_small_letters(value);
    is_value && member.starts_with(is_capital) && member.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `fooBar`, `HTTPServer`, but not `APIs`.
fn has_inner_capital(word: &str) -> bool {
    let characters: Vec<char> = word.chars().collect();
    characters.windows(2).any(is_hump) || characters.windows(4).any(is_end_of_acronym)
}

/// `oB` in `fooBar`
fn is_hump(pair: &[char]) -> bool {
    matches!(pair, [a, b] if a.is_lowercase() && b.is_uppercase())
}

/// `PSer` in `HTTPServer`
fn is_end_of_acronym(four: &[char]) -> bool {
    matches!(four, [a, b, c, d]
        if a.is_uppercase() && b.is_uppercase() && c.is_lowercase() && d.is_lowercase())
}

/// Adds quoted names, with the same quote on both ends and no letter or digit touching it outside.
fn add_quoted(line: &str, atoms: &mut Vec<Atom>) {
    let program = line.find("jq ").unwrap_or(line.len());
    let mut from = 0;
    while let Some(at) = line[from..].find(QUOTES) {
        let (before, rest) = line.split_at(from + at);
        let (quote, inside) = rest.split_at(1);
        from += at + 1;
        let Some(end) = inside.find(quote) else { continue };
        let (name, after) = inside.split_at(end);
        let is_touched =
            before.ends_with(char::is_alphanumeric) || after[1..].starts_with(char::is_alphanumeric);
        if is_touched || !QUOTED.contains(&end) {
            continue;
        }
        from += end + 1;
        // `"name\"` ends with the backslash of an escaped quote, and `name()` may be called with any arguments.
        let name = without_quotes(name.trim_end_matches('\\').trim_end_matches("()"));
        let name = without_dots(name);
        let name = if program < before.len() { field_of_filter(name) } else { name };
        if says_something(name) && !name.starts_with('*') && !is_between_texts(name) && !is_placeholder(name)
        {
            atoms.extend(Atom::of_text(name));
        }
    }
}

/// `symbol` of `"symbol"`, but all of `"kind":"symbol"`.
fn without_quotes(name: &str) -> &str {
    for quote in QUOTES {
        if let Some(rest) = name.strip_prefix(quote)
            && let Some(inside) = rest.strip_suffix(quote)
            && !inside.contains(quote)
        {
            return inside;
        }
    }
    name
}

/// `price` of `.price`, a filter of `jq`.
fn field_of_filter(name: &str) -> &str {
    match name.strip_prefix('.') {
        Some(field) if field.chars().all(is_of_variable) => field,
        _ => name,
    }
}

/// `<json>`, but not `<h1>Checkout</h1>`.
fn is_placeholder(name: &str) -> bool {
    let Some(inside) = name.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return false };
    !inside.contains(['<', '>']) && !inside.contains(char::is_whitespace)
}

/// Returns true for code between two quoted texts, such as `, fmt.Errorf(` in `"", fmt.Errorf("no commit")`.
fn is_between_texts(name: &str) -> bool {
    name.starts_with([',', ')', ']', '}', ';', '+']) || name.ends_with(['(', '[', '{', ',', '+'])
}

/// Returns false if a text consists of marks and string escapes, such as `\n---\n` or `\x00`.
fn says_something(name: &str) -> bool {
    let mut letters = 0;
    for (at, part) in name.split('\\').enumerate() {
        let part = if at == 0 { part } else { skip_escape(part) };
        letters += part.matches(char::is_alphanumeric).count();
    }
    letters > 1
}
