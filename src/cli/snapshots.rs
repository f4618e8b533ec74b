//! The snapshots of a run: compared, written beside or accepted, and told about afterwards by cause.

use std::collections::BTreeSet;
use std::io;

use crate::report::verdicts::{SnapshotRecord, SnapshotVerdict};
use crate::snapshot::cause::{Change, Hunk, causes};
use crate::snapshot::store::{Store, Verdict};
use crate::snapshot::text::{self, Snapshot};
use crate::snapshot::view::{Row, Tint, digest};

/// How many causes a run prints; `review` shows all.
const SHOWN_CAUSES: usize = 5;
/// How many lines of each.
const SHOWN_LINES: usize = 20;

/// What happens to snapshots that are not as accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Written beside the accepted ones, to be reviewed.
    Pend,
    /// Accepted at once.
    Accept,
    /// Only told: nothing is written.
    Locked,
}

/// The snapshots of one run.
pub(super) struct Snapshots {
    store: Store,
    mode: Mode,
    claimed: BTreeSet<String>,
    new: Vec<String>,
    changed: Vec<Change>,
    orphans: Vec<String>,
    same: usize,
    accepted: usize,
}

impl Snapshots {
    pub(super) fn new(store: Store, mode: Mode) -> Snapshots {
        Snapshots {
            store,
            mode,
            claimed: BTreeSet::new(),
            new: Vec::new(),
            changed: Vec::new(),
            orphans: Vec::new(),
            same: 0,
            accepted: 0,
        }
    }

    /// Compares one snapshot and does with it what the mode says; gives what is not as accepted.
    pub(super) fn take(&mut self, snapshot: &Snapshot) -> io::Result<Option<SnapshotRecord>> {
        self.claimed.insert(snapshot.key.clone());
        let verdict = self.store.compare(snapshot)?;
        match (&verdict, self.mode) {
            (Verdict::Same, Mode::Locked) => {}
            (Verdict::Same, _) => self.store.forget_pending(&snapshot.key)?,
            (_, Mode::Accept) => {
                self.accepted += 1;
                self.store.accept(snapshot)?;
                return Ok(None);
            }
            (_, Mode::Pend) => self.store.write_pending(snapshot)?,
            (_, Mode::Locked) => {}
        }
        let record = |verdict, diff| SnapshotRecord { key: snapshot.key.clone(), verdict, diff };
        Ok(match verdict {
            Verdict::Same => {
                self.same += 1;
                None
            }
            Verdict::New => {
                self.new.push(snapshot.key.clone());
                Some(record(SnapshotVerdict::New, None))
            }
            Verdict::Changed(old) => {
                let change = Change::new(snapshot.key.clone(), old, snapshot.body.clone());
                let diff = change.hunks.first().map(first_lines);
                self.changed.push(change);
                Some(record(SnapshotVerdict::Changed, diff))
            }
        })
    }

    /// Compares the SYSTEM text, which belongs to the suite.
    pub(super) fn take_system_prompt(&mut self) -> io::Result<Option<SnapshotRecord>> {
        self.take(&text::system_prompt())
    }

    /// The snapshots that belong to nobody; only once all of a suite were compared.
    pub(super) fn take_orphans(&mut self) -> io::Result<Vec<SnapshotRecord>> {
        let keys = self.store.orphans(&self.claimed)?;
        if self.mode == Mode::Accept {
            keys.iter().try_for_each(|key| self.store.remove(key))?;
            return Ok(Vec::new());
        }
        self.orphans.clone_from(&keys);
        Ok(keys.into_iter().map(SnapshotRecord::orphan).collect())
    }

    /// The changes by cause, then what else is to be said, in a few lines.
    pub(super) fn report(&self) -> Vec<Row> {
        let causes = causes(&self.changed);
        let mut rows = digest(&self.changed, &causes, SHOWN_CAUSES, SHOWN_LINES);
        let mut lines = Vec::new();
        if causes.len() > SHOWN_CAUSES {
            let more = causes.len() - SHOWN_CAUSES;
            lines.push(format!("… {more} more causes: ptc-eval review --print shows them"));
        }
        if let [first, others @ ..] = self.orphans.as_slice() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            lines.push(format!("no scenario and strategy claims the snapshot {first}{more}"));
        }
        if !self.new.is_empty() {
            lines.push(format!("{} new snapshots wait for review", self.new.len()));
        }
        if self.accepted > 0 {
            lines.push(format!("{} snapshots accepted", self.accepted));
        }
        rows.extend(lines.into_iter().map(|line| Row::new(Tint::Plain, line)));
        rows
    }

    /// How many snapshots are as accepted.
    pub(super) fn same(&self) -> usize {
        self.same
    }
}

/// The beginning of what is gone and of what came for it.
fn first_lines(hunk: &Hunk) -> String {
    let removed = hunk.removed.iter().take(SHOWN_LINES / 2).map(|line| format!("- {line}"));
    let added = hunk.added.iter().take(SHOWN_LINES / 2).map(|line| format!("+ {line}"));
    removed.chain(added).collect::<Vec<_>>().join("\n")
}
