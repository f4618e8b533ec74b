//! The formats of reports. A report of the whole suite is a function of the comparison. A report with a row
//! or a text per scenario is written as a stream.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::header::Header;
use super::page::SharedText;
use super::record::ScenarioRecord;
use super::results_reader::RESULTS;
use super::{changes_md, csv_files, junit, page, results, summary};

/// A report written from the comparison alone.
pub struct ReportFormat {
    pub file: &'static str,
    /// True for committed files, so that pull requests show their changes.
    pub committed: bool,
    /// The start of the file in every version.
    pub first_words: &'static str,
    pub write: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
}

/// A report written one scenario at a time, in order.
pub struct ReportStream {
    pub file: &'static str,
    /// Writes the start of the file, for content known only at the end.
    pub front: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
    pub head: fn(&Header, &mut dyn Write) -> io::Result<()>,
    /// Returns true if an evaluation with these settings writes the file.
    pub is_written: fn(&Header) -> bool,
    /// Limit of scenarios; later ones are left out.
    pub most: u64,
    /// Separator between two scenarios.
    pub between: &'static str,
    /// Writes a scenario, independent of its position.
    pub scenario: fn(&Header, &ScenarioRecord, &mut Vec<u8>) -> io::Result<()>,
    /// Returns a text shared by several scenarios. The file contains it once, before the first of them.
    pub shared: fn(&ScenarioRecord) -> io::Result<Option<SharedText>>,
    pub tail: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
}

/// Sorted by name.
pub const FORMATS: &[ReportFormat] = &[
    ReportFormat { file: "changes.md", committed: false, first_words: "# Changes", write: changes_md::write },
    ReportFormat {
        file: "strategies.csv",
        committed: true,
        first_words: "strategy,",
        write: csv_files::strategies,
    },
    ReportFormat {
        file: "summary.md",
        committed: true,
        first_words: "# Strategies\n",
        write: summary::write,
    },
];

/// Writes nothing; streams override the parts they need.
const EMPTY: ReportStream = ReportStream {
    file: "",
    front: nothing,
    head: |_, _| Ok(()),
    is_written: |_| true,
    most: u64::MAX,
    between: "",
    scenario: |_, _, _| Ok(()),
    shared: |_| Ok(None),
    tail: nothing,
};

/// Sorted by name.
pub const STREAMS: &[ReportStream] = &[
    ReportStream {
        file: "index.html",
        head: page::head,
        is_written: Header::writes_page,
        most: page::MOST_SCENARIOS,
        scenario: page::scenario,
        shared: page::shared,
        tail: page::tail,
        ..EMPTY
    },
    ReportStream {
        file: "junit.xml",
        front: junit::front,
        is_written: |header| !header.is_advice,
        scenario: junit::scenario,
        tail: junit::tail,
        ..EMPTY
    },
    ReportStream {
        file: "requests.csv",
        head: csv_files::requests_head,
        is_written: |header| header.writes_requests,
        scenario: csv_files::requests,
        ..EMPTY
    },
    ReportStream {
        file: RESULTS,
        head: results::head,
        between: ",\n",
        scenario: results::scenario,
        tail: results::tail,
        ..EMPTY
    },
    ReportStream {
        file: "scenarios.csv",
        head: csv_files::scenarios_head,
        scenario: csv_files::scenario,
        ..EMPTY
    },
];

fn nothing(_: &Comparison, _: &mut dyn Write) -> io::Result<()> {
    Ok(())
}
