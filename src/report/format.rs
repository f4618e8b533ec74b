//! The files there are. A report of the whole suite is a function of the comparison; one that holds a row
//! or a text for every scenario is written while they come and go.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::header::Header;
use super::record::ScenarioRecord;
use super::{changes_md, junit, page, requests_csv, results, scenarios_csv, strategies_csv, summary};

/// A file made of the comparison alone.
pub struct Format {
    pub file: &'static str,
    /// Whether it stands in the repository, so that a pull request shows how it changes.
    pub committed: bool,
    pub write: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
}

/// A file to which every scenario adds something, in their order.
pub struct Stream {
    pub file: &'static str,
    /// What stands before all else and is known only at the end.
    pub front: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
    pub head: fn(&Header, &mut dyn Write) -> io::Result<()>,
    /// How many scenarios it holds; those after them add nothing.
    pub most: u64,
    /// What stands between two scenarios.
    pub between: &'static str,
    /// What a scenario adds, whatever its place.
    pub scenario: fn(&Header, &ScenarioRecord, &mut dyn Write) -> io::Result<()>,
    pub tail: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
}

/// Sorted by name.
pub const FORMATS: &[Format] = &[
    Format { file: "changes.md", committed: false, write: changes_md::write },
    Format { file: "strategies.csv", committed: true, write: strategies_csv::write },
    Format { file: "summary.md", committed: true, write: summary::write },
];

/// Sorted by name.
pub const STREAMS: &[Stream] = &[
    Stream {
        file: "index.html",
        front: nothing,
        head: page::head,
        most: page::MOST_SCENARIOS,
        between: "",
        scenario: page::scenario,
        tail: page::tail,
    },
    Stream {
        file: "junit.xml",
        front: junit::front,
        head: |_, _| Ok(()),
        most: u64::MAX,
        between: "",
        scenario: junit::scenario,
        tail: junit::tail,
    },
    Stream {
        file: "requests.csv",
        front: nothing,
        head: requests_csv::head,
        most: u64::MAX,
        between: "",
        scenario: requests_csv::scenario,
        tail: nothing,
    },
    Stream {
        file: "results.json",
        front: nothing,
        head: results::head,
        most: u64::MAX,
        between: ",\n",
        scenario: results::scenario,
        tail: results::tail,
    },
    Stream {
        file: "scenarios.csv",
        front: nothing,
        head: scenarios_csv::head,
        most: u64::MAX,
        between: "",
        scenario: scenarios_csv::scenario,
        tail: nothing,
    },
];

fn nothing(_: &Comparison, _: &mut dyn Write) -> io::Result<()> {
    Ok(())
}
