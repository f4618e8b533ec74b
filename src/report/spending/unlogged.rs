//! Billed calls and outputs missing from logs, estimated from the bills of other calls.

use super::Rates;
use crate::log_bills::misses::{BilledRequest, MissCause};
use agent_logs::{CompactionKind, Transcript, TranscriptMessage};

/// If a request reads this many more tokens than the previous one left in the cache, a call was made between them.
/// Block ends are a few tokens off.
const LEAST_READ: u64 = 64;
/// Characters per token. A model's own words and tool results have between 3 and 4 in 17 sessions.
const CHARACTERS: u64 = 3;

/// Billed calls missing from the logs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnloggedCalls {
    pub calls: u64,
    /// Lower bound of their cost in dollars.
    pub dollars: f64,
}

impl UnloggedCalls {
    fn add(&mut self, dollars: f64) {
        self.calls += 1;
        self.dollars += dollars;
    }

    pub(super) fn merge(&mut self, other: UnloggedCalls) {
        self.calls += other.calls;
        self.dollars += other.dollars;
    }

    /// Adds the call before a request if the request read more than the previous one left in the cache. Only a cache
    /// with breakpoints shows how much was left.
    pub(super) fn add_call_before(&mut self, request: &BilledRequest<'_>, rates: &Rates) {
        let beyond = request.read().saturating_sub(request.cached_before);
        if request.foreseen.is_none() && beyond > LEAST_READ {
            self.add(request.cached_before as f64 * rates.read + beyond as f64 * rates.write);
        }
    }

    /// Adds the calls that wrote summaries. Each read at least the tokens left in the cache by the previous request.
    pub(super) fn add_summaries(&mut self, transcript: &Transcript, priced: &[(&BilledRequest<'_>, Rates)]) {
        for compaction in &transcript.compactions {
            if compaction.kind != CompactionKind::Summary || compaction.usage.is_some() {
                continue;
            }
            let before = priced.partition_point(|(request, _)| request.message < compaction.before);
            // A summary before the first line of a log belongs to another log.
            if let Some((request, rates)) = priced.get(..before).and_then(<[_]>::last) {
                self.add(request.left() as f64 * rates.read);
            }
        }
    }
}

/// Dollars for output without a token count: at least its visible words, at most the growth of the next request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UncountedOutput {
    pub least: f64,
    pub most: f64,
}

impl UncountedOutput {
    pub(super) fn merge(&mut self, other: UncountedOutput) {
        self.least += other.least;
        self.most += other.most;
    }

    /// Adds an answer. The growth of the next request is its upper bound.
    pub(super) fn add_answer(
        &mut self,
        transcript: &Transcript,
        (request, rates): (&BilledRequest<'_>, &Rates),
        next: Option<&BilledRequest<'_>>,
    ) {
        let messages = &transcript.messages;
        let shown = messages.get(request.message).map_or(0, count_tokens);
        let grown = count_growth(messages, request, next).unwrap_or(0);
        self.least += shown as f64 * rates.output;
        self.most += shown.max(grown) as f64 * rates.output;
    }
}

/// The input tokens added before the next request, without those of the messages between.
fn count_growth(
    messages: &[TranscriptMessage],
    request: &BilledRequest<'_>,
    next: Option<&BilledRequest<'_>>,
) -> Option<u64> {
    let next = next?;
    if next.foreseen == Some(MissCause::Compacted) {
        return None;
    }
    let between = messages.get(request.message + 1..next.message)?;
    let sent: u64 = between.iter().map(count_tokens).sum();
    next.input().checked_sub(request.input())?.checked_sub(sent)
}

/// Estimates the tokens of a message from its characters.
fn count_tokens(message: &TranscriptMessage) -> u64 {
    let mut characters = message.content.chars().count();
    for call in &message.tool_calls {
        characters += call.arguments.get().len() + call.name.len();
    }
    characters as u64 / CHARACTERS
}
