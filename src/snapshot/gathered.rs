//! Changes that are only to be told, by cause: of each cause an example stays and how often it was met, so that
//! a template that changes every snapshot of a large suite takes no more room than one that changes a few.

use rustc_hash::FxHashMap;

use super::cause::{Change, Hunk};
use ptc_tokens::Key;

/// Unchanged lines that an example has on each side.
const CONTEXT: usize = 3;
/// How many causes keep their example. Which are told is known at the end; among so many no reader looks for
/// a certain one.
const EXAMPLES: usize = 10_000;

/// Changes by cause.
#[derive(Debug, Default)]
pub struct Gathered {
    changes: usize,
    causes: Vec<Met>,
    by_key: FxHashMap<Key, usize>,
}

/// A cause, as often as it was met.
#[derive(Debug, Default)]
pub struct Met {
    hunks: usize,
    /// In how many snapshots.
    pub snapshots: usize,
    /// The number of the last of them.
    last: usize,
    /// The first, without what stands elsewhere.
    pub example: Option<(Change, Hunk)>,
}

impl Gathered {
    /// Adds what changed in one more snapshot.
    pub fn add(&mut self, change: &Change) {
        self.changes += 1;
        for hunk in &change.hunks {
            let next = self.causes.len();
            let index = *self.by_key.entry(key_of(hunk)).or_insert(next);
            if index == next {
                let example = (next < EXAMPLES).then(|| example(change, hunk));
                self.causes.push(Met { example, ..Met::default() });
            }
            if let Some(met) = self.causes.get_mut(index) {
                met.hunks += 1;
                met.snapshots += usize::from(met.last != self.changes);
                met.last = self.changes;
            }
        }
    }

    /// How many causes there are.
    pub fn len(&self) -> usize {
        self.causes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    /// The causes with the most hunks, at most so many.
    pub fn first(&self, most: usize) -> Vec<&Met> {
        let mut causes: Vec<&Met> = self.causes.iter().collect();
        causes.sort_by_key(|met| std::cmp::Reverse(met.hunks));
        causes.truncate(most);
        causes
    }
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

/// Hunks that say the same have the same key.
fn key_of(hunk: &Hunk) -> Key {
    let [removed, added] = [&hunk.removed, &hunk.added]
        .map(|lines| lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>());
    Key::of_pair(&removed, &added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_met_in_many_snapshots() {
        let mut gathered = Gathered::default();
        let above: String = (0..50).map(|line| format!("line {line}\n")).collect();
        for number in 0..20 {
            let text = |heading: &str| format!("{above}{heading}\n{number}\n{heading}\nend");
            gathered.add(&Change::new(format!("s/{number}"), text("old"), text("new")));
        }
        gathered.add(&Change::new("other".to_owned(), "a".to_owned(), "b".to_owned()));
        let causes = gathered.first(5);
        assert_eq!((gathered.len(), causes.len()), (2, 2));
        assert_eq!(causes.iter().map(|met| met.snapshots).collect::<Vec<_>>(), [20, 1]);
        let (change, hunk) = causes[0].example.as_ref().unwrap();
        assert_eq!((change.key.as_str(), hunk.line), ("s/0", 3));
        assert_eq!(change.old, "line 47\nline 48\nline 49\nold\n0\nold\nend");
    }
}
