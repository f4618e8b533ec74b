//! The bills of answers in the log of a transcript.

use agent_logs::{CompactionKind, Transcript, TranscriptRole};
use ptc_tokens::PriceTable;

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
    /// Reasoning included. Nothing if the log does not say them.
    pub output_tokens: Option<u32>,
}

/// A model that gave answers of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledModel {
    /// The name in the spelling of the log; empty if it has none.
    pub name: String,
    /// The public encoding of the model, if there is one.
    pub tokenizer: Option<String>,
}

impl AnswerBills {
    /// The bills of a transcript, if it has any.
    pub fn of(transcript: &Transcript, prices: &PriceTable) -> Option<AnswerBills> {
        let mut bills = AnswerBills { answers: Vec::new(), models: Vec::new() };
        // What is cleared in place leaves everything before it as it was.
        let compactions = transcript.compactions.iter().filter(|one| one.kind != CompactionKind::Clear);
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
                output_tokens: output_tokens.filter(|tokens| *tokens > 0),
            });
        }
        (!bills.answers.is_empty()).then_some(bills)
    }

    /// The index of a model, which is added if it is new.
    fn model(&mut self, name: &str, prices: &PriceTable) -> usize {
        if let Some(known) = self.models.iter().position(|model| model.name == name) {
            return known;
        }
        let tokenizer = prices.find(name, prices.day()).ok().and_then(|price| price.tokenizer);
        self.models.push(BilledModel { name: name.to_owned(), tokenizer });
        self.models.len() - 1
    }
}
