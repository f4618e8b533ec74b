//! The final output of `ptc-eval run` and `merge`: failures, the recommendation with its table, and the next command.

use std::path::Path;

use serde_json::{Value, json};

use super::OutputFormat;
use crate::cli::crossed::Contributions;
use crate::cli::exit::Exit;
use crate::cli::failures::{Failures, Listed};
use crate::cli::recommendation::{
    look, look_at, recommendation, recommendation_for_screen, scenario_in, wrapped,
};
use crate::cli::suite::{count, for_shell, not_valid, spelled};
use crate::cli::terminal::{BAD, Color, GOOD, columns, start_of, write_json, write_painted};
use crate::compression::{AnyStrategy, STRATEGIES};
use crate::measure::numbers::{grouped, percentage};
use crate::report::change::{change_rows, title_of_list};
use crate::report::verdicts::SnapshotVerdict;
use crate::report::{Advice, COMPARED, Comparison, RECORDS, Usage};
use crate::scenario::suite::SuiteVariant;
use crate::snapshot::view::{Row, Tint};

const PAGE: &str = "index.html";
const RESULTS: &str = "results.json";
/// Most changes to print.
const SHOWN_CHANGES: usize = 8;
/// Most scenarios to name in a command. If there are more, it names the suite.
const NAMED: usize = 5;

/// The end of an evaluation, or of several after merging.
pub(in crate::cli) struct EvaluationSummary<'r> {
    pub(in crate::cli) format: OutputFormat,
    pub(in crate::cli) is_quiet: bool,
    pub(in crate::cli) color: Color,
    pub(in crate::cli) report_dir: &'r Path,
    /// The folder of the suite, if commands have to name it.
    pub(in crate::cli) suite: Option<&'r Path>,
    /// True if the input was logs: they have no expectations.
    pub(in crate::cli) is_of_logs: bool,
    pub(in crate::cli) comparison: &'r Comparison,
    /// The changes by cause, and lines about other snapshots.
    pub(in crate::cli) snapshots: Vec<Row>,
    pub(in crate::cli) same_snapshots: usize,
    pub(in crate::cli) failures: Failures,
    pub(in crate::cli) contributions: Contributions,
    pub(in crate::cli) broken: Vec<String>,
    pub(in crate::cli) exit: Exit,
    /// True if nothing was written for review.
    pub(in crate::cli) is_locked: bool,
    /// Why an API would reject the first such request of the baseline: `message 7 is empty`.
    pub(in crate::cli) rejected_because: Option<String>,
}

impl EvaluationSummary<'_> {
    pub(in crate::cli) fn print(&self) {
        if self.format.is_records() {
            return self.print_for_records();
        }
        if self.format != OutputFormat::Human {
            return write_json(&self.summary_as_json());
        }
        print_list("failed:", &self.failures.words);
        for row in self.rows_of_changes().iter().chain(&self.other_scenarios()).chain(&self.snapshots) {
            write_painted(&(self.color.row(row) + "\n"));
        }
        let verdicts = &self.comparison.verdicts;
        print_list("strategies that made no requests:", &self.broken.iter().cloned().collect());
        let crossed = self.contributions.lines(&verdicts.thresholds_crossed);
        print_list("thresholds crossed:", &crossed.into_iter().collect());
        for file in &verdicts.stale_reports {
            outln!("{} is stale: run ptc-eval and commit it", self.report_dir.join(file).display());
        }
        let code = if self.exit == Exit::Success { GOOD } else { BAD };
        let verdict = wrapped(&format!("{}{}", self.verdict_word(), self.verdict()), columns());
        write_painted(&(self.color.paint(code, &verdict) + "\n"));
        if !self.is_quiet && self.comparison.scenarios > 0 {
            self.print_comparison();
        } else {
            self.print_rejected();
        }
        if let Some(next) = self.next_command() {
            outln!("next:  {next}");
        }
    }

    /// Prints the recommendation, the table, and where to read on.
    fn print_comparison(&self) {
        outln!();
        if self.comparison.strategies.len() > 1 {
            outln!("{COMPARED}");
        }
        if let Some(Usage { strategy: Some(description), .. }) = &self.comparison.usage {
            outln!("{description}");
        }
        write_painted(&recommendation_for_screen(self.comparison, self.color));
        if let Some(usage) = &self.comparison.usage {
            print_usage(usage);
        }
        if let Some(line) = self.look_line() {
            outln!("{line}");
        }
        self.print_rejected();
        outln!("{}", self.where_to_look());
    }

    /// The changes to requests.
    fn rows_of_changes(&self) -> Vec<Row> {
        let (list, models) = (&self.comparison.differences, self.comparison.header.model_names());
        let mut rows = Vec::new();
        let changed = self.comparison.counts.changed_snapshots as usize;
        if list.is_empty() && changed > 0 {
            let only = "only how they are written differs: every request is as accepted";
            rows.push(Row::new(Tint::Plain, format!("{}: {only}", count(changed, "changed snapshot"))));
        }
        if list.is_empty() {
            return rows;
        }
        rows.push(Row::new(Tint::Strong, title_of_list(list)));
        for (number, change) in (1..).zip(list.sorted()).take(SHOWN_CHANGES) {
            rows.push(Row::default());
            rows.extend(change_rows(number, change, &models));
        }
        let more = list.len().saturating_sub(SHOWN_CHANGES);
        if more > 0 {
            rows.push(Row::default());
            rows.push(Row::new(
                Tint::Plain,
                format!("… {} more: ptc-eval review --print", count(more, "change")),
            ));
        }
        rows.push(Row::default());
        rows
    }

    /// The scenarios of one revision alone. They are no changes of requests.
    fn other_scenarios(&self) -> Vec<Row> {
        let Some(sets) = self.comparison.other_scenarios() else { return Vec::new() };
        let mut rows = Vec::new();
        for (title, names) in
            [("new scenarios, not compared", &sets.new), ("removed scenarios", &sets.removed)]
        {
            if names.is_empty() {
                continue;
            }
            let mut shown: Vec<String> = names.iter().take(NAMED).cloned().collect();
            let more = names.len().saturating_sub(NAMED);
            if more > 0 {
                shown.push(format!("and {} more", grouped(more as u64)));
            }
            rows.push(Row::new(Tint::Plain, format!("{title}: {}", shown.join(", "))));
        }
        rows
    }

    /// Prints the verdict on standard error: standard output contains only records.
    fn print_for_records(&self) {
        if !self.is_quiet {
            let judge = if self.comparison.header.complete {
                "ptc-eval merge judges thresholds, snapshots without a scenario and committed reports"
            } else {
                "no thresholds are checked: this is a part of the suite, or changed by options"
            };
            errln!("{}; {judge}", self.verdict());
        }
    }

    /// Adds the suite's folder to a command, if needed.
    fn command_for_suite(&self, command: &str) -> String {
        match self.suite {
            Some(suite) => format!("{command} {}", for_shell(&suite.display().to_string())),
            None => command.to_owned(),
        }
    }

    fn crossed_thresholds(&self) -> Vec<String> {
        self.comparison.verdicts.thresholds_crossed.iter().map(ToString::to_string).collect()
    }

    /// The word before the verdict. Logs have no checks to pass.
    fn verdict_word(&self) -> &'static str {
        match self.exit {
            _ if self.is_of_logs => "",
            Exit::Success => "Passed. ",
            Exit::Unreviewed => "To review. ",
            _ => "Failed. ",
        }
    }

    /// The command to show an answer that lacks a fact: after an edit the worst one, because the recommended strategy may be as before.
    fn look_line(&self) -> Option<String> {
        let changes = self.comparison.differences.sorted();
        if changes.is_empty() {
            return look(self.comparison, self.suite);
        }
        let (scenario, worst) = changes.iter().find_map(|change| change.worst.as_ref())?;
        Some(look_at(self.suite, (scenario, worst.turn, &worst.strategy)))
    }

    fn print_rejected(&self) {
        if let Some(warning) = self.rejected_requests() {
            outln!("{}", wrapped(&warning, columns()));
        }
    }

    /// A warning about requests that an API would reject. No check fails for these: the agent may have sent them.
    fn rejected_requests(&self) -> Option<String> {
        let baseline = self.comparison.strategy(&self.comparison.header.baseline)?;
        let (scenario, turn) = baseline.sums.first_invalid.as_ref()?;
        let requests = match baseline.sums.invalid_requests {
            1 => "1 request".to_owned(),
            several => format!("{} requests", grouped(several)),
        };
        let name = &baseline.name;
        let such_as = if baseline.sums.invalid_requests == 1 { "" } else { "such as " };
        let why = match &self.rejected_because {
            Some(reason) => format!(" ({reason})"),
            None => String::new(),
        };
        let chosen = Advice::new(self.comparison).recommended.filter(|chosen| chosen.name != *name);
        let effect = match chosen {
            Some(chosen) => {
                let rejected = match chosen.sums.invalid_requests {
                    0 => "none".to_owned(),
                    number if number == baseline.sums.invalid_requests => "as many".to_owned(),
                    number => grouped(number),
                };
                format!(" It would reject {rejected} of {}.", chosen.name)
            }
            None => String::new(),
        };
        Some(format!(
            "Warning: a chat API would reject {requests} of {name}, {such_as}{scenario}@{turn}{why}.{effect}"
        ))
    }

    /// `expectations and 2 thresholds met`
    fn passed_checks(&self) -> String {
        match self.comparison.judged_thresholds().count() {
            0 => "expectations met".to_owned(),
            thresholds => format!("expectations and {} met", count(thresholds, "threshold")),
        }
    }

    fn verdict(&self) -> String {
        let scenarios = usize::try_from(self.comparison.scenarios).unwrap_or(usize::MAX);
        let requests = self.comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        let mut parts = Vec::new();
        if self.comparison.failed > 0 {
            parts.push(format!("{} failed", grouped(self.comparison.failed)));
        }
        let unreadable = self.comparison.verdicts.unreadable.len();
        if unreadable > 0 {
            parts.push(not_valid(unreadable));
        }
        if self.exit == Exit::Success && !self.is_of_logs {
            parts.push(self.passed_checks());
        }
        // The SYSTEM text alone does not count as a scenario's snapshot.
        if scenarios > 0 {
            let changed = self.comparison.counts.changed_snapshots as usize;
            if changed > 0 {
                parts.push(format!("{} changed", count(changed, "golden file")));
            }
            match (changed, self.same_snapshots) {
                (_, 0) => {}
                (0, same) => parts.push(format!("{} unchanged", count(same, "golden file"))),
                (_, same) => parts.push(format!("{} unchanged", grouped(same as u64))),
            }
        }
        let requests =
            if requests == 1 { "1 request".to_owned() } else { format!("{} requests", grouped(requests)) };
        let what = if self.is_of_logs { "conversation" } else { "scenario" };
        let all = format!("{}, {requests}", count(scenarios, what));
        if parts.is_empty() { all } else { format!("{all}: {}", parts.join(", ")) }
    }

    /// The last line: the next command.
    fn next_command(&self) -> Option<String> {
        match self.exit {
            Exit::Success if self.is_quiet || self.comparison.header.part.is_none() => None,
            Exit::Success => Some("ptc-eval merge DIR…".to_owned()),
            Exit::Unreadable => Some(self.how_to_fix_files()),
            _ => Some(self.what_to_do()),
        }
    }

    /// Where to look: the page, the results if there is no page, or the records of a shard.
    fn where_to_look(&self) -> String {
        if self.comparison.header.part.is_some() {
            return format!("records: {}", self.report_dir.join(RECORDS).display());
        }
        let shown = if self.comparison.header.writes_page() {
            format!("page:  {}", self.report_dir.join(PAGE).display())
        } else {
            format!("results: {}", self.report_dir.join(RESULTS).display())
        };
        if self.comparison.is_judged() || self.is_of_logs {
            return shown;
        }
        let thresholds =
            if self.comparison.header.thresholds.is_empty() { "" } else { ", no threshold is checked" };
        format!(
            "{shown}\n       summary.md is not rewritten: this is a part of the suite, or changed by options{thresholds}"
        )
    }

    /// The page, or the results if there is none.
    fn path_of_page(&self) -> String {
        let name = if self.comparison.header.writes_page() { PAGE } else { RESULTS };
        self.report_dir.join(name).display().to_string()
    }

    /// Advice on unreadable files. Lines of standard input cannot be read again.
    fn how_to_fix_files(&self) -> String {
        for scenario in &self.comparison.verdicts.unreadable {
            if scenario.line_of_standard_input().is_none() {
                return self.command_for_suite("ptc-eval check");
            }
        }
        "fix the errors in standard input listed above".to_owned()
    }

    /// Advice for an evaluation with unexpected results.
    fn what_to_do(&self) -> String {
        let review = self.command_for_suite("ptc-eval review");
        let review = if self.is_locked {
            format!("{} without --locked, then {review}", self.command_for_suite("ptc-eval run"))
        } else {
            review
        };
        let waits_for_review =
            self.comparison.has(SnapshotVerdict::Changed) || self.comparison.has(SnapshotVerdict::New);
        let look = format!("look at {}", self.path_of_page());
        let failed = match &self.failures.first {
            Some(name) => format!("ptc-eval show {}", scenario_in(self.suite, name)),
            None => look.clone(),
        };
        // Failures first: fixing them may change the snapshots to review.
        match (self.comparison.has_failures(), waits_for_review) {
            (false, _) if self.comparison.has(SnapshotVerdict::Stale) => self.command_to_record(),
            (true, true) => format!("{failed}, then {review}"),
            (true, false) => failed,
            (false, true) => review,
            (false, false) if self.comparison.has(SnapshotVerdict::Orphan) => format!(
                "{} removes snapshots without a scenario, more than a tenth only with --prune",
                self.command_for_suite("ptc-eval run --accept")
            ),
            (false, false) => look,
        }
    }

    /// The command that records stale summaries again.
    fn command_to_record(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for stale in &self.comparison.stale {
            let (scenario, _) = stale.scenario_and_strategy();
            if names.last() != Some(&scenario) {
                names.push(scenario);
            }
        }
        if names.len() > NAMED {
            names = vec![self.comparison.header.suite.as_str()];
        }
        let mut command = "ptc-eval record --summaries --model NAME".to_owned();
        for name in names {
            command += " ";
            command += &for_shell(name);
        }
        command
    }

    fn summary_as_json(&self) -> serde_json::Value {
        json!({
            "exit_code": self.exit.code(),
            "scenarios": self.comparison.scenarios,
            "failed": self.comparison.failed,
            "unreadable": self.comparison.verdicts.unreadable.len(),
            "failures": self.failures.lines.shown,
            "more_failures": self.failures.lines.more,
            "broken_strategies": self.broken,
            "judged": self.comparison.is_judged(),
            "thresholds_crossed": self.crossed_thresholds(),
            "recommended": Advice::new(self.comparison).recommended.map(|strategy| &strategy.name),
            "is_strong": self.comparison.is_strong,
            "text": recommendation(self.comparison, None, Color::Never),
            "strategies": strategies_json(self.comparison),
        })
    }
}

/// A strategy in a line. A setting with options is described by its strategy.
pub(in crate::cli) fn description_of(setting: &str) -> Option<String> {
    let name = setting.split(',').next().unwrap_or(setting);
    let strategy = STRATEGIES.iter().find(|strategy| strategy.name == name)?;
    Some(format!("{}: {}", strategy.name, strategy.doc))
}

/// `variant of trim,keep_recent_turns=1`: what a variant of the suite changes.
pub(in crate::cli) fn describe_variant(variant: &SuiteVariant) -> String {
    let base = &variant.strategy.base;
    let kind = if let AnyStrategy::Own(_) = base { "program" } else { "variant of" };
    format!("{kind} {}", spelled(base.name(), &variant.strategy.options))
}

/// The command for a strategy's file, the option for other agents, and the price in the command.
pub(in crate::cli) fn usage_of(apply: &str) -> Usage {
    let mut notes =
        vec!["for Python and OpenAI's API; others: --for NAME (ptc-eval apply --help)".to_owned()];
    notes.extend(price_in_words(apply));
    Usage { strategy: None, command: format!("{apply} > shorter_history.py"), notes }
}

/// What the price in a command means: `read=0.05: cached input costs 5% of the price of other input`.
pub(in crate::cli) fn price_in_words(apply: &str) -> Option<String> {
    let (_, rest) = apply.split_once(",read=")?;
    let price = rest.split([',', ' ', '\'']).next()?;
    let share = percentage(price.parse().ok()?);
    Some(format!("read={price}: cached input costs {share} of the price of other input"))
}

/// Prints the command and its notes, without the description of the strategy.
pub(in crate::cli) fn print_usage(usage: &Usage) {
    outln!("use:   {}", usage.command);
    for note in &usage.notes {
        outln!("       {note}");
    }
}

/// The rows of `strategies.csv` as JSON objects.
pub(in crate::cli) fn strategies_json(comparison: &Comparison) -> Vec<serde_json::Map<String, Value>> {
    let mut rows = Vec::new();
    for strategy in &comparison.strategies {
        let mut row = serde_json::Map::new();
        row.insert("name".to_owned(), json!(strategy.name));
        for (name, cell) in strategy.cells() {
            row.insert(name, cell.to_json());
        }
        rows.push(row);
    }
    rows
}

fn print_list(title: &str, Listed { shown, more }: &Listed) {
    if shown.is_empty() {
        return;
    }
    outln!("{title}");
    for line in shown {
        outln!("  {}", start_of(line, "junit.xml has them all"));
    }
    if *more > 0 {
        outln!("  … {more} more: junit.xml has them all");
    }
    outln!();
}
