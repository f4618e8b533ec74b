//! Paired statistics of `verify`. The unit is a task, not a turn or a run: turns of one conversation and
//! runs of one task are correlated.

/// The 97.5% quantile of the normal distribution, for a 95% interval.
const Z: f64 = 1.96;
/// Significance level: the chance of reporting a loss by mistake.
const LEVEL: f64 = 0.05;
/// The normal quantiles of the level (one-sided) and of a power of 80%.
const Z_LEVEL: f64 = 1.645;
const Z_POWER: f64 = 0.842;
/// A loss worth detecting: ten points.
pub const LOSS: f64 = 0.1;
/// The assumed share of discordant tasks, when no pairs are known. Chosen, not measured.
pub const DISCORDANT: f64 = 0.2;

/// The results of one task: how many of its runs ended right with each request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedRuns {
    pub runs: u32,
    pub right_with_full: u32,
    pub right_with_strategy: u32,
}

/// The results of all tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedResults {
    pub tasks: u32,
    /// The mean share of right runs.
    pub full: f64,
    pub strategy: f64,
    /// The mean of the smaller of the two shares: an upper bound on the runs right with both requests.
    both: f64,
    /// Tasks right more often with the full history.
    pub lost: u32,
    /// Tasks right more often with the strategy's request.
    pub gained: u32,
}

/// The verdict on all pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Significant loss, with its p-value.
    Loss(f64),
    /// Significant gain, with its p-value.
    Gain(f64),
    /// Not significant. The upper bound of the loss, and how many more tasks it takes to detect a loss of ten points.
    NoDifference { at_most: f64, more: u32 },
    /// There are no pairs.
    Nothing,
}

impl PairedResults {
    pub fn of(tasks: impl IntoIterator<Item = PairedRuns>) -> PairedResults {
        let mut all = PairedResults::default();
        for PairedRuns { runs, right_with_full, right_with_strategy } in tasks {
            if runs == 0 {
                continue;
            }
            let runs = f64::from(runs);
            let (full, strategy) = (f64::from(right_with_full) / runs, f64::from(right_with_strategy) / runs);
            all.tasks += 1;
            all.full += full;
            all.strategy += strategy;
            all.both += full.min(strategy);
            all.lost += u32::from(full > strategy);
            all.gained += u32::from(strategy > full);
        }
        let n = f64::from(all.tasks.max(1));
        PairedResults { full: all.full / n, strategy: all.strategy / n, both: all.both / n, ..all }
    }

    /// McNemar's exact one-sided test: by chance, half of the discordant tasks go each way.
    pub fn finding(&self) -> Finding {
        if self.tasks == 0 {
            return Finding::Nothing;
        }
        let loss = chance_of_at_least(self.lost, self.lost + self.gained);
        let gain = chance_of_at_least(self.gained, self.lost + self.gained);
        if loss < LEVEL {
            return Finding::Loss(loss);
        }
        if gain < LEVEL {
            return Finding::Gain(gain);
        }
        let differing = f64::from(self.lost + self.gained) / f64::from(self.tasks);
        let needed = tasks_needed(LOSS, differing.max(LOSS));
        let (_, at_most) = self.interval();
        Finding::NoDifference { at_most, more: needed.saturating_sub(self.tasks) }
    }

    /// The 95% interval of the share of lost answers, by Newcombe's method 10 for paired proportions (1998). Without its continuity
    /// correction, samples of five tasks hold the true loss in only 81 of 100 cases.
    pub fn interval(&self) -> (f64, f64) {
        let n = f64::from(self.tasks.max(1));
        let (full, strategy, both) = (self.full, self.strategy, self.both);
        let neither = 1.0 - full - strategy + both;
        let margins = full * (1.0 - full) * strategy * (1.0 - strategy);
        let mut agreement = both * neither - (full - both) * (strategy - both);
        if agreement > 0.0 {
            agreement = (agreement - 0.5 / n).max(0.0);
        }
        let correlation = if margins > 0.0 { agreement / margins.sqrt() } else { 0.0 };
        let ((full_low, full_high), (low, high)) = (wilson(full, n), wilson(strategy, n));
        let lost = full - strategy;
        let below = combine_margins(full - full_low, high - strategy, correlation);
        let above = combine_margins(full_high - full, strategy - low, correlation);
        (lost - below, lost + above)
    }
}

/// The number of tasks for McNemar's test to detect a loss with a power of 80%, given the share of discordant ones. Connor's
/// formula (1987).
pub fn tasks_needed(loss: f64, discordant: f64) -> u32 {
    let root = Z_LEVEL * discordant.sqrt() + Z_POWER * (discordant - loss * loss).max(0.0).sqrt();
    (root * root / (loss * loss)).ceil() as u32
}

/// The fewest tasks to show a significant loss, if all of them are lost.
pub fn fewest_tasks() -> u32 {
    let mut fewest = 1;
    while chance_of_at_least(fewest, fewest) >= LEVEL {
        fewest += 1;
    }
    fewest
}

/// Largest number of coins for exact summation: 2 to the power of -1,000 is still a normal `f64`.
const MOST_EXACT: u32 = 1_000;

/// The chance of at least `heads` heads in `all` fair coin flips: the upper tail of the binomial distribution. A normal approximation above
/// 1,000 flips.
pub fn chance_of_at_least(heads: u32, all: u32) -> f64 {
    if all > MOST_EXACT {
        let deviation = f64::from(all).sqrt() / 2.0;
        let above = (f64::from(heads) - 0.5 - f64::from(all) / 2.0) / deviation;
        return libm::erfc(above / std::f64::consts::SQRT_2) / 2.0;
    }
    let mut share = libm::ldexp(1.0, -all.cast_signed());
    let mut chance = if heads == 0 { share } else { 0.0 };
    for number in 1..=all {
        share *= f64::from(all - number + 1) / f64::from(number);
        if number >= heads {
            chance += share;
        }
    }
    chance.min(1.0)
}

/// The Wilson score interval of a proportion.
pub fn wilson(share: f64, n: f64) -> (f64, f64) {
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

/// The margin of a difference of two correlated shares, from the margin of each.
fn combine_margins(one: f64, other: f64, correlation: f64) -> f64 {
    (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt()
}
