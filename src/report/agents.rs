//! Verdicts on agents with jointly read logs, for the report of the largest one.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::facts::{self, escaped};
use super::first_screen::{self, saving_in_words};
use super::tables::{SET_APART, name, table};
use crate::measure::numbers::{grouped, percent};
use ptc_prices::Money;

/// The verdict on one of several agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "agent")]
pub struct AgentVerdict {
    pub name: String,
    pub conversations: u64,
    /// Of the baseline.
    pub requests: u64,
    /// The sentences on its conversations, their cost, and what the cost leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heading: Vec<String>,
    /// Only for sentences on all agents; `heading` has it as text.
    #[serde(skip)]
    pub money: AgentMoney,
    /// The change that saves most.
    #[serde(default)]
    pub action: Option<AgentAction>,
    /// The number of further changes on its page.
    #[serde(default)]
    pub more_actions: u64,
    /// The answer if there is no change to make.
    #[serde(default)]
    pub answer: Option<String>,
    /// The sentence that names the strategy to use, or says why there is none.
    pub sentence: String,
    pub certainty: String,
    /// None if there is too little to choose by.
    pub recommended: Option<String>,
    pub baseline: String,
    /// The model whose prices decide.
    pub model: Option<String>,
    /// Sentences on money, pauses, bills and compactions.
    pub facts: Vec<String>,
    /// The page of the agent, below the folder of this report; none if it is this report.
    pub page: Option<String>,
    /// The baseline, then the cheapest first.
    pub strategies: Vec<AgentStrategy>,
}

/// The money of one agent, to be added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentMoney {
    /// The total cost in dollars; `None` if unknown.
    pub cost: Option<f64>,
    /// True if the cost is not from bills.
    pub is_estimate: bool,
    /// The saving of the first change: least, most.
    pub saving: Option<(f64, f64)>,
}

/// A change that the owner of an agent can make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "change of an agent")]
pub struct AgentAction {
    pub title: String,
    /// Dollars: `$17 to $22`.
    pub saves: String,
    /// The price besides money; empty if there is none.
    pub loses: String,
}

/// An agent of too few tokens for a verdict beside the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "agent without a verdict")]
pub struct UnjudgedAgent {
    pub name: String,
    pub conversations: u64,
}

/// A strategy over the conversations of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "strategy of an agent")]
pub struct AgentStrategy {
    pub name: String,
    pub requests: u64,
    pub input_tokens: u64,
    /// Input tokens as a multiple of the baseline's.
    pub ratio: Option<f64>,
    /// With the model that decides.
    #[schemars(with = "Option<String>")]
    pub cost: Option<Money>,
    pub cost_ratio: Option<f64>,
    pub answers_short: u64,
    pub answers_needing: u64,
    /// The sentence in place of its numbers, when they would mislead.
    pub instead: Option<String>,
    /// True if its tool calls became text. It comes after the strategies with native ones.
    pub is_set_apart: bool,
}

impl AgentVerdict {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n### {}\n", name(&self.name))?;
        facts::write(self.heading.iter(), out)?;
        if let Some(action) = &self.action {
            let loses = if action.loses.is_empty() { String::new() } else { format!("; {}", action.loses) };
            writeln!(out, "- What to change: {}: saves {}{loses}", escaped(&action.title), action.saves)?;
        }
        writeln!(out, "\n**{}** {}\n", escaped(&self.sentence), self.certainty)?;
        let model = self.model.as_deref().map(|model| format!("cost with {model}"));
        let headings = [
            "strategy".to_owned(),
            "input tokens".to_owned(),
            format!("of {}", self.baseline),
            model.unwrap_or_else(|| "cost".to_owned()),
            format!("of {}", self.baseline),
            "answers lacking a fact".to_owned(),
        ];
        let first_apart = self.strategies.iter().position(|strategy| strategy.is_set_apart);
        let (kept, apart) = self.strategies.split_at(first_apart.unwrap_or(self.strategies.len()));
        let above = first_apart.map(|_| {
            let blank = headings.iter().skip(1).map(|_| String::new());
            std::iter::once(SET_APART.to_owned()).chain(blank).collect()
        });
        let rows = kept
            .iter()
            .map(AgentStrategy::make_cells)
            .chain(above)
            .chain(apart.iter().map(AgentStrategy::make_cells));
        table(out, &headings, rows)?;
        writeln!(out)?;
        facts::write(self.facts.iter(), out)
    }
}

impl AgentStrategy {
    fn make_cells(&self) -> Vec<String> {
        let mut cells = vec![name(&self.name).into_owned()];
        if self.requests == 0 {
            cells.resize(6, "–".to_owned());
            return cells;
        }
        cells.push(grouped(self.input_tokens));
        cells.push(self.format_share(self.ratio));
        cells.push(self.cost.map_or("–".to_owned(), |cost| cost.to_string()));
        cells.push(self.format_share(self.cost_ratio));
        cells.push(format!("{} of {}", grouped(self.answers_short), grouped(self.answers_needing)));
        cells
    }

    fn format_share(&self, ratio: Option<f64>) -> String {
        self.instead.clone().unwrap_or_else(|| percent(ratio))
    }
}

/// `3 agents in these logs cost $312.40 together, at API prices. The first change of each saves $17 to $22 together.` `None` if no
/// cost is known.
pub(super) fn sum_sentence(agents: &[AgentVerdict], unjudged: &[UnjudgedAgent]) -> Option<String> {
    let (mut cost, mut saving) = (0.0, (0.0, 0.0));
    let (mut counted, mut saving_agents, mut is_estimate) = (0, 0, false);
    for money in agents.iter().map(|agent| agent.money) {
        if let Some(dollars) = money.cost {
            cost += dollars;
            counted += 1;
            is_estimate |= money.is_estimate;
        }
        if let Some((least, most)) = money.saving {
            saving = (saving.0 + least, saving.1 + most);
            saving_agents += 1;
        }
    }
    if counted == 0 {
        return None;
    }
    let found = agents.len() + unjudged.len();
    let who =
        if counted == found { format!("{found} agents") } else { format!("{counted} of {found} agents") };
    let about = if is_estimate { "about " } else { "" };
    let cost = first_screen::dollars(cost);
    let mut sentence = match counted {
        1 => format!("{who} in these logs costs {about}{cost}, at API prices."),
        _ => format!("{who} in these logs cost {about}{cost} together, at API prices."),
    };
    match saving_agents {
        0 => {}
        1 => sentence += &format!(" The first change of one of them saves {}.", saving_in_words(saving)),
        number if number == found => {
            sentence += &format!(" The first change of each saves {} together.", saving_in_words(saving));
        }
        number => {
            let saved = saving_in_words(saving);
            sentence += &format!(" The first changes of {number} of them save {saved} together.");
        }
    }
    Some(sentence)
}

/// Names the agents without a verdict, if there are any. `format_name` escapes their names.
pub(super) fn unjudged_text(
    unjudged: &[UnjudgedAgent],
    format_name: fn(&str) -> Cow<'_, str>,
) -> Option<String> {
    let mut named = Vec::with_capacity(unjudged.len());
    for agent in unjudged {
        named.push(format!("{} ({})", format_name(&agent.name), grouped(agent.conversations)));
    }
    (!named.is_empty()).then(|| {
        format!(
            "These are the largest. Not judged, with their conversations: {}. To judge one: the same command with --only-agent NAME.",
            named.join(", ")
        )
    })
}

/// Writes the verdict on each agent, with a table for those of other reports.
pub(super) fn write(
    agents: &[AgentVerdict],
    unjudged: &[UnjudgedAgent],
    out: &mut dyn Write,
) -> io::Result<()> {
    if agents.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {} agents\n", agents.len() + unjudged.len())?;
    let own = agents.iter().filter(|agent| agent.page.is_none()).map(|agent| name(&agent.name));
    let own = own.collect::<Vec<_>>().join(", ");
    if let Some(sum) = sum_sentence(agents, unjudged) {
        writeln!(out, "{sum}\n")?;
    }
    writeln!(out, "Each agent needs its own recommendation. All other sections are about {own}.\n")?;
    let mut rows = Vec::new();
    for agent in agents {
        let verdict = format!("{} {}", escaped(&agent.sentence), agent.certainty);
        rows.push(vec![
            name(&agent.name).into_owned(),
            grouped(agent.conversations),
            grouped(agent.requests),
            verdict.trim_end().to_owned(),
        ]);
    }
    table(out, &["agent", "conversations", "requests", "verdict"], rows.into_iter())?;
    if let Some(text) = unjudged_text(unjudged, name) {
        writeln!(out, "\n{text}")?;
    }
    for agent in agents.iter().filter(|agent| agent.page.is_some()) {
        agent.write(out)?;
    }
    Ok(())
}
