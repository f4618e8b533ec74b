//! Deduplicates records and sorts their places in the order of one evaluation. A place takes some 200 bytes,
//! a record thousands.

use super::records::RecordKey;

/// The place of a record in a source, and what sorting needs. Entries equal in all fields up to `hash` are
/// copies. The field order gives the sort order: an evaluation's end is last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub is_end: bool,
    pub position: u64,
    pub kind: Kind,
    pub name: String,
    /// [`RecordKey::source`].
    pub hash_of_source: u64,
    /// The hash of the content, equal for copies of a record.
    pub hash: u64,
    /// The index of the source file.
    pub file: usize,
    /// The line in that file, from 1.
    pub number: u64,
    pub line: Span,
    pub content: Span,
    /// The line of standard input.
    pub line_of_input: u32,
    /// The number of shards in its evaluation.
    pub shards: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Scenario,
    Unreadable,
    End,
}

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span {
    pub start: u64,
    pub length: u64,
}

impl Span {
    /// Shifts the range by `before` bytes.
    pub(super) fn behind(self, before: u64) -> Span {
        Span { start: before + self.start, ..self }
    }
}

/// Distinct records in order.
pub(super) struct Ordered {
    pub entries: Vec<Entry>,
    /// True if the records are of several standard inputs. These have no common order except by name, so
    /// records get new numbers.
    pub are_renumbered: bool,
}

/// Two different records of one scenario.
pub(super) struct Rivals(pub Box<[Entry; 2]>);

impl Ordered {
    /// Sorts and deduplicates records. Records of a single standard input keep its order.
    pub(super) fn order_entries(mut entries: Vec<Entry>, is_stream: bool) -> Result<Ordered, Rivals> {
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

    /// The end records.
    pub(super) fn list_ends(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_end)
    }
}

/// Sorts and deduplicates records. Returns true if different scenarios have the same position.
fn keep_once(entries: &mut Vec<Entry>) -> Result<bool, Rivals> {
    entries.sort_unstable();
    entries.dedup_by(|later, earlier| {
        later.identify_entry() == earlier.identify_entry() && later.hash == earlier.hash
    });
    let mut are_of_several = false;
    for pair in entries.windows(2) {
        let [before, after] = pair else { continue };
        if before.identify_entry() == after.identify_entry() {
            return Err(Rivals(Box::new([before.clone(), after.clone()])));
        }
        let is_of_another = before.source_name() != after.source_name();
        are_of_several |= !after.is_end && before.position == after.position && is_of_another;
    }
    Ok(are_of_several)
}

impl Entry {
    pub(super) fn new(kind: Kind, key: RecordKey, hash: u64) -> Entry {
        let RecordKey { position, name, source, line, shards } = key;
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

    fn identify_entry(&self) -> (Kind, u64, &str, u64) {
        (self.kind, self.position, &self.name, self.hash_of_source)
    }

    fn source_name(&self) -> (&str, u64) {
        (&self.name, self.hash_of_source)
    }

    /// Gives the record another line of standard input.
    fn move_to(&mut self, position: u64) {
        self.position = position;
        self.line_of_input = if self.kind == Kind::Scenario { position as u32 + 1 } else { 0 };
    }
}
