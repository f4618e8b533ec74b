//! Makes the cost of the sent run equal to its bill. Every other strategy costs the bill plus the predicted difference.

use rustc_hash::FxHashMap;

use crate::measure::measured::{MeasuredRequest, MeasuredRun};
use conversation_bills::{AnswerBill, AnswerBills, InputDollars, RunPrices};
use ptc_prices::{Bill, Money, Price, ReadGrid};

/// Units of [`Money`] per dollar.
const UNITS: f64 = 1e12;

/// Adjusts the first column of all runs to the bills. `sent` is the index of the run actually sent.
pub fn close(
    bills: &AnswerBills,
    runs: &mut [MeasuredRun],
    sent: usize,
    prices: RunPrices<'_>,
) -> InputDollars {
    let mut by_turn: FxHashMap<u32, &AnswerBill> = FxHashMap::default();
    for bill in &bills.answers {
        by_turn.insert(bill.turn, bill);
    }
    let mut input = InputDollars::default();
    if bills.answers.iter().any(|bill| bill.dollars.is_some()) {
        for request in runs.get(sent).iter().flat_map(|run| &run.requests) {
            if !is_unbilled(request, &by_turn) {
                continue;
            }
            input.unbilled_requests += 1;
            if let Some(bill) = request.bills.first() {
                input.unbilled += bill.cost.dollars();
            }
        }
        for run in runs.iter_mut() {
            forgive_unbilled(run, &by_turn);
        }
    }
    for run in runs.iter_mut() {
        forgive_copies(run, &by_turn);
    }
    let mut difference = bills.summaries;
    // Other sessions may keep the system prompt cached during a break. If it survived the previous break, assume it survives
    // this one.
    let mut kept_in_break = 0;
    let grids = find_grids(bills);
    let mut recorded = RecordedSize::default();
    for request in runs.get(sent).iter().flat_map(|run| &run.requests) {
        let Some(bill) = by_turn.get(&request.turn) else { continue };
        let (Some(dollars), Some(charged)) = (bill.dollars, request.bills.first()) else { continue };
        if bill.is_copy {
            continue;
        }
        difference += dollars.total() - charged.cost.dollars();
        input.billed += dollars.input;
        let mut read = recorded.of_tokens(charged.cached_tokens);
        if bill.is_expired {
            read = read.max(kept_in_break);
        }
        let read = match grids.get(bill.model) {
            Some(Some(grid)) => grid.round_down(read),
            _ => read,
        };
        let read = read.min(bill.input_tokens);
        input.predicted += match prices.price(0, request.turn) {
            Some(price) if !bill.is_unforeseen => Prediction { bill, request, read, charged, price }.input(),
            _ => dollars.input,
        };
        recorded = RecordedSize { billed: bill.input_tokens, counted: request.input_tokens };
        if bill.is_expired {
            kept_in_break = bill.cached_tokens.unwrap_or(0);
        }
    }
    let difference = (difference * UNITS).round() as i128;
    for run in runs {
        shift_costs(run, difference);
    }
    input
}

/// The grid of each model's cache reads, by model index.
fn find_grids(bills: &AnswerBills) -> Vec<Option<ReadGrid>> {
    let mut reads: Vec<Vec<u64>> = vec![Vec::new(); bills.models.len()];
    for bill in &bills.answers {
        if let Some(of_model) = reads.get_mut(bill.model) {
            of_model.extend(bill.cached_tokens);
        }
    }
    reads.into_iter().map(ReadGrid::of_reads).collect()
}

/// The billed and the counted size of the previous request. Text missing from a log makes requests too small, and says nothing about
/// the cache, so predictions are made at the billed sizes.
#[derive(Clone, Copy, Default)]
struct RecordedSize {
    billed: u64,
    counted: u32,
}

impl RecordedSize {
    /// Scales tokens that the cache still has of the request.
    fn of_tokens(self, counted: u32) -> u64 {
        if self.counted == 0 {
            return counted.into();
        }
        (f64::from(counted) * self.billed as f64 / f64::from(self.counted)).round() as u64
    }
}

/// The inputs for predicting a bill.
struct Prediction<'p> {
    bill: &'p AnswerBill,
    request: &'p MeasuredRequest,
    /// Tokens read from the cache.
    read: u64,
    charged: &'p Bill,
    price: &'p Price,
}

impl Prediction<'_> {
    /// Predicts the dollars for input. The client's cache breakpoints determine how much is written, and only the bill shows
    /// this. So uncached input is charged at the bill's average price.
    fn input(&self) -> f64 {
        let Prediction { bill, request, read, charged, price } = self;
        let rates = price.rates(u32::try_from(bill.input_tokens).unwrap_or(u32::MAX));
        let fresh_tokens = bill.input_tokens.saturating_sub(*read) as f64;
        let read = *read as f64 * rates.read / 1e6;
        if let (Some(dollars), Some(billed_read)) = (bill.dollars, bill.cached_tokens)
            && bill.input_tokens > billed_read
        {
            let billed_fresh = dollars.input - billed_read as f64 * rates.read / 1e6;
            let rate = billed_fresh.max(0.0) / (bill.input_tokens - billed_read) as f64;
            return read + fresh_tokens * rate;
        }
        let output = f64::from(request.output_tokens) * rates.output / 1e6;
        (charged.cost.dollars() - output).max(0.0)
    }
}

/// Returns true if the log has no dollars for the request.
fn is_unbilled(request: &MeasuredRequest, by_turn: &FxHashMap<u32, &AnswerBill>) -> bool {
    match by_turn.get(&request.turn) {
        Some(bill) => bill.dollars.is_none(),
        None => true,
    }
}

/// Sets the cost of requests without a bill to 0, such as the last of a log, because the baseline is the bill.
fn forgive_unbilled(run: &mut MeasuredRun, by_turn: &FxHashMap<u32, &AnswerBill>) {
    let mut forgiven = 0;
    for request in &mut run.requests {
        if is_unbilled(request, by_turn)
            && let Some(bill) = request.bills.first_mut()
        {
            forgiven += i128::try_from(bill.cost.exact()).unwrap_or(0);
            bill.cost = Money::default();
        }
    }
    shift_others(run, -forgiven);
}

/// Sets the cost of copied answers to 0: another conversation paid for them under any strategy.
fn forgive_copies(run: &mut MeasuredRun, by_turn: &FxHashMap<u32, &AnswerBill>) {
    for request in &mut run.requests {
        if let Some(AnswerBill { is_copy: true, .. }) = by_turn.get(&request.turn) {
            for bill in &mut request.bills {
                bill.cost = Money::default();
            }
        }
    }
}

/// Changes a run's cost in the first column by `difference` units, distributed over the requests in proportion.
fn shift_costs(run: &mut MeasuredRun, difference: i128) {
    let before: u128 = first_bills(run).map(|bill| bill.cost.exact()).sum();
    let after = move_amount(before, difference);
    let mut rest = after;
    for bill in first_bills(run) {
        let Some(cost) = bill.cost.exact().saturating_mul(after).checked_div(before) else { break };
        bill.cost = Money::of_units(cost);
        rest = rest.saturating_sub(cost);
    }
    // Requests without cost stay without cost.
    if let Some(last) = first_bills(run).filter(|bill| bill.cost.exact() > 0).last() {
        last.cost += Money::of_units(rest);
    }
    shift_others(run, difference);
}

/// Changes the run's other costs in the first column by `difference` units.
fn shift_others(run: &mut MeasuredRun, difference: i128) {
    if let Some(others) = run.other_costs.first_mut() {
        for cost in [&mut others.cold, &mut others.warm, &mut others.naive] {
            *cost = Money::of_units(move_amount(cost.exact(), difference));
        }
    }
    for sample in &mut run.samples {
        if let Some(cost) = sample.costs.first_mut() {
            *cost = Money::of_units(move_amount(cost.exact(), difference));
        }
    }
}

fn first_bills(run: &mut MeasuredRun) -> impl Iterator<Item = &mut Bill> {
    run.requests.iter_mut().filter_map(|request| request.bills.first_mut())
}

/// Adds a difference to an amount; at least 0.
fn move_amount(amount: u128, difference: i128) -> u128 {
    let change = difference.unsigned_abs();
    if difference < 0 { amount.saturating_sub(change) } else { amount.saturating_add(change) }
}
