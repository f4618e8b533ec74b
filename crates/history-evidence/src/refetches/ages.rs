//! Counts re-read results by age.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The two-sided 95% quantile of the normal distribution.
const Z: f64 = 1.96;

/// Results of about the same age, counted in requests since the first one that shows them. The last row has all that are older.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgeRow {
    /// Results in the request.
    pub shown: Watched,
    /// Results no longer in the request.
    pub gone: Watched,
}

/// Requests before which somebody could fetch a result again, and those of them before an answer that did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "watched results")]
pub struct Watched {
    /// All such requests.
    pub requests: u64,
    /// Those before an answer that fetched the result again.
    pub again: u64,
}

/// Rows by age: 1, 2 and 3, 4 to 7, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Ages(pub Vec<AgeRow>);

/// The rate of re-reading gone results, divided by the rate of re-reading shown results of equal age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateRatio {
    /// The rate while gone, divided by the rate while shown.
    pub ratio: f64,
    /// The 95% confidence interval, assuming independent calls.
    pub between: (f64, f64),
}

impl Ages {
    /// Adds the requests of a result at the ages from `first` to `last`, both included and counted from 1.
    pub fn add_requests(&mut self, is_shown: bool, first: u32, last: u32) {
        let mut age = first.max(1);
        while age <= last {
            let row = age.ilog2();
            let end = last.min((2_u32 << row) - 1);
            self.watched_at(row as usize, is_shown).requests += u64::from(end - age + 1);
            age = end + 1;
        }
    }

    /// Adds a re-read result of this age.
    pub fn add_again(&mut self, is_shown: bool, age: u32) {
        self.watched_at(age.max(1).ilog2() as usize, is_shown).again += 1;
    }

    fn watched_at(&mut self, row: usize, is_shown: bool) -> &mut Watched {
        if self.0.len() <= row {
            self.0.resize_with(row + 1, AgeRow::default);
        }
        let row = &mut self.0[row];
        if is_shown { &mut row.shown } else { &mut row.gone }
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Ages) {
        for (row, other) in other.0.iter().enumerate() {
            for (is_shown, other) in [(true, other.shown), (false, other.gone)] {
                let watched = self.watched_at(row, is_shown);
                watched.requests += other.requests;
                watched.again += other.again;
            }
        }
    }

    /// The ratio over the ages with both gone and shown results. `None` if either kind was never re-read at such an age.
    pub fn ratio(&self) -> Option<RateRatio> {
        // The Mantel-Haenszel estimator, with the variance of Greenland and Robins. Young results are re-read most, and gone
        // results are old, so rates over all ages would compare old results with young ones.
        let both = self.0.iter().filter(|row| row.shown.requests > 0 && row.gone.requests > 0);
        let (mut gone, mut shown, mut variance) = (0.0, 0.0, 0.0);
        for row in both {
            let [of_gone, of_shown] = [row.gone.requests, row.shown.requests].map(|number| number as f64);
            let all = of_gone + of_shown;
            let [again, while_shown] = [row.gone.again, row.shown.again].map(|number| number as f64);
            gone += again * of_shown / all;
            shown += while_shown * of_gone / all;
            variance += (again + while_shown) * of_gone * of_shown / (all * all);
        }
        if gone == 0.0 || shown == 0.0 {
            return None;
        }
        let (ratio, spread) = (gone / shown, libm::exp(Z * (variance / (gone * shown)).sqrt()));
        Some(RateRatio { ratio, between: (ratio / spread, ratio * spread) })
    }
}

impl RateRatio {
    /// Returns true if the interval includes equal rates.
    pub fn is_no_difference(&self) -> bool {
        self.between.0 <= 1.0 && self.between.1 >= 1.0
    }
}
