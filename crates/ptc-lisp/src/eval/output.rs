//! Captured prints (`docs/language.md` §9.2).

use ecow::EcoString;

use super::*;
use crate::limits::MAX_STRING;

/// Prints of a program.
#[derive(Default)]
pub(super) struct Output {
    entries: Vec<EcoString>,
    /// Printed without an end of line.
    pending: EcoString,
    /// Prints go nowhere while a tool runs.
    pub muted: bool,
    /// Prints inside `with-out-str`.
    caught: Option<EcoString>,
}

impl Output {
    /// All entries; a pending line becomes one of its own.
    pub fn finish(mut self, limits: &Limits) -> Vec<EcoString> {
        if !self.pending.is_empty() && self.entries.len() < limits.prints {
            let pending = std::mem::take(&mut self.pending);
            self.entries.push(cut(pending, limits.print_length));
        }
        self.entries
    }
}

/// A print of more than `limit` code points loses the rest.
fn cut(text: EcoString, limit: usize) -> EcoString {
    match text.char_indices().nth(limit) {
        Some((end, _)) => ecow::eco_format!("{}...", &text[..end]),
        None => text,
    }
}

impl Interpreter<'_> {
    /// Appends to the pending line of output.
    pub fn print(&mut self, text: &str) -> Eval<()> {
        if self.output.caught.is_some() {
            return self.catch(text);
        }
        if self.output.muted {
            return Ok(());
        }
        self.allocate(text.len())?;
        self.output.pending.push_str(text);
        Ok(())
    }

    /// Ends the pending line with this text and captures it as one print.
    pub fn println(&mut self, text: &str) -> Eval<()> {
        if self.output.caught.is_some() {
            self.catch(text)?;
            return self.catch("\n");
        }
        if self.output.muted {
            return Ok(());
        }
        if self.output.entries.len() >= self.limits.prints {
            let message = format!("print limit exceeded: {} prints", self.limits.prints);
            return raise(ErrorKind::MemoryExceeded, message);
        }
        self.print(text)?;
        let line = std::mem::take(&mut self.output.pending);
        self.output.entries.push(cut(line, self.limits.print_length));
        Ok(())
    }

    /// Collects the prints of `work` as one text. However it ends, prints go where they went before.
    pub fn printed_by(&mut self, work: impl FnOnce(&mut Self) -> Eval) -> Eval<EcoString> {
        let outer = self.output.caught.replace(EcoString::new());
        let result = work(self);
        let caught = std::mem::replace(&mut self.output.caught, outer);
        result.map(|_| caught.unwrap_or_default())
    }

    fn catch(&mut self, text: &str) -> Eval<()> {
        self.allocate(text.len())?;
        if let Some(caught) = &mut self.output.caught
            && caught.len() <= MAX_STRING
        {
            caught.push_str(text);
        }
        Ok(())
    }
}
