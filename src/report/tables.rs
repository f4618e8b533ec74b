//! Markdown tables, names and code, and sentences shared by all kinds of tables.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::measure::numbers::grouped;
use crate::snapshot::escape::visible;

/// Replaces the numbers of a strategy when all runs were too short for it to change anything.
pub(super) const NEVER_REACHED: &str = "never reached its limit";
/// Heading above the strategies that rewrite tool calls as text.
pub(super) const SET_APART: &str = "these rewrite tool calls as text";

/// Writes a Markdown table. The first column is left-aligned, the others are right-aligned.
pub(super) fn table(
    out: &mut dyn Write,
    headings: &[impl AsRef<str>],
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    let mut line = |cells: &[&str]| writeln!(out, "| {} |", cells.join(" | "));
    let headings: Vec<String> = headings.iter().map(|cell| cell.as_ref().replace('|', "\\|")).collect();
    line(&headings.iter().map(String::as_str).collect::<Vec<_>>())?;
    let rules = headings.iter().enumerate().map(|(index, _)| if index == 0 { "---" } else { "---:" });
    line(&rules.collect::<Vec<_>>())?;
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        line(&cells.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Writes how many rows were left out of a table, if any.
pub(super) fn left_out(count: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match count {
        0 => Ok(()),
        count => writeln!(out, "\n… and {} more {what}: `index.html` shows them all", grouped(count as u64)),
    }
}

/// Formats a name; as inline code if it may contain Markdown, HTML or a user mention.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || " .,:=/{}()%+-".contains(c);
    let is_inner =
        |part: &str| part.starts_with(char::is_alphanumeric) && part.ends_with(char::is_alphanumeric);
    let is_text = name.split('_').all(|part| part.chars().all(is_plain) && (part == name || is_inner(part)));
    if is_text && name.matches(':').count() < 2 { name.into() } else { code(name).into() }
}

/// Formats any text as inline code on one line.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    let text = visible(&text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let is_edge = |c: Option<char>| c.is_none_or(|c| matches!(c, '`' | ' '));
    let blank = if is_edge(text.chars().next()) || is_edge(text.chars().last()) { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Formats lines of text as a code block. The fence is longer than any in the text.
pub(super) fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let lines: Vec<_> = text.lines().map(visible).collect();
    format!("{fence}{language}\n{}\n{fence}", lines.join("\n"))
}
