//! What the requests of a run measure, how strategies compare, and the files that say so. Measuring is
//! pure and done where a scenario is replayed; one place does the arithmetic; a format only writes.

mod atoms;
pub mod changes;
mod changes_md;
mod columns;
pub mod comparison;
pub mod evidence;
pub mod failed;
mod format;
pub mod impact;
mod junit;
mod markdown;
pub mod measure;
mod messages;
pub mod numbers;
mod page;
pub mod record;
mod requests_csv;
mod results_json;
mod results_reader;
pub mod scenario_changes;
mod scenarios_csv;
mod spread;
mod strategies_csv;
mod summary;
mod tally;
pub mod terminal;
pub mod thresholds;
pub mod totals;
pub mod verdicts;
mod write;

pub use columns::{STRATEGY_COLUMNS, StrategyColumn, metrics};
pub use comparison::{Comparison, Header, StrategyComparison};
pub use failed::FailedNames;
pub use format::{FORMATS, Format, Part, STREAMS, Stream};
pub use measure::{Gauges, Measured, measure};
pub use record::ScenarioRecord;
pub use results_json::schema;
pub use results_reader::{ResultsError, ResultsReader};
pub use tally::Tally;
pub use thresholds::{Crossed, crossed};
pub use totals::{Against, Totals};
pub use write::{Entry, GITIGNORE, ReportFolder, stale, write_atomically, write_committed};
