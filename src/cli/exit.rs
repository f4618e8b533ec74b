//! Exit codes: what a run says to scripts, and which of several causes wins.

use std::process::ExitCode;

/// Why a run did not end as expected; earlier ones win over later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
}

impl Exit {
    /// The number that the process ends with.
    pub(super) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Unreadable => 2,
            Exit::Unreviewed => 3,
            Exit::NothingSelected => 4,
            Exit::Stale => 5,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
