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
