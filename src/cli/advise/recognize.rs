//! Recognizes the strategy used in logs by the sizes of their requests. Many logs contain the whole history even if the requests did not,
//! but billed sizes reveal it.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::cli::error::CliError;
use crate::cli::suite::StrategyChoice;
use crate::compression::{CLEARING, FOLDING, Form, MASKING, STRATEGIES, TRIGGER, TRIMMING};
use crate::evaluate::{Pipeline, Plan};
use crate::report::Gauges;
use crate::scenario::JsonOptions;
use crate::scenario::suite::{Selection, Suite};
use ptc_tokens::Tokenizer;

/// Trigger sizes to try for clearing.
const SIZES: [u64; 6] = [4_000, 8_000, 16_000, 32_000, 64_000, 100_000];
/// The relative tolerance for two sizes to count as the same.
const NEAR: f64 = 0.02;
/// Range of billed tokens per token of our tokenizer: 1.17 to 1.85 in public sessions. Without a bound, any strategy would fit results of
/// equal size with some slope.
const SLOPES: (f64, f64) = (0.7, 2.2);
/// The share of requests a strategy has to explain, and by how much it has to exceed the whole history. Chosen, not measured.
const MOST_OF: f64 = 0.6;
const MORE_THAN_WHOLE: f64 = 0.1;

/// A strategy, and the number of requests whose billed sizes it explains.
pub(super) struct RecognizedBySizes {
    pub(super) strategy: StrategyChoice,
    pub(super) explained: usize,
    /// Requests explained by the whole history.
    pub(super) by_whole: usize,
    pub(super) requests: usize,
}

/// The counted size under a strategy and the billed size of each request in a conversation.
type Sizes = Vec<(f64, f64)>;

/// Finds the strategy that explains most billed request sizes. Returns `None` if it explains too few, or hardly more than the whole
/// history. `inputs` has the billed sizes of each conversation by name.
pub(super) fn recognize(
    suite: &Suite,
    tokenizer: &Tokenizer,
    asked: Option<&StrategyChoice>,
    inputs: &[(&str, &[Option<u64>])],
) -> Result<Option<RecognizedBySizes>, CliError> {
    let (mut billed, mut wanted) = (Vec::with_capacity(inputs.len()), Vec::new());
    for (_, sizes) in inputs {
        billed.push(*sizes);
    }
    let choices = candidates(asked, &billed);
    for StrategyChoice { name, options } in &choices {
        wanted.push((name.clone(), options.clone()));
    }
    let inputs: FxHashMap<&str, &[Option<u64>]> = inputs.iter().copied().collect();
    let plan = Plan::new(suite, &wanted)?;
    let pipeline = Pipeline::new(&plan, Gauges { tokenizer, models: &[], logged: None, warm_system: false });
    let mut sizes: Vec<Vec<Sizes>> = vec![Vec::new(); choices.len()];
    for scenario in suite.scenarios(&Selection::default())? {
        let record = pipeline.evaluate(scenario?, 0)?.record;
        let Some(inputs) = inputs.get(&*record.name) else { continue };
        for (sizes, run) in sizes.iter_mut().zip(&record.strategies) {
            let mut of_run = Sizes::new();
            for request in &run.requests {
                if let Some(billed) = inputs.get(request.turn as usize - 1).copied().flatten() {
                    of_run.push((f64::from(request.input_tokens), billed as f64));
                }
            }
            sizes.push(of_run);
        }
    }
    // The first candidate is the whole history.
    let Some(of_whole) = sizes.first() else { return Ok(None) };
    let (requests, by_whole) = (of_whole.iter().map(Vec::len).sum(), count_explained(of_whole));
    let mut best: Option<RecognizedBySizes> = None;
    for (strategy, sizes) in choices.into_iter().zip(&sizes).skip(1) {
        let explained = count_explained(sizes);
        // In a tie, prefer the first: it has fewer options.
        match &best {
            Some(best) if best.explained >= explained => {}
            _ => best = Some(RecognizedBySizes { strategy, explained, by_whole, requests }),
        }
    }
    Ok(best.filter(RecognizedBySizes::is_clear))
}

impl RecognizedBySizes {
    /// Returns true if the strategy explains most requests, and clearly more than the whole history.
    fn is_clear(&self) -> bool {
        let requests = self.requests as f64;
        let more = self.explained.saturating_sub(self.by_whole) as f64;
        requests > 0.0 && self.explained as f64 >= MOST_OF * requests && more >= MORE_THAN_WHOLE * requests
    }
}

/// The whole history first, then native strategies, the requested one, those with the batches that the bills show, `fold` at the prices
/// that `apply` writes by default, and clearing at several sizes.
fn candidates(asked: Option<&StrategyChoice>, billed: &[&[Option<u64>]]) -> Vec<StrategyChoice> {
    let mut choices = Vec::new();
    for strategy in STRATEGIES {
        if strategy.form == Form::Native {
            choices.push(choose(strategy.name, &[]));
        }
    }
    choices.extend(asked.cloned());
    if let Some(Batches { kept, step }) = billed.iter().copied().find_map(Batches::of_sizes) {
        for strategy in [MASKING, TRIMMING] {
            choices.push(choose(strategy.name, &[("keep_recent_turns", json!(kept)), ("step", json!(step))]));
        }
    }
    let prices = [("read", json!(0.1)), ("write", json!(1.25)), ("ttl", json!(300))];
    choices.push(choose(FOLDING.name, &prices));
    let largest = billed.iter().copied().flatten().copied().flatten().max().unwrap_or(0);
    let falls = largest_before_falls(billed);
    for size in SIZES.into_iter().filter(|size| *size < largest).chain(falls) {
        choices.push(choose(CLEARING.name, &[(TRIGGER, json!({ "tokens": size }))]));
    }
    choices
}

/// A strategy with these options.
fn choose(name: &str, values: &[(&str, Value)]) -> StrategyChoice {
    let mut options = JsonOptions::default();
    for (option, value) in values {
        options.insert((*option).to_owned(), value.clone());
    }
    StrategyChoice { name: name.to_owned(), options }
}

/// Turns left out at once, at regular distances.
struct Batches {
    kept: usize,
    step: usize,
}

/// A request with less than this share of the tokens of the one before was shortened. Chosen, not measured.
const FALL: f64 = 0.9;

impl Batches {
    /// `None` without two falls of the billed sizes, or if their distances differ.
    fn of_sizes(billed: &[Option<u64>]) -> Option<Batches> {
        let falls = list_falls(billed);
        let step = falls.get(1)? - falls.first()?;
        for pair in falls.windows(2) {
            if !matches!(pair, [one, next] if next - one == step) {
                return None;
            }
        }
        match falls.first()?.checked_sub(step)? {
            0 => None,
            kept => Some(Batches { kept, step }),
        }
    }
}

/// The number of completed turns at each request that is much smaller than the one before.
fn list_falls(billed: &[Option<u64>]) -> Vec<usize> {
    let mut falls = Vec::new();
    for (index, pair) in billed.windows(2).enumerate() {
        if let [Some(before), Some(after)] = pair
            && (*after as f64) < *before as f64 * FALL
        {
            falls.push(index + 1);
        }
    }
    falls
}

/// The roundest number above the size of all requests before a fall: a trigger by tokens lies there.
fn largest_before_falls(billed: &[&[Option<u64>]]) -> Option<u64> {
    let mut largest = None;
    for conversation in billed {
        for fall in list_falls(conversation) {
            largest = largest.max(conversation.get(fall - 1).copied().flatten());
        }
    }
    Some(largest?.div_ceil(ROUND) * ROUND)
}

/// Triggers are taken to be multiples of this many tokens.
const ROUND: u64 = 1_000;

/// Fits billed sizes to counted sizes with one slope for the tokenizer and an offset for each conversation, because logs may lack tools.
/// Counts the requests near the fitted line.
fn count_explained(conversations: &[Sizes]) -> usize {
    let (mut products, mut squares) = (0.0, 0.0);
    for sizes in conversations {
        let (counted, billed) = means(sizes);
        for (x, y) in sizes {
            products += (x - counted) * (y - billed);
            squares += (x - counted) * (x - counted);
        }
    }
    let slope = if squares > 0.0 { products / squares } else { 1.0 };
    let slope = slope.clamp(SLOPES.0, SLOPES.1);
    let mut explained = 0;
    for sizes in conversations {
        let (counted, billed) = means(sizes);
        for (x, y) in sizes {
            let is_near = (billed + slope * (x - counted) - y).abs() <= NEAR * y;
            explained += usize::from(is_near);
        }
    }
    explained
}

fn means(sizes: &Sizes) -> (f64, f64) {
    let number = sizes.len().max(1) as f64;
    let (mut counted, mut billed) = (0.0, 0.0);
    for (x, y) in sizes {
        counted += x;
        billed += y;
    }
    (counted / number, billed / number)
}
