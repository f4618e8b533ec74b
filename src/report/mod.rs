//! What the requests of a run measure, how strategies compare, and the files that say so. Measuring is
//! pure and done where a scenario is replayed; one place does the arithmetic; a format only writes.

mod atoms;
mod columns;
pub mod comparison;
pub mod evidence;
mod format;
pub mod impact;
pub mod measure;
mod messages;
pub mod numbers;
mod requests_csv;
mod results_json;
mod scenarios_csv;
mod spread;
mod strategies_csv;
mod summary;
mod tally;
pub mod terminal;
pub mod thresholds;
mod write;

pub use columns::{STRATEGY_COLUMNS, StrategyColumn, metrics};
pub use comparison::{Comparison, Header, StrategyComparison};
pub use format::{FORMATS, Format, Part, STREAMS, Stream};
pub use measure::{Gauges, Measured, measure};
pub use tally::Tally;
pub use thresholds::{Crossed, crossed};
pub use write::{GITIGNORE, ReportFolder, stale, write_atomically, write_committed};
