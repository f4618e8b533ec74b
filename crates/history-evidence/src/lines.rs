//! Lines of code or text an answer must have copied verbatim, such as the lines replaced by an edit.

use std::hash::{Hash, Hasher};

use memchr::memchr;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::characters::{is_digit, is_of_variable, is_small_letter};
use crate::layout::significant;
use crate::matching::{Atom, words};
use conversation::{ReplyKind, Turn};

/// A line is evidence if it has at least this many characters, not counting blanks, and [`WORDS`] words. Shorter lines, such as
/// `return None`, are written again and again. With these limits, 398 of 7,966 answers of SWE-agent use code found only in a
/// dropped text.
const CHARACTERS: usize = 24;
const WORDS: usize = 2;
/// Minimum number of consecutive known lines in a longer text to count as copied. A single known line is often an import found
/// in any file.
const IN_A_ROW: usize = 3;
/// Marks of a patch.
const PATCHES: [&str; 3] = ["*** Begin Patch", "\n@@", "\n+++ "];

/// Keywords before a defined name, in Go, JavaScript, Rust, Scala and Swift.
const DECLARATIONS: [&str; 4] = ["let", "const", "var", "val"];

/// Maximum length in characters of a list of parameters or declared names.
const PARAMETERS: usize = 200;

/// Marks after a line number. `\t` may be an escape of JSON.
const AFTER_NUMBERS: [&str; 7] = ["\t", "→", "|", ":", "-", " |", "\\t"];

/// Hashes of the lines in earlier results and answers, without their layout: a result may have a line inside a JSON string.
#[derive(Default)]
pub struct KnownLines {
    /// Lines in results and user messages.
    told: FxHashSet<u64>,
    /// Lines written by the model. If a line was only ever the whole value of one parameter, the value is that parameter's
    /// hash.
    said: FxHashMap<u64, Option<u64>>,
}

/// A line copied by the model.
pub struct Copied {
    pub atom: Atom,
    /// True if the copy must match its source exactly: it was in a result, or a patch needs it as context.
    pub is_exact: bool,
}

/// A tool name and a parameter name.
pub type Parameter<'p> = (&'p str, &'p str);

impl KnownLines {
    /// The lines of an argument copied from an earlier message.
    pub fn find_copied(&self, text: &str, parameter: Parameter<'_>) -> Vec<Copied> {
        let is_patch = PATCHES.iter().any(|mark| text.contains(mark));
        let mut lines = Vec::new();
        for line in text.lines() {
            if is_patch && !line.starts_with([' ', '-']) {
                continue;
            }
            let line = if is_patch { &line[1..] } else { line };
            if is_long(line.trim()) {
                lines.push(line.trim());
            }
        }
        let mut copied = Vec::new();
        // The model can repeat a command without seeing the old one, so a one-line argument is not a copy of an earlier value
        // of the same parameter. A line without blanks, such as a path, is an atom anyway.
        if is_of_one_line(text) {
            for line in lines {
                if line.contains(char::is_whitespace) && self.is_copied_alone(line, parameter) {
                    copied.push(self.make_copy(line, false));
                }
            }
            return copied;
        }
        for row in lines.chunk_by(|one, other| self.is_known(one) == self.is_known(other)) {
            let is_known = row.first().is_some_and(|line| self.is_known(line));
            if is_known && (row.len() >= IN_A_ROW || row.len() == lines.len()) {
                copied.extend(row.iter().map(|line| self.make_copy(line, is_patch)));
            }
        }
        copied
    }

    fn make_copy(&self, line: &str, is_of_patch: bool) -> Copied {
        let is_exact = is_of_patch || self.told.contains(&hash_line(line));
        Copied { atom: Atom::Line(line.into()), is_exact }
    }

    /// The names defined by new lines of code, such as `total` in `let total = 0`. A text whose long lines are all known is a
    /// copy and defines nothing.
    pub fn defined_by<'t>(&self, text: &'t str) -> FxHashSet<&'t str> {
        let mut defined = FxHashSet::default();
        let mut has_new_line = false;
        for line in text.lines().map(str::trim) {
            if self.is_known(line) {
                continue;
            }
            has_new_line |= is_long(line);
            defined.extend(declared_names(line));
            add_assigned_names(line, &mut defined);
            add_parameters(line, &mut defined);
        }
        if !has_new_line {
            defined.clear();
        }
        defined
    }

    fn is_known(&self, line: &str) -> bool {
        let hash = hash_line(line);
        self.told.contains(&hash) || self.said.contains_key(&hash)
    }

    fn is_copied_alone(&self, line: &str, parameter: Parameter<'_>) -> bool {
        let hash = hash_line(line);
        let Some(parameter_of_all) = self.said.get(&hash) else { return self.told.contains(&hash) };
        self.told.contains(&hash) || *parameter_of_all != Some(hash_parameter(parameter))
    }

    /// Adds the lines of a turn. `arguments` are the texts of its calls.
    pub fn add_turn(&mut self, turn: &Turn, arguments: &[(Parameter<'_>, &str)]) {
        for (parameter, text) in arguments {
            let only = if is_of_one_line(text) { Some(hash_parameter(*parameter)) } else { None };
            for line in text.lines().flat_map(bare_lines).filter(|line| is_long(line)) {
                let of = self.said.entry(hash_line(line)).or_insert(only);
                *of = if *of == only { only } else { None };
            }
        }
        for reply in turn.replies.iter().filter(|reply| reply.kind != ReplyKind::Filler) {
            for line in reply.message.content.lines() {
                self.add_told(line);
                if line.contains("\\n") {
                    for inside in escaped_lines(line) {
                        self.add_told(inside);
                    }
                }
            }
        }
    }

    fn add_told(&mut self, line: &str) {
        self.told.extend(bare_lines(line).filter(|line| is_long(line)).map(hash_line));
    }
}

/// The lines inside the JSON strings of a line. `\\n` is a backslash and an `n`.
fn escaped_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(found) = memchr(b'\\', &text.as_bytes()[at..]) {
        let escape = at + found;
        at = (escape + 2).min(text.len());
        if text.as_bytes().get(escape + 1) == Some(&b'n') {
            lines.push(&text[start..escape]);
            start = at;
        }
    }
    lines.push(&text[start..]);
    lines
}

/// `total` of `let mut total = 0;`, and `status` and `diff` of `const [status, diff] = await all();`
pub fn declared_names(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = line;
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        rest = after;
        // As in `for(const row of rows)`. `/var` is a folder.
        let word = word.rsplit(['(', '{', ';']).next().unwrap_or(word);
        if !DECLARATIONS.contains(&word) {
            continue;
        }
        let declared = rest.strip_prefix("mut ").unwrap_or(rest);
        let declared = match declared.strip_prefix(['[', '{']) {
            Some(several) => text_before(several, [']', '}']),
            None => text_before(declared, [',', '=']),
        };
        for name in declared.split(',') {
            let name = name.trim_start();
            let after = name.trim_start_matches(is_of_variable);
            names.push(&name[..name.len() - after.len()]);
        }
    }
    names
}

/// The text before the first of these marks. Without one, the longest possible list.
fn text_before(text: &str, marks: [char; 2]) -> &str {
    // A line may have thousands of declarations, and each searches for its mark.
    for (number, (at, c)) in text.char_indices().enumerate() {
        if number == PARAMETERS || marks.contains(&c) {
            return &text[..at];
        }
    }
    text
}

/// Adds `data` and `err` of `data, err := read()`.
fn add_assigned_names<'t>(line: &'t str, defined: &mut FxHashSet<&'t str>) {
    let Some((left, _)) = line.split_once(":=") else { return };
    let before = left.trim_end_matches(|c| is_of_variable(c) || c == ',' || c == ' ');
    for name in left[before.len()..].split(',') {
        defined.extend(name.split_whitespace().last());
    }
}

/// Adds `row` of `rows.map(row => row.id)`, and `key` and `row` of `([key, row]) => key + row`.
fn add_parameters<'t>(line: &'t str, defined: &mut FxHashSet<&'t str>) {
    let mut used = FxHashSet::default();
    let mut end = line.len();
    for (at, _) in line.rmatch_indices("=>") {
        used.extend(line[at..end].split(is_outside_variable));
        end = at;
        let before = line[..at].trim_end();
        let list = match before.strip_suffix(')') {
            Some(inside) => parameters_in_brackets(inside),
            None => lone_parameter(before),
        };
        for parameter in list.split(',') {
            let parameter = parameter.trim_start_matches(is_outside_variable);
            let name = parameter.split(is_outside_variable).next().unwrap_or(parameter);
            if !name.is_empty() && used.contains(name) {
                defined.insert(name);
            }
        }
    }
}

/// `key, row` of `rows.map((key, row`
fn parameters_in_brackets(before: &str) -> &str {
    // A line may have thousands of arrows, and each searches for its bracket.
    let mut nearest = before.char_indices().rev().take(PARAMETERS);
    match nearest.find(|(_, c)| *c == '(') {
        Some((open, _)) => &before[open + 1..],
        None => "",
    }
}

/// `row` of `rows.map(row`, but nothing of `:code`, `State::Open` and `$code`: keys of Ruby, patterns of Rust and keys of PHP.
fn lone_parameter(before: &str) -> &str {
    let (rest, name) = before.split_at(before.trim_end_matches(is_of_variable).len());
    if rest.ends_with([':', '.', '$']) { "" } else { name }
}

/// The variables a script sets and uses: `total` of `total = first + last` and `print(total)`. The keys of a configuration are
/// set and not used, and a report sets names to numbers.
pub fn variables_of<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> FxHashSet<&'t str> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for name in lines.clone().flat_map(|line| line.split(is_outside_variable)) {
        *counts.entry(name).or_default() += 1;
    }
    lines.filter_map(assigned_name).filter(|name| counts[name] > 1).collect()
}

/// `total` of `total = first + last`. Programs read names in capitals from their environment: `LIMIT=first run`.
fn assigned_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(is_of_variable);
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let name = &line[..line.len() - rest.len()];
    let is_assigned = !value.starts_with(['=', '>', '~']) && !value.starts_with(is_digit);
    (is_assigned && !is_keyword_argument(value) && name.contains(is_small_letter)).then_some(name)
}

/// Returns true for the value of `code=order.code,`, an argument on its own line. In `total = add(first,` the comma is inside the value.
fn is_keyword_argument(value: &str) -> bool {
    value.trim_end().ends_with(',') && value.matches('(').count() <= value.matches(')').count()
}

fn is_outside_variable(c: char) -> bool {
    !is_of_variable(c)
}

pub fn is_of_one_line(text: &str) -> bool {
    text.lines().nth(1).is_none()
}

fn hash_parameter(parameter: Parameter<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    parameter.hash(&mut hasher);
    hasher.finish()
}

fn hash_line(line: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for c in significant(line) {
        hasher.write_u32(u32::from(c));
    }
    hasher.finish()
}

fn is_long(line: &str) -> bool {
    line.chars().filter(|c| !c.is_whitespace()).nth(CHARACTERS - 1).is_some()
        && words(line).filter(|word| word.contains(char::is_alphabetic)).nth(WORDS - 1).is_some()
}

/// The possible forms of a result's line in a file: unchanged, without line number, and without diff sign.
fn bare_lines(line: &str) -> impl Iterator<Item = &str> {
    let whole = line.trim();
    let without_number = after_number(whole);
    let without_sign = whole.strip_prefix(['+', '-']).map(str::trim);
    [Some(whole), without_number, without_sign].into_iter().flatten()
}

/// The text after a line number: `12\tcode`, `12→code`, `12: code`, `src/a.rs:12:code`.
fn after_number(line: &str) -> Option<&str> {
    if let Some(text) = after_leading_number(line) {
        return Some(text);
    }
    let (path, rest) = line.split_once(':')?;
    if path.contains(' ') { None } else { after_leading_number(rest) }
}

fn after_leading_number(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(is_digit);
    if rest.len() == line.len() {
        return None;
    }
    for mark in AFTER_NUMBERS {
        if let Some(after) = rest.strip_prefix(mark) {
            return Some(after.trim());
        }
    }
    None
}
