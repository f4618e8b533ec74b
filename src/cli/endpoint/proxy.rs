//! Proxies that the environment names.

use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use super::client::has_port;
use crate::cli::error::CliError;

/// The variables that name a proxy, in the order in which the client reads them.
const VARIABLES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// Refuses what the client would pass over in silence, and then ask without a proxy.
///
/// # Errors
/// A variable names no proxy, or one of a kind that is not supported, and NO_PROXY does not name the endpoint.
pub(super) fn check(endpoint: &Uri) -> Result<(), CliError> {
    if Proxy::try_from_env().is_some_and(|proxy| proxy.is_no_proxy(endpoint)) {
        return Ok(());
    }
    let named = VARIABLES.iter().filter_map(|&name| Some((name, std::env::var(name).ok()?)));
    for (name, value) in named.filter(|(_, value)| !value.trim().is_empty()) {
        let found = match Proxy::new(&value) {
            Ok(proxy) => match proxy.protocol() {
                ProxyProtocol::Http | ProxyProtocol::Https if has_port(proxy.uri()) => continue,
                ProxyProtocol::Http | ProxyProtocol::Https => "a port that is none".to_owned(),
                kind => format!("a proxy of the kind {kind:?}"),
            },
            Err(_) => "no address".to_owned(),
        };
        return Err(CliError::NoProxy { variable: name, found });
    }
    Ok(())
}
