//! Reads records of any number of evaluations in any order, checks that they belong together, and hands them out once
//! each, in the order of one evaluation. Only the place of each record is kept in memory.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

use super::header::{Header, RunInput, Shard};
use super::record::ScenarioRecord;
use super::records::{End, Offered, RECORDS, RecordKey, VERSION, checksum, seal};
use super::verdicts::Unreadable;
use crate::scenario::suite::STANDARD_INPUT;
use crate::scenario::{files, reason};

const COPY_AGAIN: &str = "copy a damaged file again, or write it anew with ptc-eval run";
const NAME_RECORDS: &str =
    "name what ptc-eval run --shard K/N or run --format records wrote, or - for standard input";
const OFFER_ALL: &str = "give every shard all lines of standard input, or run the parts without --shard";
const RUN_ALIKE: &str =
    "run all parts on the same files, with the same options and the same version of ptc-eval";

/// Records of evaluations of parts of one input.
pub struct Records {
    sources: Vec<(PathBuf, File)>,
    /// Each record once, in the order of one evaluation.
    entries: Vec<Entry>,
    pub header: Header,
    pub input: RunInput,
    /// True if the records have places of their own, because they are of several standard inputs.
    is_renumbered: bool,
}

/// Reason why records cannot be merged, and advice.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Scenario,
    Unreadable,
    End,
}

/// A record: its place in a source, and what is known of it without reading it again.
struct Entry {
    kind: Kind,
    key: RecordKey,
    /// The hash of the content. Copies of a record have the same one.
    hash: u64,
    source: usize,
    /// The line, from 1.
    number: u64,
    line: Range<u64>,
    content: Range<u64>,
}

/// A line as it is written.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    input: &'l RawValue,
    #[serde(borrow)]
    run: &'l RawValue,
    key: RecordKey,
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
pub struct RecordText<'r> {
    entry: &'r Entry,
    /// The file and line, for messages.
    place: String,
    is_stream: bool,
    text: String,
}

/// A record.
pub enum Record {
    Scenario(Box<ScenarioRecord>),
    Unreadable(Unreadable),
    End(End),
}

/// The end of an evaluation, and its file and line.
struct PlacedEnd {
    end: End,
    place: String,
}

/// Collects the records of sources.
#[derive(Default)]
struct Gathering {
    sources: Vec<(PathBuf, File)>,
    entries: Vec<Entry>,
    /// Input and settings as the first record has them.
    first: Option<(String, String)>,
}

impl Records {
    /// Finds the records of folders of shards and of files; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is not as it was written, records of different evaluations, or two different
    /// records of one scenario.
    pub fn read(paths: &[PathBuf]) -> Result<Records, RecordsError> {
        let mut gathering = Gathering::default();
        paths.iter().try_for_each(|path| gathering.read(path))?;
        let Gathering { sources, entries, first } = gathering;
        let (input, run) = first.ok_or_else(|| {
            let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            RecordsError::new(format!("there are no records in {}", paths.join(", ")), NAME_RECORDS)
        })?;
        let broken = |error: serde_json::Error| RecordsError::new(error.to_string(), NAME_RECORDS);
        let header: Header = serde_json::from_str(&run).map_err(broken)?;
        let input: RunInput = serde_json::from_str(&input).map_err(broken)?;
        let header = Header { lacks_texts: !input.has_texts, ..header };
        let mut records = Records { sources, entries, header, input, is_renumbered: false };
        records.settle()?;
        Ok(records)
    }

    /// Orders the records and keeps each once. Records of one standard input stay in its order. Those of several have
    /// no common order but that of their names, and are numbered anew.
    fn settle(&mut self) -> Result<(), RecordsError> {
        // A stable sort would take half of the memory again. Records that are equal in order are equal.
        let sort =
            |entries: &mut [Entry]| entries.sort_unstable_by(|left, right| left.order().cmp(&right.order()));
        sort(&mut self.entries);
        let are_of_two_inputs = |(left, right): (&Entry, &Entry)| {
            let are_at_one_position = right.kind != Kind::End && left.key.position == right.key.position;
            are_at_one_position && (&left.key.name, left.key.source) != (&right.key.name, right.key.source)
        };
        let are_several = self.input.is_stream
            && self.entries.iter().zip(self.entries.iter().skip(1)).any(are_of_two_inputs);
        if are_several {
            self.entries.iter_mut().for_each(|entry| (entry.key.position, entry.key.line) = (0, 0));
            sort(&mut self.entries);
        }
        self.entries.dedup_by(|left, right| left.order() == right.order());
        let are_rivals = |(left, right): &(&Entry, &Entry)| left.identity() == right.identity();
        if let Some((left, right)) = self.entries.iter().zip(self.entries.iter().skip(1)).find(are_rivals) {
            let mut places = [left, right].map(|entry| (entry.source, entry.number, self.place(entry)));
            places.sort();
            let [(.., first), (.., second)] = &places;
            let message =
                format!("there are two different records of {}: {first} and {second}", left.key.name);
            return Err(RecordsError::new(message, "leave out the one that is out of date"));
        }
        self.is_renumbered = are_several;
        if are_several {
            for (position, entry) in (0..).zip(&mut self.entries) {
                entry.key.position = position;
                entry.key.line = if entry.kind == Kind::Scenario { position as u32 + 1 } else { 0 };
            }
        }
        Ok(())
    }

    /// Checks that no record of a suite or of the shards of a standard input is missing. Nobody knows how many
    /// standard inputs there are.
    ///
    /// # Errors
    /// A shard is missing, or a record of it.
    pub fn check_complete(&self) -> Result<(), RecordsError> {
        let mut inputs: IndexMap<Option<Offered>, Vec<PlacedEnd>> = IndexMap::new();
        for placed in self.ends()? {
            inputs.entry(placed.end.offered).or_default().push(placed);
        }
        let expects_end = !self.input.is_stream || self.entries.iter().any(|entry| entry.key.shards > 1);
        if inputs.is_empty() && expects_end {
            let path = self.sources.first().map(|(path, _)| format!("{}: ", path.display()));
            let message = format!("{}the last record of the run is missing", path.as_deref().unwrap_or(""));
            return Err(RecordsError::new(message, COPY_AGAIN));
        }
        check_offered(&inputs)?;
        inputs.values().try_for_each(|ends| check_division(ends))?;
        // Records that were numbered anew no longer say which shard they are of.
        let mut ends = inputs.values().flatten().filter(|_| !self.is_renumbered);
        ends.try_for_each(|placed| self.check_number(placed))
    }

    /// The ends of evaluations. An input that was not divided says nothing of others.
    fn ends(&self) -> Result<Vec<PlacedEnd>, RecordsError> {
        let is_of_shard = |entry: &&Entry| !self.input.is_stream || entry.key.shards > 1;
        let ends = self.entries.iter().filter(|entry| entry.kind == Kind::End).filter(is_of_shard);
        ends.map(|entry| {
            let text = self.text(entry)?;
            Ok(PlacedEnd { end: text.content()?, place: text.place })
        })
        .collect()
    }

    fn check_number(&self, PlacedEnd { end, place }: &PlacedEnd) -> Result<(), RecordsError> {
        let End { shard, records, .. } = end;
        let is_of_shard = |entry: &&Entry| entry.kind != Kind::End && shard.holds(entry.key.position);
        let there = self.entries.iter().filter(is_of_shard).count();
        if *records == there as u64 {
            return Ok(());
        }
        let message = format!("{place}: expected {records} records of shard {shard}, found {there}");
        Err(RecordsError::new(message, COPY_AGAIN))
    }

    /// The texts of the records.
    pub fn texts(&self) -> impl Iterator<Item = Result<RecordText<'_>, RecordsError>> {
        self.entries.iter().map(|entry| self.text(entry))
    }

    fn text<'r>(&'r self, entry: &'r Entry) -> Result<RecordText<'r>, RecordsError> {
        let place = self.place(entry);
        let text = self.bytes(entry, &entry.content).filter(|text| xxh3_64(text) == entry.hash);
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let changed =
            || RecordsError::new(format!("{place}: the file changed while it was read"), "merge again");
        Ok(RecordText { entry, text: text.ok_or_else(changed)?, place, is_stream: self.input.is_stream })
    }

    /// Writes each record once, as it is.
    ///
    /// # Errors
    /// Those of the writer, or of a source.
    pub fn copy(&self, out: &mut dyn Write) -> io::Result<()> {
        self.entries.iter().try_for_each(|entry| {
            let changed = || io::Error::other("a file changed while it was read");
            out.write_all(&self.bytes(entry, &entry.line).ok_or_else(changed)?)?;
            out.write_all(b"\n")
        })
    }

    fn bytes(&self, entry: &Entry, range: &Range<u64>) -> Option<Vec<u8>> {
        let (_, mut file) = self.sources.get(entry.source).map(|(path, file)| (path, file))?;
        file.seek(SeekFrom::Start(range.start)).ok()?;
        let mut bytes = vec![0; usize::try_from(range.end - range.start).ok()?];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn place(&self, entry: &Entry) -> String {
        match self.sources.get(entry.source) {
            Some((path, _)) => format!("{}:{}", path.display(), entry.number),
            None => format!("line {}", entry.number),
        }
    }
}

/// Refuses shards that were not offered the same standard input: each then took a part of its own, and the rest of that is in no
/// record.
fn check_offered(inputs: &IndexMap<Option<Offered>, Vec<PlacedEnd>>) -> Result<(), RecordsError> {
    let Some(part) = inputs.values().position(|ends| missing_shard(ends).is_some()) else { return Ok(()) };
    let first = |index: usize| inputs.get_index(index).and_then(|(_, ends)| ends.first());
    let other = usize::from(part == 0);
    let described = |placed: &PlacedEnd| {
        let PlacedEnd { end: End { shard, offered, .. }, place } = placed;
        Some(format!("{place}: shard {shard} was offered {} lines", offered.as_ref()?.lines))
    };
    // Shards of a suite are not offered lines, and all of them have the same input.
    let both = [part.min(other), part.max(other)].map(|index| first(index).and_then(described));
    let [Some(before), Some(after)] = both else { return Ok(()) };
    Err(RecordsError::new(format!("{before}; {after}, others than these"), OFFER_ALL))
}

/// Checks that there are all shards of one division.
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

/// The first shard that did not end, of as many as there are of the first one's division.
fn missing_shard(ends: &[PlacedEnd]) -> Option<Shard> {
    let of = ends.first()?.end.shard.of;
    let is_there = |number: &u32| ends.iter().any(|placed| placed.end.shard.number == *number);
    (1..=of).find(|number| !is_there(number)).map(|number| Shard { number, of })
}

impl Entry {
    fn identity(&self) -> (Kind, u64, &str, u64) {
        (self.kind, self.key.position, &self.key.name, self.key.source)
    }

    /// The order of one evaluation, with its end as the last record.
    fn order(&self) -> (bool, u64, Kind, &str, u64, u64) {
        let RecordKey { position, name, source, .. } = &self.key;
        (self.kind == Kind::End, *position, self.kind, name, *source, self.hash)
    }
}

impl Gathering {
    fn read(&mut self, path: &Path) -> Result<(), RecordsError> {
        let is_stream = path.as_os_str() == STANDARD_INPUT;
        let path = if path.is_dir() { path.join(RECORDS) } else { path.to_owned() };
        let cannot = |error: io::Error| {
            RecordsError::new(format!("cannot read {}: {}", path.display(), reason(&error)), NAME_RECORDS)
        };
        // Records are read again in their order, which a stream cannot be.
        let file = if is_stream {
            let mut copy = tempfile::tempfile().map_err(|error| not_kept(&error))?;
            self.lines(&path, io::stdin().lock(), &mut copy)?;
            copy
        } else {
            let file = files::open(&path).map_err(cannot)?;
            self.lines(&path, BufReader::new(&file), &mut io::sink())?;
            file
        };
        self.sources.push((path, file));
        Ok(())
    }

    fn lines(
        &mut self,
        path: &Path,
        mut reader: impl BufRead,
        copy: &mut dyn Write,
    ) -> Result<(), RecordsError> {
        let (mut line, mut start) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            let refuse = |(message, help): (String, _)| {
                RecordsError::new(format!("{}:{number}: {message}", path.display()), help)
            };
            let read = reader.read_until(b'\n', &mut line);
            let length = read.map_err(|error| refuse((reason(&error), NAME_RECORDS)))?;
            copy.write_all(&line).map_err(|error| not_kept(&error))?;
            if length == 0 {
                break;
            }
            if line.as_slice() != b"\n" {
                let entry = self.line(&line).map_err(refuse)?;
                let at = |range: Range<u64>| start + range.start..start + range.end;
                let (source, content) = (self.sources.len(), at(entry.content));
                self.entries.push(Entry { source, number, line: at(entry.line), content, ..entry });
            }
            start += length as u64;
        }
        Ok(())
    }

    /// Checks a line. Its place in the source is not known here.
    fn line(&mut self, bytes: &[u8]) -> Result<Entry, (String, &'static str)> {
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let (body, end) = text.split_at(text.len().saturating_sub(seal(&[]).len()));
        if end != seal(body).as_bytes() {
            let sum = checksum(body);
            let message = format!("no record, or a damaged one: expected it to end with the checksum {sum}");
            return Err((message, COPY_AGAIN));
        }
        let layout =
            |error: &dyn fmt::Display| (format!("not a record as ptc-eval writes it: {error}"), NAME_RECORDS);
        let text = std::str::from_utf8(text).map_err(|error| layout(&error))?;
        if !text.starts_with(&format!("{{\"version\":{VERSION},")) {
            let Version { version } = serde_json::from_str(text).map_err(|error| layout(&error))?;
            let message = format!("expected a record of version {VERSION}, found version {version}");
            return Err((message, "write it anew with ptc-eval run"));
        }
        let line: Line = serde_json::from_str(text).map_err(|error| layout(&error))?;
        self.check_run(line.input.get(), line.run.get())?;
        let kinds =
            [(Kind::Scenario, line.scenario), (Kind::Unreadable, line.unreadable), (Kind::End, line.end)];
        let content = kinds.into_iter().find_map(|(kind, content)| Some((kind, content?.get())));
        let (kind, content) = content.ok_or_else(|| layout(&"it has no content"))?;
        let start = (content.as_ptr() as usize - text.as_ptr() as usize) as u64;
        Ok(Entry {
            kind,
            key: line.key,
            hash: xxh3_64(content.as_bytes()),
            source: 0,
            number: 0,
            line: 0..text.len() as u64,
            content: start..start + content.len() as u64,
        })
    }

    /// Refuses a record with another input or other settings than those of the first one, which are remembered.
    fn check_run(&mut self, input: &str, run: &str) -> Result<(), (String, &'static str)> {
        match &self.first {
            None => self.first = Some((input.to_owned(), run.to_owned())),
            Some((_, first)) if *first != run => {
                let message = "the record is of another run than the first: its suite, strategies, baseline, \
                     tokenizer, models or thresholds differ";
                return Err((message.to_owned(), RUN_ALIKE));
            }
            Some((first, _)) if *first != input => return Err((other_input(first, input), RUN_ALIKE)),
            Some(_) => {}
        }
        Ok(())
    }
}

fn not_kept(error: &io::Error) -> RecordsError {
    let message = format!("cannot keep standard input in a temporary file: {}", reason(error));
    RecordsError::new(message, "TMPDIR names another folder for it")
}

/// The message about a record with another input than the first.
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

impl RecordText<'_> {
    /// Parses the record and gives it its place.
    ///
    /// # Errors
    /// It is not as it was written.
    pub fn parse(&self) -> Result<Record, RecordsError> {
        let RecordKey { position, line, .. } = self.entry.key;
        Ok(match self.entry.kind {
            Kind::Scenario => {
                let mut record: Box<ScenarioRecord> = self.content()?;
                if self.is_stream {
                    record.move_to(position, line);
                }
                Record::Scenario(record)
            }
            Kind::Unreadable => {
                let mut scenario: Unreadable = self.content()?;
                scenario.position = position;
                if self.is_stream && line > 0 {
                    scenario.place = format!("{STANDARD_INPUT}:{line}");
                }
                Record::Unreadable(scenario)
            }
            Kind::End => Record::End(self.content()?),
        })
    }

    fn content<T: DeserializeOwned>(&self) -> Result<T, RecordsError> {
        serde_json::from_str(&self.text).map_err(|error| {
            RecordsError::new(
                format!("{}: not a record as ptc-eval writes it: {error}", self.place),
                COPY_AGAIN,
            )
        })
    }
}
