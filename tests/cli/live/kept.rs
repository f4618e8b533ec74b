//! Answers are kept as they come, and asked for once.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::server::{Reply, said, serve};
use crate::cli::suite::{Ran, Suite};

const PART: &str = "scenarios/s.recorded.yaml.part";
const RECORDING: &str = "scenarios/s.recorded.yaml";

/// A scenario of three turns with [`turn`].
fn suite() -> Suite {
    Suite::with(&[("s", "mission: go\ntools: {look: {returns: red}}\n")])
}

/// The answer of a model that has only the request.
fn turn(request: &str) -> Reply {
    said(match (request.contains("(def a 1)"), request.contains("(def b 2)")) {
        (false, _) => "(def a 1)",
        (_, false) => "(def b 2)\n(println (tool/look {}))",
        _ => "(return (+ a b))",
    })
}

fn arguments(url: &str) -> [&str; 9] {
    ["record", "s", "--model", "m", "--url", url, "--retry-wait", "0", "--strategy=full-history"]
}

fn record(suite: &Suite, url: &str) -> Ran {
    suite.run(&arguments(url))
}

/// Records until the end and asserts the number of calls.
#[track_caller]
fn goes_on(suite: &Suite, asked: usize) -> Ran {
    let (url, calls) = serve(|_, request| turn(request));
    let ran = record(suite, &url);
    ran.ends(0).says("scenarios/s.recorded.yaml: right: 3 answers, the model returned");
    assert_eq!(calls.load(Ordering::SeqCst), asked);
    assert_eq!(suite.read(RECORDING).matches("- response: ").count(), 3);
    assert!(!suite.exists(PART));
    ran
}

#[test]
fn a_call_that_fails_is_all_that_is_asked_for_again() {
    let suite = suite();
    let (url, _) = serve(|call, request| match call {
        0 => turn(request),
        _ => Reply::error("400 Bad Request", "too long for the model"),
    });
    let ran = record(&suite, &url);
    ran.ends(1).complains("answered 400: too long for the model");
    ran.complains("scenarios/s.recorded.yaml.part keeps 1 answer");
    ran.complains("1 of 1 recording failed: s\nthe same command goes on where it stopped");
    assert!(!suite.exists(RECORDING));
    goes_on(&suite, 2);
}

#[test]
fn without_an_answer_nothing_is_left() {
    let suite = suite();
    let (url, _) = serve(|_, _| Reply::error("401 Unauthorized", "who?"));
    record(&suite, &url).ends(1);
    assert!(!suite.exists(PART) && !suite.exists(RECORDING));
}

/// A server that does not answer from the third call on.
fn serve_two() -> (String, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    serve(|call, request| match call {
        0 | 1 => turn(request),
        _ => Reply::Slowly(b"HTTP".to_vec(), Duration::from_secs(1)),
    })
}

#[cfg(unix)]
#[test]
fn a_signal_loses_no_answer() {
    for signal in ["-KILL", "-INT"] {
        let suite = suite();
        let (url, calls) = serve_two();
        let ran = super::server::interrupted(&suite, &arguments(&url), signal, || {
            calls.load(Ordering::SeqCst) == 3
        });
        if signal == "-INT" {
            ran.ends(130).complains("interrupted: the answers so far are kept, the same command goes on");
        }
        // A part of an answer is none.
        suite.write(PART, &format!("{}{{\"model\": ", suite.read(PART)));
        goes_on(&suite, 1);
    }
}

#[test]
fn two_processes_do_not_make_the_same_recording() {
    let suite = suite();
    let (url, calls) = serve_two();
    let mut child = suite.start(&arguments(&url), &[]);
    while calls.load(Ordering::SeqCst) < 3 {
        std::thread::sleep(Duration::from_millis(20));
    }
    record(&suite, &url).ends(1).complains("another process adds to scenarios/s.recorded.yaml.part");
    child.kill().unwrap();
    child.wait().unwrap();
    goes_on(&suite, 1);
}

#[test]
fn a_file_that_goes_away_while_a_model_answers_is_named() {
    let suite = suite();
    let data = suite.path().join("scenarios/table.csv");
    suite.write("scenarios/s.yaml", &(suite.read("scenarios/s.yaml") + "data_files: {t: table.csv}\n"));
    suite.write("scenarios/table.csv", "a\n1\n");
    let removed = data.clone();
    let (url, _) = serve(move |_, request| {
        let _ = std::fs::remove_file(&removed);
        turn(request)
    });
    let ran = record(&suite, &url);
    ran.ends(1)
        .complains("table.csv")
        .complains("there is no such file")
        .complains("the same command goes on");
    assert!(!suite.exists(RECORDING));
    suite.write("scenarios/table.csv", "a\n1\n");
    goes_on(&suite, 0);
}

#[test]
fn a_scenario_that_changed_is_asked_about_anew() {
    let suite = suite();
    let changed = "s turn 1: the scenario changed, so its answers from here on are asked for again";
    for (before, after) in [
        ("mission: go", "mission: run"),
        ("look:", "see:"),
        ("mission", "system_prompt: {prefix: P}\nmission"),
    ] {
        let (url, _) =
            serve(|call, request| if call < 2 { turn(request) } else { Reply::error("400", "no") });
        record(&suite, &url).ends(1);
        let scenario = suite.read("scenarios/s.yaml");
        assert_eq!(suite.read(PART).lines().count(), 2);
        suite.write("scenarios/s.yaml", &scenario.replace(before, after));
        let ran = record(&suite, &serve(|_, _| said("(return 1)")).0);
        ran.ends(0).complains(changed).says("1 answer, the model returned");
        assert_eq!(ran.err.matches("the scenario changed").count(), 1);
        suite.write("scenarios/s.yaml", &scenario);
        std::fs::remove_file(suite.path().join(RECORDING)).unwrap();
    }
}

#[test]
fn a_tool_without_a_case_can_be_given_one() {
    let suite = suite();
    let scenario = suite.read("scenarios/s.yaml");
    suite.write(
        "scenarios/s.yaml",
        &scenario.replace("returns: red", "cases: [{when: {at: 1}, returns: red}]"),
    );
    let (url, calls) = serve(|_, request| turn(request));
    record(&suite, &url).ends(1).complains("look").complains("keeps 2 answers");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    suite.write("scenarios/s.yaml", &scenario);
    goes_on(&suite, 1);
}

#[test]
fn answers_of_another_model_stay() {
    let suite = suite();
    let (url, _) = serve(|call, request| if call == 0 { turn(request) } else { Reply::error("400", "no") });
    record(&suite, &url).ends(1);
    let first = suite.read(PART);
    let (other, calls) = serve(|_, request| turn(request));
    suite.run(&["record", "s", "--model", "n", "--url", &other, "--strategy=full-history"]).ends(0);
    assert_eq!((suite.read(PART), calls.load(Ordering::SeqCst)), (first, 3));
    std::fs::remove_file(suite.path().join(RECORDING)).unwrap();
    goes_on(&suite, 2);
}

#[test]
fn a_wrong_line_among_the_answers_is_an_error() {
    let suite = suite();
    suite.write(PART, "{\"model\": 1}\n");
    let ran = record(&suite, "http://127.0.0.1:1");
    ran.ends(1).complains("s.recorded.yaml.part:1: not what this command keeps").complains("column");
}

/// A process can be killed after it wrote a recording and before it removed what it had kept.
#[test]
fn answers_that_are_in_a_recording_are_kept_no_longer() {
    let suite = suite();
    let (url, _) = serve(|call, request| match call {
        0 | 1 => turn(request),
        _ => Reply::error("400 Bad Request", "too long for the model"),
    });
    record(&suite, &url).ends(1);
    let kept = suite.read(PART);
    goes_on(&suite, 1);
    let other = kept.lines().next().unwrap().replace("def a", "def z");
    suite.write(PART, &kept);
    record(&suite, &url).ends(0).complains("is there already");
    assert!(!suite.exists(PART));
    // What --again has got so far stays.
    suite.write(PART, &format!("{kept}{other}\n"));
    record(&suite, &url).ends(0);
    assert_eq!(suite.read(PART), format!("{other}\n"));
}
