//! `ptc-eval record`: lets a live model answer a scenario, and keeps its answers as the script. Without the feature
//! `live` it only says how to get it.

#[cfg(feature = "live")]
mod live;

use std::path::PathBuf;

use clap::Args;

use super::endpoint::EndpointArguments;
#[cfg(not(feature = "live"))]
use super::error::{CliError, CliResult};
use super::suite::{Permission, StrategyChoice};

#[derive(Args)]
pub(super) struct RecordArguments {
    /// The scenario: its name or its file. Its mission, data and tools are used, its responses are not
    scenario: String,
    #[command(flatten)]
    endpoint: EndpointArguments,
    /// The strategy that composes the requests; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Option<StrategyChoice>,
    /// The file for the scenario with the answers; default: its own file, if that has no responses
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    permission: Permission,
}

#[cfg(feature = "live")]
pub(super) use live::run;

#[cfg(not(feature = "live"))]
pub(super) fn run(_: &RecordArguments) -> CliResult {
    Err(CliError::NotLive)
}
