//! The scenarios of a run, one after the other: what the pool makes of each, and what is noted of it.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::super::suite::{report, report_warnings};
use super::arguments::Format;
use super::{Findings, INTERRUPT, Run};
use crate::replay::{ScenarioResult, in_order, replay};
use crate::report::{Gauges, Measured, measure};
use crate::scenario::suite::Source;
use crate::scenario::{Scenario, ScenarioError};
use crate::snapshot::text::{self, Snapshot};

/// What a worker made of one text.
enum Done {
    /// Not wanted.
    Skipped,
    Unreadable(ScenarioError),
    Replayed(Box<Finished>),
}

struct Finished {
    result: ScenarioResult,
    measured: Measured,
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
            in_order(
                &self.pool,
                scenarios.collect::<Vec<_>>().into_iter(),
                |scenario| self.work(scenario),
                take,
            );
        } else {
            let sources = self.suite.sources(&self.selection).map_err(|error| error.to_string())?;
            let load =
                |source: Result<Source, ScenarioError>| source.and_then(|source| self.suite.load(&source));
            in_order(&self.pool, sources, |source| self.work(load(source)), take);
        }
        problem.map_or(Ok(()), Err)
    }

    /// All that can be done for one scenario without the others; runs on the pool.
    fn work(&self, scenario: Result<Scenario, ScenarioError>) -> Done {
        let scenario = match scenario {
            Ok(scenario) if !self.selection.admits(&scenario) => return Done::Skipped,
            Ok(scenario) => scenario,
            Err(error) => return Done::Unreadable(error),
        };
        let origin = scenario.origin.clone();
        match replay(scenario, &self.plan, &|text| u64::from(self.tokenizer.count(text))) {
            Ok(result) => {
                let gauges = Gauges { tokenizer: &self.tokenizer, models: &self.models };
                let measured = measure(&result, &gauges);
                let snapshots =
                    if self.compares_snapshots() { text::of_scenario(&result) } else { Vec::new() };
                Done::Replayed(Box::new(Finished { result, measured, snapshots }))
            }
            Err(error) => {
                let problem = crate::scenario::Problem::of_file(
                    &origin.path,
                    error.to_string(),
                    "see ptc-eval list strategies",
                );
                Done::Unreadable(problem.into())
            }
        }
    }

    /// Takes in what a worker made, in the order of the suite.
    fn take(&self, done: Done, findings: &mut Findings) -> io::Result<()> {
        let finished = match done {
            Done::Skipped => return Ok(()),
            Done::Unreadable(error) => {
                report(&error);
                findings.unreadable += 1;
                return Ok(());
            }
            Done::Replayed(finished) => finished,
        };
        let Finished { result, measured, snapshots } = *finished;
        if let Err(error) = findings.names.claim(&result.scenario) {
            report(&error);
            findings.unreadable += 1;
            return Ok(());
        }
        report_warnings(&result.scenario);
        findings.replayed += 1;
        findings.tally.add(&measured);
        findings.folder.scenario(&result, &measured)?;
        for snapshot in &snapshots {
            findings.snapshots.take(snapshot)?;
        }
        findings.broken.take(&result);
        self.tell(&result, &measured, findings);
        Ok(())
    }

    fn tell(&self, result: &ScenarioResult, measured: &Measured, findings: &mut Findings) {
        let origin = &result.scenario.origin;
        if result.unused_responses > 0 {
            let (count, path) = (result.unused_responses, &origin.path);
            errln!("warning: {path}: the run ended before {count} of its responses");
        }
        for failure in &measured.failures {
            let (what, expected, found) = (&failure.what, &failure.expected, &failure.found);
            let line = origin.line_of_expectation(what);
            findings
                .failures
                .push(format!("{}:{line}: {what}: expected {expected}, found {found}", origin.path));
        }
        if self.arguments.format == Format::Jsonl {
            outln!("{}", scenario_line(measured));
        } else if self.arguments.verbose {
            errln!("{}: {}", measured.name, measured.outcome);
        }
    }

    /// Snapshots say what strategies render by themselves, not what the command line makes of them.
    fn compares_snapshots(&self) -> bool {
        !self.is_overridden && !self.arguments.reads_standard_input()
    }
}

/// One scenario as a line of JSON.
fn scenario_line(measured: &Measured) -> serde_json::Value {
    let tokens = measured
        .strategies
        .iter()
        .map(|run| (run.name.to_string(), json!({"input_tokens": run.input_tokens()})));
    json!({
        "scenario": measured.name,
        "outcome": measured.outcome,
        "failures": measured.failures.iter().map(|failure| &failure.what).collect::<Vec<_>>(),
        "strategies": tokens.collect::<serde_json::Map<_, _>>(),
    })
}
