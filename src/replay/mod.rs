//! Replaying scenarios: each runs once, and every strategy renders every prefix of its turns. Nothing is
//! counted in tokens here, nothing compared and nothing written.

use ecow::EcoString;

use crate::agent::{Message, Step};
use crate::compression::Statistics;
use crate::scenario::Scenario;

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
    /// The request before each turn that was taken, in order.
    pub requests: Vec<Request>,
}

/// What the model would have been sent before one turn.
#[derive(Clone, Debug)]
pub struct Request {
    /// The turn that it asks for, from 1.
    pub turn: u32,
    pub messages: Vec<Message>,
    pub statistics: Statistics,
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The key below `expect:`, such as `value`.
    pub what: String,
    pub expected: String,
    pub found: String,
}
