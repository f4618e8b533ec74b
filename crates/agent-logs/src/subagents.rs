//! Answers of subagents of which a session shows only the bill. Their conversations may stand in files of their own, and be
//! read with it or not.

use std::collections::{BTreeMap, BTreeSet};

use super::place::LogPlace;
use super::tallies::MissingCalls;

/// The answers of one log, or of several, and the conversations that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubagentAnswers {
    /// The answers that are shown, by their conversation as far as the log names it.
    shown: BTreeMap<Option<String>, MissingCalls>,
    held: BTreeSet<String>,
}

impl SubagentAnswers {
    pub(super) fn add(
        &mut self,
        conversation: Option<String>,
        input_tokens: u64,
        file: &str,
        place: &LogPlace,
    ) {
        let calls = self.shown.entry(conversation).or_default();
        calls.number += 1;
        calls.input_tokens = calls.input_tokens.saturating_add(input_tokens);
        calls.places.add(file, place);
    }

    /// Remembers a conversation that was read.
    pub(super) fn hold(&mut self, conversation: &str) {
        // Only subagents have a name of two parts.
        if conversation.contains('/') {
            self.held.insert(conversation.to_owned());
        }
    }

    pub(super) fn merge(&mut self, other: SubagentAnswers) {
        for (key, calls) in other.shown {
            self.shown.entry(key).or_default().merge(calls);
        }
        self.held.extend(other.held);
    }

    /// The answers that no log holds.
    pub(super) fn left_out(&self) -> MissingCalls {
        let is_held = |name: &Option<String>| name.as_ref().is_some_and(|name| self.held.contains(name));
        let mut all = MissingCalls::default();
        let left_out = self.shown.iter().filter(|(name, _)| !is_held(name));
        left_out.for_each(|(_, calls)| all.merge(calls.clone()));
        all
    }
}
