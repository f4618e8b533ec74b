//! Snapshots of an evaluation: compared with the accepted ones on any thread, then written or accepted in order.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::io;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::report::verdicts::{SnapshotRecord, SnapshotVerdict};
use crate::snapshot::cause::Change;
use crate::snapshot::repeated_strategy;
use crate::snapshot::requests::is_of_earlier_version;
use crate::snapshot::store::{Listing, Store, Verdict, is_golden_text};
use crate::snapshot::text::{self, Snapshot};
use crate::snapshot::waiting::Waiting;

/// Orphaned snapshots up to this number, or up to a tenth of all, are removed without asking. A folder moved by mistake leaves more.
const HANDFUL: usize = 5;
/// Error for a golden file of requests in an earlier version's form, after the file's path.
const EARLIER_FORM: &str = "was written by an earlier version of this program and cannot be compared. Check out a commit whose \
golden files you trust, run `ptc-eval run --accept` with this version, and commit: only the format changes";

/// What to do with new and changed snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotMode {
    /// Write them next to the accepted ones, for review.
    Pend,
    Accept,
    /// Write nothing.
    Locked,
}

/// Compares snapshots with the accepted ones of a folder.
#[derive(Clone)]
pub struct SnapshotComparer {
    pub store: Store,
    pub mode: SnapshotMode,
    /// Accept only this scenario or snapshot; the others wait for review. `None`: accept all.
    pub accepted_name: Option<String>,
}

/// The result of comparing a snapshot.
pub enum ComparedSnapshot {
    /// The key of an unchanged snapshot, without its text to save memory.
    Same(String),
    New(Waiting),
    Changed(Waiting, Box<Change>),
}

/// Snapshots of one evaluation.
pub struct EvaluationSnapshots {
    comparer: SnapshotComparer,
    /// The files before the evaluation. Those that it adds are claimed.
    listing: Arc<Listing>,
    /// Hashes of the keys in use by a scenario and strategy. The keys themselves would dominate the memory of a large suite.
    claimed: FxHashSet<u64>,
    /// Keys of snapshots pending before the evaluation and not compared yet.
    pending: BTreeSet<String>,
    pub new: usize,
    pub changed: usize,
    pub orphans: Vec<String>,
    /// Keys of removed orphans.
    pub removed: Vec<String>,
    pub same: usize,
    pub accepted: usize,
    /// True if `accepted_name` matched a snapshot of this evaluation.
    pub has_named: bool,
    /// Strategies not compared because their golden texts are stale.
    pub stale: Vec<SnapshotRecord>,
}

impl SnapshotComparer {
    /// Returns true if `accepted_name` is this snapshot's key or its scenario.
    fn is_named(&self, key: &str) -> bool {
        let rest = self.accepted_name.as_ref().and_then(|name| key.strip_prefix(name.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && !rest[1..].contains('/'))
    }

    /// The treatment of one snapshot.
    fn mode_of(&self, key: &str) -> SnapshotMode {
        let is_left = self.accepted_name.is_some() && !self.is_named(key);
        if self.mode == SnapshotMode::Accept && is_left { SnapshotMode::Pend } else { self.mode }
    }

    /// Returns true if all new and changed snapshots are accepted.
    fn accepts_all(&self) -> bool {
        self.mode == SnapshotMode::Accept && self.accepted_name.is_none()
    }

    /// Returns true if snapshots may be left pending.
    pub fn leaves_pending(&self) -> bool {
        self.mode != SnapshotMode::Locked && !self.accepts_all()
    }

    /// Returns true if an accepted file has an earlier version's form and cannot be compared. Accepting replaces it.
    fn is_earlier(&self, key: &str, body: &str) -> bool {
        let is_of_requests = key != text::SYSTEM_PROMPT && !key.ends_with("/run");
        self.mode_of(key) != SnapshotMode::Accept && is_of_requests && is_of_earlier_version(body)
    }

    /// Compares a snapshot, without writing. In the change, a body that only refers to another strategy is shown as `repeated`, that
    /// strategy's body.
    pub fn compare(&self, snapshot: Snapshot, repeated: &str) -> io::Result<ComparedSnapshot> {
        Ok(match self.store.compare(&snapshot)? {
            Verdict::Same => ComparedSnapshot::Same(snapshot.key),
            Verdict::New => ComparedSnapshot::New(Waiting::new(snapshot)?),
            Verdict::Changed(old) if self.is_earlier(&snapshot.key, &old) => {
                let place = self.store.path_of(&snapshot.key).display().to_string();
                return Err(io::Error::other(format!("{place} {EARLIER_FORM}")));
            }
            Verdict::Changed(old) => {
                let [before, after] = [&old, &snapshot.body].map(|body| {
                    let is_repeat = repeated_strategy(body).is_some();
                    if is_repeat { repeated.to_owned() } else { body.clone() }
                });
                let mut change = Change::new(snapshot.key.clone(), before, after);
                // The requests are equal but written differently, so show the raw bodies.
                if change.hunks.is_empty() {
                    change = Change::new(snapshot.key.clone(), old, snapshot.body.clone());
                }
                ComparedSnapshot::Changed(Waiting::new(snapshot)?, Box::new(change))
            }
        })
    }

    /// The record of a snapshot in reports. `None` if it is unchanged or accepted now.
    pub fn record(&self, compared: &ComparedSnapshot) -> Option<SnapshotRecord> {
        if self.mode_of(compared.key()) == SnapshotMode::Accept {
            return None;
        }
        let verdict = match compared {
            ComparedSnapshot::Same(_) => return None,
            ComparedSnapshot::New(_) => SnapshotVerdict::New,
            ComparedSnapshot::Changed(..) => SnapshotVerdict::Changed,
        };
        Some(SnapshotRecord { key: compared.key().to_owned(), verdict, diff: None, reason: None })
    }

    fn pend(&self, waiting: Waiting) -> io::Result<()> {
        match self.mode {
            SnapshotMode::Locked => Ok(()),
            _ => self.store.write_pending(&waiting.snapshot()?),
        }
    }
}

impl ComparedSnapshot {
    fn key(&self) -> &str {
        match self {
            ComparedSnapshot::Same(key) => key,
            ComparedSnapshot::New(waiting) | ComparedSnapshot::Changed(waiting, _) => waiting.key(),
        }
    }
}

impl EvaluationSnapshots {
    /// Notes the pending snapshots of an evaluation about to begin. Fails if another tool uses the folder.
    pub fn new(comparer: SnapshotComparer, listing: Arc<Listing>) -> io::Result<EvaluationSnapshots> {
        Ok(EvaluationSnapshots {
            pending: comparer.store.pending_keys_of_own_folder(&listing)?.into_iter().collect(),
            comparer,
            listing,
            claimed: FxHashSet::default(),
            new: 0,
            changed: 0,
            orphans: Vec::new(),
            removed: Vec::new(),
            same: 0,
            accepted: 0,
            has_named: false,
            stale: Vec::new(),
        })
    }

    /// Writes or accepts a compared snapshot, depending on the mode.
    pub fn take(&mut self, compared: ComparedSnapshot) -> io::Result<()> {
        let accepts = self.comparer.mode_of(compared.key()) == SnapshotMode::Accept;
        self.has_named |= self.comparer.is_named(compared.key());
        // A new snapshot has no accepted file to be orphaned, but it may have golden texts.
        self.keep(compared.key());
        let waits = self.pending.remove(compared.key());
        match compared {
            ComparedSnapshot::Same(key) => {
                self.same += 1;
                if waits && self.comparer.mode != SnapshotMode::Locked {
                    self.comparer.store.forget_pending(&key)?;
                }
                Ok(())
            }
            ComparedSnapshot::New(waiting) | ComparedSnapshot::Changed(waiting, _) if accepts => {
                self.accepted += 1;
                self.comparer.store.accept(&waiting.snapshot()?)
            }
            ComparedSnapshot::New(waiting) => {
                self.new += 1;
                self.comparer.pend(waiting)
            }
            ComparedSnapshot::Changed(waiting, _) => {
                self.changed += 1;
                self.comparer.pend(waiting)
            }
        }
    }

    /// Keeps the accepted snapshot of a strategy with stale golden texts. It is not compared, and its pending file is removed.
    pub fn take_stale(&mut self, stale: SnapshotRecord) -> io::Result<()> {
        self.keep(&stale.key);
        if self.pending.remove(&stale.key) && self.comparer.mode != SnapshotMode::Locked {
            self.comparer.store.forget_pending(&stale.key)?;
        }
        self.stale.push(stale);
        Ok(())
    }

    /// Compares the suite's SYSTEM text.
    pub fn take_system_prompt(&mut self) -> io::Result<Option<SnapshotRecord>> {
        let compared = self.comparer.compare(text::system_prompt(), "")?;
        let mut record = self.comparer.record(&compared);
        if let (Some(record), ComparedSnapshot::Changed(_, change)) = (&mut record, &compared) {
            record.diff = Some(change.signed_lines());
        }
        self.take(compared)?;
        Ok(record)
    }

    /// Finds orphans: accepted snapshots without a scenario and strategy, after all of a suite were compared. [`SnapshotMode::Accept`]
    /// removes them, but asks `may_remove` first if they are many, or texts of a live model. Orphaned pending snapshots are always removed,
    /// except in [`SnapshotMode::Locked`].
    pub fn take_orphans(
        &mut self,
        may_remove: impl FnOnce(&[String]) -> bool,
    ) -> io::Result<Vec<SnapshotRecord>> {
        let (store, accepts_all) = (&self.comparer.store, self.comparer.accepts_all());
        if self.comparer.mode != SnapshotMode::Locked {
            self.pending.iter().try_for_each(|key| store.forget_pending(key))?;
        }
        let keys = store.orphans(&self.listing, |key| self.claimed.contains(&hash_of(key)));
        // Texts of a live model cost money.
        let is_dear = keys.iter().any(|key| is_golden_text(key));
        // A tenth of all is a ninth of the rest.
        let is_many = keys.len() > HANDFUL && keys.len() * 9 > self.claimed.len();
        if accepts_all && (!(is_many || is_dear) || may_remove(&keys)) {
            keys.iter().try_for_each(|key| store.remove(key))?;
            self.removed = keys;
            return Ok(Vec::new());
        }
        self.orphans.clone_from(&keys);
        Ok(keys.into_iter().map(SnapshotRecord::orphan).collect())
    }

    /// Marks this key as in use, so that its accepted snapshot is no orphan.
    pub fn keep(&mut self, key: &str) {
        self.claimed.insert(hash_of(key));
    }
}

fn hash_of(key: &str) -> u64 {
    FxBuildHasher.hash_one(key)
}
