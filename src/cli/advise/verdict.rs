//! Runs the comparison of strategies on logs, writes its reports, and formats it for the terminal.

use std::collections::BTreeMap;

use super::bills::Bills;
use super::clearing::{ClearingSweep, clearing_settings};
use super::compaction::{CompactionSweep, SweptCompaction};
use super::conversations::Conversations;
use super::estimate::EstimatedMoney;
use super::limiting::{SweptLimits, limit_settings};
use super::log_times::DailyCost;
use super::output::ConversationLines;
use super::screen::ScreenFacts;
use super::unlogged::Unlogged;
use super::{AdviseArguments, asked, layout};
use crate::cli::apply;
use crate::cli::broken::BrokenStrategies;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::priced::Priced;
use crate::cli::recommendation::{below_first_screen, look_at_log};
use crate::cli::suite::{kept_for, logged_prices, warn_of_images};
use crate::cli::terminal::{Color, visible};
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::Product;
use crate::evaluate::{
    Added, EvaluatedScenario, EvaluationResults, Pipeline, Plan, Pool, Search, StrategySetting, SweepSums,
    conclude,
};
use crate::measure::numbers::grouped;
use crate::report::{Advice, Comparison, Gauges, Header, StrategyComparison, TooLittle, write_committed};
use crate::scenario::suite::{Selection, Suite};
use crate::secrets::without_secrets;
use agent_logs::{Billed, is_of_program};
use ptc_prices::Money;

/// Most lines of the first screen above its last line.
const SCREEN: usize = 24;
/// Lines of the heading shared by several agents.
const SHARED: usize = 4;
/// Assumed context window of an unknown model.
const UNKNOWN_WINDOW: u32 = 200_000;

/// Sums over conversations for facts only available in logs.
struct LogSums<'c> {
    /// The first and last day of each conversation, by name. Conversations without times are left out.
    days: BTreeMap<&'c str, (i64, i64)>,
    /// Billed input tokens by name of the conversation. Empty with `--no-bills`.
    billed: BTreeMap<&'c str, &'c Billed>,
    bills: Bills,
    daily: DailyCost,
    /// Dollars for each conversation under the baseline, by name.
    costs: BTreeMap<String, f64>,
    /// The same by use.
    money: EstimatedMoney,
    broken: BrokenStrategies,
    /// Conversations whose logs have no system prompt.
    without_system: u64,
}

impl<'c> LogSums<'c> {
    fn of(conversations: &'c Conversations, arguments: &AdviseArguments) -> LogSums<'c> {
        let billed = if arguments.no_bills { BTreeMap::new() } else { conversations.billed() };
        let (bills, daily) = (Bills::default(), DailyCost::default());
        LogSums {
            days: conversations.days(),
            billed,
            bills,
            daily,
            costs: BTreeMap::new(),
            money: EstimatedMoney::default(),
            broken: BrokenStrategies::default(),
            without_system: 0,
        }
    }

    /// Adds a conversation, and prints its warnings and errors.
    fn add(&mut self, evaluation: EvaluatedScenario, header: &Header) {
        let EvaluatedScenario { record, explained, broken, stale, .. } = evaluation;
        let name = record.name.as_str();
        self.without_system += u64::from(record.system.as_deref() == Some(""));
        self.daily.add(self.days.get(name).copied(), record.baseline(header));
        if let Some(run) = record.baseline(header) {
            let costs = run.requests.iter().filter_map(|request| Some(request.bills.first()?.cost));
            self.costs.insert(name.to_owned(), costs.sum::<Money>().dollars());
            if let Some(price) = header.models.first() {
                self.money.add(run, price);
            }
        }
        stale.iter().for_each(|stale| errln!("warning: {}", stale.describe()));
        self.broken.add(name, broken).iter().for_each(|error| err!("{error}"));
        match (explained, self.billed.get(name)) {
            (Some(explained), _) => self.bills.add_requests(&explained),
            (None, Some(billed)) => self.bills.add_run(&record, billed),
            (None, None) => {}
        }
    }
}

/// The comparison of strategies on logs.
pub(in crate::cli) struct Advised {
    pub(in crate::cli) comparison: Comparison,
    pub(in crate::cli) requests: u64,
    /// A line on the prices.
    prices: Option<String>,
    /// The command that prints the recommended strategy for an agent, if its code can be copied.
    pub(super) apply: Option<String>,
    /// Notes on the evaluation. Those on the logs are in [`Conversations`].
    pub(super) notes: Vec<String>,
}

impl Advised {
    pub(in crate::cli) fn of(
        suite: &Suite,
        priced: Priced,
        arguments: &AdviseArguments,
        (conversations, tokenizer): (&Conversations, &CachedTokenizer),
    ) -> Result<Advised, CliError> {
        let (prices, models) = (priced.line(), kept_for(priced.models, arguments.ttl.or(suite.ttl)));
        arguments.today.warn(&models);
        let is_suite = conversations.all.is_empty();
        let asked = if is_suite { arguments.asked() } else { Vec::new() };
        let plan = Plan::new(suite, &asked::wanted(suite, &asked))?;
        let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads { error })?;
        let logged = logged_prices(suite, &arguments.model, arguments.ttl.or(suite.ttl));
        let (logged, warm_system) = (logged.as_ref(), suite.warm_system);
        let gauges = Gauges { tokenizer, models: &models, logged, warm_system };
        let hides_secrets = !arguments.keep_secrets;
        let selection = Selection::default();
        let mut header = Pipeline { hides_secrets, ..Pipeline::new(&plan, gauges) }.header(suite);
        header.suite = match &conversations.agent {
            Some(agent) => format!("{}: {agent}", arguments.title()),
            None => arguments.title(),
        };
        if hides_secrets {
            header.suite = without_secrets(&header.suite);
        }
        header.is_advice = true;
        header.tolerance = arguments.tolerance.over(header.tolerance);
        let format = conversations.format();
        let product = format.and_then(Product::of_logs);
        let title = |format: &str| product.map_or_else(|| format.to_owned(), |product| product.title.clone());
        let program = format.filter(|format| is_of_program(format)).map(title);
        let compacts = product.filter(|product| product.compacts_at.is_some());
        let search = Search {
            suite,
            selection: &selection,
            gauges,
            pool: &pool,
            seed: 0,
            bounds: header.bounds(),
            tries_all: false,
        };
        let sweep = match settings_beside(compacts, program.is_some()) {
            Some(settings) if !models.is_empty() => Some(search.sweep(settings)?),
            _ => None,
        };
        let (beside, mut sums) = sweep.map(|sweep| (sweep.plan, sweep.sums)).unzip();
        let pipeline = Pipeline { hides_secrets, beside: beside.as_ref(), ..Pipeline::new(&plan, gauges) };
        let failed = |error| CliError::WriteReports { folder: arguments.report_dir.clone(), error };
        let mut results = EvaluationResults::create(&arguments.report_dir, header.clone()).map_err(failed)?;
        let mut logs = LogSums::of(conversations, arguments);
        let lines = ConversationLines::new(arguments.format, conversations);
        lines.write_settings(&header).map_err(failed)?;
        let sources = (0..).zip(suite.sources(&selection)?);
        let added = pipeline.run(&pool, (suite, &selection, &header), sources, |all| {
            for evaluated in all {
                match results.add(evaluated?, suite)? {
                    Added::LeftOut => {}
                    Added::Unreadable(error) => err!("{error}"),
                    Added::Scenario(mut evaluation) => {
                        if let Some(sums) = &mut sums {
                            sums.add(&mut evaluation);
                        }
                        lines.write_conversation(&evaluation.record)?;
                        logs.add(*evaluation, &header);
                    }
                }
            }
            Ok(())
        });
        added.map_err(failed)?;
        let EvaluationResults { mut tally, destination, verdicts, uncounted_images, .. } = results;
        if is_suite {
            warn_of_images(uncounted_images);
        }
        tally.billed = logs.bills.of(&header.baseline);
        tally.spending = conversations.spending();
        tally.predicted = logs.bills.predicted();
        for (model, tokens) in logs.bills.factors() {
            tally.spending.others.set_factor(model, &header.tokenizer, tokens);
        }
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        let unlogged =
            Unlogged::of(conversations.unlogged_subagents, logs.bills.unbilled(), &comparison.spending);
        comparison.facts = conversations.facts(arguments, &comparison, &logs.daily);
        comparison.facts.extend(unlogged.fact());
        comparison.facts.extend(logs.bills.facts(&comparison));
        let recommended = Advice::new(&comparison).recommended;
        let apply = apply_command(recommended, &plan, conversations.format())?;
        let passed_over = comparison.barred.and_then(|index| comparison.strategies.get(index));
        let apply_passed_over = apply_command(passed_over, &plan, conversations.format())?;
        let model = comparison.header.models.first();
        let window = model.and_then(|model| model.window).unwrap_or(UNKNOWN_WINDOW);
        let window = match compacts.zip(model) {
            Some((product, model)) => product.window_of(&model.model, window),
            None => window,
        };
        let window = u64::from(window);
        let (mut compaction, mut clearing) = (SweptCompaction::default(), None);
        let mut limits = SweptLimits::default();
        // One long session is weak evidence, but a sweep can still find its most expensive habit.
        let is_swept = matches!(comparison.too_little, None | Some(TooLittle::OneRun));
        let swept = sums.filter(|_| is_swept).map(SweepSums::compare);
        match (compacts, swept) {
            _ if !is_swept => {}
            (Some(product), swept) => {
                let sweep = CompactionSweep {
                    product,
                    window,
                    largest: conversations.kept().map(|kept| kept.largest).max().unwrap_or(0),
                    left: conversations.compacted().mean_after(),
                    factor: logs.bills.main_factor(),
                    search,
                };
                if let (Some(limit), Some(swept)) = (&product.output_limit, swept) {
                    limits = SweptLimits::of(limit, &swept, &sweep.search);
                }
                compaction = sweep.best()?;
            }
            (None, None) => {}
            (None, Some(swept)) => {
                let largest =
                    comparison.strategy(&header.baseline).and_then(|baseline| baseline.request_tokens);
                let largest = largest.map_or(0, |tokens| u64::from(tokens.worst));
                clearing = ClearingSweep { largest, format, search }.best(&swept)?;
            }
        }
        let screen = ScreenFacts {
            comparison: &comparison,
            conversations,
            costs: &logs.costs,
            estimate: logs.money,
            unlogged,
            doubt: logs.bills.doubt(),
            applied: logs.bills.applied(),
            product,
            program: program.clone(),
            limits,
            compaction,
            clearing,
            apply: apply.as_deref(),
            apply_passed_over: apply_passed_over.as_deref(),
            window,
            without_system: logs.without_system,
        };
        comparison.first_screen = Some(screen.screen());
        // The table of a program shows what its maker could do. Its owner cannot switch any of it on.
        if program.is_some() && !can_apply(&plan, format)? {
            comparison.too_little = Some(TooLittle::NoSwitch);
            comparison.recommended = None;
        }
        conversations.add_agents(&mut comparison);
        conclude(&mut comparison, destination, None, false).map_err(failed)?;
        write_committed(&arguments.report_dir, &comparison).map_err(failed)?;
        let requests = comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        let notes = image_note(uncounted_images).filter(|_| !is_suite).into_iter().collect();
        Ok(Advised { comparison, requests, prices, apply, notes })
    }

    /// The first screen, followed by the table if requested.
    pub(super) fn text(&self, arguments: &AdviseArguments, logs: &Conversations, color: Color) -> String {
        // Several agents share a heading above.
        let lines = if logs.has_others() { SCREEN - SHARED } else { SCREEN };
        let screen = self.comparison.first_screen.as_ref();
        let screen = screen.map(|screen| layout::text(screen, lines)).unwrap_or_default();
        let mut text = visible(&screen).into_owned();
        if arguments.table || arguments.all {
            text.push('\n');
            return text + &self.table(arguments, color);
        }
        let notes = match logs.notes.short_lines().len() + self.notes.len() {
            0 => String::new(),
            1 => "1 note: --notes; ".to_owned(),
            number => format!("{} notes: --notes; ", grouped(number as u64)),
        };
        let page = arguments.report_dir.join("index.html");
        text += &visible(&format!("{notes}all strategies: --table; page: {}\n", page.display()));
        if let Some(line) = self.suite_line(arguments) {
            text += &visible(&line);
            text.push('\n');
        }
        text
    }

    /// The table below the first screen, with further sentences and next commands.
    fn table(&self, arguments: &AdviseArguments, color: Color) -> String {
        let mut text = below_first_screen(&self.comparison, self.prices.as_deref(), color);
        for line in self.lines_below(arguments) {
            text += &visible(&line);
            text.push('\n');
        }
        text
    }

    /// The facts below the table, and next commands.
    fn lines_below(&self, arguments: &AdviseArguments) -> Vec<String> {
        let facts = self.comparison.facts.iter().filter(|fact| fact.decides);
        let mut lines: Vec<String> = facts.map(|fact| fact.text.clone()).collect();
        lines.extend(look_at_log(&self.comparison, arguments.save.as_deref()));
        lines.push(format!("page:  {}", arguments.report_dir.join("index.html").display()));
        lines.extend(self.apply.iter().map(|command| format!("apply: {command}")));
        lines.extend(self.suite_line(arguments));
        lines
    }

    /// A line on the suite saved from the logs.
    fn suite_line(&self, arguments: &AdviseArguments) -> Option<String> {
        let folder = arguments.save.as_ref()?.display();
        Some(match Advice::new(&self.comparison).recommended {
            Some(_) => format!("suite: {folder}; ptc-eval run {folder} fails if its thresholds are crossed"),
            None => format!("suite: {folder}; without thresholds, since nothing is recommended"),
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

/// The settings to measure beside the strategies, to find the best one: limits of a product on its results, or sizes at which an agent
/// clears results.
fn settings_beside(compacts: Option<&'static Product>, is_program: bool) -> Option<Vec<StrategySetting>> {
    match compacts {
        Some(product) => product.output_limit.as_ref().map(limit_settings),
        None if is_program => None,
        None => Some(clearing_settings()),
    }
}

/// A note on images that count as zero tokens.
fn image_note(uncounted: u64) -> Option<String> {
    let number = grouped(uncounted);
    let sentence = format!(
        "images and files count no tokens: {number}; advise --save, then image_tokens in suite.yaml, sets what each counts"
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
