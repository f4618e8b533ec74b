//! Reads records of any number of evaluations in any order and checks that they belong together. Returns each
//! record once, in the order of a single evaluation. Memory holds only the records' places in the files.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

use super::header::{Header, RunInput, Shard};
use super::record::ScenarioRecord;
use super::records::{End, Offered, RECORDS, RecordKey, VERSION, checksum, seal, settings_line, unpacked};
use super::records_order::{Entry, Kind, Ordered, Rivals, Span};
use super::verdicts::Unreadable;
use crate::scenario::suite::STANDARD_INPUT;
use crate::scenario::{files, reason};

const COPY_AGAIN: &str = "copy a damaged file again, or write it anew with ptc-eval run";
const NAME_RECORDS: &str =
    "name what ptc-eval run --shard K/N or run --format records wrote, or - for standard input";
const OFFER_ALL: &str = "give every shard all lines of standard input, or run the parts without --shard";
const OTHER_FOLDER: &str = "TMPDIR names another folder for it";
const NO_SETTINGS: &str = "the settings of the run are missing, which its first line has";
const OTHER_RUN: &str = "the record is of another run than the first: its suite, strategies, baseline, tokenizer, models \
                         or thresholds differ";
const RUN_ALIKE: &str =
    "run all parts on the same files, with the same options and the same version of ptc-eval";

/// The records of evaluations of parts of one input.
pub struct Records {
    sources: Vec<(PathBuf, File)>,
    ordered: Ordered,
    /// The settings line.
    settings: Vec<u8>,
    pub header: Header,
    pub input: RunInput,
}

/// Why records cannot be merged, and advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RecordsError {
    pub message: String,
    pub help: &'static str,
}

impl RecordsError {
    fn new(message: impl Into<String>, help: &'static str) -> RecordsError {
        RecordsError { message: message.into(), help }
    }
}

/// A parsed line of a records file.
#[derive(Deserialize)]
struct Line<'l> {
    /// The hash of the settings.
    settings: &'l str,
    #[serde(borrow)]
    input: Option<&'l RawValue>,
    #[serde(borrow)]
    run: Option<&'l RawValue>,
    key: Option<RecordKey>,
    #[serde(borrow)]
    scenario: Option<&'l RawValue>,
    #[serde(borrow)]
    unreadable: Option<&'l RawValue>,
    #[serde(borrow)]
    end: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

/// The text of a record, not yet parsed.
pub struct RecordText {
    entry: Entry,
    /// File and line, for messages.
    place: String,
    is_stream: bool,
    text: String,
}

/// A parsed record.
pub enum Record {
    Scenario(Box<ScenarioRecord>),
    Unreadable(Unreadable),
    End(End),
}

/// An end record, with its file and line.
struct PlacedEnd {
    end: End,
    place: String,
}

/// Collects records from several sources.
struct Gathering {
    sources: Vec<(PathBuf, File)>,
    entries: Vec<Entry>,
    /// The settings hash of the first line.
    first: Option<String>,
    settings: Option<SettingsText>,
}

/// The JSON text of a settings line.
struct SettingsText {
    input: String,
    run: String,
}

impl Records {
    /// Indexes the records of shard folders and files; `-` is standard input.
    ///
    /// # Errors
    /// An unreadable file, a damaged line, records of different evaluations, or two different records of one
    /// scenario.
    pub fn read(paths: &[PathBuf]) -> Result<Records, RecordsError> {
        let mut gathering = Gathering::new();
        for path in paths {
            gathering.read(path)?;
        }
        let Gathering { sources, entries, first, settings } = gathering;
        let places: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let places = places.join(", ");
        let Some(hash) = first else { return Err(no_records(&places)) };
        let Some(SettingsText { input, run }) = settings else {
            return Err(RecordsError::new(format!("{places}: {NO_SETTINGS}"), COPY_AGAIN));
        };
        let settings = settings_line(&hash, &input, &run);
        let header: Header = serde_json::from_str(&run).map_err(refuse_settings)?;
        let input: RunInput = serde_json::from_str(&input).map_err(refuse_settings)?;
        let header = Header { lacks_texts: !input.has_texts, ..header };
        let ordered = Ordered::order_entries(entries, input.is_stream)
            .map_err(|Rivals(rivals)| are_rivals(&sources, rivals.as_ref()))?;
        if ordered.entries.is_empty() {
            return Err(no_records(&places));
        }
        Ok(Records { sources, ordered, settings, header, input })
    }

    /// Checks that no record of a suite or of a sharded standard input is missing. A missing standard input
    /// as a whole goes unnoticed, as their number is unknown.
    ///
    /// # Errors
    /// A missing shard, or a missing record of a shard.
    pub fn check_complete(&self) -> Result<(), RecordsError> {
        let mut inputs: IndexMap<Option<Offered>, Vec<PlacedEnd>> = IndexMap::new();
        for placed in self.read_ends()? {
            inputs.entry(placed.end.offered).or_default().push(placed);
        }
        if inputs.is_empty() && self.expects_end() {
            let path = self.sources.first().map(|(path, _)| format!("{}: ", path.display()));
            let message = format!("{}the last record of the run is missing", path.as_deref().unwrap_or(""));
            return Err(RecordsError::new(message, COPY_AGAIN));
        }
        check_offered(&inputs)?;
        inputs.values().try_for_each(|ends| check_division(ends))?;
        // After renumbering, records can no longer be assigned to shards.
        if self.ordered.are_renumbered {
            return Ok(());
        }
        self.check_numbers(&inputs.into_values().flatten().collect::<Vec<_>>())
    }

    fn expects_end(&self) -> bool {
        !self.input.is_stream || self.ordered.entries.iter().any(|entry| entry.shards > 1)
    }

    /// The end records, without those of undivided standard inputs, which are complete on their own.
    fn read_ends(&self) -> Result<Vec<PlacedEnd>, RecordsError> {
        let ends = self.ordered.list_ends().filter(|entry| !self.input.is_stream || entry.shards > 1);
        ends.map(|entry| {
            let text = self.read_text(entry)?;
            Ok(PlacedEnd { end: text.decode_content()?, place: text.place })
        })
        .collect()
    }

    /// Checks the number of records against the end record of each shard.
    fn check_numbers(&self, ends: &[PlacedEnd]) -> Result<(), RecordsError> {
        let mut found = vec![0; ends.len()];
        for entry in &self.ordered.entries {
            for (placed, found) in ends.iter().zip(&mut found) {
                *found += u64::from(!entry.is_end && placed.end.shard.holds(entry.position));
            }
        }
        for (PlacedEnd { end: End { shard, records, .. }, place }, found) in ends.iter().zip(found) {
            if *records != found {
                let message = format!("{place}: expected {records} records of shard {shard}, found {found}");
                return Err(RecordsError::new(message, COPY_AGAIN));
            }
        }
        Ok(())
    }

    /// Reads the text of each record, in order.
    pub fn texts(&self) -> impl Iterator<Item = Result<RecordText, RecordsError>> {
        self.ordered.entries.iter().map(|entry| self.read_text(entry))
    }

    fn read_text(&self, entry: &Entry) -> Result<RecordText, RecordsError> {
        let place = format_place(&self.sources, entry);
        let text = self.read_bytes(entry, entry.content).filter(|text| xxh3_64(text) == entry.hash);
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let Some(text) = text else {
            return Err(RecordsError::new(
                format!("{place}: the file changed while it was read"),
                "merge again",
            ));
        };
        Ok(RecordText { entry: entry.clone(), text, place, is_stream: self.input.is_stream })
    }

    /// Writes the settings and each record once, unchanged.
    ///
    /// # Errors
    /// Errors of the writer, or of a source.
    pub fn copy(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.settings)?;
        for entry in &self.ordered.entries {
            let Some(line) = self.read_bytes(entry, entry.line) else {
                return Err(io::Error::other("a file changed while it was read"));
            };
            out.write_all(&line)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn read_bytes(&self, entry: &Entry, Span { start, length }: Span) -> Option<Vec<u8>> {
        let (_, mut file) = self.sources.get(entry.file).map(|(path, file)| (path, file))?;
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}

fn format_place(sources: &[(PathBuf, File)], entry: &Entry) -> String {
    match sources.get(entry.file) {
        Some((path, _)) => format!("{}:{}", path.display(), entry.number),
        None => format!("line {}", entry.number),
    }
}

fn are_rivals(sources: &[(PathBuf, File)], rivals: &[Entry; 2]) -> RecordsError {
    let mut places = rivals.each_ref().map(|entry| (entry.file, entry.number, format_place(sources, entry)));
    places.sort();
    let ([(.., first), (.., second)], [Entry { name, .. }, _]) = (&places, rivals);
    let message = format!("there are two different records of {name}: {first} and {second}");
    RecordsError::new(message, "leave out the one that is out of date")
}

fn refuse_line(error: impl fmt::Display) -> (String, &'static str) {
    (format!("not a record as ptc-eval writes it: {error}"), NAME_RECORDS)
}

fn no_records(places: &str) -> RecordsError {
    RecordsError::new(format!("there are no records in {places}"), NAME_RECORDS)
}

fn refuse_settings(error: serde_json::Error) -> RecordsError {
    RecordsError::new(error.to_string(), NAME_RECORDS)
}

/// Rejects shards with different standard inputs. Each shard then took its part of a different whole, so some
/// lines are in no record.
fn check_offered(inputs: &IndexMap<Option<Offered>, Vec<PlacedEnd>>) -> Result<(), RecordsError> {
    let Some(part) = inputs.values().position(|ends| missing_shard(ends).is_some()) else { return Ok(()) };
    let other = usize::from(part == 0);
    // For a suite, `offered` is missing, and all shards have the same input.
    let Some(before) = describe_input(inputs, part.min(other)) else { return Ok(()) };
    let Some(after) = describe_input(inputs, part.max(other)) else { return Ok(()) };
    Err(RecordsError::new(format!("{before}; {after}, others than these"), OFFER_ALL))
}

/// Checks that all shards of one division are present.
fn check_division(ends: &[PlacedEnd]) -> Result<(), RecordsError> {
    let Some(PlacedEnd { end: End { shard: Shard { of, .. }, .. }, place }) = ends.first() else {
        return Ok(());
    };
    if let Some(stray) = ends.iter().find(|placed| placed.end.shard.of != *of) {
        let PlacedEnd { end, place: stray } = stray;
        let message = format!("{stray} is of shard {}, {place} of one of {of} shards", end.shard);
        return Err(RecordsError::new(message, "merge shards of one division"));
    }
    let missing = missing_shard(ends).map(|shard| format!("shard {shard} is missing"));
    missing
        .map_or(Ok(()), |message| Err(RecordsError::new(message, "merge the records of all shards at once")))
}

/// `b/records.jsonl:9: shard 2/2 was offered 40 lines`; `None` for a suite.
fn describe_input(inputs: &IndexMap<Option<Offered>, Vec<PlacedEnd>>, index: usize) -> Option<String> {
    let (_, ends) = inputs.get_index(index)?;
    let PlacedEnd { end: End { shard, offered, .. }, place } = ends.first()?;
    Some(format!("{place}: shard {shard} was offered {} lines", offered.as_ref()?.lines))
}

/// The first shard without an end record, by the number of shards in the first end record.
fn missing_shard(ends: &[PlacedEnd]) -> Option<Shard> {
    let of = ends.first()?.end.shard.of;
    for number in 1..=of {
        if !ends.iter().any(|placed| placed.end.shard.number == number) {
            return Some(Shard { number, of });
        }
    }
    None
}

impl Gathering {
    fn new() -> Gathering {
        Gathering { sources: Vec::new(), entries: Vec::new(), first: None, settings: None }
    }

    fn read(&mut self, path: &Path) -> Result<(), RecordsError> {
        let is_stream = path.as_os_str() == STANDARD_INPUT;
        let path = if path.is_dir() { path.join(RECORDS) } else { path.to_owned() };
        // Records are read again later; a stream needs a copy for that.
        let file = if is_stream {
            let mut copy = tempfile::tempfile().map_err(|error| not_kept(&error))?;
            self.read_lines(&path, io::stdin().lock(), &mut copy)?;
            copy
        } else {
            let file = files::open(&path).map_err(|error| {
                RecordsError::new(format!("cannot read {}: {}", path.display(), reason(&error)), NAME_RECORDS)
            })?;
            self.read_lines(&path, BufReader::new(&file), &mut io::sink())?;
            file
        };
        self.sources.push((path, file));
        Ok(())
    }

    fn read_lines(
        &mut self,
        path: &Path,
        mut reader: impl BufRead,
        copy: &mut dyn Write,
    ) -> Result<(), RecordsError> {
        let (mut line, mut start) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            let place = format!("{}:{number}", path.display());
            let read = reader.by_ref().take(files::MOST_BYTES + 1).read_until(b'\n', &mut line);
            let length = match read {
                Ok(length) if length as u64 > files::MOST_BYTES => {
                    let reason = reason(&files::too_large());
                    return Err(RecordsError::new(format!("{place}: {reason}"), NAME_RECORDS));
                }
                Ok(length) => length,
                Err(error) => {
                    return Err(RecordsError::new(format!("{place}: {}", reason(&error)), NAME_RECORDS));
                }
            };
            copy.write_all(&line).map_err(|error| not_kept(&error))?;
            if length == 0 {
                break;
            }
            if line.as_slice() != b"\n" {
                let entry = self
                    .parse_line(&line)
                    .map_err(|(message, help)| RecordsError::new(format!("{place}: {message}"), help))?;
                if let Some(entry) = entry {
                    self.entries.push(Entry {
                        file: self.sources.len(),
                        number,
                        line: entry.line.behind(start),
                        content: entry.content.behind(start),
                        ..entry
                    });
                }
            }
            start += length as u64;
        }
        Ok(())
    }

    /// Checks and parses a line; `None` for the settings line. The entry's place is relative to the line.
    fn parse_line(&mut self, bytes: &[u8]) -> Result<Option<Entry>, (String, &'static str)> {
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let (body, end) = text.split_at(text.len().saturating_sub(seal(&[]).len()));
        if end != seal(body).as_bytes() {
            let sum = checksum(body);
            let message = format!("no record, or a damaged one: expected it to end with the checksum {sum}");
            return Err((message, COPY_AGAIN));
        }
        let text = std::str::from_utf8(text).map_err(refuse_line)?;
        if !text.starts_with(&format!("{{\"version\":{VERSION},")) {
            let Version { version } = serde_json::from_str(text).map_err(refuse_line)?;
            let message = format!("expected a record of version {VERSION}, found version {version}");
            return Err((message, "write it anew with ptc-eval run"));
        }
        let line: Line = serde_json::from_str(text).map_err(refuse_line)?;
        if let (Some(input), Some(run)) = (line.input, line.run) {
            self.add_settings(line.settings, input.get(), run.get())?;
            return Ok(None);
        }
        self.check_hash(line.settings)?;
        let kinds =
            [(Kind::Scenario, line.scenario), (Kind::Unreadable, line.unreadable), (Kind::End, line.end)];
        let content = kinds.into_iter().find_map(|(kind, content)| Some((kind, content?.get())));
        let Some((kind, content)) = content else { return Err(refuse_line("it has no content")) };
        let Some(key) = line.key else { return Err(refuse_line("it has no key")) };
        let start = (content.as_ptr() as usize - text.as_ptr() as usize) as u64;
        Ok(Some(Entry {
            line: Span { start: 0, length: text.len() as u64 },
            content: Span { start, length: content.len() as u64 },
            ..Entry::new(kind, key, xxh3_64(content.as_bytes()))
        }))
    }

    /// Stores the settings, or rejects them if they differ from earlier ones.
    fn add_settings(&mut self, hash: &str, input: &str, run: &str) -> Result<(), (String, &'static str)> {
        if let Some(first) = &self.settings {
            if first.run != run {
                return Err((OTHER_RUN.to_owned(), RUN_ALIKE));
            }
            if first.input != input {
                return Err((other_input(&first.input, input), RUN_ALIKE));
            }
        }
        self.check_hash(hash)?;
        self.settings = Some(SettingsText { input: input.to_owned(), run: run.to_owned() });
        Ok(())
    }

    /// Rejects a line with a settings hash different from the first line's.
    fn check_hash(&mut self, hash: &str) -> Result<(), (String, &'static str)> {
        let first = self.first.get_or_insert_with(|| hash.to_owned());
        if first == hash { Ok(()) } else { Err((OTHER_RUN.to_owned(), RUN_ALIKE)) }
    }
}

fn not_kept(error: &io::Error) -> RecordsError {
    let message = format!("cannot keep standard input in a temporary file: {}", reason(error));
    RecordsError::new(message, OTHER_FOLDER)
}

/// The message for a record with another input than the first.
fn other_input(first: &str, input: &str) -> String {
    let [Ok(first), Ok(input)] = [first, input].map(serde_json::from_str::<RunInput>) else {
        return "the record is of other input than the first".to_owned();
    };
    if first.hash == input.hash {
        return "the first record has texts, or comes from standard input or another folder, and this one does not, or \
             the other way round"
            .to_owned();
    }
    format!(
        "the record is of other input than the first: expected {}, found {}; files of the suite, options or the \
         version of ptc-eval differ",
        first.hash, input.hash
    )
}

impl RecordText {
    /// Parses the record and restores its position.
    ///
    /// # Errors
    /// A damaged record.
    pub fn parse(&self) -> Result<Record, RecordsError> {
        let Entry { position, line_of_input: line, .. } = self.entry;
        Ok(match self.entry.kind {
            Kind::Scenario => {
                let mut record: Box<ScenarioRecord> = self.decode_content()?;
                if self.is_stream {
                    record.move_to(position, line);
                }
                Record::Scenario(record)
            }
            Kind::Unreadable => {
                let mut scenario: Unreadable = self.decode_content()?;
                scenario.position = position;
                if self.is_stream && line > 0 {
                    scenario.place = format!("{STANDARD_INPUT}:{line}");
                }
                Record::Unreadable(scenario)
            }
            Kind::End => Record::End(self.decode_content()?),
        })
    }

    fn decode_content<T: DeserializeOwned>(&self) -> Result<T, RecordsError> {
        self.parse_content().map_err(|error| {
            let message = format!("{}: not a record as ptc-eval writes it: {error}", self.place);
            RecordsError::new(message, COPY_AGAIN)
        })
    }

    fn parse_content<T: DeserializeOwned>(&self) -> Result<T, Box<dyn std::error::Error>> {
        if !self.text.starts_with('"') {
            return Ok(serde_json::from_str(&self.text)?);
        }
        Ok(serde_json::from_str(&unpacked(&self.text)?)?)
    }
}
