//! Output of `ptc-eval run` for one scenario, and for its snapshots.

use std::path::Path;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::{INTERRUPT, OUTPUT_CLOSED, Output, OutputFormat, RunArguments};
use crate::cli::suite::{count, print_warnings};
use crate::cli::terminal::writes_json;
use crate::evaluate::{EvaluatedScenario, EvaluationSnapshots};
use crate::report::ScenarioRecord;
use crate::snapshot::view::{Row, Tint};

/// Most runs with stale summaries to print.
const SHOWN_STALE: usize = 5;

/// Prints warnings, new errors of strategies, and a line about the scenario for formats with such lines.
pub(super) fn tell(evaluation: EvaluatedScenario, arguments: &RunArguments, output: &mut Output) {
    let EvaluatedScenario { record, warnings, unused_responses, broken, stale, .. } = evaluation;
    let progress = &output.progress;
    // When snapshots are compared, `snapshot_rows` prints these.
    stale.iter().for_each(|stale| progress.pause(|| errln!("warning: {}", stale.describe())));
    if unused_responses > 0 || !warnings.is_empty() {
        progress.pause(|| {
            print_warnings(&warnings);
            if unused_responses > 0 {
                let (name, unused) = (&record.name, count(unused_responses, "response"));
                errln!("warning: {name}: the run ended before {unused} of the last");
            }
        });
    }
    let new = output.broken.add(&record.name, broken);
    // The human format prints them at the end.
    if arguments.format != OutputFormat::Human {
        new.iter().for_each(|error| progress.pause(|| err!("{error}")));
    }
    output.failures.add(&record);
    output.contributions.add(&record);
    if arguments.format == OutputFormat::Jsonl {
        // The output pipe was closed, so stop.
        if !progress.pause(|| writes_json(&scenario_line(&record))) {
            OUTPUT_CLOSED.store(true, Ordering::Relaxed);
            INTERRUPT.store(true, Ordering::Relaxed);
        }
    } else if arguments.verbose {
        errln!("{}: {}", record.name, record.outcome);
    }
}

/// One scenario as a JSON object, printed on one line.
pub(in crate::cli) fn scenario_line(record: &ScenarioRecord) -> serde_json::Value {
    let tokens = record
        .strategies
        .iter()
        .map(|run| (run.name.to_string(), json!({"input_tokens": run.input_tokens()})));
    json!({
        "scenario": record.name,
        "outcome": record.outcome,
        "failures": record.failures.iter().map(|failure| &failure.what).collect::<Vec<_>>(),
        "strategies": tokens.collect::<serde_json::Map<_, _>>(),
    })
}

/// A line each on new, accepted and orphaned snapshots, with their folder.
pub(super) fn snapshot_rows(snapshots: &EvaluationSnapshots, folder: &Path) -> Vec<Row> {
    let mut lines = Vec::new();
    if let [first, others @ ..] = snapshots.orphans.as_slice() {
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let belong = if others.is_empty() { "belongs" } else { "belong" };
        lines.push(format!("the snapshot {first}{more} {belong} to no scenario and strategy"));
    }
    lines.extend(snapshots.stale.iter().take(SHOWN_STALE).map(|stale| stale.describe()));
    let more = snapshots.stale.len().saturating_sub(SHOWN_STALE);
    if more > 0 {
        lines.push(format!("… {} more: junit.xml has them all", count(more, "run with stale summaries")));
    }
    if snapshots.new > 0 {
        let waits = if snapshots.new == 1 { "waits" } else { "wait" };
        let new = count(snapshots.new, "new snapshot");
        lines.push(format!("{new} in {} {waits} for review", folder.display()));
    }
    if snapshots.accepted > 0 {
        lines.push(format!("{} accepted in {}", count(snapshots.accepted, "snapshot"), folder.display()));
    }
    lines.into_iter().map(|line| Row::new(Tint::Plain, line)).collect()
}
