//! Recommended actions for the owner of an agent: product settings, habits around breaks, cache lifetime, a strategy.

use super::clearing::ClearingOffer;
use super::compaction::{CompactionOffer, cost_of};
use super::limiting::LimitOffer;
use crate::cli::apply::settings;
use crate::cli::run::price_in_words;
use crate::cli::suite::count;
use crate::compression::{Evidence, OutputLimit, Product, STRATEGIES};
use crate::measure::numbers::grouped;
use crate::report::first_screen::{Action, ActionLine, Basis, dollars};
use crate::report::spending::WhatIf;
use crate::report::{Advice, Comparison, StrategyComparison};

/// The product with the cache setting for models called through libraries.
const ANTHROPIC: &str = "anthropic-api";
/// Added to a saving that extra turns would use up.
const TRY: &str = "saves only if turns do not increase; check: ptc-eval effect BEFORE AFTER";
/// The price of settings of the cache.
const LOSES_NOTHING: &str = "loses nothing; cache writes cost more, which is deducted";
/// Actions below this share of the total are left out. Chosen, not measured.
const WORTH: f64 = 0.01;

/// The input for all actions.
pub(super) struct Offers<'o> {
    pub(super) comparison: &'o Comparison,
    /// The product or library that wrote the logs.
    pub(super) product: Option<&'static Product>,
    /// True if the logs are of a program whose owner cannot change its code.
    pub(super) is_program: bool,
    pub(super) limit: Option<&'o LimitOffer>,
    pub(super) compaction: Option<&'o CompactionOffer>,
    pub(super) clearing: Option<&'o ClearingOffer>,
    /// The size at which the agent compacts today, in tokens.
    pub(super) compacts_today: Option<u64>,
    /// The agent's own ways to shorten its history, in words: strategies are simulated without them.
    pub(super) replaces: Option<&'static str>,
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
        let own = [
            self.offer_compaction(),
            self.offer_limit(),
            self.offer_breaks(),
            self.offer_marks(),
            self.offer_cache(),
            self.offer_subagents(),
        ];
        let code =
            [self.offer_moved_line(), self.offer_strategy(), self.offer_clearing(), self.offer_passed_over()];
        let all = own.into_iter().chain(code);
        let mut actions: Vec<Action> = all.flatten().collect();
        actions.retain(|action| self.is_worth(action));
        actions.sort_by(|one, other| other.saves.1.total_cmp(&one.saves.1));
        actions
    }

    fn is_worth(&self, action: &Action) -> bool {
        action.saves.1 >= WORTH * self.total && action.saves.1 > 0.0
    }

    /// Scales simulated savings to the total on the screen. The simulation uses the prices of one model, the bills those of all. It caches
    /// where the agent could, so the saving of missing cache breakpoints is no longer in its base.
    pub(super) fn of_total(&self, (least, most): (f64, f64), today: f64) -> (f64, f64) {
        if today <= 0.0 {
            return (least, most);
        }
        let scale = (self.total - self.comparison.spending.unmarked.saved.max(0.0)) / today;
        (least * scale, most * scale)
    }

    fn offer_compaction(&self) -> Option<Action> {
        let (product, offer) = (self.product?, self.compaction?);
        if offer.barred.is_some() {
            return None;
        }
        let setting = product.compacts_at.as_ref()?;
        let (model, window) = self.model;
        let line = settings::setting_line(product, offer.tokens, window, model)?;
        let size = grouped(offer.tokens);
        let title = match self.compacts_today {
            Some(today) => format!("Compact at {size} tokens instead of {}", grouped(today)),
            None => format!("Compact at {size} tokens"),
        };
        let mut lines = to_paste(product, &setting.file, setting.evidence, &line);
        if let Some(above) = setting.value.tokens_above() {
            let value = offer.tokens + above;
            let free = format!(
                "{value} is these {size} and the {} that {} keeps free",
                grouped(above),
                product.title
            );
            lines.push(ActionLine::words(free));
        }
        if offer.at_most_turns <= 0.0 {
            lines.push(ActionLine::words(TRY));
        }
        Some(Action {
            title,
            saves: self.of_total((offer.at_most_turns, offer.saves.1), offer.today),
            loses: gone_facts("up to ", offer.short, offer.needing, offer.short_today),
            lines,
            basis: Basis::Compaction,
        })
    }

    fn offer_breaks(&self) -> Option<Action> {
        let commands = self.product?.breaks.as_ref()?;
        let saving = self.comparison.spending.breaks;
        if saving.breaks == 0 {
            return None;
        }
        let lifetime = match self.comparison.spending.with_long {
            Some(what_if) => format!(" ({})", what_if.instead_of.words()),
            None => String::new(),
        };
        let with_long = match self.offer_cache() {
            Some(cache) if self.is_worth(&cache) => {
                format!(" ({} with the longer cache)", grouped(saving.breaks_beyond_long))
            }
            _ => String::new(),
        };
        let breaks = count(saving.breaks as usize, "such break");
        let so_far = format!("{breaks}{with_long}; the summaries are deducted");
        Some(Action {
            title: format!("Type {} before a break that outlasts the cache{lifetime}", commands.before),
            saves: (saving.least, saving.most),
            loses: format!(
                "loses what the summary leaves out (not measured); for a new task: {}",
                commands.fresh
            ),
            lines: vec![ActionLine::words(so_far)],
            basis: Basis::Breaks,
        })
    }

    /// Limit the length of tool results.
    fn offer_limit(&self) -> Option<Action> {
        let offer = self.limit?;
        if !offer.is_admitted {
            return None;
        }
        let OutputLimit { what, file, unit, rest, evidence, .. } = offer.limit;
        let mut lines = to_paste(self.product?, file, *evidence, &offer.limit.line_for(offer.value));
        lines.push(ActionLine::words(rest));
        Some(Action {
            title: format!("Cut {what} at {} {unit}", grouped(offer.value.into())),
            saves: self.of_total(offer.saves, offer.today),
            loses: gone_facts("", offer.short, offer.needing, offer.short_today),
            lines,
            basis: Basis::OutputLimit,
        })
    }

    /// Set cache breakpoints where there are none.
    fn offer_marks(&self) -> Option<Action> {
        let unmarked = self.comparison.spending.unmarked;
        // Every agent made with a library can send Anthropic's own field.
        let product = match self.product {
            Some(product) if product.marks_cache.is_some() => product,
            _ if self.is_program => return None,
            _ => Product::find(ANTHROPIC)?,
        };
        let setting = product.marks_cache.as_ref()?;
        let mut lines = to_paste(product, &setting.file, setting.evidence, &setting.line);
        lines.push(ActionLine::words(setting.effect.as_str()));
        Some(Action {
            title: format!(
                "Set cache breakpoints: {} read nothing from the cache",
                count(unmarked.requests as usize, "request")
            ),
            saves: (unmarked.saved, unmarked.saved),
            loses: LOSES_NOTHING.to_owned(),
            lines,
            basis: Basis::Counts,
        })
    }

    fn offer_cache(&self) -> Option<Action> {
        // Without a product, this is Anthropic's setting: only its models have a longer cache lifetime.
        let product = match self.product {
            Some(product) if self.is_program => product,
            _ => Product::find(ANTHROPIC)?,
        };
        let setting = product.keeps_cache.as_ref()?;
        let WhatIf { ttl, instead_of, change } = self.comparison.spending.with_long?;
        // The setting of a product is for its main conversation.
        let of_subagents = if self.is_program { self.comparison.spending.subagents.with_long } else { 0.0 };
        let change = change - of_subagents;
        Some(Action {
            title: format!("Keep the cache for {} instead of {}", ttl.words(), instead_of.words()),
            saves: (-change, -change),
            loses: LOSES_NOTHING.to_owned(),
            lines: to_paste(product, &setting.file, setting.evidence, &setting.line),
            basis: Basis::Lifetime,
        })
    }

    /// Use a cheaper model for subagents.
    fn offer_subagents(&self) -> Option<Action> {
        let product = self.product?;
        let setting = product.subagents.as_ref()?;
        let subagents = &self.comparison.spending.subagents;
        let saved = subagents.billed - subagents.others.with(&setting.model)?.cost;
        let mut lines = to_paste(product, &setting.file, setting.evidence, &setting.line);
        lines.push(ActionLine::words(format!(
            "of {} in {}, if it takes as many tokens",
            dollars(subagents.billed),
            count(subagents.calls, "request")
        )));
        Some(Action {
            title: format!("Use {} for subagents", setting.model),
            saves: (saved, saved),
            loses: "not measured: how good its answers are".to_owned(),
            lines,
            basis: Basis::Subagents,
        })
    }

    /// Move the changing line of the system prompt. Not for products: their owners cannot move it.
    fn offer_moved_line(&self) -> Option<Action> {
        if self.is_program {
            return None;
        }
        let moved = self.comparison.spending.moved()?;
        Some(Action {
            title: "Move the line of the system prompt that changes behind the conversation".to_owned(),
            saves: (moved.saved, moved.saved),
            loses: "loses nothing: the same text comes later in each request".to_owned(),
            lines: vec![ActionLine::words(format!("it is {:?}", moved.line.trim()))],
            basis: Basis::Counts,
        })
    }

    /// The recommended strategy, if the agent's owner can use it.
    fn offer_strategy(&self) -> Option<Action> {
        let chosen = Advice::new(self.comparison).recommended?;
        // A product can only do what its hook allows.
        let apply = if self.is_program { Some(self.apply?) } else { self.apply };
        let lines = apply.into_iter().flat_map(command_lines).chain(self.instead_of_own()).collect();
        Some(Action { title: describe_strategy(&chosen.name), lines, ..self.switched_on(chosen)? })
    }

    /// A strategy that saves money only if agents need about as many turns as before, for agents built with libraries.
    fn offer_passed_over(&self) -> Option<Action> {
        let (comparison, index) = (self.comparison, self.comparison.barred?);
        let strategy = comparison.strategies.get(index)?;
        let is_supported = comparison.header.supports(index);
        if !is_supported || self.is_program || comparison.too_little.is_some() || !self.is_native(strategy) {
            return None;
        }
        let apply = self.apply_passed_over.into_iter().flat_map(command_lines);
        let lines = apply.chain([ActionLine::words(TRY)]).chain(self.instead_of_own()).collect();
        let action = self.switched_on(strategy)?;
        Some(Action { title: describe_strategy(&strategy.name), lines, basis: Basis::PassedOver, ..action })
    }

    /// `instead of your compactions, not on top of them`
    fn instead_of_own(&self) -> Option<ActionLine> {
        let what = self.replaces?;
        Some(ActionLine::words(format!("instead of your {what}, not on top of them")))
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
        let (cost, today) = (cost_of(strategy)?, cost_of(baseline)?);
        let most = cost * comparison.header.most_turns(comparison.index(strategy));
        let answers = strategy.sums.answers;
        let short_today = baseline.sums.answers.short;
        Some(Action {
            title: String::new(),
            saves: self.of_total((today - most, today - cost), today),
            loses: gone_facts("", answers.short, answers.needing, short_today),
            lines: Vec::new(),
            basis: Basis::Strategy,
        })
    }

    /// Clear old tool results, at the best size.
    fn offer_clearing(&self) -> Option<Action> {
        let offer = self.clearing?;
        let mut lines = command_lines(&offer.apply);
        if offer.saves.0 <= 0.0 {
            lines.push(ActionLine::words(TRY));
        }
        lines.extend(self.instead_of_own());
        Some(Action {
            title: format!("Clear old tool results from {} tokens on", grouped(offer.tokens)),
            saves: self.of_total(offer.saves, offer.today),
            loses: gone_facts("", offer.short, offer.needing, offer.short_today),
            lines,
            basis: Basis::Clearing,
        })
    }
}

/// `answers lacking a fact they use: 43 now, then up to 103 of 1,217`
fn gone_facts(bound: &str, short: u64, needing: u64, today: u64) -> String {
    let bound = if short == 0 { "" } else { bound };
    let [short, needing] = [short, needing].map(grouped);
    match today {
        0 => format!("answers that would lack a fact they use: {bound}{short} of {needing}"),
        today => format!(
            "answers lacking a fact they use: {} now, then {bound}{short} of {needing}",
            grouped(today)
        ),
    }
}

/// A command to paste, and the meaning of the price in it.
fn command_lines(apply: &str) -> Vec<ActionLine> {
    let mut lines: Vec<ActionLine> = ActionLine::code(apply).collect();
    lines.extend(price_in_words(apply).map(ActionLine::words));
    lines
}

/// The place of a line to paste, with its evidence, then the line.
fn to_paste(product: &Product, file: &str, evidence: Evidence, line: &str) -> Vec<ActionLine> {
    let known = evidence.in_words(product);
    let place = ActionLine::words(format!("{} ({known}):", settings::place(file)));
    std::iter::once(place).chain(ActionLine::code(line)).collect()
}

/// `fold: shortens old tool results to a line, in batches, when that saves money`
fn describe_strategy(name: &str) -> String {
    match STRATEGIES.iter().find(|strategy| strategy.name == name) {
        Some(strategy) => format!("{name}: {}", strategy.doc),
        None => name.to_owned(),
    }
}
