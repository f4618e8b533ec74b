//! The sizes of requests as providers bill them. Texts alone tell less: a model has a tokenizer of its own, and logs lack system
//! prompts, tools and reasoning.

/// The sizes of a conversation's requests in billed tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauge {
    /// By the number of completed turns. A later request is like the last one.
    pub requests: Vec<RequestGauge>,
    /// Prefix sums: entry `k` has the tokens that the answers of the first `k` turns have beyond those that are counted in them.
    pub reasoning: Vec<f64>,
}

/// The relation of counted and billed tokens in one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestGauge {
    /// Tokens of the request that the log does not hold.
    pub unlogged: f64,
    /// Billed tokens for one that is counted.
    pub factor: f64,
    /// The number of turns whose answers come without their reasoning.
    pub without_reasoning: usize,
    /// The billed tokens of the request as it was sent, as a multiple of those that the other fields give.
    pub correction: f64,
}

/// A request to size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedRequest {
    /// Number of completed turns.
    pub completed: usize,
    /// Counted tokens.
    pub counted: u64,
    /// The first turn whose answer is sent.
    pub first: usize,
    /// The trigger of the summary that stands for earlier turns. None if no summary does.
    pub shortened_at: Option<u64>,
}

impl Gauge {
    /// The billed tokens of a request.
    pub(crate) fn size(&self, request: SizedRequest) -> u64 {
        let Some(gauge) = self.requests.get(request.completed).or(self.requests.last()) else {
            return request.counted;
        };
        let unlogged = match request.shortened_at {
            Some(trigger) => self.left(gauge.unlogged, trigger),
            None => gauge.unlogged,
        };
        let sent = unlogged + gauge.factor * request.counted as f64;
        let reasoning = self.between(request.first.max(gauge.without_reasoning), request.completed);
        ((sent + reasoning) * gauge.correction).round().max(0.0) as u64
    }

    /// The part of the unlogged tokens that a summary leaves. The rest is history before the start of the log.
    fn left(&self, unlogged: f64, trigger: u64) -> f64 {
        let least = self.requests.iter().map(|request| request.unlogged).fold(unlogged, f64::min);
        // No agent works whose system prompt and tools alone are above its trigger, so this log begins in the middle, too.
        if least >= trigger as f64 { trigger as f64 / 2.0 } else { least }
    }

    /// The reasoning of the turns from one index up to another.
    fn between(&self, from: usize, to: usize) -> f64 {
        match (self.reasoning.get(from), self.reasoning.get(to)) {
            (Some(before), Some(all)) => (all - before).max(0.0),
            _ => 0.0,
        }
    }
}
