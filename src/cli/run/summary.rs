//! The output of `ptc-eval run` and `merge` at their end: the table, what failed, a verdict, and what to type next.

use std::path::Path;

use serde_json::json;

use super::Format;
use crate::cli::exit::Exit;
use crate::cli::failures::Failures;
use crate::cli::suite::count;
use crate::cli::terminal::{BAD, Color, GOOD, write_json, write_painted};
use crate::report::verdicts::{SnapshotVerdict, Unreadable};
use crate::report::{Comparison, terminal};
use crate::snapshot::view::Row;

/// Lines of a kind that are listed.
const LISTED: usize = 1_000;

/// The end of a run, or of several that were merged.
pub(in crate::cli) struct RunSummary<'r> {
    pub(in crate::cli) format: Format,
    pub(in crate::cli) is_quiet: bool,
    pub(in crate::cli) color: Color,
    pub(in crate::cli) report_dir: &'r Path,
    pub(in crate::cli) comparison: &'r Comparison,
    /// The changes by cause, and lines about other snapshots.
    pub(in crate::cli) snapshots: Vec<Row>,
    pub(in crate::cli) same_snapshots: usize,
    pub(in crate::cli) failures: Failures,
    pub(in crate::cli) broken: Vec<String>,
    pub(in crate::cli) exit: Exit,
    /// True if nothing was written that could be reviewed.
    pub(in crate::cli) is_locked: bool,
}

impl RunSummary<'_> {
    pub(in crate::cli) fn print(&self) {
        if self.format != Format::Human {
            return write_json(&self.summary());
        }
        if !self.is_quiet && self.comparison.scenarios > 0 {
            outln!("{}", terminal::strategy_table(self.comparison));
        }
        for row in &self.snapshots {
            write_painted(&(self.color.row(row) + "\n"));
        }
        let verdicts = &self.comparison.verdicts;
        self.list("failed:", self.failures.told());
        self.list("strategies that made no requests:", self.broken.iter().map(String::as_str));
        self.list("thresholds crossed:", self.crossed().iter().map(String::as_str));
        for file in &verdicts.stale_reports {
            outln!("{} is stale: run ptc-eval and commit it", self.report_dir.join(file).display());
        }
        let code = if self.exit == Exit::Success { GOOD } else { BAD };
        write_painted(&(self.color.paint(code, &self.verdict()) + "\n"));
        if let Some(next) = self.next() {
            outln!("{next}");
        }
    }

    fn crossed(&self) -> Vec<String> {
        self.comparison.verdicts.thresholds_crossed.iter().map(ToString::to_string).collect()
    }

    fn list<'l>(&self, title: &str, lines: impl Iterator<Item = &'l str>) {
        let mut lines = lines.peekable();
        if lines.peek().is_some() {
            outln!("{title}");
            lines.by_ref().take(LISTED).for_each(|line| outln!("  {line}"));
            let rest = lines.count();
            if rest > 0 {
                outln!("  … {rest} more: junit.xml has them all");
            }
            outln!();
        }
    }

    fn verdict(&self) -> String {
        let scenarios = usize::try_from(self.comparison.scenarios).unwrap_or(usize::MAX);
        let mut parts =
            vec![count(scenarios, "scenario"), count(self.comparison.strategies.len(), "strategy")];
        if self.same_snapshots > 0 {
            parts.push(format!("{} unchanged", count(self.same_snapshots, "snapshot")));
        }
        if self.comparison.failed > 0 {
            parts.push(format!("{} failed", self.comparison.failed));
        }
        let unreadable = self.comparison.verdicts.unreadable.len();
        if unreadable > 0 {
            parts.push(format!("{} cannot be read", count(unreadable, "file")));
        }
        if self.exit == Exit::Success {
            parts.push("all as expected".to_string());
        }
        parts.join(", ")
    }

    /// The last line: what to do next.
    fn next(&self) -> Option<String> {
        match self.exit {
            Exit::Success if self.is_quiet => None,
            Exit::Success => Some(self.reports()),
            Exit::Unreadable => Some(format!("next: {}", self.mending())),
            _ => Some(format!("next: {}", self.remedy())),
        }
    }

    /// The folder of the reports.
    fn reports(&self) -> String {
        let folder = self.report_dir.display();
        match self.comparison.header.shard {
            Some(_) => format!("reports: {folder}; next: ptc-eval merge DIR…"),
            None if self.comparison.is_judged() => format!("reports: {}", self.page()),
            None => {
                format!("reports: {} (not of the whole suite as it is, so summary.md stays)", self.page())
            }
        }
    }

    fn page(&self) -> String {
        self.report_dir.join("index.html").display().to_string()
    }

    /// Advice about files that cannot be read. Lines of standard input cannot be looked at again.
    fn mending(&self) -> &str {
        let unreadable = &self.comparison.verdicts.unreadable;
        if unreadable.iter().all(Unreadable::is_of_standard_input) {
            "mend what is said above of standard input"
        } else {
            "ptc-eval check"
        }
    }

    /// Advice where something is not as expected. Failures come first, since repairing them may change what there is
    /// to review.
    fn remedy(&self) -> String {
        let review = if self.is_locked {
            "ptc-eval run without --locked, then ptc-eval review"
        } else {
            "ptc-eval review"
        };
        let has = |verdict| self.comparison.has(verdict);
        let waits_for_review = has(SnapshotVerdict::Changed) || has(SnapshotVerdict::New);
        match (self.comparison.has_failures(), waits_for_review) {
            (true, true) => format!("look at {}, then {review}", self.page()),
            (false, true) => review.to_string(),
            (false, false) if has(SnapshotVerdict::Orphan) => {
                "ptc-eval run --accept removes snapshots that nobody claims".to_string()
            }
            _ => format!("look at {}", self.page()),
        }
    }

    fn summary(&self) -> serde_json::Value {
        let strategies = self.comparison.strategies.iter().map(|strategy| {
            let cells = strategy.cells().into_iter().map(|(name, cell)| (name, cell.to_json()));
            std::iter::once(("name".to_string(), json!(strategy.name)))
                .chain(cells)
                .collect::<serde_json::Map<_, _>>()
        });
        json!({
            "exit_code": self.exit.code(),
            "scenarios": self.comparison.scenarios,
            "failed": self.comparison.failed,
            "unreadable": self.comparison.verdicts.unreadable.len(),
            "failures": self.failures.lines,
            "broken_strategies": self.broken,
            "thresholds_crossed": self.crossed(),
            "strategies": strategies.collect::<Vec<_>>(),
        })
    }
}
