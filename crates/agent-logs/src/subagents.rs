//! Answers of subagents for which a session contains only the bill. Their conversations may be logged in separate files.

use std::collections::{BTreeMap, BTreeSet};

use super::place::LogPlace;
use super::tallies::MissingCalls;
use super::transcript::TranscriptUsage;

/// The answers of one or several logs, and the conversations read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubagentAnswers {
    /// Subagent answers seen in sessions, by conversation if known.
    shown: BTreeMap<Option<String>, Answers>,
    held: BTreeSet<String>,
}

impl SubagentAnswers {
    pub(super) fn add_usage(
        &mut self,
        conversation: Option<String>,
        usage: &TranscriptUsage,
        file: &str,
        place: &LogPlace,
    ) {
        let Answers { calls, bills } = self.shown.entry(conversation).or_default();
        calls.number += 1;
        calls.input_tokens = calls.input_tokens.saturating_add(usage.input_tokens.unwrap_or(0));
        calls.places.add_place(file, place);
        bills.push(Bill::of(usage));
    }

    /// Records a conversation as read.
    pub(super) fn hold_answers(&mut self, conversation: &str) {
        // Only subagents have a two-part name.
        if conversation.contains('/') {
            self.held.insert(conversation.to_owned());
        }
    }

    pub(super) fn merge(&mut self, other: SubagentAnswers) {
        for (key, mut answers) in other.shown {
            let known = self.shown.entry(key).or_default();
            known.calls.merge(answers.calls);
            known.bills.append(&mut answers.bills);
        }
        self.held.extend(other.held);
    }

    /// Answers whose conversation was not read.
    pub(super) fn left_out(&self) -> MissingCalls {
        let mut all = MissingCalls::default();
        self.not_held().for_each(|answers| all.merge(answers.calls.clone()));
        all
    }

    /// Bills of the answers whose conversation was not read. A bill without a model belongs to a subagent's last answer.
    pub fn list_bills(&self) -> impl Iterator<Item = TranscriptUsage> {
        self.not_held().flat_map(|answers| &answers.bills).map(Bill::usage)
    }

    fn not_held(&self) -> impl Iterator<Item = &Answers> {
        let others = self.shown.iter().filter(|(name, _)| match name {
            Some(name) => !self.held.contains(name),
            None => true,
        });
        others.map(|(_, answers)| answers)
    }
}

/// The answers of one conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Answers {
    calls: MissingCalls,
    bills: Vec<Bill>,
}

/// The tokens of an answer. If the session logs it as progress, the output count is only the placeholder from the start of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bill {
    model: Option<String>,
    input: Option<u64>,
    cached: Option<u64>,
    written: Option<u64>,
    written_1h: Option<u64>,
    output: Option<u64>,
}

impl Bill {
    fn of(usage: &TranscriptUsage) -> Bill {
        Bill {
            model: usage.model.clone(),
            input: usage.input_tokens,
            cached: usage.cached_tokens,
            written: usage.cache_write_tokens,
            written_1h: usage.cache_write_1h_tokens,
            output: usage.output_tokens,
        }
    }

    fn usage(&self) -> TranscriptUsage {
        TranscriptUsage {
            model: self.model.clone(),
            input_tokens: self.input,
            cached_tokens: self.cached,
            cache_write_tokens: self.written,
            cache_write_1h_tokens: self.written_1h,
            output_tokens: self.output,
            ..TranscriptUsage::default()
        }
    }
}
