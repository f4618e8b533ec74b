//! Dollars billed for a call: tokens by kind at the call's rates, searches, and side calls.

use super::hour_of;
use agent_logs::{LogTime, Transcript, TranscriptUsage};
use conversation_bills::CallDollars;
use ptc_prices::{CallTokens, Price, PriceTable, Terms};

/// Cached price lookups, by model name and day.
#[derive(Default)]
pub struct KnownPrices {
    known: Vec<(String, i64, Option<Price>)>,
}

impl KnownPrices {
    /// The price of a model on the day of a call. Without a time: on the day of the table.
    pub fn of_model(&mut self, table: &PriceTable, model: &str, time: Option<LogTime>) -> Option<&Price> {
        let day = match time {
            Some(time) => time.day(),
            None => table.day(),
        };
        let at = match self.known.iter().position(|(name, on, _)| name == model && *on == day) {
            Some(at) => at,
            None => {
                self.known.push((model.to_owned(), day, table.find(model, day).ok()));
                self.known.len() - 1
            }
        };
        self.known.get(at)?.2.as_ref()
    }

    /// The price of a call at its tier, geography and hour.
    pub fn of_call(
        &mut self,
        table: &PriceTable,
        usage: &TranscriptUsage,
        time: Option<LogTime>,
    ) -> Option<Price> {
        let price = self.of_model(table, usage.model.as_deref()?, time)?;
        Some(price.clone().on(&terms(usage, time)))
    }

    /// Billed dollars of a call. `None` if the model has no price and the log has no cost.
    pub fn dollars(
        &mut self,
        table: &PriceTable,
        usage: &TranscriptUsage,
        time: Option<LogTime>,
    ) -> Option<CallDollars> {
        let price = self.of_call(table, usage, time);
        let tokens = tokens(usage);
        let output = match &price {
            Some(price) => price.output_dollars(&tokens),
            None => 0.0,
        };
        if let Some(cost) = usage.cost {
            return Some(CallDollars { input: (cost - output).max(0.0), output: output.min(cost) });
        }
        let price = price?;
        let mut input = price.input_dollars(&tokens) + tool_dollars(usage, &price);
        for call in &usage.beside {
            if let Some(dollars) = self.dollars(table, call, time) {
                input += dollars.total();
            }
        }
        Some(CallDollars { input, output })
    }
}

/// Dollars for searches and other tools that the provider runs.
pub fn tool_dollars(usage: &TranscriptUsage, price: &Price) -> f64 {
    let mut thousandths = usage.web_searches.unwrap_or(0) as f64 * price.web_search.unwrap_or(0.0);
    for (kind, uses) in &usage.server_tools {
        thousandths += *uses as f64 * price.server_tools.get(kind).copied().unwrap_or(0.0);
    }
    thousandths / 1000.0
}

/// Returns true if a bill includes cache reads or writes. Many logs contain only total input.
pub fn has_cache_counts(usage: &TranscriptUsage) -> bool {
    usage.cached_tokens.or(usage.cache_write_tokens).is_some()
}

/// Returns true if the dollars of a bill are computable: the log has the cost, or cache reads and writes for pricing.
pub fn has_dollars(usage: &TranscriptUsage) -> bool {
    usage.cost.is_some() || has_cache_counts(usage)
}

/// The usage of the calls that wrote summaries for compactions, each with its time. A call without a model name gets the model of the
/// answers.
pub fn summary_calls(transcript: &Transcript) -> Vec<(TranscriptUsage, Option<LogTime>)> {
    let model = transcript.answers().find_map(|answer| answer.usage.as_ref()?.model.as_ref());
    let mut calls = Vec::new();
    for compaction in &transcript.compactions {
        let Some(usage) = &compaction.usage else { continue };
        if usage.copied_from.is_some() {
            continue;
        }
        let model = usage.model.as_ref().or(model).cloned();
        let time = compaction.time.as_deref().and_then(LogTime::parse);
        calls.push((TranscriptUsage { model, ..usage.clone() }, time));
    }
    calls
}

/// The price conditions of a call.
pub fn terms(usage: &TranscriptUsage, time: Option<LogTime>) -> Terms<'_> {
    Terms { tier: usage.tier.as_deref(), geography: usage.geography.as_deref(), hour: time.map(hour_of) }
}

/// The tokens of a bill by kind. Each part is capped at the remaining input.
pub fn tokens(usage: &TranscriptUsage) -> CallTokens {
    let input = usage.input_tokens.unwrap_or(0);
    let read = usage.cached_tokens.unwrap_or(0).min(input);
    let written = usage.cache_write_tokens.unwrap_or(0).min(input - read);
    let written_long = usage.cache_write_1h_tokens.unwrap_or(0).min(written);
    CallTokens { input, read, written, written_long, output: usage.output_tokens.unwrap_or(0) }
}
