//! All tests in one binary: linking is the slow part of building them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod expiry;
mod names;
mod prices;
mod terms;
