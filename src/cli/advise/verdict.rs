//! Judges strategies on logs: renders and measures their requests, compares them, tries settings, and writes the reports.

use std::io;
use std::path::PathBuf;

use super::compacted::false_alarms;
use super::conversations::Conversations;
use super::log_sums::LogSums;
use super::log_times::DailyCost;
use super::output::ConversationLines;
use super::save::SaveFolder;
use super::screen::ScreenFacts;
use super::settings::JudgeSettings;
use super::several::OtherAgents;
use super::sweeps::{LogWriter, SweepFacts};
use super::unlogged::Unlogged;
use crate::cli::apply;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::priced::Priced;
use crate::cli::scratch::Scratch;
use crate::cli::suite::{StrategyChoice, warn_of_images};
use crate::compression::RECORDED;
use crate::evaluate::{
    Added, EvaluateError, EvaluationResults, Pipeline, Plan, Pool, Search, SweepSums, conclude, in_order,
};
use crate::measure::numbers::grouped;
use crate::report::{
    Advice, Comparison, Fact, Gauges, Header, StrategyComparison, Tally, TooLittle, write_committed,
};
use crate::scenario::JsonOptions;
use crate::scenario::suite::{Selection, Suite};
use crate::secrets::without_secrets;
use ptc_prices::TimeSpan;
use ptc_tokens::Tokenizer;

/// A suite to judge.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Case<'c> {
    pub(in crate::cli) suite: &'c Suite,
    pub(in crate::cli) priced: &'c Priced,
    /// The conversations of the suite. Empty if it is not made of logs.
    pub(in crate::cli) conversations: &'c Conversations,
    pub(in crate::cli) tokenizer: &'c Tokenizer,
    pub(in crate::cli) place: &'c ReportPlace,
}

impl<'c> Case<'c> {
    fn gauges(&self) -> Gauges<'c> {
        Gauges {
            tokenizer: self.tokenizer,
            models: &self.priced.models,
            logged: self.priced.logged.as_ref(),
            warm_system: self.suite.warm_system,
        }
    }

    /// Compares the strategies without reports and notes. Leaves out conversations that cannot be evaluated:
    /// [`Advised::judge`] reports them.
    ///
    /// # Errors
    /// A strategy lacks an option.
    pub(super) fn compare_strategies(&self, jobs: usize) -> Result<Comparison, CliError> {
        let plan = Plan::of(self.suite)?;
        let pool = Pool::new(jobs).map_err(|error| CliError::Threads { error })?;
        let pipeline = Pipeline::new(&plan, self.gauges());
        let mut tally = Tally::new(pipeline.header(self.suite));
        let selection = Selection::default();
        in_order(
            &pool,
            self.suite.sources(&selection)?,
            |source| Ok::<_, EvaluateError>(pipeline.evaluate(self.suite.load(&source?)?, 0)?.record),
            |records| records.flatten().for_each(|record| tally.add(&record)),
        );
        Ok(tally.compare())
    }
}

/// Where the reports on an agent go.
pub(in crate::cli) struct ReportPlace {
    pub(super) folder: PathBuf,
    /// The folder of the saved suite.
    pub(super) saved: Option<SaveFolder>,
    pub(super) others: OtherAgents,
}

impl ReportPlace {
    /// The place of reports that go to this folder alone.
    pub(super) fn in_folder(folder: PathBuf) -> ReportPlace {
        ReportPlace { folder, saved: None, others: OtherAgents::default() }
    }

    /// A place for reports that nobody reads.
    pub(in crate::cli) fn in_scratch(scratch: &Scratch) -> ReportPlace {
        ReportPlace::in_folder(scratch.path().join("reports"))
    }

    fn not_written(&self, error: io::Error) -> CliError {
        CliError::WriteReports { folder: self.folder.clone(), error }
    }
}

/// The comparison of strategies on logs.
pub(in crate::cli) struct Advised {
    pub(in crate::cli) comparison: Comparison,
    pub(in crate::cli) requests: u64,
    /// A line on the prices.
    pub(super) prices: Option<String>,
    /// The command that prints the recommended strategy for an agent, if its code can be copied.
    pub(super) apply: Option<String>,
    /// Notes on the evaluation. Those on the logs are in [`Conversations`].
    pub(super) notes: Vec<String>,
    /// The page with the reports.
    pub(super) page: PathBuf,
    /// The folder of the saved suite.
    pub(super) saved: Option<PathBuf>,
}

impl Advised {
    /// Renders the requests of a suite under every strategy, measures and compares them, tries settings, and writes the reports.
    ///
    /// # Errors
    /// A strategy lacks an option, or the reports cannot be written.
    pub(in crate::cli) fn judge(case: &Case<'_>, settings: &JudgeSettings) -> Result<Advised, CliError> {
        let Case { suite, priced, conversations, place, .. } = *case;
        let choices = &settings.suite;
        let is_suite = conversations.all.is_empty();
        settings.today.warn(&priced.models);
        // A suite made of logs already has the strategies of the command line.
        let asked = if is_suite { choices.strategies.as_slice() } else { &[] };
        let plan = Plan::new(suite, &add_asked(suite, asked))?;
        let pool = Pool::new(settings.jobs).map_err(|error| CliError::Threads { error })?;
        let gauges = case.gauges();
        let pipeline = Pipeline { hides_secrets: !settings.keeps_secrets, ..Pipeline::new(&plan, gauges) };
        let header = header_of(&pipeline, case, settings);
        let writer = LogWriter::of(conversations, header.models.first());
        let selection = Selection::default();
        let search = Search {
            suite,
            selection: &selection,
            gauges,
            pool: &pool,
            seed: 0,
            bounds: header.bounds(),
            tries_all: false,
        };
        let sweep = match writer.settings_beside() {
            Some(beside) if !priced.models.is_empty() => Some(search.sweep(beside)?),
            _ => None,
        };
        let (beside, mut beside_sums) = sweep.map(|sweep| (sweep.plan, sweep.sums)).unzip();
        let pipeline = Pipeline { beside: beside.as_ref(), ..pipeline };

        let evaluation = Evaluation { pipeline: &pipeline, pool: &pool, header: &header };
        let (results, sums) = evaluation.measure(case, settings, beside_sums.as_mut())?;
        let EvaluationResults { mut tally, destination, verdicts, uncounted_images, .. } = results;
        if is_suite {
            warn_of_images(uncounted_images);
        }
        tally.billed = sums.bills.billed_tokens(&header.baseline);
        tally.spending = conversations.spending();
        tally.predicted = sums.bills.predicted();
        for (model, tokens) in sums.bills.factors() {
            tally.spending.others.set_factor(model, &header.tokenizer, tokens);
        }

        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        let unlogged =
            Unlogged::of(conversations.unlogged_subagents, sums.bills.unbilled(), &comparison.spending);
        comparison.facts = facts_of(conversations, choices.pause, &comparison, &sums.daily);
        comparison.facts.extend(unlogged.fact());
        comparison.facts.extend(sums.bills.facts(&comparison));

        let facts = SweepFacts { conversations, comparison: &comparison, factor: sums.bills.main_factor() };
        let sweeps = writer.sweep_settings(facts, beside_sums, search)?;
        let apply = apply_command(Advice::new(&comparison).recommended, &plan, writer.format)?;
        let passed_over = comparison.barred.and_then(|index| comparison.strategies.get(index));
        let apply_passed_over = apply_command(passed_over, &plan, writer.format)?;
        // The table of a program shows what its maker could do. Its owner may be able to switch none of it on.
        let can_switch = writer.program.is_none() || can_apply(&plan, writer.format)?;

        let screen = ScreenFacts {
            comparison: &comparison,
            conversations,
            costs: &sums.costs,
            estimate: sums.money,
            unlogged,
            doubt: sums.bills.doubt(),
            applied: sums.bills.applied(),
            product: writer.product,
            program: writer.program,
            limits: sweeps.limits,
            compaction: sweeps.compaction,
            clearing: sweeps.clearing,
            apply: apply.as_deref(),
            apply_passed_over: apply_passed_over.as_deref(),
            window: writer.window,
            without_system: sums.without_system,
        };
        comparison.first_screen = Some(screen.build_screen());
        if !can_switch {
            comparison.too_little = Some(TooLittle::NoSwitch);
            comparison.recommended = None;
        }
        place.others.add_to(conversations.agent.as_deref(), &mut comparison);
        conclude(&mut comparison, destination, None, false).map_err(|error| place.not_written(error))?;
        write_committed(&place.folder, &comparison).map_err(|error| place.not_written(error))?;
        let requests = comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        Ok(Advised {
            comparison,
            requests,
            prices: priced.line(),
            apply,
            notes: image_note(uncounted_images).filter(|_| !is_suite).into_iter().collect(),
            page: place.folder.join("index.html"),
            saved: place.saved.as_ref().map(|saved| saved.path().to_owned()),
        })
    }

    pub(super) fn exit(&self) -> Exit {
        Exit::of(&self.comparison)
    }

    /// Thresholds at the current values of the recommended strategy in the saved logs. Empty if nothing is recommended.
    pub(super) fn thresholds(&self, saved: &Comparison) -> String {
        let recommended = Advice::new(&self.comparison).recommended;
        let Some(strategy) = recommended.and_then(|strategy| saved.strategy(&strategy.name)) else {
            return String::new();
        };
        let bound = |metric: &str, bound: &str, value: String| {
            format!("  - {{strategy: {}, metric: {metric}, {bound}: {value}}}\n", strategy.name)
        };
        let tokens = bound("input_tokens", "max", strategy.sums.input_tokens.to_string());
        let lost = bound("lost", "max", strategy.sums.lost().to_string());
        format!("thresholds:\n{tokens}{lost}")
    }
}

/// The strategies of a suite and the requested ones, without duplicates.
fn add_asked(suite: &Suite, asked: &[StrategyChoice]) -> Vec<(String, JsonOptions)> {
    let own = suite.strategies.iter().map(|name| (name.clone(), JsonOptions::default()));
    let mut wanted: Vec<(String, JsonOptions)> = own.collect();
    for StrategyChoice { name, options } in asked {
        let choice = (name.clone(), options.clone());
        if !wanted.contains(&choice) {
            wanted.push(choice);
        }
    }
    wanted
}

/// The header of the reports on a case, before it is evaluated.
fn header_of(pipeline: &Pipeline<'_>, case: &Case<'_>, settings: &JudgeSettings) -> Header {
    let mut header = pipeline.header(case.suite);
    header.suite = match &case.conversations.agent {
        Some(agent) => format!("{}: {agent}", settings.title),
        None => settings.title.clone(),
    };
    if !settings.keeps_secrets {
        header.suite = without_secrets(&header.suite);
    }
    header.is_advice = true;
    header.tolerance = settings.suite.tolerance.over(header.tolerance);
    header
}

/// How a case is evaluated.
struct Evaluation<'e> {
    pipeline: &'e Pipeline<'e>,
    pool: &'e Pool,
    header: &'e Header,
}

impl Evaluation<'_> {
    /// Renders each conversation under all strategies and measures the requests. Adds the results to the reports in progress, and those of
    /// [`Pipeline::beside`] to `beside`.
    fn measure<'c>(
        &self,
        case: &Case<'c>,
        settings: &JudgeSettings,
        mut beside: Option<&mut SweepSums>,
    ) -> Result<(EvaluationResults, LogSums<'c>), CliError> {
        let Case { suite, conversations, place, .. } = *case;
        let mut results = EvaluationResults::create(&place.folder, self.header.clone())
            .map_err(|error| place.not_written(error))?;
        let mut sums = LogSums::new(conversations, settings.suite.no_bills);
        let lines = ConversationLines::new(settings.prints_conversations, conversations);
        lines.write_settings(self.header).map_err(|error| place.not_written(error))?;
        let selection = Selection::default();
        let sources = (0..).zip(suite.sources(&selection)?);
        let added = self.pipeline.run(self.pool, (suite, &selection, self.header), sources, |all| {
            for evaluated in all {
                match results.add(evaluated?, suite)? {
                    Added::LeftOut => {}
                    Added::Unreadable(error) => err!("{error}"),
                    Added::Scenario(mut evaluation) => {
                        if let Some(beside) = &mut beside {
                            beside.add(&mut evaluation);
                        }
                        lines.write_conversation(&evaluation.record)?;
                        sums.add_evaluation(*evaluation, self.header);
                    }
                }
            }
            Ok(())
        });
        added.map_err(|error: io::Error| place.not_written(error))?;
        Ok((results, sums))
    }
}

/// Sentences on costs, pauses, billed spending and compactions.
fn facts_of(
    conversations: &Conversations,
    pause: Option<TimeSpan>,
    comparison: &Comparison,
    daily: &DailyCost,
) -> Vec<Fact> {
    let times = conversations.times();
    let money = Advice::new(comparison).money().map(|money| {
        let a_day = daily.words().map(|words| format!("; {words}")).unwrap_or_default();
        Fact::new(money + &a_day, true)
    });
    let pauses = times.line(pause, comparison.header.models.first());
    let pauses = pauses.map(|line| Fact::new(line, times.are_mostly_unknown()));
    let decides = comparison.spending.lost() > 0.0 || comparison.spending.is_uncertain();
    let mut spending: Vec<Fact> = Fact::explained(comparison.spending.lines(), decides).collect();
    // Lines of the system prompt appear only if they are expensive.
    spending.iter_mut().for_each(|fact| fact.decides |= fact.text.contains(" of the system prompt"));
    let rework = comparison.strategies.iter().find_map(|strategy| strategy.sums.rework.as_ref());
    let compactions = Fact::explained(conversations.compacted().lines(rework), true);
    let sent = comparison.strategy(RECORDED.name());
    let sent = sent.filter(|one| one.name == comparison.header.baseline);
    // The first row of the table shows the same numbers.
    let alarms = sent.and_then(false_alarms).map(|line| Fact::new(line, false));
    money.into_iter().chain(pauses).chain(spending).chain(compactions).chain(alarms).collect()
}

/// A note on images that count as zero tokens.
fn image_note(uncounted: u64) -> Option<String> {
    let number = grouped(uncounted);
    let sentence = format!(
        "images and files counted as 0 tokens: {number}; to set their size: advise --save, then image_tokens in suite.yaml"
    );
    (uncounted > 0).then_some(sentence)
}

/// Returns true if a strategy can be switched on in agents with this log format.
fn can_apply(plan: &Plan, format: Option<&str>) -> Result<bool, CliError> {
    Ok(plan.settled()?.iter().any(|variant| apply::command_line(variant, format).is_some()))
}

/// The command that prints a strategy for agents with this log format.
fn apply_command(
    strategy: Option<&StrategyComparison>,
    plan: &Plan,
    format: Option<&str>,
) -> Result<Option<String>, CliError> {
    let Some(strategy) = strategy else { return Ok(None) };
    let variants = plan.settled()?;
    let variant = variants.iter().find(|variant| variant.name == strategy.name);
    Ok(variant.and_then(|variant| apply::command_line(variant, format)))
}
