//! Places of atoms in a table of messages. Each piece of text is read once, word by word, and only atoms that have one of
//! its words are looked for in it. So the time does not depend on how many atoms there are.

use rustc_hash::FxHashMap;

use super::line_index::LineIndex;
use super::matching::{Atom, OpeningLines, Sought, words};
use crate::agent::Role;
use crate::messages::{MessageId, Table};

/// The places of some atoms in a table, which may grow.
#[derive(Default)]
pub struct AtomIndex {
    opening: OpeningLines,
    numbers: FxHashMap<Atom, usize>,
    places: Vec<Places>,
    /// Atoms by the words of which a text with them has one.
    by_word: FxHashMap<Box<str>, Vec<usize>>,
    /// Atoms without such a word, which may stand in any text.
    wordless: Vec<usize>,
    /// Lines of code and text.
    lines: LineIndex,
    /// Atoms of several lines, which may span pieces.
    of_lines: Vec<usize>,
    /// Pieces and messages that were read.
    pieces: u32,
    messages: u32,
}

/// The places of one atom.
pub struct Places {
    sought: Sought,
    is_name: bool,
    /// Pieces that show it in an answer.
    answers: Vec<u32>,
    /// Pieces that show a name in other messages. Any other atom stands in the same pieces as in answers.
    told: Vec<u32>,
    /// Messages with calls that have it, or of whose whole text it is a part.
    messages: Vec<MessageId>,
    /// The piece, and the message with calls, that were looked in last.
    last_piece: Option<u32>,
    last_calls: Option<MessageId>,
}

impl Places {
    /// Pieces that show the atom in messages of this kind.
    pub fn pieces(&self, is_answer: bool) -> &[u32] {
        if self.is_name && !is_answer { &self.told } else { &self.answers }
    }

    pub fn sought(&self) -> &Sought {
        &self.sought
    }

    /// Messages that show it by more than one of their pieces: by a call, or by several lines.
    pub fn messages(&self) -> &[MessageId] {
        &self.messages
    }

    fn add_piece(&mut self, number: u32) {
        if self.answers.last() != Some(&number) {
            self.answers.push(number);
        }
    }

    fn add_message(&mut self, id: MessageId) {
        if self.messages.last() != Some(&id) {
            self.messages.push(id);
        }
    }

    fn look_in_piece(&mut self, number: u32, text: &str, opening: &OpeningLines) {
        // A piece has the key word as often as lines that do not fit say it.
        if self.last_piece.replace(number) == Some(number) {
            return;
        }
        if self.sought.stands_in(text) {
            self.answers.push(number);
            if self.is_name && self.sought.is_told(text, opening) {
                self.told.push(number);
            }
        }
    }
}

impl AtomIndex {
    /// An index of these atoms, which has read nothing.
    pub fn of(atoms: impl IntoIterator<Item = Atom>, opening: OpeningLines) -> AtomIndex {
        let mut index = AtomIndex { opening, ..AtomIndex::default() };
        for atom in atoms {
            if !index.numbers.contains_key(&atom) {
                index.add(&atom);
            }
        }
        index
    }

    /// The places of an atom. All of the table must have been read.
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
        let sought = atom.sought();
        if sought.has_lines() {
            self.of_lines.push(number);
        } else if let Atom::Line(_) = atom {
            atom.spellings().iter().for_each(|spelling| self.lines.add(number, spelling));
        } else {
            let words = atom.longest_words();
            if words.is_empty() {
                self.wordless.push(number);
            }
            words.iter().for_each(|word| self.by_word.entry(word.as_str().into()).or_default().push(number));
        }
        self.numbers.insert(atom.clone(), number);
        self.places.push(Places {
            sought,
            is_name: matches!(atom, Atom::Name(_)),
            answers: Vec::new(),
            told: Vec::new(),
            messages: Vec::new(),
            last_piece: None,
            last_calls: None,
        });
        number
    }

    /// Reads what is new in the table.
    pub fn read(&mut self, table: &Table) {
        for number in self.pieces..table.piece_count() {
            let text = table.piece(number);
            for word in words(text) {
                for atom in self.by_word.get(word).into_iter().flatten() {
                    self.places[*atom].look_in_piece(number, text, &self.opening);
                }
            }
            for atom in &self.wordless {
                self.places[*atom].look_in_piece(number, text, &self.opening);
            }
            self.lines.find(text, |line| self.places[line].add_piece(number));
        }
        self.pieces = table.piece_count();
        for id in table.ids().skip(self.messages as usize) {
            for call in table.row(id).native.iter().flat_map(|native| native.calls()) {
                for word in words(&call.name).chain(words(&call.arguments)) {
                    for atom in self.by_word.get(word).into_iter().flatten() {
                        look_in_calls(&mut self.places[*atom], id, table);
                    }
                }
                self.wordless.iter().for_each(|atom| look_in_calls(&mut self.places[*atom], id, table));
                self.lines.find(&call.arguments, |line| self.places[line].add_message(id));
            }
            for atom in &self.of_lines {
                look_in_whole(&mut self.places[*atom], id, table, &self.opening);
            }
        }
        self.messages = table.len() as u32;
    }

    /// Looks for a new atom in all that was read.
    fn find(&mut self, number: usize, table: &Table) {
        let places = &mut self.places[number];
        if places.sought.has_lines() {
            for id in table.ids().take(self.messages as usize) {
                look_in_whole(places, id, table, &self.opening);
            }
            return;
        }
        (0..self.pieces).for_each(|piece| places.look_in_piece(piece, table.piece(piece), &self.opening));
        table.ids().take(self.messages as usize).for_each(|id| look_in_calls(places, id, table));
    }
}

fn look_in_calls(places: &mut Places, id: MessageId, table: &Table) {
    // Arguments have the key word as often as lines that do not fit say it.
    if places.last_calls.replace(id) == Some(id) {
        return;
    }
    let native = table.row(id).native.as_deref();
    if native.is_some_and(|native| places.sought.is_called(native.calls())) {
        places.messages.push(id);
    }
}

fn look_in_whole(places: &mut Places, id: MessageId, table: &Table, opening: &OpeningLines) {
    if places.sought.is_shown(&table.message(id), opening) {
        places.messages.push(id);
    }
}

/// The messages of one request, as counts of the pieces and messages that it has. Requests repeat most of the ones before,
/// so only what changes is counted.
#[derive(Default)]
pub struct Present {
    /// Of each piece, in answers and in other messages.
    pieces: [Vec<u32>; 2],
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

    /// Returns true if one of the messages shows the atom of these places.
    pub fn shows(&self, places: &Places) -> bool {
        let in_pieces = [false, true].iter().any(|is_answer| {
            let present = &self.pieces[usize::from(*is_answer)];
            places
                .pieces(*is_answer)
                .iter()
                .any(|piece| present.get(*piece as usize).is_some_and(|count| *count > 0))
        });
        let is_present = |id: &MessageId| self.messages.get(id.index()).is_some_and(|count| *count > 0);
        in_pieces || places.messages().iter().any(is_present)
    }
}

pub fn is_answer(id: MessageId, table: &Table) -> bool {
    table.row(id).role == Role::Assistant
}
