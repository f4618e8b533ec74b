//! The HTTP client for a model endpoint: retries, redirects and limits.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use ureq::http::{Response, Uri, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Body, Error, Timeout};

use super::api::{Asked, LiveRequest, Reply, error_in};
use super::budget::Budget;
use super::secrets::{Secrets, shown};
use super::{Api, EndpointArguments, proxy};
use crate::cli::error::CliError;
use crate::scenario::files;
use conversation::cut::split_start;

/// Most attempts for one answer. With a first wait of a second, doubled each time, they take about 15 seconds.
const ATTEMPTS: u32 = 5;
/// Longest wait accepted from a `Retry-After` header.
const MAX_WAIT: Duration = Duration::from_secs(120);
/// Longest time to connect, in seconds.
const MAX_CONNECT: u64 = 10;
/// Largest reply in bytes.
const MAX_REPLY: u64 = 16 << 20;
const MAX_REDIRECTS: usize = 5;
/// Characters of an error message to show.
const SHOWN: usize = 300;

/// The endpoint of a live model.
pub(in crate::cli) struct Endpoint<'a> {
    arguments: &'a EndpointArguments,
    client: ureq::Agent,
    api: Api,
    url: String,
    key: Option<String>,
    secrets: Secrets,
    budget: Budget,
}

/// An answer of a live model.
pub(in crate::cli) struct Answer {
    pub text: String,
    /// The name returned by the endpoint, else the requested one.
    pub model: String,
    /// `None`: the model's default.
    pub temperature: Option<f64>,
    pub usage: Option<Usage>,
}

/// Tokens counted by the endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(in crate::cli) struct Usage {
    /// Including cached tokens.
    pub input: u64,
    pub cached: u64,
    /// Tokens written to the cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub written: u64,
    pub output: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Why there is no answer. Messages contain no secrets.
#[derive(Debug)]
pub(in crate::cli) enum Failure {
    /// The call failed.
    Call(String),
    /// The call succeeded, but the answer is missing or incomplete.
    Answer(String),
    /// The call was not made, because it might exceed the budget.
    Budget(String),
}

/// A failed attempt.
struct Attempt {
    message: String,
    again: Again,
    /// True if the endpoint rejected the request. This costs nothing.
    is_unbilled: bool,
}

/// Whether to retry.
enum Again {
    Never,
    /// Retry, after the time requested by the endpoint if any.
    After(Option<Duration>),
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.cached = self.cached.saturating_add(other.cached);
        self.written = self.written.saturating_add(other.written);
        self.output = self.output.saturating_add(other.output);
    }
}

impl Answer {
    /// Model, temperature and token counts for display.
    pub(in crate::cli) fn origin(&self) -> String {
        let mut origin = self.model.clone();
        if let Some(temperature) = self.temperature {
            origin += &format!(" at temperature {temperature}");
        }
        if let Some(Usage { input, cached, output, .. }) = self.usage {
            origin += &format!(", {input} tokens in ({cached} cached), {output} out");
        }
        origin
    }
}

impl Failure {
    pub(in crate::cli) fn message(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Call(message) | Failure::Answer(message) | Failure::Budget(message)) = self;
        f.write_str(message)
    }
}

impl Endpoint<'_> {
    /// Configures the endpoint from arguments and environment variables, without calling it.
    ///
    /// # Errors
    /// The URL is invalid, or it is a provider's own and there is no key.
    pub(in crate::cli) fn new(arguments: &EndpointArguments) -> Result<Endpoint<'_>, CliError> {
        let asked_for = arguments.api.unwrap_or_else(|| api_of(&arguments.model, of_environment));
        let base = arguments.url.clone().or_else(|| of_environment(asked_for.variables().0));
        let base = base.unwrap_or_else(|| asked_for.default_url().to_string());
        let uri = base.parse::<Uri>().ok().filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
        let uri = uri.filter(has_port).ok_or_else(|| CliError::NoUrl { url: shown(&base) })?;
        let Some(host) = uri.host() else { return Err(CliError::NoUrl { url: shown(&base) }) };
        proxy::check(&uri)?;
        let api = match (arguments.api, Api::of_host(host)) {
            (Some(api), _) | (None, api @ Api::Anthropic) => api,
            // With `--url`, the host decides. Otherwise use the API whose variable or default gave the URL.
            (None, api) => {
                if arguments.url.is_some() {
                    api
                } else {
                    asked_for
                }
            }
        };
        let key = of_environment(api.variables().1);
        if key.is_none() && api.default_url().split('/').nth(2) == Some(host) {
            return Err(CliError::NoKey { url: shown(&base), variable: api.variables().1 });
        }
        let secrets = Secrets::new(&base, key.as_deref());
        let (path, query) =
            base.split_once('?').map_or((base.as_str(), None), |(path, query)| (path, Some(query)));
        let path = path.trim_end_matches('/');
        let query = query.map_or_else(String::new, |query| format!("?{query}"));
        let url = format!("{path}{}{query}", api.path(path));
        let silence = Some(Duration::from_secs(arguments.silence));
        let config = ureq::Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(root_certificates()?).build())
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(arguments.timeout)))
            .timeout_connect(Some(Duration::from_secs(arguments.silence.min(MAX_CONNECT))))
            .timeout_per_read(silence)
            .timeout_per_write(silence);
        let budget = Budget::new(arguments)?;
        Ok(Endpoint { arguments, client: config.build().into(), api, url, key, secrets, budget })
    }

    /// Requests an answer. Retries, with a message to `tell`, if the endpoint is busy or the connection breaks.
    ///
    /// # Errors
    /// The answer is missing or incomplete.
    pub(in crate::cli) fn ask(
        &self,
        request: LiveRequest<'_>,
        tell: &dyn Fn(&str),
    ) -> Result<Answer, Failure> {
        let EndpointArguments { model, temperature, .. } = self.arguments;
        let is_bounded = self.budget.is_bounded();
        let body = self.api.body(&Asked { model, temperature: *temperature, is_bounded, request });
        let reply = self.fetch_reply(&body, tell)?;
        if let Some(why) = self.api.refusal(&reply) {
            return Err(Failure::Call(self.safe_message(&why)));
        }
        let read = self.api.read(&reply, request.may_call);
        let Reply { text, model: named, usage } =
            read.map_err(|why| Failure::Answer(self.safe_message(&why)))?;
        if self.secrets.are_in(&text) {
            return Err(Failure::Answer(
                self.safe_message("gave the key away in its answer, which is not kept"),
            ));
        }
        let model = named.map_or_else(|| model.clone(), |named| self.secrets.hide(&named));
        Ok(Answer { text, model, temperature: *temperature, usage })
    }

    /// The cost of all calls so far. `None` if the model has no known price.
    pub(in crate::cli) fn cost_line(&self) -> Option<String> {
        self.budget.cost_line()
    }

    /// The reply to a body, after retries if necessary.
    ///
    /// # Errors
    /// All attempts failed.
    fn fetch_reply(&self, body: &str, tell: &dyn Fn(&str)) -> Result<Value, Failure> {
        let mut wait = Duration::from_secs(self.arguments.retry_wait);
        let mut attempts = 1..ATTEMPTS;
        loop {
            let reserved = self.budget.reserve(body).map_err(Failure::Budget)?;
            let Attempt { message, again, is_unbilled } = match self.attempt_once(body) {
                Ok(reply) => {
                    self.budget.settle(reserved, self.api.usage(&reply));
                    return Ok(reply);
                }
                Err(attempt) => attempt,
            };
            if is_unbilled {
                self.budget.release(reserved);
            } else {
                // The provider may have billed for a broken connection or half an answer, and may again for each retry.
                self.budget.settle(reserved, None);
            }
            let message = self.safe_message(&message);
            let Again::After(asked_for) = again else { return Err(Failure::Call(message)) };
            if let Some(long) = asked_for.filter(|time| *time > MAX_WAIT) {
                return Err(Failure::Call(format!("{message}; it asks to wait for {} s", long.as_secs())));
            }
            if attempts.next().is_none() {
                return Err(Failure::Call(format!("{message}, {ATTEMPTS} times")));
            }
            let pause = asked_for.unwrap_or(wait);
            tell(&format!("{message}; next attempt in {} s", pause.as_secs()));
            sleep(pause);
            wait = wait.saturating_mul(2);
        }
    }

    /// Prefixes a message with the URL, hides secrets and truncates it.
    fn safe_message(&self, message: &str) -> String {
        let message = self.secrets.hide(message);
        let (start, _) = split_start(&message, SHOWN);
        format!("{} {}", self.secrets.hide_key(&shown(&self.url)), start.trim())
    }

    /// Makes one attempt.
    fn attempt_once(&self, body: &str) -> Result<Value, Attempt> {
        let mut response = self.post_body(body)?;
        let status = response.status();
        let read = response.body_mut().with_config().limit(MAX_REPLY).read_to_vec();
        if status.is_success() {
            let bytes = read.map_err(|error| self.failed_attempt(&error))?;
            return serde_json::from_slice(&bytes).map_err(|_| {
                fatal_attempt(format!("answered without JSON: {}", String::from_utf8_lossy(&bytes)))
            });
        }
        let bytes = read.unwrap_or_default();
        let told = serde_json::from_slice(&bytes).ok().as_ref().and_then(error_in);
        let told = told.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned());
        let again = match status.as_u16() {
            // Waiting does not refill an account.
            429 if is_out_of_quota(&bytes) => Again::Never,
            // 529: Anthropic is overloaded.
            429 | 500 | 502 | 503 | 504 | 529 => Again::After(retry_after(&response, SystemTime::now())),
            _ => Again::Never,
        };
        Err(Attempt { message: format!("answered {}: {told}", status.as_u16()), again, is_unbilled: true })
    }

    /// Posts the body, following redirects within the host.
    fn post_body(&self, body: &str) -> Result<Response<Body>, Attempt> {
        let mut url = self.url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let mut post = self.client.post(&url).header("content-type", "application/json");
            for (name, value) in self.api.headers(self.key.as_deref()) {
                post = post.header(name, value);
            }
            let response = post.send(body).map_err(|error| self.failed_attempt(&error))?;
            let location = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
            let Some(location) = location.filter(|_| response.status().is_redirection()) else {
                return Ok(response);
            };
            let status = response.status().as_u16();
            let next = within_host(&url, location).filter(|_| matches!(status, 307 | 308));
            url = next.ok_or_else(|| {
                fatal_attempt(format!(
                    "redirects ({status}) to {}; say --url if you trust it",
                    shown(location)
                ))
            })?;
        }
        Err(fatal_attempt(format!("redirects more than {MAX_REDIRECTS} times")))
    }

    fn failed_attempt(&self, error: &Error) -> Attempt {
        let EndpointArguments { silence, timeout, .. } = self.arguments;
        let message = match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                format!("took no connection within {} s", silence.min(&MAX_CONNECT))
            }
            Error::Timeout(Timeout::PerRead | Timeout::PerWrite) => {
                format!("was silent for {silence} s (--silence)")
            }
            Error::Timeout(_) => format!("gave no whole answer within {timeout} s (--timeout)"),
            Error::BodyExceedsLimit(_) => format!("answered with more than {} MiB", MAX_REPLY >> 20),
            error if is_broken(error) => {
                let message = format!("broke the connection: {error}");
                return Attempt { message, again: Again::After(None), is_unbilled: false };
            }
            error if error.to_string().contains("invalid peer certificate") => {
                format!("cannot be asked: {error} (SSL_CERT_FILE names root certificates to trust)")
            }
            error => format!("cannot be asked: {error}"),
        };
        fatal_attempt(message)
    }
}

fn of_environment(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?.trim().to_string();
    Some(value).filter(|value| !value.is_empty())
}

/// The API for a model without a given host: Anthropic's for Claude models, unless the environment only configures an OpenAI endpoint.
fn api_of(model: &str, variable: impl Fn(&str) -> Option<String>) -> Api {
    let (_, key) = Api::Anthropic.variables();
    let has_other = variable(Api::Openai.variables().0).is_some() && variable(key).is_none();
    if model.starts_with("claude") && !has_other { Api::Anthropic } else { Api::Openai }
}

/// Returns true if the URL has no port or a valid one. The client would replace an invalid port by port 80.
pub(super) fn has_port(uri: &Uri) -> bool {
    let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let after_host = place.rsplit_once(']').map_or(place, |(_, after)| after);
    after_host.split_once(':').is_none_or(|(_, port)| port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// The root certificates in the file `SSL_CERT_FILE`, for proxies with their own certificates; else Mozilla's.
fn root_certificates() -> Result<RootCerts, CliError> {
    let named = std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty());
    let Some(path) = named.map(PathBuf::from) else { return Ok(RootCerts::WebPki) };
    let read = match files::read(&path) {
        Ok(read) => read,
        Err(error) => return Err(CliError::Read { path, error }),
    };
    let mut certificates = Vec::new();
    let mut is_valid = true;
    for item in parse_pem(&read) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(_) => is_valid = false,
        }
    }
    if !is_valid || certificates.is_empty() {
        let reason = "SSL_CERT_FILE names it, and it does not hold certificates in PEM";
        return Err(CliError::Read { path, error: io::Error::other(reason) });
    }
    Ok(certificates.into())
}

fn fatal_attempt(message: String) -> Attempt {
    Attempt { message, again: Again::Never, is_unbilled: false }
}

/// Returns true if an established connection broke.
fn is_broken(error: &Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof};
    match error {
        Error::Io(error) => {
            matches!(
                error.kind(),
                BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof
            )
        }
        Error::BodyStalled => true,
        _ => false,
    }
}

/// Returns true if OpenAI rejected the request because the account has no money. The status is the same as for a rate limit.
fn is_out_of_quota(body: &[u8]) -> bool {
    let reply = serde_json::from_slice::<Value>(body).unwrap_or_default();
    reply.pointer("/error/code").and_then(Value::as_str) == Some("insufficient_quota")
}

/// The wait requested by a `Retry-After` header, given in seconds or as a date.
fn retry_after(response: &Response<Body>, now: SystemTime) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// Scheme, host and port, with the scheme's own port if the URL has none.
fn origin(uri: &Uri) -> Option<(&str, String, u16)> {
    let scheme = uri.scheme_str()?;
    let usual = if scheme == "https" { 443 } else { 80 };
    Some((scheme, uri.host()?.to_lowercase(), uri.port_u16().unwrap_or(usual)))
}

/// The target of a redirect, if it is on the same host.
fn within_host(url: &str, location: &str) -> Option<String> {
    let from: Uri = url.parse().ok()?;
    let to: Uri = location.parse().ok()?;
    let is_path = location.starts_with('/') && !location.starts_with("//");
    let is_same = is_path || has_port(&to) && origin(&from)? == origin(&to)?;
    let next = format!("{}://{}{}", from.scheme()?, from.authority()?, to.path_and_query()?);
    is_same.then_some(next)
}
