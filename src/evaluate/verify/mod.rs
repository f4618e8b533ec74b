//! Verifies evidence: a live model answers the same turn with the full history and with a strategy's request. There is no network code
//! here.

mod finding;
mod subject;

pub use finding::{
    DISCORDANT, Finding, LOSS, PairedResults, PairedRuns, chance_of_at_least, fewest_tasks, tasks_needed,
    wilson,
};
pub use subject::{Arm, ArmRequests, Subject, VerifyCase, choose, request_hash, scripted_requests};
