//! Names and texts of any kind in files of reports: XML, CSV and Markdown.

use proptest::prelude::*;
use ptc_eval::report::record::FailureRecord;
use ptc_eval::report::verdicts::{SnapshotRecord, SnapshotVerdict};
use ptc_eval::report::{Comparison, Header, STREAMS, ScenarioRecord, Totals};
use ptc_eval::snapshot::escape::visible;
use quick_xml::events::Event;

use crate::reports::{comparison, measured, results, written};

fn sample() -> (Comparison, ScenarioRecord) {
    let mut records = measured(&results());
    (comparison(&records), records.remove(0))
}

/// The part of a report that a scenario adds.
fn streamed(file: &str, record: &ScenarioRecord) -> String {
    let stream = STREAMS.iter().find(|stream| stream.file == file).unwrap();
    let mut out = Vec::new();
    (stream.scenario)(&Header::default(), record, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_case_holds_nothing_that_xml_refuses() {
    let record = ScenarioRecord { name: "<a>\u{1b}[1m\t\n\"\u{ffff}".to_owned(), ..sample().1 };
    let name = "\"&lt;a&gt;&lt;U+001B&gt;[1m&lt;U+0009&gt;&#10;&quot;&lt;U+FFFF&gt;\"";
    let case = streamed("junit.xml", &record);
    assert!(case.contains(&format!("<testcase name={name} ")), "{case}");
}

#[test]
fn every_case_is_well_formed() {
    let sample = sample().1;
    let texts = r"(\PC|[\x00-\x1f\u{7f}-\u{9f}\u{2028}\u{202e}\u{feff}\u{fffe}\u{ffff}<>&'\x22]){0,20}";
    proptest!(|(text in texts)| {
        let some = || text.clone();
        let mut record = ScenarioRecord { name: some(), ..sample.clone() };
        record.origin.path = some();
        record.failures =
            vec![FailureRecord { what: some(), expected: some(), found: some(), line: 1, column: 1, follows: false }];
        let verdict = SnapshotVerdict::Changed;
        record.snapshots = vec![SnapshotRecord { key: some(), verdict, diff: Some(some()), reason: None }];
        let xml = streamed("junit.xml", &record);
        let refused = |c: char| c < ' ' && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}');
        prop_assert!(!xml.contains(refused), "{xml:?}");
        let mut reader = quick_xml::Reader::from_str(&xml);
        let mut name = String::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) if tag.name().as_ref() == b"testcase" => {
                    let attribute = tag.try_get_attribute("name").unwrap().unwrap();
                    name = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap().into_owned();
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let seen: Vec<_> = text.split('\n').map(visible).collect();
        prop_assert_eq!(name, seen.join("\n"));
    });
}

/// The first cells of rows, as spreadsheets read them.
fn first_cells(csv: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    reader.records().map(|row| row.unwrap()[0].to_owned()).collect()
}

#[test]
fn no_name_is_a_formula() {
    let (mut comparison, mut record) = sample();
    let cells = ["=1+1", "+a", "-a", "@SUM", "\tx", "\rx", "'=1", "''", "'a", "a=1", ""];
    let written = cells.map(|cell| {
        record.name = cell.to_owned();
        comparison.strategies[0].name = cell.to_owned();
        let by_strategy = first_cells(&written("strategies.csv", &comparison, &[])).remove(1);
        assert_eq!(first_cells(&streamed("requests.csv", &record))[0], by_strategy);
        by_strategy
    });
    assert_eq!(written, ["'=1+1", "'+a", "'-a", "'@SUM", "'\tx", "'\rx", "''=1", "''", "'a", "a=1", ""]);
}

#[test]
fn every_name_in_a_table_reads_back() {
    let sample = sample();
    proptest!(|(name in "['=+@\t\r\n\",;a\u{ffff}-]{0,6}")| {
        let (mut comparison, mut record) = sample.clone();
        comparison.strategies[0].name.clone_from(&name);
        record.name.clone_from(&name);
        let table = written("strategies.csv", &comparison, &[]);
        let totals = Totals::parse(&table).unwrap();
        prop_assert_eq!(totals.strategies().next(), Some(&*name));
        let cell = first_cells(&streamed("requests.csv", &record)).remove(0);
        prop_assert_eq!(&first_cells(&table)[1], &cell);
        prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
    });
}

#[test]
fn names_are_text_whatever_is_in_them() {
    let mut comparison = sample().0;
    let cases = [
        ("trim,keep_recent_turns=10", "trim,keep_recent_turns=10"),
        ("gpt-5.5 (estimate)", "gpt-5.5 (estimate)"),
        ("@team", "`@team`"),
        ("_a_", "`_a_`"),
        ("a__b", "`a__b`"),
        ("*a*", "`*a*`"),
        ("<b>", "`<b>`"),
        ("a\nb\u{202e}", "`a⏎b<U+202E>`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        (":x:", "`:x:`"),
        ("a|b", "`a\\|b`"),
    ];
    for (name, cell) in cases {
        comparison.strategies[1].name = name.to_owned();
        let summary = written("summary.md", &comparison, &[]);
        assert!(summary.contains(&format!("\n| {cell} | ")), "{cell}\n{summary}");
    }
}
