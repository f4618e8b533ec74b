//! What a log says of its bills: the model and the tokens of each answer, its dollars, and its cache misses.

pub mod call_dollars;
pub mod misses;

use agent_logs::{CompactionKind, LogTime, Transcript, TranscriptRole};
use call_dollars::{KnownPrices, has_dollars, summary_calls, tokens};
use conversation_bills::{AnswerBill, AnswerBills, AnsweredBy, BilledModel};
use ecow::EcoString;
use misses::{FEW, MissCause, billed_requests, lifetime};
use ptc_prices::{HourOfWeek, PriceTable, ReadGrid};
use rustc_hash::FxHashMap;

/// The model of each answer of a transcript, by turn index. `None` if the log does not name it.
pub fn models_of_answers(transcript: &Transcript) -> Vec<Option<AnsweredBy>> {
    let (mut written, mut written_for_hour) = (0, 0);
    let mut reads: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
    for usage in transcript.answers().filter_map(|answer| answer.usage.as_ref()) {
        written += usage.cache_write_tokens.unwrap_or(0);
        written_for_hour += usage.cache_write_1h_tokens.unwrap_or(0);
        if let Some(model) = usage.model.as_deref() {
            reads.entry(model).or_default().extend(usage.cached_tokens);
        }
    }
    let mut grids: FxHashMap<&str, Option<ReadGrid>> = FxHashMap::default();
    for (model, reads) in reads {
        grids.insert(model, ReadGrid::of_reads(reads));
    }
    let survived = longest_hits(transcript);
    let mut models = Vec::new();
    for answer in transcript.answers() {
        let usage = answer.usage.as_ref();
        let model = usage.and_then(|usage| Some((usage, usage.model.as_deref()?)));
        let Some((usage, model)) = model else {
            models.push(None);
            continue;
        };
        models.push(Some(AnsweredBy {
            model: model.into(),
            day: answer.time.map(LogTime::day),
            hour: answer.time.map(hour_of),
            tier: usage.tier.as_deref().map(EcoString::from),
            geography: usage.geography.as_deref().map(EcoString::from),
            is_kept_for_hour: written_for_hour > written / 2,
            read_grid: grids.get(model).copied().flatten(),
            survived: survived.get(model).copied(),
        }));
    }
    models
}

/// The hour of the week of a time in a log.
fn hour_of(time: LogTime) -> HourOfWeek {
    HourOfWeek::of_seconds(time.seconds())
}

/// By model, the longest pause in seconds after which a request read what the one before had left in the cache. A hit proves the lifetime;
/// a miss may have other causes.
pub fn longest_hits(transcript: &Transcript) -> FxHashMap<&str, u32> {
    let mut longest: FxHashMap<&str, u32> = FxHashMap::default();
    let mut before: FxHashMap<&str, (LogTime, u64)> = FxHashMap::default();
    for answer in transcript.answers() {
        let (Some(usage), Some(sent), Some(ended)) = (&answer.usage, answer.time, answer.ended()) else {
            continue;
        };
        let Some(model) = usage.model.as_deref() else { continue };
        if usage.copied_from.is_some() {
            continue;
        }
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

/// The bills of a transcript. `None` if there are none.
pub fn read_bills(transcript: &Transcript, prices: &PriceTable) -> Option<AnswerBills> {
    let mut bills = AnswerBills::default();
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
        let cause = match requests.peek() {
            Some(request) if request.message == index => request.cause,
            _ => None,
        };
        let is_unforeseen = cause.is_some_and(|cause| !cause.is_foreseen());
        let is_expired = cause == Some(MissCause::Expired);
        let Some(usage) = &message.usage else { continue };
        // Sessions of Claude Code contain Anthropic's reason for a cache miss.
        let miss = usage.cache_miss.as_deref();
        changes += usize::from(matches!(miss, Some("tools_changed" | "system_changed")));
        let Some(input_tokens @ 1..) = usage.input_tokens else { continue };
        let output_tokens = usage.output_tokens.and_then(|tokens| u32::try_from(tokens).ok());
        let model = find_model(&mut bills.models, usage.model.as_deref().unwrap_or(""), prices);
        bills.answers.push(AnswerBill {
            turn,
            model,
            changes,
            input_tokens,
            cached_tokens: usage.cached_tokens,
            output_tokens: output_tokens.filter(|tokens| *tokens > 0),
            dollars: if has_dollars(usage) { known.dollars(prices, usage, message.time) } else { None },
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
fn find_model(models: &mut Vec<BilledModel>, name: &str, prices: &PriceTable) -> usize {
    if let Some(known) = models.iter().position(|model| model.name == name) {
        return known;
    }
    let price = prices.find(name, prices.day()).ok();
    let (row, tokenizer) = price.map(|price| (price.model, price.tokenizer)).unzip();
    if row.is_some()
        && let Some(known) = models.iter().position(|model| model.row == row)
    {
        return known;
    }
    models.push(BilledModel { name: name.to_owned(), row, tokenizer: tokenizer.flatten() });
    models.len() - 1
}
