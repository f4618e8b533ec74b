//! `ptc-eval merge`: the reports of shards become those that one run would have written, byte for byte.
//! Scenarios are read one at a time and in the order of the suite; of each only numbers stay.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::baseline;
use super::exit::Exit;
use super::failures::Failures;
use super::judge::{exit_of, is_locked, judge};
use super::run::{Closing, Format};
use super::suite::{beside, count};
use super::terminal::Color;
use crate::report::verdicts::{SnapshotRecord, Unreadable, Verdicts};
use crate::report::{
    Comparison, FailedNames, Header, ReportFolder, ResultsReader, ScenarioRecord, Shard, Tally,
};
use crate::scenario::{Names, reason};
use crate::snapshot::store::Store;
use crate::snapshot::text;
use crate::snapshot::view::{Row, Tint};

/// The file that each shard's folder is read from.
const RESULTS: &str = "results.json";
/// How many snapshots that are not as accepted are named.
const SHOWN: usize = 5;

#[derive(Args)]
pub(super) struct Arguments {
    /// The report folders of all shards
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Where the joined reports are written; default: `reports` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    report_dir: Option<PathBuf>,
    /// Where snapshots lie, to find those that nobody claims; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
    /// The report to compare with: a revision or a folder; default: HEAD's
    #[arg(long, value_name = "REV|FOLDER")]
    against: Option<String>,
    /// Write no committed reports; stale ones fail. CI=true means the same
    #[arg(long)]
    locked: bool,
    /// What goes to standard output
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Say only what failed
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments, color: Color) -> Exit {
    merge(arguments, color).unwrap_or_else(|message| {
        err!("{message}");
        Exit::Unreadable
    })
}

fn merge(arguments: &Arguments, color: Color) -> Result<Exit, String> {
    let parts = arguments.folders.iter().map(|folder| Part::open(folder));
    let mut shards: Vec<Part> = parts.collect::<Result<_, _>>()?;
    let header = common_header(&mut shards)?;
    let [report_dir, snapshot_dir] = &arguments.places(&header)?;
    let committed = beside(Path::new(&header.suite), "reports");
    let against = baseline::find(arguments.against.as_deref(), &[report_dir, &committed])?;
    let cannot_write = |error: io::Error| cannot_write(report_dir, &error);
    let mut joined = Joined::begin(report_dir, header).map_err(cannot_write)?;
    while let Some(record) = next(&mut shards)? {
        joined.take(record).map_err(cannot_write)?;
    }
    joined.take_verdicts(shards)?;
    let Joined { tally, verdicts, claimed, folder, failed, failures, broken, told, .. } = joined;
    let mut comparison = tally.compare();
    comparison.verdicts = verdicts;
    let is_locked = is_locked(arguments.locked);
    if comparison.is_judged() {
        comparison.verdicts.snapshots.extend(orphans(snapshot_dir, &claimed)?);
        judge(&mut comparison, Some(against), report_dir, is_locked).map_err(cannot_write)?;
    }
    folder.finish(&comparison).map_err(cannot_write)?;
    // What a part of the suite does not hold may have failed still.
    let names = if comparison.is_judged() { failed.without_missing() } else { failed.with_all() };
    failed.write(&names).map_err(cannot_write)?;
    let closing = Closing {
        format: arguments.format,
        is_quiet: arguments.quiet,
        color,
        report_dir,
        comparison: &comparison,
        snapshots: snapshot_lines(&comparison, &told),
        same_snapshots: 0,
        failures,
        broken,
        exit: exit_of(&comparison),
        is_locked,
    };
    closing.tell();
    Ok(closing.exit)
}

fn cannot_write(report_dir: &Path, error: &io::Error) -> String {
    let (folder, reason) = (report_dir.display(), reason(error));
    format!("error: cannot write to {folder}: {reason}\n  = help: --report-dir names another folder\n")
}

/// The snapshots that nobody claims.
fn orphans(folder: &Path, claimed: &BTreeSet<String>) -> Result<Vec<SnapshotRecord>, String> {
    let store = Store { folder: folder.to_owned() };
    let cannot_read =
        |error: io::Error| format!("error: cannot read {}: {}\n", folder.display(), reason(&error));
    let keys = store.orphans(|key| claimed.contains(key)).map_err(cannot_read)?;
    Ok(keys.into_iter().map(SnapshotRecord::orphan).collect())
}

impl Arguments {
    /// Where the joined reports are written, and where snapshots lie. Both lie beside the suite's folder, which
    /// the shards know, unless something else is said.
    fn places(&self, header: &Header) -> Result<[PathBuf; 2], String> {
        let suite = Path::new(&header.suite);
        let is_said = self.report_dir.is_some() && self.snapshot_dir.is_some();
        if !is_said && !suite.exists() {
            return Err(format!(
                "error: the shards are of the suite {}, which is not to be found from here\n  = help: merge where the shards were run, or name --report-dir and --snapshot-dir\n",
                suite.display()
            ));
        }
        let place = |said: &Option<PathBuf>, name| said.clone().unwrap_or_else(|| beside(suite, name));
        Ok([place(&self.report_dir, "reports"), place(&self.snapshot_dir, "snapshots")])
    }
}

/// One shard's results, and its next scenario.
struct Part {
    folder: PathBuf,
    reader: ResultsReader,
    next: Option<ScenarioRecord>,
}

impl Part {
    fn open(folder: &Path) -> Result<Part, String> {
        let say = |error| {
            format!("error: {error}\n  = help: name the report folders of ptc-eval run --shard K/N\n")
        };
        let mut reader = ResultsReader::open(&folder.join(RESULTS)).map_err(say)?;
        let next = reader.scenario().map_err(say)?;
        Ok(Part { folder: folder.to_owned(), reader, next })
    }

    fn take(&mut self) -> Result<Option<ScenarioRecord>, String> {
        let after = self.reader.scenario().map_err(|error| format!("error: {error}\n"))?;
        Ok(std::mem::replace(&mut self.next, after))
    }
}

/// The next scenario of all shards, in the order of the suite.
fn next(shards: &mut [Part]) -> Result<Option<ScenarioRecord>, String> {
    let waiting = shards.iter_mut().filter(|shard| shard.next.is_some());
    let first = waiting.min_by_key(|shard| shard.next.as_ref().map(|record| record.position));
    first.map_or(Ok(None), Part::take)
}

/// What all shards say of the run they belong to. They must be all of it, each once.
fn common_header(shards: &mut [Part]) -> Result<Header, String> {
    shards.sort_by_key(|shard| shard.reader.head.header.shard.map(|shard| shard.number));
    let mut common: Option<Header> = None;
    for (index, part) in (1_u32..).zip(shards.iter()) {
        let folder = part.folder.display();
        let mut header = part.reader.head.header.clone();
        let Some(shard) = header.shard.take() else {
            return Err(format!(
                "error: {folder} is not the report of a shard\n  = help: write it with ptc-eval run --shard K/N\n"
            ));
        };
        check_number(shard, index, shards.len(), &part.folder)?;
        match &common {
            Some(common) if *common != header => {
                return Err(format!(
                    "error: {folder} is of another run: its strategies, baseline, tokenizer, models, thresholds or selection differ\n  = help: run all shards in the same way\n"
                ));
            }
            _ => common = Some(header),
        }
    }
    common.ok_or_else(|| "error: no shards\n".to_owned())
}

/// Whether the shard is the one that stands at this index, from 1, of so many in order.
fn check_number(shard: Shard, index: u32, count: usize, folder: &Path) -> Result<(), String> {
    let Shard { number, of } = shard;
    if number > index || (index as usize == count && number < of) {
        let missing = if number > index { index } else { number + 1 };
        return Err(format!(
            "error: shard {missing}/{of} is missing\n  = help: merge the reports of all {of} shards at once\n"
        ));
    }
    if number < index {
        let folder = folder.display();
        return Err(format!(
            "error: {folder} is shard {number}/{of} once more\n  = help: name each shard once\n"
        ));
    }
    Ok(())
}

/// What was joined so far.
struct Joined {
    tally: Tally,
    folder: ReportFolder,
    names: Names,
    strategies: Vec<String>,
    claimed: BTreeSet<String>,
    /// Files that cannot be read, and snapshots that belong to no scenario.
    verdicts: Verdicts,
    failed: FailedNames,
    failures: Failures,
    broken: Vec<String>,
    /// The first snapshots of scenarios that are not as accepted.
    told: Vec<String>,
}

impl Joined {
    fn begin(report_dir: &Path, header: Header) -> io::Result<Joined> {
        Ok(Joined {
            strategies: header.strategies.clone(),
            tally: Tally::new(header.clone()),
            folder: ReportFolder::create(report_dir, header)?,
            names: Names::default(),
            claimed: BTreeSet::from([text::SYSTEM_PROMPT.to_owned()]),
            verdicts: Verdicts::default(),
            failed: FailedNames::read(report_dir)?,
            failures: Failures::default(),
            broken: Vec::new(),
            told: Vec::new(),
        })
    }

    fn take(&mut self, record: ScenarioRecord) -> io::Result<()> {
        if let Err(error) = self.names.claim(&record.name, &record.origin) {
            self.verdicts.unreadable.push(Unreadable::new(record.position, record.name, &error));
            return Ok(());
        }
        self.failed.note(&record);
        self.claimed.extend(text::keys(&record.name, &self.strategies));
        self.failures.add(&record);
        let broken = record.broken_strategies.iter();
        self.broken.extend(broken.map(|broken| format!("{}: {}", record.name, broken.describe())));
        let room = SHOWN.saturating_sub(self.told.len());
        self.told.extend(record.snapshots.iter().take(room).map(SnapshotRecord::describe));
        self.tally.add(&record);
        self.folder.scenario(&record)
    }

    /// Takes what each shard says after its scenarios.
    fn take_verdicts(&mut self, shards: Vec<Part>) -> Result<(), String> {
        for shard in shards {
            let said = shard.reader.finish().map_err(|error| format!("error: {error}\n"))?.verdicts;
            self.verdicts.unreadable.extend(said.unreadable);
            self.verdicts.snapshots.extend(said.snapshots);
        }
        self.verdicts.unreadable.sort_by_key(|unreadable| unreadable.position);
        // The SYSTEM text is compared by every shard.
        self.verdicts.snapshots.dedup();
        self.verdicts.unreadable.iter().for_each(|unreadable| self.failed.note_unreadable(unreadable));
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
