//! Recognizes the strategy used in logs by the sizes of their requests. Many logs contain the whole history even if the requests did not,
//! but billed sizes reveal it.

use rustc_hash::FxHashMap;
use serde_json::json;

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
    let billed: Vec<&[Option<u64>]> = inputs.iter().map(|(_, sizes)| *sizes).collect();
    let inputs: FxHashMap<&str, &[Option<u64>]> = inputs.iter().copied().collect();
    let choices = candidates(asked, &billed);
    let wanted: Vec<_> = choices.iter().map(|choice| (choice.name.clone(), choice.options.clone())).collect();
    let plan = Plan::new(suite, &wanted)?;
    let pipeline = Pipeline::new(&plan, Gauges { tokenizer, models: &[], logged: None, warm_system: false });
    let mut sizes: Vec<Vec<Sizes>> = choices.iter().map(|_| Vec::new()).collect();
    for scenario in suite.scenarios(&Selection::default())? {
        let record = pipeline.evaluate(scenario?, 0)?.record;
        let Some(inputs) = inputs.get(&*record.name) else { continue };
        for (sizes, run) in sizes.iter_mut().zip(&record.strategies) {
            let mut of_run = Sizes::new();
            for request in &run.requests {
                let billed = inputs.get(request.turn as usize - 1).copied().flatten();
                of_run.extend(billed.map(|billed| (f64::from(request.input_tokens), billed as f64)));
            }
            sizes.push(of_run);
        }
    }
    let requests = sizes.first().map_or(0, |sizes| sizes.iter().map(Vec::len).sum());
    let explained: Vec<usize> = sizes.iter().map(|sizes| count_explained(sizes)).collect();
    let by_whole = explained.first().copied().unwrap_or(0);
    // In a tie, prefer the first: it has fewer options.
    let mut best = None;
    for (choice, explained) in choices.into_iter().zip(explained).skip(1) {
        if best.as_ref().is_none_or(|(_, most)| explained > *most) {
            best = Some((choice, explained));
        }
    }
    let is_telling = |explained: usize| {
        explained as f64 >= MOST_OF * requests as f64
            && (explained - by_whole.min(explained)) as f64 >= MORE_THAN_WHOLE * requests as f64
    };
    let best = best.filter(|(_, explained)| requests > 0 && is_telling(*explained));
    Ok(best.map(|(strategy, explained)| RecognizedBySizes { strategy, explained, by_whole, requests }))
}

/// The whole history first, then native strategies, the requested one, those with the batches that the bills show, `fold` at the prices
/// that `apply` writes by default, and clearing at several sizes.
fn candidates(asked: Option<&StrategyChoice>, billed: &[&[Option<u64>]]) -> Vec<StrategyChoice> {
    let plain = |name: &str| StrategyChoice { name: name.to_owned(), options: JsonOptions::default() };
    let native = STRATEGIES.iter().filter(|strategy| strategy.form == Form::Native);
    let mut choices: Vec<StrategyChoice> = native.map(|strategy| plain(strategy.name)).collect();
    choices.extend(asked.cloned());
    if let Some(Batches { kept, step }) = billed.iter().find_map(|billed| Batches::of_sizes(billed)) {
        let options = JsonOptions::from_iter([
            ("keep_recent_turns".to_owned(), json!(kept)),
            ("step".to_owned(), json!(step)),
        ]);
        for strategy in [MASKING, TRIMMING] {
            choices.push(StrategyChoice { options: options.clone(), ..plain(strategy.name) });
        }
    }
    let prices = [("read", json!(0.1)), ("write", json!(1.25)), ("ttl", json!(300))];
    let options = JsonOptions::from_iter(prices.map(|(name, value)| (name.to_owned(), value)));
    choices.push(StrategyChoice { options, ..plain(FOLDING.name) });
    let largest = billed.iter().flat_map(|billed| billed.iter().flatten()).max().copied().unwrap_or(0);
    let falls = largest_before_falls(billed);
    for size in SIZES.into_iter().filter(|size| *size < largest).chain(falls) {
        let options = JsonOptions::from_iter([(TRIGGER.to_owned(), json!({ "tokens": size }))]);
        choices.push(StrategyChoice { options, ..plain(CLEARING.name) });
    }
    choices
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
        let is_regular = falls.windows(2).all(|pair| matches!(pair, [one, next] if next - one == step));
        let kept = falls.first()?.checked_sub(step).filter(|kept| *kept > 0)?;
        is_regular.then_some(Batches { kept, step })
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
    largest.map(|tokens| tokens.div_ceil(ROUND) * ROUND)
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
        let is_near = |(x, y): &&(f64, f64)| (billed + slope * (x - counted) - y).abs() <= NEAR * y;
        explained += sizes.iter().filter(is_near).count();
    }
    explained
}

fn means(sizes: &Sizes) -> (f64, f64) {
    let number = sizes.len().max(1) as f64;
    let (counted, billed) = sizes.iter().fold((0.0, 0.0), |(x, y), size| (x + size.0, y + size.1));
    (counted / number, billed / number)
}
