//! The list of changes as JSON for the page.

use serde_json::{Value, json};

use super::rows::{extent, numbers, title};
use super::{Change, ChangeList, ChangedLines};

/// Lines shown of each side of a change.
const SHOWN: usize = 8;
/// Most characters of a line.
const WIDTH: usize = 240;

/// The list; `None` without changes. `since` introduces it, such as `Since accepted`.
pub fn page_list(list: &ChangeList, models: &[String], since: &str) -> Option<Value> {
    if list.is_empty() {
        return None;
    }
    let changes: Vec<Value> = list.sorted().into_iter().map(|change| page_change(change, models)).collect();
    Some(json!({ "title": title(list), "since": since, "list": changes }))
}

fn page_change(change: &Change, models: &[String]) -> Value {
    let worst = change.worst.as_ref().map(|(scenario, worst)| {
        json!({
            "sentence": worst.sentence(scenario),
            "scenario": scenario,
            "strategy": worst.strategy,
            "turn": worst.turn,
        })
    });
    json!({
        "title": change.cause.title(),
        "extent": extent(change),
        "removed": page_lines(&change.removed, &change.added),
        "added": page_lines(&change.added, &change.removed),
        "one_sided": change.new_requests + change.gone_requests > 0,
        "numbers": numbers(change, models),
        "worst": worst,
        "scenarios": change.scenarios,
    })
}

fn page_lines(lines: &ChangedLines, others: &ChangedLines) -> Value {
    json!({ "lines": lines.cut(others, SHOWN, WIDTH), "more": lines.more(SHOWN) })
}
