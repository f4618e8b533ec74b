//! Arguments of `ptc-eval run`, and decisions based only on them.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCompleter;

use crate::cli::baseline;
use crate::cli::error::CliError;
use crate::cli::generate::complete_strategies;
use crate::cli::input::holds_logs;
use crate::cli::logs::{look_at_standard_input, put_back};
use crate::cli::suite::{ScenarioChoice, StrategyChoice, ToleranceArguments, beside, default_folder};
use crate::cli::today::Today;
use crate::cli::tune::TuneArguments;
use crate::evaluate::SnapshotMode;
use crate::report::{Header, Shard};
use crate::scenario::suite::{STANDARD_INPUT, Suite, find_root, is_within_suite};
use crate::scenario::{JsonOptions, Selection};
use agent_logs::ReadError;
use ptc_prices::PriceTable;

/// Upper limit for `--jobs`: more threads than cores would only wait for each other.
const MOST_JOBS: i64 = 1_024;

#[derive(Args, Clone, Debug)]
pub(in crate::cli) struct RunArguments {
    #[command(flatten)]
    pub(super) choice: ScenarioChoice,
    /// Run this strategy only, with these options, beside the baseline (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]", add = ArgValueCompleter::new(complete_strategies))]
    pub(super) strategy: Vec<StrategyChoice>,
    /// Run only scenarios that failed in the last run
    #[arg(long)]
    pub(super) only_failed: bool,
    #[command(flatten)]
    pub(super) tolerance: ToleranceArguments,
    /// Count tokens with o200k_base or cl100k_base; default: `tokenizer` in suite.yaml, else o200k_base
    #[arg(long, value_name = "NAME")]
    pub(super) tokenizer: Option<String>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    pub(super) prices: Option<PathBuf>,
    #[command(flatten)]
    pub(super) today: Today,
    /// Number of threads; default: one per core. It does not affect the results
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true,
        value_parser = clap::value_parser!(u16).range(..=MOST_JOBS))]
    pub(super) jobs: u16,
    /// Seconds before a scenario fails; the others go on. 0: no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(super) timeout: u32,
    /// Run every Nth scenario from the Kth on, and write records for `ptc-eval merge`
    #[arg(long, value_name = "K/N", conflicts_with_all = ["requests_csv", "no_page"])]
    pub(super) shard: Option<Shard>,
    /// Compare numbers with the report of this git revision or folder; default: HEAD
    #[arg(long, value_name = "REV|FOLDER")]
    pub(super) against: Option<String>,
    /// Folder of snapshots; default: `snapshots` beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) snapshot_dir: Option<PathBuf>,
    /// Folder for reports; default: `reports` beside the suite's folder, or `reports/selection` for a part of the suite
    #[arg(long, value_name = "FOLDER")]
    pub(super) report_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) files: ReportFiles,
    /// Don't replace keys and passwords of logs in reports and records
    #[arg(long)]
    pub(super) keep_secrets: bool,
    /// Accept new and changed snapshots, and remove those without a scenario. With NAME (SCENARIO or SCENARIO/STRATEGY), accept only
    /// the snapshots of NAME
    #[arg(long, conflicts_with = "locked", value_name = "NAME", num_args = 0..=1)]
    pub(super) accept: Option<Option<String>>,
    /// With --accept: remove snapshots without asking, even more than a tenth of all
    #[arg(long, requires = "accept")]
    pub(super) prune: bool,
    /// For CI: write no snapshots and no committed reports, and fail if one is stale. CI=true means the same
    #[arg(long)]
    pub(super) locked: bool,
    /// Run again when a file of the suite changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["locked", "accept"])]
    pub(super) watch: bool,
    /// Format of standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(super) format: OutputFormat,
    /// Search the options of all strategies for the cheapest setting within --max-short; no other report
    #[arg(long, conflicts_with_all = ["strategy", "only_failed", "shard", "accept", "locked", "watch", "format", "against", "report_dir", "requests_csv", "no_page"])]
    pub(super) tune: bool,
    /// With --tune: the model whose prices decide; default: the first model of the suite
    #[arg(long, value_name = "NAME", requires = "tune")]
    pub(super) model: Option<String>,
    /// With --tune: seed for the random third of the scenarios that tests the setting
    #[arg(long, value_name = "N", requires = "tune", default_value_t = 0, hide_default_value = true)]
    pub(super) seed: u64,
    /// With --tune: add the setting to suite.yaml as the variant `tuned`, with thresholds
    #[arg(long, requires = "tune")]
    pub(super) write: bool,
    /// With --tune: also try strategies that rewrite tool calls as text; the default if no log has tool calls
    #[arg(long, requires = "tune")]
    pub(super) all: bool,
    /// Print failures only
    #[arg(long, short, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print the name of each finished scenario
    #[arg(long, short)]
    pub(super) verbose: bool,
}

/// Arguments that choose the files of a report folder.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct ReportFiles {
    /// Also write requests.csv, with a row for each request under each strategy
    #[arg(long)]
    requests_csv: bool,
    /// Write no index.html
    #[arg(long)]
    no_page: bool,
}

impl ReportFiles {
    /// The settings of an evaluation that writes these files.
    pub(in crate::cli) fn over(self, header: Header) -> Header {
        Header { writes_requests: self.requests_csv, omits_page: self.no_page, ..header }
    }

    /// Rejects these options where records are written: the merge of the records writes the files.
    pub(in crate::cli) fn check(self, format: OutputFormat) -> Result<(), CliError> {
        for (option, is_given) in [("--requests-csv", self.requests_csv), ("--no-page", self.no_page)] {
            if is_given && format.is_records() {
                return Err(CliError::NotWithRecords { option });
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum OutputFormat {
    /// Failures, the recommendation and a table
    Human,
    /// One JSON object
    Json,
    /// One line of JSON for each scenario, then the object
    Jsonl,
    /// Records for `ptc-eval merge`, one for each scenario; no reports
    Records,
    /// Records with the texts of turns and requests, for the page
    FullRecords,
}

impl OutputFormat {
    pub(in crate::cli) fn is_records(self) -> bool {
        matches!(self, OutputFormat::Records | OutputFormat::FullRecords)
    }

    /// Rejects records on a terminal: texts in them could contain escape sequences.
    pub(in crate::cli) fn check(self) -> Result<(), CliError> {
        if self.is_records() && io::stdout().is_terminal() {
            Err(CliError::RecordsOnTerminal)
        } else {
            Ok(())
        }
    }
}

impl RunArguments {
    /// The revision given to `--against`. `None` if it is a folder.
    pub(super) fn against_revision(&self) -> Option<&str> {
        baseline::revision(self.against.as_deref())
    }

    /// The arguments for `tune`, if `--tune` was given.
    pub(super) fn tuning(&self) -> Option<TuneArguments> {
        self.tune.then(|| TuneArguments {
            choice: self.choice.clone(),
            model: self.model.clone(),
            prices: self.prices.clone(),
            tolerance: self.tolerance,
            seed: self.seed,
            write: self.write,
            all: self.all,
            jobs: self.jobs,
        })
    }

    /// Treats the value of `--accept` as a path to evaluate if it is one.
    pub(super) fn with_accepted_path(&self) -> RunArguments {
        let mut arguments = self.clone();
        if let Some(Some(word)) = &self.accept
            && (word == STANDARD_INPUT || Path::new(word).exists())
        {
            arguments.choice.paths.insert(0, PathBuf::from(word));
            arguments.accept = Some(None);
        }
        arguments
    }

    /// The only scenario or snapshot to accept, from `--accept NAME`.
    pub(super) fn accepted_name(&self) -> Option<String> {
        self.accept.clone().flatten()
    }

    pub(super) fn reads_standard_input(&self) -> bool {
        matches!(self.choice.paths.as_slice(), [path] if path.as_os_str() == STANDARD_INPUT)
    }

    /// The file of a scenario outside any suite. No reports are written next to it.
    pub(super) fn lone_scenario(&self) -> Option<&Path> {
        let path = self.choice.paths.first()?;
        (path.is_file() && !is_within_suite(&find_root(path))).then_some(path)
    }

    /// Rejects contradictory options not covered by clap's `conflicts_with`.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let streams = self.reads_standard_input();
        if self.watch && streams {
            return Err(CliError::NotWithStandardInput { option: "--watch" });
        }
        self.files.check(self.format)?;
        match self.lone_scenario() {
            _ if !self.only_failed => self.format.check(),
            Some(path) => Err(CliError::OutsideSuite { option: "--only-failed", path: path.to_owned() }),
            None if streams => Err(CliError::NotWithStandardInput { option: "--only-failed" }),
            None => self.format.check(),
        }
    }

    /// Rejects options for golden files, because logs have none.
    pub(super) fn check_for_logs(&self) -> Result<(), CliError> {
        let options = [
            ("--accept", self.accept.is_some()),
            ("--only-failed", self.only_failed),
            ("--shard", self.shard.is_some()),
            ("--snapshot-dir", self.snapshot_dir.is_some()),
        ];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(CliError::NotWithLogs { option }),
            None => Ok(()),
        }
    }

    /// Returns true if the command line changes neither the strategies of the suite nor their options.
    pub(super) fn keeps_strategies(&self) -> bool {
        self.strategy.is_empty() && !self.overrides_options()
    }

    /// Returns true if an option changes the requests of strategies or token counts.
    pub(super) fn overrides_options(&self) -> bool {
        self.tokenizer.is_some()
            || self.prices.is_some()
            || self.strategy.iter().any(|wanted| !wanted.options.is_empty())
    }

    pub(super) fn open_suite(&self, prices: &PriceTable) -> Result<Suite, CliError> {
        if !self.reads_standard_input() {
            return self.choice.open_any(Some(prices));
        }
        if holds_logs(Path::new(STANDARD_INPUT))? {
            let line = look_at_standard_input()?;
            match self.choice.open_any(Some(prices)) {
                // It may be a scenario with a mistyped key. Parsed as one, it gets an error that points at the key.
                Err(CliError::Transcript { error: ReadError::UnknownFormat(_), .. }) => put_back(line),
                suite => return suite,
            }
        }
        // A stream needs no folder of scenarios. Without one, paths are relative to the working directory.
        let paths = suite_of_stream().into_iter().collect();
        Ok(ScenarioChoice { paths, ..self.choice.clone() }.open_with(Some(prices))?)
    }

    /// The selected scenarios of the suite or of standard input.
    pub(super) fn selection(&self, suite: &Suite) -> Selection {
        let mut selection = self.choice.selection(suite);
        if self.reads_standard_input() {
            selection.paths.clear();
        }
        selection
    }

    /// The folder for reports. Shards and selections have their own.
    pub(super) fn report_folder(&self, committed: &Path, is_complete: bool) -> PathBuf {
        match (&self.report_dir, self.shard) {
            (Some(folder), _) => folder.clone(),
            (None, Some(Shard { number, of })) => committed.join(format!("shard-{number}-of-{of}")),
            (None, None) if is_complete => committed.to_owned(),
            (None, None) => committed.join("selection"),
        }
    }

    /// How to treat new and changed snapshots.
    pub(super) fn mode(&self) -> Result<SnapshotMode, CliError> {
        match (self.accept.is_some(), is_locked(self.locked)) {
            (true, true) => Err(CliError::AcceptInCi),
            (true, false) => Ok(SnapshotMode::Accept),
            (false, true) => Ok(SnapshotMode::Locked),
            (false, false) => Ok(SnapshotMode::Pend),
        }
    }

    /// The strategies of the suite, or the baseline and the requested strategies without duplicates.
    pub(super) fn wanted_strategies(&self, suite: &Suite) -> Vec<(String, JsonOptions)> {
        if self.strategy.is_empty() {
            return suite.strategies.iter().map(|name| (name.clone(), JsonOptions::default())).collect();
        }
        let mut wanted = vec![(suite.baseline.clone(), JsonOptions::default())];
        for choice in self.strategy.iter().map(|choice| choice.in_suite(suite)) {
            if !wanted.contains(&choice) {
                wanted.push(choice);
            }
        }
        wanted
    }
}

/// The folder `name` next to the suite's, or in the working directory for a stream without a suite.
pub(in crate::cli) fn place(suite: &Path, is_stream: bool, name: &str) -> PathBuf {
    if is_stream && suite_of_stream().is_some() { PathBuf::from(name) } else { beside(suite, name) }
}

/// The working directory, used as suite folder of a stream if the default folder does not exist.
pub(super) fn suite_of_stream() -> Option<PathBuf> {
    (!default_folder().is_dir()).then(|| PathBuf::from("."))
}

/// Returns true if only uncommitted reports may be written.
pub(in crate::cli) fn is_locked(by_flag: bool) -> bool {
    by_flag || std::env::var("CI").is_ok_and(|value| value == "true")
}
