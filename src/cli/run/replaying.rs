//! The scenarios of a run, one after the other: what the pool makes of each, and what is noted of it.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use ecow::EcoString;
use serde_json::json;

use super::super::snapshots::Compared;
use super::super::suite::{count, report, report_warnings};
use super::super::terminal::writes_json;
use super::arguments::Format;
use super::{Findings, INTERRUPT, Run};
use crate::replay::{Broken, ScenarioResult, in_order, replay};
use crate::report::verdicts::Unreadable;
use crate::report::{Entry, Gauges, ScenarioRecord, measure};
use crate::scenario::suite::Source;
use crate::scenario::{Problem, Scenario, ScenarioError};
use crate::snapshot::text;

/// What a worker made of one text.
enum Done {
    /// Not wanted.
    Skipped,
    Unreadable(u64, ScenarioError),
    /// What it is compared with cannot be read.
    Broken(io::Error),
    Replayed(Box<Finished>),
}

/// What is left to note of a scenario, without its texts.
struct Finished {
    /// Without turns and messages, which stand in the entry.
    record: ScenarioRecord,
    entry: Entry,
    snapshots: Vec<Compared>,
    warnings: Vec<Problem>,
    unused_responses: usize,
    /// Strategies that made no requests, and why.
    broken: Vec<(EcoString, Broken)>,
}

impl Run<'_> {
    pub(super) fn replay_all(&self, findings: &mut Findings) -> Result<(), String> {
        let mut problem = None;
        let take = |(bytes, done)| match self.take(bytes, done, findings) {
            Ok(()) if INTERRUPT.load(Ordering::Relaxed) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                problem = Some(self.cannot_write(&error));
                ControlFlow::Break(())
            }
        };
        let work = |(position, source): (u64, Result<Source, ScenarioError>)| {
            let bytes = source.as_ref().map_or(0, |source| source.text.len() as u64);
            (bytes, self.work(position, source.and_then(|source| self.suite.load(&source))))
        };
        if self.arguments.reads_standard_input() {
            in_order(&self.pool, self.of_shard(self.suite.lines(io::stdin().lock())), work, take);
        } else {
            let sources = self.suite.sources(&self.selection).map_err(|error| error.to_string())?;
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
        let path = scenario.origin.path.clone();
        match replay(scenario, &self.plan, &|text| u64::from(self.tokenizer.count(text))) {
            Ok(result) => match self.finish(position, result) {
                Ok(finished) => Done::Replayed(Box::new(finished)),
                Err(error) => Done::Broken(error),
            },
            Err(error) => {
                let problem = Problem::of_file(&path, error.to_string(), "see ptc-eval list strategies");
                Done::Unreadable(position, problem.into())
            }
        }
    }

    /// Measures, compares and writes down a result, so that its texts end here.
    fn finish(&self, position: u64, result: ScenarioResult) -> io::Result<Finished> {
        let gauges = Gauges { tokenizer: &self.tokenizer, models: &self.header.models };
        let mut record = ScenarioRecord::new(&result, measure(&result, &gauges), position);
        let snapshots = if self.compares_snapshots() { text::of_scenario(&result) } else { Vec::new() };
        let compared = snapshots.into_iter().map(|snapshot| self.shelf.compare(snapshot));
        let snapshots = compared.collect::<io::Result<Vec<_>>>()?;
        record.snapshots = snapshots.iter().filter_map(|compared| self.shelf.record(compared)).collect();
        let entry = Entry::new(&self.header, &record)?;
        (record.turns, record.messages) = (Vec::new(), Vec::new());
        let (warnings, unused_responses) = (result.scenario.warnings, result.unused_responses);
        let runs = result.strategies.into_iter();
        let broken = runs.filter_map(|run| run.broken.map(|broken| (run.name, broken))).collect();
        Ok(Finished { record, entry, snapshots, warnings, unused_responses, broken })
    }

    /// Takes in what a worker made, in the order of the suite.
    fn take(&self, bytes: u64, done: Done, findings: &mut Findings) -> io::Result<()> {
        findings.progress.advance(bytes);
        let finished = match done {
            Done::Skipped => return Ok(()),
            Done::Unreadable(position, error) => {
                findings.refuse(position, self.suite.name_of(&error.path), &error);
                return Ok(());
            }
            Done::Broken(error) => return Err(error),
            Done::Replayed(finished) => finished,
        };
        let Finished { record, entry, snapshots, warnings, unused_responses, broken } = *finished;
        if let Err(error) = findings.names.claim(&record.name, &record.origin) {
            findings.refuse(record.position, record.name, &error);
            return Ok(());
        }
        if unused_responses > 0 || !warnings.is_empty() {
            findings.progress.pause(|| warn(&record, &warnings, unused_responses));
        }
        snapshots.into_iter().try_for_each(|compared| findings.snapshots.take(compared))?;
        for broken in &record.broken_strategies {
            findings.snapshots.keep(&format!("{}/{}", record.name, broken.strategy));
        }
        findings.broken.take(&record.name, broken, |tell| findings.progress.pause(tell));
        if let Some(failed) = &mut findings.failed {
            failed.note(&record);
        }
        findings.tally.add(&record);
        findings.folder.add(&entry)?;
        self.tell(&record, findings);
        Ok(())
    }

    fn tell(&self, record: &ScenarioRecord, findings: &mut Findings) {
        findings.failures.add(record);
        if self.arguments.format == Format::Jsonl {
            // Nobody is left to read the rest.
            if !findings.progress.pause(|| writes_json(&scenario_line(record))) {
                INTERRUPT.store(true, Ordering::Relaxed);
            }
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
    fn refuse(&mut self, position: u64, name: String, error: &ScenarioError) {
        self.progress.pause(|| report(error));
        let unreadable = Unreadable::new(position, name, error);
        if let Some(failed) = &mut self.failed {
            failed.note_unreadable(&unreadable);
        }
        self.unreadable.push(unreadable);
    }
}

fn warn(record: &ScenarioRecord, warnings: &[Problem], unused_responses: usize) {
    report_warnings(warnings);
    if unused_responses > 0 {
        let path = &record.origin.path;
        errln!("warning: {path}: the run ended before {} of the last", count(unused_responses, "response"));
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
