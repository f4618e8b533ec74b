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
    /// True if most of what the log wrote to caches was written for an hour.
    pub is_kept_for_hour: bool,
}

impl AnsweredBy {
    /// By the index of the turn; none where the log names no model.
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

/// The bills of the answers of a transcript, by which its requests are sized.
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
    /// Number of the times before it at which the agent shortened its history, or at which the provider saw other tools or
    /// another system prompt.
    pub changes: usize,
    pub input_tokens: u64,
    /// Those of them that were read from a cache, if the log says it.
    pub cached_tokens: Option<u64>,
    /// Reasoning included. Nothing if the log does not say them.
    pub output_tokens: Option<u32>,
}

/// A model that gave answers of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledModel {
    /// The name in the spelling of the log, the first one of several; empty if it has none.
    pub name: String,
    /// The name that the price table has for it.
    pub row: Option<String>,
    /// The public encoding of the model, if there is one.
    pub tokenizer: Option<String>,
}

impl AnswerBills {
    /// The bills of a transcript, if it has any.
    pub fn of(transcript: &Transcript, prices: &PriceTable) -> Option<AnswerBills> {
        let mut bills = AnswerBills { answers: Vec::new(), models: Vec::new() };
        // What is cleared in place leaves everything before it as it was, and a logged request hides nothing.
        let is_new = |one: &&TranscriptCompaction| one.kind != CompactionKind::Clear && one.sent.is_none();
        let compactions = transcript.compactions.iter().filter(is_new);
        let mut compactions = compactions.map(|compaction| compaction.before).peekable();
        let (mut turn, mut passed) = (0, 0);
        for (index, message) in transcript.messages.iter().enumerate() {
            while compactions.next_if(|before| *before <= index).is_some() {
                passed += 1;
            }
            if message.role != TranscriptRole::Assistant {
                continue;
            }
            turn += 1;
            let Some(usage) = &message.usage else { continue };
            let is_change = |reason: &str| ["tools_changed", "system_changed"].contains(&reason);
            passed += usize::from(usage.cache_miss.as_deref().is_some_and(is_change));
            let Some(input_tokens) = usage.input_tokens.filter(|tokens| *tokens > 0) else { continue };
            let output_tokens = usage.output_tokens.and_then(|tokens| u32::try_from(tokens).ok());
            let model = bills.model(usage.model.as_deref().unwrap_or_default(), prices);
            bills.answers.push(AnswerBill {
                turn,
                model,
                changes: passed,
                input_tokens,
                cached_tokens: usage.cached_tokens,
                output_tokens: output_tokens.filter(|tokens| *tokens > 0),
            });
        }
        (!bills.answers.is_empty()).then_some(bills)
    }

    /// The index of a model, which is added if it is new. Spellings of one model are one.
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
