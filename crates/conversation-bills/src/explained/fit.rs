//! Fits billed tokens to counted tokens, with a constant for each stretch of requests and a factor for each model.

/// A billed request.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Counted tokens, without answers whose output was billed.
    pub counted: f64,
    /// Billed tokens, without the output of these answers.
    pub billed: f64,
}

/// Billed requests with the same tokens before the conversation.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Index of the model.
    pub model: usize,
    /// In the order of the requests.
    pub points: Vec<Point>,
}

/// The fitted parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// For each model, its tokens per token counted here.
    pub factors: Vec<f64>,
    /// For each stretch, the tokens before the conversation.
    pub constants: Vec<u32>,
}

/// Minimum difference in counted tokens between two requests of a pair. In smaller differences the overhead of the chat
/// format dominates.
const LEAST_DIFFERENCE: f64 = 500.0;
/// Minimum number of pairs for a factor.
const LEAST_PAIRS: usize = 10;
/// Maximum number of distances, in requests, at which pairs are formed.
const DISTANCES: usize = 64;
/// Minimum requests in a stretch to fit its constant. With one request, any bill would fit.
const LEAST_REQUESTS: usize = 2;
/// Plausible factors between tokenizers. Factors outside come from logs that lack most of the sent text.
const FACTORS: std::ops::RangeInclusive<f64> = 0.5..=4.0;

impl Fit {
    /// Fits the stretches. `is_counted_exactly` is true for each model with the counting tokenizer; its factor is 1.
    pub fn fit_stretches(stretches: &[Stretch], is_counted_exactly: &[bool]) -> Fit {
        let mut factors = Vec::with_capacity(is_counted_exactly.len());
        for (model, is_exact) in is_counted_exactly.iter().enumerate() {
            let of_model = stretches.iter().filter(|stretch| stretch.model == model);
            factors.push(if *is_exact { 1.0 } else { fit_factor(of_model) });
        }
        let mut told: Vec<(&Stretch, Option<u32>)> = Vec::with_capacity(stretches.len());
        for stretch in stretches {
            let factor = factors.get(stretch.model).copied().unwrap_or(1.0);
            told.push((stretch, fit_constant(&stretch.points, factor)));
        }
        let mut constants = Vec::with_capacity(told.len());
        for (index, (stretch, _)) in told.iter().enumerate() {
            // A stretch that is too short gets the constant of the nearest stretch of its model, preferably an earlier one.
            let (before, after) = told.split_at(index + 1);
            let nearest =
                before.iter().rev().chain(after).find_map(|(other, constant)| {
                    if other.model == stretch.model { *constant } else { None }
                });
            constants.push(nearest.unwrap_or(0));
        }
        Fit { constants, factors }
    }

    /// Billed minus explained tokens of a request. `number` is the index of the stretch.
    pub fn residual(&self, number: usize, stretch: &Stretch, point: Point) -> f64 {
        let factor = self.factors.get(stretch.model).copied().unwrap_or(1.0);
        let constant = self.constants.get(number).copied().unwrap_or(0);
        point.billed - f64::from(constant) - factor * point.counted
    }
}

/// The median of the slopes between requests of the same stretch (Theil-Sen estimator). It is robust against up to 29% wrong
/// requests.
fn fit_factor<'s>(stretches: impl Iterator<Item = &'s Stretch>) -> f64 {
    let mut slopes: Vec<f64> = stretches.flat_map(|stretch| list_slopes(&stretch.points)).collect();
    let is_enough = slopes.len() >= LEAST_PAIRS;
    let median = median(&mut slopes).filter(|factor| is_enough && FACTORS.contains(factor));
    median.unwrap_or(1.0)
}

/// The slopes between pairs of requests: all pairs of a short stretch, and pairs at [`DISTANCES`] distances in a long one.
fn list_slopes(points: &[Point]) -> impl Iterator<Item = f64> {
    // All pairs of a long stretch would take quadratic time. The distances cover its whole length, because nearby pairs alone
    // are noisy: the factor was off by 5%.
    let step = points.len().div_ceil(DISTANCES).max(1);
    let distances = (step..points.len()).step_by(step);
    distances.flat_map(|distance| points.iter().zip(points.iter().skip(distance))).filter_map(
        |(before, after)| {
            let counted = after.counted - before.counted;
            (counted.abs() >= LEAST_DIFFERENCE).then(|| (after.billed - before.billed) / counted)
        },
    )
}

/// The median of the billed tokens beyond the counted ones. `None` if the stretch is too short.
fn fit_constant(points: &[Point], factor: f64) -> Option<u32> {
    let mut rests: Vec<f64> = points.iter().map(|point| point.billed - factor * point.counted).collect();
    let is_enough = rests.len() >= LEAST_REQUESTS;
    median(&mut rests).filter(|_| is_enough).map(|rest| rest.round().clamp(0.0, f64::from(u32::MAX)) as u32)
}

/// The median; the upper one for an even number of values. `None` if empty.
pub fn median(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    Some(*numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}
