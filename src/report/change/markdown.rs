//! The list of changes as Markdown, for a comment on a pull request.

use super::rows::{costs, counted, facts, title};
use super::{Cause, Change, ChangeList, ChangedLines};
use crate::report::tables::{code, fenced, name};
use crate::snapshot::escape::visible;

/// Lines of each side of a change that are shown.
const SHOWN: usize = 5;
/// Most characters of a line.
const WIDTH: usize = 240;

/// The heading and a paragraph on all changes, then one block for each change.
pub fn section(list: &ChangeList, models: &[String]) -> (String, Vec<String>) {
    let files = counted(list.files, "golden file");
    let mut start = format!("## {}\n", title(list));
    if let Some([before, after]) = &list.sums {
        let (requests, all) = (counted(list.requests, "request"), counted(after.requests, "request"));
        let mut numbers = costs(before, after, models);
        numbers.push(format!("**{}**", facts(before, after)));
        start.push_str(&format!(
            "\n{requests} in {files} (each has the requests of one scenario under one strategy) changed. Over all {all} of these files: {}. \
             A fact is a name, number or line that the answer repeats from an earlier turn, found by comparing texts; \
             the answer may still be right.\n",
            numbers.join(", ")
        ));
    } else {
        let requests = counted(list.requests, "request");
        start.push_str(&format!("\n{requests} in {files} changed. {}\n", NO_EARLIER_SUITE));
    }
    start.push_str(
        "\nIn each block, `-` is text that the model no longer gets, and `+` is text that it now gets.\n",
    );
    let mut blocks = Vec::new();
    for (number, change) in (1..).zip(list.sorted()) {
        blocks.push(block(number, change, models));
    }
    (start, blocks)
}

const NO_EARLIER_SUITE: &str = "The suite before cannot be replayed, so cost and lost facts are not known.";

fn block(number: usize, change: &Change, models: &[String]) -> String {
    let loss = match change.newly_short() {
        0 if change.sums.is_some() => ": no fact lost".to_owned(),
        0 => String::new(),
        more => format!(": ⚠ {} more would lack a fact", counted(more, "answer")),
    };
    let mut block = format!("\n**{number}. {}**{loss}\n", name(&visible(&change.cause.title())));
    if let Cause::Guess(_) = change.cause {
        block.push_str("(guessed)\n");
    }
    let diff =
        [diff_of('-', &change.removed, &change.added), diff_of('+', &change.added, &change.removed)].concat();
    if diff.is_empty() {
        block.push_str("\nThe same lines in another order, or in other messages.\n");
    } else {
        block.push_str(&fenced(diff.trim_end(), "diff"));
        block.push('\n');
    }
    if let Some((scenario, worst)) = &change.worst {
        block.push_str(&format!("Worst: {}.\n", code(&worst.sentence(scenario))));
    }
    let (requests, files) =
        (counted(change.requests, "request"), counted(change.files.len() as u64, "golden file"));
    block.push_str(&format!("{requests} of {files}"));
    if let Some([before, after]) = &change.sums {
        let costs = costs(before, after, models);
        let alone = if costs.is_empty() {
            String::new()
        } else {
            format!(" · this change alone: {}", costs.join(", "))
        };
        block.push_str(&alone);
    }
    if let [scenario] = change.scenarios.as_slice() {
        block.push_str(&format!(" · in {}", code(scenario)));
    }
    block.push('\n');
    block
}

fn diff_of(mark: char, lines: &ChangedLines, others: &ChangedLines) -> String {
    let mut diff = String::new();
    for line in lines.cut(others, SHOWN, WIDTH) {
        diff.push_str(&format!("{mark} {line}\n"));
    }
    if lines.more(SHOWN) > 0 {
        diff.push_str(&format!("{mark} … {} more\n", counted(lines.more(SHOWN), "line")));
    }
    diff
}
