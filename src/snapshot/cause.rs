//! Groups changes of snapshots by cause. Lines that change in the same way in many snapshots have one cause.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::differences::{Difference, differences};
use super::reference::without_numbers;

/// A changed snapshot and its hunks.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub key: String,
    pub old: String,
    pub new: String,
    /// In the order of the text.
    pub hunks: Vec<Hunk>,
}

/// Consecutive lines that other lines replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old text, from 0.
    pub line: usize,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

/// Hunks with the same lines.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    /// For each hunk, the index of its change and its index in the change, in order.
    pub members: Vec<(usize, usize)>,
}

impl Change {
    pub fn new(key: String, old: String, new: String) -> Change {
        let (old, new) = (old.trim_end().to_string(), new.trim_end().to_string());
        let hunks = hunks(&old, &new);
        Change { key, old, new, hunks }
    }

    /// The old text with those of the hunks applied whose indexes are accepted.
    pub fn with_hunks(&self, accepts: impl Fn(usize) -> bool) -> String {
        let lines: Vec<&str> = self.old.split('\n').collect();
        let (mut out, mut at) = (Vec::new(), 0);
        for (_, hunk) in self.hunks.iter().enumerate().filter(|(index, _)| accepts(*index)) {
            out.extend(lines.iter().skip(at).take(hunk.line - at).copied());
            out.extend(hunk.added.iter().map(String::as_str));
            at = hunk.line + hunk.removed.len();
        }
        out.extend(lines.iter().skip(at).copied());
        out.join("\n")
    }
}

/// Groups hunks with the same lines, those with the most members first.
pub fn causes(changes: &[Change]) -> Vec<Cause> {
    let mut groups: BTreeMap<(&[String], &[String]), Cause> = BTreeMap::new();
    for (index, change) in changes.iter().enumerate() {
        for (place, hunk) in change.hunks.iter().enumerate() {
            groups.entry((&hunk.removed, &hunk.added)).or_default().members.push((index, place));
        }
    }
    let mut causes: Vec<Cause> = groups.into_values().collect();
    causes.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then(a.members.cmp(&b.members)));
    causes
}

impl Cause {
    /// The member at an index.
    pub fn member<'c>(&self, index: usize, changes: &'c [Change]) -> Option<(&'c Change, &'c Hunk)> {
        let (change, hunk) = self.members.get(index)?;
        let change = changes.get(*change)?;
        Some((change, change.hunks.get(*hunk)?))
    }

    /// Number of snapshots with the cause.
    pub fn snapshots(&self) -> usize {
        let mut indexes: Vec<usize> = self.members.iter().map(|(change, _)| *change).collect();
        indexes.dedup();
        indexes.len()
    }
}

impl Hunk {
    /// The removed and the added lines as the cause has them: without the numbers of references, which follow from changes elsewhere.
    pub(super) fn cause(&self) -> [Vec<Cow<'_, str>>; 2] {
        let cause = |line| without_numbers(line).map_or(Cow::Borrowed(line), Cow::Owned);
        [&self.removed, &self.added].map(|lines| lines.iter().map(|line| cause(line.as_str())).collect())
    }
}

fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let old: Vec<&str> = old.split('\n').collect();
    let new: Vec<&str> = new.split('\n').collect();
    let owned = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
    let hunk = |(removed, added): Difference| Hunk {
        line: removed.start,
        removed: owned(&old[removed]),
        added: owned(&new[added]),
    };
    differences(&old, &new).into_iter().map(hunk).collect()
}
