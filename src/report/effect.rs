//! The effect of a change on the cost of requests: logs from before it against logs from after it.
//!
//! Later requests of a session are larger, so only requests at about the same place in a session are
//! compared.

mod more_sessions;

use std::collections::BTreeMap;

pub use self::more_sessions::{MoreSessions, SideSpread};
use crate::measure::numbers::percentage;

/// Places compared one by one. Later ones are grouped by a twentieth of their place.
const SINGLE: usize = 40;
const PART: usize = 20;
/// Bootstrap samples of sessions for the confidence interval.
const SAMPLES: usize = 1_000;
/// The share of samples outside the interval, on each side.
const OUTSIDE: f64 = 0.025;
/// The same share outside of the normal distribution, in standard deviations.
const NORMAL: f64 = 1.96;
/// A bootstrap interval from fewer sessions is clearly too narrow: by a quarter for 8, by 2 thirds for 3. Chosen, not measured.
const FEW: usize = 10;
/// Smaller changes print as 0.0%.
const NO_CHANGE: f64 = 0.000_5;

/// The costs of a conversation's requests in order, in dollars.
pub type ConversationCosts = Vec<f64>;

/// A session: its main conversation and those of its subagents.
pub type SessionCosts = Vec<ConversationCosts>;

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
    /// The sessions of the side with fewer.
    pub fewest: usize,
}

impl Effect {
    /// Compares sessions before and after a change. `None` if no requests have the same place.
    pub fn of(before: &[SessionCosts], after: &[SessionCosts]) -> Option<Effect> {
        let [first, second] = [before, after].map(|sessions| sum_sessions(sessions.iter()));
        let (compared, before_cost, after_cost) = compare_sums(&first, &second)?;
        let requests = after.iter().flatten().map(Vec::len).sum();
        let number = compared as f64;
        Some(Effect {
            compared,
            requests,
            after: after_cost / number,
            before: before_cost / number,
            interval: bootstrap_interval(before, after),
            fewest: before.len().min(after.len()),
        })
    }

    /// The relative change of the cost per request.
    pub fn change(&self) -> f64 {
        self.after / self.before - 1.0
    }

    /// The verdict that the interval supports, for a predicted change if there is one.
    pub fn outcome(&self, predicted: Option<f64>) -> Outcome {
        let Some((least, most)) = self.interval else { return Outcome::OneSession };
        if least.abs().max(most.abs()) < NO_CHANGE {
            return Outcome::Nothing;
        }
        let promise = match predicted {
            None => Promise::None,
            Some(predicted) if predicted < least - NO_CHANGE => Promise::Missed,
            Some(predicted) if predicted > most + NO_CHANGE => Promise::Exceeded,
            Some(predicted) if most - least > predicted.abs() => Promise::Possible,
            Some(_) => Promise::Confirmed,
        };
        if least < NO_CHANGE && most > -NO_CHANGE {
            return Outcome::Undecided(promise);
        }
        if most < 0.0 { Outcome::Fell(promise) } else { Outcome::Rose(promise) }
    }

    /// Describes the change by its interval, with the predicted change if there is one.
    pub fn verdict(&self, predicted: Option<f64>) -> String {
        let measured = self.measured_change();
        let range = match self.interval {
            Some((least, most)) => {
                let less = match self.fewest {
                    fewest if fewest < FEW => format!(", or less: a side has only {fewest} sessions"),
                    _ => String::new(),
                };
                format!(
                    "between {} and {} (95% confidence{less})",
                    bound_in_words(least),
                    bound_in_words(most)
                )
            }
            None => String::new(),
        };
        let promised = less_or_more(predicted.unwrap_or(0.0));
        match self.outcome(predicted) {
            Outcome::OneSession => format!(
                "Not enough data: {measured} after the change, but with one session on a side that may be chance."
            ),
            Outcome::Nothing => {
                let missed = predicted.is_some_and(|predicted| predicted <= -NO_CHANGE);
                let also = if missed {
                    format!(" The predicted {promised} was not reached.")
                } else {
                    String::new()
                };
                format!("Nothing changed: {measured} after the change, {range}.{also}")
            }
            Outcome::Undecided(promise) => {
                let also = match promise {
                    Promise::Missed => format!(" It is not the predicted {promised}."),
                    Promise::Possible | Promise::Confirmed => match self.interval {
                        Some((_, most)) if most >= NO_CHANGE => format!(
                            " All of these fit: the predicted {promised}, no change, and {}.",
                            less_or_more(most)
                        ),
                        _ => format!(" Both fit: the predicted {promised}, and no change."),
                    },
                    Promise::None | Promise::Exceeded => String::new(),
                };
                format!(
                    "Cannot tell yet whether the change saves money: {measured} after it, but the sessions differ so much \
                     that the true change may be anything {range}.{also}"
                )
            }
            outcome @ (Outcome::Fell(promise) | Outcome::Rose(promise)) => {
                let also = match promise {
                    Promise::None => String::new(),
                    Promise::Missed if predicted.is_some_and(|predicted| predicted >= NO_CHANGE) => {
                        format!(" It is more than the predicted {promised}.")
                    }
                    Promise::Missed => format!(" The predicted {promised} was not reached."),
                    Promise::Exceeded => format!(" That is better than the predicted {promised}."),
                    Promise::Possible => {
                        format!(" The predicted {promised} fits, but the range is too wide to confirm it.")
                    }
                    Promise::Confirmed => format!(" That confirms the predicted {promised}."),
                };
                let verdict = if matches!(outcome, Outcome::Fell(_)) { "cheaper" } else { "more expensive" };
                format!(
                    "Requests became {verdict}: {measured} after the change; the true change is {range}.{also}"
                )
            }
        }
    }

    /// `a request cost 5.7% more`
    fn measured_change(&self) -> String {
        let change = self.change();
        match percentage(change.abs()) {
            share if share == "0%" => "a request cost the same".to_owned(),
            _ => format!("a request cost {}", less_or_more(change)),
        }
    }
}

/// Returns true if two shares, each as a part and its whole, may differ by chance: a test with the normal
/// distribution and the correction by Yates, at the confidence of the interval.
pub fn may_be_chance(one: (u64, u64), other: (u64, u64)) -> bool {
    let [(part, whole), (other_part, other_whole)] =
        [one, other].map(|(part, whole)| (part as f64, whole as f64));
    let all = whole + other_whole;
    let share = (part + other_part) / all;
    let spread = (share * (1.0 - share) * (1.0 / whole + 1.0 / other_whole)).sqrt();
    let correction = (1.0 / whole + 1.0 / other_whole) / 2.0;
    let difference = (part / whole - other_part / other_whole).abs() - correction;
    difference <= NORMAL * spread
}

/// `5.7% less`, `0.4% more`
pub fn less_or_more(change: f64) -> String {
    let share = percentage(change.abs());
    if change < 0.0 { format!("{share} less") } else { format!("{share} more") }
}

/// An end of the interval: `54.3% less`, `no change`
fn bound_in_words(change: f64) -> String {
    if percentage(change.abs()) == "0%" { "no change".to_owned() } else { less_or_more(change) }
}

/// What the interval of a change allows to conclude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A side has one session, so there is no interval.
    OneSession,
    Nothing,
    /// The interval contains no change.
    Undecided(Promise),
    Fell(Promise),
    Rose(Promise),
}

/// A predicted change against the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing was predicted.
    None,
    /// The cost is above the prediction.
    Missed,
    /// The cost is below the prediction.
    Exceeded,
    /// Within the interval, which is wider than the predicted change.
    Possible,
    /// Within a narrow interval.
    Confirmed,
}

/// Number and cost of requests, keyed by the last place of their group.
type Sums = BTreeMap<usize, (usize, f64)>;

fn sum_sessions<'s>(sessions: impl Iterator<Item = &'s SessionCosts>) -> Sums {
    let mut sums = Sums::new();
    for session in sessions {
        for conversation in session {
            add_conversation(&mut sums, conversation);
        }
    }
    sums
}

fn add_conversation(sums: &mut Sums, conversation: &ConversationCosts) {
    let mut last = 0;
    for (place, cost) in (1..).zip(conversation) {
        while place > last {
            last += if last < SINGLE { 1 } else { last / PART };
        }
        let (number, sum) = sums.entry(last).or_default();
        *number += 1;
        *sum += cost;
    }
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
    resampled_interval(before, after, [true, true])
}

/// The interval if only the sessions of some sides are resampled.
fn resampled_interval(
    before: &[SessionCosts],
    after: &[SessionCosts],
    is_resampled: [bool; 2],
) -> Option<(f64, f64)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut changes = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let [first, second] =
            [(before, is_resampled[0]), (after, is_resampled[1])].map(|(sessions, resamples)| {
                if !resamples {
                    return sum_sessions(sessions.iter());
                }
                let sample: Vec<&SessionCosts> = sessions
                    .iter()
                    .filter_map(|_| sessions.get(random.random_below(sessions.len())))
                    .collect();
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
