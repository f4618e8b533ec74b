//! `ptc-eval run`, the main job: replay, measure, compare with snapshots and expectations, write reports.

mod arguments;
mod closing;
mod prepare;
mod replaying;
mod watch;

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub(super) use arguments::Arguments;

use super::broken::BrokenStrategies;
use super::exit::Exit;
use super::failures::Failures;
use super::judge::{exit_of, judge};
use super::progress::Progress;
use super::snapshots::{Mode, Shelf, Snapshots};
use super::suite::nothing_selected;
use super::terminal::{Color, INTERRUPTED, Paint, write_painted};
use super::token_cache::KeptTokenizer;
use crate::replay::{Plan, Pool};
use crate::report::verdicts::Unreadable;
use crate::report::{Against, FailedNames, Header, ReportFolder, Tally};
use crate::scenario::suite::Suite;
use crate::scenario::{Names, Selection, reason};
pub(super) use arguments::Format;
pub(super) use closing::Closing;

/// Set by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &Arguments, color: Color) -> ExitCode {
    // Without a handler Ctrl-C ends the process at once, which leaves whole files too.
    // Who asks twice does not want to wait for the scenarios that are on their way.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPT.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    if let Some(contradiction) = arguments.contradiction() {
        errln!("error: {contradiction}");
        return Exit::Unreadable.into();
    }
    match arguments.watch {
        true => watch::watch(arguments, || run_once(arguments, color)),
        false => run_once(arguments, color),
    }
}

fn run_once(arguments: &Arguments, color: Color) -> ExitCode {
    let started = Instant::now();
    match Run::prepare(arguments, color).and_then(Run::go) {
        Ok(_) if INTERRUPT.load(Ordering::Relaxed) => {
            errln!("interrupted: snapshots so far are kept, reports are as they were");
            ExitCode::from(INTERRUPTED)
        }
        Ok(exit) => {
            if arguments.format == Format::Human && !arguments.quiet {
                let took = format!("{:.2} s", started.elapsed().as_secs_f64());
                write_painted(&(color.paint(Paint::Quiet, &took) + "\n"));
            }
            exit.into()
        }
        Err(message) => {
            err!("{message}");
            Exit::Unreadable.into()
        }
    }
}

/// Everything that a run needs, checked.
struct Run<'a> {
    arguments: &'a Arguments,
    color: Color,
    suite: Suite,
    selection: Selection,
    plan: Plan,
    tokenizer: KeptTokenizer,
    /// What all reports begin with.
    header: Header,
    pool: Pool,
    report_dir: PathBuf,
    /// What a complete run is compared with.
    against: Option<Against>,
    shelf: Shelf,
    /// All scenarios and strategies of the suite, or a shard of that, with no option changed.
    is_complete: bool,
    /// An option of the command line changes what strategies render or tokens count.
    is_overridden: bool,
    /// What failed before; none for standard input.
    failed: Option<FailedNames>,
    /// Every scenario of the suite is looked at, though perhaps under some strategies only.
    looks_at_all: bool,
}

/// What a run has found so far.
struct Findings {
    tally: Tally,
    snapshots: Snapshots,
    names: Names,
    folder: ReportFolder,
    progress: Progress,
    unreadable: Vec<Unreadable>,
    failures: Failures,
    broken: BrokenStrategies,
    failed: Option<FailedNames>,
}

impl Run<'_> {
    fn go(self) -> Result<Exit, String> {
        if self.selection.names.as_ref().is_some_and(BTreeSet::is_empty) {
            errln!("nothing failed in the last run");
            return Ok(Exit::NothingSelected);
        }
        let mut findings = self.begin().map_err(|error| self.cannot_write(&error))?;
        self.replay_all(&mut findings)?;
        findings.progress.end();
        if INTERRUPT.load(Ordering::Relaxed) {
            return Ok(Exit::Failed);
        }
        self.keep_failed(&findings).map_err(|error| self.cannot_write(&error))?;
        let is_empty = findings.tally.is_empty() && findings.unreadable.is_empty();
        if is_empty && self.arguments.shard.is_none() {
            return Ok(self.nothing_selected());
        }
        self.conclude(findings)
    }

    fn nothing_selected(&self) -> Exit {
        if !self.arguments.reads_standard_input() {
            return nothing_selected(&self.suite, &self.selection);
        }
        errln!(
            "no scenario on standard input is selected; each line is one, as JSON: ptc-eval schema scenario"
        );
        Exit::NothingSelected
    }

    fn conclude(&self, findings: Findings) -> Result<Exit, String> {
        let Findings { tally, mut snapshots, folder, unreadable, failures, broken, .. } = findings;
        let mut comparison = tally.compare();
        comparison.verdicts.unreadable = unreadable;
        let end = || {
            if self.is_complete {
                comparison.verdicts.snapshots.extend(snapshots.take_system_prompt()?);
            }
            if comparison.is_judged() {
                comparison.verdicts.snapshots.extend(snapshots.take_orphans()?);
                judge(&mut comparison, self.against.clone(), &self.report_dir, self.is_locked())?;
            }
            folder.finish(&comparison)
        };
        end().map_err(|error| self.cannot_write(&error))?;
        let closing = Closing {
            format: self.arguments.format,
            is_quiet: self.arguments.quiet,
            color: self.color,
            report_dir: &self.report_dir,
            comparison: &comparison,
            snapshots: snapshots.report(),
            same_snapshots: snapshots.same(),
            failures,
            broken: broken.lines(),
            exit: exit_of(&comparison),
            is_locked: self.is_locked(),
        };
        closing.tell();
        Ok(closing.exit)
    }

    fn is_locked(&self) -> bool {
        self.shelf.mode == Mode::Locked
    }

    /// Leaves the names of what failed for the next run.
    fn keep_failed(&self, findings: &Findings) -> io::Result<()> {
        let Some(failed) = &findings.failed else { return Ok(()) };
        failed.write(&match self.arguments.keeps_strategies() {
            false => failed.with_all(),
            true if self.looks_at_all => failed.without_missing(),
            true => failed.without_fine(),
        })
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        let (reports, snapshots) = (self.report_dir.display(), self.shelf.store.folder.display());
        let reason = reason(error);
        format!(
            "error: cannot read and write what belongs in {reports} and {snapshots}: {reason}\n  = help: --report-dir and --snapshot-dir name other folders\n"
        )
    }
}
