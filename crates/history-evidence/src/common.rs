//! Names that are common in public packages. A model knows them, so the loss of one says little of a request.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// The output of `common/build.py`, a name a line.
static NAMES: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("common/names.txt").lines().collect());

/// The most words of a common text. Longer ones are lines that somebody wrote, and with three words losses were missed.
const WORDS: usize = 2;
/// Characters of code, which is copied and not known.
const CODE: &str = "=(){}[]<>\"`;";
/// Endings of names with dots that are no files: `error.message`.
const MEMBERS: [&str; 8] = ["name", "message", "path", "id", "type", "key", "text", "data"];

/// Returns true for `HEAD`, `json.dumps`, `git push` and `application/octet-stream`, but neither for code nor for paths, the
/// names of files, which say that the file is there, and those of people and places.
pub fn is_common(text: &str) -> bool {
    if text.starts_with('/') || text.contains(|c| CODE.contains(c)) || is_file(text) || is_proper_name(text) {
        return false;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_@#$./:-".contains(c);
    let is_option = |word: &str| word.starts_with('-');
    let mut words = 0;
    for word in text.split(|c| !is_part(c)).filter(|word| !word.is_empty() && !is_option(word)) {
        // `npm run lint`: package managers run scripts, which have common names.
        if word == "run" && words == 1 {
            continue;
        }
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words += 1;
        if words > WORDS || !NAMES.contains(word.to_ascii_lowercase().as_str()) {
            return false;
        }
    }
    words > 0
}

/// `old_rows` of `old_rows.append` where a method that anything may have is called: only the value is a fact.
pub fn value_of_call<'w>(word: &'w str, after: &str) -> Option<&'w str> {
    let (value, name) = word.rsplit_once('.').filter(|_| after.starts_with('('))?;
    is_common(name).then_some(value)
}

/// `Blue Room`, whose words are common.
fn is_proper_name(text: &str) -> bool {
    text.contains(' ') && text.split(' ').all(|word| word.starts_with(char::is_uppercase))
}

/// `parse.py`, but neither `error.message` nor `example.com`.
fn is_file(text: &str) -> bool {
    let Some((name, ending)) = text.rsplit_once('.') else { return false };
    let is_ending = (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase());
    is_ending
        && name.ends_with(|c: char| c.is_alphanumeric())
        && !MEMBERS.contains(&ending)
        && !NAMES.contains(text)
}
