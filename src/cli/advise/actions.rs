//! Recommended actions for the owner of an agent: product settings, habits around breaks, cache lifetime, a strategy.

use super::clearing::ClearingOffer;
use super::compaction::CompactionOffer;
use crate::cli::apply::settings;
use crate::cli::suite::count;
use crate::compression::{Product, STRATEGIES};
use crate::measure::numbers::grouped;
use crate::report::first_screen::{Action, Basis, dollars};
use crate::report::spending::WhatIf;
use crate::report::{Advice, Comparison, StrategyComparison};

/// The product with the cache setting for models called through libraries.
const ANTHROPIC: &str = "anthropic-api";
/// Added to a saving that extra turns would use up.
const TRY: &str = "try it: more turns would cost more; then ptc-eval effect BEFORE AFTER";
/// Actions below this share of the total are left out. Chosen, not measured.
const WORTH: f64 = 0.01;

/// The input for all actions.
pub(super) struct Offers<'o> {
    pub(super) comparison: &'o Comparison,
    pub(super) product: Option<&'static Product>,
    pub(super) compaction: Option<&'o CompactionOffer>,
    pub(super) clearing: Option<&'o ClearingOffer>,
    /// The size at which the agent compacts today, in tokens.
    pub(super) compacts_today: Option<u64>,
    /// The command that prints the recommended strategy.
    pub(super) apply: Option<&'o str>,
    /// The same for the strategy that saves money only if agents need no more turns with it.
    pub(super) apply_passed_over: Option<&'o str>,
    /// The model of the logs, and its context window.
    pub(super) model: (&'o str, u64),
    /// Dollars for all sessions.
    pub(super) total: f64,
}

impl Offers<'_> {
    /// The actions, best saving first.
    pub(super) fn actions(&self) -> Vec<Action> {
        let own = [self.compaction(), self.breaks(), self.cache(), self.subagents(), self.line()];
        let all = own.into_iter().chain([self.strategy(), self.clearing(), self.passed_over()]);
        let mut actions: Vec<Action> = all.flatten().collect();
        actions.retain(|action| action.saves.1 >= WORTH * self.total && action.saves.1 > 0.0);
        actions.sort_by(|one, other| other.saves.1.total_cmp(&one.saves.1));
        actions
    }

    /// Scales simulated savings to the total on the screen. The simulation uses the prices of one model, the bills those of all.
    pub(super) fn of_total(&self, (least, most): (f64, f64), today: f64) -> (f64, f64) {
        if today <= 0.0 {
            return (least, most);
        }
        let scale = self.total / today;
        (least * scale, most * scale)
    }

    fn compaction(&self) -> Option<Action> {
        let (product, offer) = (self.product?, self.compaction.filter(|offer| offer.barred.is_none())?);
        let setting = product.compacts_at.as_ref()?;
        let (model, window) = self.model;
        let line = settings::setting_line(product, offer.tokens, window, model)?;
        let size = grouped(offer.tokens);
        let title = match self.compacts_today {
            Some(today) => format!("Compact at {size} tokens instead of {}", grouped(today)),
            None => format!("Compact at {size} tokens"),
        };
        let mut lines = to_paste(&setting.file, &line);
        if let Some(above) = setting.value.tokens_above() {
            lines.push(format!(
                "that is {size} and the {} that {} keeps free",
                grouped(above),
                product.title
            ));
        }
        if offer.at_most_turns <= 0.0 {
            lines.push(TRY.to_owned());
        }
        Some(Action {
            title,
            saves: self.of_total((offer.at_most_turns, offer.saves.1), offer.today),
            loses: gone_facts("up to ", offer.short, offer.needing, Some(offer.short_today)),
            lines,
            basis: Basis::Compaction,
        })
    }

    fn breaks(&self) -> Option<Action> {
        let commands = self.product?.breaks.as_ref()?;
        let saving = self.comparison.spending.breaks;
        if saving.breaks == 0 {
            return None;
        }
        let loses = match saving.breaks {
            1 => "1 such break; the price of the summary is deducted, not what it loses".to_owned(),
            breaks => format!(
                "{} such breaks; the price of summaries is deducted, not what they lose",
                grouped(breaks)
            ),
        };
        let fresh = format!(
            "or {} for a new task: saves {}, later requests included",
            commands.fresh,
            dollars(saving.cleared)
        );
        Some(Action {
            title: format!("Type {} before a break that outlasts the cache", commands.before),
            saves: (saving.least, saving.most),
            loses,
            lines: vec![fresh],
            basis: Basis::Counts,
        })
    }

    fn cache(&self) -> Option<Action> {
        // Without a product, this is Anthropic's setting: only its models have a longer cache lifetime.
        let product = self.product.or_else(|| Product::find(ANTHROPIC))?;
        let setting = product.keeps_cache.as_ref()?;
        let WhatIf { ttl, instead_of, change } = self.comparison.spending.with_long?;
        // The setting of a product is for its main conversation.
        let of_subagents = self.product.map_or(0.0, |_| self.comparison.spending.subagents.with_long);
        let change = change - of_subagents;
        Some(Action {
            title: format!("Keep the cache for {} instead of {}", ttl.words(), instead_of.words()),
            saves: (-change, -change),
            loses: String::new(),
            lines: to_paste(&setting.file, &setting.line),
            basis: Basis::Counts,
        })
    }

    /// Use a cheaper model for subagents.
    fn subagents(&self) -> Option<Action> {
        let setting = self.product?.subagents.as_ref()?;
        let subagents = &self.comparison.spending.subagents;
        let saved = subagents.billed - subagents.others.with(&setting.model)?.cost;
        Some(Action {
            title: format!("Use {} for subagents", setting.model),
            saves: (saved, saved),
            loses: "nobody knows what its answers lose".to_owned(),
            lines: vec![
                format!("{}: {}", setting.file, setting.line),
                format!(
                    "of {} in {}, if it takes as many tokens",
                    dollars(subagents.billed),
                    count(subagents.calls, "request")
                ),
            ],
            basis: Basis::Counts,
        })
    }

    /// Move the changing line of the system prompt. Not for products: their owners cannot move it.
    fn line(&self) -> Option<Action> {
        let moved = self.comparison.spending.moved().filter(|_| self.product.is_none())?;
        Some(Action {
            title: "Move the line of the system prompt that changes behind the conversation".to_owned(),
            saves: (moved.saved, moved.saved),
            loses: String::new(),
            lines: vec![format!("it is {:?}", moved.line.trim())],
            basis: Basis::Counts,
        })
    }

    /// The recommended strategy, if the agent's owner can use it.
    fn strategy(&self) -> Option<Action> {
        let chosen = Advice::new(self.comparison).recommended?;
        // A product can only do what its hook allows.
        let apply = match self.product {
            Some(_) => Some(self.apply?),
            None => self.apply,
        };
        let lines = apply.map(str::to_owned).into_iter().collect();
        Some(Action { title: described(&chosen.name), lines, ..self.switched_on(chosen)? })
    }

    /// A strategy that saves money only if agents need about as many turns as before, for agents built with libraries.
    fn passed_over(&self) -> Option<Action> {
        let (comparison, index) = (self.comparison, self.comparison.barred?);
        let strategy = comparison.strategies.get(index).filter(|_| comparison.header.supports(index))?;
        if self.product.is_some() || comparison.too_little.is_some() || !self.is_native(strategy) {
            return None;
        }
        let lines = vec![TRY.to_owned()];
        let apply = self.apply_passed_over.map(str::to_owned);
        let lines = apply.into_iter().chain(lines).collect();
        Some(Action { title: described(&strategy.name), lines, ..self.switched_on(strategy)? })
    }

    /// Returns true if the strategy keeps native tool calls.
    fn is_native(&self, strategy: &StrategyComparison) -> bool {
        !self.comparison.is_set_apart(strategy)
    }

    /// Savings and losses of a strategy. `None` for the baseline.
    fn switched_on(&self, strategy: &StrategyComparison) -> Option<Action> {
        let comparison = self.comparison;
        let baseline = comparison.strategy(&comparison.header.baseline)?;
        if strategy.name == baseline.name {
            return None;
        }
        let [cost, today] = [strategy, baseline].map(|strategy| Some(strategy.costs.first()?.cost.dollars()));
        let (cost, today) = (cost?, today?);
        let most = cost * comparison.header.most_turns(comparison.index(strategy));
        let answers = strategy.sums.answers;
        let short_today = Some(baseline.sums.answers.short);
        Some(Action {
            title: String::new(),
            saves: self.of_total((today - most, today - cost), today),
            loses: gone_facts("", answers.short, answers.needing, short_today),
            lines: Vec::new(),
            basis: Basis::Strategy,
        })
    }

    /// Clear old tool results, at the best size.
    fn clearing(&self) -> Option<Action> {
        let offer = self.clearing?;
        let mut lines = vec![offer.apply.clone()];
        if offer.saves.0 <= 0.0 {
            lines.push(TRY.to_owned());
        }
        Some(Action {
            title: format!("Clear old tool results from {} tokens on", grouped(offer.tokens)),
            saves: self.of_total(offer.saves, offer.today),
            loses: gone_facts("", offer.short, offer.needing, Some(offer.short_today)),
            lines,
            basis: Basis::Clearing,
        })
    }
}

/// `up to 103 of 1,217 answers would need a fact no longer sent (43 today)`
fn gone_facts(bound: &str, short: u64, needing: u64, today: Option<u64>) -> String {
    let bound = if short == 0 { "" } else { bound };
    let today = today.filter(|today| *today > 0);
    let today = today.map_or_else(String::new, |today| format!(" ({} today)", grouped(today)));
    let [short, needing] = [short, needing].map(grouped);
    format!("{bound}{short} of {needing} answers would need a fact no longer sent{today}")
}

/// File and line to paste, joined into one line if it is a file path in the home folder.
fn to_paste(file: &str, line: &str) -> Vec<String> {
    match file.starts_with('~') {
        true => vec![format!("{file}: {line}")],
        false => vec![format!("{file}:"), line.to_owned()],
    }
}

/// `fold: masks old tool results in batches, when that saves money`
fn described(name: &str) -> String {
    match STRATEGIES.iter().find(|strategy| strategy.name == name) {
        Some(strategy) => format!("{name}: {}", strategy.doc),
        None => name.to_owned(),
    }
}
