//! Finds secrets by the text around them, with the rules of `contexts.tsv`: options of commands, headers, URLs, constructors. All
//! literals are searched at once, and a rule's pattern is tried only at its literals.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::starts::Starts;
use super::values::{LONGEST_VALUE, Strength, is_likely};
use super::{begins, extend_to_end};

/// The rest of a line, as short as possible.
const REST: &str = r"[^\r\n]*?";
/// A value, quoted or unquoted.
const VALUE: &str =
    r#"(?:\\*"((?:[^"\r\n\\]|\\+/){4,})\\*"|\\*'([^'\r\n\\]{4,})\\*'|([^ \t\r\n"'`<>|;&()\\]{4,}))"#;
/// The text of an element or attribute.
const CONTENT: &str = r#"([^<>\r\n"]{4,})"#;
/// Maximum bytes of text matched by a pattern. A longer value ends with its run of letters and signs.
const LONGEST: usize = 4_096;

/// A rule of the table.
#[derive(Clone, Debug)]
pub struct Context {
    pub name: &'static str,
    pub strength: Strength,
    /// Every match begins with one of these lower-case literals. With `~` in front, it may also occur inside a word.
    literals: Vec<String>,
    pub pattern: &'static str,
    /// A text with a secret, possibly with the placeholder `#` for the secret.
    pub example: String,
    /// A similar text without a secret.
    pub look_alike: String,
}

/// All rules of the table. An invalid row is skipped; a test checks that there are none.
pub fn contexts() -> impl Iterator<Item = Context> {
    include_str!("contexts.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Context {
            name: columns.next()?,
            strength: Strength::parse(columns.next()?)?,
            literals: columns.next()?.split('|').map(unescape).collect(),
            pattern: columns.next()?,
            example: unescape(columns.next()?),
            look_alike: unescape(columns.next()?),
        })
    })
}

/// Number of rows of the table.
pub fn context_rows() -> usize {
    include_str!("contexts.tsv").lines().count() - 1
}

fn unescape(column: &str) -> String {
    column.replace("\\n", "\n").replace("\\t", "\t").replace("\\p", "|")
}

/// A rule. Its pattern is compiled at the first match of a literal.
struct Matcher {
    rule: Context,
    pattern: OnceLock<Option<Regex>>,
}

impl Matcher {
    fn pattern(&self) -> Option<&Regex> {
        self.pattern.get_or_init(|| compile(self.rule.pattern)).as_ref()
    }
}

fn compile(pattern: &str) -> Option<Regex> {
    let pattern = pattern.replace("{l}", REST).replace("{v}", VALUE).replace("{x}", CONTENT);
    Regex::new(&format!("^(?:{pattern})")).ok()
}

static MATCHERS: LazyLock<Vec<Matcher>> =
    LazyLock::new(|| contexts().map(|rule| Matcher { rule, pattern: OnceLock::new() }).collect());

/// A literal of a rule.
#[derive(Clone, Copy)]
struct Literal {
    text: &'static str,
    /// True if it may occur inside a word.
    within: bool,
    /// Index of the rule in [`MATCHERS`].
    index: usize,
}

/// The literals of all rules. They are in lower case.
static LITERALS: LazyLock<Starts<Literal>> = LazyLock::new(|| {
    let mut literals = Vec::new();
    for (index, matcher) in MATCHERS.iter().enumerate() {
        for literal in &matcher.rule.literals {
            let within = literal.starts_with('~');
            literals.push(Literal { text: literal.trim_start_matches('~'), within, index });
        }
    }
    Starts::of(literals.iter().map(|literal| (literal.text.as_bytes(), *literal)))
});

/// Names of rules with an invalid pattern. There are none.
pub fn unusable() -> Vec<&'static str> {
    let mut unusable = Vec::new();
    for rule in contexts() {
        if compile(rule.pattern).is_none() {
            unusable.push(rule.name);
        }
    }
    unusable
}

/// Finds the secrets recognisable by the text around them.
pub fn secrets(text: &str) -> Vec<&str> {
    found_by_context(text).into_iter().map(|(_, secret)| secret).collect()
}

/// Finds the secrets, each with the name of its rule.
pub fn found_by_context(text: &str) -> Vec<(&'static str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, literals)) = LITERALS.next(text, from) {
        for literal in literals {
            if starts_with(text, at, literal.text) && (literal.within || begins(text, at)) {
                try_rule(text, at, &MATCHERS[literal.index], &mut found);
            }
        }
        from = at + 1;
    }
    found
}

fn starts_with(text: &str, at: usize, literal: &str) -> bool {
    match text.as_bytes()[at..].get(..literal.len()) {
        Some(start) => start.eq_ignore_ascii_case(literal.as_bytes()),
        None => false,
    }
}

fn try_rule<'t>(
    text: &'t str,
    at: usize,
    matcher: &'static Matcher,
    found: &mut Vec<(&'static str, &'t str)>,
) {
    let end = text.floor_char_boundary(at + LONGEST);
    let (Some(rest), Some(pattern)) = (text.get(at..end), matcher.pattern()) else { return };
    let Some(captures) = pattern.captures(rest) else { return };
    for value in captures.iter().skip(1).flatten() {
        // Punctuation after a value belongs to the sentence or the code.
        let value = extend_to_end(text, value.as_str(), end, LONGEST_VALUE).trim_end_matches([',', ';']);
        if is_likely(value, matcher.rule.strength) {
            found.push((matcher.rule.name, value));
        }
    }
}
