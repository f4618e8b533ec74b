//! `ptc-eval record`: lets a live model answer a scenario, and keeps its answers as the script. Without the feature
//! `live` it only says how to get it.

#[cfg(feature = "live")]
mod live;

use std::path::PathBuf;

use clap::Args;

#[cfg(not(feature = "live"))]
use super::error::{CliError, CliResult};
use super::suite::{Permission, StrategyChoice};

#[derive(Args)]
pub(super) struct RecordArguments {
    /// The scenario: its name or its file. Its mission, data and tools are used, its responses are not
    scenario: String,
    /// The model that answers, as the endpoint calls it
    #[arg(long, value_name = "NAME")]
    model: String,
    /// The endpoint, an OpenAI-compatible API; its key is read from OPENAI_API_KEY
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", default_value = "https://api.openai.com/v1")]
    url: String,
    /// The strategy that composes the requests; default: the scenario's own
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Option<StrategyChoice>,
    /// The temperature to ask for
    #[arg(long, value_name = "NUMBER")]
    temperature: Option<f64>,
    /// Seconds to wait for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
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
