//! `changes.md`: changes since an earlier report, worst first, and all failures. Written as a comment for a
//! pull request.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::advice::Advice;
use super::change::{SuiteOfChanges, headline, section};
use super::changes::{Changes, StrategyChange};
use super::comparison::Comparison;
use super::strategy_table::StrategyTable;
use super::tables::{code, left_out, name, table};
use crate::compression::cut::shortened;
use crate::measure::numbers::{grouped, percentage, shown, signed_percent};

/// Limit of characters of a comment; GitHub accepts 65,536.
const MOST: usize = 60_000;
/// Characters reserved for headings and counts of omitted items.
const FRAME: usize = 2_000;
/// A smaller increase of cost prints as 0%.
const LEAST_MORE: f64 = 0.0005;
/// Limit of characters of a message.
const MESSAGE: usize = 1_000;
/// Limit of items in a list; `results.json` has all.
const LISTED: usize = 20;
/// What to do with unaccepted changes.
const NOT_ACCEPTED: &str = "accept the changes with `ptc-eval review` if cost and loss are worth it; otherwise revert the edit. Until then the check \
                            fails, because the golden files (snapshots) do not have these changes yet.";
/// Appended to it if thresholds are crossed.
const CROSSED: &str = " Accepting does not fix a crossed threshold: see *Not as expected* below.";
/// Title of the table of strategies.
const TABLE_TITLE: &str = "Numbers of each strategy over the whole suite";
/// What to do with accepted changes.
const ACCEPTED: &str = "decide if cost and loss are worth it. The golden files (snapshots) already have these changes, so the check does not \
                        fail because of them.";

pub fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let changes = compared_changes(comparison);
    let mut strategy_table = None;
    if let Some(changes) = &changes {
        strategy_table = Some(StrategyTable::of(comparison, changes)).filter(|table| !table.rows.is_empty());
    }
    let mut room = Room(MOST - FRAME);
    // Numbers of all strategies follow with their table.
    let mut numbers = String::new();
    if comparison.differences.is_empty() {
        let expected = describe_failures(comparison);
        let verdict = format!(
            "{expected} {}{}",
            numbers_verdict(comparison, changes.as_ref()),
            stale_reports(comparison)
        );
        let start = format!("{}\n\n{verdict}\n", make_title(comparison));
        let start = shortened(&start, MOST / 2);
        write!(out, "{start}")?;
        room.use_up(&start);
    } else {
        numbers = match &changes {
            Some(changes) => new_and_gone(changes).join(" "),
            None => why_not_compared(comparison).to_owned(),
        };
        numbers = shortened(&numbers, MOST / 4).into_owned();
        room.use_up(&numbers);
        model_changes(comparison, strategy_table.as_ref(), &mut room, out)?;
    }
    write_unexpected(comparison, &mut room, out)?;
    if let Some(strategy_table) = &strategy_table {
        writeln!(out, "\n## {TABLE_TITLE}\n")?;
        strategy_table.write_table(|rows| room.fit_rows(rows), out)?;
    }
    if !numbers.is_empty() {
        writeln!(out, "\n{numbers}")?;
    }
    match changes {
        Some(changes) if !changes.is_empty() => write_other_numbers(&changes, &mut room, out),
        _ => Ok(()),
    }
}

/// Characters left in a comment.
struct Room(usize);

impl Room {
    fn use_up(&mut self, text: &str) {
        self.0 = self.0.saturating_sub(text.chars().count());
    }

    /// Keeps the leading rows that fit, and uses up their room. Returns the number of rows removed.
    fn fit_rows(&mut self, rows: &mut Vec<Vec<String>>) -> usize {
        let mut fitting = 0;
        for row in &*rows {
            let size = row.iter().map(|cell| cell.chars().count() + 3).sum::<usize>() + 2;
            let Some(left) = self.0.checked_sub(size) else { break };
            self.0 = left;
            fitting += 1;
        }
        let more = rows.len() - fitting;
        rows.truncate(fitting);
        more
    }
}

/// The changes since the earlier report; `None` without a report, and for a part of the suite, whose totals
/// are not comparable.
fn compared_changes(comparison: &Comparison) -> Option<Changes> {
    if comparison.is_judged() { comparison.changes() } else { None }
}

fn make_title(comparison: &Comparison) -> String {
    match &comparison.against {
        Some(against) if comparison.is_judged() => format!("# Changes since {}", code(&against.name)),
        _ => "# Changes".to_owned(),
    }
}

/// The number of failures of each type, or a sentence that there are none. [`stale_reports`] come last in the comment.
fn describe_failures(comparison: &Comparison) -> String {
    let problems = list_failures(comparison);
    match comparison.scenarios {
        _ if !problems.is_empty() => format!("**{}.**", problems.join(", ")),
        0 => "There are no scenarios.".to_owned(),
        1 => "The one scenario is as expected.".to_owned(),
        scenarios => format!("All {} scenarios are as expected.", grouped(scenarios)),
    }
}

fn list_failures(comparison: &Comparison) -> Vec<String> {
    let (verdicts, counts) = (&comparison.verdicts, comparison.counts);
    let orphans = verdicts.snapshots.len() as u64;
    // The list of changes describes changed snapshots.
    let changed_snapshots = if comparison.differences.is_empty() { counts.changed_snapshots } else { 0 };
    let problems = [
        (verdicts.unreadable.len() as u64, "unreadable scenario", "unreadable scenarios"),
        (comparison.failed, "failed scenario", "failed scenarios"),
        (counts.broken_strategies, "run without requests", "runs without requests"),
        (verdicts.thresholds_crossed.len() as u64, "threshold crossed", "thresholds crossed"),
        (changed_snapshots, "changed snapshot", "changed snapshots"),
        (counts.stale_texts, "run with stale summaries", "runs with stale summaries"),
        (orphans, "other snapshot not as expected", "other snapshots not as expected"),
    ];
    let mut named = Vec::new();
    for (count, one, more) in problems {
        if count > 0 {
            named.push(format!("{} {}", grouped(count), if count == 1 { one } else { more }));
        }
    }
    named
}

/// `all 4 strategies by at least 25.4% with gpt-6.1-sol; `rolling-window` by 10.5% with claude-sonnet-5-5.` for the changed strategies
/// that cost more than the baseline. Empty if none does: a lower cost alone would read as a saving.
fn dearer_strategies(comparison: &Comparison) -> String {
    let mut sentences = Vec::new();
    for (index, model) in comparison.header.models.iter().enumerate() {
        if let Some(words) = dearer_with_model(comparison, index) {
            sentences.push(format!("{words} with {}", name(&model.model)));
        }
    }
    if sentences.is_empty() { String::new() } else { format!("{}.", sentences.join("; ")) }
}

/// The requests of the whole suite under these strategies.
fn requests_under(comparison: &Comparison, strategies: &BTreeSet<&str>) -> u64 {
    let mut requests = 0;
    for name in strategies {
        if let Some(strategy) = comparison.strategy(name) {
            requests += strategy.sums.requests;
        }
    }
    requests
}

fn dearer_with_model(comparison: &Comparison, model: usize) -> Option<String> {
    let baseline = &comparison.header.baseline;
    let (mut changed, mut dearer) = (0, Vec::new());
    for name in comparison.differences.strategy_names() {
        let Some(strategy) = comparison.strategy(name).filter(|_| name != baseline) else { continue };
        let Some(ratio) = strategy.costs.get(model).and_then(|cost| cost.ratio) else { continue };
        changed += 1;
        if ratio - 1.0 >= LEAST_MORE {
            dearer.push((name, ratio - 1.0));
        }
    }
    let least = dearer.iter().map(|(_, more)| *more).reduce(f64::min)?;
    let least = percentage(least);
    Some(match dearer.as_slice() {
        [(only, _)] => format!("{} by {least}", code(only)),
        all if all.len() == changed => format!("all {changed} strategies by at least {least}"),
        some => format!("{} of these {changed} strategies by at least {least}", some.len()),
    })
}

/// ` 2 committed reports are out of date: run `ptc-eval` and commit them.`
fn stale_reports(comparison: &Comparison) -> String {
    match comparison.verdicts.stale_reports.len() {
        0 => String::new(),
        1 => " 1 committed report is out of date: run `ptc-eval` and commit it.".to_owned(),
        number => format!(" {number} committed reports are out of date: run `ptc-eval` and commit them."),
    }
}

fn numbers_verdict(comparison: &Comparison, changes: Option<&Changes>) -> String {
    let Some(changes) = changes else { return why_not_compared(comparison).to_owned() };
    let others = other_scenarios(comparison);
    if changes.is_empty() && !others.is_empty() {
        return others.join(" ");
    }
    if changes.is_empty() {
        return "No number changed.".to_owned();
    }
    let sentences = [number_sentences(changes), others].concat();
    if sentences.is_empty() { "Neither tokens nor evidence changed.".to_owned() } else { sentences.join(" ") }
}

/// Sentences on strategies with changed numbers.
fn number_sentences(changes: &Changes) -> Vec<String> {
    let (mut losing, mut dearer, mut cheaper) = (Vec::new(), Vec::new(), Vec::new());
    for change in &changes.strategies {
        if change.loses_evidence() {
            losing.push(code(&change.name));
        }
        if change.token_increase() > 0.0 {
            dearer.push(tokens_of(change));
        }
        if change.token_increase() < 0.0 {
            cheaper.push(tokens_of(change));
        }
    }
    let mut sentences = Vec::new();
    sentences.extend(list_names("Evidence was lost under", losing.into_iter()));
    sentences.extend(list_names("More tokens", dearer.into_iter()));
    sentences.extend(list_names("Fewer tokens", cheaper.into_iter()));
    sentences.extend(new_and_gone(changes));
    sentences
}

/// Sentences on added and removed strategies.
fn new_and_gone(changes: &Changes) -> Vec<String> {
    let sentences = [
        list_names("New strategies", changes.added.iter().map(|name| code(name))),
        list_names("Removed strategies", changes.removed.iter().map(|name| code(name))),
    ];
    sentences.into_iter().flatten().collect()
}

/// Sentences on added and removed scenarios. Their numbers are not compared.
fn other_scenarios(comparison: &Comparison) -> Vec<String> {
    let Some(sets) = comparison.other_scenarios() else { return Vec::new() };
    let new =
        list_names("New scenarios, not included in these numbers", sets.new.iter().map(|name| code(name)));
    let removed = list_names("Removed scenarios", sets.removed.iter().map(|name| code(name)));
    let why = "The earlier totals count them, so they are not compared.";
    let removed = removed.map(|removed| format!("{removed} {why}"));
    new.into_iter().chain(removed).collect()
}

fn why_not_compared(comparison: &Comparison) -> &'static str {
    if comparison.is_judged() {
        "There is no earlier report to compare the numbers with."
    } else if comparison.header.complete {
        "Not all scenarios could be read and rendered, so the numbers are not compared."
    } else {
        "This is a part of the suite, or one changed by options, so its numbers are not compared."
    }
}

fn tokens_of(change: &StrategyChange) -> String {
    format!("{} ({})", code(&change.name), signed_percent(change.token_increase()))
}

fn list_names(what: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let mut names: Vec<String> = names.collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    names.extend((more > 0).then(|| format!("and {} more", grouped(more as u64))));
    (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
}

/// A list of all failures.
fn write_unexpected(comparison: &Comparison, room: &mut Room, out: &mut dyn Write) -> io::Result<()> {
    let verdicts = &comparison.verdicts;
    let mut all: Vec<String> = Vec::new();
    for scenario in &verdicts.unreadable {
        all.push(format_trouble(&scenario.place, &scenario.message));
    }
    for trouble in &comparison.troubles {
        all.push(format_trouble(&trouble.place, &trouble.what));
    }
    for crossed in &verdicts.thresholds_crossed {
        all.push(name(&crossed.to_string()).into_owned());
    }
    for snapshot in comparison.stale.iter().chain(&verdicts.snapshots) {
        all.push(name(&snapshot.describe()).into_owned());
    }
    for file in &verdicts.stale_reports {
        all.push(format!("`{file}` is stale"));
    }
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Not as expected\n")?;
    // The comparison keeps the first troubles and stale snapshots only.
    let counts = comparison.counts;
    let kept = (comparison.troubles.len() + comparison.stale.len()) as u64;
    let not_kept = (counts.troubles + counts.stale_texts).saturating_sub(kept);
    let all_count = all.len() as u64 + not_kept;
    let mut lines = all.into_iter().take(LISTED).map(|line| vec![line]).collect();
    room.fit_rows(&mut lines);
    lines.iter().flatten().try_for_each(|line| writeln!(out, "- {line}"))?;
    match all_count - lines.len() as u64 {
        0 => Ok(()),
        more => writeln!(out, "- … and {} more", grouped(more)),
    }
}

/// The changes of the model's requests: headline, answers to a reviewer's questions, and one block each.
fn model_changes(
    comparison: &Comparison,
    strategy_table: Option<&StrategyTable>,
    room: &mut Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let list = &comparison.differences;
    let is_accepted = comparison.counts.changed_snapshots == 0;
    let mut to_do = if is_accepted { ACCEPTED } else { NOT_ACCEPTED }.to_owned();
    if !is_accepted && !comparison.verdicts.thresholds_crossed.is_empty() {
        to_do.push_str(CROSSED);
    }
    let mut rest = other_scenarios(comparison);
    let failures = list_failures(comparison);
    if !failures.is_empty() {
        rest.insert(0, format!("**{}**, see *Not as expected* below.", failures.join(", ")));
    }
    match comparison.counts.new_snapshots {
        0 => {}
        1 => rest.push("**1 new snapshot.**".to_owned()),
        new => rest.push(format!("**{} new snapshots.**", grouped(new))),
    }
    let rest = format!("{}{}", rest.join(" "), stale_reports(comparison));
    let rest = shortened(&rest, MOST / 4);
    let since = match &comparison.against {
        Some(against) if comparison.is_judged() => format!(" since {}", code(&against.name)),
        _ => String::new(),
    };
    let whole = strategy_table.map(|table| &table.together);
    let recommended = Advice::new(comparison).recommended;
    let recommended = recommended.filter(|strategy| strategy.name != comparison.header.baseline);
    let suite = SuiteOfChanges {
        models: &comparison.header.model_names(),
        baseline: &comparison.header.baseline,
        recommended: recommended.map(|strategy| strategy.name.as_str()),
        scenarios: comparison.scenarios,
        strategies: comparison.strategies.len() as u64,
        requests: requests_under(comparison, &list.strategy_names()),
    };
    let dearer = dearer_strategies(comparison);
    let (start, blocks) = section(list, &suite, whole, [&since, &dearer, &to_do, rest.trim()]);
    let start = format!("# {}\n\n{start}", headline(list, whole));
    write!(out, "{start}")?;
    room.use_up(&start);
    let all = blocks.len();
    let mut blocks: Vec<Vec<String>> = blocks.into_iter().map(|block| vec![block]).collect();
    room.fit_rows(&mut blocks);
    blocks.iter().flatten().try_for_each(|block| write!(out, "{block}"))?;
    match all - blocks.len() {
        0 => Ok(()),
        more => writeln!(
            out,
            "\n… and {} more changes: `ptc-eval review --print` shows them all",
            grouped(more as u64)
        ),
    }
}

/// The numbers missing from the first table, in a collapsed section.
fn write_other_numbers(changes: &Changes, room: &mut Room, out: &mut dyn Write) -> io::Result<()> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for change in &changes.strategies {
        for number in &change.numbers {
            if StrategyTable::has_column(&number.metric) {
                continue;
            }
            let share = number.share().map_or_else(String::new, signed_percent);
            let (before, now) = (shown(&number.before), shown(&number.now));
            rows.push(vec![name(&change.name).into_owned(), code(&number.metric), before, now, share]);
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    let count =
        if rows.len() == 1 { "1 other number".to_owned() } else { format!("{} other numbers", rows.len()) };
    writeln!(out, "\n<details><summary>{count} changed</summary>\n")?;
    let more = room.fit_rows(&mut rows);
    table(out, &["strategy", "number", "before", "now", "change"], rows.into_iter())?;
    left_out(more, "numbers", out)?;
    writeln!(out, "\n</details>")
}

fn format_trouble(place: &str, message: &str) -> String {
    format!("{}: {}", code(place), code(&shortened(message, MESSAGE)))
}
