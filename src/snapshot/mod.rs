//! Golden files in the format of `insta`: the run and each strategy's requests, as text for people to review in diffs.

pub mod atomic;
pub mod cause;
pub mod differences;
pub mod escape;
mod golden_texts;
mod goldens;
mod lines;
mod message_lines;
mod reference;
pub mod requests;
mod rulers;
mod run_sections;
pub mod run_turns;
mod spans;
pub mod store;
pub mod text;
pub mod view;
pub mod waiting;
pub mod yaml;

pub use cause::{Change, Hunk};
pub use golden_texts::{GoldenText, GoldenTexts, Lack};
pub use goldens::{GoldenDraft, Goldens};
pub use reference::repeated_strategy;
pub use requests::body_of;
pub use run_sections::RunSections;
pub use store::{Store, Verdict};
pub use text::Snapshot;
