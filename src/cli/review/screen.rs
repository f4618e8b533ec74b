//! The screen of a review as rows of a given size: the question, the change, the keys.

use super::files::ReviewSummary;
use super::questions::{Question, Questions};
use super::state::{Extent, Layout, ReviewState};
use crate::cli::suite::count;
use crate::report::change::change_rows;
use crate::snapshot::cause::{Change as TextChange, Hunk};
use crate::snapshot::view::{Frame, Row, Tint, side_by_side, unified};

/// Unchanged lines around a change of a snapshot.
const CONTEXT: usize = 2;

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

pub(super) fn screen(questions: &Questions, state: &ReviewState, size: Size) -> Screen {
    let (head, body) = match questions.question(state.at()) {
        _ if state.shows_help => (vec![Row::new(Tint::Strong, "keys")], rows_of_help()),
        None => (vec![Row::new(Tint::Strong, "all decided")], closing_rows(questions, state)),
        Some(question) => {
            let head = vec![title(questions, state, question).cut(size.columns)];
            (head, change(questions, state, question, size.columns))
        }
    };
    let page = size.rows.saturating_sub(head.len() + 3).max(1);
    let extent = Extent { rows: body.len(), page };
    let top = state.top.min(body.len().saturating_sub(page));
    let mut rows = head;
    rows.push(ruled_line("", size.columns));
    rows.extend(body.into_iter().skip(top).take(page).map(|row| row.cut(size.columns)));
    rows.resize(size.rows.saturating_sub(2), Row::default());
    rows.push(ruled_line(&scroll_position(top, extent), size.columns));
    rows.push(row_of_keys(questions, state).cut(size.columns));
    Screen { rows, extent }
}

/// The question in one row.
pub(super) fn title(questions: &Questions, state: &ReviewState, question: Question<'_>) -> Row {
    let place = format!("{} of {}: ", state.at() + 1, questions.len());
    let what = match (question, state.member) {
        (Question::New(key), _) => format!("new snapshot {key}"),
        (Question::Change(change), Some(member)) => {
            let key = change.keys.get(member).map_or("", String::as_str);
            format!("snapshot {} of {}, {key}", member + 1, change.keys.len())
        }
        (Question::Change(change), None) => {
            format!("a change in {}", count(change.keys.len(), "snapshot"))
        }
    };
    Row::new(Tint::Quiet, place).and(Tint::Strong, what)
}

/// The change in full, or the text of the open snapshot.
pub(super) fn change(
    questions: &Questions,
    state: &ReviewState,
    question: Question<'_>,
    width: usize,
) -> Vec<Row> {
    match (question, state.member) {
        (Question::New(key), _) => snapshot(questions, key, state, width),
        (Question::Change(change), Some(member)) => {
            change.keys.get(member).map_or_else(Vec::new, |key| snapshot(questions, key, state, width))
        }
        (Question::Change(change), None) => {
            change_rows(state.at() - questions.new.len() + 1, &change.change, &questions.models)
        }
    }
}

/// The changed lines of a snapshot.
fn snapshot(questions: &Questions, key: &str, state: &ReviewState, width: usize) -> Vec<Row> {
    let change = match questions.text_change(key) {
        Ok(change) => change,
        Err(error) => return vec![Row::new(Tint::Plain, error.to_string())],
    };
    let frame = Frame { width, context: CONTEXT };
    let mut rows = Vec::new();
    if change.old.is_empty() {
        let added = change.new.split('\n').map(str::to_owned).collect();
        let hunk = Hunk { line: 0, removed: Vec::new(), added };
        return unified(&TextChange::default(), &hunk, frame);
    }
    for hunk in &change.hunks {
        if !rows.is_empty() {
            rows.push(Row::new(Tint::Quiet, "  …"));
        }
        rows.extend(match state.layout {
            Layout::Unified => unified(&change, hunk, frame),
            Layout::SideBySide => side_by_side(&change, hunk, frame),
        });
    }
    rows
}

fn ruled_line(text: &str, width: usize) -> Row {
    let left = width.saturating_sub(text.chars().count());
    Row::new(Tint::Quiet, format!("{}{text}", "─".repeat(left)))
}

/// The visible range of rows, if not all are visible.
fn scroll_position(top: usize, extent: Extent) -> String {
    if extent.rows <= extent.page {
        return String::new();
    }
    format!(" {}–{} of {} ", top + 1, (top + extent.page).min(extent.rows), extent.rows)
}

fn row_of_keys(questions: &Questions, state: &ReviewState) -> Row {
    let question = questions.question(state.at());
    let open = match question {
        Some(Question::Change(change)) if state.member.is_none() => {
            format!("open {}", count(change.keys.len(), "snapshot"))
        }
        _ => String::new(),
    };
    let decide = [("a", "accept"), ("r", "reject"), ("s", "skip")];
    let of_cause: &[(&str, &str)] = match (question, state.member) {
        _ if state.shows_help => return Row::new(Tint::Quiet, "any key goes back"),
        (None, _) => {
            return row_of_pairs([("u", "undo"), ("q", "quit")].into_iter());
        }
        (Some(Question::New(_)), _) => &[("u", "undo")],
        (Some(Question::Change(_)), Some(_)) => {
            &[("n", "next"), ("p", "prev"), ("o", "close"), ("v", "layout")]
        }
        (Some(Question::Change(_)), None) => &[("u", "undo"), ("o", &open)],
    };
    row_of_pairs(decide.into_iter().chain(of_cause.iter().copied()).chain([("?", "help"), ("q", "quit")]))
}

fn row_of_pairs<'p>(pairs: impl Iterator<Item = (&'p str, &'p str)>) -> Row {
    pairs.enumerate().fold(Row::default(), |row, (index, (key, what))| {
        let gap = if index == 0 { "" } else { "  " };
        row.and(Tint::Plain, gap).and(Tint::Strong, key).and(Tint::Quiet, format!(" {what}"))
    })
}

fn closing_rows(questions: &Questions, state: &ReviewState) -> Vec<Row> {
    let summary = ReviewSummary::of(questions, &state.decisions);
    vec![
        Row::new(Tint::Plain, summary.to_string()),
        Row::default(),
        Row::new(Tint::Quiet, "u takes the last decision back, q ends the review"),
    ]
}

fn rows_of_help() -> Vec<Row> {
    const LINES: &[(&str, &str)] = &[
        ("a", "accept the change, wherever it shows; a snapshot is accepted with the last of its changes"),
        ("A", "accept all that is left"),
        ("r", "reject: the snapshots in which it shows stay as they are"),
        ("s", "skip: decide later"),
        ("u, Backspace", "take the last decision back, as often as you like"),
        ("o, Enter", "open the snapshots in which the change shows, or close them"),
        ("n, p, → ←", "the next or previous of them"),
        ("v", "side by side or one below the other"),
        ("↓ ↑ j k", "scroll by a row; Space, b, PgDn, PgUp by a page; g, G to an end"),
        ("q, Ctrl-C", "end; what was decided is kept, the rest waits"),
        ("", ""),
        ("−, +", "text that the model no longer gets, text that it now gets"),
        ("tokens, cost", "of all requests of the strategies and scenarios in which the change shows"),
        ("fact", "a name, number or line that an answer repeats from an earlier turn"),
    ];
    LINES
        .iter()
        .map(|(key, what)| Row::new(Tint::Strong, format!("  {key:<14}")).and(Tint::Plain, *what))
        .collect()
}
