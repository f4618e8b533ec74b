//! Tells how sure a choice is: random halves of the runs choose, and the other halves say what the choice costs there.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::recommend::{Rule, Standing};

/// Number of random halves. Both sides of each are judged, so a share of 95% is known to about a point.
const SPLITS: usize = 200;
/// The fewest tasks that a choice can be sure of: fewer say too little of the next ones. That three are too few was seen; that
/// eight are enough is chosen.
pub(super) const TASKS: usize = 8;
/// The number of sums that the answers of tasks are added to. Two of eight tasks share one once in 2,000 sets.
const BUCKETS: u64 = 1 << 16;

/// A bit for each split: set if the runs of a task are in its first half.
pub(super) fn first_halves(task: u64) -> impl Iterator<Item = u64> {
    let splits = (0..SPLITS as u64).step_by(u64::BITS as usize);
    splits.map(move |split| xxh3_64_with_seed(&task.to_le_bytes(), split))
}

/// Sums over random halves of the runs. The task of a run decides to which halves it belongs: runs of one task are alike,
/// and the order of the runs does not matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    /// Answers that need anything, by the bucket of the task, so that a million tasks take little room.
    tasks: FxHashMap<u64, u128>,
    /// All runs, a standing for each strategy.
    whole: Vec<Standing>,
    /// The first half of each split, a standing for each strategy.
    halves: Vec<Vec<Standing>>,
}

impl Halves {
    pub(super) fn add(&mut self, task: u64, standings: &[Standing]) {
        // Most are the same under all strategies; one that shows less of the opening needs more.
        let needing = standings.iter().map(|standing| standing.needing).max().unwrap_or(0);
        *self.tasks.entry(task % BUCKETS).or_default() += u128::from(needing);
        self.halves.resize(SPLITS, Vec::new());
        add_to(&mut self.whole, standings);
        for (halves, bits) in self.halves.chunks_mut(u64::BITS as usize).zip(first_halves(task)) {
            for (bit, half) in halves.iter_mut().enumerate() {
                if bits >> bit & 1 == 1 {
                    add_to(half, standings);
                }
            }
        }
    }

    /// Number of tasks that differ, up to [`TASKS`].
    pub(super) fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Returns true if there are tasks enough to be sure, and no few of them have most of the answers. Answers of one task are
    /// alike, so a share of answers is only as well known as by so many tasks of equal size as have the same sum and sum of squares.
    pub(super) fn has_enough_tasks(&self) -> bool {
        let sum: u128 = self.tasks.values().sum();
        let squares: u128 = self.tasks.values().map(|answers| answers * answers).sum();
        squares > 0 && sum * sum >= TASKS as u128 * squares
    }

    /// The share of halves whose choice costs at most a point more than the best on the other half, and leaves few enough
    /// answers short there; none for fewer than two tasks.
    pub(super) fn holding(&self, rule: &Rule<'_>) -> Option<f64> {
        if self.tasks.len() < 2 || self.whole.is_empty() {
            return None;
        }
        let (mut held, mut judged) = (0, 0);
        for half in &self.halves {
            let rest = self.whole.iter().zip(half).map(|(whole, half)| whole.without(half));
            let rest: Vec<Standing> = rest.collect();
            // By chance all runs may be in one half.
            let is_empty = |half: &[Standing]| half.iter().all(|standing| standing.cost == 0);
            if is_empty(half) || is_empty(&rest) {
                continue;
            }
            held += u32::from(rule.holds(half, &rest)) + u32::from(rule.holds(&rest, half));
            judged += 2;
        }
        (judged > 0).then(|| f64::from(held) / f64::from(judged))
    }
}

/// Adds the standing of each strategy in a run.
fn add_to(sums: &mut Vec<Standing>, standings: &[Standing]) {
    sums.resize(standings.len(), Standing::default());
    for (sum, standing) in sums.iter_mut().zip(standings) {
        sum.add(standing);
    }
}
