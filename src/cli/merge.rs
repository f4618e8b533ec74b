//! `ptc-eval merge`: merges the records of shards. The reports are byte for byte those of one evaluation of the whole input.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use super::baseline;
use super::crossed::Contributions;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::failures::Failures;
use super::input::other_input;
use super::run::{EvaluationSummary, OutputFormat, ReportFiles, is_locked, place, scenario_line};
use super::suite::{beside, count, for_shell, named_folder};
use super::terminal::{Color, JsonOutput, write_json};
use crate::evaluate::{EvaluateError, EvaluationResults, Pool, SharedScenarios, conclude, in_order};
use crate::report::verdicts::{SnapshotRecord, Unreadable};
use crate::report::{
    Against, Comparison, FailedNames, Header, Record, RecordText, Records, RecordsError, ReportEntry,
    ScenarioRecord,
};
use crate::scenario::SUITE_FILE;
use crate::snapshot::store::Store;
use crate::snapshot::text;
use crate::snapshot::view::{Row, Tint};

/// The most snapshots with problems, and the most unreadable scenarios, to list by name.
const SHOWN: usize = 5;

#[derive(Args)]
pub(super) struct MergeArguments {
    /// Report folders of shards, files of records, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    records: Vec<PathBuf>,
    /// Folder for the merged reports; default: `reports` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    report_dir: Option<PathBuf>,
    #[command(flatten)]
    files: ReportFiles,
    /// Folder of snapshots, to find those without a scenario; default: `snapshots` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
    /// Compare numbers with the report of this git revision or folder; default: HEAD
    #[arg(long, value_name = "REV|FOLDER")]
    against: Option<String>,
    /// For CI: write no committed reports, and fail if one is stale. CI=true means the same
    #[arg(long)]
    locked: bool,
    /// Format of standard output
    #[arg(long, value_enum, default_value = "human")]
    format: OutputFormat,
    /// Print failures only
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &MergeArguments, color: Color) -> CliResult {
    arguments.format.check()?;
    arguments.files.check(arguments.format)?;
    let mut records = Records::read(&arguments.records).map_err(|error| arguments.refused(error))?;
    records.header = arguments.files.over(records.header);
    if arguments.format.is_records() {
        records.copy(&mut JsonOutput)?;
        return Ok(Exit::Success);
    }
    records.check_complete()?;
    arguments.check_revision(&records)?;
    let [report_dir, snapshot_dir] = &arguments.output_folders(&records)?;
    let mut merged = Merged::begin(arguments, &records, [report_dir, snapshot_dir])?;
    merged.add_all(&records, report_dir)?;
    merged.conclude(arguments, Path::new(&records.input.folder), [report_dir, snapshot_dir], color)
}

impl MergeArguments {
    /// The error for unreadable records. A scenario or a log gets its own message.
    fn refused(&self, error: RecordsError) -> CliError {
        let other = self.records.iter().filter(|path| path.is_file()).find_map(|path| {
            let instead = format!(
                "ptc-eval run {} --format records > FILE writes them",
                for_shell(&path.display().to_string())
            );
            other_input(path, "records", instead)
        });
        other.unwrap_or_else(|| error.into())
    }

    /// Returns an error if `--against` differs from the revision in the records. They list changes since their own revision, but the
    /// report would name the other.
    fn check_revision(&self, records: &Records) -> Result<(), CliError> {
        let asked = baseline::revision(self.against.as_deref());
        let found = records.input.against.as_deref();
        if asked == found {
            return Ok(());
        }
        Err(CliError::OtherRevision { found: found.map(str::to_owned), asked: asked.map(str::to_owned) })
    }

    /// The folders of reports and snapshots: those of an unsharded evaluation unless options name others.
    fn output_folders(&self, records: &Records) -> Result<[PathBuf; 2], CliError> {
        let Records { header, input, .. } = records;
        let suite = Path::new(&input.folder);
        // The snapshot folder is only read to find orphans, and only a whole suite has orphans.
        let are_named = self.report_dir.is_some() && (self.snapshot_dir.is_some() || !header.complete);
        if !are_named && !suite.exists() {
            return Err(CliError::NoSuite { suite: input.folder.clone() });
        }
        // Records may come from a stranger, so they must not choose the output folder.
        let is_here = suite.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !are_named && !is_here {
            return Err(CliError::SuiteElsewhere { suite: input.folder.clone() });
        }
        let reports = place(suite, input.is_stream, "reports");
        let reports = if header.complete { reports } else { reports.join("selection") };
        let snapshots = place(suite, input.is_stream, "snapshots");
        Ok([self.report_dir.clone().unwrap_or(reports), self.snapshot_dir.clone().unwrap_or(snapshots)])
    }
}

/// The results of the records merged so far.
struct Merged<'m> {
    format: OutputFormat,
    results: EvaluationResults,
    /// The report to compare with. `None` for an incomplete evaluation.
    against: Option<Against>,
    strategies: &'m [String],
    /// The snapshot keys of all scenarios and strategies. `None` for a stream: it has no snapshots, and any number of scenarios.
    claimed: Option<BTreeSet<String>>,
    failures: Failures,
    contributions: Contributions,
    broken: Vec<String>,
    /// Descriptions of the first snapshots with problems.
    shown_snapshots: Vec<String>,
}

impl<'m> Merged<'m> {
    /// Creates empty reports.
    fn begin(
        arguments: &MergeArguments,
        records: &'m Records,
        [report_dir, snapshot_dir]: [&Path; 2],
    ) -> Result<Merged<'m>, CliError> {
        let (header, input) = (&records.header, &records.input);
        let cannot_write = |error| CliError::WriteReports { folder: report_dir.to_owned(), error };
        let mut results = EvaluationResults::create(report_dir, header.clone()).map_err(cannot_write)?;
        let mut against = None;
        if header.complete {
            let committed = beside(Path::new(&input.folder), "reports");
            let named = arguments.against.as_deref();
            against = Some(baseline::find(named, &[report_dir, &committed], snapshot_dir)?);
        }
        results.shared = SharedScenarios::with(against.as_ref());
        if !input.is_stream {
            results.failed = Some(FailedNames::read(report_dir).map_err(cannot_write)?);
        }
        Ok(Merged {
            format: arguments.format,
            results,
            against,
            strategies: &header.strategies,
            claimed: (!input.is_stream).then(|| BTreeSet::from([text::SYSTEM_PROMPT.to_owned()])),
            failures: Failures::default(),
            contributions: Contributions::new(Path::new(&input.folder).join(SUITE_FILE), header),
            broken: Vec::new(),
            shown_snapshots: Vec::new(),
        })
    }

    /// Compares the strategies, writes the reports of all records, and prints the summary.
    fn conclude(
        self,
        arguments: &MergeArguments,
        suite: &Path,
        [report_dir, snapshot_dir]: [&Path; 2],
        color: Color,
    ) -> CliResult {
        let Merged { results, against, claimed, failures, contributions, broken, shown_snapshots, .. } = self;
        let EvaluationResults { tally, destination, mut verdicts, failed, shared, .. } = results;
        verdicts.unreadable.sort_by_key(|unreadable| unreadable.position);
        tell_unreadable(&verdicts.unreadable);
        // Every shard checks the snapshot of the system prompt.
        verdicts.snapshots.dedup();
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        comparison.sets = shared.finish();
        let is_locked = is_locked(arguments.locked);
        if comparison.is_judged() {
            let orphans = claimed.map_or(Ok(Vec::new()), |claimed| find_orphans(snapshot_dir, &claimed));
            comparison.verdicts.snapshots.extend(orphans?);
        }
        let cannot_write = |error| CliError::WriteReports { folder: report_dir.to_owned(), error };
        conclude(&mut comparison, destination, against, is_locked).map_err(cannot_write)?;
        if let Some(failed) = failed {
            // Scenarios without a result may still fail, so keep their names.
            let names = if comparison.is_judged() { failed.now() } else { failed.now_or_before() };
            failed.write(&names).map_err(cannot_write)?;
        }
        let summary = EvaluationSummary {
            format: arguments.format,
            is_quiet: arguments.quiet,
            color,
            report_dir,
            suite: named_folder(suite),
            is_of_logs: false,
            // Records do not contain options of strategies.
            comparison: &comparison,
            snapshots: snapshot_lines(&comparison, &shown_snapshots),
            // Records list only snapshots with problems.
            same_snapshots: 0,
            failures,
            contributions,
            broken,
            exit: Exit::of(&comparison),
            is_locked,
            rejected_because: None,
        };
        summary.print();
        Ok(summary.exit)
    }

    /// Adds all records in order. Several threads parse them and write their reports.
    fn add_all(&mut self, records: &Records, report_dir: &Path) -> Result<(), CliError> {
        let (pool, header) = (Pool::new(0).map_err(|error| CliError::Threads { error })?, &records.header);
        let added = in_order(
            &pool,
            records.texts(),
            |text| parse_record(&text?, header),
            |parsed| {
                for record in parsed {
                    self.add(record?)?;
                }
                Ok(())
            },
        );
        added.map_err(|error| match error {
            CliError::Io { error } => CliError::WriteReports { folder: report_dir.to_owned(), error },
            other => other,
        })
    }

    fn add(&mut self, ParsedRecord { record, entry }: ParsedRecord) -> Result<(), CliError> {
        match record {
            Record::Scenario(record) => match self.add_scenario(&record, entry) {
                Err(EvaluateError::Io(error)) => return Err(error.into()),
                // A name that two shards have is now among the unreadable scenarios, which are told at the end.
                Ok(()) | Err(EvaluateError::Scenario(_)) => {}
            },
            Record::Unreadable(unreadable) => self.results.add_unreadable(unreadable),
            Record::End(end) => self.results.verdicts.snapshots.extend(end.snapshots),
        }
        Ok(())
    }

    fn add_scenario(&mut self, record: &ScenarioRecord, entry: ReportEntry) -> Result<(), EvaluateError> {
        self.results.add_record(record, entry)?;
        if let Some(claimed) = &mut self.claimed {
            claimed.extend(text::keys(&record.name, self.strategies));
        }
        self.failures.add(record);
        self.contributions.add(record);
        if self.format == OutputFormat::Jsonl {
            write_json(&scenario_line(record));
        }
        let broken = record.broken_strategies.iter();
        self.broken.extend(broken.map(|broken| format!("{}: {}", record.name, broken.describe())));
        let room = SHOWN.saturating_sub(self.shown_snapshots.len());
        self.shown_snapshots.extend(record.snapshots.iter().take(room).map(SnapshotRecord::describe));
        Ok(())
    }
}

/// Prints errors of unreadable scenarios. The shards printed them too, but perhaps on other machines.
fn tell_unreadable(unreadable: &[Unreadable]) {
    for Unreadable { place, message, .. } in unreadable.iter().take(SHOWN) {
        errln!("error: {place}: {message}");
    }
    let rest = unreadable.len().saturating_sub(SHOWN);
    if rest > 0 {
        errln!("… {rest} more: results.json has them all");
    }
}

/// The snapshots without a scenario and strategy.
fn find_orphans(folder: &Path, claimed: &BTreeSet<String>) -> Result<Vec<SnapshotRecord>, CliError> {
    let store = Store::new(folder);
    let listing = store.list().map_err(|error| CliError::Read { path: folder.to_owned(), error })?;
    let orphans = store.orphans(&listing, |key| claimed.contains(key));
    Ok(orphans.into_iter().map(SnapshotRecord::orphan).collect())
}

/// A record, and its entry in the reports.
struct ParsedRecord {
    record: Record,
    entry: ReportEntry,
}

fn parse_record(text: &RecordText, header: &Header) -> Result<ParsedRecord, CliError> {
    let record = text.parse()?;
    let entry = if let Record::Scenario(record) = &record {
        ReportEntry::new(header, record)?
    } else {
        ReportEntry::default()
    };
    Ok(ParsedRecord { record, entry })
}

/// Descriptions of the first snapshots with problems, and the total number.
fn snapshot_lines(comparison: &Comparison, shown: &[String]) -> Vec<Row> {
    let counts = comparison.counts;
    let of_suite = comparison.verdicts.snapshots.iter().map(SnapshotRecord::describe);
    let mut lines: Vec<String> = shown.iter().cloned().chain(of_suite.take(SHOWN)).collect();
    let all = counts.changed_snapshots + counts.new_snapshots + counts.stale_texts;
    if all as usize > shown.len() {
        lines.push(format!("… {} not as accepted in all", count(all as usize, "snapshot")));
    }
    lines.into_iter().map(|line| Row::new(Tint::Plain, line)).collect()
}
