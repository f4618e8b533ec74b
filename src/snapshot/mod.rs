//! Golden files in the format of `insta`: the run and the requests of each strategy as text that people read in diffs.

pub mod atomic;
pub mod cause;
pub mod differences;
pub mod escape;
pub mod gathered;
mod lines;
pub mod parts;
mod references;
pub mod requests;
pub mod store;
pub mod text;
pub mod view;
pub mod yaml;

pub use cause::{Cause, Change, Hunk};
pub use gathered::Gathered;
pub use lines::RunLines;
pub use store::{Store, Verdict};
pub use text::Snapshot;
