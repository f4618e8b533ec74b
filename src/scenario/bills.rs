//! The bills of the answers of a transcript, from its log.

use super::call_dollars::{CallDollars, KnownPrices, summary_calls, tells_dollars, tokens};
use super::misses::{FEW, MissCause, billed_requests, lifetime};
use super::read_grid::ReadGrid;
use agent_logs::{CompactionKind, LogTime, Transcript, TranscriptRole};
use ecow::EcoString;
use ptc_prices::{HourOfWeek, PriceTable, Terms};
use rustc_hash::FxHashMap;

/// The model of an answer, and the conditions for its price.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnsweredBy {
    /// The name as spelt in the log.
    pub model: EcoString,
    /// Days since 1970-01-01. `None` if the log has no time.
    pub day: Option<i64>,
    /// The hour of the week. `None` if the log has no time.
    pub hour: Option<HourOfWeek>,
    /// The service tier. `None` for the standard tier.
    pub tier: Option<EcoString>,
    /// The location of the model, such as `us`.
    pub geography: Option<EcoString>,
    /// True if the log wrote most of its cache entries with a lifetime of one hour.
    pub is_kept_for_hour: bool,
    /// The grid of the model's cache reads in the log.
    pub read_grid: Option<ReadGrid>,
    /// The longest pause in seconds after which the model's cache was still read in the log.
    pub survived: Option<u32>,
}

impl AnsweredBy {
    /// The model of each answer of a transcript, by turn index. `None` if the log does not name it.
    pub fn of_answers(transcript: &Transcript) -> Vec<Option<AnsweredBy>> {
        let (mut written, mut written_for_hour) = (0, 0);
        let mut reads: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
        for usage in transcript.answers().filter_map(|answer| answer.usage.as_ref()) {
            written += usage.cache_write_tokens.unwrap_or(0);
            written_for_hour += usage.cache_write_1h_tokens.unwrap_or(0);
            reads.entry(usage.model.as_deref().unwrap_or_default()).or_default().extend(usage.cached_tokens);
        }
        let is_kept_for_hour = written_for_hour > written / 2;
        let grids: FxHashMap<&str, Option<ReadGrid>> =
            reads.into_iter().map(|(model, reads)| (model, ReadGrid::of_reads(reads.into_iter()))).collect();
        let survived = longest_hits(transcript);
        let answers = transcript.answers().map(|answer| {
            let usage = answer.usage.as_ref()?;
            Some(AnsweredBy {
                model: usage.model.as_deref()?.into(),
                day: answer.time.map(|time| time.day()),
                hour: answer.time.map(|time| HourOfWeek::of_seconds(time.seconds())),
                tier: usage.tier.as_deref().map(EcoString::from),
                geography: usage.geography.as_deref().map(EcoString::from),
                is_kept_for_hour,
                read_grid: grids.get(usage.model.as_deref()?).copied().flatten(),
                survived: survived.get(usage.model.as_deref()?).copied(),
            })
        });
        answers.collect()
    }

    /// The conditions for its price.
    pub fn terms(&self) -> Terms<'_> {
        Terms { tier: self.tier.as_deref(), geography: self.geography.as_deref(), hour: self.hour }
    }
}

/// By model, the longest pause in seconds after which a request read what the one before had left in the cache. A hit proves the lifetime;
/// a miss may have other causes.
pub fn longest_hits(transcript: &Transcript) -> FxHashMap<&str, u32> {
    let mut longest: FxHashMap<&str, u32> = FxHashMap::default();
    let mut before: FxHashMap<&str, (LogTime, u64)> = FxHashMap::default();
    for answer in transcript.answers() {
        let usage = answer.usage.as_ref().filter(|usage| usage.copied_from.is_none());
        let Some((usage, (sent, ended))) = usage.zip(answer.time.zip(answer.ended())) else { continue };
        let Some(model) = usage.model.as_deref() else { continue };
        let tokens = tokens(usage);
        let written = tokens.read + tokens.written;
        let left = if usage.cache_write_tokens.is_some() && written > 0 { written } else { tokens.input };
        if let Some((earlier, cached)) = before.insert(model, (ended, left)) {
            let pause = u32::try_from(sent.milliseconds_since(earlier) / 1000).unwrap_or(u32::MAX);
            // The system prompt alone may have been read by another session meanwhile.
            if cached > 2 * FEW && tokens.read + FEW >= cached {
                let known = longest.entry(model).or_default();
                *known = pause.max(*known);
            }
        }
    }
    longest
}

/// The bills of the answers of a transcript, for sizing its requests.
#[derive(Clone, Debug)]
pub struct AnswerBills {
    /// In order, without unbilled answers.
    pub answers: Vec<AnswerBill>,
    pub models: Vec<BilledModel>,
    /// Dollars for calls that wrote summaries, if the log has their usage.
    pub summaries: f64,
}

/// The bill of one answer.
#[derive(Clone, Debug)]
pub struct AnswerBill {
    /// Turn number, from 1.
    pub turn: u32,
    /// Index into [`AnswerBills::models`].
    pub model: usize,
    /// Number of earlier changes before the conversation: compactions, and changes of the tools or the system prompt seen by the provider.
    pub changes: usize,
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

/// A model used in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledModel {
    /// The name in the log; of several spellings, the first. Empty if the log names no model.
    pub name: String,
    /// The name in the price table, if it is there.
    pub row: Option<String>,
    /// The public encoding of the model, if there is one.
    pub tokenizer: Option<String>,
}

impl AnswerBills {
    /// The bills of a transcript. `None` if there are none.
    pub fn of_transcript(transcript: &Transcript, prices: &PriceTable) -> Option<AnswerBills> {
        let mut bills = AnswerBills { answers: Vec::new(), models: Vec::new(), summaries: 0.0 };
        // Clearing results in place keeps everything before the conversation, and a logged request (`sent`) hides nothing.
        let mut compactions = Vec::new();
        for compaction in &transcript.compactions {
            if compaction.kind != CompactionKind::Clear && compaction.sent.is_none() {
                compactions.push(compaction.before);
            }
        }
        let mut compactions = compactions.into_iter().peekable();
        let (mut turn, mut changes) = (0, 0);
        let mut known = KnownPrices::default();
        let requests = billed_requests(transcript, |request| {
            let price = known.of_call(prices, request.usage, request.time)?;
            lifetime(&price, request)
        });
        let mut requests = requests.into_iter().peekable();
        for (index, message) in transcript.messages.iter().enumerate() {
            while compactions.next_if(|before| *before <= index).is_some() {
                changes += 1;
            }
            if message.role != TranscriptRole::Assistant {
                continue;
            }
            turn += 1;
            while requests.next_if(|request| request.message < index).is_some() {}
            let request = requests.peek().filter(|request| request.message == index);
            let cause = request.and_then(|request| request.cause);
            let is_unforeseen = cause.is_some_and(|cause| !cause.is_foreseen());
            let is_expired = cause == Some(MissCause::Expired);
            let Some(usage) = &message.usage else { continue };
            // Sessions of Claude Code contain Anthropic's reason for a cache miss.
            let miss = usage.cache_miss.as_deref();
            changes += usize::from(matches!(miss, Some("tools_changed" | "system_changed")));
            let Some(input_tokens) = usage.input_tokens.filter(|tokens| *tokens > 0) else { continue };
            let output_tokens = usage.output_tokens.and_then(|tokens| u32::try_from(tokens).ok());
            let model = bills.model_index(usage.model.as_deref().unwrap_or_default(), prices);
            bills.answers.push(AnswerBill {
                turn,
                model,
                changes,
                input_tokens,
                cached_tokens: usage.cached_tokens,
                output_tokens: output_tokens.filter(|tokens| *tokens > 0),
                dollars: if tells_dollars(usage) { known.dollars(prices, usage, message.time) } else { None },
                is_unforeseen,
                is_expired,
                is_copy: usage.copied_from.is_some(),
            });
        }
        for (usage, time) in summary_calls(transcript) {
            if let Some(dollars) = known.dollars(prices, &usage, time) {
                bills.summaries += dollars.total();
            }
        }
        if bills.answers.is_empty() { None } else { Some(bills) }
    }

    /// The index of a model. Adds new models. Several spellings of one model share an index.
    fn model_index(&mut self, name: &str, prices: &PriceTable) -> usize {
        if let Some(known) = self.models.iter().position(|model| model.name == name) {
            return known;
        }
        let price = prices.find(name, prices.day()).ok();
        let (row, tokenizer) = price.map(|price| (price.model, price.tokenizer)).unzip();
        if row.is_some()
            && let Some(known) = self.models.iter().position(|model| model.row == row)
        {
            return known;
        }
        let tokenizer = tokenizer.flatten();
        self.models.push(BilledModel { name: name.to_owned(), row, tokenizer });
        self.models.len() - 1
    }
}
