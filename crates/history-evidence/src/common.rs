//! Names common in public packages. The model knows them, so losing one proves little.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::characters::{is_of_small_letters, is_of_variable};

/// The output of `common/build.py`, one name a line.
static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("common/names.txt").lines().collect());

/// File names fixed by the documentation of a tool, such as `go.mod`. A program of the tool looks for exactly this name, so
/// nobody has to read it anywhere.
static FILES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("common/files.txt").lines().map(without_dot).collect());

/// Public tools, benchmarks and libraries for agents and software, written by hand, in lower case. Readers of alarms took `LangSmith` and
/// `tau-bench` for known, and few packages have them.
static PRODUCTS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("common/products.txt").lines().collect());

/// Maximum words of a common text. Longer texts are lines written by someone; with three words, real losses were missed.
const WORDS: usize = 2;
/// Characters of code. Code is copied, not known.
const CODE: [char; 12] = ['=', '(', ')', '{', '}', '[', ']', '<', '>', '"', '`', ';'];
/// Member names after a dot, as in `error.message`; such a text is not a file.
const MEMBERS: [&str; 8] = ["name", "message", "path", "id", "type", "key", "text", "data"];

/// Returns true for `HEAD`, `json.dumps`, `git push`, `go.mod`, `LangSmith` and `application/octet-stream`. Returns false for code, paths
/// and other file names (they are facts about the project), and for people and places.
pub fn is_common(text: &str) -> bool {
    if FILES.contains(without_dot(text)) || PRODUCTS.contains(text.to_ascii_lowercase().as_str()) {
        return true;
    }
    if text.starts_with('/') || text.contains(CODE) || is_file(text) || is_proper_name(text) {
        return false;
    }
    let mut words = 0;
    for word in text.split(is_outside_name) {
        let is_option = word.starts_with('-');
        // In `npm run lint`, scripts have common names too.
        let is_run = word == "run" && words == 1;
        if word.is_empty() || is_option || is_run {
            continue;
        }
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words += 1;
        if words > WORDS || !is_common_word(word) {
            return false;
        }
    }
    words > 0
}

/// Returns true for the name of a file that any example has: `auth.go`, `archive.zip`.
pub fn is_example_file(name: &str) -> bool {
    is_file(name) && name.rsplit_once('.').is_some_and(|(stem, _)| is_common_word(stem))
}

/// Returns true for a line of code with common words alone: `if err := scanner.Err(); err != nil {`. A quoted sentence is somebody's own.
pub fn is_idiom(line: &str) -> bool {
    let is_of_code =
        line.contains('(') && line.ends_with(['{', ';', ')', ':']) && !line.starts_with(['/', '#', '*']);
    if !is_of_code {
        return false;
    }
    let mut quoted = line.split(['"', '\'', '`']).skip(1).step_by(2);
    if quoted.any(|quoted| quoted.trim().contains(' ')) {
        return false;
    }
    line.split(is_outside_variable).filter(|word| !word.is_empty()).all(is_common_word)
}

fn is_common_word(word: &str) -> bool {
    NAMES.contains(word.to_ascii_lowercase().as_str())
}

/// `gitignore` of `.gitignore`: identifiers have no leading dot.
fn without_dot(file: &str) -> &str {
    file.strip_prefix('.').unwrap_or(file)
}

fn is_outside_name(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !"_@#$./:-".contains(c)
}

fn is_outside_variable(c: char) -> bool {
    !is_of_variable(c)
}

/// `old_rows` of a call `old_rows.append(…)` with a common method name: only the value is a fact.
pub fn value_of_call<'w>(word: &'w str, after: &str) -> Option<&'w str> {
    if !after.starts_with('(') {
        return None;
    }
    let (value, name) = word.rsplit_once('.')?;
    is_common(name).then_some(value)
}

/// `Blue Room`, although its words are common.
fn is_proper_name(text: &str) -> bool {
    text.contains(' ') && text.split(' ').all(|word| word.starts_with(char::is_uppercase))
}

/// `parse.py`, but neither `error.message` nor `example.com`.
pub fn is_file(text: &str) -> bool {
    let Some((name, ending)) = text.rsplit_once('.') else { return false };
    (1..=4).contains(&ending.len())
        && is_of_small_letters(ending)
        && name.ends_with(char::is_alphanumeric)
        && !MEMBERS.contains(&ending)
        && !NAMES.contains(text)
}
