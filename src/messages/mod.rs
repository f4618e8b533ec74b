//! The messages of one scenario, each stored once. Strategies add messages and get their identifiers; a request is a list
//! of identifiers, and what two requests have in common is a comparison of numbers.

mod table;

pub use table::{MessageId, Messages, Row, Table, TextTokens};
