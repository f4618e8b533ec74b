//! Golden files: what ran and what each strategy would have sent, as text that people read in diffs, in
//! the format of `insta`, so that its tools work on the same files. Nothing is measured here.

pub mod atomic;
pub mod cause;
pub mod escape;
pub mod gathered;
mod large;
pub mod requests;
pub mod spool;
pub mod store;
pub mod text;
pub mod view;

pub use cause::{Cause, Change, Hunk};
pub use gathered::Gathered;
pub use store::{Store, Verdict};
pub use text::Snapshot;
