//! A review line by line, for terminals that cannot draw a screen. The same keys, each followed by Enter.

use std::io::{self, BufRead, Write};

use console::Key;

use super::questions::{Question, Questions};
use super::screen::{Size, change, cost, title};
use super::state::{Extent, KeyEffect, ReviewState};
use super::{Review, TerminalSettings};
use crate::cli::suite::count;

/// Rows of a change that are shown at once.
const SHOWN_ROWS: usize = 40;

/// Asks until everything is decided, the reviewer leaves or the input ends.
pub(super) fn ask(
    review: &mut Review,
    terminal: TerminalSettings,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut is_told = false;
    loop {
        let Some(question) = review.questions.question(review.state.at()) else {
            if takes_back(review, input, out)? {
                continue;
            }
            return Ok(());
        };
        if !is_told {
            review.impacts.of(&review.questions, review.state.at());
            tell(review, question, terminal, out)?;
        }
        write!(out, "accept, reject, skip, undo, open or quit? [a/r/s/u/o/q] ")?;
        out.flush()?;
        let mut answer = String::new();
        if input.read_line(&mut answer)? == 0 {
            return Ok(());
        }
        let key = answer.trim().chars().next().unwrap_or('s');
        if key == 'o' {
            list(&review.questions, question, out)?;
        }
        is_told = !matches!(key, 'a' | 'r' | 's' | 'u');
        if !matches!(key, 'a' | 'r' | 's' | 'u' | 'q') {
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

/// Asks, when all is decided, whether the last decision is undone.
fn takes_back(review: &mut Review, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<bool> {
    write!(out, "\nall decided: undo or quit? [u/q] ")?;
    out.flush()?;
    let mut answer = String::new();
    let takes_back = input.read_line(&mut answer)? > 0 && answer.trim().starts_with('u');
    if takes_back {
        review.press(&Key::Char('u'), Extent::default())?;
    }
    Ok(takes_back)
}

fn tell(
    review: &Review,
    question: Question<'_>,
    terminal: TerminalSettings,
    out: &mut impl Write,
) -> io::Result<()> {
    let state: &ReviewState = &review.state;
    let impact = review.impacts.known(state.at());
    let size = Size { rows: SHOWN_ROWS, ..terminal.size };
    writeln!(out)?;
    let rows = change(&review.questions, state, question, size.columns);
    let head = std::iter::once(title(&review.questions, state, question)).chain(cost(impact, question, size));
    for row in head.chain(rows.iter().take(SHOWN_ROWS).cloned()) {
        writeln!(out, "{}", terminal.color.row(&row))?;
    }
    if rows.len() > SHOWN_ROWS {
        writeln!(out, "  … {}", count(rows.len() - SHOWN_ROWS, "more line"))?;
    }
    Ok(())
}

/// The snapshots in which a cause shows.
fn list(questions: &Questions, question: Question<'_>, out: &mut impl Write) -> io::Result<()> {
    questions.keys(question).iter().try_for_each(|key| writeln!(out, "  {key}"))
}
