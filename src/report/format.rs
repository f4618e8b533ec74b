//! The formats of reports. A report of the whole suite is a function of the comparison; one that holds a row or
//! a text for every scenario is written as a stream.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::header::Header;
use super::page::SharedText;
use super::record::ScenarioRecord;
use super::results_reader::RESULTS;
use super::{changes_md, csv_files, junit, page, results, summary};

/// A file that is made from the comparison alone.
pub struct ReportFormat {
    pub file: &'static str,
    /// True for files that are committed, so that a pull request shows their changes.
    pub committed: bool,
    /// The words with which the file begins in every version.
    pub first_words: &'static str,
    pub write: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
}

/// A file to which every scenario adds something, in their order.
pub struct ReportStream {
    pub file: &'static str,
    /// Writes what comes before everything else and is known only at the end.
    pub front: fn(&Comparison, &mut dyn Write) -> io::Result<()>,
    pub head: fn(&Header, &mut dyn Write) -> io::Result<()>,
    /// Returns true if an evaluation with these settings writes the file.
    pub is_written: fn(&Header) -> bool,
    /// The most scenarios that it holds; later ones add nothing.
    pub most: u64,
    /// Text between two scenarios.
    pub between: &'static str,
    /// Writes what a scenario adds, whatever its position.
    pub scenario: fn(&Header, &ScenarioRecord, &mut Vec<u8>) -> io::Result<()>,
    /// Gives the text that a scenario may share with others. The file has it once, before the first scenario with it.
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

/// A stream that writes nothing: streams name the parts that they have.
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
        is_written: |header| !header.lacks_texts,
        most: page::MOST_SCENARIOS,
        scenario: page::scenario,
        shared: page::shared,
        tail: page::tail,
        ..EMPTY
    },
    ReportStream {
        file: "junit.xml",
        front: junit::front,
        // Logs have no expectations that could fail.
        is_written: |header| !header.lacks_requests,
        scenario: junit::scenario,
        tail: junit::tail,
        ..EMPTY
    },
    ReportStream {
        file: "requests.csv",
        head: csv_files::requests_head,
        is_written: |header| !header.lacks_requests,
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
