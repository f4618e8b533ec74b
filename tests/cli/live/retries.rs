//! Calls are repeated when an endpoint is busy or a connection breaks.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::server::{Reply, record_from, said};

const DONE: &str = "(return 1)";

#[test]
fn a_busy_endpoint_is_asked_again() {
    let busy =
        ["429 Too Many", "500 Error", "502 Bad Gateway", "503 Busy"].map(|status| Reply::error(status, "no"));
    let (ran, requests) = record_from(busy.into_iter().chain([said(DONE)]).collect(), &[]);
    ran.ends(0).complains("answered 503: no; next attempt in 0 s");
    assert!(ran.out.contains(DONE), "{}", ran.out);
    assert!(requests.iter().all(|request| request.body == requests[0].body));
    let slow = ["504 Timeout", "529 Overloaded"].map(|status| Reply::error(status, "no"));
    let (ran, _) = record_from(slow.into_iter().chain([said(DONE)]).collect(), &[]);
    ran.ends(0);
}

#[test]
fn an_endpoint_that_stays_busy_is_given_up() {
    let busy = (0..5).map(|_| Reply::error("429 Too Many Requests", "slow down")).collect();
    record_from(busy, &[]).0.ends(1).complains("answered 429: slow down, 5 times");
}

#[test]
fn a_refusal_is_not_repeated() {
    record_from(vec![Reply::error("401 Unauthorized", "who?")], &[])
        .0
        .ends(1)
        .complains("answered 401: who?");
}

/// OpenAI refuses an account without money with the status of a call that came too early.
#[test]
fn no_wait_fills_an_account() {
    let error = r#"{"error": {"message": "no money", "code": "insufficient_quota"}}"#;
    let (ran, _) = record_from(vec![Reply::new("429 Too Many Requests", "", error)], &[]);
    ran.ends(1).complains("answered 429: no money\n");
}

#[test]
fn a_broken_connection_is_made_again() {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"choices\":";
    let replies = vec![Reply::Bytes(Vec::new()), Reply::Bytes(cut.into()), said(DONE)];
    record_from(replies, &[]).0.ends(0).complains("broke the connection");
}

#[test]
fn the_time_that_an_endpoint_asks_for_counts() {
    let busy = |wait: &str| Reply::new("503 Busy", &format!("Retry-After: {wait}\r\n"), "later");
    let (ran, requests) = record_from(vec![busy("1"), said(DONE)], &[]);
    ran.ends(0).complains("answered 503: later; next attempt in 1 s");
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1));
    let (ran, _) = record_from(vec![busy("600")], &[]);
    ran.ends(1).complains("answered 503: later; it asks to wait for 600 s");
}

#[test]
fn the_time_may_be_a_date() {
    let busy = |date: &str| Reply::new("503 Busy", &format!("Retry-After: {date}\r\n"), "");
    let (ran, _) =
        record_from(vec![busy("Sun, 06 Nov 1994 08:49:37 GMT"), said(DONE)], &["--retry-wait", "90"]);
    ran.ends(0).complains("next attempt in 0 s");
    let in_an_hour = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() + 3600;
    let (ran, _) = record_from(vec![busy(&date(in_an_hour))], &[]);
    ran.ends(1).complains("it asks to wait for 35");
}

/// The HTTP date of a time in seconds since 1970.
fn date(time: u64) -> String {
    let (mut year, mut day) = (1970, time / 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let month = lengths
        .iter()
        .position(|length| {
            day < *length || {
                day -= length;
                false
            }
        })
        .unwrap();
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(time / 86_400 % 7) as usize];
    let (hour, minute, second) = (time / 3600 % 24, time / 60 % 60, time % 60);
    format!("{weekday}, {:02} {} {year} {hour:02}:{minute:02}:{second:02} GMT", day + 1, names[month])
}
