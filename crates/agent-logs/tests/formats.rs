//! Formats recognised by the fields of a log, and counts by their names.

use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::{ReadError, read};

use crate::golden::Golden;

/// The format that recognises a log; empty if there is none.
fn recognise(log: &str) -> &'static str {
    let format = match read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(())) {
        Ok(notes) => notes.format,
        Err(ReadError::Nothing(notes)) => notes.format,
        Err(_) => None,
    };
    format.unwrap_or("")
}

#[test]
fn logs_are_recognised_by_their_fields() {
    let mut wrong = Vec::new();
    for row in include_str!("rows/formats.txt").lines().filter(|row| !row.starts_with('#')) {
        let (format, log) = row.split_once(": ").unwrap();
        let found = recognise(log);
        if found != format {
            wrong.push(format!("{found:?} instead of {format:?}: {log}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every name of a count in spans of OpenTelemetry.
#[test]
fn counts_of_spans_are_read_by_all_their_names() {
    let mut usages = String::new();
    read(include_str!("rows/names-of-counts.jsonl").as_bytes(), "LOG", None, &mut |transcript| {
        let answer = transcript.messages.last().unwrap();
        usages += &format!(
            "{} {}\n",
            transcript.messages[0].content,
            serde_json::to_string(&answer.usage).unwrap()
        );
        ControlFlow::Continue(())
    })
    .unwrap();
    let mut goldens = Golden::default();
    goldens.holds(Path::new("tests/rows/names-of-counts.golden"), &usages);
    goldens.assert_none_differs();
}
