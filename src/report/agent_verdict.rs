//! Makes the verdict on an agent from the comparison of its conversations.

use super::advice::Advice;
use super::agents::{AgentAction, AgentMoney, AgentStrategy, AgentVerdict};
use super::comparison::{Comparison, StrategyComparison};
use super::first_screen::{Action, FirstScreen};

impl AgentVerdict {
    /// `comparison` is over this agent's conversations only.
    pub fn of(name: &str, comparison: &Comparison) -> AgentVerdict {
        let advice = Advice::new(comparison);
        let rows: Vec<&StrategyComparison> = advice.rows().collect();
        let screen = comparison.first_screen.as_ref();
        let actions = screen.map_or(&[][..], |screen| &screen.actions);
        let money = AgentMoney {
            cost: screen.and_then(FirstScreen::total),
            is_estimate: comparison.spending.requests == 0,
            saving: actions.first().map(|action| action.saves),
        };
        AgentVerdict {
            name: name.to_owned(),
            conversations: comparison.scenarios,
            requests: rows.first().map_or(0, |baseline| baseline.sums.requests),
            heading: screen.map(|screen| heading_without_name(screen, name)).unwrap_or_default(),
            money,
            action: actions.first().map(AgentAction::of),
            more_actions: actions.len().saturating_sub(1) as u64,
            answer: screen.and_then(FirstScreen::answer).map(str::to_owned),
            sentence: advice.sentence(),
            certainty: advice.certainty(),
            recommended: advice.recommended.map(|strategy| strategy.name.clone()),
            baseline: comparison.header.baseline.clone(),
            model: comparison.header.models.first().map(|model| model.model.clone()),
            facts: comparison.facts.iter().map(|fact| fact.text.clone()).collect(),
            page: None,
            strategies: rows.into_iter().map(|strategy| AgentStrategy::of(strategy, comparison)).collect(),
        }
    }
}

/// The heading of an agent's screen. Reports write the name of the agent above it.
fn heading_without_name(screen: &FirstScreen, name: &str) -> Vec<String> {
    let mut heading = screen.heading.clone();
    if let Some(first) = heading.first_mut()
        && let Some(rest) = first.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "))
    {
        *first = rest.to_owned();
    }
    heading
}

impl AgentAction {
    fn of(action: &Action) -> AgentAction {
        AgentAction { title: action.title.clone(), saves: action.saving(), loses: action.loses.clone() }
    }
}

impl AgentStrategy {
    fn of(strategy: &StrategyComparison, comparison: &Comparison) -> AgentStrategy {
        let cost = strategy.costs.first();
        AgentStrategy {
            name: strategy.name.clone(),
            requests: strategy.sums.requests,
            input_tokens: strategy.sums.input_tokens,
            ratio: strategy.ratio,
            cost: cost.map(|row| row.cost),
            cost_ratio: cost.and_then(|row| row.ratio),
            answers_short: strategy.sums.answers.short,
            answers_needing: strategy.sums.answers.needing,
            instead: comparison.instead_of_numbers(strategy),
            is_set_apart: comparison.is_set_apart(strategy),
        }
    }
}
