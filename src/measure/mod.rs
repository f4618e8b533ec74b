//! Measures of requests. Each is a function of the message table and one strategy's requests. To add a measure, write a file
//! here, a field of [`MeasuredRequest`], and a line in [`Measures::run`] or, for a number per request, in its `measured`.

mod acceptable;
pub mod bill;
pub mod clairvoyant;
pub mod evidence;
pub mod explained;
mod logged_prices;
pub mod measured;
mod native_calls;
pub mod numbers;
mod prefix;
pub mod rework;
mod sizes;

pub use acceptable::refusal;
pub use history_strategies::{Requests, SentRequest};
pub use logged_prices::{DatedPrices, LoggedPrices, Tariff};
pub use measured::{BreakAt, Gauges, MeasuredCall, MeasuredRequest, MeasuredRun, TextSample};

use std::sync::Arc;

use ecow::EcoString;

use crate::agent::{LoggedCompaction, Past, Pauses};
use crate::compression::{BASELINE, History, RECORDED};
use crate::scenario::Scenario;
use crate::scenario::bills::AnswerBills;
use acceptable::Acceptance;
use bill::{Charged, Starts};
use conversation::{Extension, MessageId, Stretches, Table};
use evidence::{Evidence, EvidenceFinder, Needs, nearest_produced, needs_in_history};
use explained::{Explained, Explainer, Explanation};
use history_evidence::refetches::Calls;
use logged_prices::RunPrices;
use native_calls::NativeCalls;
use prefix::Prefix;
use ptc_tokens::Tokenizer;
use rework::Rework;
use sizes::{SizedRequest, Sizes};

/// Measures the strategies of one scenario, one after the other.
pub struct Measures<'m> {
    gauges: &'m Gauges<'m>,
    pub needs: Needs<'m>,
    /// For each unproduced entry of `needs:`, the most similar text of an earlier turn.
    pub near: Vec<Option<String>>,
    /// Tokens of each turn's raw response.
    pub output_tokens: Vec<u32>,
    /// Tokens of the tool declarations, sent before all messages.
    tools_tokens: u32,
    sizes: Sizes,
    /// Prices of the first column, if they vary by turn.
    logged: Option<LoggedPrices>,
    /// Sizes for the columns with a single model. `None` to use `sizes`.
    with_one_model: Option<Sizes>,
    /// The explanation of the log's bills. `None` if sizes are counted.
    pub explained: Option<Explained>,
    acceptance: Acceptance<'m>,
    native_calls: NativeCalls,
    pauses: Arc<Pauses>,
    finder: EvidenceFinder,
    calls: Calls,
    compactions: &'m [LoggedCompaction],
}

impl<'m> Measures<'m> {
    /// Evicts messages that the table has evicted.
    pub fn forget(&mut self, table: &Table) {
        self.acceptance.forget(table);
        self.finder.forget_table(table);
    }

    /// Prepares measuring requests with messages in the table of `history`.
    pub fn new(
        scenario: &'m Scenario,
        past: Past<'m>,
        history: &History<'_>,
        gauges: &'m Gauges<'m>,
    ) -> Measures<'m> {
        let (needs, index) = needs_in_history(scenario, past, history);
        let unproduced = needs.unproduced.iter();
        let near =
            unproduced.map(|need| nearest_produced(history, need.turn as usize - 1, &need.text)).collect();
        let (explained, sizes, output_tokens) = match explain_bills(scenario, past, history, gauges) {
            Some(Explanation { explained, sizes, outputs, gauge }) => {
                gauge.into_iter().for_each(|gauge| history.set_gauge(gauge));
                (Some(explained), sizes, outputs)
            }
            None => (None, Sizes::default(), output_tokens(past, gauges)),
        };
        let logged = gauges
            .logged
            .zip(gauges.models.first())
            .and_then(|(prices, otherwise)| LoggedPrices::of_turns(&scenario.answered_by, prices, otherwise));
        // Without logged prices, every column assumes a single model.
        let (sizes, with_one_model) = match (sizes.with_one_model(), &logged) {
            (Some(of_one_model), None) => (of_one_model, None),
            (of_one_model, _) => (sizes, of_one_model),
        };
        Measures {
            gauges,
            needs,
            near,
            output_tokens,
            tools_tokens: sizes.of_tools(tools_tokens(past, gauges)),
            sizes,
            logged,
            with_one_model,
            explained,
            acceptance: Acceptance::new(past),
            native_calls: NativeCalls::of_past(past),
            pauses: Arc::clone(past.pauses()),
            finder: EvidenceFinder::new(index),
            calls: Calls::of_history(history),
            compactions: scenario.logged().map_or(&[], |logged| &logged.compactions),
        }
    }

    /// Facts the answer of the turn at `index` takes from earlier turns.
    pub fn facts(&self, index: usize) -> Vec<EcoString> {
        self.needs.facts(index)
    }

    /// Makes the cost of the sent run equal to its bill, and shifts the other strategies by the same amount. Only for costs
    /// computed with the log's own models.
    pub fn close_bills(&mut self, bills: &AnswerBills, runs: &mut [MeasuredRun]) {
        let applied = self.explained.as_ref().and_then(|explained| explained.applied);
        let names = applied.into_iter().chain([RECORDED.name(), BASELINE.name()]);
        let sent = { names }.find_map(|name| runs.iter().position(|run| run.name == name));
        let (Some(sent), Some(explained)) = (sent, &mut self.explained) else { return };
        if self.gauges.logged.is_some() && !self.gauges.models.is_empty() {
            let prices = RunPrices { models: self.gauges.models, logged: self.logged.as_ref() };
            explained.dollars = Some(bill::close(bills, runs, sent, prices));
        }
    }

    /// Measures the requests of a strategy. `number` returns the number of a message in the output.
    pub fn run(
        &mut self,
        name: &EcoString,
        table: &Table,
        requests: &Requests,
        number: impl FnMut(MessageId) -> u32,
    ) -> MeasuredRun {
        let sized = self.sizes.requests(table, requests, self.tools_tokens);
        let prefixes = prefix::prefixes(table, requests, &sized, &self.sizes, self.gauges.tokenizer);
        let evidence = self.finder.grade_answers(&self.needs, table, requests);
        let mut run = MeasuredRun {
            name: name.clone(),
            requests: self.measure_requests(table, requests, (&sized, &prefixes), evidence, number),
            other_costs: Vec::new(),
            rewrites_calls: self.native_calls.are_rewritten(table, requests),
            rework: None,
            calls: bill::calls(table, requests, &self.sizes, self.tools_tokens),
            least_short: self.least_short(table, requests),
            samples: Vec::new(),
        };
        // Bills depend on the whole run, because cache breakpoints are chosen afterwards to minimize its cost.
        let charged = Charged { table, requests, sizes: &self.sizes, sized: &sized, pauses: &self.pauses };
        let prices = RunPrices { models: self.gauges.models, logged: self.logged.as_ref() };
        self.charge_run(&mut run, prices, &charged, &prefixes);
        // The calls of an agent depend on the requests it was sent, so re-reading can be measured in the as-recorded run alone.
        if *name == RECORDED.name() {
            let calls = (&self.calls, self.compactions);
            let counted = (prices, self.gauges.tokenizer);
            run.rework = Some(Rework::of(&run, calls, &charged, counted, self.tools_tokens));
        }
        run
    }

    /// The measures of each request, without bills.
    fn measure_requests(
        &mut self,
        table: &Table,
        requests: &Requests,
        (sized, prefixes): (&[SizedRequest], &[Prefix]),
        evidence: Vec<Evidence>,
        mut number: impl FnMut(MessageId) -> u32,
    ) -> Vec<MeasuredRequest> {
        let valid = self.acceptance.of(table, requests);
        // The last request may be unanswered; its output is 0.
        let outputs = self.output_tokens.iter().copied().chain(std::iter::repeat(0));
        let sizes = sized.iter().zip(prefixes).zip(outputs);
        let judgements = valid.into_iter().zip(evidence);
        let (mut measured, mut stretches) = (Vec::with_capacity(sized.len()), Stretches::default());
        for ((request, ((size, prefix), output_tokens)), (valid, evidence)) in
            requests.iter().zip(sizes).zip(judgements)
        {
            let added = stretches.numbers(request.added().map(&mut number));
            measured.push(MeasuredRequest {
                turn: request.turn,
                messages: Extension { kept: request.kept() as u32, added },
                input_tokens: size.input_tokens,
                output_tokens,
                prefix_tokens: prefix.tokens,
                break_at: prefix.break_at,
                evidence,
                hidden_tool_calls: request.hidden_tool_calls,
                valid,
                statistics: request.statistics.clone(),
                bills: Vec::with_capacity(self.gauges.models.len()),
            });
        }
        measured
    }
}

impl Measures<'_> {
    /// Adds the bills of all columns. `prefixes` are the prefixes shared with the previous requests.
    fn charge_run(
        &self,
        run: &mut MeasuredRun,
        prices: RunPrices<'_>,
        charged: &Charged<'_>,
        prefixes: &[Prefix],
    ) {
        let (warm_system, tools_tokens) = (self.gauges.warm_system, self.tools_tokens);
        let starts = Starts { shared: prefixes, tools_tokens };
        for tariff in prices.tariffs() {
            match (&self.with_one_model, tariff) {
                (Some(sizes), Tariff::Models([_, ..])) => {
                    let Charged { table, requests, pauses, .. } = *charged;
                    let sized = sizes.requests(table, requests, tools_tokens);
                    let shared = prefix::prefixes(table, requests, &sized, sizes, self.gauges.tokenizer);
                    let charged = Charged { table, requests, sizes, sized: &sized, pauses };
                    charged.charge(run, tariff, Starts { shared: &shared, tools_tokens }, warm_system);
                }
                _ => charged.charge(run, tariff, starts, warm_system),
            }
        }
    }

    /// Minimum number of answers lacking a fact, over all possible texts of the strategy's calls. `None` if all texts are
    /// known.
    fn least_short(&mut self, table: &Table, requests: &Requests) -> Option<u32> {
        let mut calls = requests.iter().filter_map(|request| request.call.as_ref());
        if calls.all(|call| call.is_text_known) {
            return None;
        }
        let lacking = self.finder.lacking(&self.needs, table, requests);
        Some(clairvoyant::least_short(requests, &lacking, &|text| self.gauges.tokenizer.count(text)))
    }
}

/// Makes strategies use billed sizes, if the log has bills. [`Measures::new`] does this too.
pub fn size_by_bills(scenario: &Scenario, past: Past<'_>, history: &History<'_>, tokenizer: &Tokenizer) {
    let gauges = Gauges { tokenizer, models: &[], logged: None, warm_system: false };
    let explanation = explain_bills(scenario, past, history, &gauges);
    explanation
        .and_then(|explanation| explanation.gauge)
        .into_iter()
        .for_each(|gauge| history.set_gauge(gauge));
}

/// Explains the bills of a scenario, if it has any.
fn explain_bills(
    scenario: &Scenario,
    past: Past<'_>,
    history: &History<'_>,
    gauges: &Gauges<'_>,
) -> Option<Explanation> {
    let bills = scenario.bills.as_ref()?;
    let explainer = Explainer {
        bills,
        history,
        tokenizer: gauges.tokenizer,
        tools_tokens: tools_tokens(past, gauges),
        output_tokens: &output_tokens(past, gauges),
        price: gauges.models.first(),
    };
    Some(explainer.explain())
}

/// Tokens of the tool declarations.
fn tools_tokens(past: Past<'_>, gauges: &Gauges<'_>) -> u32 {
    past.declared_tools().iter().map(|tool| gauges.tokenizer.count(tool)).sum()
}

/// Tokens of each turn's raw response, including native calls.
fn output_tokens(past: Past<'_>, gauges: &Gauges<'_>) -> Vec<u32> {
    let responses: Vec<&str> = past.turns().map(|turn| turn.text().as_str()).collect();
    let mut tokens = Vec::with_capacity(responses.len());
    for (said, turn) in gauges.tokenizer.count_all(&responses).iter().zip(past.turns()) {
        let of_calls = match turn.logged() {
            Some(turn) => turn.answer.native_tokens(|text| u64::from(gauges.tokenizer.count(text))),
            None => 0,
        };
        tokens.push(said.tokens() + of_calls as u32);
    }
    tokens
}
