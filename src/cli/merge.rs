//! `ptc-eval merge`: writes the reports that one run would have written, byte for byte, from those of its shards.
//! Scenarios are read one at a time, in the order of the suite.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use super::baseline;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::failures::Failures;
use super::run::{Format, RunSummary, is_locked};
use super::suite::{beside, count};
use super::terminal::Color;
use crate::evaluate::{EvaluateError, RunResults, conclude};
use crate::report::verdicts::SnapshotRecord;
use crate::report::{Comparison, Entry, FailedNames, Header, ResultsReader, ScenarioRecord, Shard};
use crate::snapshot::store::Store;
use crate::snapshot::text;
use crate::snapshot::view::{Row, Tint};

/// The file that is read from the folder of each shard.
const RESULTS: &str = "results.json";
/// Snapshots that are named, of those that are not as accepted.
const SHOWN: usize = 5;

#[derive(Args)]
pub(super) struct MergeArguments {
    /// The report folders of all shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The folder for the merged reports; default: `reports` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    report_dir: Option<PathBuf>,
    /// The folder of snapshots, to find those without a scenario; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
    /// The report to compare with: a revision or a folder; default: HEAD's
    #[arg(long, value_name = "REV|FOLDER")]
    against: Option<String>,
    /// Write no committed reports; stale ones fail. CI=true means the same
    #[arg(long)]
    locked: bool,
    /// Format of standard output
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Print failures only
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &MergeArguments, color: Color) -> CliResult {
    let parts = arguments.folders.iter().map(|folder| ShardReader::open(folder));
    let mut shards: Vec<ShardReader> = parts.collect::<Result<_, _>>()?;
    let header = common_header(&mut shards)?;
    let [report_dir, snapshot_dir] = &arguments.places(&header)?;
    let committed = beside(Path::new(&header.suite), "reports");
    let against = baseline::find(arguments.against.as_deref(), &[report_dir, &committed])?;
    let cannot_write = |error| CliError::WriteReports(report_dir.clone(), error);

    let failed = FailedNames::read(report_dir).map_err(cannot_write)?;
    let results = RunResults::create(report_dir, header.clone(), None, Some(failed)).map_err(cannot_write)?;
    let mut merged = Merged {
        results,
        header,
        claimed: BTreeSet::from([text::SYSTEM_PROMPT.to_owned()]),
        failures: Failures::default(),
        broken: Vec::new(),
        told: Vec::new(),
    };
    while let Some(record) = next(&mut shards)? {
        match merged.add(&record) {
            Ok(()) | Err(EvaluateError::Scenario(_)) => {}
            Err(EvaluateError::Io(error)) => return Err(cannot_write(error)),
        }
    }
    merged.add_verdicts(shards)?;
    let Merged { results, claimed, failures, broken, told, .. } = merged;
    let RunResults { tally, folder, verdicts, failed, .. } = results;
    let mut comparison = tally.compare();
    comparison.verdicts = verdicts;
    let is_locked = is_locked(arguments.locked);
    if comparison.is_judged() {
        let orphans = Store { folder: snapshot_dir.clone() }.orphans(|key| claimed.contains(key));
        let orphans = orphans.map_err(|error| CliError::Read(snapshot_dir.clone(), error))?;
        comparison.verdicts.snapshots.extend(orphans.into_iter().map(SnapshotRecord::orphan));
    }
    conclude(&mut comparison, folder, Some(against), is_locked).map_err(cannot_write)?;
    if let Some(failed) = failed {
        // Scenarios that no shard could evaluate may still fail.
        let names = if comparison.is_judged() { failed.without_missing() } else { failed.with_all() };
        failed.write(&names).map_err(cannot_write)?;
    }
    let summary = RunSummary {
        format: arguments.format,
        is_quiet: arguments.quiet,
        color,
        report_dir,
        comparison: &comparison,
        snapshots: snapshot_lines(&comparison, &told),
        same_snapshots: 0,
        failures,
        broken,
        exit: Exit::of(&comparison),
        is_locked,
    };
    summary.print();
    Ok(summary.exit)
}

impl MergeArguments {
    /// The folders of the joined reports and of snapshots: beside the suite's folder, which the shards know, unless
    /// an option names them.
    fn places(&self, header: &Header) -> Result<[PathBuf; 2], CliError> {
        let suite = Path::new(&header.suite);
        let is_said = self.report_dir.is_some() && self.snapshot_dir.is_some();
        if !is_said && !suite.exists() {
            return Err(CliError::NoSuite(header.suite.clone()));
        }
        let place = |said: &Option<PathBuf>, name| said.clone().unwrap_or_else(|| beside(suite, name));
        Ok([place(&self.report_dir, "reports"), place(&self.snapshot_dir, "snapshots")])
    }
}

/// Reads the results of one shard.
struct ShardReader {
    folder: PathBuf,
    reader: ResultsReader,
    next: Option<ScenarioRecord>,
}

impl ShardReader {
    fn open(folder: &Path) -> Result<ShardReader, CliError> {
        let mut reader = ResultsReader::open(&folder.join(RESULTS)).map_err(CliError::ShardResults)?;
        let next = reader.scenario().map_err(CliError::ShardResults)?;
        Ok(ShardReader { folder: folder.to_owned(), reader, next })
    }

    fn take(&mut self) -> Result<Option<ScenarioRecord>, CliError> {
        let after = self.reader.scenario().map_err(CliError::Results)?;
        Ok(std::mem::replace(&mut self.next, after))
    }
}

/// The next scenario of all shards, in the order of the suite.
fn next(shards: &mut [ShardReader]) -> Result<Option<ScenarioRecord>, CliError> {
    let waiting = shards.iter_mut().filter(|shard| shard.next.is_some());
    let first = waiting.min_by_key(|shard| shard.next.as_ref().map(|record| record.position));
    first.map_or(Ok(None), ShardReader::take)
}

/// The header that all shards have in common. They must be all shards of one run, each once.
fn common_header(shards: &mut [ShardReader]) -> Result<Header, CliError> {
    shards.sort_by_key(|shard| shard.reader.head.header.shard.map(|shard| shard.number));
    let mut common: Option<Header> = None;
    for (index, part) in (1_u32..).zip(shards.iter()) {
        let mut header = part.reader.head.header.clone();
        let shard = header.shard.take().ok_or_else(|| CliError::NoShard(part.folder.clone()))?;
        check_number(shard, index, shards.len(), &part.folder)?;
        if common.as_ref().is_some_and(|common| *common != header) {
            return Err(CliError::OtherRun(part.folder.clone()));
        }
        common = Some(header);
    }
    Ok(common.unwrap_or_default())
}

/// Checks that the shard is the one at this index, from 1, of so many in order.
fn check_number(shard: Shard, index: u32, count: usize, folder: &Path) -> Result<(), CliError> {
    let Shard { number, of } = shard;
    if number > index || (index as usize == count && number < of) {
        let missing = if number > index { index } else { number + 1 };
        return Err(CliError::MissingShard(missing, of));
    }
    if number < index {
        return Err(CliError::RepeatedShard(folder.to_owned(), shard));
    }
    Ok(())
}

/// The shards that were merged so far.
struct Merged {
    results: RunResults,
    header: Header,
    /// Keys of snapshots that a scenario and strategy has.
    claimed: BTreeSet<String>,
    failures: Failures,
    broken: Vec<String>,
    /// The first snapshots of scenarios that are not as accepted.
    told: Vec<String>,
}

impl Merged {
    fn add(&mut self, record: &ScenarioRecord) -> Result<(), EvaluateError> {
        self.results.add_record(record, Entry::new(&self.header, record)?)?;
        self.claimed.extend(text::keys(&record.name, &self.header.strategies));
        self.failures.add(record);
        let broken = record.broken_strategies.iter();
        self.broken.extend(broken.map(|broken| format!("{}: {}", record.name, broken.describe())));
        let room = SHOWN.saturating_sub(self.told.len());
        self.told.extend(record.snapshots.iter().take(room).map(SnapshotRecord::describe));
        Ok(())
    }

    /// Adds what stands after the scenarios of each shard.
    fn add_verdicts(&mut self, shards: Vec<ShardReader>) -> Result<(), CliError> {
        for shard in shards {
            let said = shard.reader.finish().map_err(CliError::Results)?.verdicts;
            self.results.add_unreadable(said.unreadable);
            self.results.verdicts.snapshots.extend(said.snapshots);
        }
        let verdicts = &mut self.results.verdicts;
        verdicts.unreadable.sort_by_key(|unreadable| unreadable.position);
        // Every shard compares the SYSTEM text.
        verdicts.snapshots.dedup();
        Ok(())
    }
}

/// The first snapshots that are not as accepted, and how many there are.
fn snapshot_lines(comparison: &Comparison, told: &[String]) -> Vec<Row> {
    let counts = comparison.counts;
    let of_suite = comparison.verdicts.snapshots.iter().map(SnapshotRecord::describe);
    let mut lines: Vec<String> = told.iter().cloned().chain(of_suite.take(SHOWN)).collect();
    let all = counts.changed_snapshots + counts.new_snapshots;
    if all as usize > told.len() {
        lines.push(format!("… {} not as accepted in all", count(all as usize, "snapshot")));
    }
    lines.into_iter().map(|line| Row::new(Tint::Plain, line)).collect()
}
