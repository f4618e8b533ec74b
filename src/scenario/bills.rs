//! The bills of answers in the log of a transcript.

use agent_logs::{CompactionKind, Transcript, TranscriptCompaction, TranscriptRole, TranscriptUsage};
use ecow::EcoString;
use ptc_tokens::PriceTable;

/// The model that gave an answer, and when.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnsweredBy {
    /// The name in the spelling of the log.
    pub model: EcoString,
    /// The day, counted from 1970-01-01; none if the log does not say it.
    pub day: Option<i64>,
    /// True if the log kept most of what it wrote to caches for an hour.
    pub is_kept_for_hour: bool,
}

impl AnsweredBy {
    /// The models of the answers of a transcript, by the index of the turn. None for an answer whose model the log does not name.
    pub fn of(transcript: &Transcript) -> Vec<Option<AnsweredBy>> {
        let sum = |tokens: fn(&TranscriptUsage) -> Option<u64>| -> u64 {
            transcript.answers().filter_map(|answer| tokens(answer.usage.as_ref()?)).sum()
        };
        let is_kept_for_hour =
            sum(|usage| usage.cache_write_1h_tokens) > sum(|usage| usage.cache_write_tokens) / 2;
        let answers = transcript.answers().map(|answer| {
            let model = answer.usage.as_ref()?.model.as_deref()?.into();
            let day = answer.time.map(|time| time.day());
            Some(AnsweredBy { model, day, is_kept_for_hour })
        });
        answers.collect()
    }
}

/// The bills of the answers of a transcript. Its requests are sized by them.
#[derive(Clone, Debug)]
pub struct AnswerBills {
    /// In order; answers without a bill are left out.
    pub answers: Vec<AnswerBill>,
    pub models: Vec<BilledModel>,
}

/// The bill of one answer.
#[derive(Clone, Debug)]
pub struct AnswerBill {
    /// The number of its turn, from 1.
    pub turn: u32,
    /// The index of its model.
    pub model: usize,
    /// Number of earlier changes of what stands before the conversation: the agent shortened its history, or the provider saw other tools
    /// or another system prompt.
    pub changes: usize,
    pub input_tokens: u64,
    /// Input tokens that were read from a cache. None if the log does not say them.
    pub cached_tokens: Option<u64>,
    /// Output tokens with reasoning. None if the log does not say them.
    pub output_tokens: Option<u32>,
}

/// A model that gave answers of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledModel {
    /// The name in the spelling of the log, the first one of several. Empty if the log names no model.
    pub name: String,
    /// The name in the price table, if the table has the model.
    pub row: Option<String>,
    /// The public encoding of the model, if there is one.
    pub tokenizer: Option<String>,
}

impl AnswerBills {
    /// The bills of a transcript, if it has any.
    pub fn of(transcript: &Transcript, prices: &PriceTable) -> Option<AnswerBills> {
        let mut bills = AnswerBills { answers: Vec::new(), models: Vec::new() };
        // Clearing results in place leaves everything before the conversation as it was, and a logged request hides nothing.
        let is_change = |compaction: &&TranscriptCompaction| {
            compaction.kind != CompactionKind::Clear && compaction.sent.is_none()
        };
        let compactions = transcript.compactions.iter().filter(is_change);
        let mut compactions = compactions.map(|compaction| compaction.before).peekable();
        let (mut turn, mut changes) = (0, 0);
        for (index, message) in transcript.messages.iter().enumerate() {
            while compactions.next_if(|before| *before <= index).is_some() {
                changes += 1;
            }
            if message.role != TranscriptRole::Assistant {
                continue;
            }
            turn += 1;
            let Some(usage) = &message.usage else { continue };
            // Sessions of Claude Code have the reason for a cache miss that Anthropic gives.
            let is_new_start = |reason: &str| ["tools_changed", "system_changed"].contains(&reason);
            changes += usize::from(usage.cache_miss.as_deref().is_some_and(is_new_start));
            let Some(input_tokens) = usage.input_tokens.filter(|tokens| *tokens > 0) else { continue };
            let output_tokens = usage.output_tokens.and_then(|tokens| u32::try_from(tokens).ok());
            let model = bills.model(usage.model.as_deref().unwrap_or_default(), prices);
            bills.answers.push(AnswerBill {
                turn,
                model,
                changes,
                input_tokens,
                cached_tokens: usage.cached_tokens,
                output_tokens: output_tokens.filter(|tokens| *tokens > 0),
            });
        }
        (!bills.answers.is_empty()).then_some(bills)
    }

    /// The index of a model. A new model is added. Several spellings of one model have one index.
    fn model(&mut self, name: &str, prices: &PriceTable) -> usize {
        if let Some(known) = self.models.iter().position(|model| model.name == name) {
            return known;
        }
        let price = prices.find(name, prices.day()).ok();
        let (row, tokenizer) = price.map(|price| (price.model, price.tokenizer)).unzip();
        let is_same = |model: &BilledModel| row.is_some() && model.row == row;
        self.models.iter().position(is_same).unwrap_or_else(|| {
            let tokenizer = tokenizer.flatten();
            self.models.push(BilledModel { name: name.to_owned(), row, tokenizer });
            self.models.len() - 1
        })
    }
}
