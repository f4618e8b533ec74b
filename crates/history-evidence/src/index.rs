//! An index of the places of atoms in a message table. Each piece of text is read once, word by word, and a word is looked up
//! in a map of key words. So the time does not grow with the number of atoms.

use std::cell::LazyCell;
use std::slice;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ascending::Ascending;
use crate::line_index::LineIndex;
use crate::matching::{
    Atom, KeyedSpelling, OpeningLines, Sought, is_bookkeeping, visit_possible_keys, words,
};
use crate::system_text::{PieceEnds, SystemText};
use conversation::{MessageId, NativeCall, Role, Table};

/// The places of [`Atom`]s in a message [`Table`]. The table may grow.
#[derive(Default)]
pub struct AtomIndex {
    opening: OpeningLines,
    /// The index of each atom in `places`.
    numbers: FxHashMap<Atom, usize>,
    places: Vec<Places>,
    /// Spellings by their key words.
    by_word: FxHashMap<Box<str>, Vec<Spelling>>,
    /// Atoms without a word. Every text is searched for them.
    wordless: Vec<usize>,
    /// Lines of code and text.
    lines: LineIndex,
    /// Atoms of several lines. They may span pieces, so whole messages are searched for them.
    of_lines: Vec<usize>,
    /// Number of pieces read so far.
    pieces: u32,
    /// Number of messages read so far.
    messages: u32,
}

/// A spelling of an atom.
struct Spelling {
    /// Index of the atom in `places`.
    atom: usize,
    spelling: KeyedSpelling,
}

/// The places of one atom.
pub struct Places {
    sought: Sought,
    is_name: bool,
    /// Pieces that show it in an answer.
    answers: Ascending,
    /// For names, pieces that show it in other messages. Lines of the opening do not count. Empty for other atoms: `answers`
    /// has their pieces.
    told: Ascending,
    /// Messages that show it, but in no single piece: in a call, or across several lines.
    messages: Vec<MessageId>,
}

impl Places {
    /// Pieces that show the atom in answers, or in other messages.
    pub fn pieces(&self, is_answer: bool) -> &Ascending {
        if self.is_name && !is_answer { &self.told } else { &self.answers }
    }

    pub fn sought(&self) -> &Sought {
        &self.sought
    }

    /// Messages that show it, but in no single piece: in a call, or across several lines.
    pub fn messages(&self) -> &[MessageId] {
        &self.messages
    }

    fn add_piece(&mut self, number: u32) {
        self.answers.push(number);
    }

    fn add_message(&mut self, id: MessageId) {
        if self.messages.last() != Some(&id) {
            self.messages.push(id);
        }
    }

    /// Adds a piece with the atom outside the opening's lines. Ignored unless the atom is a name.
    fn add_told(&mut self, number: u32) {
        if self.is_name {
            self.told.push(number);
        }
    }

    fn look_in_calls(&mut self, id: MessageId, calls: &[NativeCall]) {
        if self.sought.is_called(calls) {
            self.add_message(id);
        }
    }

    fn look_in_piece(&mut self, number: u32, text: &str, opening: &OpeningLines) {
        if self.sought.stands_in(text) {
            self.add_piece(number);
            if self.is_name && self.sought.is_told(text, opening) {
                self.add_told(number);
            }
        }
    }
}

/// The places of atoms in SYSTEM texts that were read for earlier conversations.
#[derive(Default)]
struct Systems {
    /// Sorted.
    places: Vec<InSystem>,
    /// All pieces of these texts.
    pieces: FxHashSet<u32>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct InSystem {
    piece: u32,
    atom: usize,
    /// True for a name outside the opening's lines.
    is_told: bool,
}

impl AtomIndex {
    /// Creates an index of these atoms. It has not read any table yet.
    pub fn of(atoms: impl IntoIterator<Item = Atom>, opening: OpeningLines) -> AtomIndex {
        let mut index = AtomIndex { opening, ..AtomIndex::default() };
        for atom in atoms {
            if !index.numbers.contains_key(&atom) {
                index.add(&atom);
            }
        }
        index
    }

    /// The places of an atom; an unknown atom is added. The whole table must have been read.
    pub fn places(&mut self, atom: &Atom, table: &Table) -> &Places {
        let number = match self.numbers.get(atom) {
            Some(number) => *number,
            None => {
                let number = self.add(atom);
                self.find(number, table);
                number
            }
        };
        &self.places[number]
    }

    fn add(&mut self, atom: &Atom) -> usize {
        let number = self.places.len();
        let sought = atom.prepare_search();
        if sought.has_lines() {
            self.of_lines.push(number);
        } else if let Atom::Line(_) = atom {
            self.lines.add(number, atom.text());
        } else {
            let spellings = atom.keyed_spellings();
            if spellings.is_empty() {
                self.wordless.push(number);
            }
            for spelling in spellings {
                let others = self.by_word.entry(spelling.word().into()).or_default();
                others.push(Spelling { atom: number, spelling });
            }
        }
        self.numbers.insert(atom.clone(), number);
        self.places.push(Places {
            sought,
            is_name: matches!(atom, Atom::Name(_)),
            answers: Ascending::default(),
            told: Ascending::default(),
            messages: Vec::new(),
        });
        number
    }

    /// Finds the atoms in new SYSTEM messages that were read for earlier conversations.
    fn systems(&self, table: &Table) -> Systems {
        let mut systems = Systems::default();
        for id in table.ids().skip(self.messages as usize) {
            let Some(text) = SystemText::of_message(id, table) else { continue };
            let (whole, ends) = (table.message(id).content, PieceEnds::of(id, table));
            systems.pieces.extend(table.pieces(id));
            for (word, spellings) in &self.by_word {
                for place in text.places(word) {
                    let line = &whole[place.start..place.end];
                    let piece = ends.piece_at(place.start).filter(|piece| *piece >= self.pieces);
                    for Spelling { atom, spelling } in spellings {
                        let places = &self.places[*atom];
                        if let Some(piece) = piece
                            && spelling.stands_at(places.sought.atom(), line, place.at)
                        {
                            let is_told = places.is_name && !self.opening.contains(line);
                            systems.places.push(InSystem { piece, atom: *atom, is_told });
                        }
                    }
                }
            }
        }
        systems.places.sort_unstable();
        systems
    }

    /// Reads the new pieces and messages of the table.
    pub fn read(&mut self, table: &Table) {
        let systems = self.systems(table);
        let AtomIndex { opening, places, by_word, wordless, lines, of_lines, .. } = self;
        let mut in_systems = systems.places.iter().peekable();
        for number in self.pieces..table.piece_count() {
            let text = &*table.piece(number);
            while let Some(found) = in_systems.next_if(|found| found.piece == number) {
                places[found.atom].add_piece(number);
                if found.is_told {
                    places[found.atom].add_told(number);
                }
            }
            let is_read = systems.pieces.contains(&number);
            let lines_to_read = if is_read { "" } else { text };
            for line in lines_to_read.split('\n').filter(|line| !is_bookkeeping(line)) {
                let is_told = LazyCell::new(|| !opening.contains(line));
                find_in_line(by_word, line, places, |places| {
                    places.add_piece(number);
                    if places.is_name && *is_told {
                        places.add_told(number);
                    }
                });
            }
            for atom in &*wordless {
                places[*atom].look_in_piece(number, text, opening);
            }
            lines.find(text, |line| places[line].add_piece(number));
        }
        self.pieces = table.piece_count();
        for id in table.ids().skip(self.messages as usize) {
            for call in native_calls(id, table) {
                for word in words(&call.name) {
                    for Spelling { atom, .. } in by_word.get(word).into_iter().flatten() {
                        if *call.name == **places[*atom].sought.atom().text() {
                            places[*atom].add_message(id);
                        }
                    }
                }
                for line in call.arguments.split('\n').filter(|line| !is_bookkeeping(line)) {
                    find_in_line(by_word, line, places, |places| places.add_message(id));
                }
                for atom in &*wordless {
                    places[*atom].look_in_calls(id, slice::from_ref(call));
                }
                lines.find(&call.arguments, |line| places[line].add_message(id));
            }
            for atom in &*of_lines {
                look_in_whole(&mut places[*atom], id, table, opening);
            }
        }
        self.messages = table.len() as u32;
    }

    /// Drops the places in evicted pieces and messages.
    pub fn forget(&mut self, table: &Table) {
        let (pieces, messages) = (table.piece_count(), table.len() as u32);
        // Eviction is rare, and there are many places.
        if self.pieces <= pieces && self.messages <= messages {
            return;
        }
        (self.pieces, self.messages) = (self.pieces.min(pieces), self.messages.min(messages));
        for places in &mut self.places {
            places.answers.truncate_at(self.pieces);
            places.told.truncate_at(self.pieces);
            places.messages.retain(|id| id.index() < table.len());
        }
    }

    /// Searches everything read so far for a new atom.
    fn find(&mut self, number: usize, table: &Table) {
        let places = &mut self.places[number];
        if places.sought.has_lines() {
            for id in table.ids().take(self.messages as usize) {
                look_in_whole(places, id, table, &self.opening);
            }
            return;
        }
        (0..self.pieces).for_each(|piece| places.look_in_piece(piece, &table.piece(piece), &self.opening));
        for id in table.ids().take(self.messages as usize) {
            places.look_in_calls(id, native_calls(id, table));
        }
    }
}

/// The native calls of a message.
fn native_calls(id: MessageId, table: &Table) -> &[NativeCall] {
    table.row(id).native.as_ref().map_or(&[], |native| native.calls())
}

/// Calls `found` with the places of each atom in the line. Looks atoms up by key word.
fn find_in_line(
    by_word: &FxHashMap<Box<str>, Vec<Spelling>>,
    line: &str,
    places: &mut [Places],
    mut found: impl FnMut(&mut Places),
) {
    visit_possible_keys(line, |at, word| {
        for Spelling { atom, spelling } in by_word.get(word).into_iter().flatten() {
            let places = &mut places[*atom];
            if spelling.stands_at(places.sought.atom(), line, at) {
                found(places);
            }
        }
    });
}

fn look_in_whole(places: &mut Places, id: MessageId, table: &Table, opening: &OpeningLines) {
    if places.sought.is_shown(&table.message(id), opening) {
        places.messages.push(id);
    }
}

/// The messages of one request, as a count for each piece and each message. Most messages stay from one request to the next, so
/// only additions and removals are counted.
#[derive(Default)]
pub struct Present {
    /// Indexed by piece: first the counts in other messages, then in answers.
    pieces: [Vec<u32>; 2],
    /// Indexed by the message's position in the table.
    messages: Vec<u32>,
}

impl Present {
    pub fn add(&mut self, id: MessageId, table: &Table) {
        self.messages.resize(table.len(), 0);
        self.messages[id.index()] += 1;
        let pieces = &mut self.pieces[usize::from(is_answer(id, table))];
        pieces.resize(table.piece_count() as usize, 0);
        table.pieces(id).for_each(|piece| pieces[piece as usize] += 1);
    }

    pub fn remove(&mut self, id: MessageId, table: &Table) {
        self.messages[id.index()] -= 1;
        let pieces = &mut self.pieces[usize::from(is_answer(id, table))];
        table.pieces(id).for_each(|piece| pieces[piece as usize] -= 1);
    }

    /// Returns true if a present message shows the atom of these places.
    pub fn shows(&self, places: &Places) -> bool {
        for is_answer in [false, true] {
            let present = &self.pieces[usize::from(is_answer)];
            if places.pieces(is_answer).iter().any(|piece| is_counted(present, piece as usize)) {
                return true;
            }
        }
        places.messages().iter().any(|id| is_counted(&self.messages, id.index()))
    }
}

fn is_counted(counts: &[u32], index: usize) -> bool {
    matches!(counts.get(index), Some(1..))
}

pub fn is_answer(id: MessageId, table: &Table) -> bool {
    table.row(id).role == Role::Assistant
}
