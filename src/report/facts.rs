//! Sentences on logs: their cost, and how it is known. Reports show all of them, the terminal only those
//! relevant for a decision.

use std::io::{self, Write};

use super::tables::code;

/// A sentence on logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Starts with two spaces if it explains the previous fact.
    pub text: String,
    /// True if an owner would decide differently without it.
    pub decides: bool,
}

impl Fact {
    pub fn new(text: impl Into<String>, decides: bool) -> Fact {
        Fact { text: text.into(), decides }
    }

    /// A fact per line. Indented lines explain the previous one and never decide.
    pub fn explained(lines: Vec<String>, decides: bool) -> impl Iterator<Item = Fact> {
        lines.into_iter().map(move |line| {
            let is_explanation = line.starts_with(' ');
            Fact::new(line, decides && !is_explanation)
        })
    }
}

/// Writes facts as a Markdown list, with explanations nested.
pub(super) fn write(facts: impl Iterator<Item = impl AsRef<str>>, out: &mut dyn Write) -> io::Result<()> {
    for fact in facts {
        let fact = fact.as_ref();
        let indent = if fact.starts_with(' ') { "  " } else { "" };
        writeln!(out, "{indent}- {}", escaped(fact.trim_start()))?;
    }
    Ok(())
}

/// Formats a sentence as code if it may contain Markdown.
pub(super) fn escaped(text: &str) -> String {
    if text.contains(['`', '<', '*', '[', '|', '\\', '_']) { code(text) } else { text.to_owned() }
}
