//! An entry of the list of scenarios: all that searching and filtering need.

use serde::Serialize;

use crate::report::header::Header;
use crate::report::measure::MeasuredRun;
use crate::report::record::ScenarioRecord;

/// A scenario in the list.
#[derive(Serialize)]
pub struct Entry<'r> {
    name: &'r str,
    outcome: &'r str,
    turns: usize,
    tags: &'r [String],
    /// Expectations that do not hold.
    failures: usize,
    /// Snapshots that are not as accepted.
    snapshots: usize,
    /// In the order of the suite.
    strategies: Vec<EntryRun>,
}

#[derive(Serialize)]
struct EntryRun {
    input_tokens: u64,
    /// A multiple of the baseline's; none if one of the two sent nothing.
    ratio: Option<f64>,
    evidence_min: Option<f64>,
    /// Evidence that requests do not show.
    lost: usize,
    /// Requests that are larger than the baseline's on the same turn.
    larger: usize,
}

pub fn entry<'r>(header: &Header, record: &'r ScenarioRecord) -> Entry<'r> {
    let baseline = record.baseline(header);
    Entry {
        name: &record.name,
        outcome: &record.outcome,
        turns: record.output_tokens.len(),
        tags: &record.tags,
        failures: record.failures.len(),
        snapshots: record.snapshots.len(),
        strategies: record.strategies.iter().map(|run| of_run(run, baseline)).collect(),
    }
}

fn of_run(run: &MeasuredRun, baseline: Option<&MeasuredRun>) -> EntryRun {
    EntryRun {
        input_tokens: run.input_tokens(),
        ratio: baseline.and_then(|baseline| run.ratio(baseline)),
        evidence_min: run.evidence_min(),
        lost: run.requests.iter().map(|request| request.evidence.lost.len()).sum(),
        larger: baseline.map_or(0, |baseline| run.larger_requests(baseline)),
    }
}
