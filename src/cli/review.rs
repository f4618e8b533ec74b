//! `ptc-eval review`: goes through changed snapshots by cause. A change that shows in many snapshots is
//! one question.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use super::exit::Exit;
use super::suite::{Choice, beside, report};
use super::terminal::Color;
use crate::snapshot::cause::{Cause, Change, causes};
use crate::snapshot::store::{Pending, Store};

/// How many lines of a diff are shown at once.
const SHOWN_LINES: usize = 40;

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

/// What the reviewer says of one change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Accepted,
    Rejected,
    Skipped,
}

pub(super) fn run(arguments: &Arguments, color: Color) -> Exit {
    let suite = match arguments.choice.open() {
        Ok(suite) => suite,
        Err(error) => {
            report(&error);
            return Exit::Unreadable;
        }
    };
    let folder = arguments.snapshot_dir.clone().unwrap_or_else(|| beside(&suite, "snapshots"));
    match Review::open(Store { folder }, color).and_then(|review| review.go(arguments)) {
        Ok(exit) => exit,
        Err(error) => {
            errln!("error: {error}");
            Exit::Unreadable
        }
    }
}

struct Review {
    store: Store,
    color: Color,
    /// New snapshots stand first, then the changed ones.
    new: Vec<Pending>,
    changes: Vec<Change>,
    causes: Vec<Cause>,
}

impl Review {
    fn open(store: Store, color: Color) -> io::Result<Review> {
        let (new, changed): (Vec<Pending>, Vec<Pending>) =
            store.pending()?.into_iter().partition(|pending| pending.old.is_none());
        let change =
            |pending: Pending| Change::new(pending.key, pending.old.unwrap_or_default(), pending.new);
        let changes: Vec<Change> = changed.into_iter().map(change).collect();
        let causes = causes(&changes);
        Ok(Review { store, color, new, changes, causes })
    }

    fn go(&self, arguments: &Arguments) -> io::Result<Exit> {
        if self.new.is_empty() && self.changes.is_empty() {
            outln!("nothing to review");
            return Ok(Exit::Success);
        }
        let (new, hunks) = if arguments.accept_all {
            self.all(Decision::Accepted)
        } else if arguments.reject_all {
            self.all(Decision::Rejected)
        } else if arguments.print || !io::stdin().is_terminal() {
            return self.print();
        } else {
            self.ask()?
        };
        self.apply(&new, &hunks)
    }

    fn all(&self, decision: Decision) -> (Vec<Decision>, Vec<Decision>) {
        (vec![decision; self.new.len()], vec![decision; self.causes.len()])
    }

    fn print(&self) -> io::Result<Exit> {
        let mut out = io::stdout().lock();
        for pending in &self.new {
            writeln!(out, "new snapshot {}", pending.key)?;
        }
        for (index, cause) in self.causes.iter().enumerate() {
            writeln!(out, "{}", self.title(index, cause))?;
            self.write_diff(&mut out, cause, usize::MAX)?;
        }
        Ok(Exit::Failed)
    }

    fn title(&self, index: usize, cause: &Cause) -> String {
        let (change, _) = cause.members.first().copied().unwrap_or_default();
        let first = self.changes.get(change).map_or("", |change| change.key.as_str());
        let count = cause.snapshots();
        let places = if count == 1 { first.to_string() } else { format!("{count} snapshots, first {first}") };
        format!("\ncause {} of {}: {places}", index + 1, self.causes.len())
    }

    fn write_diff(&self, out: &mut impl Write, cause: &Cause, most: usize) -> io::Result<()> {
        let Some((change, hunk)) = cause.members.first().copied() else { return Ok(()) };
        let lines = self.changes.get(change).map(|change| change.diff(hunk)).unwrap_or_default();
        for line in lines.iter().take(most) {
            writeln!(out, "{}", self.color.diff_line(line))?;
        }
        if lines.len() > most {
            writeln!(out, "  … {} more lines", lines.len() - most)?;
        }
        Ok(())
    }

    /// Asks about each new snapshot and each cause. End of input skips the rest.
    fn ask(&self) -> io::Result<(Vec<Decision>, Vec<Decision>)> {
        let mut answers = io::stdin().lock().lines();
        let mut out = io::stdout();
        let (mut new, mut hunks) = (Vec::new(), Vec::new());
        for pending in &self.new {
            writeln!(out, "\nnew snapshot {}", pending.key)?;
            for line in pending.new.lines().take(SHOWN_LINES) {
                writeln!(out, "+ {line}")?;
            }
            new.push(ask_once(&mut out, &mut answers)?);
        }
        for (index, cause) in self.causes.iter().enumerate() {
            writeln!(out, "{}", self.title(index, cause))?;
            self.write_diff(&mut out, cause, SHOWN_LINES)?;
            hunks.push(ask_once(&mut out, &mut answers)?);
        }
        Ok((new, hunks))
    }

    /// Writes what was decided. A snapshot with anything skipped stays pending.
    fn apply(&self, new: &[Decision], by_cause: &[Decision]) -> io::Result<Exit> {
        let (mut accepted, mut rejected, mut skipped) = (0, 0, 0);
        for (pending, decision) in self.new.iter().zip(new) {
            match decision {
                Decision::Accepted => {
                    self.store.accept_body(&pending.key, &pending.new)?;
                    self.store.forget_pending(&pending.key)?;
                    accepted += 1;
                }
                Decision::Rejected => {
                    self.store.forget_pending(&pending.key)?;
                    rejected += 1;
                }
                Decision::Skipped => skipped += 1,
            }
        }
        for (index, change) in self.changes.iter().enumerate() {
            let decisions = self.decisions_for(index, change, by_cause);
            if decisions.contains(&Decision::Accepted) {
                let body = change.with_hunks(|hunk| decisions.get(hunk) == Some(&Decision::Accepted));
                self.store.accept_body(&change.key, &body)?;
                accepted += 1;
            } else if !decisions.contains(&Decision::Skipped) {
                rejected += 1;
            }
            if decisions.contains(&Decision::Skipped) {
                skipped += 1;
            } else {
                self.store.forget_pending(&change.key)?;
            }
        }
        outln!("\n{accepted} snapshots accepted, {rejected} rejected, {skipped} left for later");
        Ok(if skipped > 0 { Exit::Failed } else { Exit::Success })
    }

    /// What was decided about each hunk of a change.
    fn decisions_for(&self, index: usize, change: &Change, by_cause: &[Decision]) -> Vec<Decision> {
        let mut decisions = vec![Decision::Skipped; change.hunks.len()];
        for (cause, decision) in self.causes.iter().zip(by_cause) {
            for (_, hunk) in cause.members.iter().filter(|(member, _)| *member == index) {
                if let Some(place) = decisions.get_mut(*hunk) {
                    *place = *decision;
                }
            }
        }
        decisions
    }
}

fn ask_once(out: &mut impl Write, answers: &mut io::Lines<io::StdinLock<'_>>) -> io::Result<Decision> {
    loop {
        write!(out, "accept, reject or skip? [a/r/s] ")?;
        out.flush()?;
        let Some(answer) = answers.next().transpose()? else { return Ok(Decision::Skipped) };
        match answer.trim() {
            "a" | "accept" => return Ok(Decision::Accepted),
            "r" | "reject" => return Ok(Decision::Rejected),
            "s" | "skip" | "" => return Ok(Decision::Skipped),
            _ => {}
        }
    }
}
