//! Plain text of texts as tools print them: without colour codes, with real line breaks instead of escaped ones, and without the prefixes of
//! lines. Rules for lines and names see neither `\nDB_PASS` nor `web-1  | DB_PASS`.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A colour escape sequence, raw or escaped.
static COLOURS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:\x1b|\\+(?:u001b|x1b|033|e))\[[0-9;]*m").ok());

/// An escaped quote or white space of a JSON string, perhaps escaped twice, and the start of such a string.
static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"\\+(["'nrt])|(":[ ]?")"#).ok());

/// Prefixes of lines: numbers of editors and of `grep -n`, names of containers, markers of diffs and quotes, times, and build steps.
static PREFIXES: [LazyLock<Option<Regex>>; 6] = [
    LazyLock::new(|| Regex::new(r"^[ \t]*[0-9]{1,6}(?:→|\t|[ ]?[|│:][ ]?)").ok()),
    LazyLock::new(|| Regex::new(r"^[a-z0-9][a-z0-9_.-]*[ ]+\|[ ]").ok()),
    LazyLock::new(|| Regex::new(r"^[+-][ ]?").ok()),
    LazyLock::new(|| Regex::new(r"^(?:>|[ ]*(?:⎿|│))[ ]").ok()),
    LazyLock::new(|| Regex::new(r"^\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?\]?[ ]").ok()),
    LazyLock::new(|| Regex::new(r"^#[0-9]+[ ][0-9.]+[ ]").ok()),
];

/// Number of lines with compared prefixes.
const SAMPLE: usize = 40;

/// All patterns, named for a test.
pub fn patterns() -> Vec<(&'static str, &'static LazyLock<Option<Regex>>)> {
    let mut patterns = vec![("colours", &COLOURS), ("escapes", &ESCAPES)];
    for prefix in &PREFIXES {
        patterns.push(("prefixes of lines", prefix));
    }
    patterns
}

/// The plain text, if it differs.
pub fn plain(text: &str) -> Option<String> {
    let uncoloured = if text.contains(['\x1b', '\\']) {
        COLOURS.as_ref()?.replace_all(text, "")
    } else {
        Cow::Borrowed(text)
    };
    let unescaped = if uncoloured.contains('\\') {
        ESCAPES.as_ref()?.replace_all(&uncoloured, unescape)
    } else {
        uncoloured
    };
    let bare = without_prefixes(&unescaped);
    let plain = bare.as_deref().unwrap_or(&unescaped);
    (plain != text).then(|| plain.to_owned())
}

/// A string of JSON begins a line, like the text in it.
fn unescape(escape: &Captures<'_>) -> &'static str {
    let Some(sign) = escape.get(1) else { return "\":\n" };
    match sign.as_str() {
        "n" => "\n",
        "r" => "\r",
        "t" => "\t",
        "'" => "'",
        _ => "\"",
    }
}

fn find_prefix(lines: &[&str]) -> Option<&'static Regex> {
    for prefix in &PREFIXES {
        let prefix = prefix.as_ref()?;
        if is_prefix(prefix, lines) {
            return Some(prefix);
        }
    }
    None
}

/// Returns true if most lines have this prefix.
fn is_prefix(prefix: &Regex, lines: &[&str]) -> bool {
    let count = lines.iter().filter(|line| prefix.is_match(line)).count();
    count >= 2 && count * 2 > lines.len()
}

/// The text without the prefix of most of its lines. `None` if there is none.
fn without_prefixes(text: &str) -> Option<String> {
    // Most texts are single lines.
    if !text.contains('\n') {
        return None;
    }
    let first: Vec<&str> = text.lines().take(SAMPLE).collect();
    let prefix = find_prefix(&first)?;
    let mut bare = String::with_capacity(text.len());
    for line in text.lines() {
        bare += &prefix.replace(line, "");
        bare.push('\n');
    }
    Some(bare)
}
