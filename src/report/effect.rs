//! The effect of a change on what requests cost: logs from before it against logs from after it.
//!
//! Later requests of a session are larger, so only requests at about the same place of a session are compared.

use std::collections::BTreeMap;

/// Places that are compared one by one. Later ones are compared in groups of a twentieth of their place.
const SINGLE: usize = 40;
const PART: usize = 20;
/// Samples of sessions that give the interval.
const SAMPLES: usize = 1_000;
/// The share of samples on either side of the interval.
const OUTSIDE: f64 = 0.025;

/// The costs of the requests of a session in order, in dollars.
pub type SessionCosts = Vec<f64>;

/// The effect of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Requests after the change that have others at their place before it, and all after it.
    pub compared: usize,
    pub requests: usize,
    /// The mean cost of these requests, and that of requests at the same places before.
    pub after: f64,
    pub before: f64,
    /// The change that 95 of 100 samples of sessions lie between; none of a single session.
    pub interval: Option<(f64, f64)>,
}

impl Effect {
    /// Compares sessions from before a change with sessions from after it. None if no requests have the same place.
    pub fn of(before: &[SessionCosts], after: &[SessionCosts]) -> Option<Effect> {
        let [first, second] = [before, after].map(|sessions| sums(sessions.iter()));
        let (compared, before_cost, after_cost) = compare(&first, &second)?;
        let requests = after.iter().map(Vec::len).sum();
        let number = compared as f64;
        Some(Effect {
            compared,
            requests,
            after: after_cost / number,
            before: before_cost / number,
            interval: interval(before, after),
        })
    }

    /// The change of the cost of a request, as a share.
    pub fn change(&self) -> f64 {
        self.after / self.before - 1.0
    }
}

/// The number and the cost of requests by the last place of their group.
type Sums = BTreeMap<usize, (usize, f64)>;

fn sums<'s>(sessions: impl Iterator<Item = &'s SessionCosts>) -> Sums {
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

/// The requests after the change that can be compared, their cost at the prices of the requests before, and their own.
fn compare(before: &Sums, after: &Sums) -> Option<(usize, f64, f64)> {
    let (mut compared, mut expected, mut paid) = (0, 0.0, 0.0);
    for (place, (later, sum_after)) in after {
        let Some((earlier, sum_before)) = before.get(place) else { continue };
        compared += later;
        expected += sum_before / *earlier as f64 * *later as f64;
        paid += sum_after;
    }
    (compared > 0 && expected > 0.0).then_some((compared, expected, paid))
}

/// The changes between which 95 of 100 samples of sessions lie.
fn interval(before: &[SessionCosts], after: &[SessionCosts]) -> Option<(f64, f64)> {
    if before.len() < 2 || after.len() < 2 {
        return None;
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut changes = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let [first, second] = [before, after].map(|sessions| {
            let sample: Vec<&SessionCosts> =
                sessions.iter().filter_map(|_| sessions.get(random.below(sessions.len()))).collect();
            sums(sample.into_iter())
        });
        changes.extend(compare(&first, &second).map(|(_, expected, paid)| paid / expected - 1.0));
    }
    changes.sort_by(f64::total_cmp);
    let outside = (changes.len() as f64 * OUTSIDE) as usize;
    let least = changes.get(outside)?;
    let most = changes.get(changes.len().checked_sub(outside + 1)?)?;
    Some((*least, *most))
}

/// A sequence of numbers that is the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    /// The next number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }
}
