//! Lines in logs that only the code printed by `ptc-eval apply` writes in place of old results.

use std::collections::BTreeMap;

use serde_json::json;

use crate::cli::suite::{StrategyChoice, as_typed};
use crate::compression::{CLEARING, FOLDING, MASKING, TRIGGER};
use crate::scenario::JsonOptions;
use agent_logs::{
    CompactionKind, SentPart, Transcript, TranscriptCompaction, TranscriptMessage, TranscriptRole,
};

/// Sizes are rounded down to a multiple of this many tokens.
const ROUNDED: u64 = 1_000;

/// How our code left out results in one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OwnPattern {
    /// The mod for Claude Code: the results that stay, and the size of the request at which it cleared.
    Mod { kept: usize, tokens: Option<u64> },
    /// Masking at regular steps: the turns that stay at least, and the turns masked at once.
    Steps { kept: usize, step: usize },
    /// Masking in batches of different sizes, with the turns that stay.
    Batches { kept: usize },
}

/// Sessions by pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnLines {
    sessions: BTreeMap<OwnPattern, usize>,
}

impl OwnPattern {
    /// `None` if no line of ours is in the session.
    fn of_transcript(transcript: &Transcript) -> Option<OwnPattern> {
        let clearings = transcript.compactions.iter().filter(|one| one.kind == CompactionKind::Clear);
        let mut batches = Vec::new();
        let (mut is_mod, mut kept_by_mod, mut tokens) = (false, usize::MAX, None);
        let sums = RoleSums::of_messages(&transcript.messages);
        for clearing in clearings {
            if clearing.text.as_deref().is_some_and(is_line_of_mod) {
                is_mod = true;
                kept_by_mod = kept_by_mod.min(sums.count_results_left(clearing));
                tokens = tokens.or(clearing.tokens_before);
            } else if let Some(masked) = last_masked_turn(clearing) {
                batches.push((prefix_sum(&sums.answers, clearing.before), masked));
            }
        }
        if is_mod {
            let tokens = tokens.map(|tokens| tokens / ROUNDED * ROUNDED);
            return Some(OwnPattern::Mod { kept: kept_by_mod, tokens });
        }
        let (first, _) = batches.split_first()?;
        let (kept, step) = (first.0.checked_sub(first.1)?, first.1);
        let mut expected = (first.0, first.1);
        for batch in &batches {
            if *batch != expected {
                return Some(OwnPattern::Batches { kept });
            }
            expected = (batch.0 + step, batch.1 + step);
        }
        // Two batches may have the same distance by chance.
        let is_regular = batches.len() > if step == 1 { 1 } else { 2 };
        Some(if is_regular { OwnPattern::Steps { kept, step } } else { OwnPattern::Batches { kept } })
    }

    /// The strategy, if the pattern belongs to one alone.
    pub(super) fn strategy(self) -> Option<StrategyChoice> {
        let (name, options) = match self {
            OwnPattern::Mod { kept, tokens } => {
                let mut options = JsonOptions::from_iter([("keep".to_owned(), json!(kept))]);
                if let Some(tokens) = tokens {
                    options.insert(TRIGGER.to_owned(), json!({ "tokens": tokens }));
                }
                (CLEARING.name, options)
            }
            OwnPattern::Steps { kept, step } => {
                let mut options = JsonOptions::default();
                for (name, value, default) in [("keep_recent_turns", kept, 3), ("step", step, 1)] {
                    if value != default {
                        options.insert(name.to_owned(), json!(value));
                    }
                }
                (MASKING.name, options)
            }
            OwnPattern::Batches { .. } => return None,
        };
        Some(StrategyChoice { name: name.to_owned(), options })
    }

    /// `observation-masking,step=5`, `fold or clear-tool-results, with 5 turns kept`
    fn words(self) -> String {
        match (self.strategy(), self) {
            (Some(strategy), _) => as_typed(&strategy),
            (None, OwnPattern::Batches { kept }) => {
                format!("{} or {}, with {kept} turns kept", FOLDING.name, CLEARING.name)
            }
            (None, _) => String::new(),
        }
    }
}

impl OwnLines {
    pub(super) fn of_transcript(transcript: &Transcript) -> OwnLines {
        let mut lines = OwnLines::default();
        if let Some(pattern) = OwnPattern::of_transcript(transcript) {
            lines.sessions.insert(pattern, 1);
        }
        lines
    }

    pub(super) fn add(&mut self, other: &OwnLines) {
        for (pattern, sessions) in &other.sessions {
            *self.sessions.entry(*pattern).or_default() += sessions;
        }
    }

    /// The pattern of most sessions.
    pub(super) fn most_frequent(&self) -> Option<OwnPattern> {
        self.sessions.iter().max_by_key(|(_, sessions)| **sessions).map(|(pattern, _)| *pattern)
    }

    /// `Your agent already runs observation-masking,step=5 of ptc-eval apply (3 of 3 sessions).`
    pub(super) fn sentence(&self, all: usize) -> Option<String> {
        let pattern = self.most_frequent()?;
        let (words, sessions) = (pattern.words(), self.sessions.get(&pattern)?);
        Some(format!("Your agent already runs {words} of ptc-eval apply ({sessions} of {all} sessions)."))
    }
}

/// The highest turn named by a line of ours in the request after a clearing.
fn last_masked_turn(clearing: &TranscriptCompaction) -> Option<usize> {
    let mut last = None;
    for part in clearing.sent.iter().flatten() {
        if let SentPart::Message(message) = part {
            last = last.max(masked_turn(&message.content));
        }
    }
    last
}

/// The turn of `[output of turn 4 omitted: 1234 characters]`.
fn masked_turn(text: &str) -> Option<usize> {
    let (turn, rest) = text.strip_prefix("[output of turn ")?.split_once(' ')?;
    let is_own = rest.starts_with("omitted: ") && rest.ends_with(" characters]");
    if is_own { turn.parse().ok() } else { None }
}

/// Returns true for `[output omitted: 1234 characters]`.
fn is_line_of_mod(text: &str) -> bool {
    text.starts_with("[output omitted: ") && text.ends_with(" characters]")
}

/// Prefix sums: entry `k` is the number of answers or results among the first `k` messages.
struct RoleSums {
    answers: Vec<usize>,
    results: Vec<usize>,
}

impl RoleSums {
    fn of_messages(messages: &[TranscriptMessage]) -> RoleSums {
        let (mut answers, mut results) = (0, 0);
        let mut sums = RoleSums { answers: vec![0], results: vec![0] };
        for message in messages {
            answers += usize::from(message.role == TranscriptRole::Assistant);
            results += usize::from(message.role == TranscriptRole::Tool);
            sums.answers.push(answers);
            sums.results.push(results);
        }
        sums
    }

    fn count_results_left(&self, clearing: &TranscriptCompaction) -> usize {
        let mut left = prefix_sum(&self.results, clearing.before);
        for [first, last] in &clearing.removed {
            let removed =
                prefix_sum(&self.results, last.saturating_add(1)) - prefix_sum(&self.results, *first);
            left = left.saturating_sub(removed);
        }
        left
    }
}

/// Compactions of a transcript may end beyond its messages.
fn prefix_sum(sums: &[usize], messages: usize) -> usize {
    sums.get(messages).or(sums.last()).copied().unwrap_or(0)
}
