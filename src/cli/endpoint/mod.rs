//! The endpoint of a live model: its options and, with the feature `live`, the only network code.

#[cfg(feature = "live")]
mod api;
#[cfg(feature = "live")]
mod budget;
#[cfg(feature = "live")]
mod client;
mod dollars;
#[cfg(feature = "live")]
mod proxy;
#[cfg(feature = "live")]
mod secrets;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use self::dollars::parse_dollars;
use ptc_prices::Money;

#[cfg(feature = "live")]
pub(super) use api::LiveRequest;
#[cfg(feature = "live")]
pub(super) use client::{Answer, Endpoint, Failure, Usage};

/// Arguments that choose a live model.
#[derive(Args)]
pub(super) struct EndpointArguments {
    /// The model to ask, by the endpoint's name for it
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// URL of the endpoint; default: OPENAI_BASE_URL or ANTHROPIC_BASE_URL, else the provider's. The key comes from OPENAI_API_KEY or
    /// ANTHROPIC_API_KEY
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// API of the endpoint; default: detected from --url, or else from the model's name
    #[arg(long, value_enum)]
    api: Option<Api>,
    /// Temperature of the model
    #[arg(long, value_name = "NUMBER")]
    pub temperature: Option<f64>,
    /// Seconds before a call fails if the answer is not complete
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
    /// Seconds without data before a call fails; connecting takes at most 10
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    silence: u64,
    /// Seconds before the first retry, doubled each time, unless the endpoint asks for another time
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    retry_wait: u64,
    /// Most dollars for all calls together. A call that could exceed them is not made
    #[arg(long, value_name = "DOLLARS", value_parser = parse_dollars)]
    max_cost: Option<Money>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

/// API of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Api {
    /// `POST /chat/completions`, which many servers offer
    Openai,
    /// `POST /messages`
    Anthropic,
}

/// The answers found in a reply, parsed with each API. Used by tests with hostile replies.
#[cfg(feature = "live")]
pub fn answers_in(reply: &[u8]) -> Vec<String> {
    let Ok(reply) = serde_json::from_slice(reply) else { return Vec::new() };
    Api::value_variants()
        .iter()
        .filter_map(|api| api.read(&reply, false).ok())
        .map(|reply| reply.text)
        .collect()
}
