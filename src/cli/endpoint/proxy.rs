//! Checks proxies set by environment variables.

use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use super::client::has_port;
use crate::cli::error::CliError;

/// Proxy variables, in the order used by the client.
const VARIABLES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// Rejects unusable proxies: the client would silently ignore them and connect directly.
///
/// # Errors
/// A variable has an invalid or unsupported proxy, and `NO_PROXY` does not exclude the endpoint.
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
