//! A review line by line, for terminals unable to draw a screen. Uses the same keys, each followed by Enter.

use std::io::{self, BufRead, Write};

use console::Key;

use super::questions::Question;
use super::screen::{change, title};
use super::state::{Extent, KeyEffect, ReviewState};
use super::{Review, TerminalSettings};
use crate::cli::suite::count;

/// Most rows of a change to show at once.
const SHOWN_ROWS: usize = 40;

/// Asks until everything is decided, the reviewer quits or the input ends.
pub(super) fn ask(
    review: &mut Review,
    terminal: TerminalSettings,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut is_shown = false;
    loop {
        let Some(question) = review.questions.question(review.state.at()) else {
            if takes_back(review, input, out)? {
                continue;
            }
            return Ok(());
        };
        if !is_shown {
            show_change(review, question, terminal, out)?;
        }
        let prompt = "accept, reject, skip, accept All, undo, open or quit? [a/r/s/A/u/o/q] ";
        let Some(answer) = read_answer(prompt, input, out)? else { return Ok(()) };
        // Enter alone skips a question.
        let key = answer.trim().chars().next().unwrap_or('s');
        if key == 'o' {
            list_snapshots(question, out)?;
        }
        is_shown = !matches!(key, 'a' | 'r' | 's' | 'A' | 'u');
        if !matches!(key, 'a' | 'r' | 's' | 'A' | 'u' | 'q') {
            continue;
        }
        if matches!(
            review.press(&Key::Char(key), Extent::default())?,
            KeyEffect::Leave | KeyEffect::Interrupt
        ) {
            return Ok(());
        }
    }
}

/// After all decisions, asks whether to undo the last one.
fn takes_back(review: &mut Review, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<bool> {
    let answer = read_answer("\nall decided: undo or quit? [u/q] ", input, out)?;
    let takes_back = answer.is_some_and(|answer| answer.trim().starts_with('u'));
    if takes_back {
        review.press(&Key::Char('u'), Extent::default())?;
    }
    Ok(takes_back)
}

/// The reviewer's reply to a prompt. `None` at the end of the input.
fn read_answer(prompt: &str, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<Option<String>> {
    out.write_all(prompt.as_bytes())?;
    out.flush()?;
    let mut answer = String::new();
    Ok((input.read_line(&mut answer)? > 0).then_some(answer))
}

fn show_change(
    review: &Review,
    question: Question<'_>,
    terminal: TerminalSettings,
    out: &mut impl Write,
) -> io::Result<()> {
    let state: &ReviewState = &review.state;
    writeln!(out)?;
    let rows = change(&review.questions, state, question, terminal.size.columns);
    let head = std::iter::once(title(&review.questions, state, question));
    for row in head.chain(rows.iter().take(SHOWN_ROWS).cloned()) {
        writeln!(out, "{}", terminal.color.row(&row))?;
    }
    if rows.len() > SHOWN_ROWS {
        writeln!(out, "  … {}", count(rows.len() - SHOWN_ROWS, "more line"))?;
    }
    Ok(())
}

/// Prints the snapshots affected by a change.
fn list_snapshots(question: Question<'_>, out: &mut impl Write) -> io::Result<()> {
    question.keys().iter().try_for_each(|key| writeln!(out, "  {key}"))
}
