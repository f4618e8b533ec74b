//! `ptc-eval verify`: asks a live model to continue from the same turn, once with the full history and once with a strategy's request.
//! Without the feature `live`, it only explains how to get it.

#[cfg(feature = "live")]
mod live;
#[cfg(feature = "live")]
pub(super) mod told;

use std::path::PathBuf;

use clap::Args;

use super::endpoint::EndpointArguments;
#[cfg(not(feature = "live"))]
use super::error::{CliError, CliResult};
use super::suite::{NamedScenarios, StrategyChoice};

#[derive(Args)]
pub(super) struct VerifyArguments {
    #[command(flatten)]
    scenarios: NamedScenarios,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// The strategy to test
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: StrategyChoice,
    /// Number of times the model continues from each request
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Most turns to test, half of them with an answer that would lack a fact; default: one such turn per conversation, and as many others
    #[arg(long, value_name = "N", alias = "max-requests", value_parser = clap::value_parser!(u32).range(2..))]
    max_pairs: Option<u32>,
    /// Print the cost and ask nothing
    #[arg(long)]
    estimate: bool,
    /// Number of calls at the same time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Seed for the choice of turns
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// File for the results; a request with a result in it is not asked again; default: reports/verify.jsonl beside the suite's folder
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
}

#[cfg(feature = "live")]
pub(super) use live::run;

#[cfg(not(feature = "live"))]
pub(super) fn run(_: &VerifyArguments) -> CliResult {
    Err(CliError::NotLive)
}
