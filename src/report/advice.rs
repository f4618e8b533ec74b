//! The advice of a comparison as sentences: which strategy to use, how strong the evidence is, and the
//! caveats.

use serde_json::{Value, json};

use super::advice_words::{change_in_words, decisive_cost, first_cost, more_tasks, share_of, words_of_costs};
use super::cliffs::Cliff;
use super::comparison::{Comparison, StrategyComparison};
use super::public;
use super::recommend::tie;
use super::tables::name;
use super::walk::TASKS;
use crate::measure::numbers::{cheaper, dollars, grouped, percentage, signed_percent};

/// Stands above the recommendation for a suite.
pub const COMPARED: &str = "Compared: ways to shorten the agent's history. No model was called.";
/// Sentences without numbers. The page composes them anew for another model or limit.
const CHANGES_LESS: &str = " It is within 1 point of the cheapest and changes less.";
const NOTHING_TO_COMPARE: &str = "there is nothing to compare it with";
const NONE_CHEAPER: &str = "no strategy makes these runs cheaper";
const CACHE_LOST: &str = "fewer tokens cost more here, since what changes is not read from the cache";
const MORE_TOKENS: &str = "every other strategy sends more tokens";
const OTHER_CHOICE: &str = "other runs may lead to another choice. Add runs.";
const MILDER_LOSES: &str =
    "other runs may save nothing, or a milder setting of its kind loses too much. Add runs.";
const TOO_CLOSE: &str = "That is too close to the limit for more runs to help.";
/// Agents with masked results took this many times the turns in some public runs.
const TWICE: f64 = 2.0;
/// The most strategies named in one sentence; the rest are counted.
const LISTED: usize = 3;

/// A comparison and its recommended strategy.
pub struct Advice<'c> {
    pub(super) comparison: &'c Comparison,
    pub(super) baseline: Option<&'c StrategyComparison>,
    /// All but the baseline, cheapest first; strategies without all requests come last.
    others: Vec<&'c StrategyComparison>,
    /// `None` if there is too little data. The baseline if nothing cheaper has few enough answers missing a fact.
    pub recommended: Option<&'c StrategyComparison>,
}

impl<'c> Advice<'c> {
    /// Takes the recommendation from the comparison.
    pub fn new(comparison: &'c Comparison) -> Advice<'c> {
        let baseline = comparison.strategy(&comparison.header.baseline);
        let mut others: Vec<&StrategyComparison> = Vec::new();
        for (index, strategy) in comparison.strategies.iter().enumerate() {
            if strategy.name != comparison.header.baseline && comparison.header.prompt(index).is_none() {
                others.push(strategy);
            }
        }
        others.sort_by_key(|strategy| {
            let (is_partial, is_rejected) = match baseline {
                Some(baseline) => (!strategy.is_whole(baseline), strategy.is_rejected(baseline)),
                None => (false, false),
            };
            (is_partial, is_rejected, strategy.whole_cost())
        });
        let chosen = comparison.strategy_at(comparison.recommended);
        let recommended = if comparison.too_little.is_none() { chosen.or(baseline) } else { None };
        Advice { comparison, baseline, others, recommended }
    }

    /// The recommendation, with a reason when it is the baseline or nothing.
    pub fn sentence(&self) -> String {
        let tolerance = self.comparison.header.bounds().in_words(&self.comparison.header.baseline);
        let baseline = &self.comparison.header.baseline;
        match (self.comparison.too_little, self.recommended) {
            (Some(too_little), _) if too_little.names_cheapest() => {
                format!("{} {}", too_little.sentence(), self.cheapest_sentence(&tolerance))
            }
            (Some(too_little), _) => too_little.sentence(),
            (None, Some(strategy)) if strategy.name != *baseline => {
                let choice = if self.comparison.is_strong { "Use" } else { "Try" };
                let loss = self.loss_words(strategy);
                let rest = match self.is_cheapest(strategy) {
                    true => "",
                    false => CHANGES_LESS,
                };
                format!("{choice} {}: it {}. {loss}{rest}", strategy.name, self.saving_words(strategy))
            }
            (None, _) => format!("Keep {baseline}: {}.", self.why_nothing_else()),
        }
    }

    /// `costs 45.3% less than full-history with gpt-6.1-sol (23.4% less if the agent takes 1.4 times the turns, the most published for
    /// a similar method)`
    fn saving_words(&self, strategy: &StrategyComparison) -> String {
        let Some(baseline) = self.baseline else { return String::new() };
        let (cost, whole) = (decisive_cost(strategy), decisive_cost(baseline));
        let (verb, less, more) = words_of_costs(strategy);
        let change = change_in_words(cost / whole, (less, more));
        let turns = self.comparison.header.most_turns(self.comparison.index(strategy));
        let range = match turns {
            1.0 => String::new(),
            turns => {
                let most = change_in_words(cost * turns / whole, (less, more));
                format!(" ({most} {})", self.at_most_turns(strategy))
            }
        };
        format!("{verb} {change} than {}{}{range}", baseline.name, self.with_model())
    }

    /// ` with gpt-6.1-sol`, if there are prices of several models: the first one decides.
    fn with_model(&self) -> String {
        match self.comparison.header.models.as_slice() {
            [first, _, ..] => format!(" with {}", first.model),
            _ => String::new(),
        }
    }

    /// `if the agent takes 1.4 times the turns, the most published for summaries`
    fn at_most_turns(&self, strategy: &StrategyComparison) -> String {
        let (header, index) = (&self.comparison.header, self.comparison.index(strategy));
        let (turns, source) = (header.most_turns(index), header.source_of_turns(index));
        format!("if the agent takes {turns} times the turns, {source}")
    }

    /// `For 47 of 1,226 answers (4%) the request would lack a fact that the answer uses; the limit is 2%.`
    fn loss_words(&self, strategy: &StrategyComparison) -> String {
        let standing = strategy.standings.first;
        format!(
            "For {} of {} answers ({}) the request would lack a fact that the answer uses; the limit is {}.",
            grouped(standing.short),
            grouped(standing.needing),
            share_of(standing.short, standing.needing),
            self.limit_words()
        )
    }

    /// `5%, the default (--max-short)`, `2% more than with as-recorded`
    fn limit_words(&self) -> String {
        let header = &self.comparison.header;
        let mut limit = percentage(header.tolerance.max_short);
        if header.bounds().baseline_was_sent {
            limit += &format!(" more than with {}", header.baseline);
        }
        if !header.tolerance.takes_any_kind {
            limit += ", the default (--max-short)";
        }
        limit
    }

    /// Returns true if every other admissible strategy costs at least as much.
    fn is_cheapest(&self, chosen: &StrategyComparison) -> bool {
        let Some(baseline) = self.baseline else { return false };
        for rival in &self.comparison.strategies {
            if self.is_admissible(rival, baseline)
                && self.cost_that_decides(rival) < self.cost_that_decides(chosen)
            {
                return false;
            }
        }
        true
    }

    fn is_admissible(&self, strategy: &StrategyComparison, baseline: &StrategyComparison) -> bool {
        let header = &self.comparison.header;
        let index = self.comparison.index(strategy);
        strategy.course.cliff.is_none()
            && header.prompt(index).is_none()
            && header.supports(index)
            && header.bounds().admit(&strategy.standings.first, &baseline.standings.first)
            && strategy.is_complete(baseline)
    }

    /// The cost at the expected maximum of turns. Choices are made by it.
    fn cost_that_decides(&self, strategy: &StrategyComparison) -> u128 {
        let turns = self.comparison.header.most_turns_in_hundredths(self.comparison.index(strategy));
        strategy.standings.first.at_turns(turns).cost
    }

    /// Names the cheapest strategy when none is recommended.
    fn cheapest_sentence(&self, tolerance: &str) -> String {
        let bound = match self.needing_answers() {
            0 => String::new(),
            _ => format!(" with at most {tolerance}"),
        };
        if let (Some(cheapest), Some(baseline)) =
            (self.comparison.strategy_at(self.comparison.cheapest), self.baseline)
        {
            let (cost, whole) = (cheapest.standings.first.cost, baseline.standings.first.cost);
            if cost < whole {
                let change = signed_percent(cost as f64 / whole as f64 - 1.0);
                return format!("Cheapest{bound}: {} ({change}).", cheapest.name);
            }
        }
        format!("No strategy{bound} is cheaper.")
    }

    fn why_nothing_else(&self) -> String {
        let Some(baseline) = self.baseline else {
            return NOTHING_TO_COMPARE.to_owned();
        };
        // A strategy with missing requests only seems cheaper.
        let mut whole = self.others.clone();
        whole.retain(|strategy| strategy.is_whole(baseline));
        // The strategies are sorted by another cost: that of all runs, duplicates included.
        let Some(cheapest) = whole.iter().map(|strategy| strategy.standings.first.cost).min() else {
            return NOTHING_TO_COMPARE.to_owned();
        };
        if let Some((strategy, _)) = self.unmeasured_strategy() {
            return format!("few runs show what {} costs on longer ones", strategy.name);
        }
        let (base, bounds) = (baseline.standings.first, self.comparison.header.bounds());
        if let Some(barred) = self.barred_sentence() {
            return barred;
        }
        let mut saving = whole.clone();
        saving.retain(|strategy| strategy.standings.first.saves(&base, bounds.tolerance));
        match saving.into_iter().min_by_key(|strategy| strategy.standings.first.short) {
            Some(strategy) if strategy.sums.over_window > baseline.sums.over_window => {
                format!("{}, which costs less, is over the window", strategy.name)
            }
            Some(strategy) if !strategy.is_complete(baseline) => {
                format!("the API would reject requests of {}, which costs less", strategy.name)
            }
            Some(strategy) => format!(
                "nothing tested is both cheaper and safe. Nearest: {} saves {}, but for {} of {} answers ({}) the request would \
                 lack a fact that the answer uses; the limit is {}",
                strategy.name,
                percentage(1.0 - strategy.standings.first.cost as f64 / base.cost.max(1) as f64),
                grouped(strategy.standings.first.short),
                grouped(strategy.standings.first.needing),
                share_of(strategy.standings.first.short, strategy.standings.first.needing),
                self.limit_words(),
            ),
            None if cheapest < base.cost => format!("nothing is {}", cheaper(bounds.tolerance.min_saving)),
            None if cheapest == base.cost => NONE_CHEAPER.to_owned(),
            None if whole.iter().any(|strategy| strategy.sums.input_tokens < baseline.sums.input_tokens) => {
                CACHE_LOST.to_owned()
            }
            None => MORE_TOKENS.to_owned(),
        }
    }

    fn needing_answers(&self) -> u64 {
        match self.baseline {
            Some(baseline) => baseline.standings.first.needing,
            None => 0,
        }
    }

    /// How strong the evidence for the choice is, and how many more runs would make it strong.
    pub fn certainty(&self) -> String {
        if let Some(too_little) = self.comparison.too_little {
            return too_little.remedy();
        }
        let (Some(chosen), Some(baseline)) = (self.recommended, self.baseline) else { return String::new() };
        let (proof, is_kept) = (&self.comparison.proof, chosen.name == baseline.name);
        let sure = self.confidence_words();
        match self.comparison.is_strong {
            true if is_kept => {
                let limit = percentage(self.comparison.header.tolerance.max_short);
                format!(
                    "Strong evidence: on other runs, too, everything tested saves too little or leaves over {limit} of answers \
                     without a fact ({sure})."
                )
            }
            true => format!(
                "Strong evidence: on other runs like these at most {} of answers would lack a fact ({sure}).",
                percentage(self.upper_bound(chosen))
            ),
            false if !proof.has_enough_tasks => format!("Weak evidence: {}", self.few_tasks()),
            false if is_kept => format!("Weak evidence: {OTHER_CHOICE}"),
            false if !proof.is_tested(self.comparison.index(chosen)) => {
                let changed = proof.changed.get(self.comparison.index(chosen)).copied().unwrap_or(0);
                format!(
                    "Weak evidence: {} changed {} of {} runs. Add longer runs.",
                    chosen.name,
                    grouped(changed),
                    grouped(proof.runs)
                )
            }
            false => format!("Weak evidence: {}", self.why_unproven(chosen, &sure)),
        }
    }

    /// Why there is no strong evidence for the strategy at this index; `None` if there is.
    pub fn weakness(&self, index: usize) -> Option<String> {
        let (comparison, proof) = (self.comparison, &self.comparison.proof);
        let strategy = comparison.strategies.get(index)?;
        if !proof.has_enough_tasks {
            return Some(self.few_tasks());
        }
        if !proof.is_tested(index) {
            let changed = grouped(proof.changed.get(index).copied().unwrap_or(0));
            return Some(format!("it changed {changed} of {} runs. Add longer runs.", grouped(proof.runs)));
        }
        let mut standings = Vec::with_capacity(comparison.strategies.len());
        for strategy in &comparison.strategies {
            standings.push(strategy.standings.first);
        }
        let baseline = comparison.header.baseline_index();
        let passed = proof.passed(&standings, baseline, comparison.header.bounds());
        if passed.get(index) == Some(&true) && proof.saves(index) {
            return None;
        }
        Some(self.why_unproven(strategy, &self.confidence_words()))
    }

    /// `at most 4.1% of answers would lack a fact (95% confidence)`
    pub fn proven_loss(&self, index: usize) -> Option<String> {
        let upper = self.upper_bound(self.comparison.strategies.get(index)?);
        Some(format!(
            "at most {} of answers would lack a fact ({})",
            percentage(upper),
            self.confidence_words()
        ))
    }

    /// The words with which the page composes the advice for another model or limit.
    pub(super) fn words(&self) -> Value {
        json!({
            "changes_less": CHANGES_LESS,
            "nothing_to_compare": NOTHING_TO_COMPARE,
            "none_cheaper": NONE_CHEAPER,
            "cache_lost": CACHE_LOST,
            "more_tokens": MORE_TOKENS,
            "other_choice": OTHER_CHOICE,
            "milder_loses": MILDER_LOSES,
            "too_close": TOO_CLOSE,
            "few_tasks": self.few_tasks(),
            "sure": self.confidence_words(),
            "cheaper": cheaper(self.comparison.header.tolerance.min_saving),
        })
    }

    /// `97.5% confidence`
    fn confidence_words(&self) -> String {
        format!("{}% confidence", (1.0 - self.comparison.proof.error()) * 100.0)
    }

    /// Why there is no strong evidence for a strategy tested by these runs.
    fn why_unproven(&self, strategy: &StrategyComparison, sure: &str) -> String {
        let upper = self.upper_bound(strategy);
        if upper <= self.comparison.header.tolerance.max_short {
            return MILDER_LOSES.to_owned();
        }
        format!(
            "on other runs up to {} of answers may lack a fact, above the limit ({sure}). {}",
            percentage(upper),
            self.runs_to_settle(strategy)
        )
    }

    fn few_tasks(&self) -> String {
        match self.comparison.proof.tasks {
            1 => format!("all runs are of one task. {}", more_tasks(1)),
            tasks if tasks < TASKS => format!("the runs are of {tasks} tasks. {}", more_tasks(tasks)),
            tasks => {
                format!("few of {tasks} tasks have most of the answers. Log other tasks and run this again.")
            }
        }
    }

    /// The upper bound for the share of answers missing a fact on other runs.
    fn upper_bound(&self, strategy: &StrategyComparison) -> f64 {
        let base = &self.baseline.unwrap_or(strategy).standings.first;
        let bounds = self.comparison.header.bounds();
        self.comparison.proof.upper_bound(&strategy.standings.first, base, bounds)
    }

    /// `About 48 more runs like these 12 would be enough for strong evidence.`
    fn runs_to_settle(&self, strategy: &StrategyComparison) -> String {
        let base = &self.baseline.unwrap_or(strategy).standings.first;
        let proof = &self.comparison.proof;
        match proof.runs_to_prove(&strategy.standings.first, base, self.comparison.header.bounds()) {
            Some(runs) => {
                let more = grouped(runs.saturating_sub(proof.runs));
                format!(
                    "About {more} more runs like these {} would be enough for strong evidence.",
                    grouped(proof.runs)
                )
            }
            None => TOO_CLOSE.to_owned(),
        }
    }

    /// The caveats of the choice.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let bounds = self.further().into_iter().chain(self.not_recommended()).chain(self.untested());
        let bounds =
            bounds.chain(self.passed_over()).chain(self.in_public()).chain(self.forgotten_sentence());
        let bounds = bounds.chain(self.doubtful_sentence()).chain(self.loss_by_summaries());
        let bounds = bounds.chain(self.own_calls()).chain(self.marks()).chain(self.copies());
        bounds.chain(self.comparison.prompt_sentences())
    }

    /// The notes that can change a decision, for a screen. [`Advice::notes`] has all.
    pub fn deciding_notes(&self) -> Vec<String> {
        let mut notes = Vec::from_iter(self.at_twice_the_turns());
        notes.extend(self.further());
        notes.extend(self.not_recommended());
        notes.extend(self.untested());
        notes.extend(self.passed_over());
        notes.extend(self.forgotten_sentence());
        notes.extend(self.needed_marks());
        notes.extend(self.own_calls());
        notes.extend(self.copies());
        notes.extend(self.comparison.prompt_sentences());
        notes
    }

    /// The cost of the recommended strategy at twice the turns. `None` if it leaves nothing out, or if the user measured the turns or
    /// the recommendation already assumes as many.
    fn at_twice_the_turns(&self) -> Option<String> {
        let (strategy, baseline, header) = (self.recommended?, self.baseline?, &self.comparison.header);
        let turns = header.most_turns(self.comparison.index(strategy));
        if header.tolerance.turns.is_some() || turns <= 1.0 || turns >= TWICE {
            return None;
        }
        let [cost, whole] = [strategy, baseline].map(|strategy| strategy.standings.first.cost.max(1) as f64);
        let (verb, less, more) = words_of_costs(strategy);
        let change = change_in_words(TWICE * cost / whole, (less, more));
        Some(format!(
            "At twice the turns (published for masking at each turn), {} {verb} {change}.",
            strategy.name
        ))
    }

    /// The change of cost with a client's usual cache breakpoints, if the recommended strategy saves nothing with them.
    fn needed_marks(&self) -> Option<String> {
        let (strategy, baseline) = (self.recommended?, self.baseline?);
        if !strategy.needs_marks(baseline, self.comparison.header.bounds().tolerance) {
            return None;
        }
        let change = change_in_words(1.0 + strategy.with_usual_marks(baseline)?, ("less", "more"));
        Some(format!(
            "With cache breakpoints only after the system prompt and the last message, {} costs {change}.",
            strategy.name
        ))
    }

    /// A strategy that costs less on these runs, but without strong evidence.
    pub(super) fn further(&self) -> Option<String> {
        let strategy = self.comparison.strategies.get(self.comparison.further?)?;
        let base = self.baseline?.standings.first.cost.max(1) as f64;
        let saved = percentage(1.0 - strategy.standings.first.cost as f64 / base);
        let upper = percentage(self.upper_bound(strategy));
        Some(format!(
            "{} saves {saved} here, but on other runs up to {upper} of answers may lack a fact. {}",
            strategy.name,
            self.runs_to_settle(strategy)
        ))
    }

    /// Why a strategy is not recommended although it saves enough here with the same number of turns.
    fn barred_sentence(&self) -> Option<String> {
        let index = self.comparison.barred?;
        let strategy = self.comparison.strategies.get(index)?;
        let base = self.baseline?.standings.first;
        let whole = base.cost.max(1) as f64;
        let saved = percentage(1.0 - strategy.standings.first.cost as f64 / whole);
        let mut reasons = Vec::new();
        if !self.comparison.header.supports(index) {
            let limit = percentage(self.comparison.header.tolerance.max_short);
            let why = public::why_not(self.comparison.header.severity(index));
            reasons.push(format!("{why} (--max-short {limit} allows it)"));
        }
        let most = strategy.standings.first.at_turns(self.comparison.header.most_turns_in_hundredths(index));
        if !most.saves(&base, self.comparison.header.tolerance) {
            let (verb, less, more) = words_of_costs(strategy);
            let change = change_in_words(most.cost as f64 / whole, (less, more));
            reasons.push(format!(
                "{verb} {change} {} (if you measured yours: --turns)",
                self.at_most_turns(strategy)
            ));
        }
        Some(format!("{} saves {saved} at the same turns, but {}", strategy.name, reasons.join(", and ")))
    }

    /// The sentence from `barred`, if another, costlier strategy is recommended.
    pub(super) fn not_recommended(&self) -> Option<String> {
        let barred = self.comparison.strategies.get(self.comparison.barred?)?;
        let chosen = self.recommended_change()?;
        let base = self.baseline?.standings.first;
        if chosen.standings.first.cost as f64 <= tie(barred.standings.first.cost, &base) {
            return None;
        }
        Some(format!("{}.", self.barred_sentence()?))
    }

    /// The recommended strategy, unless it is the baseline.
    fn recommended_change(&self) -> Option<&'c StrategyComparison> {
        self.recommended.filter(|strategy| strategy.name != self.comparison.header.baseline)
    }

    /// Strategies that changed too few runs to be tested by them.
    pub(super) fn untested(&self) -> Option<String> {
        if self.comparison.too_little.is_some() {
            return None;
        }
        let mut names: Vec<&str> = Vec::new();
        for strategy in &self.others {
            let is_tested = self.comparison.proof.is_tested(self.comparison.index(strategy));
            if !is_tested && strategy.course.cliff.is_none() {
                names.push(&strategy.name);
            }
        }
        match names.as_slice() {
            [] => None,
            [name] => Some(format!("These runs are too short to test {name}.")),
            names => Some(format!("These runs are too short to test {} of the strategies.", names.len())),
        }
    }

    /// Sentences about public experiments with settings similar to the recommended one.
    pub(super) fn in_public(&self) -> Vec<String> {
        match self.recommended_change() {
            Some(strategy) => self.comparison.in_public(strategy),
            None => Vec::new(),
        }
    }

    /// Strategies that save only with special cache breakpoints, and cost more with the default ones of clients. Lists the
    /// recommended strategy first.
    pub(super) fn marks(&self) -> Option<String> {
        let baseline = self.baseline?;
        let tolerance = self.comparison.header.bounds().tolerance;
        let mut dearer: Vec<&StrategyComparison> = Vec::new();
        for strategy in &self.others {
            if strategy.is_whole(baseline) && strategy.needs_marks(baseline, tolerance) {
                dearer.push(strategy);
            }
        }
        if dearer.is_empty() {
            return None;
        }
        if let Some(recommended) = self.recommended {
            dearer.retain(|strategy| strategy.name != recommended.name);
        }
        let mut listed = Vec::new();
        for strategy in self.recommended_change().into_iter().chain(dearer.iter().take(LISTED).copied()) {
            let change = change_in_words(1.0 + strategy.with_usual_marks(baseline)?, ("less", "more"));
            listed.push(format!("{} costs {change}", strategy.name));
        }
        match dearer.len().saturating_sub(LISTED) {
            0 => {}
            1 => listed.push("1 other more".to_owned()),
            more => listed.push(format!("{more} others more")),
        }
        Some(format!(
            "The costs assume cache breakpoints where each strategy puts them. With breakpoints only after the system prompt and the \
             last message, {} than {}.",
            listed.join(", "),
            baseline.name
        ))
    }

    /// The strategy to recommend, were it not for its cliff, and the runs that are missing.
    pub(super) fn passed_over(&self) -> Option<String> {
        if self.comparison.too_little.is_some() {
            return None;
        }
        let (strategy, cliff) = self.unmeasured_strategy()?;
        Some(cliff.sentence(&strategy.name) + &cliff.remedy(&strategy.name))
    }

    /// Strategies that call a model themselves, including those not worth it whatever the calls return.
    pub(super) fn own_calls(&self) -> Vec<String> {
        let bounds = self.comparison.header.bounds();
        let mut sentences = Vec::new();
        for strategy in &self.comparison.strategies {
            sentences.extend(strategy.own_calls_text());
            if let Some(baseline) = self.baseline {
                sentences.extend(strategy.spread_texts(bounds, baseline));
                sentences.extend(strategy.describe_hopeless(bounds, baseline));
            }
        }
        sentences
    }

    /// Answers of the recommended strategy, or else of the cheapest other one, whose request lacks a common name alone.
    fn doubtful_sentence(&self) -> Option<String> {
        let strategy = self.recommended_change().or(self.others.first().copied())?;
        let answers = match strategy.sums.answers.doubtful {
            0 => return None,
            1 => "1 more answer lacks".to_owned(),
            several => format!("{} more answers lack", grouped(several)),
        };
        Some(format!(
            "Doubtful, so not counted: under {} {answers} only a common name, such as HEAD.",
            strategy.name
        ))
    }

    /// Answers by the number of summaries before them, for the cheapest strategies with summaries.
    fn loss_by_summaries(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for strategy in &self.others {
            if !strategy.sums.rounds.is_none() && sentences.len() < LISTED {
                let rounds = strategy.sums.rounds.in_words();
                sentences.push(format!("{}: answers that would lack a fact, {rounds}.", strategy.name));
            }
        }
        sentences
    }

    /// Instructions dropped by the recommended strategy. They don't make answers short.
    fn forgotten_sentence(&self) -> Option<String> {
        let strategy = self.recommended?;
        let instructions = match strategy.sums.instructions_lost {
            0 => return None,
            1 => "1 instruction".to_owned(),
            lost => format!("{} instructions", grouped(lost)),
        };
        Some(format!("{} drops {instructions}.", strategy.name))
    }

    /// Duplicate runs, which count only once.
    pub(super) fn copies(&self) -> Option<String> {
        let copies = &self.comparison.copies;
        // Anybody can name a scenario, and the sentence becomes Markdown.
        let first = name(copies.first.as_ref()?);
        Some(match copies.runs {
            1 => format!("1 run equals another and counts once: {first}."),
            several => format!("{} runs equal others and count once, such as {first}.", grouped(several)),
        })
    }

    /// Baseline requests that an API would reject, if any. The table has the counts of the other strategies.
    pub fn refused(&self) -> Option<String> {
        let baseline = self.baseline?;
        let (scenario, turn) = baseline.sums.first_invalid.as_ref()?;
        let requests = match baseline.sums.invalid_requests {
            1 => "1 request".to_owned(),
            several => format!("{} requests", grouped(several)),
        };
        let why = if self.comparison.header.is_advice { "" } else { ": see show --why" };
        Some(format!(
            "Chat APIs would reject {requests} of {} ({scenario}@{turn}{why}). No check tests that.",
            baseline.name
        ))
    }

    /// The strategy to recommend, were it not for its cliff, and the cliff.
    fn unmeasured_strategy(&self) -> Option<(&'c StrategyComparison, Cliff)> {
        let strategy = self.comparison.strategies.get(self.comparison.passed_over?)?;
        Some((strategy, strategy.course.cliff?))
    }

    /// An answer missing a fact as an example: scenario, turn, strategy. It is the first one of the recommended
    /// strategy or, if there is none, of the cheapest other strategy. Strategies that keep native tool calls
    /// are searched first.
    pub fn example(&self) -> Option<(&str, u32, &str)> {
        let mut candidates = Vec::from_iter(self.recommended);
        candidates.extend(self.others.iter().filter(|strategy| !strategy.sums.rewrites_calls));
        candidates.extend(self.others.iter().filter(|strategy| strategy.sums.rewrites_calls));
        for strategy in candidates {
            if let Some((scenario, turn)) = &strategy.sums.first_short {
                return Some((scenario, *turn, &strategy.name));
            }
        }
        None
    }

    /// `cost: $0.021 a run, $20.8 per 1,000 runs; fold saves $3.40 of that`, with the first model; `None`
    /// without models.
    pub fn money(&self) -> Option<String> {
        let all = first_cost(self.baseline?).filter(|all| *all > 0.0)?;
        let runs = self.comparison.scenarios as f64;
        let (a_run, thousand) = (dollars(all / runs), dollars(all / runs * 1_000.0));
        let mut saving = String::new();
        if let Some(strategy) = self.recommended
            && let Some(cost) = first_cost(strategy)
            && cost < all
        {
            saving = format!("; {} saves {} of that", strategy.name, dollars((all - cost) / runs * 1_000.0));
        }
        Some(format!("cost: {a_run} a run, {thousand} per 1,000 runs{saving}"))
    }

    /// The baseline, then the others, cheapest first. Strategies that rewrite tool calls may be set apart at
    /// the end.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'c StrategyComparison> {
        let (apart, kept): (Vec<_>, Vec<_>) =
            self.others.iter().copied().partition(|strategy| self.comparison.is_set_apart(strategy));
        self.baseline.into_iter().chain(kept).chain(apart)
    }
}
