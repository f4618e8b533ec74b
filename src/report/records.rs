//! `records.ndjson`: one line per scenario with everything that reports need. `merge` writes the reports from
//! the records of any number of shards, in any order. The first line has the settings of the evaluation; the
//! other lines refer to them by hash. Each line ends with a checksum of the text before it.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::comparison::Comparison;
use super::header::{Header, InputPart, Shard};
use super::record::ScenarioRecord;
use super::texts::Texts;
use super::verdicts::SnapshotRecord;
use super::write::{EntryPart, ReportEntry, begin_in, claim, write_gitignore};
use crate::scenario::suite::STANDARD_INPUT;
use crate::snapshot::atomic::{at_place, persist};

/// The version of the record format.
pub const VERSION: u32 = 10;

/// Limit of bytes of an unpacked record, as a damaged one could unpack to any size.
const MOST_BYTES: u64 = 1 << 30;

/// The file with the records of a shard, in its report folder. Not `.jsonl`: inside a suite's folder, that
/// would be read as scenarios.
pub const RECORDS: &str = "records.ndjson";

/// Writes the records of an evaluation.
pub struct RecordsWriter {
    /// The lines of standard input so far, including those of other shards.
    pub offered: Offered,
    header: Header,
    /// True once the settings line is written.
    has_settings: bool,
    out: Out,
    records: u64,
}

enum Out {
    /// A temporary file, moved into this folder at the end.
    File(BufWriter<NamedTempFile>, PathBuf),
    Stream(Box<dyn Write>),
}

/// The last record of an evaluation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct End {
    pub shard: Shard,
    /// The number of records before it.
    pub records: u64,
    /// The whole standard input before sharding; `None` for a suite, as `RunInput::hash` covers its files.
    pub offered: Option<Offered>,
    /// The SYSTEM text, if it is not accepted.
    pub snapshots: Vec<SnapshotRecord>,
}

/// Line count and hash of standard input. Ignores blank lines and line endings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Offered {
    pub lines: u64,
    pub hash: u64,
}

/// `RecordKey::line` for scenarios from files.
pub const UNKNOWN_LINE: u32 = 0;

/// The identity of a record, and its order among the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordKey {
    pub position: u64,
    pub name: String,
    /// The hash of something without a name: an unreadable line of standard input, or, in the end record, all
    /// of them.
    pub source: u64,
    /// The line number in standard input, or [`UNKNOWN_LINE`].
    pub line: u32,
    /// The number of shards in the evaluation.
    pub shards: u32,
}

impl Offered {
    /// Adds a line; callers skip blank ones.
    pub fn add(&mut self, line: &[u8]) {
        self.hash = xxh3_64_with_seed(line.trim_ascii(), self.hash);
        self.lines += 1;
    }
}

impl RecordsWriter {
    /// Starts the records file of a shard in a report folder.
    pub fn create(folder: &Path, header: Header) -> io::Result<RecordsWriter> {
        claim(folder)?;
        let out = Out::File(BufWriter::new(begin_in(folder)?), folder.to_owned());
        Ok(RecordsWriter::begin_records(header, out))
    }

    /// Starts records for a program that reads them as a stream.
    pub fn stream(out: Box<dyn Write>, header: Header) -> RecordsWriter {
        RecordsWriter::begin_records(header, Out::Stream(out))
    }

    /// Returns true if another program reads the records as a stream.
    pub fn is_stream(&self) -> bool {
        matches!(self.out, Out::Stream(_))
    }

    fn begin_records(header: Header, out: Out) -> RecordsWriter {
        RecordsWriter { offered: Offered::default(), header, has_settings: false, out, records: 0 }
    }

    /// Adds the entry of the next scenario.
    pub fn add(&mut self, entry: &ReportEntry) -> io::Result<()> {
        self.records += 1;
        entry.parts.iter().try_for_each(|part| self.write_text(&part.text))
    }

    /// Adds the records of unreadable scenarios, then the end record.
    pub fn finish(mut self, comparison: &Comparison) -> io::Result<()> {
        let unreadable = &comparison.verdicts.unreadable;
        let part = part_of(&self.header)?.clone();
        for scenario in unreadable {
            let key = RecordKey {
                position: scenario.position,
                name: scenario.name.clone(),
                source: scenario.source,
                line: scenario.line_of_standard_input().unwrap_or(UNKNOWN_LINE),
                shards: part.shard.of,
            };
            let mut scenario = scenario.clone();
            if part.input.is_stream {
                (scenario.position, scenario.place) = (0, STANDARD_INPUT.to_owned());
            }
            let text = format_line(&self.header, &key, "unreadable", &serde_json::to_string(&scenario)?)?;
            self.write_text(&text)?;
        }
        let end = End {
            shard: part.shard,
            records: self.records + unreadable.len() as u64,
            offered: part.input.is_stream.then_some(self.offered),
            snapshots: comparison.verdicts.snapshots.clone(),
        };
        let (name, source) = (part.shard.to_string(), self.offered.hash);
        let key = RecordKey { position: 0, name, source, line: 0, shards: part.shard.of };
        self.write_text(&format_line(&self.header, &key, "end", &serde_json::to_string(&end)?)?)?;
        match self.out {
            Out::Stream(mut out) => out.flush(),
            Out::File(file, folder) => {
                let file = file.into_inner().map_err(|error| error.into_error())?;
                let path = folder.join(RECORDS);
                persist(file, &path).map_err(|error| at_place(&path, &error))?;
                write_gitignore(&folder)
            }
        }
    }

    fn write_text(&mut self, text: &[u8]) -> io::Result<()> {
        if !self.has_settings {
            self.has_settings = true;
            let [hash, input, run] = encode_settings(&self.header)?;
            self.write_text(&settings_line(&hash, &input, &run))?;
        }
        match &mut self.out {
            Out::File(file, _) => file.write_all(text),
            Out::Stream(out) => out.write_all(text),
        }
    }
}

impl ReportEntry {
    /// The record line of a scenario. From standard input, its content does not depend on the line number.
    pub fn record(header: &Header, record: &mut ScenarioRecord) -> io::Result<ReportEntry> {
        let InputPart { shard, input } = part_of(header)?;
        let (position, at) = (record.position, record.origin.line);
        let key = RecordKey { position, name: record.name.clone(), source: 0, line: at, shards: shard.of };
        if !input.has_texts {
            (record.turns, record.texts, record.system) = (Vec::new(), Texts::default(), None);
        }
        if input.is_stream {
            record.move_to(0, 1);
        }
        let content = serde_json::to_string(record)?;
        // Without texts, only `merge` reads the record, and compression shrinks it to a fifth. With texts,
        // other programs read it too.
        let content = if input.has_texts { content } else { pack_json(&content)? };
        let text = format_line(header, &key, "scenario", &content)?;
        if input.is_stream {
            record.move_to(position, at);
        }
        Ok(ReportEntry { parts: vec![EntryPart { text, shared: None }] })
    }
}

/// The settings line of an evaluation. `input` and `run` are JSON.
pub(super) fn settings_line(hash: &str, input: &str, run: &str) -> Vec<u8> {
    seal_line(format!("{},{}", format_head(hash), settings_text(input, run)))
}

fn settings_text(input: &str, run: &str) -> String {
    format!("\"input\":{input},\"run\":{run}")
}

/// A record line. `content` is JSON.
fn format_line(header: &Header, key: &RecordKey, kind: &str, content: &str) -> io::Result<Vec<u8>> {
    let ([hash, ..], key) = (encode_settings(header)?, serde_json::to_string(key)?);
    Ok(seal_line(format!("{},\"key\":{key},\"{kind}\":{content}", format_head(&hash))))
}

/// The start of every line; `hash` is the hash of the settings.
fn format_head(hash: &str) -> String {
    format!("{{\"version\":{VERSION},\"settings\":\"{hash}\"")
}

/// The hash of the settings, then input and run settings as JSON.
fn encode_settings(header: &Header) -> io::Result<[String; 3]> {
    let (input, run) = (serde_json::to_string(&part_of(header)?.input)?, serde_json::to_string(header)?);
    let hash = checksum(settings_text(&input, &run).as_bytes());
    Ok([hash, input, run])
}

fn seal_line(mut text: String) -> Vec<u8> {
    text.push_str(&seal(text.as_bytes()));
    text.push('\n');
    text.into_bytes()
}

/// JSON compressed into a JSON string: deflate, then base64.
fn pack_json(json: &str) -> io::Result<String> {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
    deflated.write_all(json.as_bytes())?;
    Ok(format!("\"{}\"", STANDARD.encode(deflated.finish()?)))
}

/// Reverses [`pack_json`].
pub(super) fn unpacked(packed: &str) -> io::Result<String> {
    let deflated =
        STANDARD.decode(packed.trim_matches('"')).map_err(|error| io::Error::other(error.to_string()))?;
    let mut json = String::new();
    DeflateDecoder::new(deflated.as_slice()).take(MOST_BYTES).read_to_string(&mut json)?;
    Ok(json)
}

/// The part of the input covered by the records. `merge` needs it to detect missing records.
fn part_of(header: &Header) -> io::Result<&InputPart> {
    header
        .part
        .as_ref()
        .ok_or_else(|| io::Error::other("records of an evaluation without a part of the input"))
}

/// The end of a line, with the checksum of the text before it.
pub(super) fn seal(text: &[u8]) -> String {
    format!(",\"checksum\":\"{}\"}}", checksum(text))
}

pub(super) fn checksum(text: &[u8]) -> String {
    format!("{:016x}", xxh3_64(text))
}
