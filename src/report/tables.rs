//! Markdown tables, names and code, and sentences shared by all kinds of tables.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::measure::numbers::grouped;
use crate::snapshot::escape::visible;

/// Replaces the numbers of a strategy when all runs were too short for it to change anything.
pub(super) const NEVER_REACHED: &str = "no run is long enough";
/// Heading above the strategies that rewrite tool calls as text.
pub(super) const SET_APART: &str = "these rewrite tool calls as text";

/// Writes a Markdown table. The first column is left-aligned, the others are right-aligned.
pub(super) fn table(
    out: &mut dyn Write,
    headings: &[impl AsRef<str>],
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    write_row(out, headings)?;
    let mut rules = vec!["---:"; headings.len()];
    if let Some(first) = rules.first_mut() {
        *first = "---";
    }
    write_row(out, &rules)?;
    for row in rows {
        write_row(out, &row)?;
    }
    Ok(())
}

fn write_row(out: &mut dyn Write, cells: &[impl AsRef<str>]) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| cell.as_ref().replace('|', "\\|")).collect();
    writeln!(out, "| {} |", cells.join(" | "))
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
    let is_text = name.split('_').all(|part| is_plain(part) && (part == name || is_inner_part(part)));
    if is_text && name.matches(':').count() < 2 { name.into() } else { code(name).into() }
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || " .,:=/{}()%+-".contains(c))
}

/// Returns true for a part whose underscores do not emphasize anything: letters or digits at both ends.
fn is_inner_part(part: &str) -> bool {
    part.starts_with(char::is_alphanumeric) && part.ends_with(char::is_alphanumeric)
}

/// Formats any text as inline code on one line.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    let text = visible(&text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let needs_blank = text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let blank = if needs_blank { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Formats lines of text as a code block. The fence is longer than any in the text.
pub(super) fn fenced(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let lines: Vec<_> = text.lines().map(visible).collect();
    format!("{fence}{language}\n{}\n{fence}", lines.join("\n"))
}
