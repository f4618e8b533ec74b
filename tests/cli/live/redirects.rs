//! Redirects within a host are followed as a POST, all others are refused.

use super::server::{Reply, endpoint, record_at, record_from, said};

#[test]
fn a_redirect_within_the_host_stays_a_post() {
    for status in ["307 Temporary", "308 Permanent"] {
        let (ran, requests) =
            record_from(vec![Reply::redirect(status, "/v2/chat?x=1"), said("(return 1)")], &[]);
        ran.ends(0);
        assert!(requests[1].head.starts_with("POST /v2/chat?x=1 "), "{}", requests[1].head);
        assert_eq!(requests[0].body, requests[1].body);
    }
}

#[test]
fn a_redirect_that_loses_the_request_is_refused() {
    for status in ["301 Moved", "302 Found", "303 See Other"] {
        let (ran, _) = record_from(vec![Reply::redirect(status, "/v2")], &[]);
        ran.ends(1).complains(&format!("redirects ({}) to /v2", &status[..3]));
    }
}

#[test]
fn a_redirect_to_another_place_is_refused() {
    let (url, server) = endpoint(vec![said("(return 1)")]);
    let other = url.replace("http://", "http://me:hidden@");
    // The second has the same host and another port.
    for to in [other.as_str(), url.as_str(), "https://127.0.0.1/v1", "//elsewhere/v1", "nonsense"] {
        let (ran, _) = record_from(vec![Reply::redirect("307 Temporary", to)], &[]);
        ran.ends(1).complains("redirects (307) to ");
        assert!(!ran.err.contains("hidden"), "{}", ran.err);
    }
    record_at(&url, &[], &[]).ends(0);
    assert_eq!(server.join().unwrap().len(), 1, "only the last call reached the other server");
}

#[test]
fn redirects_in_a_circle_end() {
    let circle = (0..6).map(|_| Reply::redirect("307 Temporary", "/v1/chat/completions")).collect();
    record_from(circle, &[]).0.ends(1).complains("redirects more than 5 times");
}
