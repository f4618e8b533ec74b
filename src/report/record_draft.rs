//! Builds the record of a scenario while its strategies are measured one after the other.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::fingerprint::Fingerprint;
use super::record::{BrokenRecord, FailureRecord, ScenarioRecord, WrongTurn};
use super::texts::SentTexts;
use crate::agent::Conversation;
use crate::compression::{BrokenStrategy, History, RECORDED};
use crate::measure::evidence::Unproduced;
use crate::measure::{Gauges, MeasuredRun, Measures, Requests, TextSample};
use crate::scenario::Scenario;
use conversation::Table;
use conversation_bills::Explained;
use ptc_tokens::Key;

/// A record in progress.
pub struct RecordDraft<'m> {
    scenario: &'m Scenario,
    conversation: &'m Conversation,
    /// The SYSTEM text.
    system: EcoString,
    opening: Option<Fingerprint>,
    measures: Measures<'m>,
    texts: SentTexts,
    runs: Vec<MeasuredRun>,
    /// Runs under further settings. They are not in the record.
    beside: Vec<MeasuredRun>,
    /// Maps the hash of requests to the index of the first strategy with these requests, in `runs` and then `beside`.
    first_with: FxHashMap<u128, usize>,
    broken: Vec<BrokenRecord>,
}

impl<'m> RecordDraft<'m> {
    /// Starts a record. The messages of all requests have to be in the table of this history.
    pub fn new(
        scenario: &'m Scenario,
        conversation: &'m Conversation,
        history: &History<'_>,
        gauges: &'m Gauges<'m>,
    ) -> RecordDraft<'m> {
        RecordDraft {
            scenario,
            conversation,
            system: conversation.past().system_text(),
            opening: Fingerprint::of_opening(&history.whole()),
            measures: Measures::new(scenario, conversation.past(), history, gauges),
            texts: SentTexts::default(),
            runs: Vec::new(),
            beside: Vec::new(),
            first_with: FxHashMap::default(),
            broken: Vec::new(),
        }
    }

    /// Measures and adds the requests of the next strategy.
    pub fn add(&mut self, strategy: &EcoString, table: &Table, requests: &Requests) {
        // Strategies that wait for a size send the same requests in all shorter runs, so share their
        // measurements. The as-recorded run needs extra measures, so never share its result.
        let hash = requests.hash(table).filter(|_| *strategy != RECORDED.name());
        let first = hash.map(|hash| *self.first_with.entry(hash).or_insert(self.runs.len()));
        let run = match first.and_then(|first| self.runs.get(first)) {
            Some(first) => first.of_equal(strategy, requests),
            None => {
                // The table also contains messages never sent; the record leaves them out.
                let system = Key::of(&self.system);
                self.measures.run(strategy, table, requests, |id| self.texts.number(id, table, system))
            }
        };
        self.runs.push(run);
    }

    /// Measures a setting that is not in the record, after all strategies.
    pub fn add_beside(&mut self, setting: &EcoString, table: &Table, requests: &Requests) {
        let next = self.runs.len() + self.beside.len();
        let first = requests.hash(table).map(|hash| *self.first_with.entry(hash).or_insert(next));
        let known = first.and_then(|first| self.runs.iter().chain(&self.beside).nth(first));
        let run = match known {
            Some(first) => first.of_equal(setting, requests),
            // No report shows these messages, so any numbering will do here.
            None => self.measures.run(setting, table, requests, |id| id.index() as u32),
        };
        self.beside.push(run);
    }

    /// The runs added by [`RecordDraft::add_beside`].
    pub fn take_beside(&mut self) -> Vec<MeasuredRun> {
        std::mem::take(&mut self.beside)
    }

    /// Forgets messages evicted from the table.
    pub fn forget(&mut self, table: &Table) {
        self.texts.forget(table);
        self.measures.forget(table);
    }

    /// Measures the last strategy again, with other texts from its model calls.
    pub fn add_sample(&mut self, table: &Table, requests: &Requests) {
        let Some(run) = self.runs.last_mut() else { return };
        // Reports show only the messages with the first texts, so any numbering will do here.
        let sample = self.measures.run(&run.name, table, requests, |id| id.index() as u32);
        if run.samples.is_empty() {
            run.samples.push(TextSample::of_run(run));
        }
        run.samples.push(TextSample::of_run(&sample));
    }

    /// Replaces costs with those of the scenario's bills. If the bills determine the request sizes, returns
    /// how they are explained.
    pub fn close_bills(&mut self) -> Option<Explained> {
        if let Some(bills) = &self.scenario.bills {
            let in_record = self.runs.len();
            self.runs.append(&mut self.beside);
            self.measures.close_bills(bills, &mut self.runs);
            self.beside = self.runs.split_off(in_record);
        }
        self.measures.explained.clone()
    }

    /// Adds a failed strategy; it has no requests.
    pub fn add_broken(&mut self, strategy: &EcoString, table: &Table, broken: &BrokenStrategy) {
        self.add(strategy, table, &Requests::default());
        self.broken.push(BrokenRecord::new(strategy, broken));
    }

    /// Completes the record, still without snapshots. Expectations that fail after the wrong turn follow from
    /// it, except for token bounds.
    pub fn finish(
        self,
        failures: &[FailureRecord],
        wrong_turn: Option<WrongTurn>,
        position: u64,
    ) -> ScenarioRecord {
        let needs = &self.measures.needs;
        let mut failures: Vec<FailureRecord> = failures.to_vec();
        for failure in &mut failures {
            failure.follows = wrong_turn.as_ref().is_some_and(|wrong| wrong.turn < u32::MAX);
        }
        for (need, near) in needs.unproduced.iter().zip(&self.measures.near) {
            let follows = wrong_turn.as_ref().is_some_and(|wrong| wrong.turn < need.turn);
            // After a wrong turn, the entry itself may be right.
            let found = match near {
                _ if follows => format!("{:?}", need.text),
                Some(near) => format!("{:?}; did you mean '{near}'?", need.text),
                None => format!("{:?}; remove it", need.text),
            };
            failures.push(FailureRecord { follows, ..unproduced_of(self.scenario, need, found) });
        }
        if needs.unlisted > 0 {
            let (what, found) = ("needs".to_owned(), format!("{} more that none did", needs.unlisted));
            failures.push(FailureRecord::new(&self.scenario.origin, what, PRODUCED.to_owned(), found));
        }
        failures.extend(self.over_bounds());
        let wrong_turn = wrong_turn.map(|wrong| match failures.is_empty() {
            true => wrong,
            false => wrong.located(&self.scenario.origin, self.conversation.program_turns()),
        });
        let fingerprint =
            Fingerprint::of(self.conversation.past(), &self.system, &self.texts.texts, &self.runs);
        ScenarioRecord {
            failures,
            wrong_turn,
            fingerprint: Some(fingerprint),
            opening: self.opening,
            broken_strategies: self.broken,
            ages: needs.ages().into_iter().collect(),
            output_tokens: self.measures.output_tokens,
            strategies: self.runs,
            ..ScenarioRecord::new(self.scenario, self.conversation, position, self.texts.texts)
        }
    }

    /// The exceeded bounds in `expect.tokens`, without those of strategies that did not run.
    fn over_bounds(&self) -> impl Iterator<Item = FailureRecord> {
        self.scenario.expect.tokens.iter().filter_map(move |(strategy, bounds)| {
            let most = bounds.max_total?;
            let found = self.runs.iter().find(|run| *run.name == **strategy)?.input_tokens();
            let what = format!("tokens.{strategy}.max_total");
            if found <= most {
                return None;
            }
            let expected = format!("at most {most}");
            Some(FailureRecord::new(&self.scenario.origin, what, expected, found.to_string()))
        })
    }
}

/// Shown as the expectation for entries of `needs:`.
const PRODUCED: &str = "a text that an earlier turn produced";

/// The failure for an entry of `needs:` that no earlier turn produced.
fn unproduced_of(scenario: &Scenario, need: &Unproduced, found: String) -> FailureRecord {
    let Unproduced { turn, entry, .. } = need;
    let list = match scenario.logged() {
        Some(_) => format!("needs.{turn}"),
        None => format!("responses[{}].needs", turn - 1),
    };
    let what = format!("{list}[{entry}]");
    FailureRecord::new(&scenario.origin, what, PRODUCED.to_owned(), found)
}
