//! The sections of requests: the format of their lines and the conditions for omitting them. Each strategy chooses its sections.

pub mod calls;
pub mod error;
pub mod samples;
pub mod stable;
pub mod summary;
pub mod user;
