//! The cost of the same requests with other models.

use std::collections::BTreeMap;

use super::{ModelPrices, Rates};
use crate::log_bills::call_dollars::tool_dollars;
use crate::log_bills::misses::{BilledRequest, MissCause};
use ptc_prices::{Price, TimeSpan};

/// Number of cheaper models shown.
const CHEAPER: usize = 3;
/// Number of more expensive models shown.
const DEARER: usize = 1;
/// The least difference of costs, as a share of the bill: a model at the same prices is no alternative.
const DIFFERENT: f64 = 0.01;

/// The cost of billed requests with other models, by the logged spelling of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OtherModels {
    logged: BTreeMap<String, Logged>,
}

/// The requests of one logged model.
#[derive(Clone, Debug, Default, PartialEq)]
struct Logged {
    /// The model's name in the price table.
    model: String,
    tokenizer: Option<String>,
    /// Its tokens per token of a public tokenizer, if the bills allow this estimate.
    factor: Option<Factor>,
    others: BTreeMap<String, OtherCost>,
}

#[derive(Clone, Debug, PartialEq)]
struct Factor {
    tokenizer: String,
    tokens: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct OtherCost {
    /// In dollars, for the token counts of the log.
    cost: f64,
    tokenizer: Option<String>,
}

/// Another model, and the cost of the same requests with it.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherModel {
    pub model: String,
    pub cost: f64,
    /// Its tokens per token of the log, least and most; `None` if one of the tokenizers is unknown.
    pub tokens: Option<(f64, f64)>,
}

impl OtherModels {
    /// Adds a request. `price` is the price of its own model.
    pub(super) fn add_request(&mut self, request: &BilledRequest<'_>, price: &Price, prices: &ModelPrices) {
        let Some(spelled) = request.usage.model.as_deref() else { return };
        if !self.logged.contains_key(spelled) {
            let (model, tokenizer) = (price.model.clone(), price.tokenizer.clone());
            self.logged.insert(spelled.to_owned(), Logged { model, tokenizer, ..Logged::default() });
        }
        let Some(logged) = self.logged.get_mut(spelled) else { return };
        // A logged cost includes the tools, or does not name them.
        let usage = request.usage;
        let tools = if usage.cost.is_none() { tool_dollars(usage, price) } else { 0.0 };
        for other in prices.other_prices() {
            // The same tools would run with any model.
            let cost = cost_with(other, request) + tools;
            match logged.others.get_mut(&other.model) {
                Some(sum) => sum.cost += cost,
                None => {
                    let tokenizer = other.tokenizer.clone();
                    logged.others.insert(other.model.clone(), OtherCost { cost, tokenizer });
                }
            }
        }
    }

    pub(super) fn merge_models(&mut self, other: &OtherModels) {
        for (spelled, logged) in &other.logged {
            match self.logged.get_mut(spelled) {
                None => drop(self.logged.insert(spelled.clone(), logged.clone())),
                Some(own) => own.merge_logged(logged),
            }
        }
    }

    /// Sets the tokens of a logged model per token of a public tokenizer.
    pub fn set_factor(&mut self, spelled: &str, tokenizer: &str, tokens: f64) {
        if let Some(logged) = self.logged.get_mut(spelled) {
            logged.factor = Some(Factor { tokenizer: tokenizer.to_owned(), tokens });
        }
    }

    /// The models with costs nearest to the bill, cheapest first.
    pub(super) fn nearest_models(&self, billed: f64) -> Vec<OtherModel> {
        let mut all = Vec::new();
        for name in self.list_names() {
            if let Some(other) = self.with(name)
                && (other.cost - billed).abs() > DIFFERENT * billed
            {
                all.push(other);
            }
        }
        all.sort_by(|one, other| one.cost.total_cmp(&other.cost).then(one.model.cmp(&other.model)));
        let dearer = all.partition_point(|other| other.cost < billed);
        let from = dearer.saturating_sub(CHEAPER);
        all.into_iter().skip(from).take(dearer - from + DEARER).collect()
    }

    /// The names of all models, except one that gave every logged answer.
    fn list_names(&self) -> Vec<&String> {
        let Some(first) = self.logged.values().next() else { return Vec::new() };
        let mut names = Vec::new();
        for name in first.others.keys() {
            if self.logged.values().any(|one| one.model != *name) {
                names.push(name);
            }
        }
        names
    }

    /// The cost of all requests with one model; `None` if its prices are not sure.
    pub fn with(&self, model: &str) -> Option<OtherModel> {
        let (mut cost, mut known) = (0.0, Some((f64::INFINITY, 0.0_f64)));
        for logged in self.logged.values() {
            let other = logged.others.get(model)?;
            let tokens = logged.tokens_of(model, other);
            cost += other.cost * tokens.unwrap_or(1.0);
            known = match (known, tokens) {
                (Some((least, most)), Some(tokens)) => Some((least.min(tokens), most.max(tokens))),
                _ => None,
            };
        }
        Some(OtherModel { model: model.to_owned(), cost, tokens: known })
    }
}

impl Logged {
    fn merge_logged(&mut self, other: &Logged) {
        for (model, cost) in &other.others {
            match self.others.get_mut(model) {
                Some(sum) => sum.cost += cost.cost,
                None => drop(self.others.insert(model.clone(), cost.clone())),
            }
        }
    }

    /// Tokens of another model per token of this one.
    fn tokens_of(&self, model: &str, other: &OtherCost) -> Option<f64> {
        if self.model == model || other.tokenizer.is_some() && other.tokenizer == self.tokenizer {
            return Some(1.0);
        }
        let factor = self.factor.as_ref()?;
        (other.tokenizer.as_ref() == Some(&factor.tokenizer)).then_some(1.0 / factor.tokens)
    }
}

/// The cost of a request with another model, after the same pause.
fn cost_with(price: &Price, request: &BilledRequest<'_>) -> f64 {
    let rates = Rates::of(price, request);
    let ttl = price.ttl.map_or(u64::MAX, TimeSpan::milliseconds);
    let read = match request.pause {
        Some(pause) if pause > ttl => 0,
        Some(_) if request.cause == Some(MissCause::Expired) => request.read() + request.missed,
        _ => request.read(),
    };
    let read = read.min(request.input());
    let output = request.usage.output_tokens.unwrap_or(0);
    (request.input() - read) as f64 * rates.write + read as f64 * rates.read + output as f64 * rates.output
}
