//! The places of records in the order of one evaluation, each record once. A place takes some 200 bytes, a record thousands.

use super::records::RecordKey;

/// A record: its place in a source, and what is known of it without reading it again. Those that are equal up to `hash` are
/// copies, and the order is that of one evaluation, with its end as the last record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Scenario,
    Unreadable,
    End,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub entries: Vec<Entry>,
    /// True if the records are of several standard inputs. They have no common order but that of their names, and are
    /// numbered anew.
    pub are_renumbered: bool,
}

/// Two different records of one scenario, as they were read.
pub(super) struct Rivals(pub Box<[Entry; 2]>);

impl Ordered {
    /// Orders records and keeps each once. Those of one standard input stay in its order.
    pub(super) fn of(mut entries: Vec<Entry>, is_stream: bool) -> Result<Ordered, Rivals> {
        let are_of_several = keep_once(&mut entries)?;
        let are_renumbered = is_stream && are_of_several;
        if are_renumbered {
            for entry in &mut entries {
                (entry.position, entry.line_of_input) = (0, 0);
            }
            keep_once(&mut entries)?;
            for (position, entry) in (0..).zip(&mut entries) {
                entry.move_to(position);
            }
        }
        Ok(Ordered { entries, are_renumbered })
    }

    /// The ends of evaluations.
    pub(super) fn ends(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_end)
    }
}

/// Sorts records and keeps each once. Returns true if different ones have the same position.
fn keep_once(entries: &mut Vec<Entry>) -> Result<bool, Rivals> {
    entries.sort_unstable();
    entries.dedup_by(|later, earlier| later.identity() == earlier.identity() && later.hash == earlier.hash);
    let mut are_of_several = false;
    for pair in entries.windows(2) {
        let [before, after] = pair else { continue };
        if before.identity() == after.identity() {
            return Err(Rivals(Box::new([before.clone(), after.clone()])));
        }
        let is_of_another = before.source_name() != after.source_name();
        are_of_several |= !after.is_end && before.position == after.position && is_of_another;
    }
    Ok(are_of_several)
}

impl Entry {
    pub(super) fn new(kind: Kind, key: RecordKey, hash: u64) -> Entry {
        let RecordKey { position, name, source, line, shards, .. } = key;
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
        }
    }

    fn identity(&self) -> (Kind, u64, &str, u64) {
        (self.kind, self.position, &self.name, self.hash_of_source)
    }

    fn source_name(&self) -> (&str, u64) {
        (&self.name, self.hash_of_source)
    }

    /// Gives the record another place of standard input.
    fn move_to(&mut self, position: u64) {
        self.position = position;
        self.line_of_input = if self.kind == Kind::Scenario { position as u32 + 1 } else { 0 };
    }
}
