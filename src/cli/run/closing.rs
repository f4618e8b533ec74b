//! What `ptc-eval run` says at its end: the table, what failed, a verdict, and what to type next.

use std::path::Path;

use serde_json::json;

use super::super::exit::Exit;
use super::super::failures::Failures;
use super::super::suite::count;
use super::super::terminal::{Color, Paint, write_json, write_painted};
use super::arguments::Format;
use crate::report::comparison::Comparison;
use crate::report::terminal;
use crate::report::verdicts::SnapshotVerdict;
use crate::snapshot::view::Row;

/// How many lines of a kind are listed.
const LISTED: usize = 1_000;

/// What a run, or several that were merged, says at its end.
pub(in crate::cli) struct Closing<'r> {
    pub(in crate::cli) format: Format,
    pub(in crate::cli) is_quiet: bool,
    pub(in crate::cli) color: Color,
    pub(in crate::cli) report_dir: &'r Path,
    pub(in crate::cli) comparison: &'r Comparison,
    /// The changes by cause, and what else there is to say of snapshots.
    pub(in crate::cli) snapshots: Vec<Row>,
    pub(in crate::cli) same_snapshots: usize,
    pub(in crate::cli) failures: Failures,
    pub(in crate::cli) broken: Vec<String>,
    pub(in crate::cli) exit: Exit,
}

impl Closing<'_> {
    pub(in crate::cli) fn tell(&self) {
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
        let paint = if self.exit == Exit::Success { Paint::Good } else { Paint::Bad };
        write_painted(&(self.color.paint(paint, &self.verdict()) + "\n"));
        if let Some(next) = self.next() {
            outln!("{next}");
        }
    }

    fn crossed(&self) -> Vec<String> {
        self.comparison.verdicts.thresholds_crossed.iter().map(ToString::to_string).collect()
    }

    fn has_orphans(&self) -> bool {
        let snapshots = &self.comparison.verdicts.snapshots;
        snapshots.iter().any(|snapshot| snapshot.verdict == SnapshotVerdict::Orphan)
    }

    fn waits_for_review(&self) -> bool {
        let counts = self.comparison.counts;
        let snapshots = &self.comparison.verdicts.snapshots;
        counts.changed_snapshots + counts.new_snapshots > 0
            || snapshots.iter().any(|snapshot| snapshot.verdict != SnapshotVerdict::Orphan)
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

    /// What to do now.
    fn next(&self) -> Option<String> {
        let page = self.report_dir.join("index.html");
        match self.exit {
            Exit::Success if self.is_quiet => None,
            Exit::Success if self.comparison.header.shard.is_some() => {
                Some(format!("reports: {}; next: ptc-eval merge DIR…", self.report_dir.display()))
            }
            Exit::Success if !self.comparison.is_judged() => Some(format!(
                "reports: {} (not of the whole suite as it is, so summary.md stays)",
                page.display()
            )),
            Exit::Success => Some(format!("reports: {}", page.display())),
            Exit::Unreadable => Some("next: ptc-eval check".to_string()),
            _ if self.waits_for_review() => Some("next: ptc-eval review".to_string()),
            _ if self.has_orphans() => {
                Some("next: ptc-eval run --accept removes snapshots that nobody claims".to_string())
            }
            _ => Some(format!("next: look at {}", page.display())),
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
