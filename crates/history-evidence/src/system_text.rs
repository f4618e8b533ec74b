//! SYSTEM texts that several conversations share, each read once a process. Scenarios of one suite have the same SYSTEM, and reading it
//! took most of the time of a scenario with one turn.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::matching::{is_bookkeeping, line_number, visit_possible_keys};
use conversation::{MessageId, Role, Table};

/// Most texts to remember. A process has few SYSTEM texts, unless it reads logs of many agents.
const MOST: usize = 16;

static KNOWN: LazyLock<Mutex<FxHashMap<EcoString, Known>>> = LazyLock::new(Mutex::default);

#[derive(Clone)]
enum Known {
    /// One conversation had it. Most logs have a SYSTEM of their own, so only the second conversation pays for the index.
    Once,
    Read(Arc<SystemText>),
}

/// The words and lines of a SYSTEM text.
#[derive(Debug, Default)]
pub struct SystemText {
    lines: FxHashSet<EcoString>,
    places: FxHashMap<Box<str>, Vec<Place>>,
    /// Line numbers, each with the start of its line.
    line_numbers: Vec<(usize, u64)>,
}

/// A word in a line. All numbers are byte offsets.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The line's range in the text.
    pub start: usize,
    pub end: usize,
    /// The word's start in the line.
    pub at: usize,
}

impl SystemText {
    /// The text as read for earlier conversations. `None` if this conversation is the first one with it.
    pub fn of_conversation(text: &EcoString) -> Option<Arc<SystemText>> {
        let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        match all.get(text).cloned() {
            Some(Known::Read(known)) => Some(known),
            Some(Known::Once) => {
                let read = Arc::new(SystemText::read(text));
                all.insert(text.clone(), Known::Read(Arc::clone(&read)));
                Some(read)
            }
            None => {
                if all.len() >= MOST {
                    all.clear();
                }
                all.insert(text.clone(), Known::Once);
                None
            }
        }
    }

    /// The text of a message, if it is a SYSTEM text that was read for earlier conversations.
    pub fn of_message(id: MessageId, table: &Table) -> Option<Arc<SystemText>> {
        if table.row(id).role != Role::System {
            return None;
        }
        let text = table.message(id).content;
        match KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&text) {
            Some(Known::Read(known)) => Some(Arc::clone(known)),
            _ => None,
        }
    }

    fn read(text: &str) -> SystemText {
        let mut system = SystemText {
            lines: text.lines().map(EcoString::from).collect(),
            line_numbers: line_numbers(text),
            ..SystemText::default()
        };
        let mut start = 0;
        for line in text.split('\n') {
            let end = start + line.len();
            if !is_bookkeeping(line) {
                visit_possible_keys(line, |at, word| {
                    system.places.entry(word.into()).or_default().push(Place { start, end, at });
                });
            }
            start = end + 1;
        }
        system
    }

    /// Returns true for a line of the text.
    pub fn has_line(&self, line: &str) -> bool {
        self.lines.contains(line)
    }

    /// The places of a key word.
    pub fn places(&self, word: &str) -> &[Place] {
        self.places.get(word).map_or(&[], Vec::as_slice)
    }

    /// Line numbers, each with the start of its line.
    pub fn line_numbers(&self) -> &[(usize, u64)] {
        &self.line_numbers
    }
}

/// The line numbers of a text, each with the start of its line: numbers at the start of lines, increasing by one.
fn line_numbers(text: &str) -> Vec<(usize, u64)> {
    let mut found = Vec::new();
    let mut before: Option<(usize, u64)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(number) = line_number(line) else {
            before = None;
            continue;
        };
        if let Some(before) = before
            && number == before.1.wrapping_add(1)
        {
            found.extend([before, (at, number)]);
        }
        before = Some((at, number));
    }
    found
}

/// Finds the piece of a message at a byte offset.
pub struct PieceEnds(Vec<(usize, u32)>);

impl PieceEnds {
    pub fn of(id: MessageId, table: &Table) -> PieceEnds {
        let mut end = 0;
        let mut ends = Vec::new();
        for piece in table.pieces(id) {
            end += table.piece_bytes(piece);
            ends.push((end, piece));
        }
        PieceEnds(ends)
    }

    /// The piece with the byte at this offset.
    pub fn piece_at(&self, offset: usize) -> Option<u32> {
        let index = self.0.partition_point(|(end, _)| *end <= offset);
        let (_, piece) = self.0.get(index)?;
        Some(*piece)
    }
}
