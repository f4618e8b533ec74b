//! What `ptc-eval run` says at its end: the table, what failed, a verdict, and what to type next.

use serde_json::json;

use super::super::exit::Exit;
use super::super::snapshots::Snapshots;
use super::super::suite::count;
use super::super::terminal::Paint;
use super::Run;
use super::arguments::Format;
use crate::report::comparison::Comparison;
use crate::report::terminal;

/// What a run says at its end.
pub(super) struct Closing<'r> {
    pub(super) run: &'r Run<'r>,
    pub(super) comparison: Comparison,
    pub(super) snapshots: Snapshots,
    pub(super) replayed: usize,
    pub(super) unreadable: usize,
    pub(super) failures: Vec<String>,
    pub(super) broken: Vec<String>,
    pub(super) crossed: Vec<String>,
    pub(super) stale: Vec<&'static str>,
    /// Whether the committed reports were judged or written.
    pub(super) is_judged: bool,
    pub(super) exit: Exit,
}

impl Closing<'_> {
    pub(super) fn tell(&self) {
        if self.run.arguments.format != Format::Human {
            return outln!("{}", self.summary());
        }
        let color = self.run.color;
        if !self.run.arguments.quiet {
            outln!("{}", terminal::strategy_table(&self.comparison));
        }
        for row in self.snapshots.report() {
            outln!("{}", color.row(&row));
        }
        self.list("failed:", &self.failures);
        self.list("strategies that made no requests:", &self.broken);
        self.list("thresholds crossed:", &self.crossed);
        for file in &self.stale {
            outln!("{} is stale: run ptc-eval and commit it", self.run.report_dir.join(file).display());
        }
        let paint = if self.exit == Exit::Success { Paint::Good } else { Paint::Bad };
        outln!("{}", color.paint(paint, &self.verdict()));
        if let Some(next) = self.next() {
            outln!("{next}");
        }
    }

    fn list(&self, title: &str, lines: &[String]) {
        if !lines.is_empty() {
            outln!("{title}");
            lines.iter().for_each(|line| outln!("  {line}"));
            outln!();
        }
    }

    fn verdict(&self) -> String {
        let mut parts =
            vec![count(self.replayed, "scenario"), count(self.comparison.strategies.len(), "strategy")];
        if self.snapshots.same() > 0 {
            parts.push(format!("{} unchanged", count(self.snapshots.same(), "snapshot")));
        }
        if self.comparison.failed > 0 {
            parts.push(format!("{} failed", self.comparison.failed));
        }
        if self.unreadable > 0 {
            parts.push(format!("{} cannot be read", count(self.unreadable, "file")));
        }
        if self.exit == Exit::Success {
            parts.push("all as expected".to_string());
        }
        parts.join(", ")
    }

    /// What to do now.
    fn next(&self) -> Option<String> {
        let reports = self.run.report_dir.join("summary.md");
        match self.exit {
            Exit::Success if self.run.arguments.quiet => None,
            Exit::Success if !self.is_judged => {
                let results = self.run.report_dir.join("results.json");
                Some(format!(
                    "reports: {} (not of the whole suite as it is, so summary.md stays)",
                    results.display()
                ))
            }
            Exit::Success => Some(format!("reports: {}", reports.display())),
            _ if self.snapshots.has_changed() || self.snapshots.has_new() => {
                Some("next: ptc-eval review".to_string())
            }
            _ if self.snapshots.has_orphans() => {
                Some("next: ptc-eval run --accept removes snapshots that nobody claims".to_string())
            }
            Exit::Unreadable => Some("next: ptc-eval check".to_string()),
            _ => Some(format!("next: look at {}", reports.display())),
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
            "scenarios": self.replayed,
            "failed": self.comparison.failed,
            "unreadable": self.unreadable,
            "failures": self.failures,
            "broken_strategies": self.broken,
            "thresholds_crossed": self.crossed,
            "strategies": strategies.collect::<Vec<_>>(),
        })
    }
}
