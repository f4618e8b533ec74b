//! What the numbers of a whole suite come to, for a run and for several that were merged: thresholds,
//! committed reports, and the exit code.

use std::io;
use std::path::Path;

use super::exit::Exit;
use crate::report::comparison::Comparison;
use crate::report::verdicts::SnapshotVerdict;
use crate::report::{Against, crossed, stale, write_committed};

/// Whether nothing may be written but reports that nobody commits.
pub(super) fn is_locked(by_flag: bool) -> bool {
    by_flag || std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Judges thresholds, and writes the committed reports; where nothing may be written it notes which of
/// them are stale.
pub(super) fn judge(
    comparison: &mut Comparison,
    against: Option<Against>,
    report_dir: &Path,
    is_locked: bool,
) -> io::Result<()> {
    let before = against.as_ref().and_then(|against| against.totals.as_ref());
    comparison.verdicts.thresholds_crossed = crossed(comparison, &comparison.header.thresholds, before);
    comparison.against = against;
    if !is_locked {
        return write_committed(report_dir, comparison);
    }
    comparison.verdicts.stale_reports =
        stale(report_dir, comparison)?.into_iter().map(str::to_owned).collect();
    Ok(())
}

/// Why a run did not end as expected, the highest cause first.
pub(super) fn exit_of(comparison: &Comparison) -> Exit {
    let (verdicts, counts) = (&comparison.verdicts, comparison.counts);
    let has = |verdict| verdicts.snapshots.iter().any(|snapshot| snapshot.verdict == verdict);
    let is_changed = counts.changed_snapshots > 0 || has(SnapshotVerdict::Changed);
    let is_crossed = !verdicts.thresholds_crossed.is_empty();
    [
        (!verdicts.unreadable.is_empty(), Exit::Unreadable),
        (comparison.failed + counts.broken_strategies > 0 || is_crossed || is_changed, Exit::Failed),
        (!verdicts.stale_reports.is_empty() || has(SnapshotVerdict::Orphan), Exit::Stale),
        (counts.new_snapshots > 0 || has(SnapshotVerdict::New), Exit::Unreviewed),
    ]
    .into_iter()
    .find_map(|(is_so, exit)| is_so.then_some(exit))
    .unwrap_or(Exit::Success)
}
