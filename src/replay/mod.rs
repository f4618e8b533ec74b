//! Replaying scenarios: each runs once, and every strategy renders every prefix of its turns. Nothing is
//! compared with snapshots here and nothing written.

mod expect;
mod live;
mod plan;
mod pool;

use ecow::EcoString;

use crate::agent::{self, Message, ScriptedModel, Step};
use crate::compression::{History, SettingError, Statistics, StrategyError, TextTokens, Variant};
use crate::lisp::error::ErrorKind;
use crate::scenario::Scenario;

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
    let variants = plan.variants_for(&scenario)?;
    let step = agent::run(&scenario.agent, &mut ScriptedModel::new(&scenario.responses));
    let strategies = {
        let history = History::new(&scenario.agent, &step.turns, tokens);
        variants.iter().map(|variant| render(variant, &history, &step)).collect()
    };
    let failures = expect::check(&scenario.expect, &step);
    let unused_responses = scenario.responses.len().saturating_sub(asked_for(&step));
    Ok(ScenarioResult { scenario, step, strategies, failures, unused_responses })
}

/// How many responses a run asked for: one a turn, and one that was an error.
fn asked_for(step: &Step) -> usize {
    step.turns.turns().len() + usize::from(ended_with(step, ErrorKind::ModelError))
}

fn ended_with(step: &Step, kind: ErrorKind) -> bool {
    matches!(&step.ending, agent::Ending::Error(error) if error.kind == kind)
}

fn render(variant: &Variant<'_>, history: &History<'_>, step: &Step) -> StrategyRun {
    let request = |completed: usize| {
        let turn = completed as u32 + 1;
        let rendered = variant.render(&history.after(completed)).map_err(|error| Broken { turn, error })?;
        Ok(Request {
            turn,
            messages: rendered.messages,
            statistics: rendered.statistics,
            hidden_tool_calls: rendered.hidden_tool_calls,
        })
    };
    let (name, turns) = (variant.name.clone(), step.turns.turns().len());
    let is_unanswered =
        ended_with(step, ErrorKind::ModelError) || ended_with(step, ErrorKind::ScriptExhausted);
    let requests: Result<Vec<Request>, Broken> =
        (0..turns + usize::from(is_unanswered)).map(request).collect();
    match requests {
        Ok(mut requests) => {
            let unanswered = if is_unanswered { requests.pop() } else { None };
            StrategyRun { name, requests, unanswered, broken: None }
        }
        Err(broken) => StrategyRun { name, requests: Vec::new(), unanswered: None, broken: Some(broken) },
    }
}
