//! Measures of requests. Each is a function of the message table and one strategy's requests. To add a measure, write a file
//! here, a field of [`MeasuredRequest`], and a line in [`Measures::run`] or, for a number per request, in `measure_requests`.

mod acceptable;
pub mod clairvoyant;
mod closing;
pub mod evidence;
pub mod measured;
mod native_calls;
pub mod numbers;
pub mod rework;

pub use acceptable::refusal;
pub use conversation_bills::{BreakAt, DatedPrices, LoggedPrices, MeasuredCall, Tariff};
pub use history_strategies::{Requests, SentRequest};
pub use measured::{Gauges, MeasuredRequest, MeasuredRun, TextSample};

use std::sync::Arc;

use ecow::EcoString;

use crate::agent::{LoggedCompaction, Past, Pauses};
use crate::compression::{BASELINE, History, RECORDED};
use crate::scenario::Scenario;
use acceptable::Acceptance;
use conversation::{Extension, MessageId, Stretches, Table};
use conversation_bills::{
    AnswerBills, Explained, Explainer, Explanation, RunBills, RunPrices, SentRun, SizedRun, Sizes,
};
use evidence::{Evidence, EvidenceFinder, Needs, nearest_produced, needs_in_history};
use history_evidence::refetches::Calls;
use native_calls::NativeCalls;
use ptc_prices::Bill;
use ptc_tokens::Tokenizer;
use rework::Rework;

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
        let mut near = Vec::with_capacity(needs.unproduced.len());
        for need in &needs.unproduced {
            near.push(nearest_produced(history, need.turn as usize - 1, &need.text));
        }
        let (explained, sizes, output_tokens) = match explain_bills(scenario, past, history, gauges) {
            Some(Explanation { explained, sizes, outputs, gauge }) => {
                if let Some(gauge) = gauge {
                    history.set_gauge(gauge);
                }
                (Some(explained), sizes, outputs)
            }
            None => (None, Sizes::default(), output_tokens(past, gauges)),
        };
        let logged = match (gauges.logged, gauges.models.first()) {
            (Some(prices), Some(otherwise)) => {
                LoggedPrices::of_turns(&scenario.answered_by, prices, otherwise)
            }
            _ => None,
        };
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
            tools_tokens: sizes.scale_tools(tools_tokens(past, gauges)),
            sizes,
            logged,
            with_one_model,
            explained,
            acceptance: Acceptance::new(past),
            native_calls: NativeCalls::of_past(past),
            pauses: Arc::clone(past.pauses()),
            finder: EvidenceFinder::new(index),
            calls: Calls::of_history(history),
            compactions: match scenario.logged() {
                Some(logged) => &logged.compactions,
                None => &[],
            },
        }
    }

    /// Facts the answer of the turn at `index` takes from earlier turns.
    pub fn facts(&self, index: usize) -> Vec<EcoString> {
        self.needs.facts(index)
    }

    /// Makes the cost of the sent run equal to its bill, and shifts the other strategies by the same amount. Only for costs
    /// computed with the log's own models.
    pub fn close_bills(&mut self, bills: &AnswerBills, runs: &mut [MeasuredRun]) {
        let Some(explained) = &mut self.explained else { return };
        let mut names = explained.applied.into_iter().chain([RECORDED.name(), BASELINE.name()]);
        let sent = names.find_map(|name| runs.iter().position(|run| run.name == name));
        let Some(sent) = sent else { return };
        if self.gauges.logged.is_some() && !self.gauges.models.is_empty() {
            let prices = RunPrices { models: self.gauges.models, logged: self.logged.as_ref() };
            explained.dollars = Some(closing::close(bills, runs, sent, prices));
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
        let is_valid = self.acceptance.check_requests(table, requests);
        let evidence = self.finder.grade_answers(&self.needs, table, requests);
        let rewrites_calls = self.native_calls.are_rewritten(table, requests);
        let least_short = self.least_short(table, requests);
        let sent = SentRun {
            table,
            requests,
            outputs: &self.output_tokens,
            tools_tokens: self.tools_tokens,
            pauses: &self.pauses,
            tokenizer: self.gauges.tokenizer,
        };
        let sized = SizedRun::new(sent, &self.sizes);
        let prices = RunPrices { models: self.gauges.models, logged: self.logged.as_ref() };
        // Bills depend on the whole run, because cache breakpoints are chosen afterwards to minimize its cost.
        let RunBills { requests: bills, calls, other_costs } = self.charge_run(&sized, prices);
        let judged = is_valid.into_iter().zip(evidence).zip(bills);
        let mut run = MeasuredRun {
            name: name.clone(),
            requests: measure_requests(&sized, judged, number),
            other_costs,
            rewrites_calls,
            rework: None,
            calls,
            least_short,
            samples: Vec::new(),
        };
        // The calls of an agent depend on the requests it was sent, so re-reading can be measured in the as-recorded run alone.
        if *name == RECORDED.name() {
            run.rework = Some(Rework::of(&run, (&self.calls, self.compactions), &sized, prices));
        }
        run
    }

    /// The bills of all columns.
    fn charge_run(&self, sized: &SizedRun<'_>, prices: RunPrices<'_>) -> RunBills {
        let mut bills = sized.unbilled();
        for tariff in prices.tariffs() {
            match (&self.with_one_model, tariff) {
                (Some(sizes), Tariff::Models([_, ..])) => {
                    SizedRun::new(sized.sent, sizes).charge(&mut bills, tariff, self.gauges.warm_system);
                }
                _ => sized.charge(&mut bills, tariff, self.gauges.warm_system),
            }
        }
        bills
    }

    /// Minimum number of answers lacking a fact, over all possible texts of the strategy's calls. `None` if all texts are
    /// known.
    fn least_short(&mut self, table: &Table, requests: &Requests) -> Option<u32> {
        let mut calls = requests.iter().flat_map(|request| &request.call);
        if calls.all(|call| call.is_text_known) {
            return None;
        }
        let lacking = self.finder.lacking(&self.needs, table, requests);
        Some(clairvoyant::least_short(requests, &lacking, &|text| self.gauges.tokenizer.count(text)))
    }
}

/// The measures of each request. `judged` are, for each request, whether a chat API accepts it, its evidence and its bills.
fn measure_requests(
    sized: &SizedRun<'_>,
    judged: impl Iterator<Item = ((bool, Evidence), Vec<Bill>)>,
    mut number: impl FnMut(MessageId) -> u32,
) -> Vec<MeasuredRequest> {
    let SentRun { requests, outputs, .. } = sized.sent;
    // The last request may be unanswered; its output is 0.
    let mut outputs = outputs.iter().copied();
    let sizes = sized.requests.iter().zip(&sized.prefixes);
    let (mut measured, mut stretches) = (Vec::with_capacity(sized.requests.len()), Stretches::default());
    for ((request, (size, prefix)), ((valid, evidence), bills)) in requests.iter().zip(sizes).zip(judged) {
        let added = stretches.numbers(request.added().map(&mut number));
        measured.push(MeasuredRequest {
            turn: request.turn,
            messages: Extension { kept: request.kept() as u32, added },
            input_tokens: size.input_tokens,
            output_tokens: outputs.next().unwrap_or(0),
            prefix_tokens: prefix.tokens,
            break_at: prefix.break_at,
            evidence,
            hidden_tool_calls: request.hidden_tool_calls,
            valid,
            statistics: request.statistics.clone(),
            bills,
        });
    }
    measured
}

/// Makes strategies use billed sizes, if the log has bills. [`Measures::new`] does this too.
pub fn size_by_bills(scenario: &Scenario, past: Past<'_>, history: &History<'_>, tokenizer: &Tokenizer) {
    let gauges = Gauges { tokenizer, models: &[], logged: None, warm_system: false };
    if let Some(Explanation { gauge: Some(gauge), .. }) = explain_bills(scenario, past, history, &gauges) {
        history.set_gauge(gauge);
    }
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
