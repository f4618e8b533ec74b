//! Paired statistics of `verify`. The unit is a conversation, however many of its turns are asked: they resemble each other.

/// The 97.5% quantile of the normal distribution, for an interval of 95%.
const Z: f64 = 1.96;
/// The chance of a loss that is none, above which no loss is reported.
const LEVEL: f64 = 0.05;
/// The quantiles for that chance on one side, and for a chance of 80% to find a loss that is there.
const Z_LEVEL: f64 = 1.645;
const Z_POWER: f64 = 0.842;
/// A loss that matters: ten points.
pub const LOSS: f64 = 0.1;
/// The share of conversations that end in two ways where none is known: chosen, not measured.
pub const DISCORDANT: f64 = 0.2;

/// The results of a conversation: how often it ended right, of its runs with each of both requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedRuns {
    pub runs: u32,
    pub right_with_full: u32,
    pub right_with_strategy: u32,
}

/// The results of all conversations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedResults {
    pub conversations: u32,
    /// The mean shares of right runs.
    pub full: f64,
    pub strategy: f64,
    /// The share of conversations that are right with both requests.
    both: f64,
    /// Conversations that are right more often with the full history.
    pub lost: u32,
    /// Conversations that are right more often with the strategy's request.
    pub gained: u32,
}

/// The verdict of the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Answers are lost; the chance of such a result without a loss.
    Loss(f64),
    /// Answers are gained.
    Gain(f64),
    /// Neither is shown. The most that may be lost all the same, and the number of further conversations that would show a
    /// loss of ten points.
    NoDifference { at_most: f64, more: u32 },
    /// There are no pairs.
    Nothing,
}

impl PairedResults {
    pub fn of(conversations: impl IntoIterator<Item = PairedRuns>) -> PairedResults {
        let mut all = PairedResults::default();
        for PairedRuns { runs, right_with_full, right_with_strategy } in conversations {
            if runs == 0 {
                continue;
            }
            let share = |right: u32| f64::from(right) / f64::from(runs);
            let (full, strategy) = (share(right_with_full), share(right_with_strategy));
            all.conversations += 1;
            all.full += full;
            all.strategy += strategy;
            all.both += full.min(strategy);
            all.lost += u32::from(full > strategy);
            all.gained += u32::from(strategy > full);
        }
        let n = f64::from(all.conversations.max(1));
        PairedResults { full: all.full / n, strategy: all.strategy / n, both: all.both / n, ..all }
    }

    /// Decides by McNemar's exact test on one side: of conversations with a difference, half would go each way by chance.
    pub fn finding(&self) -> Finding {
        if self.conversations == 0 {
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
        let differing = f64::from(self.lost + self.gained) / f64::from(self.conversations);
        let needed = conversations_needed(LOSS, differing.max(LOSS));
        let (_, at_most) = self.interval();
        Finding::NoDifference { at_most, more: needed.saturating_sub(self.conversations) }
    }

    /// The interval of 95% of the share of answers that are lost: Newcombe's for paired shares.
    pub fn interval(&self) -> (f64, f64) {
        let n = f64::from(self.conversations.max(1));
        let (full, strategy, both) = (self.full, self.strategy, self.both);
        let neither = 1.0 - full - strategy + both;
        let margins = full * (1.0 - full) * strategy * (1.0 - strategy);
        let agreement = both * neither - (full - both) * (strategy - both);
        let correlation = if margins > 0.0 { agreement / margins.sqrt() } else { 0.0 };
        let ((full_low, full_high), (low, high)) = (wilson(full, n), wilson(strategy, n));
        let distance = |one: f64, other: f64| {
            (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt()
        };
        let lost = full - strategy;
        let least = lost - distance(full - full_low, high - strategy);
        (least, lost + distance(full_high - full, strategy - low))
    }
}

/// The number of conversations by which McNemar's test finds a loss with a chance of 80%, if this share of them ends in two
/// ways. The formula is Connor's (1987).
pub fn conversations_needed(loss: f64, discordant: f64) -> u32 {
    let root = Z_LEVEL * discordant.sqrt() + Z_POWER * (discordant - loss * loss).max(0.0).sqrt();
    (root * root / (loss * loss)).ceil() as u32
}

/// The fewest conversations that show a loss, if each of them is lost.
pub fn fewest_conversations() -> u32 {
    let mut fewest = 1;
    while chance_of_at_least(fewest, fewest) >= LEVEL {
        fewest += 1;
    }
    fewest
}

/// The most coins whose outcomes are summed: two to this power is still a number.
const MOST_EXACT: u32 = 1_000;

/// The chance that at least so many of `all` fair coins show heads.
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

/// The Wilson interval of a share.
pub fn wilson(share: f64, n: f64) -> (f64, f64) {
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}
