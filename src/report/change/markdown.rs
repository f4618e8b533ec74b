//! The list of changes as Markdown, for a comment on a pull request.

use std::cmp::Ordering;

use super::rows::{costs, counted, extent, facts};
use super::{Cause, Change, ChangeList, ChangedLines, Sums, Worst};
use crate::compression::cut::shortened;
use crate::measure::numbers::{billed_dollars, grouped, percent};
use crate::report::difference::signed;
use crate::report::for_shell;
use crate::report::suite_numbers::SuiteNumbers;
use crate::report::tables::{code, fenced, name};

/// Lines shown of each side of a change.
const SHOWN: usize = 5;
/// Most strategies named for a change; more are counted.
const NAMED: usize = 4;
/// Edits named on top; more are counted.
const EDITS: usize = 3;
/// Most characters of an edit's name on top. Its block has the whole name.
const EDIT: usize = 160;
/// Most characters of a line.
const WIDTH: usize = 240;

/// The suite of a list of changes.
pub(in crate::report) struct SuiteOfChanges<'s> {
    pub models: &'s [String],
    pub baseline: &'s str,
    /// The recommended strategy, unless it is the baseline.
    pub recommended: Option<&'s str>,
    /// All scenarios and strategies, changed or not.
    pub scenarios: u64,
    pub strategies: u64,
    /// Requests of the whole suite under the changed strategies.
    pub requests: u64,
}

/// The answers to a reviewer's questions, in their order, then one block for each change. `whole` has the sums of the
/// strategy table; `None` without an earlier report. `since` names the earlier revision, `dearer` compares with the baseline,
/// and `rest` has sentences on anything else that fails or is not compared.
pub(in crate::report) fn section(
    list: &ChangeList,
    suite: &SuiteOfChanges<'_>,
    whole: Option<&SuiteNumbers>,
    [since, dearer, to_do, rest]: [&str; 4],
) -> (String, Vec<String>) {
    let mut start = edited_line(list, since);
    match (whole, &list.sums) {
        (Some(whole), _) => start.push_str(&of_suite(whole, list.losing())),
        (None, Some([before, after])) => {
            start.push_str(&of_scenarios([before, after], list.strategies(), suite.models));
        }
        (None, None) => start.push_str(&format!("- {NO_EARLIER_SUITE}\n")),
    }
    if !dearer.is_empty() {
        start.push_str(&format!("- **More expensive** than {}: {dearer}\n", code(suite.baseline)));
    }
    start.push_str(&format!("- **To do:** {}{to_do}\n", first_look(list)));
    if !rest.is_empty() {
        start.push_str(&format!("- **Also:** {rest}\n"));
    }
    start.push_str(&format!(
        "- **Where:** {} {} other text, in {} under {}. A strategy is a way to shorten the history{}.{}\n",
        part_of_all(list.requests, suite.requests, ["request", "requests"]),
        if list.requests == 1 { "has" } else { "have" },
        part_of_all(list.scenarios, suite.scenarios, ["scenario", "scenarios"]),
        part_of_all(list.strategies() as u64, suite.strategies, ["strategy", "strategies"]),
        if list.strategies() > 1 { "; each request counts once per strategy" } else { "" },
        as_before(list, suite),
    ));
    start.push_str(NOT_MEASURED);
    start.push_str(
        "\nIn each block, `-` is text that the model no longer gets, and `+` is text that it now gets. A `-` line is a loss only if an answer \
         uses it.\n",
    );
    let mut blocks = Vec::new();
    for (number, change) in (1..).zip(list.sorted()) {
        blocks.push(change_block(number, change, suite.models));
    }
    (start, blocks)
}

/// The line with the first edits: those that lose most facts.
fn edited_line(list: &ChangeList, since: &str) -> String {
    let changes = list.sorted();
    let mut edits = Vec::new();
    for change in changes.iter().take(EDITS) {
        edits.push(code(&shortened(&change.cause.title(), EDIT)));
    }
    let more = match changes.len().saturating_sub(EDITS) {
        0 => String::new(),
        more => format!("; and {} more; each has a block below", grouped(more as u64)),
    };
    format!("- **Edited**{since}: {}{more}\n", edits.join("; "))
}

const NO_EARLIER_SUITE: &str = "The suite before cannot be replayed, so cost and lost facts are not known.";
const NOT_MEASURED: &str = "- **Not measured:** how a model would answer the changed requests. The answers are recorded or scripted.\n";
const WHAT_A_FACT_IS: &str = "A fact is a name, number or line that the answer repeats from an earlier turn, found by comparing texts. \
                              The answer may still be right.";

/// The place to open first, if a change loses facts.
fn first_look(list: &ChangeList) -> String {
    let Some((scenario, worst)) = list.sorted().into_iter().find_map(|change| change.worst.as_ref()) else {
        return String::new();
    };
    format!("look at the worst answer first: {}. Then ", show_command(scenario, worst))
}

/// `` `ptc-eval show hotel/long@5 --why --strategy fold` ``
fn show_command(scenario: &str, worst: &Worst) -> String {
    let place = format!("{scenario}@{}", worst.turn);
    code(&format!("ptc-eval show {} --why --strategy {}", for_shell(&place), for_shell(&worst.strategy)))
}

/// A sentence if no request under the baseline or under the recommended strategy changed.
fn as_before(list: &ChangeList, suite: &SuiteOfChanges<'_>) -> String {
    let is_reached = |strategy: &str| {
        let mut changes = list.changes.values();
        changes.any(|change| matches!(change.cause, Cause::System) || change.strategies().contains(strategy))
    };
    let baseline = format!("the baseline {}", code(suite.baseline));
    let recommended = suite.recommended.filter(|strategy| !is_reached(strategy));
    let recommended = recommended.map(|strategy| format!("the recommended {}", code(strategy)));
    let unchanged = match (is_reached(suite.baseline), recommended) {
        (true, None) => return String::new(),
        (true, Some(recommended)) => recommended,
        (false, None) => baseline,
        (false, Some(recommended)) => format!("{baseline} and {recommended}"),
    };
    format!(" Under {unchanged} every request is as before.")
}

/// `83 of 94 scenarios`, `all 94 scenarios`, `1 scenario` if there is no other.
fn part_of_all(part: u64, all: u64, [one, several]: [&str; 2]) -> String {
    match (part, all) {
        (1, 0 | 1) => format!("1 {one}"),
        (part, all) if part < all => format!("{} of {} {several}", grouped(part), grouped(all)),
        (part, all) if part == all => format!("all {} {several}", grouped(all)),
        (part, _) => format!("{} {several}", grouped(part)),
    }
}

/// Cost and loss over the whole suite, equal to the last row of the table. `losing` changes lose facts, if perhaps fewer than others
/// add.
fn of_suite(whole: &SuiteNumbers, losing: usize) -> String {
    let (of_suite, of_run) = (whole.costs().join(", "), whole.costs_of_run().join(", "));
    // An agent runs under one strategy, so a sum over several would be no real cost.
    let (cost, each) = match whole.strategies.as_slice() {
        [strategy] => {
            let under = format!("under {}", code(strategy));
            let each = if of_run.is_empty() {
                of_run
            } else {
                format!(" A run of a scenario costs on average {of_run}.")
            };
            (format!("of the whole suite, {under}: {of_suite}.{each}"), String::new())
        }
        strategies => {
            let number = strategies.len();
            let cost = format!(
                "of a run of a scenario, on average over the {number} strategies in the table below: {of_run}."
            );
            (cost, counted_under(whole, number as u64))
        }
    };
    let mut lines = String::new();
    if !of_suite.is_empty() {
        lines.push_str(&format!("- **Cost** {cost}\n"));
    }
    let [before, now] = whole.short();
    let difference = grouped(now.abs_diff(before));
    let counts = if whole.needing_before == whole.needing {
        format!("{} → {} of {}", grouped(before), grouped(now), grouped(whole.needing))
    } else {
        let [of_before, of_now] = [whole.needing_before, whole.needing].map(grouped);
        format!("{} of {of_before} → {} of {of_now}", grouped(before), grouped(now))
    };
    let none = if losing > 0 { "in sum, " } else { "none. " };
    let answers = match (now.cmp(&before), now.abs_diff(before)) {
        _ if whole.needing == 0 => "none. No answer uses a fact of an earlier turn".to_owned(),
        (Ordering::Equal, _) => {
            format!(
                "no more than before: {} of {} answers would lack a fact",
                grouped(now),
                grouped(whole.needing)
            )
        }
        (Ordering::Greater, 1) => format!("1 more answer would lack a fact that it uses: {counts}"),
        (Ordering::Greater, _) => {
            format!("{difference} more answers would lack a fact that they use: {counts}")
        }
        (Ordering::Less, 1) => format!("{none}1 fewer answer would lack a fact that it uses: {counts}"),
        (Ordering::Less, _) => {
            format!("{none}{difference} fewer answers would lack a fact that they use: {counts}")
        }
    };
    let but = if losing > 0 && now <= before { " But the changes with ⚠ lose facts." } else { "" };
    lines.push_str(&format!("- **Loss** in the whole suite: **{answers}**{each}.{but} {WHAT_A_FACT_IS}\n"));
    lines
}

/// ` (14.1% → 16.8%; 1,186 answers, each under 4 strategies)`. Strategies that sent fewer requests have fewer answers.
fn counted_under(whole: &SuiteNumbers, strategies: u64) -> String {
    let [before, now] = whole.short();
    let before = percent(Some(before as f64 / whole.needing_before.max(1) as f64));
    let now = percent(Some(now as f64 / whole.needing.max(1) as f64));
    match whole.answers_of_each() {
        Some(answers) if answers > 0 => {
            let answers = counted(answers, "answer");
            format!(" ({before} → {now}; {answers}, each under {strategies} strategies)")
        }
        _ => format!(" ({before} → {now}; each answer counts under each of {strategies} strategies)"),
    }
}

/// Cost and loss over the changed scenarios.
fn of_scenarios([before, after]: [&Sums; 2], strategies: usize, models: &[String]) -> String {
    let mut lines = String::new();
    let mut costs = costs(before, after, models);
    for cost in &mut costs {
        *cost = cost.trim_start_matches("cost ").to_owned();
    }
    if !costs.is_empty() {
        lines.push_str(&format!(
            "- **Cost** of these scenarios under these strategies: {}\n",
            costs.join(", ")
        ));
    }
    lines.push_str(&format!("- **Loss:** **{}**. {WHAT_A_FACT_IS}\n", facts([before, after], strategies)));
    lines
}

fn change_block(number: usize, change: &Change, models: &[String]) -> String {
    let loss = match change.newly_short() {
        0 if change.sums.is_some() => ": no fact lost".to_owned(),
        0 => String::new(),
        1 => ": ⚠ 1 more answer would lack a fact".to_owned(),
        more => format!(": ⚠ {} more answers would lack a fact", grouped(more)),
    };
    let mut block = format!("\n**{number}. {}**{loss}\n", code(&change.cause.title()));
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
        block.push_str(&lines_not_shown(change));
    }
    if let Some((scenario, worst)) = &change.worst {
        block.push_str(&worst_place(scenario, worst));
    }
    block.push_str(&extent(change));
    block.push_str(&under_strategies(change));
    if let Some([before, after]) = &change.sums {
        for cost in added_costs(before, after, models) {
            block.push_str(&format!(" · {cost}"));
        }
    }
    if let [scenario] = change.scenarios.as_slice() {
        block.push_str(&format!(" · {}", code(scenario)));
    }
    block.push('\n');
    block
}

/// The place to open first, and the fact it lacks.
fn worst_place(scenario: &str, worst: &Worst) -> String {
    let Worst { facts, fact, from, .. } = worst;
    let from = from.map_or_else(String::new, |from| format!(" of turn {from}"));
    let fact = code(&shortened(fact, 60));
    let more = match facts.saturating_sub(1) {
        0 => ", which is no longer sent".to_owned(),
        1 => " and 1 more fact, no longer sent".to_owned(),
        more => format!(" and {more} more facts, no longer sent"),
    };
    format!("Worst, to open first: {}. Its answer uses {fact}{from}{more}.\n", show_command(scenario, worst))
}

/// The added cost with each model: `+$0.15 with gpt-6.1-sol`.
fn added_costs(before: &Sums, after: &Sums, models: &[String]) -> Vec<String> {
    let mut added = Vec::new();
    for ((model, before), after) in models.iter().zip(&before.costs).zip(&after.costs) {
        let increase = after.dollars() - before.dollars();
        let sign = if increase < 0.0 { "-" } else { "+" };
        let amount = match increase.abs() {
            _ if before == after => "same cost".to_owned(),
            0.0..0.000_05 => format!("{sign}<$0.0001"),
            amount => format!("{sign}{}", billed_dollars(amount)),
        };
        added.push(format!("{amount} with {}", name(model)));
    }
    added
}

fn diff_of(mark: &str, lines: &ChangedLines, others: &ChangedLines) -> String {
    let mut diff = String::new();
    for line in lines.cut(others, SHOWN, WIDTH) {
        diff.push_str(&signed(mark, &line));
        diff.push('\n');
    }
    diff
}

/// `Not shown: 6 more lines that the model no longer gets (`-`).`
fn lines_not_shown(change: &Change) -> String {
    let mut sides = Vec::new();
    for (mark, lines, does) in [("-", &change.removed, "no longer gets"), ("+", &change.added, "now gets")] {
        if lines.more(SHOWN) > 0 {
            let more = counted(lines.more(SHOWN), "more line");
            sides.push(format!("{more} that the model {does} (`{mark}`)"));
        }
    }
    if sides.is_empty() { String::new() } else { format!("Not shown: {}.\n", sides.join(", ")) }
}

/// ` under `fold`, `trim``, ` under 10 strategies`
fn under_strategies(change: &Change) -> String {
    let names = change.strategies();
    match names.len() {
        0 => String::new(),
        1..=NAMED => format!(" under {}", names.into_iter().map(code).collect::<Vec<_>>().join(", ")),
        number => format!(" under {number} strategies"),
    }
}
