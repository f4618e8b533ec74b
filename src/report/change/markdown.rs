//! The list of changes as Markdown, for a comment on a pull request.

use super::rows::{costs, counted, extent, facts, title};
use super::{Cause, Change, ChangeList, ChangedLines};
use crate::measure::numbers::grouped;
use crate::report::difference::signed;
use crate::report::tables::{code, fenced, name};
use crate::snapshot::escape::visible;

/// Lines of each side of a change that are shown.
const SHOWN: usize = 5;
/// Most characters of a line.
const WIDTH: usize = 240;

/// The heading and what all changes do together, then one block for each change.
pub fn section(list: &ChangeList, models: &[String], to_do: &str) -> (String, Vec<String>) {
    let (requests, scenarios) = (counted(list.requests, "request"), counted(list.scenarios, "scenario"));
    let strategies = match list.strategies() {
        1 => "1 strategy".to_owned(),
        strategies => format!("{strategies} strategies"),
    };
    let mut start = format!(
        "## {}\n\n- **To do:** {to_do}\n- **Where:** {requests} in {scenarios} have other text, under {strategies}. A strategy is a way to shorten the \
         history; every scenario is sent under each, and every number here counts it under each.\n",
        title(list)
    );
    match &list.sums {
        Some([before, after]) => {
            let mut costs = costs(before, after, models);
            for cost in &mut costs {
                *cost = cost.trim_start_matches("cost ").to_owned();
            }
            if !costs.is_empty() {
                start.push_str(&format!(
                    "- **Cost** of these scenarios under these strategies: {}\n",
                    costs.join(", ")
                ));
            }
            start.push_str(&format!(
                "- **Loss:** **{}**. A fact is a name, number or line that the answer repeats from an earlier turn, found by \
                 comparing texts. The answer may still be right.\n",
                facts(before, after)
            ));
        }
        None => start.push_str(&format!("- {NO_EARLIER_SUITE}\n")),
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
        1 => ": ⚠ 1 more answer would lack a fact".to_owned(),
        more => format!(": ⚠ {} more answers would lack a fact", grouped(more)),
    };
    let mut block = format!("\n**{number}. {}**{loss}\n", name(&visible(&change.cause.title())));
    if let Cause::Guess(_) = change.cause {
        block.push_str("(guessed)\n");
    }
    let diff =
        [diff_of("-", &change.removed, &change.added), diff_of("+", &change.added, &change.removed)].concat();
    if diff.is_empty() {
        block.push_str("\nThe same lines in another order, or in other messages.\n");
    } else {
        block.push_str(&fenced(diff.trim_end(), "diff"));
        block.push('\n');
    }
    if let Some((scenario, worst)) = &change.worst {
        block.push_str(&format!("Worst: {}.\n", code(&worst.sentence(scenario))));
    }
    block.push_str(&extent(change));
    if let Some([before, after]) = &change.sums {
        let costs = costs(before, after, models);
        let alone = if costs.is_empty() { String::new() } else { format!(" · {}", costs.join(", ")) };
        block.push_str(&alone);
    }
    if let [scenario] = change.scenarios.as_slice() {
        block.push_str(&format!(" · {}", code(scenario)));
    }
    block.push('\n');
    block
}

fn diff_of(mark: &str, lines: &ChangedLines, others: &ChangedLines) -> String {
    let mut diff = String::new();
    for line in lines.cut(others, SHOWN, WIDTH) {
        diff.push_str(&signed(mark, &line));
        diff.push('\n');
    }
    if lines.more(SHOWN) > 0 {
        diff.push_str(&format!("{mark} … {} more\n", counted(lines.more(SHOWN), "line")));
    }
    diff
}
