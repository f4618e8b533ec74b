//! The messages of one scenario, each stored once. Strategies add messages and get their identifiers; a request is a list
//! of identifiers, and what two requests have in common is a comparison of numbers.

mod long_lines;
mod runs;
mod table;

pub use long_lines::{LONG, line_parts};
pub use runs::{Runs, Stretches};
pub use table::{Identity, MessageId, Messages, Row, Table, TextTokens};
