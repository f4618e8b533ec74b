//! `ptc-eval review`: goes through changed requests. A change in many snapshots is one question. This file drives the terminal; the others
//! are independent of it.

mod files;
mod prompt;
mod questions;
mod screen;
mod state;

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use console::{Key, Term};

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::input::{holds_logs, other_input};
use super::interrupt;
use super::suite::{ScenarioChoice, beside, count, for_shell};
use super::terminal::{Color, write_painted};
use crate::report::change::change_rows;
use crate::scenario::files::refuse_link;
use crate::snapshot::store::Store;
use files::{DecisionFiles, ReviewSummary};
use questions::{Decision, Questions};
use screen::{Size, screen};
use state::{Extent, KeyEffect, ReviewState};

/// In a smaller terminal, questions are asked line by line.
const SMALLEST: Size = Size { rows: 16, columns: 60 };
/// Assumed size if the terminal reports none.
const USUAL: Size = Size { rows: 24, columns: 80 };

const ENTER_SCREEN: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE_SCREEN: &str = "\x1b[?25h\x1b[?1049l";

#[derive(Args)]
pub(super) struct ReviewArguments {
    #[command(flatten)]
    choice: ScenarioChoice,
    /// Print every change and accept nothing
    #[arg(long)]
    print: bool,
    /// Accept everything
    #[arg(long, conflicts_with_all = ["print", "reject_all"])]
    accept_all: bool,
    /// Reject everything
    #[arg(long, conflicts_with = "print")]
    reject_all: bool,
    /// Folder of snapshots; default: `snapshots` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
}

/// Set by Ctrl-C while the program is not waiting for a key.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &ReviewArguments, color: Color) -> CliResult {
    for path in &arguments.choice.paths {
        if holds_logs(path)? {
            let instead = format!(
                "ptc-eval import {} makes a suite of it, which has snapshots",
                for_shell(&path.display().to_string())
            );
            return Err(other_input(path, "a suite", instead).unwrap_or(CliError::ScenariosOnStandardInput));
        }
    }
    let suite = arguments.choice.open()?;
    let folder = match &arguments.snapshot_dir {
        Some(folder) => folder.clone(),
        None => {
            let folder = beside(&suite.root, "snapshots");
            refuse_link(&folder)?;
            folder
        }
    };
    let review = Review::open(Store::new(folder), &beside(&suite.root, "reports"));
    Ok(review?.go(arguments, color)?)
}

/// A review in progress.
struct Review {
    questions: Questions,
    state: ReviewState,
    files: DecisionFiles,
}

#[derive(Clone, Copy)]
struct TerminalSettings {
    size: Size,
    color: Color,
}

impl Review {
    fn open(store: Store, reports: &Path) -> io::Result<Review> {
        let questions = Questions::read(&store, reports)?;
        Ok(Review { questions, state: ReviewState::default(), files: DecisionFiles::new(store) })
    }

    fn go(mut self, arguments: &ReviewArguments, color: Color) -> io::Result<Exit> {
        if self.questions.len() == 0 {
            outln!("nothing to review");
            return Ok(Exit::Success);
        }
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if arguments.accept_all {
            self.decide_all(Decision::Accepted)?;
        } else if arguments.reject_all {
            self.decide_all(Decision::Rejected)?;
        } else if arguments.print || !is_terminal {
            self.print(color);
            return Ok(Exit::Failed);
        } else {
            self.converse(color)?;
        }
        self.files.sync()?;
        Ok(self.conclude())
    }

    fn decide_all(&mut self, decision: Decision) -> io::Result<()> {
        self.state.decisions = vec![decision; self.questions.len()];
        (0..self.questions.len())
            .try_for_each(|number| self.files.put(&self.questions, number, &self.state.decisions))
    }

    fn print(&self, color: Color) {
        for (number, key) in self.questions.new.iter().enumerate() {
            outln!("{} of {}: new snapshot {key}", number + 1, self.questions.len());
        }
        for (number, change) in self.questions.changes.iter().enumerate() {
            outln!();
            for row in change_rows(number + 1, &change.change, &self.questions.models) {
                write_painted(&(color.row(&row) + "\n"));
            }
        }
    }

    fn converse(&mut self, color: Color) -> io::Result<()> {
        let term = Term::stdout();
        match size_of(&term) {
            Some(_) => {
                interrupt::handle(|| INTERRUPT.store(true, Ordering::Relaxed));
                self.draw_and_ask(&term, color)
            }
            // While `read_line` blocks, Ctrl-C must end the process.
            None => {
                let terminal = TerminalSettings { size: USUAL, color };
                prompt::ask(self, terminal, &mut io::stdin().lock(), &mut io::stdout())
            }
        }
    }

    fn draw_and_ask(&mut self, term: &Term, color: Color) -> io::Result<()> {
        let _screen = AlternateScreen::enter(term)?;
        while !INTERRUPT.load(Ordering::Relaxed) {
            let terminal = TerminalSettings { size: size_of(term).unwrap_or(SMALLEST), color };
            let extent = self.draw(term, terminal)?;
            let key = match term.read_key_raw() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                key => key?,
            };
            match self.press(&key, extent)? {
                KeyEffect::Stay | KeyEffect::Put(_) => {}
                KeyEffect::Leave => return Ok(()),
                KeyEffect::Interrupt => INTERRUPT.store(true, Ordering::Relaxed),
            }
        }
        Ok(())
    }

    /// Handles a key. `A` accepts all remaining questions one by one, so each can be undone.
    fn press(&mut self, key: &Key, extent: Extent) -> io::Result<KeyEffect> {
        if *key == Key::Char('A') && !self.state.shows_help {
            while self.state.at() < self.questions.len() {
                self.press(&Key::Char('a'), extent)?;
            }
            return Ok(KeyEffect::Stay);
        }
        let effect = self.state.press(key, &self.questions, extent);
        if let KeyEffect::Put(number) = effect {
            self.files.put(&self.questions, number, &self.state.decisions)?;
        }
        Ok(effect)
    }

    /// Redraws the screen in one write, to avoid flicker.
    fn draw(&self, term: &Term, terminal: TerminalSettings) -> io::Result<Extent> {
        let screen = screen(&self.questions, &self.state, terminal.size);
        let mut text = "\x1b[H".to_string();
        for (index, row) in screen.rows.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\r\n" };
            let _ = write!(text, "{line_break}{}\x1b[K", terminal.color.row(row));
        }
        text.push_str("\x1b[J");
        term.write_str(&text)?;
        Ok(screen.extent)
    }

    fn conclude(&self) -> Exit {
        let summary = ReviewSummary::of(&self.questions, &self.state.decisions);
        outln!("{summary}");
        match summary.left {
            _ if INTERRUPT.load(Ordering::Relaxed) => Exit::Interrupted,
            0 => Exit::Success,
            _ => Exit::Failed,
        }
    }
}

/// `3 snapshots accepted, 1 rejected, 2 left for later`
impl fmt::Display for ReviewSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReviewSummary { accepted, rejected, left } = self;
        let accepted = count(*accepted, "snapshot");
        write!(f, "{accepted} accepted, {rejected} rejected, {left} left for later")
    }
}

/// The terminal's size, if it is large enough to draw on and not dumb.
fn size_of(term: &Term) -> Option<Size> {
    let is_dumb = std::env::var("TERM").is_ok_and(|name| name == "dumb");
    let (rows, columns) = term.size_checked().filter(|_| !is_dumb)?;
    let size = Size { rows: rows.into(), columns: columns.into() };
    (size.rows >= SMALLEST.rows && size.columns >= SMALLEST.columns).then_some(size)
}

/// The terminal's alternate screen. Dropping it returns to the normal one, however the review ends.
struct AlternateScreen<'t>(&'t Term);

impl AlternateScreen<'_> {
    fn enter(term: &Term) -> io::Result<AlternateScreen<'_>> {
        term.write_str(ENTER_SCREEN)?;
        Ok(AlternateScreen(term))
    }
}

impl Drop for AlternateScreen<'_> {
    fn drop(&mut self) {
        let _ = self.0.write_str(LEAVE_SCREEN);
    }
}
