//! Secrets in texts of logs: keys, tokens and passwords, which no file that others read should hold. They are known by their shape
//! (`rules.tsv`), by the block that they stand in (`blocks.rs`), or by what stands before them. The shapes are made of what providers
//! document, with the kinds of gitleaks 8.30 as a checklist.

mod blocks;
mod json;
mod keys;
mod rules;
mod variables;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

pub use json::{JsonString, replace_strings};
pub use rules::{Rule, rules};

/// Names of values that are secret.
const NAMES: &str = concat!(
    r"(?:password|passwd|pass[_-]?phrase|passcode|[_-]pwd|secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|account[_-]?key|auth[_-]?key|",
    r"encryption[_-]?key|pre[_-]?shared[_-]?key|signing[_-]?key|private[_-]?key|master[_-]?key|client[_-]key[_-]data|credentials?|connection[_-]?string|",
    r"(?:auth|access|refresh|api|bot|session|csrf|security|deploy|bearer|id|hub|lab|npm|slack)[_-]?token|[_-]token|sonar[._]?login|jenkins[_-]crumb)",
);
/// Patterns of the text around a secret; the secret is a group. JSON in a text escapes quotation marks, perhaps slashes, `=` and `&`.
static CONTEXTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let quoted = r#"\\*["'`]((?:[^ \t\r\n"'`\\]|\\+/){6,})\\*["'`]"#;
    let plain = r"([A-Za-z0-9+/_.=~!@#$%^&*?-]{6,})";
    let assigns = r"[ \t]*(?::=|=>|==?|:|\\+u003[dD])[ \t]*";
    let mark = r#"(?:\\*["'`\]]){0,2}"#;
    let patterns = [
        format!(
            r"(?i-u:{NAMES}[A-Z0-9]{{0,4}}(?:[_-][A-Z0-9]{{1,8}})?){mark}{assigns}(?:{quoted}|{plain})"
        ),
        format!(r"--(?i-u:{NAMES}|token|pass|auth)[ =](?:{quoted}|{plain})"),
        // The base of a key, such as that of Rails.
        format!(r"(?i-u:secret[_-]?key[_-]?base){mark}{assigns}(?:{quoted}|{plain})"),
        // A line of pgpass: host, port, database and user stand before the password.
        r"(?:^|[\r\n\t ]|\\+n)(?:[A-Za-z0-9_.-]+|\*):(?:[0-9]{2,5}|\*):(?:[A-Za-z0-9_.-]+|\*):(?:[A-Za-z0-9_.-]+|\*):([^ \t\r\n:\\]{6,})"
            .to_owned(),
        format!(r"<(?i-u:{NAMES})>([^<>\s]{{6,400}})</"),
        // A variable of an environment, as Docker and Kubernetes write it.
        format!(
            r"(?i-u:name{mark}{assigns}{mark}[A-Z0-9_.-]*{NAMES}[A-Z0-9_]*){mark},?(?:[ \t\r\n]|\\[nrt])*{mark}(?i-u:value){mark}{assigns}(?:{quoted}|{plain})"
        ),
        r"(?i-u:bearer|basic|authorization: token)[ ]+([A-Za-z0-9+/_.=~-]{12,})".to_owned(),
        // Providers have names of their own for the scheme, or none.
        format!(r#"(?i-u:authorization){mark}{assigns}\\*["'`]?(?:[A-Za-z][A-Za-z-]{{2,30}}[ ]+)?([A-Za-z0-9+/_.=~-]{{16,}})"#),
        // A key in place of the user, or of the password.
        r#"curl [^\r\n]*?(?:-u|--user)[ =]?\\*["'`]?:?([A-Za-z0-9_]{16,})(?-u:\b)"#.to_owned(),
        r"(?i-u:phpsessid|jsessionid|sessionid|connect\.sid|session-token|[a-z]_session|[;' ]session|identity\.application)=([A-Za-z0-9%+/_.=~-]{20,})"
            .to_owned(),
        r#"(?:(?:docker|podman|helm registry|oras|az|vsce) [^\r\n]*?login|cqlsh|mongosh?|mongodump|mosquitto_[a-z]+|sqlcmd|unzip|ipmitool|redis-cli|snmp[a-z]+)[^\r\n]*?[ ]-(?:[pPaA]|-password)[ =]*\\*["'`]?([^ \t\r\n"'`\\]{6,})"#
            .to_owned(),
        r#"(?i-u:unseal(?: key(?: [0-9]+)?:)?)[ ]+\\*["'`]?([A-Za-z0-9+/=]{40,})"#.to_owned(),
        r"(?i-u:psexec)[^\r\n]*?[ ]-p[ ]+([^ \t\r\n\\]{6,})".to_owned(),
        r#":(?:\\*/){2}[^ \t\r\n/:@"'<>`\\]*:([^ \t\r\n/"'<>`\\]+)@[A-Za-z0-9\[]"#.to_owned(),
        r":(?:\\*/){2}([A-Za-z0-9_]{20,})@[A-Za-z0-9]".to_owned(),
        r"[?&]code=([A-Za-z0-9%+/_=-]{40,})".to_owned(),
        r"mysql[a-z]*(?:[ \t][^\r\n]*?)?[ \t]-p([^ \t\r\n\\]{6,})".to_owned(),
        r"(?i-u:requirepass|masterauth)[ \t]+([^ \t\r\n\\]{6,})".to_owned(),
        r"(?:[?&]|\\u0026)(?i-u:sig|x-amz-signature|signature|key|token|auth)=([A-Za-z0-9%+/_-]{20,})".to_owned(),
        r#"(?i-u:cookie): [^\r\n"'`\\]*?(?i-u:sess|sid|auth|token)[A-Za-z0-9_.-]*=([^ ;\r\n"'`\\]{12,})"#.to_owned(),
        r"machine[ \t]+[^ \t]+[ \t]+login[ \t]+[^ \t]+[ \t]+password[ \t]+([^ \t\r\n]+)".to_owned(),
        format!(r#"{mark}auth\\*["']{assigns}\\*["']([A-Za-z0-9+/]{{16,}}=*)\\*["']"#),
        r#"(?:sshpass -p|curl [^\r\n"'`]*?(?:-u|--user)[ =]?\\*["']?[^ :"'`\\]+:)[ ]*\\*["']?([^ \t\r\n"'`\\]{6,})"#.to_owned(),
    ];
    Regex::new(&patterns.join("|")).ok()
});

/// The patterns that cannot be used, such as one that is too large, and so find nothing. There are none.
pub fn unusable_rules() -> Vec<&'static str> {
    let mut unusable = keys::unusable();
    let patterns = [("contexts", &CONTEXTS), ("names", &NAME)]
        .into_iter()
        .chain(variables::PATTERNS)
        .chain(blocks::PATTERNS);
    for (name, pattern) in patterns {
        if pattern.is_none() {
            unusable.push(name);
        }
    }
    unusable
}

/// A name that is one of those, and nothing else.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"^(?i-u:[A-Z0-9_.-]*{NAMES}[A-Z0-9]{{0,4}}|token|pwd|authorization)$")).ok()
});

/// The number of last bytes by which a secret is found again: as many as the shortest value that is taken for one has.
const ANCHOR: usize = 6;

/// Bytes of the longest value that is taken for a secret because of what stands before it.
const MAX: usize = 400;

/// Bytes of the shortest line of a private key that is searched alone.
const SHORTEST_LINE: usize = 24;

/// Words in values that stand for a secret.
const PLACEHOLDERS: &[&str] = &[
    "$",
    "{",
    "<",
    "***",
    "...",
    "xxxx",
    "your",
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "redacted",
    "undefined",
    "process.env",
    "os.environ",
    "getenv",
    "secrets.",
    "[secret",
];

/// The secrets of all conversations so far. Equal ones have one number.
#[derive(Default)]
pub struct Secrets {
    numbers: FxHashMap<String, usize>,
    /// Secrets and their numbers, by their last bytes.
    known: FxHashMap<[u8; ANCHOR], Vec<(String, usize)>>,
}

/// A secret in a text, from one byte to another.
struct Occurrence {
    start: usize,
    end: usize,
    number: usize,
}

impl Secrets {
    /// Returns true if no secret is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Learns the secrets of a text. `key` is that of an object in whose value the text is.
    pub fn learn(&mut self, text: &str, key: Option<&str>) {
        for key in keys::find(text) {
            self.add(key);
        }
        for secret in blocks::secrets(text) {
            self.add(secret);
        }
        for context in CONTEXTS.iter().flat_map(|contexts| contexts.captures_iter(text)) {
            for value in context.iter().skip(1).flatten() {
                let is_quoted =
                    text.get(..value.start()).is_some_and(|before| before.ends_with(['"', '\'', '`']));
                let is_code = is_code_after(text, value.end());
                // Names of pages and versions follow `next_token:` too; a password may be words.
                let is_named =
                    is_words(value.as_str()) && !context.get(0).is_some_and(|all| of_password(all.as_str()));
                let is_plain = !is_code && !is_named && is_plain_secret(value.as_str());
                if is_secret(value.as_str()) && (is_quoted || is_plain) {
                    self.add(value.as_str());
                }
            }
        }
        for secret in variables::secrets(text) {
            self.add(secret);
        }
        let is_named = key.is_some_and(|key| NAME.as_ref().is_some_and(|name| name.is_match(key)));
        if is_named && !text.contains(char::is_whitespace) && is_secret(text) {
            self.add(text);
        }
    }

    /// Learns each line of the secrets of several lines, for texts that are stored by lines.
    pub fn learn_lines(&mut self) {
        let known: Vec<String> = self.known.values().flatten().map(|(secret, _)| secret.clone()).collect();
        for secret in known.iter().filter(|secret| secret.contains(char::is_whitespace)) {
            for word in secret.split(char::is_whitespace).filter(|word| word.len() >= SHORTEST_LINE) {
                self.add(word.trim_end_matches('$'));
            }
        }
    }

    fn add(&mut self, value: &str) {
        // The end of a sentence.
        let value = value.trim_end_matches('.');
        let Some(anchor) = value.as_bytes().last_chunk::<ANCHOR>() else { return };
        // A private key is the same with line breaks of any kind.
        let plain = value.replace("\\n", "").replace(char::is_whitespace, "");
        let number = self.numbers.len() + 1;
        let number = *self.numbers.entry(plain).or_insert(number);
        let known = self.known.entry(*anchor).or_default();
        if known.iter().all(|(secret, _)| secret != value) {
            known.push((value.to_owned(), number));
        }
    }

    /// The text without the secrets, and their number; none if it holds none.
    pub fn hidden(&self, text: &str) -> Option<(String, usize)> {
        let mut occurrences = self.occurrences(text);
        // The longest of those that begin at one place.
        occurrences.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.end)));
        let (mut hidden, mut end, mut count) = (String::new(), 0, 0);
        for secret in occurrences {
            if let Some(before) = text.get(end..secret.start).filter(|_| secret.start >= end) {
                hidden += &format!("{before}[secret {}]", secret.number);
                (end, count) = (secret.end, count + 1);
            }
        }
        // Places of secrets are borders of characters.
        (count > 0).then(|| (hidden + &text[end..], count))
    }

    /// The secrets in a text, in the order of their ends.
    fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let mut occurrences = Vec::new();
        for (at, last) in text.as_bytes().windows(ANCHOR).enumerate() {
            let Some(known) = <&[u8; ANCHOR]>::try_from(last).ok().and_then(|last| self.known.get(last))
            else {
                continue;
            };
            let end = at + ANCHOR;
            let Some(before) = text.get(..end) else { continue };
            for (secret, number) in known.iter().filter(|(secret, _)| before.ends_with(secret)) {
                let start = end - secret.len();
                if begins(text, start) && ends(text, end) {
                    occurrences.push(Occurrence { start, end, number: *number });
                }
            }
        }
        occurrences
    }
}

/// Returns true if a text speaks of a password or secret.
fn of_password(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["pass", "pwd", "secret", "masterauth", "mysql", "://"].iter().any(|word| lower.contains(word))
}

/// Returns true if a call, an index or a path follows: the value is a piece of a program.
fn is_code_after(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|after| after.starts_with(['(', '[']) || after.starts_with("::"))
}

/// Returns true for names that people write: words of letters, and numbers, joined by signs or told apart by capitals.
fn is_words(value: &str) -> bool {
    is_identifier(value) || is_joined(value)
}

/// Returns true for a name of a program, such as `win32api.RegOpenKeyEx`: of words that a person can say. Random letters change their
/// case after two on average, and have long runs without a vowel.
fn is_identifier(value: &str) -> bool {
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let is_name = value.chars().all(|c| c.is_ascii_alphanumeric() || "_.:".contains(c));
    let (mut words, mut consonants, mut longest, mut last) = (0, 0, 0, '.');
    for c in value.chars() {
        let begins_word = c.is_ascii_uppercase() || c.is_ascii_lowercase() && !last.is_ascii_alphabetic();
        words += usize::from(begins_word);
        let is_consonant = c.is_ascii_alphabetic() && !"aeiouyAEIOUY".contains(c);
        consonants = if is_consonant { consonants + 1 } else { 0 };
        longest = longest.max(consonants);
        last = c;
    }
    is_name
        && value.contains(|c: char| c.is_ascii_uppercase())
        && digits * 6 <= letters
        && letters >= words * 3
        && longest < 5
}

fn is_joined(value: &str) -> bool {
    let parts = value.split(['-', '_', '.', '/', '=', '+']).filter(|part| !part.is_empty());
    parts.clone().count() > 1
        && parts.into_iter().all(|part| {
            let is_number = part.chars().all(|c| c.is_ascii_digit());
            let is_word = part.chars().all(|c| c.is_ascii_alphabetic());
            is_number || is_word && part.len() < 16 || part.len() < 4
        })
}

/// Bits of information of each byte, by the frequencies of bytes.
fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    let mut bits = 0.0;
    for count in counts.into_iter().filter(|count| *count > 0) {
        let share = f64::from(count) / length;
        bits -= share * libm::log2(share);
    }
    bits
}

/// Returns true if no word goes on at this place. A letter may belong to an escape, such as that of a line break or of `=`.
fn begins(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric());
    let last = before.get(before.floor_char_boundary(before.len().saturating_sub(6))..).unwrap_or_default();
    let escape = last.rsplit_once('\\').map_or("", |(_, escape)| escape);
    !is_inside || ["n", "r", "t"].contains(&escape) || escape.len() == 5 && escape.starts_with('u')
}

fn ends(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    !(before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Returns false for what somebody writes by hand, such as a name with hyphens or the first line of a private key. Keys of Hugging
/// Face have no digit, and neither has one of thirty of AWS.
fn is_random(key: &str) -> bool {
    let last = key.rsplit(['-', '_', '.']).next().unwrap_or(key);
    let letters: BTreeSet<char> = last.chars().collect();
    let capitals = last.chars().filter(char::is_ascii_uppercase).count();
    key.contains(|c: char| c.is_ascii_digit()) || capitals >= 5 && letters.len() > 10
}

/// Returns true for a value that can be a secret: no word, number, path, name or piece of a program.
fn is_secret(value: &str) -> bool {
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let has_sign = value.contains(|c: char| "!@#%^&*+?".contains(c));
    (has_digit || has_sign) && is_value(value)
}

/// The same for letters alone too.
fn is_value(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_name = lower.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    // `password: db_password2` names a variable; a key that holds such a word by chance is longer.
    let words = ["password", "passwd", "secret", "token", "apikey", "_key", "key_", "-key", "key-"];
    let names_itself = is_name && value.len() < 30 && words.iter().any(|word| lower.contains(word));
    let is_path = ["/", "./", "../", "~/", "http:", "https:"].iter().any(|start| lower.starts_with(start));
    let has_letter = value.contains(|c: char| c.is_ascii_alphabetic());
    let is_placeholder =
        PLACEHOLDERS.iter().any(|word| lower.contains(word)) || lower.ends_with(['(', ',', ';']);
    // Prices and other numbers with an exponent, and constants of programs.
    let is_address = value.len() < 20 && lower.starts_with("0x");
    let is_number = is_address || value.parse::<f64>().is_ok();
    let is_constant = value.contains('_')
        && value.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit());
    if value.len() > MAX || is_number || is_constant && is_words(value) {
        return false;
    }
    has_letter && !is_placeholder && !names_itself && !is_path
}

/// Returns true for a value that can be a secret without quotes, where a type, a macro or a variable can stand too.
fn is_plain_secret(value: &str) -> bool {
    let is_variable = value.contains('_')
        && value.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit());
    // A word of a name is shorter.
    let has_long_part =
        value.split('_').any(|part| part.len() >= 24 && part.contains(|c: char| c.is_ascii_digit()));
    value.contains(|c: char| c.is_ascii_digit())
        && !value.starts_with(['*', '&'])
        && (!is_variable || has_long_part)
}
