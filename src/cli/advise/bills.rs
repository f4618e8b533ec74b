//! Compares billed tokens in logs with counted and explained ones.

use std::collections::BTreeMap;

use crate::cli::suite::count;
use crate::measure::numbers::{grouped, in_millions, percent};
use crate::report::spending::UnloggedCalls;
use crate::report::{Billed, Comparison, Fact, Predicted, ScenarioRecord, TooLittle};
use agent_logs as transcripts;
use conversation_bills::{Explained, InputDollars, ModelFactor, median};

/// Billed tokens of logs.
#[derive(Default)]
pub(super) struct Bills {
    of_runs: RunBills,
    of_requests: RequestBills,
}

/// Bills of whole runs.
#[derive(Default)]
struct RunBills {
    number: usize,
    billed: u64,
    /// Counted tokens by strategy.
    counted: BTreeMap<String, u64>,
}

/// Bills of single requests.
#[derive(Default)]
struct RequestBills {
    logs: usize,
    billed: u64,
    explained: u64,
    /// The error of each request, as a share of its bill.
    errors: Vec<f64>,
    /// Dollars for input.
    dollars: InputDollars,
    /// Logs whose bills match one of our own strategies, by strategy.
    applied: BTreeMap<&'static str, usize>,
    /// The lowest and highest number of unlogged tokens.
    unlogged: Option<(u32, u32)>,
    /// The lowest and highest factor of each model, in the order of the logs.
    factors: Vec<(String, f64, f64)>,
}

/// Models to name in a line.
const NAMED: usize = 3;

impl Bills {
    pub(super) fn add_run(&mut self, record: &ScenarioRecord, billed: &transcripts::Billed) {
        self.of_runs.number += 1;
        self.of_runs.billed += billed.input_tokens;
        for run in &record.strategies {
            *self.of_runs.counted.entry(run.name.to_string()).or_default() += run.input_tokens();
        }
    }

    pub(super) fn add_requests(&mut self, bills: &Explained) {
        let all = &mut self.of_requests;
        all.logs += 1;
        all.billed += bills.billed;
        all.explained += bills.explained;
        all.errors.extend(&bills.errors);
        if let Some(applied) = bills.applied {
            *all.applied.entry(applied).or_default() += 1;
        }
        if let Some(dollars) = bills.dollars {
            all.dollars.billed += dollars.billed;
            all.dollars.predicted += dollars.predicted;
            all.dollars.unbilled_requests += dollars.unbilled_requests;
            all.dollars.unbilled += dollars.unbilled;
        }
        let (least, most) = all.unlogged.unwrap_or(bills.unlogged);
        all.unlogged = Some((least.min(bills.unlogged.0), most.max(bills.unlogged.1)));
        for ModelFactor { model, factor } in &bills.factors {
            match all.factors.iter_mut().find(|(known, ..)| known == model) {
                Some((_, least, most)) => (*least, *most) = (least.min(*factor), most.max(*factor)),
                None => all.factors.push((model.clone(), *factor, *factor)),
            }
        }
    }

    /// Billed input tokens, with those explained or counted for this strategy.
    pub(super) fn billed_tokens(&self, strategy: &str) -> Option<Billed> {
        // A strategy without requests has no count.
        let of_runs = self.of_runs.counted.get(strategy).copied().unwrap_or(0);
        let billed = self.of_runs.billed + self.of_requests.billed;
        if billed == 0 {
            return None;
        }
        Some(Billed { counted: of_runs + self.of_requests.explained, billed })
    }

    /// Predicted and billed cents for input.
    pub(super) fn predicted(&self) -> Option<Predicted> {
        let InputDollars { billed, predicted, .. } = self.of_requests.dollars;
        let predicted = Predicted { predicted: in_cents(predicted), billed: in_cents(billed) };
        if predicted.billed > 0 { Some(predicted) } else { None }
    }

    /// Requests without a bill in the logs, and their cost estimated from their size.
    pub(super) fn unbilled(&self) -> UnloggedCalls {
        let InputDollars { unbilled_requests: calls, unbilled: dollars, .. } = self.of_requests.dollars;
        UnloggedCalls { calls, dollars }
    }

    /// Billed tokens per token of our tokenizer, by model.
    pub(super) fn factors(&self) -> impl Iterator<Item = (&str, f64)> {
        let factors = self.of_requests.factors.iter();
        factors.map(|(model, least, most)| (model.as_str(), f64::midpoint(*least, *most)))
    }

    /// `our price rules predict $171.40 of the $172.65 billed for input (99%)`. If the difference is large, the line gives the reason and decides.
    fn prediction(&self) -> Option<Fact> {
        let predicted = self.predicted()?;
        let [ours, billed] = [predicted.predicted, predicted.billed].map(in_dollars);
        let share = percent(Some(1.0 + predicted.error()));
        let why = why_off(predicted.error());
        let line = format!("our price rules predict {ours} of the {billed} billed for input ({share}){why}");
        Some(Fact::new(line, predicted.error().abs() > MUCH))
    }

    /// The same in short for the first screen, if the difference is large.
    pub(super) fn doubt(&self) -> Option<String> {
        let error = self.predicted()?.error();
        if error.abs() <= MUCH {
            return None;
        }
        let (share, why) = (percent(Some(1.0 + error)), why_off(error));
        Some(format!("Our price rules predict {share} of the input's cost{why}"))
    }

    /// The strategy of ours used in most of the logs, and the number of such logs.
    pub(super) fn applied(&self) -> Option<(&'static str, usize)> {
        let (strategy, logs) = self.of_requests.applied.iter().max_by_key(|(_, logs)| **logs)?;
        if *logs * 2 > self.of_requests.logs { Some((*strategy, *logs)) } else { None }
    }

    /// Billed tokens per token of our tokenizer, for the first model.
    pub(super) fn main_factor(&self) -> f64 {
        match self.factors().next() {
            Some((_, factor)) => factor,
            None => 1.0,
        }
    }

    /// Sentences on the explained share of the bills, and on missing information.
    pub(super) fn facts(&self, comparison: &Comparison) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.prediction().into_iter().collect();
        facts.extend(self.of_requests.applied_facts());
        facts.extend(self.of_requests.facts(&comparison.header.tokenizer));
        facts.extend(self.of_runs.facts(&comparison.header.baseline));
        if matches!(comparison.too_little, Some(TooLittle::Counted(_) | TooLittle::Predicted(_))) {
            facts.push(Fact::new("  --no-bills recommends from the counted tokens", true));
        }
        facts
    }
}

/// Differences between predicted and billed dollars are worth a warning above this share of the bill.
const MUCH: f64 = 0.03;
/// Why predicted costs differ from the bills by this share.
fn why_off(error: f64) -> &'static str {
    match error {
        error if error.abs() <= MUCH => "",
        MUCH.. => "; more was cached than its rules predict",
        _ => "; less was cached than its rules predict",
    }
}

fn in_cents(dollars: f64) -> u64 {
    (dollars.max(0.0) * 100.0).round() as u64
}

/// `$171.40`
fn in_dollars(cents: u64) -> String {
    format!("${:.2}", cents as f64 / 100.0)
}

impl RequestBills {
    /// `8 logs used fold: their bills match its requests, not those in the log`
    fn applied_facts(&self) -> Vec<Fact> {
        let mut facts = Vec::with_capacity(self.applied.len());
        for (strategy, logs) in &self.applied {
            let line = match logs {
                1 => format!(
                    "1 log used {strategy}: its bills match the requests of {strategy}, not those in the log"
                ),
                logs => format!(
                    "{} logs used {strategy}: their bills match the requests of {strategy}, not those in the logs",
                    grouped(*logs as u64)
                ),
            };
            facts.push(Fact::new(line, true));
        }
        facts
    }

    fn facts(&self, tokenizer: &str) -> Vec<Fact> {
        let Some((least, most)) = self.unlogged else { return Vec::new() };
        let share = percent(Some(self.explained as f64 / self.billed.max(1) as f64));
        let line = format!("the logs explain {share} of the {} billed tokens", in_millions(self.billed));
        let mut parts = Vec::new();
        if most > 0 {
            let [least, most] = [least, most].map(u64::from);
            let range = if least == most {
                grouped(most)
            } else {
                format!("{} to {}", grouped(least), grouped(most))
            };
            parts.push(format!("not in the log: the first {range} tokens of each request"));
        }
        let mut named = 0;
        for (model, least, most) in &self.factors {
            if named == NAMED || (*least == 1.0 && *most == 1.0) {
                continue;
            }
            named += 1;
            let (least, most) = (format!("{least:.2}"), format!("{most:.2}"));
            let range = if least == most { most } else { format!("{least} to {most}") };
            let model = if model.is_empty() { "the model" } else { model };
            parts.push(format!("{model} counts {range} tokens for one of {tokenizer}"));
        }
        let mut facts = vec![Fact::new(line, true)];
        if !parts.is_empty() {
            facts.push(Fact::new(format!("  {}", parts.join("; ")), false));
        }
        facts.push(Fact::new(self.errors_line(), false));
        facts
    }

    fn errors_line(&self) -> String {
        let mut errors = self.errors.clone();
        let middle = median(&mut errors).unwrap_or(0.0);
        let place = (errors.len() * 9).div_ceil(10).saturating_sub(1);
        errors.sort_unstable_by(f64::total_cmp);
        let (middle, most) = (middle * 100.0, errors.get(place).copied().unwrap_or(0.0) * 100.0);
        format!("  error per request: {middle:.2}% (median), at most {most:.2}% in 9 of 10")
    }
}

impl RunBills {
    fn facts(&self, baseline: &str) -> Vec<Fact> {
        let (bills, billed) = (count(self.number, "log"), self.billed);
        let Some(counted) = self.counted.get(baseline).copied() else { return Vec::new() };
        if self.number == 0 {
            return Vec::new();
        }
        let line = format!(
            "counted {} input tokens; the bills of {bills} have {}",
            grouped(counted),
            grouped(billed)
        );
        let why = match self.counted.iter().min_by_key(|(_, tokens)| tokens.abs_diff(billed)) {
            _ if billed > counted + counted / 20 => {
                "  more were billed: another tokenizer, or content missing in the logs".to_owned()
            }
            _ if counted <= billed + billed / 20 => return vec![Fact::new(line, false)],
            // Within 2%, the agent may really have built its requests like this.
            Some((name, tokens)) if tokens.abs_diff(billed) <= billed / 50 => {
                format!("  fewer were billed, about as many as {name} sends: {}", grouped(*tokens))
            }
            _ => "  fewer were billed: another tokenizer, or an agent that shortens its history".to_owned(),
        };
        vec![Fact::new(line, true), Fact::new(why, true)]
    }
}
