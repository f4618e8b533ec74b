//! The bills in a log, in dollars and tokens.

/// The [`AnswerBill`]s of a log, for sizing its requests.
#[derive(Clone, Debug, Default)]
pub struct AnswerBills {
    /// In order, without unbilled answers.
    pub answers: Vec<AnswerBill>,
    /// The models of the answers.
    pub models: Vec<BilledModel>,
    /// Dollars for calls that wrote summaries, if the log has their usage.
    pub summaries: f64,
}

/// The bill of one answer, given by a [`BilledModel`].
#[derive(Clone, Debug)]
pub struct AnswerBill {
    /// Turn number, from 1.
    pub turn: u32,
    /// Index into [`AnswerBills::models`].
    pub model: usize,
    /// Number of earlier changes before the conversation: compactions, and changes of the tools or the system prompt seen by the provider.
    pub changes: usize,
    /// Input tokens, including those read from a cache.
    pub input_tokens: u64,
    /// Input tokens read from a cache. `None` if missing in the log.
    pub cached_tokens: Option<u64>,
    /// Output tokens including reasoning. `None` if missing in the log.
    pub output_tokens: Option<u32>,
    /// Billed dollars. `None` if the model has no price.
    pub dollars: Option<CallDollars>,
    /// True if the request missed the cache for a reason not predictable from times and models.
    pub is_unforeseen: bool,
    /// True if the cache had expired before the request.
    pub is_expired: bool,
    /// True for a copied answer, billed in another conversation.
    pub is_copy: bool,
}

/// A model that gave answers in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledModel {
    /// The name in the log; of several spellings, the first. Empty if the log names no model.
    pub name: String,
    /// The name in the price table, if it is there.
    pub row: Option<String>,
    /// The public encoding of the model, if there is one.
    pub tokenizer: Option<String>,
}

/// Dollars billed for one call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallDollars {
    /// For input, searches and side calls.
    pub input: f64,
    /// For the logged output tokens.
    pub output: f64,
}

impl CallDollars {
    /// The sum of both.
    pub fn total(self) -> f64 {
        self.input + self.output
    }
}
