//! Inputs rebuilt from bug reports of other tools, and variants of them, with sums by hand: `reported.jsonl` has a case on each line. `booked` are calls,
//! input, read, written and written for an hour, and output.

use std::ops::ControlFlow;

use agent_logs::{HashedTranscript, Ledger, Novelty, Repeats, TranscriptUsage, read};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    origin: String,
    logs: Vec<Vec<Value>>,
    booked: [u64; 6],
    tiers: Option<Vec<Option<String>>>,
    costs: Option<Vec<Option<f64>>>,
}

/// The bills of a folder, without copies.
fn book(logs: &[Vec<Value>]) -> Vec<TranscriptUsage> {
    let (mut repeats, mut ledger, mut kept) = (Repeats::default(), Ledger::default(), Vec::new());
    for log in logs {
        let lines: Vec<String> = log.iter().map(Value::to_string).collect();
        // A log with an impossible bill and no other is refused.
        let _ = read(lines.join("\n").as_bytes(), "LOG", None, &mut |transcript| {
            let mut hashed = HashedTranscript::from(transcript);
            let number = kept.len();
            if let Novelty::New(continued) = repeats.add(&hashed, number) {
                for earlier in continued {
                    kept[earlier] = Vec::new();
                    ledger.release(earlier);
                }
                ledger.book(&mut hashed, number, &number.to_string());
                kept.push(bills(&hashed));
            }
            ControlFlow::Continue(())
        });
    }
    kept.concat()
}

fn bills(hashed: &HashedTranscript) -> Vec<TranscriptUsage> {
    let usages = hashed.transcript.answers().filter_map(|answer| answer.usage.clone());
    usages.filter(|usage| usage.copied_from.is_none()).collect()
}

#[test]
fn reported_inputs_are_booked_once() {
    let mut wrong = Vec::new();
    for line in include_str!("reported.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let bills = book(&case.logs);
        let sum = |of: fn(&TranscriptUsage) -> Option<u64>| bills.iter().filter_map(of).sum();
        let booked = [
            bills.len() as u64,
            sum(|bill| bill.input_tokens),
            sum(|bill| bill.cached_tokens),
            sum(|bill| bill.cache_write_tokens),
            sum(|bill| bill.cache_write_1h_tokens),
            sum(|bill| bill.output_tokens),
        ];
        let tiers: Vec<Option<String>> = bills.iter().map(|bill| bill.tier.clone()).collect();
        let costs: Vec<Option<f64>> = bills.iter().map(|bill| bill.cost).collect();
        let is_wrong = booked != case.booked
            || case.tiers.is_some_and(|expected| expected != tiers)
            || case.costs.is_some_and(|expected| expected != costs);
        if is_wrong {
            wrong.push(format!("{}: {booked:?} {tiers:?} {costs:?} for {:?}", case.origin, case.booked));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
