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
    /// The strategy that composes the requests
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: StrategyChoice,
    /// Runs from each request
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Most pairs, half of them with answers that would lack a fact; default: one such pair a conversation, and as many others
    #[arg(long, value_name = "N", alias = "max-requests", value_parser = clap::value_parser!(u32).range(2..))]
    max_pairs: Option<u32>,
    /// Say what it would cost, and ask nothing
    #[arg(long)]
    estimate: bool,
    /// Runs that are made at the same time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Number that decides which requests are chosen
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The file for the results; requests whose results it holds are not asked again; default: reports/verify.jsonl
    /// beside the suite's folder
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
}

#[cfg(feature = "live")]
pub(super) use live::run;

#[cfg(not(feature = "live"))]
pub(super) fn run(_: &VerifyArguments) -> CliResult {
    Err(CliError::NotLive)
}
