//! Logs of several agents in one place: each agent gets its own verdict.

use std::path::{Path, PathBuf};

use super::SUITE_FILE;
use super::conversations::Conversations;
use super::save::SaveFolder;
use super::settings::AgentChoice;
use crate::cli::error::CliError;
use crate::cli::suite::{count, option_for_shell};
use crate::measure::numbers::grouped;
use crate::report::{AgentVerdict, Comparison, UnjudgedAgent};
use crate::scenario::SUITE_FOLDER;
use agent_logs::{AgentMarks, LoggedAgent, agents_of};

/// Most agents with their own verdict. If there are more, prompts probably differ by task or user.
const MOST: usize = 12;
/// Most agents to name on the terminal.
const NAMED: usize = 3;
/// Columns of a line on the terminal.
const COLUMNS: usize = 80;
/// The folder of their reports, below the report of the largest agent.
const FOLDER: &str = "agents";

/// The agents found in logs, with those that get no verdict.
pub(super) struct FoundAgents(Vec<LoggedAgent>);

/// Verdicts on the other agents in the same logs.
#[derive(Default)]
pub(in crate::cli) struct OtherAgents {
    judged: Vec<AgentVerdict>,
    unjudged: Vec<UnjudgedAgent>,
}

impl FoundAgents {
    /// The agents to judge, largest input first: all, a named one, or all merged.
    ///
    /// # Errors
    /// There is no agent of this name.
    pub(super) fn choose(
        conversations: &Conversations,
        choice: &AgentChoice,
    ) -> Result<FoundAgents, CliError> {
        let marks: Vec<&AgentMarks> =
            conversations.all.iter().map(|conversation| &conversation.marks).collect();
        let mut agents = agents_of(&marks);
        match choice {
            AgentChoice::Each => {}
            AgentChoice::Merged => {
                let others = agents.split_off(agents.len().min(1));
                for agent in &mut agents {
                    agent.conversations.extend(others.iter().flat_map(|other| other.conversations.iter()));
                }
            }
            AgentChoice::Only(name) => {
                let names: Vec<String> = agents.iter().map(|agent| agent.name.clone()).collect();
                agents.retain(|agent| agent.name == *name);
                if agents.is_empty() {
                    return Err(CliError::UnknownAgent { name: name.clone(), agents: names });
                }
            }
        }
        Ok(FoundAgents(agents))
    }

    /// Splits the conversations by agent, largest input first. Those of agents without a verdict are dropped.
    pub(super) fn split(&self, conversations: Conversations) -> Vec<Conversations> {
        let number = conversations.all.len();
        if let [agent] = self.0.as_slice()
            && agent.conversations.len() == number
        {
            return vec![conversations];
        }
        let judged = self.0.get(..MOST).unwrap_or(&self.0);
        let mut of: Vec<Option<usize>> = vec![None; number];
        let mut parts = Vec::with_capacity(judged.len());
        for (agent, at) in judged.iter().zip(0..) {
            for conversation in &agent.conversations {
                of.get_mut(*conversation).into_iter().for_each(|of| *of = Some(at));
            }
            parts.push(Conversations {
                agent: Some(agent.name.clone()),
                logs: conversations.logs.clone(),
                ..Conversations::default()
            });
        }
        for (conversation, at) in conversations.all.into_iter().zip(of) {
            if let Some(part) = at.and_then(|at| parts.get_mut(at)) {
                part.all.push(conversation);
            }
        }
        parts
    }

    /// The agents beyond the `judged` largest ones.
    pub(super) fn unjudged(&self, judged: usize) -> OtherAgents {
        let mut unjudged = Vec::new();
        for agent in self.0.get(judged..).unwrap_or_default() {
            let conversations = agent.conversations.len() as u64;
            unjudged.push(UnjudgedAgent { name: agent.name.clone(), conversations });
        }
        OtherAgents { judged: Vec::new(), unjudged }
    }

    /// `13 agents: claude-code (13 conversations), codex (3) and 11 more. Below: claude-code. For another agent:`, and the command for the
    /// second largest. `input` has the arguments that name the logs and how to read them.
    pub(super) fn in_words(&self, left_out: &str, input: &str) -> (String, Option<String>) {
        let agents = &self.0;
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
        let largest = agents.first().map_or("", |agent| agent.name.as_str());
        let other = agents.get(1).map_or("NAME", |agent| agent.name.as_str());
        let option = option_for_shell("--only-agent", other);
        let command = format!("ptc-eval advise {input} {option}");
        if command.chars().count() > COLUMNS {
            return (format!("{line}. Below: {largest}. For another agent, add {option}."), None);
        }
        (format!("{line}. Below: {largest}. For another agent:"), Some(command))
    }
}

impl OtherAgents {
    /// Adds the verdict on an agent with its page below the reports of the largest agent.
    pub(super) fn add_verdict(&mut self, agent: &str, comparison: &Comparison) {
        let page = Some(format!("{FOLDER}/{agent}/index.html"));
        self.judged.push(AgentVerdict { page, ..AgentVerdict::of(agent, comparison) });
    }

    /// Adds these verdicts and the one of the agent itself to its report, if there are several.
    pub(super) fn add_to(&self, agent: Option<&str>, comparison: &mut Comparison) {
        let Some(name) = agent.filter(|_| !self.judged.is_empty()) else { return };
        let own = AgentVerdict::of(name, comparison);
        comparison.agents = [&[own], self.judged.as_slice()].concat();
        comparison.unjudged_agents = self.unjudged.clone();
    }
}

/// The folder of the reports on an agent that is not the largest.
pub(super) fn report_folder(reports: &Path, agent: &str) -> PathBuf {
    reports.join(FOLDER).join(agent)
}

/// Opens the folders where `--save` writes the suite of each agent. Several agents have a folder each.
///
/// # Errors
/// A folder contains another suite.
pub(super) fn open_save_folders(
    agents: &[Conversations],
    folder: Option<&Path>,
    keeps_secrets: bool,
) -> Result<Vec<Option<SaveFolder>>, CliError> {
    let Some(folder) = folder else { return Ok(agents.iter().map(|_| None).collect()) };
    if let [_] = agents {
        return Ok(vec![Some(SaveFolder::open(folder.to_owned(), keeps_secrets)?)]);
    }
    let suite = folder.join(SUITE_FILE);
    if suite.exists() {
        let help = "these logs are of several agents, and each gets a suite in a folder of its own: choose another folder, \
                    or one agent with --only-agent";
        return Err(CliError::Exists { path: suite, help });
    }
    let mut folders = Vec::with_capacity(agents.len());
    for agent in agents {
        // Sibling suites would share snapshots and reports.
        let suite = folder.join(agent.agent.as_deref().unwrap_or_default()).join(SUITE_FOLDER);
        folders.push(Some(SaveFolder::open(suite, keeps_secrets)?));
    }
    Ok(folders)
}
