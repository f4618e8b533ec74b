//! The bill of a log does not depend on how often the log repeats it.

use std::fs;
use std::ops::ControlFlow;

use agent_logs::{Transcript, read};

use crate::readers::files;

/// Formats in which each value names its call.
const NAMED: [&str; 7] = [
    "otel-genai/agent-above.jsonl",
    "otel-genai/phoenix-rows.jsonl",
    "otel-genai/ai-sdk.jsonl",
    "langfuse/observations.jsonl",
    "braintrust/spans.jsonl",
    "helicone/requests.jsonl",
    "langsmith/batches.jsonl",
];

/// The sums of input and output tokens that a log is billed.
fn booked(log: &str) -> (u64, u64) {
    let (mut input, mut output) = (0, 0);
    read(log.as_bytes(), "LOG", None, &mut |transcript: Transcript| {
        let of_run = transcript.outcome.iter().filter_map(|outcome| outcome.usage.as_ref());
        for usage in transcript.answers().filter_map(|answer| answer.usage.as_ref()).chain(of_run) {
            input += usage.input_tokens.unwrap_or(0);
            output += usage.output_tokens.unwrap_or(0);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    (input, output)
}

/// An exporter that tries again writes values twice, anywhere behind the first time.
#[test]
fn values_that_stand_in_a_log_again_are_billed_once() {
    for name in NAMED {
        let file = files().into_iter().find(|file| file.ends_with(name));
        let log = fs::read_to_string(file.unwrap_or_else(|| panic!("{name}"))).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        let once = booked(&log);
        assert_ne!(once, (0, 0), "{name}");
        for again in 1..=lines.len() {
            let repeated: Vec<&str> = lines.iter().chain(lines.iter().take(again).rev()).copied().collect();
            assert_eq!(booked(&repeated.join("\n")), once, "{name}: {again} lines again");
        }
    }
}
