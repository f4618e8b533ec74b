//! Sentences on logs: what they cost, and how that is known. The terminal has those that decide something, the reports have all.

use std::io::{self, Write};

use super::tables::code;

/// A sentence on logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// It begins with two blanks if it explains the one before.
    pub text: String,
    /// True if an owner would do something else without it.
    pub decides: bool,
}

impl Fact {
    pub fn new(text: impl Into<String>, decides: bool) -> Fact {
        Fact { text: text.into(), decides }
    }

    /// The facts of lines. A line that explains the one before it decides nothing.
    pub fn explained(lines: Vec<String>, decides: bool) -> impl Iterator<Item = Fact> {
        lines.into_iter().map(move |line| {
            let is_explanation = line.starts_with(' ');
            Fact::new(line, decides && !is_explanation)
        })
    }
}

/// Writes sentences as a list, those that explain another below it.
pub(super) fn write(facts: impl Iterator<Item = impl AsRef<str>>, out: &mut dyn Write) -> io::Result<()> {
    for fact in facts {
        let fact = fact.as_ref();
        let indent = if fact.starts_with(' ') { "  " } else { "" };
        writeln!(out, "{indent}- {}", escaped(fact.trim_start()))?;
    }
    Ok(())
}

/// A sentence, as code if a name in it may be Markdown.
pub(super) fn escaped(text: &str) -> String {
    if text.contains(['`', '<', '*', '[', '|', '\\', '_']) { code(text) } else { text.to_owned() }
}
