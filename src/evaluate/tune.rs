//! Searches the options of strategies for the settings that nothing beats in both cost and short answers. A third of the
//! scenarios is held back, so that a setting is judged by runs that did not choose it.

use std::io;
use std::ops::ControlFlow;

use ecow::EcoString;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::plan::label;
use super::{EvaluateError, Evaluation, Pipeline, Plan, Pool, in_order};
use crate::compression::{BrokenStrategy, OptionKind, OptionRow, STRATEGIES, TRIGGER};
use crate::measure::MeasuredRun;
use crate::report::fingerprint::Fingerprint;
use crate::report::{Gauges, Rule, Standing, TooLittle};
use crate::scenario::suite::Tolerance;
use crate::scenario::{JsonOptions, ScenarioSource, Selection, Suite};

/// Settings whose options are varied further in each round, and rounds.
const KEPT: usize = 16;
const ROUNDS: usize = 4;
/// One of so many runs of about the same length is held back.
const PARTS: usize = 3;
/// Turns and tokens from which a setting may begin to compress.
const TRIGGER_TURNS: [u32; 4] = [4, 8, 16, 32];
const TRIGGER_TOKENS: [u32; 4] = [4_000, 8_000, 16_000, 64_000];

/// A strategy with the options that differ from the suite's.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategySetting {
    pub strategy: String,
    pub options: JsonOptions,
}

/// A setting, and its cost and short answers.
#[derive(Clone, Debug)]
pub struct Tried {
    pub setting: StrategySetting,
    /// Over the runs that choose.
    pub chosen_by: Standing,
    /// Over the runs that are held back.
    pub held_back: Standing,
    /// Number of requests that a chat model would refuse; none if some are missing.
    refused: Option<usize>,
}

impl StrategySetting {
    /// `trim,keep_recent_turns=1`
    pub fn label(&self) -> String {
        label(&self.strategy, &self.options)
    }
}

/// The use of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunUse {
    Chooses,
    HeldBack,
    /// It equals an earlier run, and counts for nothing.
    Copy,
}

/// A scenario in which strategies made no requests, and why.
pub struct BrokenRun {
    pub scenario: String,
    pub strategies: Vec<(EcoString, BrokenStrategy)>,
}

/// Result of a search.
pub struct Tuning {
    /// Of each scenario.
    pub runs: Vec<RunUse>,
    /// Reason why nothing is recommended.
    pub too_little: Option<TooLittle>,
    /// Of the strategies with the options of the suite.
    pub broken: Vec<BrokenRun>,
    /// All settings, the baseline first.
    pub tried: Vec<Tried>,
    /// Indexes of the settings that nothing beats in cost and short answers, the cheapest first.
    pub unbeaten: Vec<usize>,
    /// The index of the cheapest one with few enough short answers.
    pub recommended: Option<usize>,
}

/// One scenario under some settings.
struct Run {
    turns: usize,
    fingerprint: Option<Fingerprint>,
    broken: BrokenRun,
    /// Of its name.
    hash: u64,
    /// One a setting, with the number of requests that a chat model would refuse; none if some are missing.
    standings: Vec<(Standing, Option<usize>)>,
}

/// The input of a search.
pub struct Search<'s> {
    pub suite: &'s Suite,
    pub selection: &'s Selection,
    pub gauges: Gauges<'s>,
    pub pool: &'s Pool,
    /// Decides which scenarios are held back.
    pub seed: u64,
    /// The bounds of a recommendation.
    pub tolerance: Tolerance,
}

impl Search<'_> {
    /// Tries the suite's strategies and all built-in ones, then, in a few rounds, other options of the best.
    ///
    /// # Errors
    /// A scenario that cannot be read or replayed.
    pub fn run(&self) -> Result<Tuning, EvaluateError> {
        let names = std::iter::once(self.suite.baseline.as_str());
        let names = names.chain(self.suite.strategies.iter().map(String::as_str));
        let names = names.chain(STRATEGIES.iter().map(|strategy| strategy.name));
        let mut next: Vec<StrategySetting> = Vec::new();
        for name in names {
            let setting = StrategySetting { strategy: name.to_owned(), options: JsonOptions::default() };
            if !next.contains(&setting) {
                next.push(setting);
            }
        }
        let mut tuning = Tuning {
            runs: Vec::new(),
            too_little: None,
            broken: Vec::new(),
            tried: Vec::new(),
            unbeaten: Vec::new(),
            recommended: None,
        };
        for round in 0..=ROUNDS {
            let mut tried: Vec<Tried> = next.iter().cloned().map(Tried::new).collect();
            if round == 0 {
                let mut all = Vec::new();
                self.evaluate(&next, |_, run| all.push(run))?;
                tuning.runs = self.uses(&all);
                all.iter().zip(&tuning.runs).for_each(|(run, of)| add(&mut tried, run, *of));
                let broken = all.into_iter().map(|run| run.broken);
                tuning.broken = broken.filter(|run| !run.strategies.is_empty()).collect();
            } else {
                self.evaluate(&next, |index, run| {
                    add(&mut tried, &run, tuning.runs.get(index).copied().unwrap_or(RunUse::Copy));
                })?;
            }
            tuning.tried.extend(tried);
            self.judge(&mut tuning);
            let bases = if round == 0 { tuning.whole() } else { self.promising(&tuning) };
            next.clear();
            for base in bases.into_iter().filter_map(|index| tuning.tried.get(index)) {
                for setting in self.neighbours(&base.setting) {
                    let is_known = tuning.tried.iter().any(|tried| tried.setting == setting);
                    if !is_known && !next.contains(&setting) {
                        next.push(setting);
                    }
                }
            }
        }
        Ok(tuning)
    }

    /// Evaluates settings over all scenarios; `take` gets the index of each scenario and its run.
    fn evaluate(
        &self,
        settings: &[StrategySetting],
        mut take: impl FnMut(usize, Run),
    ) -> Result<(), EvaluateError> {
        let wanted: Vec<_> = settings.iter().map(|one| (one.strategy.clone(), one.options.clone())).collect();
        let plan = Plan::new(self.suite, &wanted)
            .map_err(|error| EvaluateError::Io(io::Error::other(error.to_string())))?;
        let pipeline = Pipeline::new(&plan, self.gauges);
        let (mut index, mut problem) = (0, Ok(()));
        let work = |source: Result<ScenarioSource, _>| {
            let scenario = self.suite.load(&source?)?;
            if !self.selection.admits(&scenario) {
                return Ok(None);
            }
            let Evaluation { record, broken, .. } = pipeline.evaluate(scenario, 0)?;
            let turns = record.output_tokens.len();
            let refused = |run: &MeasuredRun| {
                let refused = run.requests.iter().filter(|request| !request.valid).count();
                (run.requests.len() == turns).then_some(refused)
            };
            let standings = record.strategies.iter().map(|run| (Standing::of(run), refused(run)));
            Ok(Some(Run {
                turns,
                fingerprint: record.fingerprint,
                hash: self.hash(&record.name),
                standings: standings.collect(),
                broken: BrokenRun { scenario: record.name, strategies: broken },
            }))
        };
        in_order(self.pool, self.suite.sources(self.selection)?, work, |result| {
            match result {
                Ok(None) => {}
                Ok(Some(run)) => {
                    take(index, run);
                    index += 1;
                }
                Err(error) => {
                    problem = Err(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        problem
    }

    fn hash(&self, scenario: &str) -> u64 {
        xxh3_64_with_seed(scenario.as_bytes(), self.seed)
    }

    /// Chooses the runs that are held back: one of three runs of about the same length, of which none equals another.
    fn uses(&self, runs: &[Run]) -> Vec<RunUse> {
        let mut seen = FxHashSet::default();
        let mut is_new = |run: &Run| run.fingerprint.is_none_or(|fingerprint| seen.insert(fingerprint));
        let mut uses: Vec<RunUse> =
            runs.iter().map(|run| if is_new(run) { RunUse::Chooses } else { RunUse::Copy }).collect();
        let mut order: Vec<usize> =
            (0..runs.len()).filter(|index| uses.get(*index) == Some(&RunUse::Chooses)).collect();
        let key = |index: &usize| runs.get(*index).map(|run| (run.turns, run.hash));
        order.sort_by_key(key);
        for group in order.chunks_exact(PARTS) {
            let last = group.iter().max_by_key(|index| key(index).map(|(_, hash)| hash));
            last.and_then(|index| uses.get_mut(*index)).into_iter().for_each(|of| *of = RunUse::HeldBack);
        }
        uses
    }

    /// Finds the settings that nothing beats, and the one to use. Of several with the same standing the first counts.
    fn judge(&self, tuning: &mut Tuning) {
        let standing =
            |index: &usize| tuning.tried.get(*index).map(|tried| tried.chosen_by).unwrap_or_default();
        let mut order: Vec<usize> =
            (0..tuning.tried.len()).filter(|index| tuning.is_complete(*index)).collect();
        order.sort_by_key(|index| (standing(index).cost, standing(index).short, *index));
        let mut least = None;
        order.retain(|index| {
            let short = standing(index).short;
            let is_unbeaten = least.is_none_or(|least| short < least);
            if is_unbeaten {
                least = Some(short);
            }
            is_unbeaten
        });
        tuning.unbeaten = order;
        let standings: Vec<Standing> = tuning.tried.iter().map(|tried| tried.chosen_by).collect();
        let is_complete: Vec<bool> = (0..tuning.tried.len()).map(|index| tuning.is_complete(index)).collect();
        let rule = Rule { tolerance: self.tolerance, baseline: 0, is_complete: &is_complete };
        let needing = tuning.tried.first().map_or(0, |baseline| baseline.whole().needing);
        let distinct = tuning.runs.iter().filter(|of| **of != RunUse::Copy).count();
        tuning.too_little = TooLittle::of(needing, distinct as u64, None);
        tuning.recommended = if tuning.too_little.is_none() { rule.choose(&standings) } else { None };
    }

    /// The settings to vary: those that nothing beats, tolerable ones first, then other cheap tolerable ones.
    fn promising(&self, tuning: &Tuning) -> Vec<usize> {
        let excess = |index: &usize| {
            let standing = tuning.tried.get(*index).map(|tried| tried.chosen_by).unwrap_or_default();
            let over = standing.short as f64 - self.tolerance.max_short * standing.needing as f64;
            (over.max(0.0) as u64, standing.cost, *index)
        };
        let mut all: Vec<usize> =
            (0..tuning.tried.len()).filter(|index| tuning.is_complete(*index)).collect();
        all.sort_by_key(excess);
        let unbeaten = tuning.unbeaten.iter().rev().take(KEPT / 2);
        let mut kept: Vec<usize> = all.iter().take(KEPT).chain(unbeaten).copied().collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// The settings that differ in one option.
    fn neighbours(&self, setting: &StrategySetting) -> Vec<StrategySetting> {
        let Some(known) = self.suite.known.strategy(&setting.strategy) else { return Vec::new() };
        if setting.strategy == self.suite.baseline {
            return Vec::new();
        }
        let with = |option: &str, value: Value| {
            let mut changed = setting.clone();
            changed.options.insert(option.to_owned(), value);
            changed
        };
        let own = known
            .base
            .options()
            .iter()
            .flat_map(|row| values(row).into_iter().map(|value| (row.name, value)));
        let triggers = TRIGGER_TURNS.map(|turns| json!({ "turns": turns })).into_iter();
        let triggers = triggers.chain(TRIGGER_TOKENS.map(|tokens| json!({ "tokens": tokens })));
        own.chain(triggers.map(|value| (TRIGGER, value))).map(|(option, value)| with(option, value)).collect()
    }
}

impl Tuning {
    /// The index of the cheapest setting that saves enough with few enough short answers on both parts of the runs. No runs
    /// are left to judge it by.
    pub fn cheapest_on_both(&self, tolerance: Tolerance) -> Option<usize> {
        let baseline = self.tried.first()?;
        let is_better = |index: &usize| {
            self.is_complete(*index)
                && self.tried.get(*index).is_some_and(|one| one.is_better(baseline, tolerance))
        };
        let cost = |index: &usize| self.tried.get(*index).map(|one| one.chosen_by.cost + one.held_back.cost);
        (1..self.tried.len()).filter(is_better).min_by_key(cost)
    }

    /// The indexes of the settings that made all requests.
    fn whole(&self) -> Vec<usize> {
        (0..self.tried.len()).filter(|index| self.tried.get(*index).is_some_and(Tried::is_whole)).collect()
    }

    fn is_complete(&self, index: usize) -> bool {
        let refused = |index: usize| self.tried.get(index).and_then(|tried| tried.refused);
        refused(index).zip(refused(0)).is_some_and(|(own, baseline)| own <= baseline)
    }
}

impl Tried {
    /// Returns true if it made all requests.
    pub fn is_whole(&self) -> bool {
        self.refused.is_some()
    }

    /// Over all runs.
    pub fn whole(&self) -> Standing {
        self.chosen_by.plus(&self.held_back)
    }

    /// Returns true if it saves enough with few enough short answers on the runs held back.
    pub fn holds(&self, baseline: &Tried, tolerance: Tolerance) -> bool {
        is_better(&self.held_back, &baseline.held_back, tolerance)
    }

    fn is_better(&self, baseline: &Tried, tolerance: Tolerance) -> bool {
        self.holds(baseline, tolerance) && is_better(&self.chosen_by, &baseline.chosen_by, tolerance)
    }

    fn new(setting: StrategySetting) -> Tried {
        let [chosen_by, held_back] = [Standing::default(); 2];
        Tried { setting, chosen_by, held_back, refused: Some(0) }
    }
}

fn is_better(own: &Standing, baseline: &Standing, tolerance: Tolerance) -> bool {
    own.saves(baseline, tolerance) && own.is_tolerable(tolerance)
}

/// Adds a run to the settings under which it was evaluated.
fn add(tried: &mut [Tried], run: &Run, of: RunUse) {
    for (tried, (standing, refused)) in tried.iter_mut().zip(&run.standings) {
        match of {
            RunUse::Chooses => tried.chosen_by.add(standing),
            RunUse::HeldBack => tried.held_back.add(standing),
            RunUse::Copy => {}
        }
        tried.refused = tried.refused.zip(*refused).map(|(sum, refused)| sum + refused);
    }
}

/// Values to try for an option, besides its default.
fn values(row: &OptionRow) -> Vec<Value> {
    match row.kind {
        OptionKind::Count { default: 0..=1, .. } => [2, 5, 10, 20].map(Value::from).into(),
        OptionKind::Count { default, least } => {
            let mut counts = [least, default / 3, default / 2, default * 2, default * 4].to_vec();
            counts.retain(|count| *count >= least && *count != default);
            counts.sort_unstable();
            counts.dedup();
            counts.into_iter().map(Value::from).collect()
        }
        OptionKind::Word { others, .. } => others.iter().map(|word| Value::from(*word)).collect(),
        OptionKind::Flag => vec![Value::from(true)],
        OptionKind::Factor(_) | OptionKind::Names => Vec::new(),
    }
}
