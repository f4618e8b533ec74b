//! Exit codes.

use std::process::ExitCode;

use crate::report::Comparison;
use crate::report::verdicts::SnapshotVerdict;

/// Result of a command for the calling script, by exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Success = 0,
    /// A scenario, snapshot, expectation or threshold failed.
    Failed = 1,
    /// Wrong usage, or input that cannot be read.
    Unreadable = 2,
    /// Only new, unreviewed snapshots, or summaries that are to be recorded anew.
    Unreviewed = 3,
    /// Nothing matched the selection.
    NothingSelected = 4,
    /// Only stale snapshots or reports.
    Stale = 5,
    /// Ctrl-C.
    Interrupted = 130,
    /// A reader of the output went away. Shells have this code for a program that SIGPIPE ended.
    OutputClosed = 141,
}

impl Exit {
    /// The exit code of an evaluation.
    pub(super) fn of(comparison: &Comparison) -> Exit {
        // A script sees one code: what must be mended first decides.
        if !comparison.verdicts.unreadable.is_empty() {
            Exit::Unreadable
        } else if comparison.has_failures() || comparison.has(SnapshotVerdict::Changed) {
            Exit::Failed
        } else if !comparison.verdicts.stale_reports.is_empty() || comparison.has(SnapshotVerdict::Orphan) {
            Exit::Stale
        } else if comparison.has(SnapshotVerdict::New) || comparison.has(SnapshotVerdict::Stale) {
            Exit::Unreviewed
        } else {
            Exit::Success
        }
    }

    /// The exit code of the process.
    pub(super) fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
