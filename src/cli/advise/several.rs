//! Handles logs of several agents in one place: each agent gets its own verdict.

use std::path::PathBuf;

use super::compacted::false_alarms;
use super::log_times::DailyCost;
use super::output::AdviceFormat;
use super::save::SaveFolder;
use super::{AdviseArguments, Conversations, judge};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::recommendation::wrapped;
use crate::cli::suite::count;
use crate::cli::terminal::{Color, columns};
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::RECORDED;
use crate::measure::numbers::grouped;
use crate::report::{Advice, AgentVerdict, Comparison, Fact, UnjudgedAgent};
use crate::scenario::SUITE_FOLDER;
use agent_logs::{AgentMarks, LoggedAgent, agents_of};
use ptc_prices::PriceTable;

/// Most agents with their own verdict. If there are more, prompts probably differ by task or user.
const MOST: usize = 12;
/// Most agents to name on the terminal.
const NAMED: usize = 3;
/// The folder of their reports, below the report of the largest agent.
const FOLDER: &str = "agents";

/// Prices and token counts shared by all agents.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a PriceTable,
    pub(super) tokenizer: &'a CachedTokenizer,
}

/// The other agents found in the same logs.
#[derive(Default)]
pub(super) struct OtherAgents {
    judged: Vec<AgentVerdict>,
    unjudged: Vec<UnjudgedAgent>,
}

/// The agents to judge: all, a named one, or all merged.
///
/// # Errors
/// There is no agent of this name.
pub(super) fn chosen(
    agents: Vec<LoggedAgent>,
    arguments: &AdviseArguments,
) -> Result<Vec<LoggedAgent>, CliError> {
    if arguments.one_agent {
        let all = agents.into_iter().reduce(|mut all, other| {
            all.conversations.extend(other.conversations);
            all
        });
        return Ok(all.into_iter().collect());
    }
    let Some(name) = arguments.only_agent.as_deref() else { return Ok(agents) };
    let names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
    let chosen: Vec<LoggedAgent> = agents.into_iter().filter(|agent| agent.name == name).collect();
    match chosen.is_empty() {
        true => Err(CliError::UnknownAgent { name: name.to_owned(), agents: names }),
        false => Ok(chosen),
    }
}

/// Judges the conversations of each agent. The largest is last, because its report includes all verdicts.
pub(super) fn advise(
    mut logs: Vec<Conversations>,
    agents: &[LoggedAgent],
    arguments: &AdviseArguments,
    shared: Shared<'_>,
    color: Color,
) -> CliResult {
    let folders = save_folders(&logs, arguments)?;
    let saved: Vec<Option<SaveFolder<'_>>> = folders
        .iter()
        .map(|folder| folder.as_deref().map(|folder| SaveFolder::open(folder, arguments)).transpose())
        .collect::<Result<_, _>>()?;
    let (mut judged, mut exits) = (Vec::new(), Vec::new());
    for (own, saved) in logs.iter().zip(&saved).skip(1) {
        let name = own.agent.clone().unwrap_or_default();
        let below = PathBuf::from(FOLDER).join(&name);
        let report_dir = arguments.report_dir.join(&below);
        let advised =
            judge(own, &AdviseArguments { report_dir, ..arguments.clone() }, shared, saved.as_ref())?;
        arguments.format.write_other(&advised, arguments, own);
        exits.push(advised.exit());
        let page = format!("{FOLDER}/{name}/index.html");
        judged.push(AgentVerdict { page: Some(page), ..AgentVerdict::of(&name, &advised.comparison) });
    }
    let unjudged = agents.get(logs.len()..).unwrap_or_default().iter().map(unjudged_agent).collect();
    let Some(largest) = logs.first_mut() else { return Ok(Exit::NothingSelected) };
    largest.others = OtherAgents { judged, unjudged };
    let save = folders.first().cloned().flatten();
    let arguments = AdviseArguments { save, ..arguments.clone() };
    let advised = judge(largest, &arguments, shared, saved.first().and_then(Option::as_ref))?;
    if arguments.format == AdviceFormat::Human {
        outln!("{}", wrapped(&line(agents, &largest.left_out_in_words()), columns()));
    }
    arguments.format.write_verdict(&advised, &arguments, largest, color);
    exits.insert(0, advised.exit());
    Ok(exits.into_iter().find(|exit| *exit != Exit::Success).unwrap_or(Exit::Success))
}

fn unjudged_agent(agent: &LoggedAgent) -> UnjudgedAgent {
    UnjudgedAgent { name: agent.name.clone(), conversations: agent.conversations.len() as u64 }
}

/// `13 agents: claude-code (13 conversations), codex (3) and 11 more. Verdicts of the 12 largest: …`
fn line(agents: &[LoggedAgent], left_out: &str) -> String {
    let named = agents.iter().take(NAMED).enumerate().map(|(at, agent)| {
        let number = agent.conversations.len();
        let number = if at == 0 { count(number, "conversation") } else { grouped(number as u64) };
        format!("{} ({number})", agent.name)
    });
    let mut line = format!("{}: {}", count(agents.len(), "agent"), named.collect::<Vec<_>>().join(", "));
    if agents.len() > NAMED {
        line += &format!(" and {} more", grouped((agents.len() - NAMED) as u64));
    }
    line += left_out;
    let judged = if agents.len() > MOST {
        format!("Verdicts of the {MOST} largest")
    } else {
        "Their verdicts".to_owned()
    };
    let other = agents.get(1).map_or("NAME", |agent| agent.name.as_str());
    format!("{line}. {judged}: the page, or --only-agent {other}.\n")
}

/// The suite folder of each agent, if suites are saved.
fn save_folders(
    logs: &[Conversations],
    arguments: &AdviseArguments,
) -> Result<Vec<Option<PathBuf>>, CliError> {
    let Some(folder) = &arguments.save else { return Ok(logs.iter().map(|_| None).collect()) };
    let suite = folder.join(super::SUITE_FILE);
    if suite.exists() {
        let help = "these logs are of several agents, and each gets a suite in a folder of its own: choose another folder, \
                    or one agent with --only-agent";
        return Err(CliError::Exists { path: suite, help });
    }
    let name = |logs: &Conversations| logs.agent.clone().unwrap_or_default();
    // Sibling suites would share snapshots and reports.
    Ok(logs.iter().map(|logs| Some(folder.join(name(logs)).join(SUITE_FOLDER))).collect())
}

impl Conversations {
    /// The agents of the conversations, largest input first.
    pub(super) fn agents(&self) -> Vec<LoggedAgent> {
        let marks: Vec<&AgentMarks> = self.kept().map(|conversation| &conversation.marks).collect();
        agents_of(&marks)
    }

    /// Splits the conversations by agent. Agents without a verdict are dropped.
    pub(super) fn split(self, agents: &[LoggedAgent]) -> Vec<Conversations> {
        let number = self.kept().count();
        if let [agent] = agents
            && agent.conversations.len() == number
        {
            return vec![self];
        }
        let judged = agents.get(..MOST).unwrap_or(agents);
        let mut of: Vec<Option<usize>> = vec![None; number];
        for (agent, at) in judged.iter().zip(0..) {
            for conversation in &agent.conversations {
                of.get_mut(*conversation).into_iter().for_each(|of| *of = Some(at));
            }
        }
        let mut parts: Vec<Conversations> = judged.iter().map(|agent| self.part(agent)).collect();
        for (conversation, at) in self.all.into_iter().flatten().zip(of) {
            if let Some(part) = at.and_then(|at| parts.get_mut(at)) {
                part.all.push(Some(conversation));
            }
        }
        parts
    }

    /// An empty set of conversations for one agent.
    fn part(&self, agent: &LoggedAgent) -> Conversations {
        Conversations {
            files: self.files,
            left_out: self.left_out,
            notes: self.notes.clone(),
            agent: Some(agent.name.clone()),
            ..Conversations::default()
        }
    }

    /// Returns true if other agents have a verdict too.
    pub(super) fn has_others(&self) -> bool {
        !self.others.judged.is_empty()
    }

    /// Adds the verdicts on this and other agents, if there are several.
    pub(super) fn add_agents(&self, comparison: &mut Comparison) {
        let Some(name) = self.agent.as_ref().filter(|_| !self.others.judged.is_empty()) else { return };
        let own = AgentVerdict::of(name, comparison);
        comparison.agents = [&[own], self.others.judged.as_slice()].concat();
        comparison.unjudged_agents = self.others.unjudged.clone();
    }

    /// Sentences on costs, pauses, billed spending and compactions.
    pub(super) fn facts(
        &self,
        arguments: &AdviseArguments,
        comparison: &Comparison,
        daily: &DailyCost,
    ) -> Vec<Fact> {
        let times = self.times();
        let money = Advice::new(comparison).money().map(|money| {
            let a_day = daily.words().map(|words| format!("; {words}")).unwrap_or_default();
            Fact::new(money + &a_day, true)
        });
        let pauses = times.line(arguments.pause, comparison.header.models.first());
        let pauses = pauses.map(|line| Fact::new(line, times.are_mostly_unknown()));
        let decides = comparison.spending.lost() > 0.0 || comparison.spending.is_uncertain();
        let mut spending: Vec<Fact> = Fact::explained(comparison.spending.lines(), decides).collect();
        // Lines of the system prompt appear only if they are expensive.
        spending.iter_mut().for_each(|fact| fact.decides |= fact.text.contains(" of the system prompt"));
        let rework = comparison.strategies.iter().find_map(|strategy| strategy.sums.rework.as_ref());
        let compactions = Fact::explained(self.compacted().lines(rework), true);
        let sent = comparison.strategy(RECORDED.name());
        let sent = sent.filter(|one| one.name == comparison.header.baseline);
        // The first row of the table shows the same numbers.
        let alarms = sent.and_then(false_alarms).map(|line| Fact::new(line, false));
        let recorded = compactions.chain(alarms);
        money.into_iter().chain(pauses).chain(spending).chain(recorded).collect()
    }
}
