//! Sections of a run's golden file that requests may name instead of repeating them.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::escape::read_line;
use super::rulers::{TURN, blocks, sections};

/// The fewest bytes of a section that requests name. A reviewer does not want to open another file for less.
const LEAST_BYTES: usize = 512;
/// A section with fewer lines needs [`LEAST_BYTES_OF_FEW_LINES`] bytes.
const LEAST_LINES: usize = 8;
const LEAST_BYTES_OF_FEW_LINES: usize = 2 << 10;

/// Sections of a run's golden file with the words of tools and people.
#[derive(Debug, Default)]
pub struct RunSections<'b> {
    /// In the order of the turns.
    sections: Vec<RunSection<'b>>,
    /// By the hash of the first line, the indexes of the long sections, in order.
    by_first_line: FxHashMap<u64, Vec<usize>>,
}

/// A section of a turn; all prints of a turn are one.
#[derive(Debug)]
pub(super) struct RunSection<'b> {
    pub turn: u32,
    pub name: &'b str,
    pub lines: Vec<Cow<'b, str>>,
}

impl<'b> RunSections<'b> {
    /// The sections of the file's body.
    pub fn of(body: &'b str) -> RunSections<'b> {
        let mut run = RunSections::default();
        for block in blocks(body) {
            let Some(turn) = block.title.strip_prefix(TURN).and_then(|turn| turn.parse().ok()) else {
                continue;
            };
            for (name, lines) in sections(&block.lines) {
                let lines = lines.iter().map(|line| read_line(line));
                match (referred_name(name), run.sections.last_mut()) {
                    (None, _) => {}
                    (Some(name), Some(last)) if last.turn == turn && last.name == name => {
                        last.lines.extend(lines);
                    }
                    (Some(name), _) => {
                        run.sections.push(RunSection { turn, name, lines: lines.collect() });
                    }
                }
            }
        }
        for (at, section) in run.sections.iter().enumerate() {
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
        let mut sections = self.sections.iter();
        let section = sections.find(|section| section.turn == turn && section.name == name)?;
        Some(&section.lines)
    }

    /// The newest long section of an earlier turn that these lines begin with.
    pub(super) fn find(&self, lines: &[&str], turn: u32) -> Option<&RunSection<'b>> {
        let known = self.by_first_line.get(&xxh3_64(lines.first()?.as_bytes()))?;
        let sections = known.iter().rev().filter_map(|at| self.sections.get(*at));
        sections.filter(|section| section.turn < turn).find(|section| {
            let lines = lines.get(..section.lines.len());
            lines.is_some_and(|lines| lines.iter().zip(&section.lines).all(|(line, known)| line == known))
        })
    }
}

impl RunSection<'_> {
    fn is_long(&self) -> bool {
        let bytes = self.lines.iter().map(|line| line.len() + 1).sum::<usize>();
        bytes >= if self.lines.len() < LEAST_LINES { LEAST_BYTES_OF_FEW_LINES } else { LEAST_BYTES }
    }
}

/// The name under which requests refer to a section. None for sections that they repeat.
fn referred_name(name: &str) -> Option<&str> {
    // What tools and people said is referred to. Programs and answers are repeated, since a reviewer wants to read them in place.
    match name.split_once(' ') {
        None if name == "prints" => Some(name),
        Some(("print", _)) => Some("prints"),
        Some(("result" | "observation" | "user", _)) => Some(name),
        _ => None,
    }
}
