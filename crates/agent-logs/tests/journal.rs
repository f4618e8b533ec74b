//! Journals of PTC-Lisp runs: what an evaluation needs to be replayed.

use std::fs;
use std::ops::ControlFlow;

use agent_logs::read;

/// A program sees the preludes of its own environment, and no others.
#[test]
fn an_evaluation_has_the_preludes_of_its_environment() {
    let log = fs::read("tests/logs/ptc-journal/run.jsonl").unwrap();
    let mut evaluations = Vec::new();
    let read = read(log.as_slice(), "LOG", None, &mut |transcript| {
        evaluations.extend(transcript.evaluation);
        ControlFlow::Continue(())
    });
    read.unwrap();
    assert!(!evaluations.is_empty());
    for evaluation in evaluations {
        assert!(!evaluation.preludes.is_empty());
        assert!(
            evaluation.preludes.iter().all(|prelude| prelude.starts_with("(ns shelf.stock")),
            "{evaluation:?}"
        );
    }
}

/// Identifiers of calls may begin again with each evaluation.
#[test]
fn calls_with_the_same_identifier_keep_their_results() {
    let log = fs::read_to_string("tests/logs/ptc-journal/schema-7.jsonl").unwrap();
    let first: Vec<&str> = log.lines().filter(|line| !line.contains("\"run-result\"")).collect();
    let second = first.iter().filter(|line| line.contains("\"cap-1\"") || line.contains("\"ev-1\""));
    let again =
        second.map(|line| line.replace("\"ev-1\"", "\"ev-9\"").replace("{\"jar\": 1}", "{\"jar\": 9}"));
    let whole = first.join("\n") + "\n" + &again.collect::<Vec<_>>().join("\n") + "\n";
    let mut results = Vec::new();
    let read = read(whole.as_bytes(), "LOG", None, &mut |transcript| {
        results.extend(transcript.messages.into_iter().map(|message| message.content));
        ControlFlow::Continue(())
    });
    read.unwrap();
    for jar in ["{\"jar\":1}", "{\"jar\":9}"] {
        assert!(results.iter().any(|result| result.replace(' ', "").contains(jar)), "{jar}: {results:?}");
    }
}

/// Prints belong to the evaluation that they name, else to the newest one in their environment and mission.
#[test]
fn an_evaluation_has_its_prints() {
    let log = fs::read("tests/logs/ptc-journal/gaps.jsonl").unwrap();
    let mut prints = Vec::new();
    let read = read(log.as_slice(), "LOG", None, &mut |transcript| {
        prints.extend(transcript.evaluation.map(|evaluation| evaluation.prints));
        ControlFlow::Continue(())
    });
    read.unwrap();
    let expected = [Some(vec!["one".to_owned(), "two".to_owned()]), None, Some(vec!["seven".to_owned()])];
    assert_eq!(prints, expected);
}
