//! `ptc-eval verify`: asks a live model to answer requests of scripted runs, to prove that evidence means something.
//! Without the feature `live` it only says how to get it.

#[cfg(feature = "live")]
mod live;

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
    /// Most requests, half of them with short answers; default: all short ones and as many others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    max_requests: Option<u32>,
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
