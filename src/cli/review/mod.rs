//! `ptc-eval review`: goes through changed snapshots by cause. A change that shows in many snapshots is
//! one question. This file is about the terminal; what a key does and what is shown is said elsewhere.

mod desk;
mod prompt;
mod screen;
mod session;
mod subject;
#[cfg(test)]
mod tests;
mod weigh;

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use console::{Key, Term};

use super::exit::Exit;
use super::suite::{Choice, beside, count, report};
use super::terminal::{Color, INTERRUPTED, write_painted};
use crate::scenario::Suite;
use crate::snapshot::store::Store;
use desk::{Desk, Summary};
use screen::{Size, screen, title};
use session::{Extent, Session, Step};
use subject::{Decision, Question, Subject};
use weigh::Scales;

/// A smaller terminal gets no screen but lines.
const SMALLEST: Size = Size { rows: 16, columns: 60 };
/// What a line is cut at where nothing says how wide it may be.
const USUAL: Size = Size { rows: 24, columns: 80 };

const ENTER_SCREEN: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE_SCREEN: &str = "\x1b[?25h\x1b[?1049l";

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Print every change by cause and change nothing
    #[arg(long)]
    print: bool,
    /// Accept everything
    #[arg(long, conflicts_with_all = ["print", "reject_all"])]
    accept_all: bool,
    /// Reject everything
    #[arg(long, conflicts_with = "print")]
    reject_all: bool,
    /// Where the snapshots lie; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
}

/// Set by Ctrl-C while no key is awaited.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &Arguments, color: Color) -> ExitCode {
    let suite = match arguments.choice.open() {
        Ok(suite) => suite,
        Err(error) => {
            report(&error);
            return Exit::Unreadable.into();
        }
    };
    let folder = arguments.snapshot_dir.clone().unwrap_or_else(|| beside(&suite.root, "snapshots"));
    match Review::open(Store { folder }, suite).and_then(|review| review.go(arguments, color)) {
        Ok(exit) => exit,
        Err(error) => {
            errln!("error: {error}");
            Exit::Unreadable.into()
        }
    }
}

/// A review with everything that it works on.
struct Review {
    subject: Subject,
    session: Session,
    desk: Desk,
    scales: Scales,
}

/// What is known of the terminal.
#[derive(Clone, Copy)]
struct Terminal {
    size: Size,
    color: Color,
}

impl Review {
    fn open(store: Store, suite: Suite) -> io::Result<Review> {
        Ok(Review {
            subject: Subject::read(&store)?,
            session: Session::default(),
            desk: Desk::new(store),
            scales: Scales::new(suite),
        })
    }

    fn go(mut self, arguments: &Arguments, color: Color) -> io::Result<ExitCode> {
        if self.subject.len() == 0 {
            outln!("nothing to review");
            return Ok(Exit::Success.into());
        }
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if arguments.accept_all {
            self.decide_all(Decision::Accepted)?;
        } else if arguments.reject_all {
            self.decide_all(Decision::Rejected)?;
        } else if arguments.print || !is_terminal {
            self.print(color);
            return Ok(Exit::Failed.into());
        } else {
            self.converse(color)?;
        }
        Ok(self.conclude())
    }

    fn decide_all(&mut self, decision: Decision) -> io::Result<()> {
        self.session.decisions = vec![decision; self.subject.len()];
        (0..self.subject.len())
            .try_for_each(|number| self.desk.put(&self.subject, number, &self.session.decisions))
    }

    fn print(&self, color: Color) {
        for (number, pending) in self.subject.new.iter().enumerate() {
            outln!("{} of {}: new snapshot {}", number + 1, self.subject.len(), pending.key);
        }
        for (number, cause) in self.subject.causes.iter().enumerate() {
            let decisions = vec![Decision::Skipped; self.subject.new.len() + number];
            let session = Session { decisions, ..Session::default() };
            let question = Question::Cause(cause);
            outln!("\n{}", title(&self.subject, &session, question));
            for row in screen::change(&self.subject, &session, question, USUAL.columns) {
                write_painted(&(color.row(&row) + "\n"));
            }
        }
    }

    fn converse(&mut self, color: Color) -> io::Result<()> {
        let _ = ctrlc::set_handler(|| INTERRUPT.store(true, Ordering::Relaxed));
        let term = Term::stdout();
        match size_of(&term) {
            Some(_) => self.draw_and_ask(&term, color),
            None => {
                let terminal = Terminal { size: USUAL, color };
                prompt::ask(self, terminal, &mut io::stdin().lock(), &mut io::stdout())
            }
        }
    }

    fn draw_and_ask(&mut self, term: &Term, color: Color) -> io::Result<()> {
        let _screen = AlternateScreen::enter(term)?;
        while !INTERRUPT.load(Ordering::Relaxed) {
            let terminal = Terminal { size: size_of(term).unwrap_or(SMALLEST), color };
            let mut extent = self.draw(term, terminal)?;
            if self.scales.known(self.session.at()).is_none()
                && self.scales.weigh(&self.subject, self.session.at()).is_some()
            {
                extent = self.draw(term, terminal)?;
            }
            let key = match term.read_key_raw() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                key => key?,
            };
            match self.press(&key, extent)? {
                Step::Stay | Step::Put(_) => {}
                Step::Leave => return Ok(()),
                Step::Interrupt => INTERRUPT.store(true, Ordering::Relaxed),
            }
        }
        Ok(())
    }

    /// Does what a key means.
    fn press(&mut self, key: &Key, extent: Extent) -> io::Result<Step> {
        let step = self.session.press(key, &self.subject, extent);
        if let Step::Put(number) = step {
            self.desk.put(&self.subject, number, &self.session.decisions)?;
        }
        Ok(step)
    }

    /// Draws over what is there, in one write, so that nothing flickers.
    fn draw(&self, term: &Term, terminal: Terminal) -> io::Result<Extent> {
        let impact = self.scales.known(self.session.at());
        let screen = screen(&self.subject, &self.session, impact, terminal.size);
        let mut text = "\x1b[H".to_string();
        for (index, row) in screen.rows.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\r\n" };
            let _ = write!(text, "{line_break}{}\x1b[K", terminal.color.row(row));
        }
        text.push_str("\x1b[J");
        term.write_str(&text)?;
        Ok(screen.extent)
    }

    fn conclude(&self) -> ExitCode {
        let summary = Summary::of(&self.subject, &self.session.decisions);
        outln!("{summary}");
        if INTERRUPT.load(Ordering::Relaxed) {
            return ExitCode::from(INTERRUPTED);
        }
        if summary.left > 0 { Exit::Failed.into() } else { Exit::Success.into() }
    }
}

/// `3 snapshots accepted, 1 rejected, 2 left for later`
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { accepted, rejected, left } = self;
        let accepted = count(*accepted, "snapshot");
        write!(f, "{accepted} accepted, {rejected} rejected, {left} left for later")
    }
}

/// The size of a terminal on which a screen can be drawn.
fn size_of(term: &Term) -> Option<Size> {
    let is_dumb = std::env::var("TERM").is_ok_and(|name| name == "dumb");
    let (rows, columns) = term.size_checked().filter(|_| !is_dumb)?;
    let size = Size { rows: rows.into(), columns: columns.into() };
    (size.rows >= SMALLEST.rows && size.columns >= SMALLEST.columns).then_some(size)
}

/// The screen that terminals keep beside the one with the history; left again however the review ends.
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
