//! Regular expressions with Java's syntax and Java's way of searching. Callers spend the ticks.

mod class;
mod dialect;

use std::ops::Range;
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use ecow::EcoString;
use rustc_hash::FxHashMap;
use triomphe::Arc;

use super::atom::shown;
use super::meter;
use dialect::{Translation, translate};

/// Longest pattern, in bytes.
const MAX_PATTERN: usize = 1 << 10;
/// Largest compiled pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;
/// Free bytes of repeated searches in a text, and bytes for each tick afterwards.
const FREE_READ: usize = 64 << 10;
const READ_PER_TICK: usize = 2 << 10;
/// Characters that a class of Unicode, and one of all characters but some, is as dear to compile as.
const CLASS_EFFORT: usize = 600;
const WIDE_EFFORT: usize = 24;
/// Cost factor of a pattern without a difference between upper and lower case.
const CASE_EFFORT: usize = 6;
/// Upper bound of [`effort`].
const MAX_EFFORT: usize = 128 << 10;
/// Number of compiled patterns to cache, and their effort, which bounds their memory. Programs make the same ones over and
/// over.
const MAX_REMEMBERED: usize = 128;
const MAX_REMEMBERED_EFFORT: usize = 64 << 10;

static REMEMBERED: LazyLock<Mutex<Remembered>> = LazyLock::new(Mutex::default);

/// Compiled patterns by their sources.
#[derive(Default)]
struct Remembered {
    patterns: FxHashMap<EcoString, Arc<Regex>>,
    effort: usize,
}

impl Remembered {
    fn add(&mut self, regex: &Arc<Regex>) {
        let effort = effort(&regex.source);
        if self.patterns.len() >= MAX_REMEMBERED || self.effort + effort > MAX_REMEMBERED_EFFORT {
            *self = Remembered::default();
        }
        self.effort += effort;
        self.patterns.insert(regex.source.clone(), regex.clone());
    }
}

fn remembered() -> MutexGuard<'static, Remembered> {
    REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compiled pattern with its source.
pub struct Regex {
    source: EcoString,
    search: regex::Regex,
    /// The pattern for matches of the whole text, compiled on first use.
    whole: OnceLock<Option<regex::Regex>>,
    translation: Translation,
}

/// One match with its groups.
pub struct Match<'t> {
    text: &'t str,
    range: Range<usize>,
    /// None if the pattern has no groups.
    groups: Option<regex::Captures<'t>>,
}

/// Iterator over the matches of a pattern in a text.
pub struct Matches<'r, 't> {
    regex: &'r Regex,
    text: &'t str,
    /// Start of the next search; beyond the text at the end.
    start: usize,
    /// Bytes of searches, not charged yet.
    ahead: usize,
}

/// `Invalid regex "SOURCE": REASON`. Cuts a long pattern.
pub fn invalid_regex(source: &str, reason: &str) -> String {
    if source.len() > MAX_PATTERN {
        return format!("Invalid regex \"{}\": {reason}", shown(source));
    }
    format!("Invalid regex \"{source}\": {reason}")
}

impl Regex {
    /// Compiles a pattern or takes it from the cache.
    ///
    /// # Errors
    /// Reason why the pattern is invalid, unsupported or too large.
    pub fn of(source: &str) -> Result<Arc<Regex>, String> {
        if let Some(found) = remembered().patterns.get(source) {
            return Ok(found.clone());
        }
        let regex = Arc::new(Regex::compile(source.into())?);
        remembered().add(&regex);
        Ok(regex)
    }

    fn compile(source: EcoString) -> Result<Regex, String> {
        if source.len() > MAX_PATTERN {
            return Err(format!("longer than {MAX_PATTERN} bytes"));
        }
        let translation = translate(&source)?;
        let search = compile(&translation.pattern, MAX_COMPILED)?;
        Ok(Regex { source, search, whole: OnceLock::new(), translation })
    }

    /// The pattern as the program wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The pattern as written in `#"…"`, with all quotes escaped.
    pub fn readable_source(&self) -> String {
        let mut readable = String::with_capacity(self.source.len());
        let mut is_escaped = false;
        for c in self.source.chars() {
            if c == '"' && !is_escaped {
                readable.push('\\');
            }
            readable.push(c);
            is_escaped = c == '\\' && !is_escaped;
        }
        readable
    }

    /// Number of groups, without the whole match.
    pub fn group_count(&self) -> usize {
        self.search.captures_len() - 1
    }

    /// The number of the group of this name.
    pub fn group_named(&self, name: &str) -> Option<usize> {
        self.search.capture_names().position(|group| group == Some(name))
    }

    /// The first match.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.find_from(text, 0)
    }

    /// The match of the whole text.
    pub fn find_whole<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        let whole = self.whole.get_or_init(|| {
            let pattern = format!("\\A(?:{})\\z", self.translation.pattern);
            compile(&pattern, 2 * MAX_COMPILED).ok()
        });
        self.search_with(whole.as_ref()?, text, 0)
    }

    /// All matches. As in Java, an empty match may directly follow another.
    pub fn matches<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches { regex: self, text, start: 0, ahead: 0 }
    }

    /// In Java, `$` also matches before a line end at the end of the text, which the engine cannot express.
    /// So this searches the text with and without that line end and takes the earlier match. Also in Java,
    /// `^` never matches at the end of the text, even after a line end.
    fn find_from<'t>(&self, text: &'t str, start: usize) -> Option<Match<'t>> {
        let translation = &self.translation;
        let mut found = self.search_with(&self.search, text, start);
        if translation.has_final_anchor
            && let Some(shorter) = without_line_end(text)
            && start <= shorter.len()
        {
            found = earliest(found, self.search_with(&self.search, shorter, start));
        }
        let found = found?;
        let is_line_start_at_end = translation.has_line_start && found.start() == text.len();
        (!is_line_start_at_end).then_some(found)
    }

    fn search_with<'t>(&self, engine: &regex::Regex, text: &'t str, start: usize) -> Option<Match<'t>> {
        if self.group_count() == 0 {
            let range = engine.find_at(text, start)?.range();
            return Some(Match { text, range, groups: None });
        }
        let groups = engine.captures_at(text, start)?;
        let range = groups.get_match().range();
        Some(Match { text, range, groups: Some(groups) })
    }
}

impl<'t> Match<'t> {
    pub fn as_str(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    /// Byte offset of the beginning.
    pub fn start(&self) -> usize {
        self.range.start
    }

    /// Byte offset of the end.
    pub fn end(&self) -> usize {
        self.range.end
    }

    /// True if the pattern has groups.
    pub fn has_groups(&self) -> bool {
        self.groups.is_some()
    }

    /// Text of the whole match (0) or of a group. None if the group took no part in the match.
    pub fn group(&self, number: usize) -> Option<&'t str> {
        match &self.groups {
            Some(groups) => groups.get(number).map(|group| group.as_str()),
            None => (number == 0).then(|| self.as_str()),
        }
    }

    /// The whole match, then its groups.
    pub fn groups(&self) -> impl Iterator<Item = Option<&'t str>> {
        let count = self.groups.as_ref().map_or(1, regex::Captures::len);
        (0..count).map(|number| self.group(number))
    }
}

impl<'t> Iterator for Matches<'_, 't> {
    type Item = Match<'t>;

    fn next(&mut self) -> Option<Match<'t>> {
        if self.start > self.text.len() || !self.pay_for_search() {
            return None;
        }
        let Some(found) = self.regex.find_from(self.text, self.start) else {
            self.start = self.text.len() + 1;
            return None;
        };
        let next_character = self.text[found.end()..].chars().next().map_or(1, char::len_utf8);
        self.start = found.end() + if found.range.is_empty() { next_character } else { 0 };
        Some(found)
    }
}

impl Matches<'_, '_> {
    /// A search may read the text to its end even if it finds a match at once: `.*[^A-Z]|[A-Z]` does. The
    /// caller has paid for the first search. Each further one costs a tick for 2 KiB of the remaining text,
    /// after the first 64 KiB. Returns false past the program's limits.
    fn pay_for_search(&mut self) -> bool {
        if self.start > 0 {
            self.ahead += self.text.len() - self.start;
        }
        let ticks = self.ahead.saturating_sub(FREE_READ) / READ_PER_TICK;
        self.ahead -= ticks * READ_PER_TICK;
        ticks == 0 || meter::owe(ticks as u64)
    }
}

/// Cost of compiling a pattern: about its length with repetitions written out and classes as large as they are, up to
/// `MAX_EFFORT`.
pub fn effort(source: &str) -> usize {
    let (mut classes, mut wide) = (0, source.matches('.').count());
    for pair in source.as_bytes().windows(2) {
        match pair {
            [b'\\', b'p' | b'P'] => classes += 1,
            [b'\\', b'D' | b'W' | b'S'] | [b'[', b'^'] => wide += 1,
            _ => {}
        }
    }
    let case = if has_flag(source, 'i') { CASE_EFFORT } else { 1 };
    let mut effort = (source.len() + CLASS_EFFORT * classes + WIDE_EFFORT * wide) * case;
    for after in source.split('{').skip(1) {
        effort = effort.saturating_mul(largest_count(after));
    }
    effort.min(MAX_EFFORT)
}

/// The largest number in the text before a `}`, at least 1.
fn largest_count(after_brace: &str) -> usize {
    let counts = after_brace.split('}').next().unwrap_or_default();
    let mut largest = 1;
    for count in counts.split(',') {
        if let Ok(count) = count.parse() {
            largest = largest.max(count);
        }
    }
    largest
}

/// Returns true if a pattern sets a flag, such as `(?i)` or `(?is:…)`.
fn has_flag(source: &str, flag: char) -> bool {
    for after in source.split("(?").skip(1) {
        if let Some(end) = after.find(|c: char| !c.is_ascii_alphabetic())
            && after[..end].contains(flag)
        {
            return true;
        }
    }
    false
}

fn earliest<'t>(found: Option<Match<'t>>, other: Option<Match<'t>>) -> Option<Match<'t>> {
    match (found, other) {
        (Some(found), Some(other)) if other.start() < found.start() => Some(other),
        (Some(found), _) => Some(found),
        (None, other) => other,
    }
}

/// The text without its final line end. None if it has none.
fn without_line_end(text: &str) -> Option<&str> {
    for line_end in ["\r\n", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"] {
        if let Some(shorter) = text.strip_suffix(line_end) {
            return Some(shorter);
        }
    }
    None
}

fn compile(pattern: &str, max_size: usize) -> Result<regex::Regex, String> {
    match regex::RegexBuilder::new(pattern).size_limit(max_size).build() {
        Ok(regex) => Ok(regex),
        Err(regex::Error::CompiledTooBig(_)) => Err("compiles to more than 1 MiB".to_string()),
        Err(other) => Err(last_line(&other.to_string())),
    }
}

/// Drops the translated pattern, drawn by the engine above its message.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or("cannot be compiled");
    line.trim_start_matches("error: ").to_string()
}
