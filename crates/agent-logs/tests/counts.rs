//! The names of token counts in spans.

use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::read;

use crate::golden::Golden;

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
