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
pub(super) fn print_scenario(evaluation: EvaluatedScenario, arguments: &RunArguments, output: &mut Output) {
    let EvaluatedScenario { record, warnings, unused_responses, broken, stale, .. } = evaluation;
    let progress = &output.progress;
    // When snapshots are compared, `snapshot_rows` prints these.
    for stale in &stale {
        progress.pause(|| errln!("warning: {}", stale.describe()));
    }
    if unused_responses > 0 || !warnings.is_empty() {
        progress.pause(|| {
            print_warnings(&warnings);
            if unused_responses > 0 {
                let unused = count(unused_responses, "scripted response");
                errln!("warning: {}: the run ended with {unused} unused", record.name);
            }
        });
    }
    let new = output.broken.add(&record.name, broken);
    // The human format prints them at the end.
    if arguments.format != OutputFormat::Human {
        for error in &new {
            progress.pause(|| err!("{error}"));
        }
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
    let mut tokens = serde_json::Map::new();
    for run in &record.strategies {
        tokens.insert(run.name.to_string(), json!({"input_tokens": run.input_tokens()}));
    }
    let failures: Vec<_> = record.failures.iter().map(|failure| &failure.what).collect();
    json!({
        "scenario": record.name,
        "outcome": record.outcome,
        "failures": failures,
        "strategies": tokens,
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
    for stale in snapshots.stale.iter().take(SHOWN_STALE) {
        lines.push(stale.describe());
    }
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
