//! Finds the tests that name requirements. It relies on rustfmt: a closing brace is indented as its function.

use std::collections::BTreeSet;
use std::path::Path;

/// Requirements that one test, scenario or golden program names.
#[derive(Clone, Debug)]
pub struct Claim {
    /// `FILE:LINE`.
    pub place: String,
    pub ids: BTreeSet<String>,
    pub text: String,
    /// True if all of its output is compared with a file.
    pub is_golden: bool,
}

impl Claim {
    fn new(ids: &Ids, path: &Path, line: usize, text: String, is_golden: bool) -> Option<Claim> {
        let named = ids.named_in(&text);
        let place = format!("{}:{}", path.display(), line + 1);
        (!named.is_empty()).then_some(Claim { place, ids: named, text, is_golden })
    }
}

/// All IDs in the order of the list.
pub struct Ids {
    known: Vec<String>,
    prefixes: BTreeSet<String>,
}

impl Ids {
    pub fn new<'a>(ids: impl Iterator<Item = &'a str>) -> Ids {
        let known: Vec<String> = ids.map(str::to_string).collect();
        let prefixes = known.iter().filter_map(|id| Some(id.split_once('-')?.0.to_string())).collect();
        Ids { known, prefixes }
    }

    /// IDs named by a text. `A-1…A-3` and `A-1 to A-3` name those between as well.
    pub fn named_in(&self, text: &str) -> BTreeSet<String> {
        let found = self.words(text);
        let mut named: BTreeSet<String> = found.iter().map(|(_, id)| (*id).to_string()).collect();
        for pair in found.windows(2) {
            let [(first_at, first), (last_at, last)] = pair else { continue };
            let between = &text[first_at + first.len()..*last_at];
            if ["…", " to "].contains(&between) {
                named.extend(self.between(first, last));
            }
        }
        named.retain(|id| self.known.contains(id));
        named
    }

    /// Words of the shape of an ID that are not in the list.
    pub fn unknown_in(&self, text: &str) -> BTreeSet<String> {
        let found = self.words(text).into_iter().map(|(_, id)| id.to_string());
        found.filter(|id| !self.known.contains(id)).collect()
    }

    fn between(&self, first: &str, last: &str) -> Vec<String> {
        let place = |id: &str| self.known.iter().position(|known| known == id);
        match (place(first), place(last)) {
            (Some(first), Some(last)) if first < last => self.known[first + 1..last].to_vec(),
            _ => Vec::new(),
        }
    }

    /// Every `PREFIX-DIGITS` with a known prefix, and its byte offset.
    fn words<'t>(&self, text: &'t str) -> Vec<(usize, &'t str)> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let mut words = Vec::new();
        let mut start = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            match (is_part(c), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    words.extend(self.is_id(&text[from..at]).then_some((from, &text[from..at])));
                    start = None;
                }
                _ => {}
            }
        }
        words
    }

    fn is_id(&self, word: &str) -> bool {
        let is_number = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_digit());
        word.split_once('-')
            .is_some_and(|(prefix, number)| self.prefixes.contains(prefix) && is_number(number))
    }
}

/// The `#[test]` functions of a source file, each with the comment above it.
pub fn of_tests(ids: &Ids, path: &Path, text: &str) -> Vec<Claim> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.iter().enumerate().filter(|(_, line)| line.trim() == "#[test]");
    tests.filter_map(|(at, _)| Claim::new(ids, path, at, test_around(&lines, at), false)).collect()
}

/// From the first line of the comment above to the closing brace.
fn test_around(lines: &[&str], at: usize) -> String {
    let is_head = |line: &&&str| ["//", "#["].iter().any(|start| line.trim_start().starts_with(start));
    let above = lines[..at].iter().rev().take_while(is_head).count();
    let indent = lines[at].len() - lines[at].trim_start().len();
    let end = format!("{}}}", " ".repeat(indent));
    let below = lines[at..].iter().position(|line| **line == end).unwrap_or(0);
    lines[at - above..=at + below].join("\n")
}

/// The comment at the top of a scenario with an accepted snapshot.
pub fn of_scenario(ids: &Ids, path: &Path, text: &str) -> Vec<Claim> {
    let comment: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    let name = path.strip_prefix("scenarios").unwrap_or(path).with_extension("");
    let accepted = Path::new("snapshots").join(name).join("run.snap").exists();
    let claim = Claim::new(ids, path, 0, comment.join("\n"), true);
    claim.into_iter().filter(|_| accepted).collect()
}

/// Comments of two semicolons above programs with expectations.
pub fn of_programs(ids: &Ids, path: &Path, text: &str) -> Vec<Claim> {
    let lines: Vec<&str> = text.lines().collect();
    let is_compared = |at: usize| {
        let mut below = lines[at..].iter().skip_while(|line| line.starts_with(";; "));
        let is_program = below.next().is_some_and(|line| !line.is_empty() && !is_expectation(line));
        let end = below.find(|line| line.is_empty() || is_expectation(line));
        is_program && end.is_some_and(|line| is_expectation(line))
    };
    let comments = lines.iter().enumerate().filter(|(at, line)| line.starts_with(";; ") && is_compared(*at));
    comments.filter_map(|(at, line)| Claim::new(ids, path, at, (*line).to_string(), true)).collect()
}

fn is_expectation(line: &str) -> bool {
    [";=>", ";!>", ";out>", ";return>", ";fail>"].iter().any(|marker| line.starts_with(marker))
}
