//! The screen of a review as rows of a given size: the question, its impact, the change, the keys.

use super::files::ReviewSummary;
use super::questions::{Question, Questions};
use super::state::{Extent, Layout, ReviewState};
use crate::cli::suite::count;
use crate::measure::numbers::shortened;
use crate::measure::numbers::{decimal, grouped};
use crate::report::impact::{Impact, Loss, StrategyImpact};
use crate::snapshot::cause::{Change, Hunk};
use crate::snapshot::escape::visible;
use crate::snapshot::view::{Frame, Row, Tint, side_by_side, unified};

/// Unchanged lines around a change, and around one that was opened.
const CONTEXT: usize = 2;
const OPENED_CONTEXT: usize = 5;
/// Losses of evidence that are named.
const MOST_LOSSES: usize = 3;
/// The widest column of strategies' names.
const NAMES: usize = 40;

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub rows: usize,
    pub columns: usize,
}

/// All rows of a screen, and the extent of the change.
pub(super) struct Screen {
    pub rows: Vec<Row>,
    pub extent: Extent,
}

pub(super) fn screen(
    questions: &Questions,
    state: &ReviewState,
    impact: Option<&Impact>,
    size: Size,
) -> Screen {
    let (head, body) = match questions.question(state.at()) {
        _ if state.shows_help => (vec![Row::new(Tint::Strong, "keys")], help()),
        None => (vec![Row::new(Tint::Strong, "all decided")], closing(questions, state)),
        Some(question) => {
            let mut head = vec![title(questions, state, question).cut(size.columns)];
            head.extend(cost(impact, question, size));
            (head, change(questions, state, question, size.columns))
        }
    };
    let page = size.rows.saturating_sub(head.len() + 3).max(1);
    let extent = Extent { rows: body.len(), page };
    let top = state.top.min(body.len().saturating_sub(page));
    let mut rows = head;
    rows.push(rule("", size.columns));
    rows.extend(body.into_iter().skip(top).take(page).map(|row| row.cut(size.columns)));
    rows.resize(size.rows.saturating_sub(2), Row::default());
    rows.push(rule(&position(top, extent), size.columns));
    rows.push(keys(questions, state).cut(size.columns));
    Screen { rows, extent }
}

/// The question in one row.
pub(super) fn title(questions: &Questions, state: &ReviewState, question: Question<'_>) -> Row {
    let place = format!("{} of {}: ", state.at() + 1, questions.len());
    let what = match question {
        Question::New(pending) => format!("new snapshot {}", pending.key),
        Question::Cause(cause) => {
            let member = questions.member(cause, state.member.unwrap_or(0));
            let key = member.map_or("", |(change, _)| change.key.as_str());
            match (state.member, cause.snapshots()) {
                (Some(member), _) => {
                    let turn = member_turn(questions.member(cause, member));
                    format!("place {} of {}, {key}{turn}", member + 1, cause.members.len())
                }
                (None, 1) => key.to_string(),
                (None, count) => format!("1 cause in {count} snapshots, first {key}"),
            }
        }
    };
    Row::new(Tint::Quiet, place).and(Tint::Strong, what)
}

/// The turn in which a change stands.
fn member_turn(member: Option<(&Change, &Hunk)>) -> String {
    let Some((change, hunk)) = member else { return String::new() };
    let above = change.old.split('\n').take(hunk.line + 1);
    let ruler = above.filter_map(|line| line.strip_prefix("=== ")).last();
    ruler.map_or(String::new(), |ruler| format!(", {}", ruler.trim_end_matches('=').trim_end()))
}

/// The change itself, as long as it is.
pub(super) fn change(
    questions: &Questions,
    state: &ReviewState,
    question: Question<'_>,
    width: usize,
) -> Vec<Row> {
    match question {
        Question::New(pending) => {
            let added = pending.body.trim_end().split('\n').map(str::to_string).collect();
            let hunk = Hunk { line: 0, removed: Vec::new(), added };
            let change = Change { key: pending.key.clone(), ..Change::default() };
            unified(&change, &hunk, Frame { width, context: 0 })
        }
        Question::Cause(cause) => {
            let context = if state.member.is_some() { OPENED_CONTEXT } else { CONTEXT };
            let frame = Frame { width, context };
            match (questions.member(cause, state.member.unwrap_or(0)), state.layout) {
                (None, _) => Vec::new(),
                (Some((change, hunk)), Layout::Unified) => unified(change, hunk, frame),
                (Some((change, hunk)), Layout::SideBySide) => side_by_side(change, hunk, frame),
            }
        }
    }
}

/// The impact of the change on tokens and evidence, a row a strategy; a quarter of the screen at most.
pub(super) fn cost(impact: Option<&Impact>, question: Question<'_>, size: Size) -> Vec<Row> {
    let Some(impact) = impact else { return vec![Row::new(Tint::Quiet, "counting tokens…")] };
    if impact.is_nothing() {
        let nothing = "tokens and evidence stay as they are";
        return vec![Row::new(Tint::Quiet, nothing).cut(size.columns)];
    }
    let is_new = matches!(question, Question::New(_));
    let most = (size.rows / 4).max(3);
    let mut strategies: Vec<&StrategyImpact> = impact.strategies.iter().collect();
    strategies.sort_by_key(|strategy| std::cmp::Reverse(weight(strategy)));
    let more = strategies.len().saturating_sub(most);
    strategies.truncate(most);
    let mut rows = strategy_rows(&strategies, is_new);
    if more > 0 {
        rows.push(Row::new(Tint::Quiet, format!("  and {}", count(more, "more strategy"))));
    }
    if !is_new {
        rows.extend(evidence("loses", Tint::Removed, &impact.losses));
        rows.extend(evidence("gains", Tint::Added, &impact.gains));
    }
    if impact.unread > 0 {
        let files = count(impact.unread, "change");
        rows.push(Row::new(
            Tint::Quiet,
            format!("  of {files} in text that cannot be read, the effect is not known"),
        ));
    }
    rows.into_iter().map(|row| row.cut(size.columns)).collect()
}

/// Order in which strategies are shown: lost or gained evidence first, then tokens.
fn weight(strategy: &StrategyImpact) -> (bool, u64) {
    let (before, after) = (strategy.before, strategy.after);
    (before.evidence() != after.evidence(), before.input_tokens.abs_diff(after.input_tokens))
}

/// `full-history  12,345 → 12,301 tokens  −0.4%  evidence 1.00 → 0.83`, in columns.
fn strategy_rows(strategies: &[&StrategyImpact], is_new: bool) -> Vec<Row> {
    let tokens = |strategy: &StrategyImpact| {
        let (before, after) = (strategy.before.input_tokens, strategy.after.input_tokens);
        let before = if is_new { String::new() } else { format!("{} → ", grouped(before)) };
        format!("{before}{} tokens", grouped(after))
    };
    let widest = |text: &dyn Fn(&StrategyImpact) -> String| {
        strategies.iter().map(|strategy| text(strategy).chars().count()).max().unwrap_or(0)
    };
    let names = widest(&|strategy| strategy.name.to_string()).min(NAMES);
    let counts = widest(&tokens);
    let row = |strategy: &&StrategyImpact| {
        let (before, after) = (strategy.before, strategy.after);
        let percent = || format!("{:>7}  ", percent_change(before.input_tokens, after.input_tokens));
        let change = if is_new { String::new() } else { percent() };
        let name = shortened(&strategy.name, names);
        let counted = format!("  {name:<names$}  {:<counts$}  {change}", tokens(strategy));
        evidence_in(Row::new(Tint::Plain, counted), before.evidence().filter(|_| !is_new), after.evidence())
    };
    strategies.iter().map(row).collect()
}

fn evidence_in(row: Row, before: Option<f64>, after: Option<f64>) -> Row {
    match (before, after) {
        (_, None) => row,
        (Some(before), Some(after)) if decimal(Some(before)) != decimal(Some(after)) => {
            let tint = if after < before { Tint::Removed } else { Tint::Added };
            row.and(tint, format!("evidence {before:.2} → {after:.2}"))
        }
        (_, Some(after)) => row.and(Tint::Quiet, format!("evidence {after:.2}")),
    }
}

/// `+1.2%`; nothing where nothing changes.
fn percent_change(before: u64, after: u64) -> String {
    if before == after || before == 0 {
        return "±0%".to_string();
    }
    let change = (after as f64 - before as f64) / before as f64 * 100.0;
    let sign = if change < 0.0 { '−' } else { '+' };
    match change.abs() {
        change if change < 0.05 => format!("{sign}<0.1%"),
        change => format!("{sign}{change:.1}%"),
    }
}

/// `loses "T-14", which turn 4 uses (from turn 2): 3 places, first shop/well-reviewed/trim`
fn evidence(verb: &str, tint: Tint, losses: &[Loss]) -> Vec<Row> {
    let mut distinct: Vec<(&Loss, usize)> = Vec::new();
    for loss in losses {
        match distinct.iter_mut().find(|(known, _)| known.what == loss.what && known.turn == loss.turn) {
            Some((_, count)) => *count += 1,
            None => distinct.push((loss, 1)),
        }
    }
    let row = |(loss, count): &(&Loss, usize)| {
        let from = loss.what.turn.map_or_else(String::new, |turn| format!(" (from turn {turn})"));
        let place = format!("{}/{}", loss.scenario, loss.strategy);
        let places = if *count == 1 { place } else { format!("{count} places, first {place}") };
        let what = visible(&loss.what.what).into_owned();
        Row::new(tint, format!("  {verb} \"{what}\", which turn {} uses{from}: {places}", loss.turn))
    };
    let mut rows: Vec<Row> = distinct.iter().take(MOST_LOSSES).map(row).collect();
    if let Some(more) = distinct.len().checked_sub(MOST_LOSSES).filter(|more| *more > 0) {
        rows.push(Row::new(tint, format!("  {verb} {more} more")));
    }
    rows
}

fn rule(text: &str, width: usize) -> Row {
    let left = width.saturating_sub(text.chars().count());
    Row::new(Tint::Quiet, format!("{}{text}", "─".repeat(left)))
}

/// The visible rows of the change, where not all of them are.
fn position(top: usize, extent: Extent) -> String {
    if extent.rows <= extent.page {
        return String::new();
    }
    format!(" {}–{} of {} ", top + 1, (top + extent.page).min(extent.rows), extent.rows)
}

fn keys(questions: &Questions, state: &ReviewState) -> Row {
    let question = questions.question(state.at());
    let open = match question {
        Some(Question::Cause(cause)) if state.member.is_none() => {
            format!("open {}", count(cause.members.len(), "place"))
        }
        _ => String::new(),
    };
    let decide = [("a", "accept"), ("r", "reject"), ("s", "skip")];
    let of_cause: &[(&str, &str)] = match (question, state.member) {
        _ if state.shows_help => return Row::new(Tint::Quiet, "any key goes back"),
        (None, _) => {
            return pairs([("u", "undo"), ("q", "quit")].into_iter());
        }
        (Some(Question::New(_)), _) => &[("u", "undo")],
        (Some(Question::Cause(_)), Some(_)) => {
            &[("n", "next"), ("p", "prev"), ("o", "close"), ("v", "layout")]
        }
        (Some(Question::Cause(_)), None) => &[("u", "undo"), ("o", &open), ("v", "layout")],
    };
    pairs(decide.into_iter().chain(of_cause.iter().copied()).chain([("?", "help"), ("q", "quit")]))
}

fn pairs<'p>(pairs: impl Iterator<Item = (&'p str, &'p str)>) -> Row {
    pairs.enumerate().fold(Row::default(), |row, (index, (key, what))| {
        let gap = if index == 0 { "" } else { "  " };
        row.and(Tint::Plain, gap).and(Tint::Strong, key).and(Tint::Quiet, format!(" {what}"))
    })
}

fn closing(questions: &Questions, state: &ReviewState) -> Vec<Row> {
    let summary = ReviewSummary::of(questions, &state.decisions);
    vec![
        Row::new(Tint::Plain, summary.to_string()),
        Row::default(),
        Row::new(Tint::Quiet, "u takes the last decision back, q ends the review"),
    ]
}

fn help() -> Vec<Row> {
    const LINES: &[(&str, &str)] = &[
        ("a", "accept: the change becomes the golden file, wherever it shows"),
        ("A", "accept all that is left"),
        ("r", "reject: the golden files stay as they are"),
        ("s", "skip: decide later"),
        ("u, Backspace", "take the last decision back, as often as you like"),
        ("o, Enter", "open the snapshots in which the cause shows, or close them"),
        ("n, p, → ←", "the next or previous of them"),
        ("v", "side by side or one below the other"),
        ("↓ ↑ j k", "scroll by a row; Space, b, PgDn, PgUp by a page; g, G to an end"),
        ("q, Ctrl-C", "end; what was decided is kept, the rest waits"),
        ("", ""),
        ("-, +", "what was there, what would be; in long lines [-words-] and {+words+}"),
        ("tokens", "of all requests in these snapshots, before and after this change alone"),
        ("evidence", "the share of what answers rest on that their requests show"),
    ];
    LINES
        .iter()
        .map(|(key, what)| Row::new(Tint::Strong, format!("  {key:<14}")).and(Tint::Plain, *what))
        .collect()
}
