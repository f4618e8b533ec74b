//! The scenarios of a run, one after the other: what the pool makes of each, and what is noted of it.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::super::suite::{report, report_warnings};
use super::arguments::Format;
use super::{Findings, INTERRUPT, Run};
use crate::replay::{ScenarioResult, in_order, replay};
use crate::report::verdicts::Unreadable;
use crate::report::{Gauges, ScenarioRecord, measure};
use crate::scenario::suite::Source;
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::text::{self, Snapshot};

/// What a worker made of one text.
enum Done {
    /// Not wanted.
    Skipped,
    Unreadable(u64, ScenarioError),
    Replayed(Box<Finished>),
}

struct Finished {
    result: ScenarioResult,
    record: ScenarioRecord,
    snapshots: Vec<Snapshot>,
}

impl Run<'_> {
    pub(super) fn replay_all(&self, findings: &mut Findings) -> Result<(), String> {
        let mut problem = None;
        let take = |done: Done| match self.take(done, findings) {
            Ok(()) if INTERRUPT.load(Ordering::Relaxed) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                problem = Some(self.cannot_write(&error));
                ControlFlow::Break(())
            }
        };
        if self.arguments.reads_standard_input() {
            let scenarios = self.suite.lines(io::stdin().lock(), &self.selection);
            let scenarios = self.of_shard(scenarios).collect::<Vec<_>>().into_iter();
            in_order(&self.pool, scenarios, |(position, scenario)| self.work(position, scenario), take);
        } else {
            let sources = self.suite.sources(&self.selection).map_err(|error| error.to_string())?;
            let load =
                |source: Result<Source, ScenarioError>| source.and_then(|source| self.suite.load(&source));
            let work = |(position, source)| self.work(position, load(source));
            in_order(&self.pool, self.of_shard(sources), work, take);
        }
        problem.map_or(Ok(()), Err)
    }

    /// What this shard is to do, each with its position among all.
    fn of_shard<T>(&self, all: impl Iterator<Item = T>) -> impl Iterator<Item = (u64, T)> {
        let shard = self.arguments.shard;
        (0..).zip(all).filter(move |(position, _)| shard.is_none_or(|shard| shard.holds(*position)))
    }

    /// All that can be done for one scenario without the others; runs on the pool.
    fn work(&self, position: u64, scenario: Result<Scenario, ScenarioError>) -> Done {
        let scenario = match scenario {
            Ok(scenario) if !self.selection.admits(&scenario) => return Done::Skipped,
            Ok(scenario) => scenario,
            Err(error) => return Done::Unreadable(position, error),
        };
        let origin = scenario.origin.clone();
        match replay(scenario, &self.plan, &|text| u64::from(self.tokenizer.count(text))) {
            Ok(result) => {
                let gauges = Gauges { tokenizer: &self.tokenizer, models: &self.models };
                let record = ScenarioRecord::new(&result, measure(&result, &gauges), position);
                let snapshots =
                    if self.compares_snapshots() { text::of_scenario(&result) } else { Vec::new() };
                Done::Replayed(Box::new(Finished { result, record, snapshots }))
            }
            Err(error) => {
                let problem = crate::scenario::Problem::of_file(
                    &origin.path,
                    error.to_string(),
                    "see ptc-eval list strategies",
                );
                Done::Unreadable(position, problem.into())
            }
        }
    }

    /// Takes in what a worker made, in the order of the suite.
    fn take(&self, done: Done, findings: &mut Findings) -> io::Result<()> {
        let finished = match done {
            Done::Skipped => return Ok(()),
            Done::Unreadable(position, error) => {
                findings.refuse(position, &error);
                return Ok(());
            }
            Done::Replayed(finished) => finished,
        };
        let Finished { result, mut record, snapshots } = *finished;
        if let Err(error) = findings.names.claim(&record.name, &record.origin) {
            findings.refuse(record.position, &error);
            return Ok(());
        }
        report_warnings(&result.scenario);
        for snapshot in &snapshots {
            record.snapshots.extend(findings.snapshots.take(snapshot)?);
        }
        findings.broken.take(&result);
        findings.tally.add(&record);
        findings.folder.scenario(&record)?;
        self.tell(&result, &record, findings);
        Ok(())
    }

    fn tell(&self, result: &ScenarioResult, record: &ScenarioRecord, findings: &mut Findings) {
        let origin = &result.scenario.origin;
        if result.unused_responses > 0 {
            let (count, path) = (result.unused_responses, &origin.path);
            errln!("warning: {path}: the run ended before {count} of its responses");
        }
        findings.failures.extend(record.failure_lines());
        if self.arguments.format == Format::Jsonl {
            outln!("{}", scenario_line(record));
        } else if self.arguments.verbose {
            errln!("{}: {}", record.name, record.outcome);
        }
    }

    /// Snapshots say what strategies render by themselves, not what the command line makes of them.
    fn compares_snapshots(&self) -> bool {
        !self.is_overridden && !self.arguments.reads_standard_input()
    }
}

impl Findings {
    /// Tells of a scenario that cannot be replayed.
    fn refuse(&mut self, position: u64, error: &ScenarioError) {
        report(error);
        self.unreadable.push(Unreadable::new(position, error));
    }
}

/// One scenario as a line of JSON.
fn scenario_line(record: &ScenarioRecord) -> serde_json::Value {
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
