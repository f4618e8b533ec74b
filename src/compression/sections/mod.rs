//! The sections of requests: how a line looks and when a section is left out. A strategy
//! decides which of them a request has.

pub mod calls;
pub mod error;
pub mod samples;
pub mod stable;
pub mod summary;
pub mod user;
