//! Commands that ask a live model, against a server on this machine.

mod anthropic;
mod kept;
mod limits;
mod planted;
mod record;
mod redirects;
mod replies;
mod retries;
mod secrets;
pub mod server;
mod several;
mod summaries;
mod verify;
