//! The effect of a change on the cost of requests: logs from before it against logs from after it.
//!
//! Later requests of a session are larger, so only requests at about the same place in a session are
//! compared.

use std::collections::BTreeMap;

use crate::measure::numbers::{percentage, signed_percent};

/// Places compared one by one. Later ones are grouped by a twentieth of their place.
const SINGLE: usize = 40;
const PART: usize = 20;
/// Bootstrap samples of sessions for the confidence interval.
const SAMPLES: usize = 1_000;
/// The share of samples outside the interval, on each side.
const OUTSIDE: f64 = 0.025;
/// Smaller changes print as 0.0%.
const NO_CHANGE: f64 = 0.000_5;

/// The costs of a session's requests in order, in dollars.
pub type SessionCosts = Vec<f64>;

/// The effect of a change on cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Requests after the change: those with a counterpart at the same place before it, and all.
    pub compared: usize,
    pub requests: usize,
    /// Mean cost of the compared requests, and of the requests at the same places before the change.
    pub after: f64,
    pub before: f64,
    /// The 95% bootstrap interval of the change; `None` if either side has a single session.
    pub interval: Option<(f64, f64)>,
}

impl Effect {
    /// Compares sessions before and after a change. `None` if no requests have the same place.
    pub fn of(before: &[SessionCosts], after: &[SessionCosts]) -> Option<Effect> {
        let [first, second] = [before, after].map(|sessions| sum_sessions(sessions.iter()));
        let (compared, before_cost, after_cost) = compare_sums(&first, &second)?;
        let requests = after.iter().map(Vec::len).sum();
        let number = compared as f64;
        Some(Effect {
            compared,
            requests,
            after: after_cost / number,
            before: before_cost / number,
            interval: bootstrap_interval(before, after),
        })
    }

    /// The relative change of the cost per request.
    pub fn change(&self) -> f64 {
        self.after / self.before - 1.0
    }

    /// Describes the change by its interval, with the predicted change if there is one.
    pub fn verdict(&self, predicted: Option<f64>) -> String {
        let Some((least, most)) = self.interval else {
            return "Not enough data: one session is too few. Add sessions on both sides.".to_owned();
        };
        let range = format!(
            "the true change is between {} and {} (95% confidence)",
            signed_percent(least),
            signed_percent(most)
        );
        if least.abs().max(most.abs()) < NO_CHANGE {
            return format!("Nothing changed: {range}.");
        }
        let fits = predicted.is_some_and(|predicted| (least..=most).contains(&predicted));
        if least <= 0.0 && most >= 0.0 {
            let also = match predicted {
                Some(predicted) if fits => {
                    format!(" Both the predicted {} and no change fit.", signed_percent(predicted))
                }
                Some(predicted) if predicted < least => {
                    format!(" The predicted {} was not reached.", signed_percent(predicted))
                }
                _ => String::new(),
            };
            return format!("Cannot tell whether the cost changed: {range}.{also} Add sessions.");
        }
        let verdict = if most < 0.0 { "The cost of a request fell" } else { "The cost of a request rose" };
        let change = percentage(self.change().abs());
        let than_predicted = match predicted {
            None => String::new(),
            Some(predicted) if fits && most - least > predicted.abs() => {
                format!(
                    " The predicted {} fits, but the range is too wide to confirm it. Add sessions.",
                    signed_percent(predicted)
                )
            }
            Some(predicted) if fits => format!(" That confirms the predicted {}.", signed_percent(predicted)),
            Some(predicted) if predicted < least => {
                format!(" The predicted {} was not reached.", signed_percent(predicted))
            }
            Some(predicted) => format!(" That is better than the predicted {}.", signed_percent(predicted)),
        };
        format!("{verdict} by {change}; {range}.{than_predicted}")
    }
}

/// Number and cost of requests, keyed by the last place of their group.
type Sums = BTreeMap<usize, (usize, f64)>;

fn sum_sessions<'s>(sessions: impl Iterator<Item = &'s SessionCosts>) -> Sums {
    let mut sums = Sums::new();
    for session in sessions {
        let mut last = 0;
        for (place, cost) in (1..).zip(session) {
            while place > last {
                last += if last < SINGLE { 1 } else { last / PART };
            }
            let (number, sum) = sums.entry(last).or_default();
            *number += 1;
            *sum += cost;
        }
    }
    sums
}

/// The number of comparable requests after the change, their expected cost by the mean before it, and their
/// actual cost.
fn compare_sums(before: &Sums, after: &Sums) -> Option<(usize, f64, f64)> {
    let (mut compared, mut expected, mut paid) = (0, 0.0, 0.0);
    for (place, (later, sum_after)) in after {
        let Some((earlier, sum_before)) = before.get(place) else { continue };
        compared += later;
        expected += sum_before / *earlier as f64 * *later as f64;
        paid += sum_after;
    }
    (compared > 0 && expected > 0.0).then_some((compared, expected, paid))
}

/// The 95% bootstrap interval of the change.
fn bootstrap_interval(before: &[SessionCosts], after: &[SessionCosts]) -> Option<(f64, f64)> {
    if before.len() < 2 || after.len() < 2 {
        return None;
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut changes = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let [first, second] = [before, after].map(|sessions| {
            let sample: Vec<&SessionCosts> =
                sessions.iter().filter_map(|_| sessions.get(random.random_below(sessions.len()))).collect();
            sum_sessions(sample.into_iter())
        });
        changes.extend(compare_sums(&first, &second).map(|(_, expected, paid)| paid / expected - 1.0));
    }
    changes.sort_by(f64::total_cmp);
    let outside = (changes.len() as f64 * OUTSIDE) as usize;
    let least = changes.get(outside)?;
    let most = changes.get(changes.len().checked_sub(outside + 1)?)?;
    Some((*least, *most))
}

/// A random number generator with the same sequence on every machine (SplitMix64).
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn random_below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }
}
