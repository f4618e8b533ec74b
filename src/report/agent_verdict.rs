//! Makes the verdict on an agent from the comparison of its conversations.

use super::advice::Advice;
use super::agents::{AgentStrategy, AgentVerdict};
use super::comparison::{Comparison, StrategyComparison};

impl AgentVerdict {
    /// `comparison` is over this agent's conversations only.
    pub fn of(name: &str, comparison: &Comparison) -> AgentVerdict {
        let advice = Advice::new(comparison);
        let rows: Vec<&StrategyComparison> = advice.rows().collect();
        AgentVerdict {
            name: name.to_owned(),
            conversations: comparison.scenarios,
            requests: rows.first().map_or(0, |baseline| baseline.sums.requests),
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
