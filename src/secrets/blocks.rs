//! Secrets of several lines: private keys as found in files and printed by tools, and values of Kubernetes secrets.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::contains_any;

/// Maximum lines between the `kind` of a Kubernetes object and its data.
const NEAR: usize = 60;
/// Minimum characters of an encoded value. Shorter ones are numbers and names.
const SHORTEST: usize = 8;

/// A private key, possibly truncated. Each line may have a diff marker, a line number (`grep -n`, `cat -n`, editors) or a file name (`grep
/// -H`) before it, and the `$` of `cat -A` after it. Line breaks may be escaped.
static PRIVATE_KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // Source code concatenates the lines as strings.
    let end = r#"(?:\^M)?\$?(?:[\r\n]+[0-9]{1,6}[:|→-]?[ \t]*[\r\n]|[ \t\r\n]|\\+[nrt]|["'][ \t]*[+.,]?[ \t]*\\?[\r\n]+[ \t]*(?:[+.][ \t]*)?["'])*"#;
    let start = r"(?:[A-Za-z0-9_./~-]{1,80}[:-])?[+>|-]?[ \t]*(?:[0-9]{1,6}[ \t]*(?:→|[|:\t-]))?[ \t]*";
    let fields = r"(?:Version|Comment|Proc-Type|DEK-Info|Hash|Charset|Encryption|Public-Lines|Private-Lines|Key-Derivation|Argon2-[A-Za-z]+|Private-MAC): [^\r\n\\]*";
    // PuTTY keeps both keys in a file, and the last line of the public one may be short.
    let lines = format!(
        r"(?:{end}{start}(?:[A-Za-z0-9+/=]{{16,}}|(?:[A-Za-z0-9+/=]{{1,15}}{end}{start})?{fields}))*"
    );
    let last = format!(r"(?:{end}{start}[A-Za-z0-9+/=]{{1,15}})?");
    let marked = format!(
        r"-----BEGIN (?:[A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----{lines}(?:{last}{end}{start}-----END [A-Za-z0-9 ]{{0,40}}-----)?"
    );
    let of_putty =
        format!(r"PuTTY-User-Key-File-[0-9]: [a-z0-9-]+{lines}{last}(?:{end}{start}Private-MAC: [a-f0-9]+)?");
    Regex::new(&format!("{marked}|{of_putty}")).ok()
});

/// The last lines of a private key, as `tail` prints them.
static TAIL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"((?:(?:^|[\r\n])[ \t]*[A-Za-z0-9+/=]{16,100}[ \t\r]*)+)[\r\n]+[ \t]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    )
    .ok()
});

/// An entry of a map, in YAML or JSON.
static ENTRY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^[ \t]*"?[A-Za-z0-9._-]+"?:[ \t]*"?([^ \t\r\n",|>{][^\r\n",]*)"?,?[ \t]*$"#).ok()
});

/// All patterns, named for a test.
pub const PATTERNS: [(&str, &LazyLock<Option<Regex>>); 3] =
    [("private keys", &PRIVATE_KEY), ("ends of private keys", &TAIL), ("entries", &ENTRY)];

/// Finds the secrets of all blocks in a text.
pub fn secrets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // Patterns are compiled on first use, so the cheap tests come first.
    if contains_any(text, &["PRIVATE KEY", "Static key", "PuTTY-User-Key-File"])
        && let Some(keys) = &*PRIVATE_KEY
    {
        for key in keys.find_iter(text) {
            // Programs check for the first line alone, so it is no secret.
            if key.len() > 80 && has_body(key.as_str()) {
                found.push(key.as_str());
            }
        }
    }
    if text.contains("PRIVATE KEY")
        && let Some(tails) = &*TAIL
    {
        for tail in tails.captures_iter(text) {
            if let Some(lines) = tail.get(1)
                && !lines.as_str().contains("-----BEGIN")
            {
                found.push(lines.as_str().trim());
            }
        }
    }
    if contains_any(text, &["kind: Secret", "\"kind\": \"Secret\""]) {
        found.extend(find_kubernetes(text));
    }
    found
}

/// Returns true if a private key has more than its BEGIN and END markers.
fn has_body(key: &str) -> bool {
    for body in key.split("-----").step_by(2) {
        if body.bytes().filter(u8::is_ascii_alphanumeric).count() >= 24 {
            return true;
        }
    }
    false
}

/// The values below `data:` and `stringData:` of Kubernetes secrets.
fn find_kubernetes(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let Some(entry) = &*ENTRY else { return found };
    let mut kinds = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if is_line(line, "kind", "Secret") {
            kinds.push(number);
        }
    }
    for (number, line) in lines.iter().enumerate() {
        let name = line.trim().trim_matches(['"', '{', ' ']).trim_end_matches([':', '"', ' ']);
        if !["data", "stringData"].contains(&name) || !line.contains(':') || !is_near(&kinds, number) {
            continue;
        }
        let indent = indent_of(line);
        for line in &lines[number + 1..] {
            if indent_of(line) <= indent {
                break;
            }
            if let Some(captures) = entry.captures(line)
                && let Some(value) = captures.get(1)
                && value.len() >= SHORTEST
            {
                found.push(value.as_str());
            }
        }
    }
    found
}

/// Returns true if one of these line numbers, in order, is within [`NEAR`] lines.
fn is_near(kinds: &[usize], number: usize) -> bool {
    let after = kinds.partition_point(|kind| kind + NEAR <= number);
    kinds.get(after).is_some_and(|kind| kind.abs_diff(number) < NEAR)
}

fn is_line(line: &str, name: &str, value: &str) -> bool {
    let plain = line.replace(['"', ',', ' ', '\t'], "");
    plain == format!("{name}:{value}")
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
