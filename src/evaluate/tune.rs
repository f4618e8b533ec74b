//! Searches the options of strategies for settings on the Pareto front of cost and answers lacking a fact. A third of
//! the runs is held back: the chosen setting is compared with the baseline there, by the rule of `run` and `advise`.

use std::cmp::Reverse;
use std::io;

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::curves::{self, Curve};
use super::plan::label;
use super::{EvaluateError, EvaluatedScenario, Pipeline, Plan, Pool, in_order};
use crate::compression::{
    BrokenStrategy, FOLDING, Form, KEEP_OPENING, OptionKind, OptionRow, RECORDED, STRATEGIES,
    TOKENS_OF_TRIGGER, TRIGGER,
};
use crate::report::fingerprint::Fingerprint;
use crate::report::{Advice, Bounds, Comparison, Gauges, Header, ScenarioRecord, Standing, TooLittle};
use crate::scenario::{JsonOptions, ScenarioError, ScenarioSource, Selection, Suite};

/// Most low-cost settings varied per round. The time of a round grows with them.
const KEPT: usize = 16;
/// Rounds after the first. The first tries every strategy with the suite's options; each later one changes one option of a setting. So at
/// most four options of a strategy change together.
const ROUNDS: usize = 4;
/// One of every three runs of similar length is held back.
const PARTS: usize = 3;
/// Triggers to try, in turns.
const TRIGGER_TURNS: [u32; 4] = [4, 8, 16, 32];
/// Triggers to try, in tokens.
const TRIGGER_TOKENS: [u32; 4] = [4_000, 8_000, 16_000, 64_000];

/// Product options never tried. Files need a tool to read them, calls without inputs contradict their tools' schemas, and clearing before
/// every request breaks the cache each time. Dropping the opening would look cheaper than it is: lost instructions are no lost facts. The
/// user cannot choose the tokens in which a product counts.
const UNTRIED: [&str; 5] =
    ["to_file", "clear_tool_inputs", "every_request", KEEP_OPENING.name, TOKENS_OF_TRIGGER.name];

/// Options of `fold` never tried. The provider decides how long a cache lives, and the files of `apply` mask results only.
const UNTRIED_OF_FOLD: [&str; 4] = ["ttl", "into", "sample_limit", "sample_printable_limit"];
/// Most settings of a strategy to choose from.
const OF_A_STRATEGY: usize = 8;

/// A strategy, and the options in which it differs from the suite's.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategySetting {
    pub strategy: String,
    pub options: JsonOptions,
}

/// A setting after its trial, with its cost and answers lacking a fact.
#[derive(Clone, Debug)]
pub struct Tried {
    pub setting: StrategySetting,
    /// The standing on the runs used to choose.
    pub chosen_by: Standing,
    /// The standing on the held-back runs.
    pub held_back: Standing,
    /// The number of requests that a chat model would refuse. `None` if some requests are missing.
    refused: Option<usize>,
    /// The expected maximum of turns, in hundredths of the baseline's.
    most_turns: u64,
    /// False if public experiments are an argument against it.
    is_supported: bool,
    /// Equal for settings that differ only in the number of turns that they keep.
    family: String,
    kept: Option<u32>,
}

impl StrategySetting {
    /// A strategy with the suite's options.
    pub fn of(strategy: &str) -> StrategySetting {
        StrategySetting { strategy: strategy.to_owned(), options: JsonOptions::default() }
    }

    /// `trim,keep_recent_turns=1`
    pub fn label(&self) -> String {
        label(&self.strategy, &self.options)
    }

    /// The strategy with its options, for a [`Plan`].
    pub(super) fn named_options(&self) -> (String, JsonOptions) {
        (self.strategy.clone(), self.options.clone())
    }
}

/// A comparison of settings with the baseline.
pub struct SettingsComparison {
    pub comparison: Comparison,
    /// The index of the first setting among the strategies. The others follow in order.
    pub first: usize,
}

/// The role of a run in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunUse {
    Chooses,
    HeldBack,
    /// Equal to an earlier run, so its standings are ignored.
    Copy,
}

/// A scenario in which some strategies failed to make requests, with their errors.
pub struct BrokenRun {
    pub scenario: String,
    pub strategies: Vec<(EcoString, BrokenStrategy)>,
}

/// Result of a search.
pub struct Tuning {
    /// The use of each scenario's run.
    pub runs: Vec<RunUse>,
    /// The reason for recommending nothing.
    pub too_little: Option<TooLittle>,
    /// The runs in which strategies failed under the suite's options.
    pub broken: Vec<BrokenRun>,
    /// All settings, the baseline first.
    pub tried: Vec<Tried>,
    /// One curve per swept threshold.
    pub curves: Vec<Curve>,
    /// The index in `tried` of the best setting on the runs used to choose. `None` if it is the baseline.
    chosen: Option<usize>,
    /// The comparison that decides. `None` if there is too little data.
    pub verdict: Option<TuneVerdict>,
}

/// A comparison of the baseline with the chosen setting and milder ones of its family, or with several settings if the baseline is chosen.
pub struct TuneVerdict {
    pub comparison: Comparison,
    /// The runs compared: those held back if a setting is chosen.
    pub runs: RunUse,
}

/// One scenario under some settings.
struct Run {
    turns: usize,
    fingerprint: Option<Fingerprint>,
    broken: BrokenRun,
    /// Hash of the scenario's name.
    hash: u64,
    /// In the order of the settings.
    standings: Vec<SettingStanding>,
}

/// The standing of a setting in one run.
struct SettingStanding {
    standing: Standing,
    /// The number of requests that a chat model would refuse. `None` if some requests are missing.
    refused: Option<usize>,
}

/// The input of a search.
pub struct Search<'s> {
    pub suite: &'s Suite,
    pub selection: &'s Selection,
    pub gauges: Gauges<'s>,
    pub pool: &'s Pool,
    /// Determines which scenarios are held back.
    pub seed: u64,
    /// The bounds of a recommendation.
    pub bounds: Bounds,
    /// Also try strategies that rewrite native tool calls as text.
    pub tries_all: bool,
}

impl Search<'_> {
    /// Tries the suite's strategies and all built-in ones, then varies options of the best for a few rounds.
    ///
    /// # Errors
    /// A scenario cannot be read or replayed.
    pub fn run(&self) -> Result<Tuning, EvaluateError> {
        let names = self.strategy_names()?;
        let mut next: Vec<StrategySetting> = names.iter().copied().map(StrategySetting::of).collect();
        let mut tuning = Tuning {
            runs: Vec::new(),
            too_little: None,
            broken: Vec::new(),
            tried: Vec::new(),
            curves: Vec::new(),
            chosen: None,
            verdict: None,
        };
        for round in 0..=ROUNDS {
            let tried = if round == 0 {
                self.try_first_round(&next, &mut tuning)?
            } else {
                self.try_round(&next, &tuning)?
            };
            tuning.tried.extend(tried);
            // Every strategy is varied once: one may lose with its default options and win with another.
            next = if round == 0 {
                self.unknown_neighbours(&tuning, tuning.whole(), curves::swept_settings(self.suite, &names))
            } else {
                self.unknown_neighbours(&tuning, self.settings_to_vary(&tuning), Vec::new())
            };
        }
        tuning.curves = curves::draw_curves(self.suite, &names, &tuning.tried);
        tuning.too_little = Self::too_little(&tuning);
        tuning.verdict = self.judge_finalists(&mut tuning)?;
        Ok(tuning)
    }

    /// Settings before their trial.
    fn before_trial(&self, settings: &[StrategySetting]) -> Result<Vec<Tried>, EvaluateError> {
        let names: Vec<_> = settings.iter().map(StrategySetting::named_options).collect();
        let plan = plan_settings(self.suite, &names)?;
        let mut header = Pipeline::new(&plan, self.gauges).header(self.suite);
        header.tolerance = self.bounds.tolerance;
        let mut untried = Vec::with_capacity(settings.len());
        for (index, setting) in settings.iter().enumerate() {
            untried.push(Tried::new(setting.clone(), &header, index));
        }
        Ok(untried)
    }

    /// Chooses among the finalists on the runs used to choose, then compares the chosen setting with the baseline on the runs held back,
    /// where milder settings of its family may win. Both comparisons recommend by the rule of `run`.
    fn judge_finalists(&self, tuning: &mut Tuning) -> Result<Option<TuneVerdict>, EvaluateError> {
        if tuning.too_little.is_some() {
            return Ok(None);
        }
        let mut finalists = Vec::new();
        for setting in self.choose_finalists(tuning) {
            finalists.push(vec![setting]);
        }
        let comparison = self.compare_part(&finalists, &tuning.runs, RunUse::Chooses)?;
        tuning.chosen = tuning.recommended_by(&comparison);
        let Some(chosen) = tuning.chosen() else {
            return Ok(Some(TuneVerdict { comparison, runs: RunUse::Chooses }));
        };
        let comparison = self.compare_part(&[tuning.up_to(chosen)], &tuning.runs, RunUse::HeldBack)?;
        Ok(Some(TuneVerdict { comparison, runs: RunUse::HeldBack }))
    }

    /// The settings to choose from: the cheapest tolerable ones of each strategy, the unbeaten ones, and, for the advice to name it, the
    /// cheapest one with public experiments against it.
    fn choose_finalists(&self, tuning: &Tuning) -> Vec<StrategySetting> {
        let Some((baseline, others)) = tuning.tried.split_first() else { return Vec::new() };
        let mut tolerable: Vec<&Tried> = Vec::new();
        let mut cheapest: Option<&Tried> = None;
        for tried in others {
            if tuning.is_complete(tried) && self.bounds.admit(&tried.chosen_by, &baseline.chosen_by) {
                tolerable.push(tried);
            }
            let cost = tried.chosen_by.cost;
            let is_cheaper = cheapest.is_none_or(|cheapest| cost < cheapest.chosen_by.cost);
            if tried.is_whole() && !tried.is_supported && is_cheaper {
                cheapest = Some(tried);
            }
        }
        tolerable.sort_by_key(|tried| tried.that_chooses().cost);
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        tolerable.retain(|tried| {
            let count = counts.entry(&tried.setting.strategy).or_default();
            *count += 1;
            *count <= OF_A_STRATEGY
        });
        let mut finalists: Vec<StrategySetting> = Vec::new();
        for tried in tolerable.into_iter().chain(tuning.unbeaten()).chain(cheapest) {
            if tried.setting != baseline.setting && !finalists.contains(&tried.setting) {
                finalists.push(tried.setting.clone());
            }
        }
        finalists
    }

    fn compare_part(
        &self,
        families: &[Vec<StrategySetting>],
        uses: &[RunUse],
        wanted: RunUse,
    ) -> Result<Comparison, EvaluateError> {
        Ok(self.compare_runs(families, None, |index| uses.get(index) == Some(&wanted))?.comparison)
    }

    /// Tries the settings of the first round and assigns each run its role.
    fn try_first_round(
        &self,
        settings: &[StrategySetting],
        tuning: &mut Tuning,
    ) -> Result<Vec<Tried>, EvaluateError> {
        // The split depends on all runs, so keep them until the last is evaluated.
        let runs: Vec<Run> = self.evaluate_settings(settings, |runs| runs.collect())?;
        tuning.runs = self.assign_uses(&runs);
        let mut tried = self.before_trial(settings)?;
        for (run, run_use) in runs.into_iter().zip(&tuning.runs) {
            add_run(&mut tried, &run, *run_use);
            if !run.broken.strategies.is_empty() {
                tuning.broken.push(run.broken);
            }
        }
        Ok(tried)
    }

    /// Tries the settings of a later round.
    fn try_round(&self, settings: &[StrategySetting], tuning: &Tuning) -> Result<Vec<Tried>, EvaluateError> {
        let mut tried = self.before_trial(settings)?;
        self.evaluate_settings(settings, |runs| {
            for (run, run_use) in runs.zip(&tuning.runs) {
                add_run(&mut tried, &run?, *run_use);
            }
            Ok(())
        })?;
        Ok(tried)
    }

    /// Compares the baseline with families of settings, each ordered from mild to aggressive. `turns` assumes the same number of agent
    /// turns under all settings.
    ///
    /// # Errors
    /// A scenario cannot be read or replayed.
    pub fn compare(
        &self,
        families: &[Vec<StrategySetting>],
        turns: Option<f64>,
    ) -> Result<SettingsComparison, EvaluateError> {
        self.compare_runs(families, turns, |_| true)
    }

    /// Like [`Search::compare`], on the runs at the indices for which `is_wanted` returns true.
    fn compare_runs(
        &self,
        families: &[Vec<StrategySetting>],
        turns: Option<f64>,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<SettingsComparison, EvaluateError> {
        let (plan, mut sums) = self.sums_for(families, turns)?;
        let pipeline = Pipeline::new(&plan, self.gauges);
        let work = |source: Result<ScenarioSource, ScenarioError>| {
            let scenario = self.suite.load(&source?)?;
            let is_admitted = self.selection.admits(&scenario);
            is_admitted.then(|| pipeline.evaluate(scenario, 0)).transpose()
        };
        in_order(self.pool, self.suite.sources(self.selection)?, work, |runs| {
            for (index, evaluated) in runs.filter_map(Result::transpose).enumerate() {
                let evaluated = evaluated?;
                if is_wanted(index) {
                    sums.add_whole(&evaluated);
                }
            }
            Ok::<(), EvaluateError>(())
        })?;
        Ok(sums.compare())
    }

    /// Appends to `settings` the untried neighbours of each base, without duplicates. A neighbour differs from its base in one option.
    fn unknown_neighbours(
        &self,
        tuning: &Tuning,
        bases: Vec<&Tried>,
        mut settings: Vec<StrategySetting>,
    ) -> Vec<StrategySetting> {
        for base in bases {
            for setting in self.neighbours_of(&base.setting) {
                let is_known = tuning.tried.iter().any(|tried| tried.setting == setting);
                if !is_known && !settings.contains(&setting) {
                    settings.push(setting);
                }
            }
        }
        settings
    }

    /// The names of the strategies to try, the baseline first: the suite's, then all built-in ones suitable for its runs.
    fn strategy_names(&self) -> Result<Vec<&str>, EvaluateError> {
        let calls_natively = self.calls_natively()?;
        let mut wanted: Vec<&str> = self.suite.strategies.iter().map(String::as_str).collect();
        for strategy in STRATEGIES {
            let is_suitable = match strategy.form {
                Form::Native => true,
                // Users of an agent with native calls cannot switch to calls as text.
                Form::Text => self.tries_all || !calls_natively,
                // Without a model, summaries are placeholders of a fixed size, so only their trigger can be tuned.
                Form::Written => calls_natively,
                Form::Recorded => false,
            };
            if is_suitable {
                wanted.push(strategy.name);
            }
        }
        let mut names = vec![self.suite.baseline.as_str()];
        for name in wanted {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Returns true if a scenario is a conversation with native tool calls.
    fn calls_natively(&self) -> Result<bool, EvaluateError> {
        for source in self.suite.sources(self.selection)? {
            let scenario = self.suite.load(&source?)?;
            let Some(logged) = scenario.logged() else { continue };
            let has_calls = logged.conversation.turns.iter().any(|turn| !turn.answer.calls().is_empty());
            if has_calls && self.selection.admits(&scenario) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Evaluates settings over all selected scenarios and passes the runs to `consume`.
    fn evaluate_settings<O>(
        &self,
        settings: &[StrategySetting],
        consume: impl FnOnce(&mut dyn Iterator<Item = Result<Run, EvaluateError>>) -> Result<O, EvaluateError>,
    ) -> Result<O, EvaluateError> {
        // The sent requests decide which sizes a model accepts, and bills are matched to them: measure the logged run too.
        let mut wanted = Vec::with_capacity(settings.len() + 1);
        if self.suite.strategies.iter().any(|name| name == RECORDED.name()) {
            wanted.push((RECORDED.name().to_owned(), JsonOptions::default()));
        }
        let beside = wanted.len();
        wanted.extend(settings.iter().map(StrategySetting::named_options));
        let plan = plan_settings(self.suite, &wanted)?;
        let pipeline = Pipeline::new(&plan, self.gauges);
        let work = |source| self.run_of(source, &pipeline, beside);
        in_order(self.pool, self.suite.sources(self.selection)?, work, |runs| {
            consume(&mut runs.filter_map(Result::transpose))
        })
    }

    /// Evaluates a scenario, without the first `beside` strategies. `None` if the selection excludes it.
    fn run_of(
        &self,
        source: Result<ScenarioSource, ScenarioError>,
        pipeline: &Pipeline<'_>,
        beside: usize,
    ) -> Result<Option<Run>, EvaluateError> {
        let scenario = self.suite.load(&source?)?;
        if !self.selection.admits(&scenario) {
            return Ok(None);
        }
        let EvaluatedScenario { record, broken, .. } = pipeline.evaluate(scenario, 0)?;
        let turns = record.output_tokens.len();
        let mut standings = Vec::with_capacity(record.strategies.len());
        for run in record.strategies.iter().skip(beside) {
            let refused = run.requests.iter().filter(|request| !request.valid).count();
            let is_whole = run.requests.len() == turns;
            standings.push(SettingStanding {
                standing: ScenarioRecord::standing(run, 0),
                refused: is_whole.then_some(refused),
            });
        }
        Ok(Some(Run {
            turns,
            fingerprint: record.fingerprint,
            hash: self.hash_name(&record.name),
            standings,
            broken: BrokenRun { scenario: record.name, strategies: broken },
        }))
    }

    fn hash_name(&self, scenario: &str) -> u64 {
        xxh3_64_with_seed(scenario.as_bytes(), self.seed)
    }

    /// Holds back one in three distinct runs of similar length.
    fn assign_uses(&self, runs: &[Run]) -> Vec<RunUse> {
        let mut seen = FxHashSet::default();
        let mut uses = vec![RunUse::Copy; runs.len()];
        let mut distinct = Vec::with_capacity(runs.len());
        for (run, run_use) in runs.iter().zip(&mut uses) {
            if run.fingerprint.is_none_or(|fingerprint| seen.insert(fingerprint)) {
                *run_use = RunUse::Chooses;
                distinct.push((run, run_use));
            }
        }
        distinct.sort_by_key(|(run, _)| (run.turns, run.hash));
        for group in distinct.chunks_exact_mut(PARTS) {
            if let Some((_, run_use)) = group.iter_mut().max_by_key(|(run, _)| run.hash) {
                **run_use = RunUse::HeldBack;
            }
        }
        uses
    }

    /// The reason for recommending nothing, if there is one.
    fn too_little(tuning: &Tuning) -> Option<TooLittle> {
        let needing = match tuning.tried.first() {
            Some(baseline) => baseline.on_all_runs().needing,
            None => 0,
        };
        let distinct = tuning.runs.iter().filter(|run_use| **run_use != RunUse::Copy).count();
        TooLittle::of(needing, distinct as u64, None)
    }

    /// The settings to vary: the cheapest with few enough answers lacking a fact, and some unbeaten ones.
    fn settings_to_vary<'t>(&self, tuning: &'t Tuning) -> Vec<&'t Tried> {
        let baseline = tuning.tried.first();
        let mut all: Vec<&Tried> = tuning.complete().collect();
        all.sort_by_key(|tried| {
            let over = match baseline {
                Some(baseline) => self.bounds.excess(&tried.chosen_by, &baseline.chosen_by),
                None => 0.0,
            };
            (over.max(0.0) as u64, tried.that_chooses().cost)
        });
        // The cheapest settings are mostly variants of one strategy. Unbeaten ones keep other strategies in the
        // search; the last have the fewest answers lacking a fact.
        let unbeaten = tuning.unbeaten().into_iter().rev().take(KEPT / 2);
        let kept: Vec<&Tried> = all.into_iter().take(KEPT).chain(unbeaten).collect();
        let mut promising = Vec::with_capacity(kept.len());
        for tried in &tuning.tried {
            if kept.iter().any(|kept| kept.setting == tried.setting) {
                promising.push(tried);
            }
        }
        promising
    }

    /// All settings that differ from this one in one option.
    fn neighbours_of(&self, setting: &StrategySetting) -> Vec<StrategySetting> {
        let Some(known) = self.suite.known.strategy(&setting.strategy) else { return Vec::new() };
        // The baseline stays fixed: all others are compared with it.
        if setting.strategy == self.suite.baseline {
            return Vec::new();
        }
        let is_fold = known.base.name() == FOLDING.name;
        let mut changes: Vec<(&str, Value)> = Vec::new();
        for row in known.base.options() {
            if is_fold && UNTRIED_OF_FOLD.contains(&row.name) {
                continue;
            }
            for value in values_to_try(row) {
                changes.push((row.name, value));
            }
        }
        changes.extend(TRIGGER_TURNS.map(|turns| (TRIGGER, json!({ "turns": turns }))));
        changes.extend(TRIGGER_TOKENS.map(|tokens| (TRIGGER, json!({ "tokens": tokens }))));
        let mut neighbours = Vec::with_capacity(changes.len());
        for (option, value) in changes {
            let mut changed = setting.clone();
            changed.options.insert(option.to_owned(), value);
            neighbours.push(changed);
        }
        neighbours
    }
}

impl Tuning {
    /// The setting to use or to try. `None` if the baseline stays.
    pub fn recommended(&self) -> Option<&Tried> {
        let index = self.recommended_by(&self.verdict.as_ref()?.comparison)?;
        self.tried.get(index)
    }

    /// The best setting on the runs used to choose. `None` if it is the baseline.
    pub fn chosen(&self) -> Option<&Tried> {
        self.chosen.and_then(|index| self.tried.get(index))
    }

    /// The index in `tried` of the setting that a comparison recommends. `None` if it is the baseline.
    fn recommended_by(&self, comparison: &Comparison) -> Option<usize> {
        let name = &Advice::new(comparison).recommended?.name;
        let index = self.tried.iter().position(|tried| tried.setting.label() == *name)?;
        (index > 0).then_some(index)
    }

    /// A setting and the milder ones of its family, the mildest first.
    fn up_to(&self, chosen: &Tried) -> Vec<StrategySetting> {
        let mut family = self.whole();
        family.retain(|tried| tried.family == chosen.family && tried.kept >= chosen.kept);
        family.sort_by_key(|tried| Reverse(tried.kept));
        let mut settings = Vec::with_capacity(family.len());
        for tried in family {
            settings.push(tried.setting.clone());
        }
        settings
    }

    /// The Pareto front of cost and answers lacking a fact, the cheapest first. Of settings with equal standings,
    /// only the first is included.
    pub fn unbeaten(&self) -> Vec<&Tried> {
        let mut order: Vec<&Tried> = self.complete().collect();
        order.sort_by_key(|tried| (tried.chosen_by.cost, tried.chosen_by.short));
        let mut unbeaten: Vec<&Tried> = Vec::new();
        for tried in order {
            if unbeaten.last().is_none_or(|last| tried.chosen_by.short < last.chosen_by.short) {
                unbeaten.push(tried);
            }
        }
        unbeaten
    }

    /// The settings for which no request is missing.
    fn whole(&self) -> Vec<&Tried> {
        self.tried.iter().filter(|tried| tried.is_whole()).collect()
    }

    /// The settings eligible for recommendation.
    fn complete(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| self.is_complete(tried))
    }

    /// Returns true if no request is missing, a chat model would refuse at most as many as of the baseline's, and public experiments are
    /// no argument against it.
    fn is_complete(&self, tried: &Tried) -> bool {
        let Some(Tried { refused: Some(of_baseline), .. }) = self.tried.first() else { return false };
        match tried.refused {
            Some(refused) => tried.is_supported && refused <= *of_baseline,
            None => false,
        }
    }
}

impl Tried {
    /// Returns true if no request is missing.
    pub fn is_whole(&self) -> bool {
        self.refused.is_some()
    }

    /// The standing on all runs.
    pub fn on_all_runs(&self) -> Standing {
        self.chosen_by.plus(&self.held_back)
    }

    /// The standing that decides on the runs used to choose: at the expected maximum of turns.
    fn that_chooses(&self) -> Standing {
        self.chosen_by.at_turns(self.most_turns)
    }

    /// A setting before its trial. `index` is its place among the strategies of the header.
    fn new(setting: StrategySetting, header: &Header, index: usize) -> Tried {
        let [chosen_by, held_back] = [Standing::default(); 2];
        let family = match header.settings.get(index) {
            Some(known) => known.family.clone(),
            None => setting.label(),
        };
        Tried {
            setting,
            chosen_by,
            held_back,
            refused: Some(0),
            most_turns: header.most_turns_in_hundredths(index),
            is_supported: header.supports(index),
            family,
            kept: header.severity(index).and_then(|severity| severity.kept),
        }
    }
}

pub(super) fn plan_settings(suite: &Suite, wanted: &[(String, JsonOptions)]) -> Result<Plan, EvaluateError> {
    match Plan::new(suite, wanted) {
        Ok(plan) => Ok(plan),
        Err(error) => Err(EvaluateError::Io(io::Error::other(error.to_string()))),
    }
}

/// Adds a run to the settings under which it was evaluated.
fn add_run(tried: &mut [Tried], run: &Run, run_use: RunUse) {
    for (tried, SettingStanding { standing, refused }) in tried.iter_mut().zip(&run.standings) {
        match run_use {
            RunUse::Chooses => tried.chosen_by.add(standing),
            RunUse::HeldBack => tried.held_back.add(standing),
            RunUse::Copy => continue,
        }
        tried.refused = match (tried.refused, refused) {
            (Some(sum), Some(refused)) => Some(sum + refused),
            _ => None,
        };
    }
}

/// The values to try for an option, without its default.
fn values_to_try(row: &OptionRow) -> Vec<Value> {
    match row.kind {
        _ if UNTRIED.contains(&row.name) => Vec::new(),
        // Halves of such a small default are 0 or the default itself, so fixed values are tried.
        OptionKind::Count { default: 0..=1, .. } => [2, 5, 10, 20].map(Value::from).into(),
        OptionKind::Count { default, least, .. } => {
            let mut counts = [least, default / 3, default / 2, default * 2, default * 4].to_vec();
            counts.retain(|count| *count >= least && *count != default);
            counts.sort_unstable();
            counts.dedup();
            counts.into_iter().map(Value::from).collect()
        }
        OptionKind::Word { others, .. } => others.iter().copied().map(Value::from).collect(),
        OptionKind::Flag { default } => vec![Value::from(!default)],
        OptionKind::Size
        | OptionKind::Factor(_)
        | OptionKind::Share
        | OptionKind::Names
        | OptionKind::Writer
        | OptionKind::File => Vec::new(),
    }
}
