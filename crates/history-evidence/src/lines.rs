//! Lines of code or text an answer must have copied verbatim, such as the lines replaced by an edit.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

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

/// Hashes of the lines in earlier results and answers.
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
    pub fn copied(&self, text: &str, parameter: Parameter<'_>) -> Vec<Copied> {
        let is_patch = PATCHES.iter().any(|mark| text.contains(mark));
        let lines = text.lines().filter(|line| !is_patch || line.starts_with([' ', '-']));
        let lines = lines.map(|line| if is_patch { &line[1..] } else { line });
        let lines: Vec<&str> = lines.map(str::trim).filter(|line| is_long(line)).collect();
        // The model can repeat a command without seeing the old one, so a one-line argument is not a copy of an earlier value
        // of the same parameter. A line without blanks, such as a path, is an atom anyway.
        if is_of_one_line(text) {
            let is_copied =
                |line: &&str| line.contains(char::is_whitespace) && self.is_copied_alone(line, parameter);
            return lines.into_iter().filter(is_copied).map(|line| self.copy(line, false)).collect();
        }
        let rows = lines.chunk_by(|one, other| self.knows(one) == self.knows(other));
        let known = rows.filter(|row| row.first().is_some_and(|line| self.knows(line)));
        let copied = known.filter(|row| row.len() >= IN_A_ROW || row.len() == lines.len());
        copied.flatten().map(|line| self.copy(line, is_patch)).collect()
    }

    fn copy(&self, line: &str, is_of_patch: bool) -> Copied {
        let is_exact = is_of_patch || self.told.contains(&hash_of(line));
        Copied { atom: Atom::Line(line.into()), is_exact }
    }

    /// The names defined by new lines of code, such as `total` in `let total = 0`. A text whose long lines are all known is a
    /// copy and defines nothing.
    pub fn defined_by<'t>(&self, text: &'t str) -> FxHashSet<&'t str> {
        let is_new = |line: &&str| is_long(line) && !self.knows(line);
        if !text.lines().map(str::trim).any(|line| is_new(&line)) {
            return FxHashSet::default();
        }
        let lines = text.lines().map(str::trim).filter(|line| !self.knows(line));
        lines.flat_map(|line| declared(line).chain(assigned(line))).collect()
    }

    fn knows(&self, line: &str) -> bool {
        let hash = hash_of(line);
        self.told.contains(&hash) || self.said.contains_key(&hash)
    }

    fn is_copied_alone(&self, line: &str, parameter: Parameter<'_>) -> bool {
        let hash = hash_of(line);
        let is_other = |of: &Option<u64>| *of != Some(hash_of(parameter));
        self.told.contains(&hash) || self.said.get(&hash).is_some_and(is_other)
    }

    /// Adds the lines of a turn. `arguments` are the texts of its calls.
    pub fn add(&mut self, turn: &Turn, arguments: &[(Parameter<'_>, &str)]) {
        for (parameter, text) in arguments {
            let only = is_of_one_line(text).then(|| hash_of(*parameter));
            for line in text.lines().flat_map(bare).filter(|line| is_long(line)) {
                let of = self.said.entry(hash_of(line)).or_insert(only);
                *of = if *of == only { only } else { None };
            }
        }
        for reply in turn.replies.iter().filter(|reply| reply.kind != ReplyKind::Filler) {
            for line in reply.message.content.lines() {
                self.told.extend(bare(line).filter(|line| is_long(line)).map(hash_of));
                if line.contains("\\n") {
                    let inside = line.split("\\n").map(unescaped);
                    inside.for_each(|line| {
                        self.told.extend(bare(&line).filter(|line| is_long(line)).map(hash_of))
                    });
                }
            }
        }
    }
}

/// `total` of `let mut total = 0;`, and `status` and `diff` of `const [status, diff] = await all();`
pub fn declared(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    let behind_declaration = move || loop {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        rest = after;
        if DECLARATIONS.contains(&word) {
            return Some(after);
        }
    };
    std::iter::from_fn(behind_declaration).flat_map(|rest| {
        let rest = rest.strip_prefix("mut ").unwrap_or(rest);
        let names = match rest.strip_prefix(['[', '{']) {
            Some(several) => several.split([']', '}']).next().unwrap_or(several),
            None => rest.split(',').next().unwrap_or(rest),
        };
        let names = names.split(',');
        names.map(|name| name.trim_start().split(|c: char| !is_of_name(c)).next().unwrap_or(name))
    })
}

/// `data` and `err` of `data, err := read()`
fn assigned(line: &str) -> impl Iterator<Item = &str> {
    let left = line.split_once(":=").map_or("", |(left, _)| left);
    let names = left.rsplit(|c: char| !is_of_name(c) && c != ',' && c != ' ').next().unwrap_or("");
    names.split(',').filter_map(|name| name.split_whitespace().last())
}

pub fn is_of_one_line(text: &str) -> bool {
    text.lines().nth(1).is_none()
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn is_long(line: &str) -> bool {
    let has_letters = |word: &&str| word.contains(char::is_alphabetic);
    line.chars().filter(|c| !c.is_whitespace()).nth(CHARACTERS - 1).is_some()
        && words(line).filter(has_letters).nth(WORDS - 1).is_some()
}

/// The possible forms of a result's line in a file: unchanged, without line number, and without diff sign.
fn bare(line: &str) -> impl Iterator<Item = &str> {
    let whole = line.trim();
    let without_number = after_number(whole);
    let without_sign = whole.strip_prefix(['+', '-']).map(str::trim);
    [Some(whole), without_number, without_sign].into_iter().flatten()
}

/// The text after a line number: `12\tcode`, `12→code`, `12: code`, `src/a.rs:12:code`.
fn after_number(line: &str) -> Option<&str> {
    let path = line.split_once(':').filter(|(path, _)| !path.contains(' ')).map(|(_, rest)| rest);
    [Some(line), path].into_iter().flatten().find_map(|line| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = rest.strip_prefix(['\t', '→', '|', ':', '-']).or_else(|| rest.strip_prefix(" |"))?;
        (rest.len() < line.len()).then(|| after.trim())
    })
}

/// Unescapes a line of a JSON string.
fn unescaped(line: &str) -> String {
    line.replace("\\\"", "\"").replace("\\t", "\t").replace("\\\\", "\\")
}
