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
    /// The strategy that composes the requests; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Option<StrategyChoice>,
    /// The file for the scenario with the answers; default: NAME.recorded.yaml beside the scenario
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Recordings of each scenario, called NAME-1, NAME-2 …; texts of each summary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Record the summaries that strategies need, instead of answers: those that are missing or stale
    #[arg(long, conflicts_with = "output")]
    summaries: bool,
    /// Say what it would cost, and ask nothing
    #[arg(long, conflicts_with = "summaries")]
    estimate: bool,
    /// Record anew what is recorded already
    #[arg(long)]
    again: bool,
    /// Recordings that are made at the same time
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
