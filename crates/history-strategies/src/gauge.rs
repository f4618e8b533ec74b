//! Sizes of requests as billed by providers. Counting logged texts is less exact: each model has its own tokenizer, and logs lack system
//! prompts, tools and reasoning.

/// The billed sizes of a conversation's requests, for [`History::set_gauge`](crate::History::set_gauge).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauge {
    /// Indexed by the number of completed turns. Later requests use the last entry.
    requests: Vec<RequestGauge>,
    /// Prefix sums: entry `k` is the reasoning tokens of the first `k` answers, beyond their counted tokens.
    reasoning: Vec<f64>,
    /// The minimum of the unlogged tokens over all requests.
    least_unlogged: f64,
}

/// How counted tokens become billed tokens in one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestGauge {
    /// Tokens of the request missing from the log.
    pub unlogged: f64,
    /// Billed tokens per counted token.
    pub factor: f64,
    /// Number of leading turns sent without their reasoning.
    pub without_reasoning: usize,
    /// Ratio of the tokens really billed for the original request to the estimate from the other fields.
    pub correction: f64,
}

/// A request to size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedRequest {
    /// Number of completed turns.
    pub completed: usize,
    /// Counted tokens.
    pub counted: u64,
    /// The first turn with its answer in the request.
    pub first: usize,
    /// The trigger size in tokens, if a summary replaces earlier turns.
    pub shortened_at: Option<u64>,
}

impl Gauge {
    /// A gauge with an entry for each number of completed turns. `reasoning` has prefix sums: entry `k` is the reasoning tokens of the first
    /// `k` answers, beyond their counted tokens.
    pub fn new(requests: Vec<RequestGauge>, reasoning: Vec<f64>) -> Gauge {
        let least_unlogged = requests.iter().map(|request| request.unlogged).fold(f64::INFINITY, f64::min);
        Gauge { requests, reasoning, least_unlogged }
    }

    /// The billed tokens of a request.
    pub(crate) fn size(&self, request: SizedRequest) -> u64 {
        let Some(gauge) = self.requests.get(request.completed).or(self.requests.last()) else {
            return request.counted;
        };
        let unlogged = match request.shortened_at {
            Some(trigger) => self.left(trigger),
            None => gauge.unlogged,
        };
        let sent = unlogged + gauge.factor * request.counted as f64;
        let reasoning = self.between(request.first.max(gauge.without_reasoning), request.completed);
        ((sent + reasoning) * gauge.correction).round().max(0.0) as u64
    }

    /// The unlogged tokens that survive a summary. The rest is history before the start of the log.
    fn left(&self, trigger: u64) -> f64 {
        // An agent's system prompt and tools are always below its trigger. So this log must start in mid-conversation too.
        if self.least_unlogged >= trigger as f64 { trigger as f64 / 2.0 } else { self.least_unlogged }
    }

    /// Reasoning tokens of the turns `from..to`.
    fn between(&self, from: usize, to: usize) -> f64 {
        match (self.reasoning.get(from), self.reasoning.get(to)) {
            (Some(before), Some(all)) => (all - before).max(0.0),
            _ => 0.0,
        }
    }
}
