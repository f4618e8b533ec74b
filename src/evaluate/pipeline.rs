//! Evaluates one scenario, or all of a suite on several threads. Each request is measured and written to its snapshot right after
//! rendering, then dropped.

use std::io;

use ecow::EcoString;
use xxhash_rust::xxh3::xxh3_64;

use super::time_limit::TimeLimit;
use super::wrong_turn::wrong_turn;
use super::{
    ComparedSnapshot, DifferenceFinder, Execution, Plan, Pool, SnapshotComparer, Written, execute, in_order,
    unused_responses, written,
};
use crate::compression::{BrokenStrategy, History, SettingError, TurnMemo, Variant};
use crate::measure::{Gauges, MeasuredRun, Requests};
use crate::report::change::ScenarioDifference;
use crate::report::verdicts::SnapshotRecord;
use crate::report::{
    Comparison, Header, RecordDraft, ReportEntry, ScenarioRecord, Tally, Texts, hide_secrets,
};
use crate::scenario::{Problem, Scenario, ScenarioError, ScenarioSource, Selection, Suite};
use crate::secrets::without_secrets;
use crate::snapshot::text::{self, Snapshot};
use crate::snapshot::{GoldenDraft, Goldens};
use conversation_bills::Explained;

/// Evaluates scenarios under the strategies of a plan.
pub struct Pipeline<'p> {
    pub plan: &'p Plan,
    pub gauges: Gauges<'p>,
    /// Compares snapshots. `None`: skip the comparison.
    pub comparer: Option<&'p SnapshotComparer>,
    /// The time limit of each scenario in [`Pipeline::run`], if any.
    pub time_limit: Option<&'p TimeLimit>,
    /// Finds changes for the model. `None`: not requested.
    pub differences: Option<DifferenceFinder<'p>>,
    /// Replace secrets in reports.
    pub hides_secrets: bool,
    /// Settings measured beside the plan's strategies. They are in no report.
    pub beside: Option<&'p Plan>,
}

/// An executed and measured scenario, compared with its snapshots.
pub struct EvaluatedScenario {
    pub record: ScenarioRecord,
    pub snapshots: Vec<ComparedSnapshot>,
    pub warnings: Vec<Problem>,
    pub unused_responses: usize,
    pub uncounted_images: u64,
    /// How well we explain the log's bills, if it has any. Bills also size its requests.
    pub explained: Option<Explained>,
    /// The user's own strategies that failed, with their errors.
    pub broken: Vec<(EcoString, BrokenStrategy)>,
    /// Golden texts not used because they were written for another run.
    pub stale: Vec<SnapshotRecord>,
    /// The runs under the settings of [`Pipeline::beside`].
    pub beside: Vec<MeasuredRun>,
}

/// The fields of an [`EvaluatedScenario`] filled while rendering.
#[derive(Default)]
struct Findings {
    snapshots: Vec<ComparedSnapshot>,
    broken: Vec<(EcoString, BrokenStrategy)>,
    stale: Vec<SnapshotRecord>,
}

/// An evaluated source of a suite.
pub struct EvaluatedSource {
    /// The scenario's index in the whole suite, from 0.
    pub position: u64,
    /// The size of the scenario's text.
    pub bytes: u64,
    /// A hash of the scenario's text.
    pub hash: u64,
    pub result: SourceResult,
}

/// Result of one source of a suite.
pub enum SourceResult {
    /// The selection excludes the scenario.
    LeftOut,
    /// The scenario cannot be read or replayed. The others are evaluated anyway.
    Unreadable(ScenarioError),
    /// An evaluated scenario. The texts of its turns and requests are only in the entry.
    Scenario(Box<EvaluatedScenario>, ReportEntry),
}

/// Why an evaluation has no result.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// The scenario cannot be read or replayed.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A snapshot, report or temporary file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<'p> Pipeline<'p> {
    /// A pipeline that only measures.
    pub fn new(plan: &'p Plan, gauges: Gauges<'p>) -> Pipeline<'p> {
        Pipeline {
            plan,
            gauges,
            comparer: None,
            time_limit: None,
            differences: None,
            hides_secrets: true,
            beside: None,
        }
    }

    /// The header of reports on this suite, before the evaluation is complete.
    pub fn header(&self, suite: &Suite) -> Header {
        let names: Vec<String> = self.plan.names().into_iter().map(str::to_string).collect();
        Header {
            suite: if self.hides_secrets { without_secrets(&suite.name) } else { suite.name.clone() },
            tokenizer: self.gauges.tokenizer.name().to_string(),
            strategies: names,
            models: self.gauges.models.to_vec(),
            tolerance: suite.tolerance,
            warm_system: self.gauges.warm_system,
            settings: self.plan.settings(),
            limited: self.plan.limited(),
            until_limit: self.plan.until_limit(&suite.baseline),
            baseline: suite.baseline.clone(),
            thresholds: suite.thresholds.clone(),
            ..Header::default()
        }
    }

    /// Compares the strategies over all scenarios of a suite.
    ///
    /// # Errors
    /// A scenario cannot be read.
    pub fn compare(&self, suite: &Suite) -> Result<Comparison, EvaluateError> {
        let mut tally = Tally::new(self.header(suite));
        for (position, scenario) in (0..).zip(suite.scenarios(&Selection::default())?) {
            tally.add(&self.evaluate(scenario?, position)?.record);
        }
        Ok(tally.compare())
    }

    /// Evaluates the sources on a pool. `consume` gets the results in the order of the sources; when it returns, the evaluation stops. A
    /// result is an error if a file cannot be read or written.
    pub fn run<O>(
        &self,
        pool: &Pool,
        (suite, selection, header): (&Suite, &Selection, &Header),
        sources: impl Iterator<Item = (u64, Result<ScenarioSource, ScenarioError>)>,
        consume: impl FnOnce(&mut dyn Iterator<Item = io::Result<EvaluatedSource>>) -> O,
    ) -> O {
        let work = |(position, source): (u64, Result<ScenarioSource, ScenarioError>)| {
            let text = source.as_ref().map_or(&[][..], ScenarioSource::text);
            let (bytes, hash) = (text.len() as u64, xxh3_64(text));
            let timed = self.time_limit.map(|limit| limit.begin(position));
            let path = source.as_ref().map_or(String::new(), |source| source.path.clone());
            let evaluated = source.and_then(|source| suite.load(&source)).map_err(EvaluateError::from);
            let evaluated = evaluated.and_then(|scenario| {
                if selection.admits(&scenario) {
                    self.evaluate_for_report(scenario, position, header)
                } else {
                    Ok(SourceResult::LeftOut)
                }
            });
            if timed.is_some_and(|timed| timed.is_over())
                && let Some(limit) = self.time_limit
            {
                let help =
                    "its strategies or programs take long, or never end; --timeout SECONDS allows more";
                let problem = Problem::of_file(&path, limit.message(), help);
                let result = SourceResult::Unreadable(problem.into());
                return Ok(EvaluatedSource { position, bytes, hash, result });
            }
            let result = evaluated.or_else(|error| match error {
                EvaluateError::Scenario(error) => Ok(SourceResult::Unreadable(error)),
                EvaluateError::Io(error) => Err(error),
            })?;
            Ok(EvaluatedSource { position, bytes, hash, result })
        };
        in_order(pool, sources, work, consume)
    }

    fn evaluate_for_report(
        &self,
        scenario: Scenario,
        position: u64,
        header: &Header,
    ) -> Result<SourceResult, EvaluateError> {
        let mut evaluation = self.evaluate(scenario, position)?;
        let record = &mut evaluation.record;
        if self.hides_secrets {
            hide_secrets(record)?;
        }
        let entry = if header.part.is_some() {
            ReportEntry::record(header, record)?
        } else {
            ReportEntry::new(header, record)?
        };
        // The entry has the texts; drop them here, since many evaluations may queue behind a slow one.
        (evaluation.record.turns, evaluation.record.texts) = (Vec::new(), Texts::default());
        Ok(SourceResult::Scenario(Box::new(evaluation), entry))
    }

    /// Executes, renders, measures and compares one scenario.
    ///
    /// # Errors
    /// A strategy lacks an option, or a snapshot cannot be read.
    pub fn evaluate(&self, scenario: Scenario, position: u64) -> Result<EvaluatedScenario, EvaluateError> {
        let path = scenario.origin.path.clone();
        let execution = execute(scenario, self.plan).map_err(|error| scenario_error(&path, &error))?;
        let beside = self.beside.map(|plan| plan.variants_for(&execution.scenario)).transpose();
        let beside = beside.map_err(|error| scenario_error(&path, &error))?.unwrap_or_default();
        let mut findings = Findings::default();
        let run = self.comparer.map(|_| text::of_run(&execution.scenario, &execution.conversation));
        let mut record = self.render_strategies(&execution, &beside, run.as_ref(), &mut findings)?;
        let Findings { mut snapshots, broken, stale } = findings;
        let compared = match (self.comparer, run) {
            (Some(comparer), Some(run)) => Some(comparer.compare(run, "")?),
            _ => None,
        };
        let wrong = wrong_turn(&execution.conversation, &execution.failures, compared.as_ref());
        snapshots.splice(..0, compared);
        let explained = record.close_bills();
        let beside = record.take_beside();
        let mut record = record.finish(&execution.failures, wrong, position);
        if let Some(comparer) = self.comparer {
            let compared = snapshots.iter().filter_map(|compared| comparer.record(compared));
            record.snapshots = compared.chain(stale.iter().cloned()).collect();
        }
        record.difference = self.find_difference(&execution, &record, &snapshots);
        let unused_responses = unused_responses(&execution.scenario, &execution.conversation);
        let Scenario { warnings, uncounted_images, .. } = execution.scenario;
        Ok(EvaluatedScenario {
            record,
            snapshots,
            warnings,
            unused_responses,
            uncounted_images,
            explained,
            broken,
            stale,
            beside,
        })
    }

    /// The changes for the model in a scenario with these snapshots.
    fn find_difference(
        &self,
        execution: &Execution<'_>,
        record: &ScenarioRecord,
        snapshots: &[ComparedSnapshot],
    ) -> Option<ScenarioDifference> {
        let finder = self.differences?;
        let has_changed = snapshots.iter().any(|compared| matches!(compared, ComparedSnapshot::Changed(..)));
        if !has_changed && !finder.compares_all {
            return None;
        }
        let Execution { scenario, conversation, .. } = execution;
        let file = scenario.file.split_once('/').map_or(scenario.file.as_str(), |(_, file)| file);
        finder.find(record, file, &text::run_text(conversation), self.gauges)
    }

    fn render_strategies<'e>(
        &'e self,
        execution: &'e Execution<'_>,
        beside: &[Variant<'_>],
        run: Option<&Snapshot>,
        findings: &mut Findings,
    ) -> io::Result<RecordDraft<'e>> {
        let count = |text: &str| u64::from(self.gauges.tokenizer.count(text));
        let history = execution.history(&count);
        let mut goldens = run.map(|run| Goldens::new(&execution.scenario, run));
        // `full-history` comes first: golden files can only refer to an earlier one.
        if let (Some(goldens), Some(variant)) = (&mut goldens, &execution.repeated) {
            let (draft, rendered) = requests_of(execution, variant, &history, Some(goldens));
            if let (Some(draft), Ok(_)) = (draft, rendered) {
                goldens.finish(draft, history.messages());
            }
        }
        let mut record =
            RecordDraft::new(&execution.scenario, &execution.conversation, &history, &self.gauges);
        history.messages().share();
        for variant in &execution.variants {
            // The previous strategy has ended. In a long run, the messages of all strategies would need too much memory.
            history.messages().forget();
            record.forget(&history.messages().table());
            let rendering = Rendering { execution, variant, history: &history };
            if let Err(error) = self.add_strategy(rendering, goldens.as_mut(), &mut record, findings)? {
                record.add_broken(&variant.name, &history.messages().table(), &error);
                findings.broken.push((variant.name.clone(), error));
            }
        }
        for variant in beside {
            history.messages().forget();
            record.forget(&history.messages().table());
            let written = written(execution, variant, &history);
            let requests =
                written.and_then(|written| requests_of(execution, &written.variant, &history, None).1);
            // A failed setting has no requests, so it is never recommended.
            let requests = requests.unwrap_or_else(|_| Requests::default());
            record.add_beside(&variant.name, &history.messages().table(), &requests);
        }
        Ok(record)
    }

    /// Measures the requests of a strategy and compares them with its golden file. The inner error is the strategy's.
    fn add_strategy(
        &self,
        Rendering { execution, variant, history }: Rendering<'_>,
        goldens: Option<&mut Goldens<'_>>,
        record: &mut RecordDraft<'_>,
        findings: &mut Findings,
    ) -> io::Result<Result<(), BrokenStrategy>> {
        let Written { variant, repeats, stale } = match written(execution, variant, history) {
            Ok(written) => written,
            Err(error) => return Ok(Err(error)),
        };
        // Placeholders would differ from the accepted texts, without any change of the strategy.
        let mut goldens = goldens.filter(|_| stale.is_none());
        let (draft, rendered) = requests_of(execution, &variant, history, goldens.as_deref_mut());
        let requests = match rendered {
            Ok(requests) => requests,
            Err(error) => return Ok(Err(error)),
        };
        let mut samples: Vec<Requests> = Vec::new();
        for repeat in &repeats {
            match requests_of(execution, repeat, history, None).1 {
                Ok(sample) => samples.push(sample),
                Err(error) => return Ok(Err(error)),
            }
        }
        if let Some(stale) = stale {
            let key = text::key(&execution.scenario.name, &variant.name);
            findings.stale.push(SnapshotRecord::stale(key, stale.sentence()));
        }
        // Compare before measuring: in a long run, the golden file and the measures both need much memory.
        if let (Some(comparer), Some(goldens), Some(draft)) = (self.comparer, goldens, draft) {
            let snapshot = goldens.finish(draft, history.messages());
            findings.snapshots.push(comparer.compare(snapshot, goldens.baseline())?);
        }
        record.add(&variant.name, &history.messages().table(), &requests);
        samples.iter().for_each(|sample| record.add_sample(&history.messages().table(), sample));
        Ok(Ok(()))
    }
}

/// The error for a strategy's setting, in the scenario's file.
fn scenario_error(path: &str, error: &SettingError) -> ScenarioError {
    Problem::of_file(path, error.to_string(), "see ptc-eval list strategies").into()
}

/// A strategy and the conversation to render for it.
#[derive(Clone, Copy)]
struct Rendering<'r> {
    execution: &'r Execution<'r>,
    variant: &'r Variant<'r>,
    history: &'r History<'r>,
}

/// Renders the requests of a strategy: its golden file if `goldens` is given, and its answered requests.
fn requests_of(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
    mut goldens: Option<&mut Goldens<'_>>,
) -> (Option<GoldenDraft>, Result<Requests, BrokenStrategy>) {
    let mut draft = goldens.as_ref().map(|goldens| goldens.draft(&variant.name));
    let (memo, mut requests) = (TurnMemo::default(), Requests::default());
    let rendered = execution.next_requests(variant, history, &memo).try_for_each(|request| {
        let request = request?;
        if let (Some(goldens), Some(draft)) = (&mut goldens, &mut draft) {
            goldens.add(draft, &request, history.messages());
        }
        if request.is_answered {
            requests.push(request);
        }
        Ok(())
    });
    (draft, rendered.map(|()| requests))
}
