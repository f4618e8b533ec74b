//! Impact of a question on tokens and evidence. The scenarios that it touches are executed, each once in a review, to
//! find what their answers rest on.

use std::collections::BTreeMap;

use super::questions::{Question, Questions};
use crate::evaluate::{Plan, execute};
use crate::measure::evidence::Needs;
use crate::report::impact::Impact;
use crate::scenario::{Scenario, Selection, Suite};
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

/// Computes the impact of each question once.
pub(super) struct ImpactCache {
    suite: Suite,
    tokenizer: Option<Tokenizer>,
    /// By scenario; none: it cannot be replayed.
    needs: BTreeMap<String, Option<Needs>>,
    known: BTreeMap<usize, Impact>,
}

impl ImpactCache {
    pub(super) fn new(suite: Suite) -> ImpactCache {
        let tokenizer = Tokenizer::named(suite.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER)).ok();
        ImpactCache { suite, tokenizer, needs: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// The impact, if it has been computed.
    pub(super) fn known(&self, number: usize) -> Option<&Impact> {
        self.known.get(&number)
    }

    /// The impact; none if it cannot be computed.
    pub(super) fn of(&mut self, questions: &Questions, number: usize) -> Option<&Impact> {
        if !self.known.contains_key(&number) {
            let impact = self.impact(questions, number)?;
            self.known.insert(number, impact);
        }
        self.known(number)
    }

    fn impact(&mut self, questions: &Questions, number: usize) -> Option<Impact> {
        let question = questions.question(number)?;
        self.learn(&questions.keys(question));
        let tokenizer = self.tokenizer.as_ref()?;
        let needs = |key: &str| self.needs.get(scenario_of(key)).and_then(Option::as_ref);
        let mut impact = Impact::default();
        match question {
            Question::New(pending) => {
                impact.add(&pending.key, ("", &pending.text), needs(&pending.key), tokenizer);
            }
            Question::Cause(cause) => {
                for of_change in cause.members.chunk_by(|(left, _), (right, _)| left == right) {
                    let first = of_change.first().and_then(|(index, _)| questions.changes.get(*index));
                    let Some(change) = first else { continue };
                    let new = change.with_hunks(|hunk| of_change.iter().any(|(_, member)| *member == hunk));
                    impact.add(&change.key, (&change.old, &new), needs(&change.key), tokenizer);
                }
            }
        }
        Some(impact)
    }

    /// Finds what the answers rest on in the scenarios of these snapshots.
    fn learn(&mut self, keys: &[&str]) {
        let mut unknown: BTreeMap<&str, Option<Needs>> = BTreeMap::new();
        for name in keys.iter().map(|key| scenario_of(key)) {
            if !self.needs.contains_key(name) {
                unknown.insert(name, None);
            }
        }
        if unknown.is_empty() {
            return;
        }
        let selection = Selection::default();
        for source in self.suite.sources(&selection).into_iter().flatten().flatten() {
            // A line of a `.jsonl` file has its name inside, so it must be read.
            if source.name.as_deref().is_some_and(|name| !unknown.contains_key(name)) {
                continue;
            }
            let Ok(scenario) = self.suite.load(&source) else { continue };
            if let Some(place) = unknown.get_mut(scenario.name.as_str()) {
                *place = self.replayed(scenario);
            }
        }
        self.needs.extend(unknown.into_iter().map(|(name, needs)| (name.to_string(), needs)));
    }

    fn replayed(&self, scenario: Scenario) -> Option<Needs> {
        let plan = Plan::new(&self.suite, &[]).ok()?;
        let execution = execute(scenario, &plan).ok()?;
        Some(Needs::of(&execution.scenario, &execution.outcome.turns))
    }
}

/// `shop/well-reviewed/trim` is of `shop/well-reviewed`.
fn scenario_of(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(scenario, _)| scenario)
}
