//! Builds the first screen of `advise`: heading, costs, actions, evidence and notes.

use std::collections::BTreeMap;

use super::actions::Offers;
use super::clearing::ClearingOffer;
use super::compaction::{Barred, SweepEvidence, SweptCompaction, listed};
use super::conversations::Conversations;
use super::estimate::EstimatedMoney;
use super::limiting::SweptLimits;
use super::sessions::{Sessions, titles};
use super::titles::{day_in_words, days_in_words};
use super::unlogged::Unlogged;
use crate::cli::suite::count;
use crate::compression::{Product, RECORDED};
use crate::measure::numbers::{grouped, percent, percentage};
use crate::report::first_screen::{Action, Basis, FirstScreen, MoneyRow, MoneySplit, dollars, lower_bound};
use crate::report::spending::{LEFT_BY_COMPACTION, MissCause, miss_words};
use crate::report::{Advice, Comparison, TooLittle};

/// Smaller amounts are not mentioned: they would print as $0.00.
const LEAST_REST: f64 = 0.005;
/// Cheaper rows are left out: they would print as $0.0000.
const LEAST_ROW: f64 = 0.000_05;
/// Causes of cache misses named in a row.
const NAMED: usize = 2;
/// Rows in each split of the page; the rest becomes one row.
const SPLIT: usize = 5;
/// Most characters of the most expensive session, to fit on one line of the terminal.
const DEAREST: usize = 60;
/// Explains the measure of losses.
const FACT: &str = "A fact: a name, number or line of earlier text. The answer may still be right.";
/// Causes with a smaller share of the total are not named.
const LEAST_SHARE: f64 = 0.005;

/// The input of [`FirstScreen`].
pub(super) struct ScreenFacts<'s> {
    pub(super) comparison: &'s Comparison,
    pub(super) conversations: &'s Conversations,
    /// The simulated cost of each conversation in dollars, by name.
    pub(super) costs: &'s BTreeMap<String, f64>,
    /// The same by use, for logs without bills.
    pub(super) estimate: EstimatedMoney,
    pub(super) unlogged: Unlogged,
    /// Why predicted costs differ from the bills, if they do.
    pub(super) doubt: Option<String>,
    /// The strategy of ours used in most of the logs, and the number of such logs.
    pub(super) applied: Option<(&'static str, usize)>,
    /// The product or library that wrote the logs, if it is known.
    pub(super) product: Option<&'static Product>,
    /// The name of the program that wrote the logs, if its owner cannot change its code.
    pub(super) program: Option<String>,
    pub(super) limits: SweptLimits,
    pub(super) compaction: SweptCompaction,
    /// Only for agents built with a library.
    pub(super) clearing: Option<ClearingOffer>,
    /// The command that prints the recommended strategy.
    pub(super) apply: Option<&'s str>,
    /// The same for the strategy that saves money only if agents need no more turns with it.
    pub(super) apply_passed_over: Option<&'s str>,
    /// The context window of the model used for prices.
    pub(super) window: u64,
    /// Conversations whose logs have no system prompt.
    pub(super) without_system: u64,
}

impl ScreenFacts<'_> {
    pub(super) fn build_screen(&self) -> FirstScreen {
        let actions = self.offers().actions();
        let (mut notes, mut asides) = (self.nothing_else(&actions), Vec::new());
        // What saves too little matters less than what can be changed.
        if self.program.is_some() && !actions.is_empty() {
            asides.append(&mut notes);
        }
        notes.extend(self.barred_compaction());
        notes.extend(self.barred_limit());
        notes.extend(self.prompt_sentences());
        if names_facts(&actions, &notes) {
            // Without an action, the first note is the answer, which comes first.
            notes.insert(usize::from(actions.is_empty()).min(notes.len()), FACT.to_owned());
        }
        asides.extend(self.compactions_sentence());
        asides.extend(self.in_public(&actions));
        let together = self.savings_together(&actions);
        FirstScreen {
            heading: self.heading_lines(),
            money: self.money_rows(),
            splits: self.money_splits(),
            sessions: titles(self.conversations),
            dearest: self.costliest_session(),
            evidence: self.evidence_sentences(&actions),
            together,
            actions,
            more: 0,
            notes,
            asides,
        }
    }

    /// The cost under another system prompt, if one was requested.
    fn prompt_sentences(&self) -> Vec<String> {
        let mut sentences = self.comparison.prompt_sentences();
        if !sentences.is_empty() && self.without_system > 0 {
            let lacking = grouped(self.without_system);
            let all = grouped(self.comparison.scenarios);
            sentences.push(format!(
                "The logs of {lacking} of {all} conversations have no system prompt: there the text comes on top of what was sent."
            ));
        }
        sentences
    }

    /// How the savings add up. `None` for a single action.
    fn savings_together(&self, actions: &[Action]) -> Option<String> {
        match (actions, find_basis(actions, Basis::Breaks), find_basis(actions, Basis::Lifetime)) {
            ([] | [_], ..) => None,
            // With a longer lifetime, fewer breaks outlast the cache. Those that do need the compaction as before.
            ([_, _], Some(_), Some(lifetime)) => {
                let both = lifetime.saves.0 + self.comparison.spending.breaks.least_beyond_long;
                Some(format!("both: at least {}, since the savings overlap", lower_bound(both)))
            }
            _ => Some("savings overlap: do not add them".to_owned()),
        }
    }

    fn offers(&self) -> Offers<'_> {
        let models = &self.comparison.header.models;
        Offers {
            comparison: self.comparison,
            product: self.product,
            is_program: self.program.is_some(),
            limit: self.limits.offer.as_ref(),
            compaction: self.compaction.offer.as_ref(),
            clearing: self.clearing.as_ref(),
            compacts_today: self.conversations.compacted().mean_before(),
            replaces: self.conversations.compacted().kind(),
            apply: self.apply,
            apply_passed_over: self.apply_passed_over,
            model: (models.first().map_or("", |model| &model.model), self.window),
            total: self.total(),
        }
    }

    /// Returns true if the total comes from the providers' bills, not from the simulation.
    fn has_bills(&self) -> bool {
        self.comparison.spending.requests > 0
    }

    /// Dollars for all conversations.
    fn total(&self) -> f64 {
        if self.has_bills() { self.comparison.spending.parts.total() } else { self.costs.values().sum() }
    }

    fn heading_lines(&self) -> Vec<String> {
        let mut lines = vec![self.sessions_line()];
        lines.extend(self.total_sentence());
        lines.extend(self.not_included());
        // A prediction that is too far off is in the sentence on the evidence.
        if !matches!(self.comparison.too_little, Some(TooLittle::Predicted(_))) {
            lines.extend(self.doubt.clone());
        }
        lines.extend(self.comparison.spending.unknown_terms_words());
        lines
    }

    /// `13 sessions of Claude Code with 1 subagent, 1,534 requests, 29 Nov 2025 to 3 Jul 2026`. With several agents, the name of this
    /// one instead of the program: `claude-code: 13 sessions, 1 subagent, …`.
    fn sessions_line(&self) -> String {
        let agent = self.conversations.agent.as_deref();
        let mut line = match agent {
            Some(agent) => format!("{agent}: "),
            None => String::new(),
        };
        let subagents = self.conversations.number_of_subagents();
        let number = (self.comparison.scenarios as usize).saturating_sub(subagents);
        line += &count(number, self.noun());
        if let (Some(program), None) = (&self.program, agent) {
            line += &format!(" of {program}");
        }
        if subagents > 0 {
            let joined = if agent.is_some() { "," } else { " with" };
            line += &format!("{joined} {}", count(subagents, "subagent"));
        }
        let requests = match self.comparison.strategies.first() {
            Some(strategy) => strategy.sums.requests,
            None => 0,
        };
        line += &format!(", {}", count(requests as usize, "request"));
        if let Some(days) = self.conversations.span() {
            line += &format!(", {}", days_in_words(days));
        }
        // With several agents, it is unknown whose files these are.
        if self.conversations.agent.is_none() {
            line += &self.conversations.logs.left_out_in_words();
        }
        line
    }

    /// The word for a conversation.
    fn noun(&self) -> &'static str {
        if self.program.is_some() { "session" } else { "conversation" }
    }

    /// A sentence on the total cost.
    fn total_sentence(&self) -> Option<String> {
        let spending = &self.comparison.spending;
        let total = dollars(self.total());
        if !self.has_bills() {
            let model = &self.comparison.header.models.first()?.model;
            if self.total() <= 0.0 {
                return None;
            }
            let has_counts = self.conversations.have_bills();
            let lacking = if has_counts { "no cache counts" } else { "no counts per request" };
            return Some(format!("Cost at the prices of {model}: about {total} ({lacking})"));
        }
        let unconfirmed = spending.unconfirmed_words();
        let subscription =
            if self.program.is_some() { " (with a subscription: your use, not your bill)" } else { "" };
        Some(format!("Cost at API prices: {total}{unconfirmed}{subscription}"))
    }

    /// A sentence on what is missing from the total: output without a count, requests and beginnings of sessions missing in the logs, and
    /// conversations without token counts.
    fn not_included(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.has_bills() {
            parts.extend(self.uncounted_output());
            if self.unlogged.dollars() >= LEAST_REST {
                let least = dollars(self.unlogged.dollars());
                parts.push(format!("at least {least} for requests missing in the logs"));
            }
            let without = self.conversations.number_without_counts();
            if without > 0 {
                parts.push(format!("{} without token counts", count(without, self.noun())));
            }
        }
        // The notes of several agents are not sorted by agent.
        if self.conversations.agent.is_none() {
            let tallies = &self.conversations.logs.notes.tallies;
            if tallies.late_starts.sessions > 0 {
                let sessions = count(tallies.late_starts.sessions as usize, self.noun());
                parts.push(format!("the beginning of {sessions}"));
            }
            if tallies.missing_calls.number > 0 {
                let number = count(tallies.missing_calls.number as usize, "request");
                parts.push(format!("{number} with a bill alone"));
            }
        }
        if parts.is_empty() { None } else { Some(format!("Not included: {}", parts.join("; "))) }
    }

    /// `$4.76 to $10.03 for 694 requests without an output count`
    fn uncounted_output(&self) -> Option<String> {
        let spending = &self.comparison.spending;
        let requests = spending.without_output;
        if requests == 0 {
            return None;
        }
        let [least, most] = [spending.uncounted_output.least, spending.uncounted_output.most].map(dollars);
        let range = if least == most { least } else { format!("{least} to {most}") };
        if requests == spending.requests {
            return Some(format!("{range} for the answers: no request has an output count"));
        }
        Some(format!("{range} for {} without an output count", count(requests as usize, "request")))
    }

    /// The rows of the cost table. Empty without bills.
    fn money_rows(&self) -> Vec<MoneyRow> {
        let parts = &self.comparison.spending.parts;
        let total = parts.total();
        if !self.has_bills() {
            return self.estimate.rows();
        }
        if total <= 0.0 {
            return Vec::new();
        }
        let again = format!("earlier text that was no longer cached{}", self.causes_in_words(total));
        let mut rows = vec![
            (parts.reread, "re-reading the conversation from the cache".to_owned()),
            (parts.new, "new text: messages and tool results".to_owned()),
            (parts.paid_again(), again),
            (parts.answers, "answers".to_owned()),
            (parts.summaries, "summaries for compactions".to_owned()),
        ];
        rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut shown = Vec::with_capacity(rows.len());
        for (amount, text) in rows {
            if amount >= LEAST_ROW {
                shown.push(MoneyRow { dollars: amount, share: amount / total, text });
            }
        }
        shown
    }

    /// The total by session, by model and by day. Splits with one row are left out.
    fn money_splits(&self) -> Vec<MoneySplit> {
        let mut splits = Vec::new();
        if self.has_bills() {
            let mut sessions = Vec::new();
            for session in self.sessions().by_cost() {
                sessions.push((session.name(), session.dollars));
            }
            splits.push(self.split_total("By session", sessions));
            let spending = &self.comparison.spending;
            let mut models = Vec::new();
            for (model, dollars) in &spending.by_model {
                models.push((model.clone(), *dollars));
            }
            splits.push(self.split_total("By model", most_expensive_first(models)));
            let mut days = Vec::new();
            for (day, dollars) in &spending.by_day {
                days.push((day_in_words(*day, true), *dollars));
            }
            // The most expensive days deserve a look.
            splits.push(self.split_total("By day, most expensive first", most_expensive_first(days)));
        }
        splits.retain(|split| split.rows.len() > 1);
        splits
    }

    /// The largest parts, with all others summed in one row.
    fn split_total(&self, title: &str, parts: Vec<(String, f64)>) -> MoneySplit {
        let total = self.total().max(f64::MIN_POSITIVE);
        let (mut rows, mut others, mut rest) = (Vec::new(), 0, 0.0);
        for (index, (text, dollars)) in parts.into_iter().enumerate() {
            if index >= SPLIT {
                others += 1;
                rest += dollars;
            } else if dollars > 0.0 {
                rows.push(MoneyRow { dollars, share: dollars / total, text });
            }
        }
        if rest > 0.0 {
            rows.push(MoneyRow {
                dollars: rest,
                share: rest / total,
                text: format!("{} others", grouped(others)),
            });
        }
        MoneySplit { title: title.to_owned(), rows }
    }

    /// `: $13.80 after a break (the cache had expired), $5.32 after an edit`
    fn causes_in_words(&self, total: f64) -> String {
        let mut causes = Vec::new();
        for (cause, amount) in &self.comparison.spending.parts.again {
            if *amount >= LEAST_SHARE * total {
                causes.push((*cause, *amount));
            }
        }
        causes.sort_by(|(_, one): &(MissCause, f64), (_, other)| other.total_cmp(one));
        let (mut named, mut known) = (Vec::with_capacity(NAMED + 1), 0.0);
        for (cause, amount) in causes.into_iter().take(NAMED) {
            named.push(format!("{} {}", dollars(amount), miss_words(cause)));
            known += amount;
        }
        let rest = self.comparison.spending.parts.paid_again() - known;
        if !named.is_empty() && rest >= LEAST_REST {
            named.push(format!("{} for other reasons", dollars(rest)));
        }
        if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) }
    }

    /// The most expensive session, if there is more than one.
    fn costliest_session(&self) -> Option<String> {
        let all = self.sessions().by_cost();
        if all.len() < 2 {
            return None;
        }
        let dearest = all.into_iter().next()?;
        if dearest.dollars <= 0.0 {
            return None;
        }
        let share = percent_in_words(dearest.dollars / self.total());
        let amount = format!("{}, {share}", dollars(dearest.dollars));
        let with_size = format!("{}: {amount}", dearest.name());
        // Leave the size out of a long line: the page lists it for every session.
        let fits = with_size.chars().count() <= DEAREST;
        let mut line = if fits { with_size } else { format!("{}: {amount}", dearest.words()) };
        if let Some(log) = dearest.log_behind_title() {
            line += &format!(" ({log})");
        }
        Some(line)
    }

    /// The sessions with their dollars: those of the bills, or else the simulated ones.
    fn sessions(&self) -> Sessions<'_> {
        let costs = if self.has_bills() { None } else { Some(self.costs) };
        Sessions::of(self.conversations.all.iter(), costs)
    }

    /// A sentence on everything else tested.
    fn nothing_else(&self, actions: &[Action]) -> Vec<String> {
        let advice = Advice::new(self.comparison);
        if let (Some(too_little), []) = (self.comparison.too_little, actions) {
            // The owner of a program can switch on no strategy, so its sentence names none.
            let Some(program) = &self.program else { return vec![advice.sentence()] };
            let mut sentence = too_little.sentence();
            if let Some(tried) = self.tried_settings(program, actions) {
                sentence += " ";
                sentence += &tried;
            }
            return vec![sentence];
        }
        match (&self.program, actions) {
            (Some(program), _) => self.tried_settings(program, actions).into_iter().collect(),
            (None, []) if self.comparison.too_little.is_none() && self.running_strategy().is_some() => {
                self.running_strategy().into_iter().collect()
            }
            // A swept size is not one of the strategies compared in `advice.sentence()`.
            // The evidence says the same.
            (None, [_, ..]) if matches!(self.comparison.too_little, Some(TooLittle::OneRun)) => Vec::new(),
            (None, [_, ..]) if self.keeps_baseline(&advice) => {
                vec!["Nothing else tested is both cheaper and safe.".to_owned()]
            }
            (None, _) => vec![advice.sentence()],
        }
    }

    /// A sentence on the strategy of ours already used by the agent.
    fn running_strategy(&self) -> Option<String> {
        let (name, logs) = self.applied?;
        let baseline = self.comparison.header.baseline.as_str();
        if name == baseline {
            return None;
        }
        let strategy = self.comparison.strategy(name)?;
        let difference = strategy.costs.first()?.ratio? - 1.0;
        let saves = if difference > 0.0 { "costs" } else { "saves" };
        let than = if difference > 0.0 { "more than" } else { "against" };
        let answers = strategy.sums.answers;
        Some(format!(
            "Your agent runs {name} already ({} of {} logs). It {saves} {} {than} {baseline}; {} of {} answers lacked a fact \
             that they use.",
            grouped(logs as u64),
            grouped(self.comparison.scenarios),
            percent(Some(difference.abs())),
            grouped(answers.short),
            grouped(answers.needing)
        ))
    }

    /// `Not recommended, since it saves less than 1%: a cheaper model for subagents.` Leaves out untested settings.
    fn tried_settings(&self, program: &str, actions: &[Action]) -> Option<String> {
        let Some(product) = self.product.filter(has_settings) else {
            return Some(format!(
                "{program} has no setting that ptc-eval knows. Begin a new session for each task: a shorter history is re-read for less."
            ));
        };
        let mut tried = Vec::new();
        if let (Some((least, most)), None) = (self.compaction.tried, &self.compaction.offer) {
            let [least, most] = [least, most].map(grouped);
            tried.push(match least == most {
                true => format!("compacting at {least} tokens"),
                false => format!("compacting at {least} to {most} tokens"),
            });
        }
        if let (Some(limit), None) = (self.limits.tried, &self.limits.offer)
            && let (Some(most), Some(least)) = (limit.values.first(), limit.values.last())
        {
            let [least, most] = [*least, *most].map(u64::from).map(grouped);
            tried.push(format!("cutting {} at {least} to {most} {}", limit.what, limit.unit));
        }
        let spending = &self.comparison.spending;
        if product.breaks.is_some() && self.has_bills() && find_basis(actions, Basis::Breaks).is_none() {
            tried.push("a compaction before breaks".to_owned());
        }
        if product.keeps_cache.is_some()
            && spending.with_long.is_some()
            && find_basis(actions, Basis::Lifetime).is_none()
        {
            tried.push("a longer cache".to_owned());
        }
        if product.subagents.is_some()
            && spending.subagents.calls > 0
            && find_basis(actions, Basis::Subagents).is_none()
        {
            tried.push("a cheaper model for subagents".to_owned());
        }
        match (tried.as_slice(), actions) {
            // `barred_compaction` already mentions the compaction tried here.
            ([], _) if self.compaction.offer.is_some() || self.limits.offer.is_some() => None,
            ([], []) => Some(format!("No setting of {program} could be tried on these logs.")),
            ([], _) => Some(format!("No other setting of {program} was tried.")),
            (tried, []) => {
                Some(format!("Keep what you have. Tried, but saves less than 1%: {}.", tried.join(", ")))
            }
            (tried, _) => {
                Some(format!("Not recommended, since it saves less than 1%: {}.", tried.join(", ")))
            }
        }
    }

    /// A sentence on public experiments with the recommended settings.
    fn in_public(&self, actions: &[Action]) -> Option<String> {
        if let Some(offer) = &self.compaction.offer
            && find_basis(actions, Basis::Compaction).is_some()
        {
            return offer.in_public.clone();
        }
        find_basis(actions, Basis::Clearing)?;
        self.clearing.as_ref()?.in_public.clone()
    }

    /// Returns true if no strategy is better than the baseline.
    fn keeps_baseline(&self, advice: &Advice<'_>) -> bool {
        matches!(advice.recommended, Some(chosen) if chosen.name == self.comparison.header.baseline)
    }

    /// A sentence on a limit with savings that loses too much.
    fn barred_limit(&self) -> Option<String> {
        let offer = self.limits.offer.as_ref()?;
        if offer.is_admitted {
            return None;
        }
        Some(format!(
            "Not recommended: cutting {} at {} {} saves {}, but {}",
            offer.limit.what,
            grouped(offer.value.into()),
            offer.limit.unit,
            dollars(self.offers().of_total(offer.saves, offer.today).0),
            self.too_many_short("", offer.short, offer.needing, offer.short_today)
        ))
    }

    /// A sentence on a compaction with savings but a reason not to offer it.
    fn barred_compaction(&self) -> Option<String> {
        let offer = self.compaction.offer.as_ref()?;
        let saving = format!(
            "Not recommended: compacting at {} tokens saves {}, but",
            grouped(offer.tokens),
            dollars(self.offers().of_total(offer.saves, offer.today).0)
        );
        let limit = percentage(self.comparison.header.tolerance.max_short);
        Some(match offer.barred.as_ref()? {
            Barred::Loss => {
                let short = self.too_many_short("up to ", offer.short, offer.needing, offer.short_today);
                format!("{saving} {short}")
            }
            Barred::Public(reason) => format!("{saving} {reason} (--max-short {limit} allows it)."),
        })
    }

    /// `up to 237 of 1,203 answers would lack text they use (43 today; limit 103: 5% of all more).`
    fn too_many_short(&self, bound: &str, short: u64, needing: u64, now: u64) -> String {
        let max_short = self.comparison.header.tolerance.max_short;
        let allowed = now + (needing as f64 * max_short) as u64;
        let now = if now > 0 { format!("{} today; ", grouped(now)) } else { String::new() };
        let more = percentage(max_short);
        let [short, needing, allowed] = [short, needing, allowed].map(grouped);
        format!(
            "{bound}{short} of {needing} answers would lack text they use ({now}limit {allowed}: {more} of all more)."
        )
    }

    /// A sentence on compactions in the logs.
    fn compactions_sentence(&self) -> Option<String> {
        let sent = self.comparison.strategy(RECORDED.name())?;
        let compacted = self.conversations.compacted();
        let sizes = match (compacted.mean_before(), compacted.mean_after()) {
            (Some(before), Some(after)) => {
                format!(", from {} to {} tokens on average", grouped(before), grouped(after))
            }
            _ => String::new(),
        };
        let own = self.conversations.own_lines().sentence(self.conversations.all.len());
        let so_far = match (compacted.number(), own) {
            (_, Some(own)) => own.trim_end_matches('.').to_owned(),
            (0, None) => "The agent shortens its history itself".to_owned(),
            (number, None) => format!("{} so far{sizes}", count(number, "compaction")),
        };
        let answers = sent.sums.answers;
        let share =
            if answers.needing == 0 { None } else { Some(answers.short as f64 / answers.needing as f64) };
        let share = percent(share);
        Some(format!(
            "{so_far}. {} of {} answers ({share}) used a fact no longer sent (remembered, guessed or read again).",
            grouped(answers.short),
            grouped(answers.needing)
        ))
    }

    /// The sentences on the evidence.
    fn evidence_sentences(&self, actions: &[Action]) -> Vec<String> {
        let text = match actions {
            [] | [Action { basis: Basis::Strategy, .. }] => Advice::new(self.comparison).certainty(),
            actions => {
                let mut evidence = self.simulated_evidence(actions);
                evidence.extend(self.counted_evidence(actions));
                evidence.join(" ")
            }
        };
        if text.is_empty() { Vec::new() } else { vec![text] }
    }

    /// The sentences on actions whose saving is computed from the token counts of the logs.
    fn counted_evidence(&self, actions: &[Action]) -> Option<String> {
        let (mut counted, mut breaks, mut subagents) = (Vec::new(), None, None);
        for (number, action) in (1..).zip(actions) {
            match action.basis {
                Basis::Breaks => breaks = Some(number),
                Basis::Subagents => subagents = Some(number),
                Basis::Counts | Basis::Lifetime => counted.push(number),
                Basis::Compaction
                | Basis::Clearing
                | Basis::OutputLimit
                | Basis::Strategy
                | Basis::PassedOver => {}
            }
        }
        let [most, least] = LEFT_BY_COMPACTION.map(grouped);
        // One sentence for all: a crowded screen leaves out the next sentence, but no evidence.
        let mut parts = Vec::new();
        match (listed(&counted), breaks.or(subagents)) {
            (counted, _) if counted.is_empty() => {}
            (counted, None) => parts.push(format!("Strong evidence for {counted}: token counts")),
            (counted, Some(_)) => parts.push(format!("Strong evidence for {counted} (token counts)")),
        }
        match breaks {
            None => {}
            Some(number) if parts.is_empty() => {
                parts
                    .push(format!("Saving {number} assumes that compactions leave {least} to {most} tokens"));
            }
            Some(number) => parts.push(format!("{number} assumes that {least}-{most} tokens stay")),
        }
        if let Some(number) = subagents {
            let saving = if parts.is_empty() { "Saving " } else { "" };
            parts.push(format!("{saving}{number} assumes as many tokens with the other model"));
        }
        if parts.is_empty() {
            return None;
        }
        Some(format!("{}. Whether it holds: ptc-eval effect BEFORE AFTER.", parts.join("; ")))
    }

    /// Sentences on the evidence for simulated actions, one for all with the same evidence.
    fn simulated_evidence(&self, actions: &[Action]) -> Vec<String> {
        let mut all: Vec<(SweepEvidence, Vec<usize>)> = Vec::new();
        for (number, action) in (1..).zip(actions) {
            let Some(evidence) = self.evidence_of(action.basis) else { continue };
            match all.iter_mut().find(|(known, _)| *known == evidence) {
                Some((_, numbers)) => numbers.push(number),
                None => all.push((evidence, vec![number])),
            }
        }
        let mut sentences = Vec::with_capacity(all.len());
        for (evidence, numbers) in &all {
            sentences.push(evidence.sentence(numbers));
        }
        sentences
    }

    /// The evidence for a simulated action. `None` for one that is computed from the token counts.
    fn evidence_of(&self, basis: Basis) -> Option<SweepEvidence> {
        Some(match basis {
            Basis::Compaction => self.compaction.offer.as_ref()?.evidence.clone(),
            Basis::Clearing => self.clearing.as_ref()?.evidence.clone(),
            Basis::OutputLimit => self.limits.offer.as_ref()?.evidence.clone(),
            Basis::PassedOver => {
                SweepEvidence::Weak("with the most turns of public runs it saves nothing.".to_owned())
            }
            Basis::Strategy => SweepEvidence::of(self.comparison, &[self.comparison.recommended?]),
            Basis::Counts | Basis::Breaks | Basis::Lifetime | Basis::Subagents => return None,
        })
    }
}

fn find_basis(actions: &[Action], basis: Basis) -> Option<&Action> {
    actions.iter().find(|action| action.basis == basis)
}

fn has_settings(product: &&Product) -> bool {
    product.has_settings()
}

/// Returns true if the text on losses speaks of facts, which needs an explanation.
fn names_facts(actions: &[Action], notes: &[String]) -> bool {
    let is_named = |text: &String| text.contains("a fact");
    actions.iter().any(|action| is_named(&action.loses)) || notes.iter().any(is_named)
}

fn most_expensive_first(mut parts: Vec<(String, f64)>) -> Vec<(String, f64)> {
    parts.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    parts
}

/// `47%`
fn percent_in_words(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}
