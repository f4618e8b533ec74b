//! The places of records in the order of one evaluation, each record once. They are sorted outside of memory.

use std::io;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::fingerprint::Fingerprint;
use super::records::RecordKey;
use super::spool::{Sorter, Spool};
use super::twins::Twins;
use crate::scenario::folded;

/// A record: its place in a source, and what is known of it without reading it again. Those that are equal up to `hash` are
/// copies, and the order is that of one evaluation, with its end as the last record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Entry {
    pub is_end: bool,
    pub position: u64,
    pub kind: Kind,
    pub name: String,
    /// The source of its [`RecordKey`].
    pub hash_of_source: u64,
    /// The hash of the content. Copies of a record have the same one.
    pub hash: u64,
    /// The index of the file that holds it.
    pub file: usize,
    /// The line in the file, from 1.
    pub number: u64,
    pub line: Span,
    pub content: Span,
    /// The line of the standard input that it is of.
    pub line_of_input: u32,
    /// The number of shards of its evaluation.
    pub shards: u32,
    pub fingerprint: Option<Fingerprint>,
    pub twins: Twins,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Kind {
    Scenario,
    Unreadable,
    End,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Span {
    pub start: u64,
    pub length: u64,
}

impl Span {
    /// The bytes of a file of which so many come before the line.
    pub(super) fn behind(self, before: u64) -> Span {
        Span { start: before + self.start, ..self }
    }
}

/// Records in order.
pub(super) struct Ordered {
    entries: Spool<Entry>,
    /// The ends of evaluations.
    pub ends: Vec<Entry>,
    /// True if the records are of several standard inputs. They have no common order but that of their names, and are
    /// numbered anew.
    pub are_renumbered: bool,
}

/// Reason why records have no order.
pub(super) enum OrderError {
    /// Two different records of one scenario, as they were read.
    Rivals(Box<[Entry; 2]>),
    Io(io::Error),
}

impl From<io::Error> for OrderError {
    fn from(error: io::Error) -> OrderError {
        OrderError::Io(error)
    }
}

impl Ordered {
    /// Orders records and keeps each once. Those of one standard input stay in its order.
    pub(super) fn of(entries: Sorter<Entry>, is_stream: bool) -> Result<Ordered, OrderError> {
        let (mut ordered, are_of_several) = Ordered::once_each(entries)?;
        if is_stream && are_of_several {
            let mut by_name = Sorter::new();
            for entry in ordered.entries.iter() {
                by_name.push(Entry { position: 0, line_of_input: 0, ..entry? })?;
            }
            ordered = Ordered { are_renumbered: true, ..Ordered::once_each(by_name)?.0 };
        }
        ordered.mark(Entry::folded_name, |twins| twins.in_name = true)?;
        ordered.mark(|entry| entry.fingerprint.map(|run| run.0), |twins| twins.in_run = true)?;
        Ok(ordered)
    }

    /// Marks the records whose group has others. Only these have to be remembered while reports are made.
    fn mark(&mut self, group: fn(&Entry) -> Option<u64>, mark: fn(&mut Twins)) -> io::Result<()> {
        let mut grouped = Sorter::new();
        for entry in self.entries.iter() {
            let entry = entry?;
            grouped.push((group(&entry), entry))?;
        }
        let mut marked = Sorter::new();
        let mut last: Option<(Option<u64>, Entry)> = None;
        for item in grouped.sorted()? {
            let (group, mut entry) = item?;
            if let Some((group_before, mut before)) = last.take() {
                if group.is_some() && group == group_before {
                    mark(&mut before.twins);
                    mark(&mut entry.twins);
                }
                marked.push(before)?;
            }
            last = Some((group, entry));
        }
        last.into_iter().try_for_each(|(_, entry)| marked.push(entry))?;
        self.entries = Spool::new();
        marked.sorted()?.try_for_each(|entry| self.entries.push(entry?))
    }

    /// Keeps each record once, and tells whether different ones have the same position.
    fn once_each(entries: Sorter<Entry>) -> Result<(Ordered, bool), OrderError> {
        let mut ordered = Ordered { entries: Spool::new(), ends: Vec::new(), are_renumbered: false };
        let mut are_of_several = false;
        let mut before: Option<Entry> = None;
        for entry in entries.sorted()? {
            let entry = entry?;
            if let Some(before) = &before {
                if before.identity() == entry.identity() {
                    if before.hash == entry.hash {
                        continue;
                    }
                    return Err(OrderError::Rivals(Box::new([before.clone(), entry])));
                }
                let is_of_another = before.source_name() != entry.source_name();
                are_of_several |= !entry.is_end && before.position == entry.position && is_of_another;
            }
            if entry.is_end {
                ordered.ends.push(entry.clone());
            }
            ordered.entries.push(entry.clone())?;
            before = Some(entry);
        }
        Ok((ordered, are_of_several))
    }

    /// The records, as often as they are asked for.
    pub(super) fn iter(&self) -> impl Iterator<Item = io::Result<Entry>> + '_ {
        (0..).zip(self.entries.iter()).map(|(position, entry)| {
            let entry = entry?;
            Ok(if self.are_renumbered { entry.at(position) } else { entry })
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Entry {
    pub(super) fn new(kind: Kind, key: RecordKey, hash: u64) -> Entry {
        let RecordKey { position, name, source, line, shards, fingerprint } = key;
        Entry {
            is_end: kind == Kind::End,
            position,
            kind,
            name,
            hash_of_source: source,
            hash,
            file: 0,
            number: 0,
            line: Span { start: 0, length: 0 },
            content: Span { start: 0, length: 0 },
            line_of_input: line,
            shards,
            fingerprint,
            twins: Twins::default(),
        }
    }

    fn identity(&self) -> (Kind, u64, &str, u64) {
        (self.kind, self.position, &self.name, self.hash_of_source)
    }

    /// A hash that equal names have; none of what is no scenario.
    fn folded_name(&self) -> Option<u64> {
        (self.kind == Kind::Scenario).then(|| xxh3_64(folded(&self.name).as_bytes()))
    }

    fn source_name(&self) -> (&str, u64) {
        (&self.name, self.hash_of_source)
    }

    /// The record at another place of standard input.
    fn at(self, position: u64) -> Entry {
        let line_of_input = if self.kind == Kind::Scenario { position as u32 + 1 } else { 0 };
        Entry { position, line_of_input, ..self }
    }
}
