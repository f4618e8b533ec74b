//! What `ptc-eval run` can be told, and what follows from that alone.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::suite::{Choice, Wanted, price_table, prices_named};
use crate::scenario::Options;
use crate::scenario::suite::Suite;
use crate::tokens::Price;

/// Scenarios that are read from standard input.
const STANDARD_INPUT: &str = "-";

#[derive(Args, Clone, Debug)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) choice: Choice,
    /// Only this strategy, with these options (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    pub(super) strategy: Vec<Wanted>,
    /// What counts the tokens
    #[arg(long, value_name = "NAME")]
    pub(super) tokenizer: Option<String>,
    /// A file of prices that replaces and extends the built-in table
    #[arg(long, value_name = "FILE")]
    pub(super) prices: Option<PathBuf>,
    /// Threads; default: one a core. The results are the same for any number
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) jobs: usize,
    /// Where snapshots lie; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) snapshot_dir: Option<PathBuf>,
    /// Where reports are written; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    pub(super) report_dir: Option<PathBuf>,
    /// Accept new and changed snapshots, remove those that nobody claims
    #[arg(long, conflicts_with = "locked")]
    pub(super) accept: bool,
    /// Write no snapshots and no committed reports; stale ones fail. CI=true means the same
    #[arg(long)]
    pub(super) locked: bool,
    /// What goes to standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(super) format: Format,
    /// Say only what failed
    #[arg(long, short, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Name every scenario as it is done
    #[arg(long, short)]
    pub(super) verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table and what failed
    Human,
    /// One object
    Json,
    /// One line a scenario, the object last
    Jsonl,
}

impl Arguments {
    pub(super) fn reads_standard_input(&self) -> bool {
        matches!(self.choice.paths.as_slice(), [path] if path.as_os_str() == STANDARD_INPUT)
    }

    pub(super) fn open_suite(&self) -> Result<Suite, String> {
        let choice = match self.reads_standard_input() {
            true => Choice { paths: Vec::new(), ..self.choice.clone() },
            false => self.choice.clone(),
        };
        choice.open().map_err(|error| error.to_string())
    }

    pub(super) fn wanted_strategies(&self, suite: &Suite) -> Vec<(String, Options)> {
        if self.strategy.is_empty() {
            return suite.strategies.iter().map(|name| (name.clone(), Options::default())).collect();
        }
        self.strategy.iter().map(|wanted| (wanted.name.clone(), wanted.options.clone())).collect()
    }

    /// The prices of the suite's models.
    pub(super) fn models(&self, suite: &Suite) -> Result<Vec<Price>, String> {
        prices_named(&price_table(self.prices.as_deref())?, &suite.models)
    }
}
