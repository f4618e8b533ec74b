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
use crate::replay::{Broken, Execution, Request, StrategyRun, execute, in_order};
use crate::report::verdicts::Unreadable;
use crate::report::{Entry, Gauges, Measured, Meter, ScenarioRecord, Texts};
use crate::scenario::suite::Source;
use crate::scenario::{Problem, Scenario, ScenarioError};
use crate::snapshot::text::{self, Draft, Drafted};

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
        match execute(scenario, &self.plan) {
            Ok(execution) => match self.finish(position, execution) {
                Ok(finished) => Done::Replayed(Box::new(finished)),
                Err(error) => Done::Broken(error),
            },
            Err(error) => {
                let problem = Problem::of_file(&path, error.to_string(), "see ptc-eval list strategies");
                Done::Unreadable(position, problem.into())
            }
        }
    }

    /// Renders, measures, compares and writes down what ran, so that its texts end here.
    fn finish(&self, position: u64, execution: Execution<'_>) -> io::Result<Finished> {
        let (measured, runs, mut snapshots) = self.render(&execution)?;
        let result = execution.finish(runs);
        if self.compares_snapshots() {
            let run = Drafted::Small(text::of_run(&result.scenario, &result.step));
            snapshots.insert(0, self.shelf.compare(run)?);
        }
        let mut record = ScenarioRecord::new(&result, measured, position);
        record.snapshots = snapshots.iter().filter_map(|compared| self.shelf.record(compared)).collect();
        let entry = Entry::new(&self.header, &record)?;
        (record.turns, record.messages) = (Vec::new(), Texts::default());
        let (warnings, unused_responses) = (result.scenario.warnings, result.unused_responses);
        let runs = result.strategies.into_iter();
        let broken = runs.filter_map(|run| run.broken.map(|broken| (run.name, broken))).collect();
        Ok(Finished { record, entry, snapshots, warnings, unused_responses, broken })
    }

    /// Requests are measured and written down as they are rendered, and forgotten.
    fn render(&self, execution: &Execution<'_>) -> io::Result<(Measured, Vec<StrategyRun>, Vec<Compared>)> {
        let gauges = Gauges { tokenizer: &self.tokenizer, models: &self.header.models };
        let mut meter = Meter::new(&execution.scenario, &execution.step, &gauges);
        let count = |text: &str| u64::from(self.tokenizer.count(text));
        let history = execution.history(&count);
        let (mut runs, mut snapshots) = (Vec::new(), Vec::new());
        for variant in &execution.variants {
            let mut draft = self.compares_snapshots().then(|| Draft::new(&execution.scenario, &variant.name));
            meter.begin(&variant.name);
            match add_all(execution, execution.requests(variant, &history), &mut meter, draft.as_mut())? {
                None => {
                    runs.push(StrategyRun::named(variant.name.clone()));
                    snapshots.extend(draft.map(|draft| self.shelf.compare(draft.finish()?)).transpose()?);
                }
                Some(broken) => {
                    meter.forget();
                    runs.push(StrategyRun::broken(variant.name.clone(), broken));
                }
            }
        }
        Ok((meter.finish(&execution.failures), runs, snapshots))
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
        findings.folder.add(entry)?;
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

/// Writes requests down and measures those that were answered, until one of them breaks.
fn add_all(
    execution: &Execution<'_>,
    requests: impl Iterator<Item = Result<Request, Broken>>,
    meter: &mut Meter<'_>,
    mut draft: Option<&mut Draft>,
) -> io::Result<Option<Broken>> {
    for request in requests {
        let request = match request {
            Ok(request) => request,
            Err(broken) => return Ok(Some(broken)),
        };
        let is_answered = execution.is_answered(&request);
        if let Some(draft) = &mut draft {
            draft.add(&request, meter.last(), is_answered)?;
        }
        if is_answered {
            meter.add(request);
        }
    }
    Ok(None)
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
