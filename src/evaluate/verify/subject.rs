//! Scripted runs whose requests a live model answers.

use ecow::EcoString;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::agent::{self, Agent, Message, Model, RunOutcome, ScriptedModel, Turns};
use crate::compression::{BrokenStrategy, TurnMemo};
use crate::evaluate::{Execution, LiveModel, expect, written};
use crate::measure::{Gauges, MeasuredRequest, Measures, Requests};
use crate::messages::TextTokens;
use ptc_lisp::error::Error;

/// A scenario that was executed, under one strategy.
pub struct Subject<'p> {
    pub execution: Execution<'p>,
    /// The requests whose answers need evidence.
    cases: Vec<VerifyCase>,
}

/// A request that a live model is asked to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyCase {
    pub scenario: String,
    /// The turn after the request, from 1.
    pub turn: u32,
    /// Hash of the messages of the request.
    pub request: u64,
    /// True if the scripted answer is short.
    pub is_short: bool,
}

impl<'p> Subject<'p> {
    /// Renders and measures the requests of the only strategy.
    ///
    /// # Errors
    /// The strategy breaks.
    pub fn new(
        execution: Execution<'p>,
        gauges: &Gauges<'_>,
        tokens: &TextTokens<'_>,
    ) -> Result<Subject<'p>, BrokenStrategy> {
        let history = execution.history(tokens);
        let mut measures = Measures::new(&execution.scenario, &execution.outcome, &history, gauges);
        let mut cases = Vec::new();
        for variant in &execution.variants {
            let (mut hashes, mut requests) = (Vec::new(), Requests::default());
            let variant = written(&execution, variant, &history)?.variant;
            for request in execution.requests(&variant, &history, &TurnMemo::default()) {
                let request = request?;
                if request.is_answered {
                    let whole = request.clone().map(|id| history.messages().message(id));
                    hashes.push(request_hash(&whole.messages));
                    requests.push(request);
                }
            }
            let run =
                measures.run(&variant.name, &history.messages().table(), &requests, |id| id.index() as u32);
            let needing =
                run.requests.iter().zip(hashes).filter(|(request, _)| request.evidence.needed() > 0);
            let case = |(request, hash): (&MeasuredRequest, u64)| VerifyCase {
                scenario: execution.scenario.name.clone(),
                turn: request.turn,
                request: hash,
                is_short: request.evidence.is_short(),
            };
            cases.extend(needing.map(case));
        }
        // Both borrow the execution, which moves into the result.
        drop((measures, history));
        Ok(Subject { execution, cases })
    }

    /// Returns true if the scripted run itself ends as runs of the live model are expected to.
    pub fn is_sound(&self) -> bool {
        self.is_right(&self.execution.outcome)
    }

    /// Runs the scenario with scripted answers before a turn, and with those of a live model from this turn on. `send` is that of
    /// [`LiveModel`].
    pub fn run(
        &self,
        turn: u32,
        tokens: &TextTokens<'_>,
        send: impl FnMut(&[Message]) -> Result<String, String>,
    ) -> Option<RunOutcome> {
        let variant = self.execution.variants.first()?.clone();
        let scenario = &self.execution.scenario;
        let script = ScriptedModel::new(&scenario.responses);
        let mut model = ResumedModel { script, from: turn, live: LiveModel::new(variant, tokens, send) };
        Some(agent::run(&scenario.agent, &mut model))
    }

    /// Returns true if a run ends as the scenario expects. If it expects no value, the run must return that of the scripted run.
    pub fn is_right(&self, outcome: &RunOutcome) -> bool {
        expect::ends_as(&self.execution.scenario, &self.execution.outcome, outcome)
    }
}

/// A model that answers from a script before a turn, and asks a live model from this turn on.
struct ResumedModel<'a, S> {
    script: ScriptedModel<'a>,
    /// The first turn of the live model.
    from: u32,
    live: LiveModel<'a, S>,
}

impl<S: FnMut(&[Message]) -> Result<String, String>> Model for ResumedModel<'_, S> {
    fn answer(&mut self, agent: &Agent, turns: &Turns) -> Result<EcoString, Error> {
        if turns.len() + 1 < self.from as usize {
            self.script.answer(agent, turns)
        } else {
            self.live.answer(agent, turns)
        }
    }
}

/// Chooses requests with short answers, and as many others. There are at most `most` of both together; without that bound all with short
/// answers are chosen. The seed decides which requests are chosen, and their order.
pub fn choose(subjects: &[Subject<'_>], seed: u64, most: Option<usize>) -> Vec<VerifyCase> {
    let mut cases: Vec<(u64, &VerifyCase)> = subjects
        .iter()
        .flat_map(|subject| &subject.cases)
        .map(|case| (xxh3_64_with_seed(format!("{}@{}", case.scenario, case.turn).as_bytes(), seed), case))
        .collect();
    cases.sort_by_key(|(hash, case)| (*hash, &case.scenario, case.turn));
    let short = cases.iter().filter(|(_, case)| case.is_short).count();
    let short = most.map_or(short, |most| short.min(most.div_ceil(2)));
    let others = most.map_or(short, |most| short.min(most - short));
    let mut left = [others, short];
    let take = |(_, case): (u64, &VerifyCase)| {
        let left = &mut left[usize::from(case.is_short)];
        *left = left.checked_sub(1)?;
        Some(case.clone())
    };
    cases.into_iter().filter_map(take).collect()
}

/// The hash of the messages of a request.
pub fn request_hash(messages: &[Message]) -> u64 {
    let mut hasher = Xxh3::new();
    for message in messages {
        hasher.update(message.role.name().as_bytes());
        hasher.update(&(message.content.len() as u64).to_le_bytes());
        hasher.update(message.content.as_bytes());
    }
    hasher.digest()
}
