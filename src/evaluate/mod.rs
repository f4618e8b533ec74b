//! Evaluates scenarios: executes each once, renders its requests under every strategy, measures them, and compares them with snapshots.
//! Every command that needs more than the scenario files uses this pipeline.

mod curves;
mod differences;
mod earlier;
mod execution;
mod expect;
mod live;
mod pipeline;
mod plan;
mod pool;
mod results;
mod shared;
mod snapshots;
mod sweep;
mod time_limit;
mod tune;
pub mod verify;
mod writing;
mod wrong_turn;

pub use curves::{Curve, CurvePoint, SweptThreshold};
pub use differences::DifferenceFinder;
pub use earlier::{EarlierSuite, GoldenFiles, OpenedSuite};
pub use execution::{
    Execution, ReplayedScenario, StrategyRun, execute, replay, replay_with_bills, unused_responses,
};
pub use expect::{OF_ONE_SCRIPT, wrong_ending};
pub use live::LiveModel;
pub use pipeline::{EvaluateError, EvaluatedScenario, EvaluatedSource, Pipeline, SourceResult};
pub use plan::Plan;
pub use pool::{Pool, in_order};
pub use results::{Added, Destination, EvaluationResults, conclude};
pub use shared::SharedScenarios;
pub use snapshots::{ComparedSnapshot, EvaluationSnapshots, SnapshotComparer, SnapshotMode};
pub use sweep::{Sweep, SweepSums};
pub use time_limit::TimeLimit;
pub use tune::{BrokenRun, RunUse, Search, SettingsComparison, StrategySetting, Tried, TuneVerdict, Tuning};
pub use writing::{StaleTexts, turns_with_calls, write_in_turn};
use writing::{Written, written};
