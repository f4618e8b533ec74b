//! Statistics of verified requests.

/// Quantile of the normal distribution for an interval of 95%.
const Z: f64 = 1.96;
/// A difference between shares that does not matter.
const NEGLIGIBLE: f64 = 0.1;
/// Most further requests that are worth asking for.
const MOST: u32 = 100_000;

/// Results of requests of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub requests: u32,
    /// Number of runs of all these requests together.
    pub runs: u32,
    /// Number of runs that ended as expected.
    pub right: u32,
}

/// Finding about the requests with short answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// They fail more often.
    More,
    /// They fail less often.
    Less,
    /// They fail about as often: the difference of the shares is at most this.
    Alike(f64),
    /// Nothing can be said. The number of further requests of each kind that may decide it; none if one kind is missing, or nearly all
    /// runs of both kinds fail.
    Unknown(Option<u32>),
}

impl Group {
    /// The share of right runs.
    pub fn share(self) -> f64 {
        f64::from(self.right) / f64::from(self.runs.max(1))
    }

    /// The Wilson interval of the share.
    pub fn interval(self) -> (f64, f64) {
        // Runs of one request resemble each other, so each request counts once, however often it is repeated.
        wilson(self.share(), self.requests)
    }
}

impl Finding {
    pub fn of(short: Group, others: Group) -> Finding {
        if short.requests == 0 || others.requests == 0 {
            return Finding::Unknown(None);
        }
        let after =
            |more| decided((short.share(), short.requests + more), (others.share(), others.requests + more));
        if let Some(finding) = after(0) {
            return finding;
        }
        // The fewest further requests that decide, if the shares stay as they are: first doubled, then halved.
        let (mut too_few, mut enough) = (0, 1);
        while after(enough).is_none() {
            if enough > MOST {
                return Finding::Unknown(None);
            }
            (too_few, enough) = (enough, enough * 2);
        }
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if after(middle).is_some() { enough = middle } else { too_few = middle }
        }
        Finding::Unknown(Some(enough))
    }
}

/// The finding on two shares, each with its number of requests, if these are enough.
fn decided((short, n): (f64, u32), (others, m): (f64, u32)) -> Option<Finding> {
    let ((low, high), (others_low, others_high)) = (wilson(short, n), wilson(others, m));
    // Newcombe's bound of a difference between two shares.
    let (above, below) = (others_high - others, short - low);
    let at_most = others - short + (above * above + below * below).sqrt();
    if high < others_low {
        Some(Finding::More)
    } else if others_high < low {
        Some(Finding::Less)
    } else {
        // Where nearly nothing is right, nothing can fail more often.
        (at_most < NEGLIGIBLE && others_low > NEGLIGIBLE).then_some(Finding::Alike(at_most.max(0.0)))
    }
}

fn wilson(share: f64, count: u32) -> (f64, f64) {
    let n = f64::from(count.max(1));
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}
