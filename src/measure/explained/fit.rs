//! The constant of each stretch and the factor of each model that explain billed requests best.

/// A billed request.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Tokens that were counted, without those that are known as billed.
    pub counted: f64,
    /// Tokens that were billed, without the same.
    pub billed: f64,
}

/// Billed requests with the same tokens before the conversation.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The index of the model that answered.
    pub model: usize,
    /// In order.
    pub points: Vec<Point>,
}

/// The explanation of billed requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Tokens of each model for one that was counted.
    pub factors: Vec<f64>,
    /// Tokens before the conversation, of each stretch.
    pub constants: Vec<u32>,
}

/// The least difference of two requests that tells a factor. Below it, what the chat format adds decides.
const LEAST_DIFFERENCE: f64 = 500.0;
/// The least pairs of requests that tell a factor.
const LEAST_PAIRS: usize = 10;
/// The most distances between the requests of a pair.
const DISTANCES: usize = 64;
/// The least requests of a stretch that tell its constant: one would explain any bill.
const LEAST_REQUESTS: usize = 2;
/// Factors that tokenizers can have. Others come from logs that lack most of what was sent.
const FACTORS: std::ops::RangeInclusive<f64> = 0.5..=4.0;

impl Fit {
    /// The fit of stretches. The factor of a model is 1 if its tokenizer is the one that counts.
    pub fn of(stretches: &[Stretch], is_counted_exactly: &[bool]) -> Fit {
        let factor = |(model, is_exact): (usize, &bool)| {
            if *is_exact { 1.0 } else { factor(stretches.iter().filter(|one| one.model == model)) }
        };
        let factors: Vec<f64> = is_counted_exactly.iter().enumerate().map(factor).collect();
        let of_model = |model: usize| factors.get(model).copied().unwrap_or(1.0);
        let own: Vec<Option<u32>> =
            stretches.iter().map(|one| constant(&one.points, of_model(one.model))).collect();
        let constants = stretches.iter().enumerate().map(|(index, stretch)| {
            let of_same = |other: &usize| stretches.get(*other).is_some_and(|one| one.model == stretch.model);
            let known = |other: usize| own.get(other).copied().flatten();
            // A stretch that is too short has the constant of the nearest one of its model, an earlier one first.
            let earlier = (0..=index).rev().filter(of_same).find_map(known);
            earlier.or_else(|| (index..own.len()).filter(of_same).find_map(known)).unwrap_or(0)
        });
        Fit { constants: constants.collect(), factors }
    }

    /// Tokens of a request of a stretch that are billed beyond what is explained; fewer if it is negative.
    pub fn residual(&self, number: usize, stretch: &Stretch, point: Point) -> f64 {
        let factor = self.factors.get(stretch.model).copied().unwrap_or(1.0);
        let constant = self.constants.get(number).copied().unwrap_or(0);
        point.billed - f64::from(constant) - factor * point.counted
    }
}

/// The median of the slopes between requests of the same stretch, as Theil and Sen estimate it: up to 29% of the requests
/// may be wrong without changing it much.
fn factor<'s>(stretches: impl Iterator<Item = &'s Stretch>) -> f64 {
    let mut slopes: Vec<f64> = stretches.flat_map(|stretch| slopes(&stretch.points)).collect();
    let is_enough = slopes.len() >= LEAST_PAIRS;
    let median = median(&mut slopes).filter(|factor| is_enough && FACTORS.contains(factor));
    median.unwrap_or(1.0)
}

/// The slopes between requests at some distances: all pairs of a short stretch. All pairs of a long one would be quadratic, so
/// it has as many distances, spread evenly over its length. Only near ones would tell noise: a factor that is off by 5%.
fn slopes(points: &[Point]) -> impl Iterator<Item = f64> {
    let step = points.len().div_ceil(DISTANCES).max(1);
    let distances = (step..points.len()).step_by(step);
    distances.flat_map(|distance| points.iter().zip(points.iter().skip(distance))).filter_map(
        |(before, after)| {
            let counted = after.counted - before.counted;
            (counted.abs() >= LEAST_DIFFERENCE).then(|| (after.billed - before.billed) / counted)
        },
    )
}

/// The median of what is billed beside the counted tokens.
fn constant(points: &[Point], factor: f64) -> Option<u32> {
    let mut rests: Vec<f64> = points.iter().map(|point| point.billed - factor * point.counted).collect();
    let is_enough = rests.len() >= LEAST_REQUESTS;
    median(&mut rests).filter(|_| is_enough).map(|rest| rest.round().clamp(0.0, f64::from(u32::MAX)) as u32)
}

/// The median of numbers, of an even number of them the upper one; nothing of none.
pub fn median(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    Some(*numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}
