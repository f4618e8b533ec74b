//! Secrets reach the endpoint and nothing else.

use super::server::{Reply, endpoint, record_at, said};
use crate::cli::suite::{Ran, Suite};

const KEY: &str = "sk-live/0123456789abcdef";
/// The key as it is, in capitals, as URLs have it in three ways, and in Base64.
const SECRETS: [&str; 13] = [
    KEY,
    "SK-LIVE/0123456789ABCDEF",
    "sk%2Dlive%2F0123456789abcdef",
    "sk-live%2F0123456789abcdef",
    "%73%6b%2d%6c%69%76%65%2f%30%31%32%33%34%35%36%37%38%39%61%62%63%64%65%66",
    "PASS/WORD",
    "c2stbGl2ZS8wMTIzNDU2Nzg5YWJjZGVm",
    "pass/word",
    "pass%2Fword",
    "dXNlcjpwYXNzL3dvcmQ=",
    "dXNlcjpwYXNzJTJGd29yZA==",
    "q-tok/en",
    "q-tok%2Fen",
];

/// Records with a key, user information and a query. The reply may hold all of them.
fn with_secrets(reply: Reply) -> (Ran, String) {
    let (url, server) = endpoint(vec![reply]);
    let url = url.replace("http://", "http://user:pass%2Fword@") + "?access=q-tok%2Fen";
    let ran = record_at(&url, &[], &[("OPENAI_API_KEY", KEY)]);
    let told = format!("{}{}", ran.out, ran.err);
    for secret in SECRETS {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
    (ran, server.join().unwrap().remove(0).head)
}

#[test]
fn secrets_reach_the_endpoint() {
    let (ran, head) = with_secrets(said("(return 1)"));
    ran.ends(0);
    assert!(head.starts_with("POST /v1/chat/completions?access=q-tok%2Fen "), "{head}");
    assert!(head.to_lowercase().contains(&format!("authorization: bearer {KEY}")), "{head}");
}

#[test]
fn what_a_server_echoes_is_hidden() {
    let echo = SECRETS.join(" and ");
    with_secrets(Reply::error("401 Unauthorized", &echo)).0.ends(1).complains("answered 401: *** and ***");
    // Not cut inside the key.
    let long = format!("{}{KEY}", "x".repeat(280));
    with_secrets(Reply::new("401 Unauthorized", "", &long)).0.ends(1).complains("xxx***");
    with_secrets(Reply::new("200 OK", "", &echo)).0.ends(1).complains("answered without JSON: ***");
    with_secrets(Reply::redirect("302 Found", &format!("http://a:pass%2Fword@h/{KEY}?q-tok%2Fen"))).0.ends(1);
}

#[test]
fn an_answer_with_the_key_is_not_kept() {
    let answer = format!("(def k \"{KEY}\")");
    with_secrets(said(&answer)).0.ends(1).complains("gave the key away in its answer, which is not kept");
}

#[test]
fn an_answer_with_the_key_in_another_spelling_is_not_kept() {
    for spelling in &SECRETS[1..5] {
        let answer = format!("(def k \"{spelling}\")");
        with_secrets(said(&answer)).0.ends(1).complains("gave the key away in its answer, which is not kept");
    }
}

#[test]
fn a_key_in_the_path_of_the_url_is_hidden() {
    for spelling in &SECRETS[..5] {
        let ran = record_at(&format!("http://127.0.0.1:1/{spelling}/v1"), &[], &[("OPENAI_API_KEY", KEY)]);
        ran.ends(1).complains("http://127.0.0.1:1/***/v1/chat/completions cannot be asked");
        assert!(!ran.err.contains(spelling), "{}", ran.err);
    }
}

/// The key would go to another server.
#[test]
fn a_port_that_is_none_is_refused() {
    for port in ["99999", "0", "80a", "-1"] {
        let url = format!("http://127.0.0.1:{port}/v1");
        record_at(&url, &[], &[("OPENAI_API_KEY", KEY)]).ends(2).complains("is not the URL of an endpoint");
    }
}

#[test]
fn a_proxy_that_cannot_be_used_is_refused() {
    let refused = |name: &str, value: &str, found: &str| {
        let ran = record_at("http://127.0.0.1:9/v1", &[], &[(name, value), ("OPENAI_API_KEY", KEY)]);
        ran.ends(2).complains(&format!("{name}: expected a proxy such as http://host:3128, found {found}"));
        assert!(!ran.err.contains("pass"), "{}", ran.err);
    };
    refused("ALL_PROXY", "socks5://me:pass@127.0.0.1:1080", "a proxy of the kind Socks5");
    refused("https_proxy", "http://", "no address");
    refused("HTTP_PROXY", "http://me:pass word@host", "no address");
    refused("HTTP_PROXY", "http://me:pass@127.0.0.1:99999", "a port that is none");
    let (url, server) = endpoint(vec![said("(return 1)")]);
    let proxies = [("ALL_PROXY", "socks5://127.0.0.1:1080"), ("NO_PROXY", "127.0.0.1"), ("HTTP_PROXY", "")];
    record_at(&url, &[], &proxies).ends(0);
    server.join().unwrap();
}

/// Local servers take any key.
#[test]
fn a_key_that_anyone_may_write_is_no_secret_in_an_answer() {
    let (url, server) = endpoint(vec![said("(return \"there is none\")")]);
    record_at(&url, &[], &[("OPENAI_API_KEY", "none")]).ends(0);
    server.join().unwrap();
}

#[test]
fn a_url_that_cannot_be_used_is_shown_without_secrets() {
    for url in [
        "http://user:pass/word@h o s t/v1?q-tok",
        "ftp://user:pass/word@host/v1",
        "ftp://user:pass?word@host/v1",
        "user:pass/word@host",
        "user:p://pass@host/v1#a",
    ] {
        let ran = record_at(url, &[], &[("OPENAI_API_KEY", KEY)]);
        ran.ends(2).complains("is not the URL of an endpoint");
        assert!(!ran.err.contains("pass") && !ran.err.contains("q-tok"), "{}", ran.err);
    }
    let ran = record_at("http://user:pass%2Fword@127.0.0.1:1/v1?q-tok%2Fen", &[], &[("OPENAI_API_KEY", KEY)]);
    ran.ends(1).complains("http://127.0.0.1:1/v1/chat/completions cannot be asked");
    assert!(SECRETS.iter().all(|secret| !ran.err.contains(secret)), "{}", ran.err);
}

#[test]
fn without_a_key_a_provider_is_not_called() {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let unset = [("OPENAI_API_KEY", ""), ("OPENAI_BASE_URL", ""), ("ANTHROPIC_API_KEY", "")];
    let ran = suite.run_with(&["record", "s", "--model", "m"], "", &unset);
    ran.ends(2).complains("https://api.openai.com/v1 needs a key, and there is none");
    ran.complains("set OPENAI_API_KEY, or name another endpoint with --url");
    let ran = suite.run_with(&["record", "s", "--model", "m", "--api", "anthropic"], "", &unset);
    ran.ends(2).complains("set ANTHROPIC_API_KEY");
    let url = ["--url", "https://api.anthropic.com/"];
    let ran = suite.run_with(&[&["record", "s", "--model", "m"][..], &url].concat(), "", &unset);
    ran.ends(2).complains("set ANTHROPIC_API_KEY");
}

#[test]
fn help_does_not_show_the_environment() {
    let secret = [("OPENAI_BASE_URL", "http://user:pass@host"), ("OPENAI_API_KEY", KEY)];
    let ran = Suite::with(&[]).run_with(&["record", "--help"], "", &secret);
    ran.ends(0).says("OPENAI_BASE_URL");
    assert!(!ran.out.contains("pass@") && !ran.out.contains(KEY), "{}", ran.out);
}
