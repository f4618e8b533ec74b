//! The first screen on the terminal, in lines of at most 80 columns.

use crate::cli::recommendation::wrapped;
use crate::report::first_screen::{Action, FirstScreen, dollars};

/// Columns of the screen.
const COLUMNS: usize = 80;
/// Columns for dollars and shares.
const AMOUNTS: usize = 18;
/// Columns for a saving.
const SAVING: usize = 17;
/// The heading of the savings.
const SAVES: &str = " saves";

/// Actions that stay on a crowded screen.
const FIRST: usize = 3;

/// The text of a screen, without the least important parts if it would have more lines.
pub(super) fn layout_screen(screen: &FirstScreen, lines: usize) -> String {
    let mut screen = screen.clone();
    let mut text = written(&screen);
    while text.lines().count() > lines && shorten(&mut screen) {
        text = written(&screen);
    }
    // Only the room between paragraphs is left.
    while text.lines().count() > lines && text.contains("\n\n") {
        text = text.replacen("\n\n", "\n", 1);
    }
    text
}

/// Leaves out what matters least of all that is there. Returns false if nothing more can be left out.
fn shorten(screen: &mut FirstScreen) -> bool {
    if screen.asides.pop().is_some() {
        return true;
    }
    if screen.actions.len() > FIRST {
        screen.actions.pop();
        screen.more += 1;
        return true;
    }
    for action in screen.actions.iter_mut().rev() {
        if let Some(at) = action.lines.iter().rposition(|line| !line.is_code && !line.text.ends_with(':')) {
            action.lines.remove(at);
            return true;
        }
    }
    // The largest cause fits on the line of its row.
    for row in screen.money.iter_mut().rev() {
        if let Some((start, causes)) = row.text.split_once(": $")
            && let Some((largest, _)) = causes.split_once(", $")
        {
            row.text = format!("{start}: ${largest}");
            return true;
        }
    }
    // The last sentence of a note gives the rule behind it, that of the evidence a next step. The page has both.
    for note in screen.notes.iter_mut().rev().chain(&mut screen.evidence) {
        if let Some(at) = note.rfind(". ") {
            note.truncate(at + 1);
            return true;
        }
    }
    false
}

fn written(screen: &FirstScreen) -> String {
    let mut out = String::new();
    for line in &screen.heading {
        push(&mut out, "", 0, line);
    }
    if !screen.money.is_empty() {
        out.push('\n');
    }
    for row in &screen.money {
        let start = format!("{:>11} {:>3.0}%  ", dollars(row.dollars), row.share * 100.0);
        push(&mut out, &start, AMOUNTS, &row.text);
    }
    if let Some(dearest) = &screen.dearest {
        push(&mut out, " costliest session: ", 4, dearest);
    }
    out.push('\n');
    if !screen.actions.is_empty() {
        out += &actions_heading(screen);
    }
    for (number, action) in (1..).zip(&screen.actions) {
        push_action(&mut out, number, action);
    }
    if screen.more > 0 {
        push(&mut out, "", 0, &format!("On the page: {} more.", screen.more));
    }
    for note in screen.notes.iter().chain(&screen.asides) {
        push(&mut out, "", 0, note);
    }
    for line in &screen.evidence {
        push(&mut out, "", 0, line);
    }
    out
}

fn actions_heading(screen: &FirstScreen) -> String {
    let what = match &screen.together {
        Some(together) => format!("What you can change ({together})"),
        None => "What you can change".to_owned(),
    };
    let column = COLUMNS - SAVES.len();
    format!("{what:<column$}{SAVES}\n")
}

fn push_action(out: &mut String, number: usize, action: &Action) {
    let width = COLUMNS - SAVING - 3;
    let title = wrapped(&action.title, width);
    for (index, line) in title.lines().enumerate() {
        *out += &match index {
            0 => format!("{number:<3}{line:<width$}{:>SAVING$}\n", action.saving()),
            _ => format!("   {line}\n"),
        };
    }
    for line in &action.lines {
        // Lines to paste must not be wrapped.
        match line.is_code {
            true => *out += &format!("     {}\n", line.text),
            false => push(out, "     ", 7, &line.text),
        }
    }
    if !action.loses.is_empty() {
        push(out, "     ", 7, &action.loses);
    }
}

/// Adds a wrapped paragraph after `start`, with later lines indented.
fn push(out: &mut String, start: &str, indent: usize, text: &str) {
    let width = COLUMNS.saturating_sub(start.chars().count().max(indent));
    for (index, line) in wrapped(text, width).lines().enumerate() {
        *out += &match index {
            0 => format!("{start}{line}\n"),
            _ => format!("{:indent$}{line}\n", ""),
        };
    }
}
