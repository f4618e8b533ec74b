//! Changes in the text sent to the model. A change is the effect of one edit on the requests of any number of
//! scenarios. Every output uses this list: the screen of `run`, `review`, `changes.md`, the comment on a pull request,
//! `junit.xml` and the page.

pub mod compared;
mod file;
mod headline;
mod markdown;
mod page;
mod rows;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::compression::cut::{shortened, split_start};
use crate::report::record::ScenarioRecord;
use crate::snapshot::escape::visible;
use crate::snapshot::text::SYSTEM_PROMPT;
use compared::{RequestDifference, Texts, without_numbers};
use ptc_prices::Money;

pub use crate::report::difference::{
    Cause, ChangedLine, ChangedLines, DifferencePart, ScenarioDifference, Sums, Worst,
};
pub use file::WaitingChanges;
pub(super) use headline::headline;
pub(super) use markdown::{SuiteOfChanges, section};
pub(super) use page::page_list;
pub(super) use rows::extent as extent_of_change;
pub use rows::{change_rows, title as title_of_list};

/// Most lines kept of each side of a change.
const KEPT_LINES: usize = 12;

/// A change over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub cause: Cause,
    /// The scenarios, and the names of their golden files.
    pub scenarios: Vec<String>,
    pub files: BTreeSet<String>,
    pub requests: u64,
    pub new_requests: u64,
    pub gone_requests: u64,
    pub removed: ChangedLines,
    pub added: ChangedLines,
    pub sums: Option<[Sums; 2]>,
    pub worst: Option<(String, Worst)>,
}

/// All changes of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeList {
    changes: IndexMap<Cause, Change>,
    pub files: u64,
    pub requests: u64,
    pub scenarios: u64,
    pub sums: Option<[Sums; 2]>,
}

impl ChangeList {
    /// Adds the changes in one scenario.
    pub fn add(&mut self, scenario: &str, difference: &ScenarioDifference) {
        let is_first = self.scenarios == 0;
        self.scenarios += 1;
        self.files += difference.strategies.len() as u64;
        self.requests += difference.requests;
        add_sums(&mut self.sums, difference.sums.as_ref(), is_first);
        for part in &difference.parts {
            let change = self.changes.entry(part.cause.clone()).or_insert_with(|| Change::new(&part.cause));
            change.add(scenario, part);
        }
    }

    /// Adds a change of the static SYSTEM text, shared by the requests of all scenarios. `diff` has its lines with
    /// their signs.
    pub fn add_system(&mut self, diff: &str, requests: u64) {
        let [removed, added] = ['-', '+'].map(|mark| {
            let of_side = diff.lines().filter_map(|line| line.strip_prefix(mark));
            let first = of_side.map(|text| ChangedLine { text: text.to_owned(), requests, lines: 1 });
            let mut lines = ChangedLines { count: 0, first: first.collect() };
            lines.count = lines.first.len() as u64;
            lines.first.truncate(KEPT_LINES);
            lines
        });
        let change = self.changes.entry(Cause::System).or_insert_with(|| Change::new(&Cause::System));
        change.files.insert(SYSTEM_PROMPT.to_owned());
        (change.requests, change.removed, change.added) = (requests, removed, added);
    }

    /// The changes: most answers newly lacking a fact first, then most golden files.
    pub fn sorted(&self) -> Vec<&Change> {
        let mut changes: Vec<&Change> = self.changes.values().collect();
        changes.sort_by_key(|change| {
            (std::cmp::Reverse(change.newly_short()), std::cmp::Reverse(change.files.len()))
        });
        changes
    }

    pub fn len(&self) -> usize {
        self.changes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Number of strategies with a changed request.
    pub fn strategies(&self) -> usize {
        self.strategy_names().len()
    }

    /// The strategies with changed requests.
    pub fn strategy_names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for change in self.changes.values() {
            names.extend(change.strategies());
        }
        names
    }

    /// Number of changes that lose facts.
    pub fn losing(&self) -> usize {
        self.changes.values().filter(|change| change.newly_short() > 0).count()
    }
}

impl Change {
    /// The strategies with a changed request.
    pub fn strategies(&self) -> BTreeSet<&str> {
        self.files.iter().filter_map(|file| Some(file.rsplit_once('/')?.1)).collect()
    }

    fn new(cause: &Cause) -> Change {
        Change {
            cause: cause.clone(),
            scenarios: Vec::new(),
            files: BTreeSet::new(),
            requests: 0,
            new_requests: 0,
            gone_requests: 0,
            removed: ChangedLines::default(),
            added: ChangedLines::default(),
            sums: None,
            worst: None,
        }
    }

    /// A change of snapshots without any further data.
    pub fn unexplained(cause: Cause, keys: &[String]) -> Change {
        Change { files: keys.iter().cloned().collect(), ..Change::new(&cause) }
    }

    fn add(&mut self, scenario: &str, part: &DifferencePart) {
        let is_first = self.scenarios.is_empty();
        self.scenarios.push(scenario.to_owned());
        self.files.extend(part.strategies.iter().map(|strategy| format!("{scenario}/{strategy}")));
        self.requests += part.requests;
        self.new_requests += part.new_requests;
        self.gone_requests += part.gone_requests;
        self.removed.add(&part.removed);
        self.added.add(&part.added);
        add_sums(&mut self.sums, part.sums.as_ref(), is_first);
        if let Some(worst) = &part.worst
            && self.worst.as_ref().is_none_or(|(_, known)| known.facts < worst.facts)
        {
            self.worst = Some((scenario.to_owned(), worst.clone()));
        }
    }

    /// The cause and the first lines, with their signs.
    pub fn describe(&self) -> String {
        self.cause.describe(&self.removed, &self.added)
    }

    /// The increase of answers that lack a fact; 0 if there are fewer.
    pub fn newly_short(&self) -> u64 {
        self.sums.as_ref().map_or(0, |[before, after]| after.short.saturating_sub(before.short))
    }
}

/// Adds sums known on both sides. A single scenario without sums makes the total unknown.
fn add_sums(all: &mut Option<[Sums; 2]>, more: Option<&[Sums; 2]>, is_first: bool) {
    match (&mut *all, more) {
        (None, Some(more)) if is_first => *all = Some(more.clone()),
        (Some(all), Some(more)) => all.iter_mut().zip(more).for_each(|(all, more)| all.add(more)),
        _ => *all = None,
    }
}

impl Sums {
    /// The sums over a record's requests under these strategies.
    pub fn of(record: &ScenarioRecord, strategies: &[String]) -> Sums {
        let mut sums = Sums::default();
        let touched =
            record.strategies.iter().filter(|run| strategies.iter().any(|name| *run.name == **name));
        for request in touched.flat_map(|run| &run.requests) {
            sums.requests += 1;
            sums.tokens += u64::from(request.input_tokens);
            sums.needing += u64::from(request.evidence.needed() > 0);
            sums.short += u64::from(request.evidence.lacks_fact());
            sums.costs.resize(sums.costs.len().max(request.bills.len()), Money::default());
            for (cost, bill) in sums.costs.iter_mut().zip(&request.bills) {
                *cost += bill.cost;
            }
        }
        sums
    }

    fn add(&mut self, other: &Sums) {
        self.requests += other.requests;
        self.tokens += other.tokens;
        self.needing += other.needing;
        self.short += other.short;
        self.costs.resize(self.costs.len().max(other.costs.len()), Money::default());
        self.costs.iter_mut().zip(&other.costs).for_each(|(cost, other)| *cost += *other);
    }
}

impl ChangedLines {
    /// The changed lines of one side: 0 for removed ones, 1 for added ones.
    pub fn of(differences: &[RequestDifference], side: usize, texts: &Texts) -> ChangedLines {
        let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
        for difference in differences {
            let mut lines = difference.lines[side].to_vec();
            lines.sort_unstable();
            lines.dedup();
            lines.into_iter().for_each(|line| *counts.entry(line).or_default() += 1);
        }
        let mut alike: IndexMap<String, ChangedLine> = IndexMap::new();
        let mut numbers: Vec<u32> = counts.keys().copied().collect();
        numbers.sort_unstable();
        for number in &numbers {
            let (text, requests) = (texts.line_text(*number), counts[number]);
            let line = alike.entry(without_numbers(text));
            let line = line.or_insert_with(|| ChangedLine { text: text.to_owned(), requests: 0, lines: 0 });
            line.requests += requests;
            line.lines += 1;
        }
        let mut lines = ChangedLines { count: numbers.len() as u64, first: alike.into_values().collect() };
        lines.keep_first();
        lines
    }

    /// The first lines, each cut to a width around its first difference from the lines of the other side.
    pub(super) fn cut(&self, other: &ChangedLines, most: usize, width: usize) -> Vec<String> {
        let mut cut = Vec::new();
        for line in self.first.iter().take(most) {
            let text = line.text.trim_end().replace('\t', "  ");
            let text = visible(&text);
            let mut same = 0;
            for rival in &other.first {
                let rival = visible(&rival.text);
                same = same.max(text.chars().zip(rival.chars()).take_while(|(a, b)| a == b).count());
            }
            let is_long = text.chars().count() > width;
            let skipped = if is_long { same.saturating_sub(width / 4) } else { 0 };
            let start = if skipped > 0 { "…" } else { "" };
            let (_, rest) = split_start(&text, skipped);
            cut.push(format!("{start}{}", shortened(rest, width)));
        }
        cut
    }

    /// Number of lines beyond the first `shown`.
    pub(super) fn more(&self, shown: usize) -> u64 {
        let shown: u64 = self.first.iter().take(shown).map(|line| line.lines).sum();
        self.count.saturating_sub(shown)
    }

    fn add(&mut self, other: &ChangedLines) {
        self.count += other.count;
        for line in &other.first {
            let plain = without_numbers(&line.text);
            match self.first.iter_mut().find(|known| without_numbers(&known.text) == plain) {
                Some(known) => {
                    known.requests += line.requests;
                    known.lines += line.lines;
                }
                None => self.first.push(line.clone()),
            }
        }
        self.keep_first();
    }

    fn keep_first(&mut self) {
        // A line without words is no help to the reader. Of lines in equally many requests, the longest helps most.
        self.first.sort_by_key(|line| {
            let has_words = line.text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
            std::cmp::Reverse((has_words, line.requests, line.text.len().min(120)))
        });
        self.first.truncate(KEPT_LINES);
    }
}
