//! `ptc-eval record`: lets a live model answer a scenario, through the same loop, and keeps its answers as
//! the script. Without the feature `live` it only says how to get it.

#[cfg(feature = "live")]
mod live;

use std::path::PathBuf;

use clap::Args;

use super::exit::Exit;
use super::suite::Wanted;

#[derive(Args)]
pub(super) struct Arguments {
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
    strategy: Option<Wanted>,
    /// The temperature to ask for
    #[arg(long, value_name = "NUMBER")]
    temperature: Option<f64>,
    /// How long to wait for one answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
    /// Where the scenario with the answers is written; default: its own file, if that has no responses
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    record(arguments).unwrap_or_else(|message| {
        err!("{message}");
        Exit::Unreadable
    })
}

#[cfg(feature = "live")]
use live::record;

#[cfg(not(feature = "live"))]
fn record(_: &Arguments) -> Result<Exit, String> {
    Err("error: this build cannot ask a model: it has no network code\n  = help: cargo install ptc-eval --features live\n"
        .to_owned())
}
