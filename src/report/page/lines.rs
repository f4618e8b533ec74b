//! The distinct lines of a scenario's texts. Requests repeat most lines of those before, so a text is
//! kept as runs of lines that stand in the table, and a line stands there once.

use rustc_hash::FxHashMap;

/// Lines in the order in which they are first seen.
#[derive(Default)]
pub struct Lines<'t> {
    pub lines: Vec<&'t str>,
    numbers: FxHashMap<&'t str, u32>,
}

impl<'t> Lines<'t> {
    /// The text as pairs of the first line of a run and the number of its lines.
    pub fn runs(&mut self, text: &'t str) -> Vec<u32> {
        let mut runs: Vec<u32> = Vec::new();
        let mut next = None;
        for line in text.split('\n') {
            let number = self.number(line);
            match runs.last_mut() {
                Some(length) if next == Some(number) => *length += 1,
                _ => runs.extend([number, 1]),
            }
            next = Some(number + 1);
        }
        runs
    }

    fn number(&mut self, line: &'t str) -> u32 {
        let lines = &mut self.lines;
        *self.numbers.entry(line).or_insert_with(|| {
            lines.push(line);
            lines.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_once() {
        let mut lines = Lines::default();
        assert_eq!(lines.runs("a\nb\n"), [0, 3]);
        assert_eq!(lines.runs("b\n\nc\na\nb"), [1, 3, 0, 2]);
        assert_eq!(lines.lines, ["a", "b", "", "c"]);
    }
}
