//! The full history of a run: where each text first occurs, and which atoms of an answer come from earlier turns.

use memchr::memchr_iter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::candidates::Candidate;
use crate::characters::is_digit;
use crate::common::{is_common, is_example_file, is_idiom};
use crate::index::{AtomIndex, Present, is_answer};
use crate::matching::{Atom, Sought, line_number};
use crate::system_text::{PieceEnds, SystemText};
use crate::uses::Usage;
use crate::{EvidenceKind, Need};
use conversation::{MessageId, Role, Table, Turn};
use history_strategies::{Exchange, View};

/// The model mostly chooses smaller numbers in call arguments itself: limits, offsets, seconds. On logs of OpenHands, such
/// numbers, interface words and guesses caused 4 of 5 answers reported under `fold` as lacking a fact, all false alarms.
const SMALL: f64 = 1_000.0;
/// Maximum digits of a small number: the digits of a whole number below [`SMALL`].
const SMALL_DIGITS: usize = 3;
/// Smaller numbers in text for the user, such as minutes, are guesses as often as facts. In logs of coding agents, 45 answers
/// were reported for such numbers alone; most of those checked by hand were guesses. 100 is one of them: it makes a share a
/// percentage.
const SMALL_WHEN_SAID: f64 = 101.0;
/// Maximum distance in lines between a fact and a related number or word. Results of coding agents are so long that any two
/// atoms of an answer share one. Of nine small numbers that alone got an answer reported, seven were far from every fact, and
/// the model had chosen them.
const NEAR: usize = 10;
/// Maximum number of messages compared when looking for the cheapest one with an atom.
const TELLERS: usize = 8;

/// The full history, with the first turn of each piece of text.
pub struct FullHistory<'v, 'i> {
    view: &'v View<'v>,
    index: &'i mut AtomIndex,
    /// SYSTEM, shown by every request.
    system: Present,
    /// SYSTEM and all messages before the first answer.
    first: Present,
    /// For each piece, the first turn with the piece in a message after its answer: a tool result or a user message.
    told: Vec<Option<u32>>,
    /// For each piece, the first turn with the piece in its answer.
    said: Vec<Option<u32>>,
    /// For each message, the first turn that contains it.
    messages: Vec<Option<u32>>,
    /// Line numbers inside the pieces, as pairs of piece and number.
    line_numbers: FxHashSet<(u32, u64)>,
    turns: FxHashMap<Atom, TurnsOfAtom>,
}

impl<'v, 'i> FullHistory<'v, 'i> {
    /// The history up to the view. Indexes the whole table.
    pub fn new(view: &'v View<'v>, index: &'i mut AtomIndex) -> FullHistory<'v, 'i> {
        let exchanges: Vec<(&Turn, &Exchange)> = view.exchanges(0).collect();
        let table = view.messages().table();
        index.read(&table);
        let (mut system, mut first) = (Present::default(), Present::default());
        for id in view.start_ids() {
            first.add(id, &table);
            if table.row(id).role == Role::System {
                system.add(id, &table);
            }
        }
        let mut told = vec![None; table.piece_count() as usize];
        let (mut said, mut messages) = (told.clone(), vec![None; table.len()]);
        for (number, (_, exchange)) in (1..).zip(exchanges) {
            for (place, id) in exchange.ids().iter().enumerate() {
                messages[id.index()].get_or_insert(number);
                // The answer comes first.
                let turns = if place == 0 { &mut said } else { &mut told };
                for piece in table.pieces(*id) {
                    turns[piece as usize].get_or_insert(number);
                }
            }
        }
        let line_numbers = line_numbers(&table);
        drop(table);
        FullHistory {
            view,
            index,
            system,
            first,
            told,
            said,
            messages,
            line_numbers,
            turns: FxHashMap::default(),
        }
    }

    /// The need of a candidate in the answer of the turn at `index`. `None` if the model could write the text without
    /// having seen it.
    pub fn needed(&mut self, index: usize, candidate: Candidate) -> Option<Need> {
        let (atom, usage) = (&candidate.atom, candidate.usage);
        let is_name = matches!(atom, Atom::Name(_));
        if !is_name {
            let table = self.view.messages().table();
            let places = self.index.places(atom, &table);
            if self.first.shows(places) {
                if usage <= Usage::Search || self.system.shows(places) {
                    return None;
                }
                return Some(Need::of_opening(candidate));
            }
        }
        // Text that the model may have made up, unless another message contained it first: number-like text such as
        // `120,140p`, several words, and search terms.
        let is_text = matches!(atom, Atom::Literal(text)
            if text.contains(' ') || is_like_number(text) || is_pattern(text));
        let is_number = matches!(atom, Atom::Number(_));
        let is_enumeration = matches!(atom, Atom::Literal(text) if is_enumeration(text));
        let is_choice = is_text || is_number || is_enumeration || usage <= Usage::Search;
        // If the model wrote an argument before any result contained it, it could write it again, such as a title repeated by a
        // tool. Programs and text for the user are different: their facts come from results.
        let is_repeated =
            (is_text || is_number) && usage < Usage::Said && self.was_said_first(&candidate.atom);
        // A random name written first by the model, such as its session folder, comes from a part of the request missing from
        // the logs.
        if is_random(atom.text()) && self.was_said_first(&candidate.atom) {
            return None;
        }
        if is_repeated {
            return None;
        }
        let need = self.need(index, candidate, EvidenceKind::Used);
        let is_needed = need.turn.is_some() && !(need.is_own && is_choice);
        is_needed.then_some(need)
    }

    /// Returns true if an answer contains the atom no later than the first other message with it.
    fn was_said_first(&mut self, atom: &Atom) -> bool {
        let TurnsOfAtom { told, said, .. } = self.find_turns(atom);
        match (said.first(), told.first()) {
            (Some(said), Some(told)) => said <= told,
            _ => false,
        }
    }

    pub fn need(&mut self, index: usize, candidate: Candidate, kind: EvidenceKind) -> Need {
        let Candidate { atom, defined, ways, names, usage } = candidate;
        let is_weak = usage < Usage::Program
            && match &atom {
                Atom::Literal(text) => is_common(text) || usage == Usage::Word && is_example_file(text),
                Atom::Line(text) => is_idiom(text),
                _ => false,
            };
        let (turn, is_own, told_by) = match &atom {
            // Running the same program again defines the name again.
            Atom::Name(_) => {
                let replies = defined.map_or_else(Vec::new, |turn| self.replies(turn));
                (defined, false, replies.into_iter().take(1).collect())
            }
            _ => {
                let turns = self.find_turns(&atom);
                let (told, said) = (first_before(&turns.told, index), first_before(&turns.said, index));
                let earlier = turns.told_by.iter().filter(|(turn, ..)| *turn as usize <= index);
                (told.or(said), told.is_none(), earlier.map(|(_, _, message)| *message).collect())
            }
        };
        Need { atom, ways, names, kind, turn, is_own, is_weak, is_of_opening: false, told_by }
    }

    /// The messages of a turn: its answer first.
    fn exchange(&self, turn: u32) -> Option<(&'v Turn, &'v Exchange)> {
        self.view.exchanges((turn as usize).saturating_sub(1)).next()
    }

    /// Messages of tools and programs after the answer of a turn.
    fn replies(&self, turn: u32) -> Vec<MessageId> {
        let mut ids = Vec::new();
        if let Some((turn, exchange)) = self.exchange(turn) {
            for (reply, id) in turn.replies.iter().zip(exchange.ids().iter().skip(1)) {
                if reply.kind.is_observation() {
                    ids.push(*id);
                }
            }
        }
        ids
    }

    /// For each of these turns, the first message of a tool or program after its answer that contains the atom.
    fn find_tellers(&mut self, atom: &Atom, turns: &[u32]) -> Vec<(u32, MessageId)> {
        let replies: Vec<Vec<MessageId>> = turns.iter().map(|turn| self.replies(*turn)).collect();
        let table = self.view.messages().table();
        let places = self.index.places(atom, &table);
        let pieces: Vec<u32> = places.pieces(false).iter().collect();
        let mut tellers = Vec::new();
        for (turn, replies) in turns.iter().zip(replies) {
            for id in replies {
                let is_in_piece = table.pieces(id).any(|piece| pieces.binary_search(&piece).is_ok());
                if is_in_piece || places.messages().contains(&id) {
                    tellers.push((*turn, id));
                    break;
                }
            }
        }
        tellers
    }

    /// Returns true if a message before the turn at `index` has the candidate's atom near one of the facts. Line numbers are
    /// ignored: they mean nothing for other files.
    pub fn is_told_near(&mut self, index: usize, candidate: &Candidate, facts: &[Atom]) -> bool {
        for turn in self.find_turns(&candidate.atom).told.clone() {
            if turn as usize > index {
                break;
            }
            let mut of_turn = Vec::new();
            for fact in facts {
                if self.find_turns(fact).told.binary_search(&turn).is_ok() {
                    of_turn.push(fact.prepare_search());
                }
            }
            if !of_turn.is_empty() && self.is_near(turn, candidate, facts, &of_turn) {
                return true;
            }
        }
        false
    }

    /// Returns true if a message after the answer of `turn` has the candidate's atom near one of these facts.
    fn is_near(&mut self, turn: u32, candidate: &Candidate, facts: &[Atom], of_turn: &[Sought]) -> bool {
        let Some((_, exchange)) = self.exchange(turn) else { return false };
        let table = self.view.messages().table();
        let places = self.index.places(&candidate.atom, &table);
        let with_atom: Vec<u32> = places.pieces(false).iter().collect();
        for id in exchange.ids().iter().skip(1) {
            let pieces: Vec<u32> = table.pieces(*id).collect();
            for (at, piece) in pieces.iter().enumerate() {
                if with_atom.binary_search(piece).is_err() {
                    continue;
                }
                let nearby = Nearby {
                    sought: places.sought(),
                    is_line_number: is_line_number(&self.line_numbers, *piece, &candidate.atom),
                    is_position: candidate.usage == Usage::Position,
                    facts,
                };
                // Each piece has at least one line.
                let mut text = String::new();
                for piece in pieces.iter().take(at + NEAR + 1).skip(at.saturating_sub(NEAR)) {
                    text.push_str(&table.piece(*piece));
                }
                if nearby.stands_near(&text, of_turn) {
                    return true;
                }
            }
        }
        false
    }

    /// The turns with an atom. Cached, because an agent uses most atoms repeatedly.
    fn find_turns(&mut self, atom: &Atom) -> &TurnsOfAtom {
        if !self.turns.contains_key(atom) {
            let told = self.turns_by(atom, Author::Others);
            let mut told_by = Vec::new();
            for (turn, message) in self.find_tellers(atom, &told[..told.len().min(TELLERS)]) {
                told_by.push((turn, self.view.messages().tokens(message), message));
            }
            told_by.sort_by_key(|(turn, tokens, _)| (*tokens, *turn));
            let turns = TurnsOfAtom { told, told_by, said: self.turns_by(atom, Author::Model) };
            self.turns.insert(atom.clone(), turns);
        }
        &self.turns[atom]
    }

    fn turns_by(&mut self, atom: &Atom, author: Author) -> Vec<u32> {
        let table = self.view.messages().table();
        let places = self.index.places(atom, &table);
        let (is_model, turns) = match author {
            Author::Model => (true, &self.said),
            Author::Others => (false, &self.told),
        };
        let mut found = Vec::new();
        for piece in places.pieces(is_model).iter() {
            // Many pieces of one message have the atom.
            if let Some(Some(turn)) = turns.get(piece as usize)
                && found.last() != Some(turn)
                && is_source(places.sought(), piece, &table, &self.line_numbers)
            {
                found.push(*turn);
            }
        }
        for id in places.messages() {
            if is_answer(*id, &table) == is_model
                && let Some(Some(turn)) = self.messages.get(id.index())
            {
                found.push(*turn);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns true if a piece with the atom is a source of it. A plural, or a name beside other words, is not a source: the author
/// made it up.
fn is_source(sought: &Sought, piece: u32, table: &Table, line_numbers: &FxHashSet<(u32, u64)>) -> bool {
    if sought.is_of_several_words() {
        return sought.is_named(&table.piece(piece));
    }
    !is_line_number(line_numbers, piece, sought.atom()) || sought.stands_beside_numbers(&table.piece(piece))
}

/// The first of these turns, if it is before the turn at `index`.
fn first_before(turns: &[u32], index: usize) -> Option<u32> {
    let first = *turns.first()?;
    (first as usize <= index).then_some(first)
}

/// A number or word, and how it may be near a fact.
struct Nearby<'a> {
    sought: &'a Sought,
    /// True if the text has the number as a line number, too.
    is_line_number: bool,
    /// True if only the number of a line counts.
    is_position: bool,
    facts: &'a [Atom],
}

impl Nearby<'_> {
    fn stands_in(&self, line: &str) -> bool {
        (!self.is_line_number || self.sought.stands_beside_numbers(line))
            && (!self.is_position || self.sought.stands_as_position(line))
            && !self.sought.numbers_heading(line)
            && self.sought.stands_beside_places(line, self.facts)
    }

    /// Returns true if the text has one of the facts within [`NEAR`] lines of the number or word.
    fn stands_near(&self, text: &str, facts: &[Sought]) -> bool {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        for (at, line) in text.split('\n').enumerate() {
            if !self.stands_in(line) {
                continue;
            }
            let start = starts.get(at.saturating_sub(NEAR)).copied().unwrap_or(text.len());
            let end = starts.get(at + NEAR + 1).copied().unwrap_or(text.len());
            let window = &text[start..end];
            if facts.iter().any(|fact| fact.stands_in(window)) {
                return true;
            }
        }
        false
    }
}

/// The turns that introduce texts with an atom, in order.
#[derive(Default)]
struct TurnsOfAtom {
    /// Turns with the atom in a message after their answer.
    told: Vec<u32>,
    /// Messages of tools and programs with the atom, as turn, tokens and message; the cheapest first.
    told_by: Vec<(u32, u32, MessageId)>,
    /// Turns with the atom in their answer.
    said: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Author {
    Model,
    Others,
}

/// `toolu_01GZh8kQm`, `7df500aa-8c21-4f4e-9d0a-3f5be1b2c7d4`: eight or more characters, switching between letters and digits at
/// least three times.
fn is_random(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(is_random_part)
}

fn is_random_part(part: &str) -> bool {
    let pairs = part.as_bytes().windows(2);
    part.len() >= 8 && pairs.filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count() >= 3
}

/// `12:30`, `2024-05-17`, `140p`
fn is_like_number(text: &str) -> bool {
    text.contains(is_digit) && text.matches(char::is_alphabetic).count() < 2
}

/// `(error|warning)`, `%H%n%B`, `exit=${code}`
fn is_pattern(text: &str) -> bool {
    text.contains(['|', '^', '*', '%', '\\']) || text.contains("${")
}

/// `traces/metrics/logs`
fn is_enumeration(text: &str) -> bool {
    text.matches('/').count() > 1
        && text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphabetic() || c == '/')
}

/// Returns true for a number small enough to occur in call arguments by chance.
pub fn is_small(atom: &Atom) -> bool {
    is_below(atom, SMALL)
}

/// Returns true for a number small enough to occur in text for the user by chance.
pub fn is_small_when_said(atom: &Atom) -> bool {
    is_below(atom, SMALL_WHEN_SAID)
}

/// Returns true for a number below `bound` with few digits, and for a range of such numbers, as in `lines 1-10`. `0.8125` has
/// four digits, so it is as specific as a large number.
fn is_below(atom: &Atom, bound: f64) -> bool {
    match atom {
        Atom::Number(text) => {
            let has_few_digits =
                text.trim_start_matches(['-', '0', '.']).matches(is_digit).count() <= SMALL_DIGITS;
            has_few_digits && text.parse::<f64>().is_ok_and(|number| number.abs() < bound)
        }
        Atom::Literal(text) => match text.split_once('-') {
            Some((from, to)) => {
                let ends = [from, to].map(Atom::parse_number);
                ends.iter().all(|end| end.as_ref().is_some_and(|end| is_below(end, bound)))
            }
            None => false,
        },
        _ => false,
    }
}

/// Returns true if the piece has the number as a line number.
fn is_line_number(line_numbers: &FxHashSet<(u32, u64)>, piece: u32, atom: &Atom) -> bool {
    let Atom::Number(text) = atom else { return false };
    text.parse().is_ok_and(|number| line_numbers.contains(&(piece, number)))
}

/// The line numbers in each piece: numbers at the start of lines, increasing by one.
fn line_numbers(table: &Table) -> FxHashSet<(u32, u64)> {
    let mut found = FxHashSet::default();
    for id in table.ids() {
        if let Some(text) = SystemText::of_message(id, table) {
            let ends = PieceEnds::of(id, table);
            for (start, number) in text.line_numbers() {
                if let Some(piece) = ends.piece_at(*start) {
                    found.insert((piece, *number));
                }
            }
            continue;
        }
        let mut before: Option<(u32, u64)> = None;
        for piece in table.pieces(id) {
            for line in table.piece(piece).lines() {
                let Some(number) = line_number(line) else {
                    before = None;
                    continue;
                };
                if let Some(before) = before
                    && number == before.1.wrapping_add(1)
                {
                    found.extend([before, (piece, number)]);
                }
                before = Some((piece, number));
            }
        }
    }
    found
}
