//! `ptc-eval run`, the main job: replay, measure, compare with snapshots and expectations, write reports.

mod arguments;
mod closing;
mod prepare;
mod replaying;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub(super) use arguments::Arguments;

use super::broken::BrokenStrategies;
use super::exit::Exit;
use super::snapshots::Snapshots;
use super::terminal::{Color, INTERRUPTED, Paint};
use crate::replay::{Plan, Pool};
use crate::report::comparison::Comparison;
use crate::report::{ReportFolder, Tally, crossed, stale, write_committed};
use crate::scenario::suite::{Bound, Suite};
use crate::scenario::{Names, Selection};
use crate::tokens::{Price, Tokenizer};
use arguments::Format;
use closing::Closing;

/// Set by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &Arguments, color: Color) -> ExitCode {
    let started = Instant::now();
    // Without a handler Ctrl-C ends the process at once, which leaves whole files too.
    let _ = ctrlc::set_handler(|| INTERRUPT.store(true, Ordering::Relaxed));
    match Run::prepare(arguments, color).and_then(Run::go) {
        Ok(_) if INTERRUPT.load(Ordering::Relaxed) => {
            errln!("interrupted: snapshots so far are kept, reports are as they were");
            ExitCode::from(INTERRUPTED)
        }
        Ok(exit) => {
            if arguments.format == Format::Human && !arguments.quiet {
                outln!("{}", color.paint(Paint::Quiet, &format!("{:.2} s", started.elapsed().as_secs_f64())));
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
    tokenizer: Tokenizer,
    models: Vec<Price>,
    pool: Pool,
    report_dir: PathBuf,
    snapshot_dir: PathBuf,
    is_locked: bool,
    is_whole: bool,
    /// An option of the command line changes what strategies render or tokens count.
    is_overridden: bool,
}

/// What a run has found so far.
struct Findings {
    tally: Tally,
    snapshots: Snapshots,
    names: Names,
    folder: ReportFolder,
    replayed: usize,
    unreadable: usize,
    failures: Vec<String>,
    broken: BrokenStrategies,
}

impl Run<'_> {
    fn go(self) -> Result<Exit, String> {
        let mut findings = self.begin().map_err(|error| self.cannot_write(&error))?;
        self.replay_all(&mut findings)?;
        if INTERRUPT.load(Ordering::Relaxed) {
            return Ok(Exit::Failed);
        }
        if findings.replayed == 0 && findings.unreadable == 0 {
            errln!("no scenario matches the selection; ptc-eval list scenarios shows what there is");
            return Ok(Exit::NothingSelected);
        }
        self.conclude(findings)
    }

    fn conclude(&self, findings: Findings) -> Result<Exit, String> {
        let Findings { tally, mut snapshots, folder, replayed, unreadable, failures, broken, .. } = findings;
        let is_judged = self.is_whole && !self.is_overridden && unreadable == 0 && broken.is_empty();
        if is_judged {
            snapshots.finish_suite().map_err(|error| self.cannot_write(&error))?;
        }
        let comparison = tally.compare();
        folder.finish(&comparison).map_err(|error| self.cannot_write(&error))?;
        let crossed = if is_judged { self.crossed(&comparison)? } else { Vec::new() };
        let stale = self.committed(&comparison, is_judged).map_err(|error| self.cannot_write(&error))?;
        let exit = [
            (unreadable > 0, Exit::Unreadable),
            (!failures.is_empty() || !crossed.is_empty() || snapshots.has_changed(), Exit::Failed),
            (!broken.is_empty(), Exit::Failed),
            (!stale.is_empty() || snapshots.has_orphans(), Exit::Stale),
            (snapshots.has_new(), Exit::Unreviewed),
        ]
        .into_iter()
        .find_map(|(is_so, exit)| is_so.then_some(exit))
        .unwrap_or(Exit::Success);
        let closing = Closing {
            run: self,
            comparison,
            snapshots,
            replayed,
            unreadable,
            failures,
            broken: broken.lines(),
            crossed,
            stale,
            is_judged,
            exit,
        };
        closing.tell();
        Ok(exit)
    }

    fn crossed(&self, comparison: &Comparison) -> Result<Vec<String>, String> {
        let needs_baseline =
            self.suite.thresholds.iter().any(|row| matches!(row.bound, Bound::MaxIncrease(_)));
        let baseline = if needs_baseline { super::baseline::committed(&self.report_dir) } else { None };
        crossed(comparison, &self.suite.thresholds, baseline.as_deref())
            .map(|crossed| crossed.iter().map(ToString::to_string).collect())
            .map_err(|error| format!("error: {error}\n"))
    }

    /// Writes the committed reports, or says which of them are stale where nothing may be written.
    fn committed(&self, comparison: &Comparison, is_judged: bool) -> io::Result<Vec<&'static str>> {
        if !is_judged {
            return Ok(Vec::new());
        }
        if self.is_locked {
            return stale(&self.report_dir, comparison);
        }
        write_committed(&self.report_dir, comparison)?;
        Ok(Vec::new())
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        let (reports, snapshots) = (self.report_dir.display(), self.snapshot_dir.display());
        format!(
            "error: cannot write to {reports} or {snapshots}: {error}\n  = help: --report-dir and --snapshot-dir name other folders\n"
        )
    }
}
