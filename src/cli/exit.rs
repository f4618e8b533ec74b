//! Exit codes.

use std::process::ExitCode;

use crate::report::Comparison;
use crate::report::verdicts::SnapshotVerdict;

/// The result of a command as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Success = 0,
    /// A scenario, snapshot, expectation or threshold failed.
    Failed = 1,
    /// Wrong usage or unreadable input.
    Unreadable = 2,
    /// Nothing but new, unreviewed snapshots or outdated recorded summaries.
    Unreviewed = 3,
    /// Nothing matched the selection.
    NothingSelected = 4,
    /// Nothing but snapshots without a scenario, or stale reports.
    Stale = 5,
    /// Ctrl-C.
    Interrupted = 130,
    /// The reader closed the output. Shells use this code for SIGPIPE.
    OutputClosed = 141,
}

impl Exit {
    /// The exit code of an evaluation.
    pub(super) fn of(comparison: &Comparison) -> Exit {
        // There is only one exit code, so the most urgent problem decides.
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
