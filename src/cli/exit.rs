//! Exit codes.

use std::process::ExitCode;

use crate::report::Comparison;
use crate::report::verdicts::SnapshotVerdict;

/// Result of a command for the calling script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// Wrong usage, or input that cannot be read.
    Unreadable,
    /// A scenario, snapshot, expectation or threshold failed.
    Failed,
    /// Only stale snapshots or reports.
    Stale,
    /// Only new, unreviewed snapshots.
    Unreviewed,
    /// Nothing matched the selection.
    NothingSelected,
    Success,
    /// Ctrl-C, or a reader of the output that went away.
    Interrupted,
}

impl Exit {
    /// The exit code of a run; the first cause that applies wins.
    pub(super) fn of(comparison: &Comparison) -> Exit {
        let (verdicts, counts) = (&comparison.verdicts, comparison.counts);
        let has = |verdict| verdicts.snapshots.iter().any(|snapshot| snapshot.verdict == verdict);
        let is_changed = counts.changed_snapshots > 0 || has(SnapshotVerdict::Changed);
        let is_crossed = !verdicts.thresholds_crossed.is_empty();
        if !verdicts.unreadable.is_empty() {
            Exit::Unreadable
        } else if comparison.failed + counts.broken_strategies > 0 || is_crossed || is_changed {
            Exit::Failed
        } else if !verdicts.stale_reports.is_empty() || has(SnapshotVerdict::Orphan) {
            Exit::Stale
        } else if counts.new_snapshots > 0 || has(SnapshotVerdict::New) {
            Exit::Unreviewed
        } else {
            Exit::Success
        }
    }

    /// The exit code of the process.
    pub(super) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Unreadable => 2,
            Exit::Unreviewed => 3,
            Exit::NothingSelected => 4,
            Exit::Stale => 5,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
