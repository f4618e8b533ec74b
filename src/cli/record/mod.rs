//! `ptc-eval record`: lets a live model answer scenarios, and saves its answers as their scripts. Without the feature `live`, it only
//! explains how to get it.

#[cfg(feature = "live")]
mod live;
#[cfg(feature = "live")]
mod recording;
#[cfg(feature = "live")]
mod summaries;
#[cfg(feature = "live")]
mod yaml;

use std::path::PathBuf;

use clap::Args;

use super::endpoint::EndpointArguments;
#[cfg(not(feature = "live"))]
use super::error::{CliError, CliResult};
use super::suite::{NamedScenarios, StrategyChoice};
use super::today::Today;

#[derive(Args)]
pub(super) struct RecordArguments {
    #[command(flatten)]
    scenarios: NamedScenarios,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// Shorten the requests with this strategy; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Option<StrategyChoice>,
    /// File for the saved scenario; default: NAME.recorded.yaml beside the scenario
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Record each scenario N times, as NAME-1, NAME-2 …; with --summaries, N texts for each summary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Record missing and stale summaries for strategies, instead of answers
    #[arg(long, conflicts_with = "output")]
    summaries: bool,
    /// Print the cost and ask nothing
    #[arg(long, conflicts_with = "summaries")]
    estimate: bool,
    /// Record again, even if a recording exists
    #[arg(long)]
    again: bool,
    /// Number of recordings at the same time
    #[arg(long, short, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    #[command(flatten)]
    today: Today,
}

#[cfg(feature = "live")]
pub(super) use live::run;

#[cfg(not(feature = "live"))]
pub(super) fn run(_: &RecordArguments) -> CliResult {
    Err(CliError::NotLive)
}
