//! Regular expressions: the payload of regex values, and searching as Java's matcher does it. The
//! patterns are Java's; `dialect` translates them. Nothing here spends ticks: callers do.

mod class;
mod dialect;

use std::ops::Range;
use std::sync::{LazyLock, Mutex, OnceLock};

use ecow::EcoString;
use rustc_hash::FxHashMap;
use triomphe::Arc;

use super::atom::shown;
use super::meter;
use dialect::{Translation, translate};

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 1 << 10;
/// The largest compiled pattern, in bytes.
const MAX_COMPILED: usize = 1 << 20;
/// How much of a text one tick pays for where it is searched again and again, and how much is free.
const FREE_READ: usize = 64 << 10;
const READ_PER_TICK: usize = 2 << 10;
const CLASS_EFFORT: usize = 60;
/// The greatest effort that is told apart.
const MAX_EFFORT: usize = 16 << 10;
/// How many compiled patterns are remembered; programs make the same ones over and over.
const MAX_REMEMBERED: usize = 128;

static REMEMBERED: LazyLock<Mutex<FxHashMap<EcoString, Arc<Regex>>>> = LazyLock::new(Mutex::default);

/// A pattern, as it was written and compiled.
pub struct Regex {
    source: EcoString,
    search: regex::Regex,
    /// The pattern with both ends tied to those of the text; made when it is first asked for.
    whole: OnceLock<Option<regex::Regex>>,
    translation: Translation,
}

/// One match: where it lies and what its groups hold.
pub struct Match<'t> {
    text: &'t str,
    range: Range<usize>,
    /// None where the pattern has no groups.
    groups: Option<regex::Captures<'t>>,
}

/// The matches of a pattern in a text, one after another.
pub struct Matches<'r, 't> {
    regex: &'r Regex,
    text: &'t str,
    /// Where the next search begins; beyond the text: nowhere.
    start: usize,
    /// Bytes that searches may have looked at and that are not paid for yet.
    ahead: usize,
}

/// `Invalid regex "SOURCE": REASON`; of a pattern that is too long only the beginning.
pub fn invalid_regex(source: &str, reason: &str) -> String {
    if source.len() > MAX_PATTERN {
        return format!("Invalid regex \"{}\": {reason}", shown(source));
    }
    format!("Invalid regex \"{source}\": {reason}")
}

impl Regex {
    /// Compiles a pattern, or finds it among those compiled before.
    ///
    /// # Errors
    /// The reason why the pattern is invalid, unsupported or too large.
    pub fn of(source: &str) -> Result<Arc<Regex>, String> {
        if let Some(found) = REMEMBERED.lock().unwrap_or_else(|e| e.into_inner()).get(source) {
            return Ok(found.clone());
        }
        let regex = Arc::new(Regex::compile(source.into())?);
        let mut remembered = REMEMBERED.lock().unwrap_or_else(|e| e.into_inner());
        if remembered.len() >= MAX_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(regex.source.clone(), regex.clone());
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

    /// The pattern as it stands in `#"…"`: its quotes are escaped, where they are not already.
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

    /// How many groups the pattern has, the whole match not counted.
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

    /// The match that spans the whole text.
    pub fn find_whole<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        let whole = self.whole.get_or_init(|| {
            let pattern = format!("\\A(?:{})\\z", self.translation.pattern);
            compile(&pattern, 2 * MAX_COMPILED).ok()
        });
        self.look(whole.as_ref()?, text, 0)
    }

    /// All matches. As in Java, an empty match may follow right after another, and after an empty one
    /// the search goes on one character further.
    pub fn matches<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        Matches { regex: self, text, start: 0, ahead: 0 }
    }

    /// Java lets `$` match before a line end that ends the text too, which the engine does not know:
    /// the text is searched with and without that line end, and what starts first is taken. Nor does
    /// `^` match at the end of the text in Java, even after a line end.
    fn find_from<'t>(&self, text: &'t str, start: usize) -> Option<Match<'t>> {
        let translation = &self.translation;
        let found = self.look(&self.search, text, start);
        let found = match Some(text).filter(|_| translation.has_final_anchor).and_then(without_line_end) {
            Some(shorter) if start <= shorter.len() => {
                earliest(found, self.look(&self.search, shorter, start))
            }
            _ => found,
        };
        found.filter(|found| !(translation.has_line_start && found.start() == text.len()))
    }

    fn look<'t>(&self, engine: &regex::Regex, text: &'t str, start: usize) -> Option<Match<'t>> {
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

    /// Where the match begins, in bytes.
    pub fn start(&self) -> usize {
        self.range.start
    }

    /// Where the match ends, in bytes.
    pub fn end(&self) -> usize {
        self.range.end
    }

    /// Whether the pattern has groups.
    pub fn has_groups(&self) -> bool {
        self.groups.is_some()
    }

    /// The text of the whole match (0) or of a group; none where it took no part in the match.
    pub fn group(&self, number: usize) -> Option<&'t str> {
        match &self.groups {
            Some(groups) => groups.get(number).map(|group| group.as_str()),
            None => (number == 0).then(|| self.as_str()),
        }
    }

    /// The whole match and then its groups.
    pub fn groups(&self) -> impl Iterator<Item = Option<&'t str>> {
        let count = self.groups.as_ref().map_or(1, regex::Captures::len);
        (0..count).map(|number| self.group(number))
    }
}

impl<'t> Iterator for Matches<'_, 't> {
    type Item = Match<'t>;

    fn next(&mut self) -> Option<Match<'t>> {
        if self.start > self.text.len() || !self.pay() {
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
    /// A search may read the text to its end although it finds a match at once: `.*[^A-Z]|[A-Z]` does.
    /// The caller has paid for the first; for the others, 2 KiB of what is left cost a tick, after the first
    /// 64 KiB. False past the program's limits.
    fn pay(&mut self) -> bool {
        if self.start > 0 {
            self.ahead += self.text.len() - self.start;
        }
        let ticks = self.ahead.saturating_sub(FREE_READ) / READ_PER_TICK;
        self.ahead -= ticks * READ_PER_TICK;
        ticks == 0 || meter::owe(ticks as u64)
    }
}

/// How much it takes to compile a pattern: roughly its length with all repetitions written out, where a
/// Unicode class is as long as `CLASS_EFFORT`. No more than what compiles at all.
pub fn effort(source: &str) -> usize {
    let classes = source.as_bytes().windows(2).filter(|pair| matches!(pair, [b'\\', b'p' | b'P'])).count();
    let counts = source.split('{').skip(1).filter_map(|after| {
        let counts = after.split('}').next()?;
        counts.split(',').filter_map(|count| count.parse::<usize>().ok()).max()
    });
    counts
        .fold(source.len() + CLASS_EFFORT * classes, |effort, count| effort.saturating_mul(count.max(1)))
        .min(MAX_EFFORT)
}

fn earliest<'t>(found: Option<Match<'t>>, other: Option<Match<'t>>) -> Option<Match<'t>> {
    match (found, other) {
        (Some(found), Some(other)) if other.start() < found.start() => Some(other),
        (Some(found), _) => Some(found),
        (None, other) => other,
    }
}

/// The text without the line end that ends it; none where there is none.
fn without_line_end(text: &str) -> Option<&str> {
    let line_ends = ["\r\n", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"];
    line_ends.iter().find_map(|line_end| text.strip_suffix(line_end))
}

fn compile(pattern: &str, max_size: usize) -> Result<regex::Regex, String> {
    regex::RegexBuilder::new(pattern).size_limit(max_size).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "compiles to more than 1 MiB".to_string(),
        other => last_line(&other.to_string()),
    })
}

/// The engine draws the pattern, which is not what the program wrote, above what it has to say.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or("cannot be compiled");
    line.trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pattern: &str, text: &str) -> Vec<String> {
        match Regex::of(pattern) {
            Ok(regex) => regex.matches(text).map(|found| found.as_str().to_string()).collect(),
            Err(reason) => vec![format!("!{reason}")],
        }
    }

    #[test]
    fn searches_as_java_does() {
        assert_eq!(all("a*", "baac"), ["", "aa", "", ""]);
        assert_eq!(all("", "ab"), ["", "", ""]);
        assert_eq!(all("a$", "a\n"), ["a"]);
        assert_eq!(all("$", "a\n"), ["", ""]);
        assert_eq!(all("a$", "a\n\n"), [""; 0]);
        assert_eq!(all("a\\z", "a\n"), [""; 0]);
        assert_eq!(all("(?m)^", "a\nb\n"), ["", ""]);
        assert_eq!(all("(?m)^.", "ab\ncd\r\nef"), ["a", "c", "e"]);
        assert_eq!(all("(?m).$", "ab\ncd\r\nef\rgh"), ["b", "d", "f", "h"]);
    }

    #[test]
    fn a_whole_match_may_need_a_later_alternative() {
        let regex = Regex::of("(a|ab)(c|bcd)?").unwrap();
        let found = regex.find_whole("abcd").unwrap();
        assert_eq!(found.groups().collect::<Vec<_>>(), [Some("abcd"), Some("a"), Some("bcd")]);
        assert!(regex.find_whole("abcde").is_none());
    }

    #[test]
    fn groups_with_and_without_names_are_numbered_together() {
        let regex = Regex::of("(?<y>\\d{4})-(\\d\\d)").unwrap();
        assert_eq!((regex.group_count(), regex.group_named("y")), (2, Some(1)));
        assert_eq!(regex.find("on 2024-05-06").unwrap().group(2), Some("05"));
    }

    #[test]
    fn a_readable_pattern_reads_back() {
        let readable = |pattern| Regex::of(pattern).unwrap().readable_source();
        assert_eq!(readable(r#"a"b"#), r#"a\"b"#);
        assert_eq!(readable(r#"a\"b"#), r#"a\"b"#);
        assert_eq!(readable(r#"\\""#), r#"\\\""#);
    }

    #[test]
    fn patterns_are_bounded() {
        assert_eq!(all(&"a".repeat(1025), ""), ["!longer than 1024 bytes"]);
        assert_eq!(all("(?:a{1000}){1000}", ""), ["!compiles to more than 1 MiB"]);
    }
}
