//! The snapshots of a run: compared, written beside or accepted, and told about afterwards by cause.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::io;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::suite::count;
use crate::report::verdicts::{SnapshotRecord, SnapshotVerdict};
use crate::snapshot::Gathered;
use crate::snapshot::cause::Change;
use crate::snapshot::store::{LargeVerdict, Store, Verdict};
use crate::snapshot::text::{self, Drafted, LargeSnapshot, Snapshot};
use crate::snapshot::view::{Frame, Row, Tint, digest, unified};

/// How many causes a run prints; `review` shows all.
const SHOWN_CAUSES: usize = 5;
/// How many lines of each.
const SHOWN_LINES: usize = 20;
/// How a change stands in reports, which are as wide as they need to be.
const RECORDED: Frame = Frame { width: usize::MAX, context: 2 };

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
    shelf: Shelf,
    /// Hashes of keys take a few bytes each, however many there are.
    claimed: FxHashSet<u64>,
    /// What waited for review before the run.
    pending: BTreeSet<String>,
    new: usize,
    changed: Gathered,
    orphans: Vec<String>,
    same: usize,
    accepted: usize,
}

/// Accepted snapshots, to be compared with by any thread.
#[derive(Clone)]
pub(super) struct Shelf {
    pub store: Store,
    pub mode: Mode,
}

/// A snapshot that was compared. What is as accepted keeps its key alone.
pub(super) enum Compared {
    Same(String),
    New(Drafted),
    Changed(Drafted, Box<Change>),
}

impl Shelf {
    /// Compares a snapshot; writes nothing.
    pub(super) fn compare(&self, drafted: Drafted) -> io::Result<Compared> {
        match drafted {
            Drafted::Small(snapshot) => self.compare_small(snapshot),
            Drafted::Large(snapshot) => self.compare_large(snapshot),
        }
    }

    fn compare_small(&self, snapshot: Snapshot) -> io::Result<Compared> {
        Ok(match self.store.compare(&snapshot)? {
            Verdict::Same => Compared::Same(snapshot.key),
            Verdict::New => Compared::New(Drafted::Small(snapshot)),
            Verdict::Changed(old) => {
                let change = Change::new(snapshot.key.clone(), old, snapshot.body.clone());
                Compared::Changed(Drafted::Small(snapshot), Box::new(change))
            }
        })
    }

    fn compare_large(&self, mut snapshot: LargeSnapshot) -> io::Result<Compared> {
        Ok(match self.store.compare_large(&mut snapshot)? {
            LargeVerdict::Same => Compared::Same(snapshot.key),
            LargeVerdict::New => Compared::New(Drafted::Large(snapshot)),
            LargeVerdict::Changed(change) => Compared::Changed(Drafted::Large(snapshot), Box::new(change)),
        })
    }

    /// What reports say of it, if it is not as accepted and is not accepted now.
    pub(super) fn record(&self, compared: &Compared) -> Option<SnapshotRecord> {
        let record = |key: &str, verdict, diff| Some(SnapshotRecord { key: key.to_owned(), verdict, diff });
        match compared {
            _ if self.mode == Mode::Accept => None,
            Compared::Same(_) => None,
            Compared::New(snapshot) => record(snapshot.key(), SnapshotVerdict::New, None),
            Compared::Changed(snapshot, change) => {
                let first = change.hunks.first();
                let rows = first.into_iter().flat_map(|hunk| unified(change, hunk, RECORDED));
                let lines: Vec<String> = rows.take(SHOWN_LINES).map(|row| row.to_string()).collect();
                let diff = lines.join("\n");
                record(snapshot.key(), SnapshotVerdict::Changed, Some(diff))
            }
        }
    }
}

impl Compared {
    fn key(&self) -> &str {
        match self {
            Compared::Same(key) => key,
            Compared::New(snapshot) | Compared::Changed(snapshot, _) => snapshot.key(),
        }
    }
}

impl Snapshots {
    pub(super) fn new(shelf: Shelf) -> io::Result<Snapshots> {
        Ok(Snapshots {
            pending: shelf.store.pending_keys()?.into_iter().collect(),
            shelf,
            claimed: FxHashSet::default(),
            new: 0,
            changed: Gathered::default(),
            orphans: Vec::new(),
            same: 0,
            accepted: 0,
        })
    }

    /// Does with a snapshot that was compared what the mode says.
    pub(super) fn take(&mut self, compared: Compared) -> io::Result<()> {
        let Shelf { store, mode } = &self.shelf;
        // What nobody has accepted cannot be left over.
        if *mode == Mode::Accept || !matches!(compared, Compared::New(_)) {
            self.claimed.insert(hash_of(compared.key()));
        }
        match (compared, mode) {
            (Compared::Same(key), _) => {
                self.same += 1;
                if *mode != Mode::Locked && self.pending.contains(&key) {
                    store.forget_pending(&key)?;
                }
            }
            (Compared::New(snapshot) | Compared::Changed(snapshot, _), Mode::Accept) => {
                self.accepted += 1;
                match snapshot {
                    Drafted::Small(snapshot) => store.accept(&snapshot)?,
                    Drafted::Large(mut snapshot) => store.accept_large(&mut snapshot)?,
                }
            }
            (Compared::New(snapshot), _) => {
                self.new += 1;
                pend(&self.shelf, snapshot)?;
            }
            (Compared::Changed(snapshot, change), _) => {
                self.changed.add(&change);
                pend(&self.shelf, snapshot)?;
            }
        }
        Ok(())
    }

    /// Compares the SYSTEM text, which belongs to the suite.
    pub(super) fn take_system_prompt(&mut self) -> io::Result<Option<SnapshotRecord>> {
        let compared = self.shelf.compare_small(text::system_prompt())?;
        let record = self.shelf.record(&compared);
        self.take(compared)?;
        Ok(record)
    }

    /// The snapshots that belong to nobody; only once all of a suite were compared.
    pub(super) fn take_orphans(&mut self) -> io::Result<Vec<SnapshotRecord>> {
        let Shelf { store, mode } = &self.shelf;
        let keys = store.orphans(|key| self.claimed.contains(&hash_of(key)))?;
        if *mode == Mode::Accept {
            keys.iter().try_for_each(|key| store.remove(key))?;
            return Ok(Vec::new());
        }
        self.orphans.clone_from(&keys);
        Ok(keys.into_iter().map(SnapshotRecord::orphan).collect())
    }

    /// Keeps what is accepted of a snapshot that could not be made.
    pub(super) fn keep(&mut self, key: &str) {
        self.claimed.insert(hash_of(key));
    }

    /// The changes by cause, then what else is to be said, in a few lines.
    pub(super) fn report(&self) -> Vec<Row> {
        let causes = &self.changed;
        let mut rows = digest(causes, SHOWN_CAUSES, SHOWN_LINES);
        let mut lines = Vec::new();
        if causes.len() > SHOWN_CAUSES {
            let more = causes.len() - SHOWN_CAUSES;
            let (causes, them) = if more == 1 { ("cause", "it") } else { ("causes", "them") };
            lines.push(format!("… {more} more {causes}: ptc-eval review --print shows {them}"));
        }
        if let [first, others @ ..] = self.orphans.as_slice() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            lines.push(format!("no scenario and strategy claims the snapshot {first}{more}"));
        }
        if self.new > 0 {
            let waits = if self.new == 1 { "waits" } else { "wait" };
            lines.push(format!("{} {waits} for review", count(self.new, "new snapshot")));
        }
        if self.accepted > 0 {
            lines.push(format!("{} accepted", count(self.accepted, "snapshot")));
        }
        rows.extend(lines.into_iter().map(|line| Row::new(Tint::Plain, line)));
        rows
    }

    /// How many snapshots are as accepted.
    pub(super) fn same(&self) -> usize {
        self.same
    }
}

fn pend(shelf: &Shelf, drafted: Drafted) -> io::Result<()> {
    match (shelf.mode, drafted) {
        (Mode::Pend, Drafted::Small(snapshot)) => shelf.store.write_pending(&snapshot),
        (Mode::Pend, Drafted::Large(mut snapshot)) => shelf.store.write_pending_large(&mut snapshot),
        (Mode::Accept | Mode::Locked, _) => Ok(()),
    }
}

fn hash_of(key: &str) -> u64 {
    FxBuildHasher.hash_one(key)
}
