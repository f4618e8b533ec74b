//! Replaying scenarios: each runs once, and every strategy renders every prefix of its turns. Nothing is
//! compared with snapshots here and nothing written.

mod expect;
mod live;
mod plan;
mod pool;

use ecow::EcoString;

use crate::agent::{self, Message, ScriptedModel, Step};
use crate::compression::{History, SettingError, Statistics, StrategyError, TextTokens, Variant};
use crate::scenario::Scenario;
use ptc_lisp::error::ErrorKind;

pub use live::LiveModel;
pub use plan::Plan;
pub use pool::{Pool, in_order};

/// What one scenario did and what every strategy would have sent.
pub struct ScenarioResult {
    pub scenario: Scenario,
    /// The one execution.
    pub step: Step,
    /// In the order of the suite.
    pub strategies: Vec<StrategyRun>,
    /// Expectations that do not hold; a failed scenario is a value, never an `Err`.
    pub failures: Vec<Failure>,
    /// Scripted responses that no turn asked for.
    pub unused_responses: usize,
}

/// One strategy's requests.
pub struct StrategyRun {
    /// As the suite calls it.
    pub name: EcoString,
    /// The request before each turn that was taken, in order; none if the strategy broke.
    pub requests: Vec<Request>,
    /// The request to which no answer came, since the call failed or the script had ended. Nothing is
    /// measured of it.
    pub unanswered: Option<Request>,
    pub broken: Option<Broken>,
}

/// A strategy of the user's own that made no request.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The turn that the request would have asked for.
    pub turn: u32,
    pub error: StrategyError,
}

/// What the model would have been sent before one turn.
#[derive(Clone, Debug)]
pub struct Request {
    /// The turn that it asks for, from 1.
    pub turn: u32,
    pub messages: Vec<Message>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The key below `expect:`, such as `value`.
    pub what: String,
    pub expected: String,
    pub found: String,
}

/// A scenario that ran, and the strategies under which its requests are to be rendered. They can be taken
/// one at a time, so that those of a long run need not be kept.
pub struct Execution<'p> {
    pub scenario: Scenario,
    /// The one execution.
    pub step: Step,
    /// Expectations that do not hold.
    pub failures: Vec<Failure>,
    /// In the order of the suite.
    pub variants: Vec<Variant<'p>>,
}

/// Runs a scenario and renders its requests under every strategy of the plan. `tokens` counts for
/// triggers alone.
///
/// # Errors
/// When a strategy of the plan or one of its options does not exist.
pub fn replay(
    scenario: Scenario,
    plan: &Plan,
    tokens: &TextTokens<'_>,
) -> Result<ScenarioResult, SettingError> {
    let execution = execute(scenario, plan)?;
    let history = execution.history(tokens);
    let strategies = execution.variants.iter().map(|variant| execution.run_of(variant, &history)).collect();
    drop(history);
    Ok(execution.finish(strategies))
}

/// Runs a scenario.
///
/// # Errors
/// As [`replay`].
pub fn execute(scenario: Scenario, plan: &Plan) -> Result<Execution<'_>, SettingError> {
    let variants = plan.variants_for(&scenario)?;
    let step = agent::run(&scenario.agent, &mut ScriptedModel::new(&scenario.responses));
    let failures = expect::check(&scenario.expect, &step);
    Ok(Execution { scenario, step, failures, variants })
}

impl Execution<'_> {
    /// What requests are rendered from.
    pub fn history<'a>(&'a self, tokens: &'a TextTokens<'a>) -> History<'a> {
        History::new(&self.scenario.agent, &self.step.turns, tokens)
    }

    /// The requests of one strategy, those before the turns that were taken and one to which no answer came;
    /// it is over when the strategy breaks.
    pub fn requests<'a>(
        &'a self,
        variant: &'a Variant<'_>,
        history: &'a History<'a>,
    ) -> impl Iterator<Item = Result<Request, Broken>> + 'a {
        let turns = self.step.turns.turns().len();
        let is_unanswered = ended_with(&self.step, ErrorKind::ModelError)
            || ended_with(&self.step, ErrorKind::ScriptExhausted);
        (0..turns + usize::from(is_unanswered)).map(|completed| request(variant, history, completed))
    }

    /// Whether an answer came to a request.
    pub fn is_answered(&self, request: &Request) -> bool {
        request.turn as usize <= self.step.turns.turns().len()
    }

    /// What the scenario came to, with what was kept of its strategies.
    pub fn finish(self, strategies: Vec<StrategyRun>) -> ScenarioResult {
        let Execution { scenario, step, failures, .. } = self;
        let unused_responses = scenario.responses.len().saturating_sub(asked_for(&step));
        ScenarioResult { scenario, step, strategies, failures, unused_responses }
    }

    fn run_of(&self, variant: &Variant<'_>, history: &History<'_>) -> StrategyRun {
        let name = variant.name.clone();
        match self.requests(variant, history).collect::<Result<Vec<_>, _>>() {
            Ok(mut requests) => {
                let unanswered = requests.pop_if(|request| !self.is_answered(request));
                StrategyRun { name, requests, unanswered, broken: None }
            }
            Err(broken) => StrategyRun::broken(name, broken),
        }
    }
}

impl StrategyRun {
    /// One of which nothing is kept but its name.
    pub fn named(name: EcoString) -> StrategyRun {
        StrategyRun { name, requests: Vec::new(), unanswered: None, broken: None }
    }

    /// One that made no requests.
    pub fn broken(name: EcoString, broken: Broken) -> StrategyRun {
        StrategyRun { broken: Some(broken), ..StrategyRun::named(name) }
    }
}

/// How many responses a run asked for: one a turn, and one that was an error.
fn asked_for(step: &Step) -> usize {
    step.turns.turns().len() + usize::from(ended_with(step, ErrorKind::ModelError))
}

fn ended_with(step: &Step, kind: ErrorKind) -> bool {
    matches!(&step.ending, agent::Ending::Error(error) if error.kind == kind)
}

fn request(variant: &Variant<'_>, history: &History<'_>, completed: usize) -> Result<Request, Broken> {
    let turn = completed as u32 + 1;
    let rendered = variant.render(&history.after(completed)).map_err(|error| Broken { turn, error })?;
    Ok(Request {
        turn,
        messages: rendered.messages,
        statistics: rendered.statistics,
        hidden_tool_calls: rendered.hidden_tool_calls,
    })
}
