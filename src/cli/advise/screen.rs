//! The contents of the first screen: the money of the logs, the actions of their owner, the evidence.

use std::collections::BTreeMap;

use super::actions::{CompactionOffer, Offers};
use super::conversations::{Conversation, Conversations};
use super::titles::{day_in_words, days_in_words};
use crate::cli::suite::count;
use crate::compression::{Product, RECORDED};
use crate::measure::numbers::{grouped, percent};
use crate::report::first_screen::{FirstScreen, MoneyRow, dollars};
use crate::report::spending::MissCause;
use crate::report::{Advice, Comparison};

/// Dollars of unnamed causes that are shown: less is nothing at two decimals.
const LEAST_REST: f64 = 0.005;
/// Causes of paid again text that a row names.
const NAMED: usize = 2;
/// The least share of a cause that a row names.
const LEAST_SHARE: f64 = 0.005;
/// Sessions with requests above the size of a compaction that make its saving strong evidence. Chosen, not measured.
const ENOUGH: usize = 20;

/// Everything from which a screen is made.
pub(super) struct ScreenFacts<'s> {
    pub(super) comparison: &'s Comparison,
    pub(super) conversations: &'s Conversations,
    /// The simulated cost of each conversation in dollars, by name.
    pub(super) costs: &'s BTreeMap<String, f64>,
    pub(super) product: Option<&'static Product>,
    pub(super) compaction: Option<CompactionOffer>,
    /// The command that prints the recommended strategy.
    pub(super) apply: Option<&'s str>,
    /// The window of the model whose prices decide.
    pub(super) window: u64,
}

impl ScreenFacts<'_> {
    pub(super) fn screen(&self) -> FirstScreen {
        let actions = self.offers().actions();
        let mut notes = self.nothing_else(actions.len());
        notes.extend(self.unsafe_compaction());
        notes.extend(self.compactions());
        FirstScreen {
            heading: self.heading(),
            money: self.money(),
            dearest: self.dearest(),
            evidence: self.evidence(!actions.is_empty()),
            actions,
            notes,
        }
    }

    fn offers(&self) -> Offers<'_> {
        let models = &self.comparison.header.models;
        Offers {
            comparison: self.comparison,
            product: self.product,
            compaction: self.compaction,
            compacts_today: self.conversations.compacted().mean_before(),
            apply: self.apply,
            model: (models.first().map_or("", |model| &model.model), self.window),
            total: self.total(),
        }
    }

    /// True if the providers' bills give the sum.
    fn has_bills(&self) -> bool {
        self.comparison.spending.requests > 0
    }

    /// Dollars of all conversations.
    fn total(&self) -> f64 {
        if self.has_bills() { self.comparison.spending.parts.total() } else { self.costs.values().sum() }
    }

    fn heading(&self) -> Vec<String> {
        let number = self.comparison.scenarios as usize;
        let what = if self.product.is_some() { "session" } else { "conversation" };
        let product = self.product.map_or_else(String::new, |product| format!(" of {}", product.title));
        let requests = self.comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        let requests = count(requests as usize, "request");
        let days = self.conversations.span();
        let days = days.map_or_else(String::new, |days| format!(", {}", days_in_words(days)));
        let left_out = match self.conversations.left_out {
            0 => String::new(),
            left_out => {
                let files = grouped(self.conversations.files as u64);
                format!("; {} of {files} files left out", grouped(left_out as u64))
            }
        };
        let agent = self.conversations.agent.as_ref().map(|agent| format!("{agent}: ")).unwrap_or_default();
        let sessions = format!("{agent}{}{product}, {requests}{days}{left_out}", count(number, what));
        let terms = self.comparison.spending.unknown_terms_words();
        [sessions].into_iter().chain(self.sum()).chain(terms).collect()
    }

    /// The sentence on the sum.
    fn sum(&self) -> Option<String> {
        let spending = &self.comparison.spending;
        let model = self.comparison.header.models.first().map(|model| &model.model);
        let total = dollars(self.total());
        if !self.has_bills() {
            return model.filter(|_| self.total() > 0.0).map(|model| {
                format!("Cost at the prices of {model}: about {total}; the logs contain no bills")
            });
        }
        let lacking = match spending.without_output {
            0 => String::new(),
            1 => " (1 answer has no output count in the log)".to_owned(),
            number => format!(" ({} answers have no output count in the logs)", grouped(number)),
        };
        let unconfirmed = spending.unconfirmed_words();
        Some(format!("Cost at API prices: {total}{unconfirmed}{lacking}"))
    }

    /// The rows of the money; none without bills.
    fn money(&self) -> Vec<MoneyRow> {
        let parts = &self.comparison.spending.parts;
        let total = parts.total();
        if !self.has_bills() || total <= 0.0 {
            return Vec::new();
        }
        let again = format!("old text, paid again{}", self.causes(total));
        let rows = [
            (parts.reread, "re-reading the conversation from the cache".to_owned()),
            (parts.new, "new text".to_owned()),
            (parts.paid_again(), again),
            (parts.answers, "answers".to_owned()),
        ];
        let rows = rows.into_iter().filter(|(amount, _)| *amount > 0.0);
        rows.map(|(amount, text)| MoneyRow { dollars: amount, share: amount / total, text }).collect()
    }

    /// `: $13.80 after a break (the cache had expired), $5.32 after an edit`
    fn causes(&self, total: f64) -> String {
        let mut causes: Vec<(MissCause, f64)> =
            self.comparison.spending.parts.again.iter().map(|(cause, amount)| (*cause, *amount)).collect();
        causes.retain(|(_, amount)| *amount >= LEAST_SHARE * total);
        causes.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        causes.truncate(NAMED);
        let mut named = Vec::with_capacity(causes.len() + 1);
        for (cause, amount) in &causes {
            named.push(format!("{} {}", dollars(*amount), in_words(*cause)));
        }
        let known: f64 = causes.iter().map(|(_, amount)| amount).sum();
        let rest = self.comparison.spending.parts.paid_again() - known;
        if !named.is_empty() && rest >= LEAST_REST {
            named.push(format!("{} for other reasons", dollars(rest)));
        }
        if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) }
    }

    /// The most expensive session, if there are several.
    fn dearest(&self) -> Option<String> {
        let cost = |conversation: &Conversation| match self.has_bills() {
            true => conversation.spending.parts.total(),
            false => self.costs.get(&conversation.name).copied().unwrap_or(0.0),
        };
        let mut all: Vec<(&Conversation, f64)> =
            self.conversations.kept().map(|conversation| (conversation, cost(conversation))).collect();
        if all.len() < 2 {
            return None;
        }
        all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let (dearest, cost) = all.into_iter().next().filter(|(_, cost)| *cost > 0.0)?;
        let words =
            dearest.title.as_ref().map_or_else(|| dearest.name.clone(), |title| format!("\"{title}\""));
        let day =
            dearest.days.map_or_else(String::new, |(first, _)| format!(", {}", day_in_words(first, false)));
        Some(format!("{words}{day}, {}, {}", dollars(cost), percent_in_words(cost / self.total())))
    }

    /// The sentence on everything else that the owner could change.
    fn nothing_else(&self, actions: usize) -> Vec<String> {
        let advice = Advice::new(self.comparison);
        if self.comparison.too_little.is_some() && actions == 0 {
            return vec![advice.sentence()];
        }
        match (self.product, actions) {
            (Some(product), 0) => vec![format!(
                "Keep what you have. Nothing that {} lets its owner set saves 1% here.",
                product.title
            )],
            (Some(product), _) => {
                vec![format!("Nothing else that {} lets its owner set saves 1%.", product.title)]
            }
            (None, _) => vec![advice.sentence()],
        }
    }

    /// The sentence on a compaction that saves money but loses too much.
    fn unsafe_compaction(&self) -> Option<String> {
        let offer = self.compaction.filter(|offer| !offer.is_safe)?;
        let limit = percent(Some(self.comparison.header.tolerance.max_short));
        Some(format!(
            "Compacting at {} tokens would save {}, but up to {} of {} answers would lack a fact that they use (now {}); the \
             limit is {limit} more (--max-short).",
            grouped(offer.tokens),
            dollars(offer.saves.0),
            grouped(offer.short),
            grouped(offer.needing),
            grouped(offer.short_today)
        ))
    }

    /// The sentence on the compactions of the logs.
    fn compactions(&self) -> Option<String> {
        let sent = self.comparison.strategy(RECORDED.name())?;
        let compacted = self.conversations.compacted();
        let sizes = compacted.mean_before().zip(compacted.mean_after());
        let sizes = sizes.map_or_else(String::new, |(before, after)| {
            format!(", {} to {} tokens", grouped(before), grouped(after))
        });
        let answers = sent.sums.answers;
        let share = percent((answers.needing > 0).then(|| answers.short as f64 / answers.needing as f64));
        Some(format!(
            "{} so far{sizes}. {} of {} answers ({share}) used a fact although its source was gone (remembered, guessed or read \
             again).",
            count(compacted.number(), "compaction"),
            grouped(answers.short),
            grouped(answers.needing)
        ))
    }

    /// The sentences on the evidence.
    fn evidence(&self, has_actions: bool) -> Vec<String> {
        let advice = Advice::new(self.comparison);
        if self.product.is_none() || !has_actions {
            return Some(advice.certainty()).filter(|text| !text.is_empty()).into_iter().collect();
        }
        let mut evidence = Vec::new();
        if let Some(offer) = self.compaction.filter(|offer| offer.is_safe) {
            let reached = self.conversations.kept().filter(|kept| kept.largest > offer.tokens).count();
            let strength = if reached >= ENOUGH { "Strong" } else { "Weak" };
            evidence.push(format!(
                "{strength} evidence for the size: simulated on {} above {} tokens ({ENOUGH} would do).",
                count(reached, "session"),
                grouped(offer.tokens)
            ));
        }
        if self.comparison.spending.breaks.breaks > 0 {
            evidence.push("Breaks and cache lifetime follow from the bills.".to_owned());
        }
        vec![evidence.join(" ")].into_iter().filter(|text| !text.is_empty()).collect()
    }
}

/// `47%`
fn percent_in_words(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// A cause in words that need no glossary.
fn in_words(cause: MissCause) -> &'static str {
    match cause {
        MissCause::FirstRequest => "in first requests",
        MissCause::Expired => "after breaks (cache expired)",
        MissCause::Compacted => "after compactions",
        MissCause::ModelSwitched => "after a switch of the model",
        MissCause::System => "after a change of the system prompt",
        MissCause::Tools => "after changes of the tools",
        MissCause::Messages | MissCause::Changed => "after edits of earlier text",
        MissCause::NotMarked => "without a cache breakpoint",
        MissCause::ReasoningDropped => "after messages that dropped reasoning",
        MissCause::Cold => "with a cold cache in mid-session",
        MissCause::NotKept => "that the provider did not keep",
    }
}
