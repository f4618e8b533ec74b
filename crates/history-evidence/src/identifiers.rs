//! Identifiers inside a text: numbers, paths, names in code and quoted names, but no English words.

use crate::common::value_of_call;
use crate::matching::Atom;
use crate::names::MONTHS;

/// Lengths in bytes of a quoted text that may be a name.
const QUOTED: std::ops::RangeInclusive<usize> = 3..=60;
/// Maximum digits of a count before an English word.
const COUNTED: usize = 3;
/// Maximum letters in each part of a pattern's ending: `.test.tsx`.
const ENDING: usize = 5;
/// Characters allowed inside an identifier besides letters and digits.
const MARKS: &str = "_-/.:@,";
/// Marks before an estimated number.
const ESTIMATES: [char; 2] = ['~', '≈'];
/// Character ranges. A word with one is a pattern, such as `[A-Za-z_]`.
const RANGES: [&str; 3] = ["A-Z", "a-z", "0-9"];
/// Well-known parts of addresses.
const KNOWN_PARTS: [&str; 8] = ["127.0.0.1", "0.0.0.0", "8080", "8443", "5432", "3306", "6379", "27017"];

/// The identifiers of a text, in order. The day of a written date, as in `May 13`, is left out: results write it as
/// `2026-05-13`.
pub fn identifiers(text: &str) -> impl Iterator<Item = Atom> + '_ {
    let mut follows_month = false;
    let words = words_with_marks(text).filter(move |word| {
        let is_day = follows_month && is_day(word.text);
        follows_month = MONTHS.contains(&word.text);
        !is_day
    });
    words
        .flat_map(of_word)
        .chain(text.lines().flat_map(find_quoted))
        .chain(find_addresses(text).flat_map(parts_of))
}

/// A word with the marks allowed in identifiers, and the text after it.
struct MarkedWord<'t> {
    text: &'t str,
    after: &'t str,
    is_estimate: bool,
}

/// The words of a text without escape letters: `\nSecond` gives `Second`.
fn words_with_marks(text: &str) -> impl Iterator<Item = MarkedWord<'_>> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !MARKS.contains(c));
    words.filter(|word| !word.is_empty()).filter_map(|word| {
        let (before, rest) = text.split_at_checked(word.as_ptr() as usize - text.as_ptr() as usize)?;
        if before.ends_with('*') && is_ending(word) {
            return None;
        }
        let after = rest.get(word.len()..)?;
        let text = match before.chars().next_back() {
            Some('\\') => skip_escape(word),
            Some('$') => skip_variable(word),
            // Every home folder has such files: `~/.config`.
            Some('~') => word.trim_start_matches(['/', '.']),
            _ => word,
        };
        // The rest of `trace`/trajectory is not a path.
        let text = if is_after_code(before) { text.trim_start_matches('/') } else { text };
        Some(MarkedWord { text, after, is_estimate: before.trim_end().ends_with(ESTIMATES) })
    })
}

/// Returns true after the closing backtick of code in prose.
fn is_after_code(before: &str) -> bool {
    before.strip_suffix('`').is_some_and(|code| code.ends_with(|c: char| c.is_alphanumeric() || c == ')'))
}

/// `src/cart.js` of `../src/cart.js`: the absolute path has the same ending.
fn without_dots(path: &str) -> &str {
    path.strip_prefix("../").or_else(|| path.strip_prefix("./")).map_or(path, without_dots)
}

/// `report.csv` of `$OUT/report.csv`. A variable alone stays, and so does an amount of money.
fn skip_variable(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let name = rest.trim_start_matches(['/', '.']);
    if name.len() < rest.len() && name.starts_with(char::is_alphabetic) { name } else { word }
}

/// Removes the escape from a word after a backslash.
fn skip_escape(word: &str) -> &str {
    match word.strip_prefix(['n', 't', 'r', '0']) {
        Some(rest) => rest,
        None if word.starts_with(['x', 'u']) => {
            word.get(1..).unwrap_or("").trim_start_matches(|c: char| c.is_ascii_hexdigit())
        }
        None => word,
    }
}

/// `13`, `13,`
fn is_day(word: &str) -> bool {
    word.trim_end_matches([',', '.']).parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
}

/// A number with its commas, or the identifiers separated by commas.
fn of_word(MarkedWord { text, after, is_estimate }: MarkedWord<'_>) -> Vec<Atom> {
    if RANGES.iter().any(|range| text.contains(range)) {
        return Vec::new();
    }
    let text = value_of_call(text, after).unwrap_or(text);
    let word = text.trim_start_matches([',', ':', '@']).trim_end_matches(['-', '/', '.', ':', '@', ',']);
    // `//nolint:gosec` begins a comment; `//app/core:lib` is a path.
    let word = word.strip_prefix("//").filter(|rest| !rest.contains('/')).unwrap_or(word);
    if let Some(number) = Atom::parse_number(word) {
        return Vec::from_iter((number.is_long() && !is_estimate).then_some(number));
    }
    let mut atoms = Vec::new();
    for part in word.split(',').flat_map(split_range).flat_map(split_key_and_number) {
        if is_option(part) {
            continue;
        }
        let name = without_dots(part).trim_start_matches(['-', '.', ':', '@']);
        let name = name.trim_end_matches(['-', '/', '.', ':', '@']);
        let name = count_of(name).or_else(|| before_adjective(name)).unwrap_or(name);
        if is_identifier(name) || is_compound(name) && !part.starts_with('-') {
            atoms.extend(Atom::of_text(name));
        }
    }
    atoms
}

/// `--no-cache-dir`, `--allowedTools`: a program documents its options.
fn is_option(part: &str) -> bool {
    part.strip_prefix("--").is_some_and(|name| {
        name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphabetic() || c == '-')
    })
}

/// `v1.2` and `main` of `v1.2...main`, as git writes ranges
fn split_range(part: &str) -> impl Iterator<Item = &str> {
    let (mut from, mut to) = (part, None);
    if let Some((before, after)) = part.split_once("..") {
        let after = after.trim_start_matches('.');
        if before.starts_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric) {
            (from, to) = (before, Some(after));
        }
    }
    [Some(from), to].into_iter().flatten()
}

/// `max_tokens` and `3000` of `max_tokens:3000`, but `parser.go:593`, `12:30` and `arXiv:2603.27277` stay whole.
fn split_key_and_number(part: &str) -> impl Iterator<Item = &str> {
    let (mut first, mut number) = (part, None);
    if let Some((key, count)) = part.split_once(':') {
        let is_key = key.starts_with(char::is_alphabetic) && !key.contains(['/', '.']);
        let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        if is_key && is_count {
            (first, number) = (key, Some(count));
        }
    }
    [Some(first), number].into_iter().flatten()
}

fn is_identifier(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    // A letter needs a digit, and a number needs two: `1`, `2` and `2nd` are English.
    if digits > 0 {
        return !is_ordinal(word) && (letters > 0 || digits > 1);
    }
    // A single slash is English: `and/or`, `client/server`.
    let is_path = word.starts_with('/') || word.matches('/').count() > 1;
    word.contains(['_', '@'])
        || word.contains("::")
        || is_path
        || has_dots_inside(word)
        || has_inner_capital(word)
        || word.contains('/') && word.split('/').any(|part| is_identifier(part) || part.contains('-'))
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
    part.chars().count() > 1 && part.chars().all(char::is_lowercase) && !LINKS.contains(&part)
}

/// The addresses in a text, from `://` on: `api.vexel.io:7443/orders/884213` of `https://api.vexel.io:7443/orders/884213`.
fn find_addresses(text: &str) -> impl Iterator<Item = &str> {
    let after_scheme = text.split("://").skip(1);
    after_scheme
        .filter_map(|rest| rest.split(|c: char| c.is_whitespace() || "\"'`<>(){}\\".contains(c)).next())
}

/// The host, the port, and the names and numbers in the path of an address. An agent assembles addresses from such parts.
fn parts_of(address: &str) -> impl Iterator<Item = Atom> + '_ {
    address.split(['/', ':', '@', '?', '&', '=', '#', ',']).filter_map(part_of_address)
}

fn part_of_address(part: &str) -> Option<Atom> {
    let part = part.trim_end_matches(['.', '-']);
    if KNOWN_PARTS.contains(&part) {
        return None;
    }
    match Atom::parse_number(part) {
        Some(number) => number.is_long().then_some(number),
        None if is_identifier(part) || is_compound(part) => Atom::of_text(part),
        None => None,
    }
}

/// `1st`, `22nd`
fn is_ordinal(word: &str) -> bool {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    ["st", "nd", "rd", "th"].contains(&suffix)
}

/// `1` of `1-indexed`, `240` of `240-repo`
fn count_of(word: &str) -> Option<&str> {
    let (number, rest) = word.split_once('-').filter(|(number, _)| number.len() <= COUNTED)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = rest.len() > 2 && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_number && is_word).then_some(number)
}

/// `GitHub` of `GitHub-hosted`
fn before_adjective(word: &str) -> Option<&str> {
    let (name, rest) = word.split_once('-').filter(|(name, _)| has_inner_capital(name))?;
    let is_word = rest.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_word && name.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(name)
}

/// Returns true for the end of a file pattern, such as `_test.go` of `*_test.go`.
fn is_ending(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_start_matches(['_', '.', '-']).split('.').collect();
    parts.len() <= 2 && parts.iter().all(|part| part.len() <= ENDING)
}

/// `parse.py`, but neither `e.g` nor two sentences without a blank between, as in `done.Then`.
fn has_dots_inside(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    let ends_in_sentence = parts.last().is_some_and(|part| part.starts_with(char::is_uppercase));
    parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
        && parts.iter().any(|part| part.chars().count() > 1)
        && !ends_in_sentence
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

/// Quoted names, with the same quote on both ends and no letter or digit touching it outside.
fn find_quoted(line: &str) -> impl Iterator<Item = Atom> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = line.get(from..)?.find(['"', '\'', '`']) {
            let (before, rest) = line.split_at(from + at);
            let mut inside = rest.chars();
            let quote = inside.next()?;
            let inside = inside.as_str();
            from += at + 1;
            let Some(end) = inside.find(quote) else { continue };
            let (name, after) = inside.split_at(end);
            let touches = before.ends_with(char::is_alphanumeric)
                || after.chars().nth(1).is_some_and(char::is_alphanumeric);
            // The author chooses the end mark of a heredoc, as in `<<'EOF'`.
            let ends_text = before.ends_with("<<") || before.ends_with("<<-");
            if !touches && !ends_text && QUOTED.contains(&end) {
                from += end + 1;
                // `"name\"` ends with the backslash of an escaped quote, and `name()` may be called with any arguments.
                let name = without_quotes(name.trim_end_matches('\\').trim_end_matches("()"));
                let name = without_dots(name);
                let is_name = says_something(name) && !name.starts_with('*') && !is_between_texts(name);
                return Some(Atom::of_text(name).filter(|_| is_name));
            }
        }
        None
    })
    .flatten()
}

/// `symbol` of `"symbol"`, but all of `"kind":"symbol"`.
fn without_quotes(name: &str) -> &str {
    let inside = ['"', '\'', '`'].iter().find_map(|quote| {
        let inside = name.strip_prefix(*quote)?.strip_suffix(*quote)?;
        Some(inside).filter(|inside| !inside.contains(*quote))
    });
    inside.unwrap_or(name)
}

/// Returns true for code between two quoted texts, such as `, fmt.Errorf(` in `"", fmt.Errorf("no commit")`.
fn is_between_texts(name: &str) -> bool {
    name.starts_with([',', ')', ']', '}', ';', '+']) || name.ends_with(['(', '[', '{', ',', '+'])
}

/// Returns false if a text consists of marks and string escapes, such as `\n---\n` or `\x00`.
fn says_something(name: &str) -> bool {
    let mut parts = name.split('\\');
    let first = parts.next().into_iter();
    first.chain(parts.map(skip_escape)).flat_map(str::chars).filter(|c| c.is_alphanumeric()).count() > 1
}
