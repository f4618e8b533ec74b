//! Secrets in table columns named like secrets: tables of Markdown and of databases, CSV, output of commands, and rows inserted by SQL.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::{ends_with_any, has_digit, has_lower};
use super::offset_in;
use super::starts::{LongRegex, SparseRegex};
use super::values::{Strength, is_chosen, is_likely, is_uuid, is_words};

/// Maximum rows of a table to search.
const ROWS: usize = 500;
/// Maximum bytes of a heading line.
const LONGEST_HEAD: usize = 1_000;

/// The name of a column of passwords.
static PASSWORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i:^(?:.*[ _.-])?(?:password|passwd|passphrase|passcode|pass|pwd|pw|secret|psk|pin|authpasswd|password_hash|authentication_string|rolpassword)(?:[ _-]?(?:hash|plain|text|value))?$)").ok()
});
/// The name of a column of keys.
static KEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i:^(?:.*[ _.-])?(?:[a-z]*(?:token|secret)|(?:api|access|secret|private|auth|license|encryption|signing|webhook|deploy|session|stream)[ _-]?key|credentials?|session(?:[ _-]?id)?|cookie|totp|otp[ _-]?secret|key[ _-]value)(?:[ _-]?(?:hash|value))?$)").ok()
});
/// An SQL statement inserting rows. Captures columns and values.
static INSERT: LazyLock<Option<LongRegex>> = LazyLock::new(|| {
    LongRegex::new(
        r"(?i-u:insert[ ]+(?:ignore[ ]+)?into|replace[ ]+into)[ ]+[^ (\r\n]+[ ]*\(([^()]+)\)[ \r\n]*(?i-u:values)[ \r\n]*(\([^\r\n;]+)",
    )
});
/// A quoted or plain value in a list.
static CELL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"'((?:[^']|'')*)'|([^,()' ]+)").ok());
/// Quick pre-filter: words of column names. Most texts lack them.
static HINTS: LazyLock<Option<SparseRegex>> = LazyLock::new(|| {
    SparseRegex::new(r"(?i-u:pass|pwd|secret|token|key|psk|credential|session|cookie|otp|[ |,]pw|[ |,]pin)")
});

/// All patterns, named for a test.
pub const PATTERNS: [(&str, &LazyLock<Option<Regex>>); 3] =
    [("heads of passwords", &PASSWORD), ("heads of keys", &KEY), ("inserted values", &CELL)];

/// The kind of secrets in a column.
#[derive(Clone, Copy)]
enum Column {
    Passwords,
    Keys,
    /// Values that are keys even if they are UUIDs.
    Credentials,
    /// A column `key`. Most are names.
    Any,
}

impl Column {
    fn parse_head(head: &str) -> Option<Column> {
        let head = head.trim().trim_matches(['*', '"', '`', '\'']);
        if PASSWORD.as_ref()?.is_match(head) {
            return Some(Column::Passwords);
        }
        if head.eq_ignore_ascii_case("key") {
            return Some(Column::Any);
        }
        let lower = head.to_ascii_lowercase();
        let names = ["credential", "credentials", "api_key", "api key", "access_token", "secret_key"];
        if ends_with_any(&lower, &names) {
            return Some(Column::Credentials);
        }
        KEY.as_ref()?.is_match(head).then_some(Column::Keys)
    }

    /// Returns true if the value is a secret of this kind.
    fn contains(self, value: &str) -> bool {
        let is_code = value.contains(['(', ')', '\'', '"', '&']) && !has_digit(value);
        if is_uuid(value) {
            return matches!(self, Column::Credentials);
        }
        if value.contains(char::is_whitespace) || is_code {
            return false;
        }
        match self {
            Column::Passwords => is_chosen(value) && !value.contains("://"),
            Column::Any => value.len() >= 32 && is_likely(value, Strength::Mixed),
            Column::Keys | Column::Credentials => is_likely(value, Strength::Random) && !is_words(value),
        }
    }
}

/// Returns true if the patterns of hints and inserted rows are usable. They are.
pub fn has_hints() -> bool {
    HINTS.is_some() && INSERT.is_some()
}

/// Finds the secrets in the tables of a text.
pub fn secrets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if !text.contains(['\n', '(']) {
        return found;
    }
    let Some(hints) = &*HINTS else { return found };
    let Some(mut hint) = hints.find_at(text, 0) else { return found };
    let lines: Vec<&str> = text.lines().collect();
    for (number, head) in lines.iter().enumerate() {
        let end = offset_in(text, head) + head.len();
        if end < hint.end || number + 1 == lines.len() {
            continue;
        }
        if head.len() <= LONGEST_HEAD {
            found.extend(find_in_columns(head, &lines[number + 1..]));
        }
        let Some(next) = hints.find_at(text, end) else { break };
        hint = next;
    }
    let is_sql = text.contains("VALUES") || text.contains("values");
    if !is_sql {
        return found;
    }
    let Some(insert) = &*INSERT else { return found };
    let mut from = 0;
    while let Some((start, statement)) = insert.captures_at(text, from) {
        from = start + statement.get_match().len().max(1);
        if let (Some(names), Some(rows)) = (statement.get(1), statement.get(2)) {
            found.extend(find_inserted(names.as_str(), rows.as_str()));
        }
    }
    found
}

/// The secrets below a line, if it is the heading of a table.
fn find_in_columns<'t>(head: &str, rows: &[&'t str]) -> Vec<&'t str> {
    for separator in ['|', '│', '\t', ',', ';'] {
        let heads: Vec<&str> = head.split(separator).collect();
        if heads.len() < 2 || !heads.iter().all(is_head) {
            continue;
        }
        let is_table = match separator {
            '|' | '│' => rows.first().is_some_and(is_rule),
            // A line of code has commas too, but begins with spaces or ends with a comma.
            _ => !head.starts_with([' ', '\t']) && !heads.iter().any(is_blank),
        };
        if is_table {
            return find_in_cells(&heads, rows, separator);
        }
    }
    find_in_aligned(head, rows)
}

fn is_blank(cell: &&str) -> bool {
    cell.trim().is_empty()
}

/// Returns true for a possible column name: short, and without punctuation.
fn is_head(head: &&str) -> bool {
    let head = head.trim().trim_matches(['*', '"', '`']);
    head.len() <= 40 && head.split([' ', '_', '-', '.']).all(is_word) && head.split(' ').count() <= 4
}

fn is_word(word: &str) -> bool {
    word.chars().all(char::is_alphanumeric)
}

fn find_in_cells<'t>(heads: &[&str], rows: &[&'t str], separator: char) -> Vec<&'t str> {
    let mut found = Vec::new();
    let columns: Vec<Option<Column>> = heads.iter().copied().map(Column::parse_head).collect();
    if columns.iter().all(Option::is_none) {
        return found;
    }
    for row in rows.iter().take(ROWS) {
        if is_rule(row) {
            continue;
        }
        let cells: Vec<&str> = row.split(separator).collect();
        if cells.len() != heads.len() {
            break;
        }
        for (cell, column) in cells.iter().zip(&columns) {
            let value = cell.trim().trim_matches(['"', '`', '\'']);
            if let Some(column) = column
                && column.contains(value)
            {
                found.push(value);
            }
        }
    }
    found
}

/// Returns true for a line between the heading and the rows.
fn is_rule(row: &&str) -> bool {
    const STROKES: [char; 13] = ['-', '+', '|', '=', ':', ' ', '│', '─', '┼', '├', '┤', '╪', '═'];
    row.trim_start_matches(STROKES).is_empty() && row.len() > 2
}

/// Secrets in space-aligned columns. The heading is in capitals or has a rule below it.
fn find_in_aligned<'t>(head: &str, rows: &[&'t str]) -> Vec<&'t str> {
    let mut found = Vec::new();
    let is_ruled = rows.first().is_some_and(|rule| is_rule(rule) && rule.contains("--"));
    // A single name in capitals is a line like any other.
    let has_heads = !has_lower(head) && head.trim().contains("  ");
    if !head.is_ascii() || !(is_ruled || has_heads) {
        return found;
    }
    let mut at = 0;
    for name in head.split("  ") {
        if is_blank(&name) {
            continue;
        }
        let Some(gap) = head.get(at..).and_then(|rest| rest.find(name.trim())) else { break };
        let start = at + gap;
        at = start + name.trim().len();
        let Some(column) = Column::parse_head(name) else { continue };
        for row in rows.iter().take(ROWS) {
            if is_blank(row) {
                break;
            }
            let Some(rest) = row.get(start..) else { continue };
            let value = rest.split("  ").next().unwrap_or(rest).trim();
            let is_cell = start == 0 || row[..start].ends_with(' ');
            if is_cell && column.contains(value) {
                found.push(value);
            }
        }
    }
    found
}

/// The secrets of rows such as `('me', 'hunter2')`, by column name.
fn find_inserted<'t>(names: &str, rows: &'t str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let Some(cell) = &*CELL else { return found };
    let mut columns = Vec::new();
    for name in names.split(',') {
        columns.push(Column::parse_head(name.trim().trim_matches(['`', '"', '[', ']'])));
    }
    if columns.iter().all(Option::is_none) {
        return found;
    }
    for row in rows.split("),") {
        for (cell, column) in cell.captures_iter(row).zip(&columns) {
            if let Some(value) = cell.get(1).or(cell.get(2))
                && let Some(column) = column
                && column.contains(value.as_str())
            {
                found.push(value.as_str());
            }
        }
    }
    found
}
