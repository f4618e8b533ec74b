//! The snapshots of a run: compared, written beside or accepted, and told about afterwards by cause.

use std::collections::BTreeSet;
use std::io;

use crate::snapshot::cause::{Change, causes};
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

    /// Compares one snapshot and does with it what the mode says.
    pub(super) fn take(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        self.claimed.insert(snapshot.key.clone());
        let verdict = self.store.compare(snapshot)?;
        match (&verdict, self.mode) {
            (Verdict::Same, Mode::Locked) => {}
            (Verdict::Same, _) => self.store.forget_pending(&snapshot.key)?,
            (_, Mode::Accept) => {
                self.accepted += 1;
                return self.store.accept(snapshot);
            }
            (_, Mode::Pend) => self.store.write_pending(snapshot)?,
            (_, Mode::Locked) => {}
        }
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::New => self.new.push(snapshot.key.clone()),
            Verdict::Changed(old) => {
                self.changed.push(Change::new(snapshot.key.clone(), old, snapshot.body.clone()));
            }
        }
        Ok(())
    }

    /// The SYSTEM text, and snapshots that belong to nobody; only of a whole suite.
    pub(super) fn finish_suite(&mut self) -> io::Result<()> {
        self.take(&text::system_prompt())?;
        for key in self.store.orphans(&self.claimed)? {
            match self.mode {
                Mode::Accept => self.store.remove(&key)?,
                Mode::Pend | Mode::Locked => self.orphans.push(key),
            }
        }
        Ok(())
    }

    pub(super) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    pub(super) fn has_orphans(&self) -> bool {
        !self.orphans.is_empty()
    }

    pub(super) fn has_new(&self) -> bool {
        !self.new.is_empty()
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
