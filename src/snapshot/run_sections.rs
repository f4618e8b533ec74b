//! Sections of a run's golden file, for requests to refer to instead of repeating them.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::escape::read_line;
use super::reference::Reference;
use super::rulers::{TURN, blocks, sections};

/// The section of one-line prints, and the kind of section for a multi-line print.
const PRINTS: &str = "prints";
const PRINT: &str = "print";
/// Shorter sections than these are repeated, since they are easier to read in place.
const LEAST_BYTES: usize = 80;
const LEAST_LINES: usize = 3;

/// Sections of a run's golden file that are repeated in requests: answers, prints, results, people's words.
#[derive(Debug, Default)]
pub struct RunSections<'b> {
    /// In turn order.
    sections: Vec<RunSection<'b>>,
    by_name: FxHashMap<(u32, Cow<'b, str>), usize>,
    /// Indexes of the long sections by hash of their first line, in order.
    by_first_line: FxHashMap<u64, Vec<usize>>,
}

/// A section of a turn. Each print is a separate one.
#[derive(Debug)]
pub(super) struct RunSection<'b> {
    pub turn: u32,
    pub name: Cow<'b, str>,
    pub lines: Vec<Cow<'b, str>>,
}

impl<'b> RunSections<'b> {
    /// The sections of the file's body.
    pub fn of(body: &'b str) -> RunSections<'b> {
        let mut run = RunSections::default();
        for block in blocks(body) {
            let Some(turn) = block.title.strip_prefix(TURN) else { continue };
            let Ok(turn) = turn.parse() else { continue };
            for (name, lines) in sections(&block.lines) {
                let lines = lines.iter().map(|line| read_line(line));
                if name == PRINTS {
                    for (number, line) in (1..).zip(lines) {
                        let name = format!("{PRINT} {number}").into();
                        run.sections.push(RunSection { turn, name, lines: vec![line] });
                    }
                } else if is_referred(name) {
                    run.sections.push(RunSection { turn, name: name.into(), lines: lines.collect() });
                }
            }
        }
        for (at, section) in run.sections.iter().enumerate() {
            run.by_name.insert((section.turn, section.name.clone()), at);
            if section.is_long()
                && let Some(first) = section.lines.first()
            {
                run.by_first_line.entry(xxh3_64(first.as_bytes())).or_default().push(at);
            }
        }
        run
    }

    /// The lines of a section.
    pub(super) fn lines(&self, turn: u32, name: &str) -> Option<&[Cow<'b, str>]> {
        let at = self.by_name.get(&(turn, Cow::Borrowed(name)))?;
        Some(&self.sections.get(*at)?.lines)
    }

    /// The oldest long section of an earlier turn at the start of these lines. Choosing the oldest keeps references stable in later
    /// requests.
    pub(super) fn find(&self, lines: &[&str], turn: u32) -> Option<&RunSection<'b>> {
        let known = self.by_first_line.get(&xxh3_64(lines.first()?.as_bytes()))?;
        for at in known {
            let section = self.sections.get(*at)?;
            if section.turn >= turn {
                return None;
            }
            if let Some(start) = lines.get(..section.lines.len())
                && start.iter().eq(&section.lines)
            {
                return Some(section);
            }
        }
        None
    }
}

impl RunSection<'_> {
    fn is_long(&self) -> bool {
        let bytes = self.lines.iter().map(|line| line.len() + 1).sum::<usize>();
        self.lines.len() >= LEAST_LINES || bytes > LEAST_BYTES
    }

    /// The line that refers to the section.
    pub fn reference(&self) -> Reference<'_> {
        Reference::Section { turn: self.turn, name: &self.name }
    }
}

/// Returns true if requests may refer to sections of this name.
fn is_referred(name: &str) -> bool {
    let kind = name.split_once(' ').map_or(name, |(kind, _)| kind);
    matches!(kind, "program" | "answer" | PRINT | "result" | "observation" | "user")
}
