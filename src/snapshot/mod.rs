//! Golden files in the format of `insta`: the run and the requests of each strategy as text that people read in diffs.

pub mod atomic;
pub mod cause;
mod changed;
pub mod differences;
pub mod escape;
pub mod gathered;
mod golden_texts;
mod goldens;
mod lines;
mod reference;
mod request_writer;
pub mod requests;
mod rulers;
mod run_sections;
pub mod run_turns;
pub mod store;
pub mod text;
pub mod view;
pub mod waiting;
pub mod yaml;

pub use cause::{Cause, Change, Hunk};
pub use gathered::Gathered;
pub use golden_texts::{GoldenText, GoldenTexts, Lack};
pub use goldens::{GoldenDraft, Goldens};
pub use reference::repeated_strategy;
pub use request_writer::body_of;
pub use run_sections::RunSections;
pub use store::{Store, Verdict};
pub use text::Snapshot;
