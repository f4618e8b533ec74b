//! Scripted runs and logs whose requests a live model answers.

use ecow::EcoString;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use crate::agent::{self, Agent, FinishedRun, Message, Model, ProgramTurn, RunOutcome, ScriptedModel};
use crate::compression::{BASELINE, BrokenStrategy, History, Rendered, StrategyError, TurnMemo, Variant};
use crate::evaluate::{Execution, LiveModel, expect, written};
use crate::measure::evidence::Grade;
use crate::measure::{Gauges, MeasuredRequest, Measures, Requests};
use crate::report::fingerprint::Fingerprint;
use crate::scenario::Script;
use conversation::TextTokens;
use ptc_lisp::error::Error;
use ptc_prices::Money;

/// An executed scenario, with the requests of a strategy and of the full history.
pub struct Subject<'p> {
    pub execution: Execution<'p>,
    /// Turns with different requests in the two arms, and an answer in need of evidence.
    cases: Vec<VerifyCase>,
}

/// One of the two requests of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    FullHistory,
    Strategy,
}

/// A turn for a live model to answer twice.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyCase {
    pub scenario: String,
    /// Equal for scenarios of the same task.
    pub task: u64,
    /// The turn to be answered, from 1.
    pub turn: u32,
    /// True if the scripted answer would lack a fact under the strategy. The other cases are controls.
    pub lacks_fact: bool,
    /// Facts used by the scripted answer: those missing only from the strategy's request, or for a log's control case all facts.
    pub facts: Vec<EcoString>,
    pub full: ArmRequests,
    pub strategy: ArmRequests,
}

/// The scripted requests of one arm from a turn on, to estimate its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArmRequests {
    /// Hash of the messages of the first request.
    pub first: u64,
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// At the first model's prices, with a cold cache for the first request.
    pub cost: Money,
}

impl Arm {
    pub const BOTH: [Arm; 2] = [Arm::FullHistory, Arm::Strategy];
}

impl VerifyCase {
    /// Returns true if an answer contains any of the facts.
    pub fn is_shown_by(&self, answer: &str) -> bool {
        self.facts.iter().any(|fact| answer.contains(fact.trim()))
    }

    pub fn requests(&self, arm: Arm) -> &ArmRequests {
        match arm {
            Arm::FullHistory => &self.full,
            Arm::Strategy => &self.strategy,
        }
    }
}

/// The measured requests of one arm, each with its [`request_hash`].
type Measured = Vec<(MeasuredRequest, u64)>;

impl<'p> Subject<'p> {
    /// Renders and measures the requests of the execution's two strategies. One of them must be the full history.
    ///
    /// # Errors
    /// A strategy fails.
    pub fn new(
        execution: Execution<'p>,
        gauges: &Gauges<'_>,
        tokens: &TextTokens<'_>,
    ) -> Result<Subject<'p>, BrokenStrategy> {
        let history = execution.history(tokens);
        let mut measures =
            Measures::new(&execution.scenario, execution.conversation.past(), &history, gauges);
        let (mut full, mut strategy) = (Measured::new(), Measured::new());
        for variant in &execution.variants {
            let requests = measure_requests(&execution, variant, &history, &mut measures)?;
            let arm = if is_full(&variant.name) { &mut full } else { &mut strategy };
            *arm = requests;
        }
        let task = Fingerprint::task(Fingerprint::of_opening(&history.whole()), &execution.scenario.name);
        let mut cases = Vec::new();
        for (at, ((with_full, hash), (request, other))) in full.iter().zip(&strategy).enumerate() {
            if hash == other || request.evidence.needed() == 0 {
                continue;
            }
            let is_lost = request.evidence.lacks_fact() && !with_full.evidence.lacks_fact();
            let lost = request.evidence.lost.iter().filter(|item| is_lost && item.grade != Grade::Reachable);
            let mut facts: Vec<EcoString> = lost.map(|item| item.what.clone()).collect();
            let lacks_fact = !facts.is_empty();
            let is_log = execution.scenario.logged().is_some();
            // A log has no expected result, only the facts of the next answer.
            if is_log && !lacks_fact {
                facts = measures.facts(at);
                if with_full.evidence.lacks_fact() || facts.is_empty() {
                    continue;
                }
            }
            let end = if is_log { at + 1 } else { full.len() };
            cases.push(VerifyCase {
                scenario: execution.scenario.name.clone(),
                task,
                turn: request.turn,
                lacks_fact,
                facts,
                full: ArmRequests::from(full.get(at..end).unwrap_or_default(), gauges),
                strategy: ArmRequests::from(strategy.get(at..end).unwrap_or_default(), gauges),
            });
        }
        // Both borrow the execution, which moves into the result.
        drop((measures, history));
        Ok(Subject { execution, cases })
    }

    /// Returns true for a log. Its tools cannot be run, so only the live model's next answer is judged.
    pub fn is_log(&self) -> bool {
        self.execution.scenario.logged().is_some()
    }

    /// Returns true if the scripted run ends as expected from the live model's runs.
    pub fn is_sound(&self) -> bool {
        self.execution.conversation.outcome().is_none_or(|outcome| self.ends_right(outcome))
    }

    /// The request of an arm before a turn.
    ///
    /// # Errors
    /// The strategy fails.
    pub fn request(&self, turn: u32, arm: Arm, tokens: &TextTokens<'_>) -> Result<Rendered, StrategyError> {
        let variant = self.variant_of_arm(arm).ok_or_else(|| StrategyError::new("no strategy"))?;
        variant.render(&self.execution.history(tokens).after(turn as usize - 1))
    }

    fn variant_of_arm(&self, arm: Arm) -> Option<&Variant<'p>> {
        let mut variants = self.execution.variants.iter();
        variants.find(|variant| is_full(&variant.name) == (arm == Arm::FullHistory))
    }

    /// Runs the scenario with scripted answers before `turn`, and a live model's from there on. `send` is passed to [`LiveModel`].
    pub fn run(
        &self,
        turn: u32,
        arm: Arm,
        tokens: &TextTokens<'_>,
        send: impl FnMut(&Rendered) -> Result<String, String>,
    ) -> Option<RunOutcome> {
        let variant = self.variant_of_arm(arm)?.clone();
        let Script { agent, responses, .. } = self.execution.scenario.script()?;
        let script = ScriptedModel::new(responses);
        let mut model = ResumedModel { script, from: turn, live: LiveModel::new(variant, tokens, send) };
        Some(agent::run(agent, &mut model))
    }

    /// Returns true if a run ends as the scenario expects. Without an expected value, the run must return the scripted run's value.
    pub fn is_right(&self, outcome: &RunOutcome) -> bool {
        self.ends_right(outcome.borrowed())
    }

    fn ends_right(&self, outcome: FinishedRun<'_>) -> bool {
        let Execution { scenario, conversation, .. } = &self.execution;
        conversation.outcome().is_some_and(|script| expect::ends_as(scenario, script, outcome))
    }
}

fn is_full(name: &str) -> bool {
    name == BASELINE.name()
}

/// The requests of a scripted run under its first strategy.
///
/// # Errors
/// The strategy fails.
pub fn scripted_requests(
    execution: &Execution<'_>,
    gauges: &Gauges<'_>,
    tokens: &TextTokens<'_>,
) -> Result<ArmRequests, BrokenStrategy> {
    let history = execution.history(tokens);
    let mut measures = Measures::new(&execution.scenario, execution.conversation.past(), &history, gauges);
    let Some(variant) = execution.variants.first() else { return Ok(ArmRequests::default()) };
    let requests = measure_requests(execution, variant, &history, &mut measures)?;
    Ok(ArmRequests::from(&requests, gauges))
}

/// The answered requests of a strategy, each with its [`request_hash`].
fn measure_requests(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
    measures: &mut Measures<'_>,
) -> Result<Measured, BrokenStrategy> {
    let (mut hashes, mut requests) = (Vec::new(), Requests::default());
    let written = written(execution, variant, history)?.variant;
    for request in execution.requests(&written, history, &TurnMemo::default()) {
        let request = request?;
        if request.is_answered {
            let whole = request.clone().map(|id| history.messages().message(id));
            hashes.push(request_hash(&whole.messages));
            requests.push(request);
        }
    }
    let run = measures.run(&variant.name, &history.messages().table(), &requests, |id| id.index() as u32);
    Ok(run.requests.into_iter().zip(hashes).collect())
}

impl ArmRequests {
    fn from(requests: &[(MeasuredRequest, u64)], gauges: &Gauges<'_>) -> ArmRequests {
        let mut all = ArmRequests::default();
        for (number, (request, hash)) in requests.iter().enumerate() {
            if number == 0 {
                all.first = *hash;
            }
            all.calls += 1;
            all.input_tokens += u64::from(request.input_tokens);
            all.output_tokens += u64::from(request.output_tokens);
            let bill = request.bills.first().map(|bill| bill.cost);
            let fresh = gauges.models.first().map(|price| {
                let (input, output) = (request.input_tokens, request.output_tokens);
                price.cost_of(input, [input.into(), 0, 0, output.into()])
            });
            let cost = if number == 0 { fresh } else { bill };
            all.cost += cost.unwrap_or_default();
        }
        all
    }
}

/// Answers from a script before a turn, and by a live model from that turn on.
struct ResumedModel<'a, S> {
    script: ScriptedModel<'a>,
    /// The first turn of the live model.
    from: u32,
    live: LiveModel<'a, S>,
}

impl<S: FnMut(&Rendered) -> Result<String, String>> Model for ResumedModel<'_, S> {
    fn answer(&mut self, agent: &Agent, turns: &[ProgramTurn]) -> Result<EcoString, Error> {
        if turns.len() + 1 < self.from as usize {
            self.script.answer(agent, turns)
        } else {
            self.live.answer(agent, turns)
        }
    }
}

/// Chooses cases with a lost fact, and as many controls. By default one of each per conversation; otherwise up to `most` cases, spread over
/// as many conversations as possible. The seed decides between turns. Lost and control cases alternate, so an interrupted check has both.
pub fn choose(subjects: &[Subject<'_>], seed: u64, most: Option<usize>) -> Vec<VerifyCase> {
    let lacking = rank_cases(subjects, seed, true);
    let control = rank_cases(subjects, seed, false);
    let number = most.map_or(count_firsts(&lacking), |most| lacking.len().min(most.div_ceil(2)));
    let others =
        most.map_or(number.min(count_firsts(&control)), |most| control.len().min(most - number).min(number));
    let (mut lacking, mut control) = (lacking.iter().take(number), control.iter().take(others));
    let mut chosen = Vec::new();
    loop {
        let pair = [lacking.next(), control.next()];
        if pair.iter().all(Option::is_none) {
            return chosen;
        }
        chosen.extend(pair.into_iter().flatten().map(|(_, case)| (*case).clone()));
    }
}

/// The number of conversations with a case.
fn count_firsts(ranked: &[(usize, &VerifyCase)]) -> usize {
    ranked.iter().filter(|(rank, _)| *rank == 0).count()
}

/// The cases of a kind, each with its rank within its conversation. All first ranks come first.
fn rank_cases<'s>(subjects: &'s [Subject<'_>], seed: u64, lacks_fact: bool) -> Vec<(usize, &'s VerifyCase)> {
    let mut ranked: Vec<(usize, &VerifyCase)> = Vec::new();
    for subject in subjects {
        let mut own: Vec<&VerifyCase> =
            subject.cases.iter().filter(|case| case.lacks_fact == lacks_fact).collect();
        own.sort_by_key(|case| (hash_of(case, seed), case.turn));
        ranked.extend(own.into_iter().enumerate());
    }
    ranked.sort_by_key(|(rank, case)| (*rank, hash_of(case, seed), &case.scenario));
    ranked
}

fn hash_of(case: &VerifyCase, seed: u64) -> u64 {
    xxh3_64_with_seed(format!("{}@{}", case.scenario, case.turn).as_bytes(), seed)
}

pub fn request_hash(messages: &[Message]) -> u64 {
    let mut hasher = Xxh3::new();
    for message in messages {
        hasher.update(message.role.name().as_bytes());
        hasher.update(&(message.content.len() as u64).to_le_bytes());
        hasher.update(message.content.as_bytes());
    }
    hasher.digest()
}
