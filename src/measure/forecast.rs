//! Forecasts rework: what an agent under a strategy would have had to fetch again, and what that would have cost. Each short
//! answer takes one more turn before it, in which the calls that had produced what it lacks are repeated.

use ecow::EcoString;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bill::Charged;
use super::evidence::Missing;
use super::logged_prices::RunPrices;
use super::measured::{MeasuredRequest, MeasuredRun};
use super::numbers::add_by_model;
use super::requests::SentRequest;
use super::rework::Calls;
use crate::compression::History;
use crate::messages::MessageId;
use ptc_tokens::{MESSAGE_OVERHEAD, Money, Tokenizer};

/// The rework that a strategy would have caused, if each short answer fetched again what it lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "forecast of rework")]
pub struct Forecast {
    /// Short answers that lack results, which one more turn before each would fetch again.
    pub fetching: u64,
    /// Short answers that lack what nobody can fetch: words of a person, or of the model itself.
    pub unfetchable: u64,
    /// Tokens of the results that are fetched again.
    pub result_tokens: u64,
    /// Input tokens of the turns that fetch them, and of the results in later requests.
    pub input_tokens: u64,
    /// The cost of both, by model.
    #[schemars(with = "Vec<String>")]
    pub costs: Vec<Money>,
}

impl Forecast {
    pub fn is_none(&self) -> bool {
        *self == Forecast::default()
    }

    /// The cost with a model. What happened has no forecast, since its rework is in its bills.
    pub fn cost(&self, model: usize) -> Money {
        self.costs.get(model).copied().unwrap_or_default()
    }

    pub fn add(&mut self, other: &Forecast) {
        self.fetching += other.fetching;
        self.unfetchable += other.unfetchable;
        self.result_tokens += other.result_tokens;
        self.input_tokens += other.input_tokens;
        add_by_model(&mut self.costs, other.costs.iter().copied());
    }

    /// The part beyond another forecast of the same run.
    pub fn beyond(&self, other: &Forecast) -> Forecast {
        let costs = self.costs.iter().enumerate();
        let costs = costs.map(|(model, cost)| match other.costs.get(model) {
            Some(other) => cost.less(*other),
            None => *cost,
        });
        Forecast {
            fetching: self.fetching.saturating_sub(other.fetching),
            unfetchable: self.unfetchable.saturating_sub(other.unfetchable),
            result_tokens: self.result_tokens.saturating_sub(other.result_tokens),
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            costs: costs.collect(),
        }
    }
}

/// The turns of a run, by their messages.
pub struct Forecaster {
    /// By message, the first turn whose answer it follows.
    turns: FxHashMap<MessageId, u32>,
    /// The last message of each turn.
    ends: Vec<MessageId>,
}

/// The input of a forecast: a strategy's requests with their bills, and what each of its answers lacks.
pub struct Forecasted<'f> {
    pub run: &'f MeasuredRun,
    pub missing: &'f [Missing],
    pub sent: &'f Charged<'f>,
    pub calls: &'f Calls,
    pub prices: RunPrices<'f>,
    pub tokenizer: &'f Tokenizer,
}

impl Forecaster {
    pub fn of(history: &History<'_>) -> Forecaster {
        let (mut turns, mut ends) = (FxHashMap::default(), Vec::new());
        for (number, (_, exchange)) in (1..).zip(history.whole().exchanges(0)) {
            exchange.ids().iter().skip(1).for_each(|id| {
                turns.entry(*id).or_insert(number);
            });
            ends.extend(exchange.ids().last());
        }
        Forecaster { turns, ends }
    }

    pub fn forecast(&self, of: &Forecasted<'_>) -> Forecast {
        if of.missing.iter().all(Missing::is_none) {
            return Forecast::default();
        }
        let mut watch = Watch {
            forecaster: self,
            of,
            copies: vec![0; of.sent.table.len()],
            fetched: FxHashMap::default(),
            carried: FxHashMap::default(),
            carried_tokens: 0,
            found: Forecast { costs: vec![Money::default(); of.prices.models.len()], ..Forecast::default() },
        };
        let mut measured = of.run.requests.iter().zip(of.missing);
        of.sent.requests.map(|request, _, replaced| {
            watch.send(request, replaced);
            if let Some((measured, missing)) = measured.next() {
                watch.carry(measured);
                watch.answer(measured, missing);
            }
        });
        watch.found
    }
}

/// The results that were fetched again, through the requests of a strategy.
struct Watch<'f> {
    forecaster: &'f Forecaster,
    of: &'f Forecasted<'f>,
    /// By message, the number of times that the newest request has it.
    copies: Vec<u32>,
    /// By result, the last message of the turn that fetched it again. What was fetched stays in requests for as long as that
    /// message does.
    fetched: FxHashMap<MessageId, MessageId>,
    /// Tokens that were fetched again, by the last message of that turn.
    carried: FxHashMap<MessageId, u64>,
    /// The fetched tokens that the newest request has.
    carried_tokens: u64,
    found: Forecast,
}

impl Watch<'_> {
    fn send(&mut self, request: &SentRequest, replaced: &[MessageId]) {
        for id in replaced {
            let copies = &mut self.copies[id.index()];
            *copies -= 1;
            if *copies == 0 {
                self.carried_tokens -= self.carried.get(id).copied().unwrap_or(0);
            }
        }
        for id in request.added() {
            let copies = &mut self.copies[id.index()];
            *copies += 1;
            if *copies == 1 {
                self.carried_tokens += self.carried.get(&id).copied().unwrap_or(0);
            }
        }
    }

    /// Adds what the results in a request cost, at the average price of its input.
    fn carry(&mut self, measured: &MeasuredRequest) {
        if self.carried_tokens == 0 {
            return;
        }
        self.found.input_tokens += self.carried_tokens;
        let input = u64::from(measured.input_tokens.max(1));
        let prices = self.of.prices.at(measured.turn);
        for (price, (sum, bill)) in prices.zip(self.found.costs.iter_mut().zip(&measured.bills)) {
            let output = price.cost_of(measured.input_tokens, [0, 0, 0, measured.output_tokens.into()]);
            *sum += bill.cost.less(output).part(self.carried_tokens, input);
        }
    }

    /// Adds the turn before an answer that fetches what it lacks.
    fn answer(&mut self, measured: &MeasuredRequest, missing: &Missing) {
        self.found.unfetchable += u64::from(missing.is_beyond);
        let is_gone = |id: &&MessageId| {
            let shown_with = self.fetched.get(*id).map(|end| self.copies[end.index()]);
            shown_with.unwrap_or(0) == 0
        };
        let fetched: Vec<MessageId> = missing.fetchable.iter().filter(is_gone).copied().collect();
        let end = self.forecaster.ends.get((measured.turn as usize).saturating_sub(1));
        let Some(end) = end.filter(|_| !fetched.is_empty()) else { return };
        let (sent, turn) = (self.of.sent, measured.turn);
        let result_tokens = fetched.iter().map(|id| sent.sizes.of(sent.table, *id, turn)).sum();
        let call_tokens = fetched.iter().map(|id| self.call_tokens(*id)).sum();
        self.found.fetching += 1;
        self.found.result_tokens += u64::from(result_tokens);
        self.pay(measured, call_tokens, result_tokens);
        self.fetched.extend(fetched.iter().map(|id| (*id, *end)));
        let tokens = u64::from(call_tokens) + u64::from(result_tokens);
        *self.carried.entry(*end).or_default() += tokens;
        // Equal messages have one identifier, so an earlier turn may have ended with the same message.
        if self.copies[end.index()] > 0 {
            self.carried_tokens += tokens;
        }
    }

    /// Adds one more request behind that of an answer, with calls and their results.
    fn pay(&mut self, measured: &MeasuredRequest, call_tokens: u32, result_tokens: u32) {
        let more = call_tokens.saturating_add(MESSAGE_OVERHEAD).saturating_add(result_tokens);
        let input = measured.input_tokens.saturating_add(more);
        self.found.input_tokens += u64::from(input);
        let prices = self.of.prices.at(measured.turn);
        for (price, (sum, bill)) in prices.zip(self.found.costs.iter_mut().zip(&measured.bills)) {
            // The request before it was sent a moment ago.
            let read = price.readable(measured.input_tokens, bill);
            *sum += price.cost_of(input, [(input - read).into(), read.into(), 0, call_tokens.into()]);
        }
    }

    /// Tokens of the call that had a result; of a program all that its answer said.
    fn call_tokens(&self, result: MessageId) -> u32 {
        let Forecasted { run, sent, calls, tokenizer, .. } = self.of;
        let Some(turn) = self.forecaster.turns.get(&result).copied() else { return 0 };
        let of_turn = calls.of_turn(turn).into_iter().flat_map(|turn| &turn.calls);
        let call = of_turn.filter(|call| call.result == Some(result)).map(|call| &call.whole).next();
        let counted = |call: &EcoString| sent.sizes.scaled(tokenizer.count(call), turn);
        let answer =
            || run.requests.get((turn as usize).saturating_sub(1)).map_or(0, |one| one.output_tokens);
        call.map_or_else(answer, counted)
    }
}
