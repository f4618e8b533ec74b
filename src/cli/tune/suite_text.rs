//! Edits the text of a suite's file, preserving comments and order.

/// The lines of a suite's file.
pub(super) struct SuiteText {
    lines: Vec<String>,
}

impl SuiteText {
    pub(super) fn new(text: &str) -> SuiteText {
        SuiteText { lines: text.lines().map(str::to_owned).collect() }
    }

    /// Removes all lines with this beginning, ignoring indentation.
    pub(super) fn without(mut self, start: &str) -> SuiteText {
        self.lines.retain(|line| !line.trim_start().starts_with(start));
        self
    }

    /// Adds entries below a key, in a new block if the key is missing.
    pub(super) fn with_entries(mut self, key: &str, entries: &[String]) -> SuiteText {
        let heading = format!("{key}:");
        let at = self.lines.iter().position(|line| {
            line.split_once('#').map_or(line.as_str(), |(key, _)| key).trim_end() == heading
        });
        let at = at.map_or(self.lines.len(), |at| at + 1);
        let heading = (at == self.lines.len()
            && self.lines.last().is_none_or(|last| !last.starts_with(&heading)))
        .then_some(heading);
        let indented = entries.iter().map(|entry| format!("  {entry}"));
        self.lines.splice(at..at, heading.into_iter().chain(indented));
        self
    }

    /// Adds a name to a list in block or one-line form. If the list is missing, creates it with `all` and the name.
    pub(super) fn with_name(mut self, key: &str, name: &str, all: &[String]) -> SuiteText {
        let heading = format!("{key}:");
        let Some(line) = self.lines.iter_mut().find(|line| line.starts_with(&heading)) else {
            let names = all.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(", ");
            self.lines.push(format!("{heading} [{names}]"));
            return self;
        };
        match line.rfind(']') {
            Some(end) => line.insert_str(end, &format!(", {name}")),
            None => return self.with_entries(key, &[format!("- {name}")]),
        }
        self
    }

    pub(super) fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
