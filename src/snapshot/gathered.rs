//! Counts changes by cause, with one example for each cause. A template that changes every snapshot of a large suite
//! takes no more memory than one that changes a few.

use rustc_hash::FxHashMap;

use super::cause::{Change, Hunk};
use super::rulers::TURN;
use ptc_tokens::Key;

/// Unchanged lines on each side of an example.
const CONTEXT: usize = 3;
/// Most causes that keep their example. The causes to print are known only at the end, and a suite in which each snapshot changes in
/// another way must not fill the memory.
const EXAMPLES: usize = 10_000;

/// Changes by cause.
#[derive(Debug, Default)]
pub struct Gathered {
    changes: usize,
    causes: Vec<KnownCause>,
    by_key: FxHashMap<Key, usize>,
}

/// A cause and its counts.
#[derive(Debug, Default)]
pub struct KnownCause {
    hunks: usize,
    /// Number of snapshots with the cause.
    pub snapshots: usize,
    /// The number of the last snapshot with the cause, so that each snapshot counts once.
    last: usize,
    /// The turn of the first hunk.
    turn: u32,
    /// The first hunk with the lines around it.
    pub example: Option<(Change, Hunk)>,
}

impl Gathered {
    /// Adds the changes of one snapshot.
    pub fn add(&mut self, change: &Change) {
        self.changes += 1;
        for hunk in &change.hunks {
            let next = self.causes.len();
            let index = *self.by_key.entry(key_of(hunk)).or_insert(next);
            if index == next {
                let example = (next < EXAMPLES).then(|| example(change, hunk));
                self.causes.push(KnownCause {
                    turn: turn_of(change, hunk),
                    example,
                    ..KnownCause::default()
                });
            }
            let cause = &mut self.causes[index];
            cause.hunks += 1;
            cause.snapshots += usize::from(cause.last != self.changes);
            cause.last = self.changes;
        }
    }

    /// Number of causes.
    pub fn len(&self) -> usize {
        self.causes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    /// At most `most` causes, those with the most hunks, in the order of the turns in which they begin.
    pub fn first(&self, most: usize) -> Vec<&KnownCause> {
        let mut causes: Vec<(usize, &KnownCause)> = self.causes.iter().enumerate().collect();
        causes.sort_by_key(|(_, cause)| std::cmp::Reverse(cause.hunks));
        causes.truncate(most);
        // A change of one turn changes the requests of all later turns, so the earliest explains the others. Within a turn the
        // program, which was met first, explains its prints.
        causes.sort_by_key(|(number, cause)| (cause.turn, *number));
        causes.into_iter().map(|(_, cause)| cause).collect()
    }
}

/// The turn in whose block a hunk begins: 0 above the first block, and the largest number in the block that ends a run.
fn turn_of(change: &Change, hunk: &Hunk) -> u32 {
    let lines = change.old.split('\n').take(hunk.line + 1);
    let title = lines.filter_map(|line| line.strip_prefix("=== ")).last();
    let number = |title: &str| title.strip_prefix(TURN)?.split([' ', ',']).next()?.parse().ok();
    title.map_or(0, |title| number(title).unwrap_or(u32::MAX))
}

/// The hunk with the lines around it.
fn example(change: &Change, hunk: &Hunk) -> (Change, Hunk) {
    let first = hunk.line.saturating_sub(CONTEXT);
    let lines = hunk.line - first + hunk.removed.len() + CONTEXT;
    let old: Vec<&str> = change.old.split('\n').skip(first).take(lines).collect();
    let hunk = Hunk { line: hunk.line - first, ..hunk.clone() };
    let change = Change { key: change.key.clone(), old: old.join("\n"), ..Change::default() };
    (change, hunk)
}

/// The key of the cause of a hunk. Hunks have the same key if their lines differ in the numbers of references only.
fn key_of(hunk: &Hunk) -> Key {
    let [removed, added] = hunk.cause().map(|lines| lines.join("\n"));
    Key::of_pair(&removed, &added)
}
