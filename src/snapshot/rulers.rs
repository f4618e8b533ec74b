//! Rulers of golden files: titles of the following turn, section or message.

use std::fmt::Write as _;

use super::escape::is_ruler;
use super::lines::lines_of;

/// Start of a turn's or request's title.
pub(super) const TURN: &str = "turn ";
/// The kind of section for a native call, below the calling message.
pub(super) const CALL: &str = "call";
/// Writes `=== turn 2 ===…`, 80 characters wide.
pub(super) fn write_turn_ruler(out: &mut String, title: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = write!(out, "=== {title} ");
    out.push_str(&"=".repeat(75_usize.saturating_sub(title.chars().count())));
    out.push('\n');
}

/// `--- user ---`
pub(super) fn ruler(title: &str) -> String {
    format!("--- {title} ---")
}

pub(super) fn write_ruler(out: &mut String, title: &str) {
    let _ = writeln!(out, "{}", ruler(title));
}

/// The title of a section with identifiers: `tool c1`, or `tool ["c 1"]` if one is not a plain word.
pub(super) fn section_title(kind: &str, words: &[&str]) -> String {
    if words.iter().all(|word| is_plain_word(word)) {
        return format!("{kind} {}", words.join(" "));
    }
    format!("{kind} {}", serde_json::Value::from(words.to_vec()))
}

fn is_plain_word(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
}

/// The identifiers in a title of this kind.
pub(super) fn title_words(kind: &str, title: &str) -> Option<Vec<String>> {
    let words = title.strip_prefix(kind)?.strip_prefix(' ')?;
    if words.starts_with('[') {
        return serde_json::from_str(words).ok();
    }
    Some(words.split(' ').map(str::to_owned).collect())
}

/// A turn's ruler and the lines below it.
pub(super) struct Block<'b> {
    /// Such as `turn 2`.
    pub title: &'b str,
    pub lines: Vec<&'b str>,
}

/// Splits a body before each turn's ruler, and drops the blank line between blocks.
pub(super) fn blocks(body: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for line in lines_of(body.trim_end()) {
        if let Some(title) = line.strip_prefix("=== ") {
            if let Some(before) = blocks.last_mut() {
                before.lines.pop_if(|last| last.is_empty());
            }
            blocks.push(Block { title: title.trim_end_matches('=').trim_end(), lines: Vec::new() });
        } else if let Some(block) = blocks.last_mut() {
            block.lines.push(line);
        }
    }
    blocks
}

/// Names and lines of a block's sections, with escapes.
pub(super) fn sections<'l, 'b>(lines: &'l [&'b str]) -> Vec<(&'b str, &'l [&'b str])> {
    let mut sections = Vec::new();
    let mut rest = lines;
    while let Some((line, below)) = rest.split_first() {
        rest = below;
        let Some(name) = section_name(line) else { continue };
        let end = below.iter().position(|line| section_name(line).is_some()).unwrap_or(below.len());
        sections.push((name, &below[..end]));
        rest = &below[end..];
    }
    sections
}

/// The title, if the line is the ruler of a section or message.
pub(super) fn section_name(line: &str) -> Option<&str> {
    if is_ruler(line) { line.strip_prefix("--- ")?.strip_suffix(" ---") } else { None }
}
