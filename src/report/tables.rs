//! Tables in Markdown.

use std::io::{self, Write};

/// A Markdown table whose first column is aligned to the left and the others to the right.
pub(super) fn table(
    out: &mut dyn Write,
    headings: &[impl AsRef<str>],
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    let headings: Vec<&str> = headings.iter().map(AsRef::as_ref).collect();
    writeln!(out, "| {} |", headings.join(" | "))?;
    let rules = headings.iter().enumerate().map(|(index, _)| if index == 0 { "---" } else { "---:" });
    writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "))?;
    for row in rows {
        writeln!(out, "| {} |", row.join(" | "))?;
    }
    Ok(())
}
