//! The list of changes as rows of a terminal.

use super::{Change, ChangeList, ChangedLines, Sums, Worst};
use crate::compression::cut::shortened;
use crate::measure::numbers::{changed_share, grouped};
use crate::report::difference::signed;
use crate::snapshot::escape::visible;
use crate::snapshot::view::{Row, Tint};

/// Lines shown of each side of a change.
const SHOWN: usize = 3;
/// Most characters of a line.
const WIDTH: usize = 96;

/// `2 changes for the model, 1 of them loses facts`
pub fn title(list: &ChangeList) -> String {
    let changes = match list.len() {
        1 => "1 change for the model".to_owned(),
        count => format!("{} changes for the model", grouped(count as u64)),
    };
    match list.losing() {
        0 => changes,
        1 if list.len() == 1 => format!("{changes}, it loses facts"),
        1 => format!("{changes}, 1 of them loses facts"),
        losing => format!("{changes}, {losing} of them lose facts"),
    }
}

/// The rows of one change with its number.
pub fn change_rows(number: usize, change: &Change, models: &[String]) -> Vec<Row> {
    let mut rows = vec![
        Row::new(Tint::Strong, format!("{number}  {}", visible(&change.cause.title())))
            .and(Tint::Quiet, format!("   {}", extent(change))),
    ];
    push_lines("−", Tint::Removed, [&change.removed, &change.added], &mut rows);
    push_lines("+", Tint::Added, [&change.added, &change.removed], &mut rows);
    if change.removed.count + change.added.count == 0 && change.new_requests + change.gone_requests == 0 {
        rows.push(Row::new(Tint::Plain, "   the same lines in another order, or in other messages"));
    }
    for line in numbers(change, models) {
        rows.push(Row::new(Tint::Plain, format!("   {line}")));
    }
    if let Some((scenario, worst)) = &change.worst {
        rows.push(Row::new(Tint::Removed, format!("   worst: {}", worst.sentence(scenario))));
    }
    rows
}

/// `1,136 requests in 94 scenarios`
pub(in crate::report) fn extent(change: &Change) -> String {
    let requests = counted(change.requests, "request");
    match (change.scenarios.len(), change.requests) {
        (0, 0) => counted(change.files.len() as u64, "snapshot"),
        (0, _) => requests,
        (scenarios, _) => {
            format!("{requests} in {}{}", counted(scenarios as u64, "scenario"), other_requests(change))
        }
    }
}

fn other_requests(change: &Change) -> String {
    let mut words = String::new();
    for (count, word) in [(change.new_requests, "new"), (change.gone_requests, "gone")] {
        if count > 0 {
            words.push_str(&format!(", {} {word}", grouped(count)));
        }
    }
    words
}

fn push_lines(mark: &str, tint: Tint, [lines, others]: [&ChangedLines; 2], rows: &mut Vec<Row>) {
    for line in lines.cut(others, SHOWN, WIDTH) {
        rows.push(Row::new(tint, format!("   {}", signed(mark, &line))));
    }
    if lines.more(SHOWN) > 0 {
        rows.push(Row::new(tint, format!("   {mark} … {} more", counted(lines.more(SHOWN), "line"))));
    }
}

/// `there: tokens −0.8%   cost −0.1%`, meaning all requests of these scenarios, then `answers that would lack a fact they use: 47 → 61 of 1,226
/// in these scenarios`
pub(super) fn numbers(change: &Change, models: &[String]) -> Vec<String> {
    let Some([before, after]) = &change.sums else {
        return vec!["cost and lost facts are not known: the suite before cannot be replayed".to_owned()];
    };
    let mut parts = Vec::new();
    parts.extend(
        share_words(before.tokens as f64, after.tokens as f64).map(|share| format!("tokens {share}")),
    );
    parts.extend(costs(before, after, models));
    let mut lines = Vec::new();
    if !parts.is_empty() {
        lines.push(format!("there: {}", parts.join("   ")));
    }
    if after.needing + before.needing > 0 {
        lines.push(facts([before, after], change.strategies().len()));
    }
    lines
}

/// The change of the cost for each model.
pub(super) fn costs(before: &Sums, after: &Sums, models: &[String]) -> Vec<String> {
    let mut costs = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let (Some(old), Some(new)) = (before.costs.get(index), after.costs.get(index)) else { continue };
        let name = if models.len() == 1 { String::new() } else { format!(" {model}") };
        costs.extend(share_words(old.dollars(), new.dollars()).map(|share| format!("cost{name} {share}")));
    }
    costs
}

/// The change in the number of answers that lack a fact. Each counts once under each strategy.
pub(super) fn facts([before, after]: [&Sums; 2], strategies: usize) -> String {
    let (old, new, all) = (grouped(before.short), grouped(after.short), grouped(after.needing));
    if before.short == after.short {
        return format!("answers that would lack a fact they use: {new} of {all}, as before");
    }
    let base = match strategies {
        0 | 1 => "in these scenarios".to_owned(),
        several => format!("under {several} strategies"),
    };
    format!("answers that would lack a fact they use: {old} → {new} of {all} {base}")
}

fn share_words(before: f64, after: f64) -> Option<String> {
    (before > 0.0).then(|| changed_share((after - before) / before))
}

pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

impl Worst {
    /// `hr/onboarding@9 under fold: it uses "salary band" of turn 2, no longer sent`
    pub fn sentence(&self, scenario: &str) -> String {
        let Worst { strategy, turn, facts, fact, from } = self;
        let from = from.map_or_else(String::new, |from| format!(" of turn {from}"));
        let fact = visible(fact);
        let fact = shortened(&fact, 60);
        let more = if *facts > 1 { format!(" and {} more", facts - 1) } else { String::new() };
        format!("{scenario}@{turn} under {strategy}: it uses \"{fact}\"{from}{more}, no longer sent")
    }
}
