//! The verdict on logs: the comparison of the strategies, its reports, and what the terminal says of it.

use std::collections::BTreeMap;

use super::bills::Bills;
use super::conversations::Conversations;
use super::log_times::DailyCost;
use super::output::ConversationLines;
use super::{AdviseArguments, LOGS, asked};
use crate::cli::apply;
use crate::cli::broken::BrokenStrategies;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::priced::Priced;
use crate::cli::recommendation::{look_at_log, recommendation};
use crate::cli::suite::{count, kept_for, logged_prices, warn_of_images};
use crate::cli::terminal::{Color, visible};
use crate::cli::token_cache::CachedTokenizer;
use crate::evaluate::{Added, EvaluatedScenario, EvaluationResults, Pipeline, Plan, Pool, conclude};
use crate::measure::numbers::grouped;
use crate::report::{Advice, Comparison, Gauges, Header, write_committed};
use crate::scenario::ScenarioSource;
use crate::scenario::suite::{Selection, Suite};
use agent_logs::Billed;

/// Sums over the conversations of what only logs tell.
struct LogSums<'c> {
    /// The days of conversations with times, by name.
    days: BTreeMap<&'c str, (i64, i64)>,
    /// Input tokens that providers billed, by the name of the conversation; none if bills do not count.
    billed: BTreeMap<&'c str, &'c Billed>,
    bills: Bills,
    daily: DailyCost,
    broken: BrokenStrategies,
}

impl<'c> LogSums<'c> {
    fn of(conversations: &'c Conversations, arguments: &AdviseArguments) -> LogSums<'c> {
        let billed = if arguments.no_bills { BTreeMap::new() } else { conversations.billed() };
        let (bills, daily) = (Bills::default(), DailyCost::default());
        LogSums { days: conversations.days(), billed, bills, daily, broken: BrokenStrategies::default() }
    }

    /// Adds a conversation, and prints what went wrong in it.
    fn add(&mut self, evaluation: EvaluatedScenario, header: &Header) {
        let EvaluatedScenario { record, explained, broken, stale, .. } = evaluation;
        let name = record.name.as_str();
        self.daily.add(self.days.get(name).copied(), record.baseline(header));
        stale.iter().for_each(|stale| errln!("warning: {}", stale.describe()));
        self.broken.add(name, broken).iter().for_each(|error| err!("{error}"));
        match (explained, self.billed.get(name)) {
            (Some(explained), _) => self.bills.add_requests(&explained),
            (None, Some(billed)) => self.bills.add_run(&record, billed),
            (None, None) => {}
        }
    }
}

/// The comparison of the strategies on logs.
pub(in crate::cli) struct Advised {
    pub(in crate::cli) comparison: Comparison,
    pub(in crate::cli) requests: u64,
    /// The line on the prices.
    prices: Option<String>,
    /// The command that prints the recommended strategy for an agent, if it can be copied.
    pub(super) apply: Option<String>,
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
        let is_suite = conversations.written.is_empty();
        let asked = if is_suite { arguments.asked() } else { Vec::new() };
        let plan = Plan::new(suite, &asked::wanted(suite, &asked))?;
        let pool = Pool::new(arguments.jobs.into())?;
        let logged = logged_prices(suite, &arguments.model, arguments.ttl.or(suite.ttl));
        let (logged, warm_system) = (logged.as_ref(), suite.warm_system);
        let gauges = Gauges { tokenizer, models: &models, logged, warm_system };
        let pipeline = Pipeline::new(&plan, gauges);
        let selection = Selection::default();
        let mut header = pipeline.header(suite);
        header.suite = match &conversations.agent {
            Some(agent) => format!("{}: {agent}", arguments.title()),
            None => arguments.title(),
        };
        header.lacks_requests = true;
        header.tolerance = arguments.tolerance.over(header.tolerance);
        let failed = |error| CliError::WriteReports { folder: arguments.report_dir.clone(), error };
        let mut results = EvaluationResults::create(&arguments.report_dir, header.clone()).map_err(failed)?;
        let mut logs = LogSums::of(conversations, arguments);
        let lines = ConversationLines::new(arguments.format, conversations);
        lines.write_settings(&header).map_err(failed)?;
        let sources = suite.sources(&selection)?.map(|source| {
            source.map(|source| {
                // Errors must not name the temporary folder of the copy.
                let is_copy = !conversations.written.is_empty();
                if is_copy { ScenarioSource { path: LOGS.to_owned(), ..source } } else { source }
            })
        });
        let added = pipeline.run(&pool, (suite, &selection, &header), (0..).zip(sources), |all| {
            for evaluated in all {
                match results.add(evaluated?, suite)? {
                    Added::LeftOut => {}
                    Added::Unreadable(error) => err!("{error}"),
                    Added::Scenario(evaluation) => {
                        lines.write_conversation(&evaluation.record)?;
                        logs.add(*evaluation, &header);
                    }
                }
            }
            Ok(())
        });
        added.map_err(failed)?;
        let EvaluationResults { mut tally, destination, verdicts, uncounted_images, .. } = results;
        warn_of_images(uncounted_images);
        tally.billed = logs.bills.of(&header.baseline);
        tally.spending = conversations.spending();
        for (model, tokens) in logs.bills.factors() {
            tally.spending.others.set_factor(model, &header.tokenizer, tokens);
        }
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        comparison.facts = conversations.facts(arguments, &comparison, &logs.daily);
        comparison.facts.extend(logs.bills.facts(&comparison));
        conversations.add_agents(&mut comparison);
        conclude(&mut comparison, destination, None, false).map_err(failed)?;
        write_committed(&arguments.report_dir, &comparison).map_err(failed)?;
        let requests = comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        let apply = apply_command(&comparison, &plan, conversations.format())?;
        Ok(Advised { comparison, requests, prices, apply })
    }

    /// The recommendation, the table, and the commands that follow, for people.
    pub(super) fn text(&self, arguments: &AdviseArguments, logs: &Conversations, color: Color) -> String {
        let conversations = count(self.comparison.scenarios as usize, "conversation");
        let plural = if self.requests == 1 { "" } else { "s" };
        let left_out = match logs.left_out {
            0 => String::new(),
            number => {
                format!("; {} of {} files left out", grouped(number as u64), grouped(logs.files as u64))
            }
        };
        let agent = logs.agent.as_ref().map(|agent| format!("{agent}: ")).unwrap_or_default();
        let requests = grouped(self.requests);
        let mut text = visible(&format!("{agent}{conversations}, {requests} request{plural}{left_out}\n\n"))
            .into_owned();
        text += &recommendation(&self.comparison, self.prices.as_deref(), color);
        for line in self.lines_below(arguments) {
            text += &visible(&line);
            text.push('\n');
        }
        text
    }

    /// The facts below the table, and the commands that follow.
    fn lines_below(&self, arguments: &AdviseArguments) -> Vec<String> {
        let facts = self.comparison.facts.iter().filter(|fact| fact.decides);
        let mut lines: Vec<String> = facts.map(|fact| fact.text.clone()).collect();
        lines.extend(look_at_log(&self.comparison, arguments.save.as_deref()));
        lines.push(format!("page:  {}", arguments.report_dir.join("index.html").display()));
        lines.extend(self.apply.iter().map(|command| format!("apply: {command}")));
        let Some(folder) = &arguments.save else { return lines };
        let folder = folder.display();
        lines.push(match Advice::new(&self.comparison).recommended {
            Some(_) => format!("suite: {folder}; ptc-eval run {folder} fails if its thresholds are crossed"),
            None => format!("suite: {folder}; without thresholds, since nothing is recommended"),
        });
        lines
    }

    pub(super) fn exit(&self) -> Exit {
        Exit::of(&self.comparison)
    }

    /// Thresholds at the numbers of the recommended strategy; none if there is none.
    pub(super) fn thresholds(&self) -> String {
        let advice = Advice::new(&self.comparison);
        let Some(strategy) = advice.recommended else { return String::new() };
        let bound = |metric: &str, bound: &str, value: String| {
            format!("  - {{strategy: {}, metric: {metric}, {bound}: {value}}}\n", strategy.name)
        };
        let tokens = bound("input_tokens", "max", strategy.sums.input_tokens.to_string());
        let lost = bound("lost", "max", strategy.sums.lost().to_string());
        format!("thresholds:\n{tokens}{lost}")
    }
}

/// The command that prints the recommended strategy for an agent whose logs have this format.
fn apply_command(
    comparison: &Comparison,
    plan: &Plan,
    format: Option<&str>,
) -> Result<Option<String>, CliError> {
    let Some(recommended) = Advice::new(comparison).recommended else { return Ok(None) };
    let variants = plan.settled()?;
    let variant = variants.iter().find(|variant| variant.name == recommended.name);
    Ok(variant.and_then(|variant| apply::command_line(variant, format)))
}
