//! The full history of a run: where each text first occurs, and which atoms of an answer come from earlier turns.

use memchr::memchr_iter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::candidates::Candidate;
use crate::common::{is_common, is_example_file, is_idiom};
use crate::index::{AtomIndex, Present, is_answer};
use crate::matching::{Atom, Sought, line_number};
use crate::system_text::{PieceEnds, SystemText};
use crate::uses::Usage;
use crate::{EvidenceKind, Need};
use conversation::{MessageId, Role, Table};
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
        let exchanges: Vec<&Exchange> = view.exchanges(0).map(|(_, exchange)| exchange).collect();
        let table = view.messages().table();
        index.read(&table);
        let (mut system, mut first) = (Present::default(), Present::default());
        for id in view.start_ids() {
            first.add(id, &table);
            if table.row(id).role == Role::System {
                system.add(id, &table);
            }
        }
        let none = || vec![None; table.piece_count() as usize];
        let (mut told, mut said, mut messages) = (none(), none(), vec![None; table.len()]);
        for (number, exchange) in (1..).zip(exchanges) {
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
                let is_of_person = usage > Usage::Search && !self.system.shows(places);
                return is_of_person.then(|| Need::of_opening(candidate));
            }
        }
        // Unless another message contained it first, the model chose this text itself: a text like a number, such as
        // `120,140p`, or one of several words. Search terms are guesses in the same way.
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
        let need = self.need(index, candidate, EvidenceKind::Used);
        Some(need).filter(|need| need.turn.is_some() && !(need.is_own && is_choice) && !is_repeated)
    }

    /// Returns true if an answer contains the atom no later than the first other message with it.
    fn was_said_first(&mut self, atom: &Atom) -> bool {
        let TurnsOfAtom { told, said, .. } = self.turns(atom);
        said.first().is_some_and(|said| told.first().is_some_and(|told| said <= told))
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
                let reply = defined.and_then(|turn| self.replies(turn).next());
                (defined, false, reply.into_iter().collect())
            }
            _ => {
                let turns = self.turns(&atom);
                let first = |turns: &[u32]| turns.first().copied().filter(|turn| *turn as usize <= index);
                let (told, said) = (first(&turns.told), first(&turns.said));
                let earlier = turns.told_by.iter().filter(|(turn, ..)| *turn as usize <= index);
                (told.or(said), told.is_none(), earlier.map(|(_, _, message)| *message).collect())
            }
        };
        Need { atom, ways, names, kind, turn, is_own, is_weak, is_of_opening: false, told_by }
    }

    /// Messages of tools and programs after the answer of a turn.
    fn replies(&self, turn: u32) -> impl Iterator<Item = MessageId> + use<'v, 'i> {
        let exchange = self.view.exchanges((turn as usize).saturating_sub(1)).next();
        exchange.into_iter().flat_map(|(turn, exchange)| {
            let is_of_tool =
                move |index: usize| turn.replies.get(index).is_some_and(|reply| reply.kind.is_observation());
            let replies = exchange.ids().iter().skip(1).enumerate();
            replies.filter(move |(index, _)| is_of_tool(*index)).map(|(_, id)| *id)
        })
    }

    /// The first message of a tool or program after the answer of `turn` that contains the atom.
    fn teller(&mut self, atom: &Atom, turn: u32) -> Option<MessageId> {
        let table = self.view.messages().table();
        let mut replies = self.replies(turn);
        let places = self.index.places(atom, &table);
        let pieces: Vec<u32> = places.pieces(false).iter().collect();
        let has = |id: &MessageId| {
            let is_in_piece = |piece| pieces.binary_search(&piece).is_ok();
            places.messages().contains(id) || table.pieces(*id).any(is_in_piece)
        };
        replies.find(has)
    }

    /// Returns true if a message before the turn at `index` has the candidate's atom near one of the facts. Line numbers are
    /// ignored: they mean nothing for other files.
    pub fn is_told_near(&mut self, index: usize, candidate: &Candidate, facts: &[Atom]) -> bool {
        let turns = self.turns(&candidate.atom).told.clone();
        turns.into_iter().take_while(|turn| *turn as usize <= index).any(|turn| {
            let is_of_turn = |fact: &&Atom| self.turns(fact).told.binary_search(&turn).is_ok();
            let of_turn: Vec<Sought> = facts.iter().filter(is_of_turn).map(Atom::prepare_search).collect();
            !of_turn.is_empty() && self.is_near(turn, candidate, facts, &of_turn)
        })
    }

    /// Returns true if a message after the answer of `turn` has the candidate's atom near one of these facts.
    fn is_near(&mut self, turn: u32, candidate: &Candidate, facts: &[Atom], of_turn: &[Sought]) -> bool {
        let (atom, is_position) = (&candidate.atom, candidate.usage == Usage::Position);
        let table = self.view.messages().table();
        let places = self.index.places(atom, &table);
        let (of_atom, sought): (Vec<u32>, _) = (places.pieces(false).iter().collect(), places.sought());
        let exchange = self.view.exchanges((turn as usize).saturating_sub(1)).next();
        let told = exchange.into_iter().flat_map(|(_, exchange)| exchange.ids().iter().skip(1));
        told.into_iter().any(|id| {
            let pieces: Vec<u32> = table.pieces(*id).collect();
            let with_atom = (0..).zip(&pieces).filter(|(_, piece)| of_atom.binary_search(piece).is_ok());
            with_atom.into_iter().any(|(at, piece): (usize, _)| {
                let is_line_number = is_line_number(&self.line_numbers, *piece, atom);
                let stands = |line: &str| {
                    (!is_line_number || sought.stands_beside_numbers(line))
                        && (!is_position || sought.stands_as_position(line))
                        && sought.stands_beside_places(line, facts)
                };
                // Each piece has at least one line.
                let around = pieces.iter().take(at + NEAR + 1).skip(at.saturating_sub(NEAR));
                let text: String = around.map(|piece| table.piece(*piece)).collect();
                windows(&text, stands).any(|window| of_turn.iter().any(|fact| fact.stands_in(window)))
            })
        })
    }

    /// The turns with an atom. Cached, because an agent uses most atoms repeatedly.
    fn turns(&mut self, atom: &Atom) -> &TurnsOfAtom {
        if !self.turns.contains_key(atom) {
            let told = self.turns_by(atom, Author::Others);
            let tellers = told.iter().take(TELLERS).filter_map(|turn| {
                let message = self.teller(atom, *turn)?;
                Some((*turn, self.view.messages().tokens(message), message))
            });
            let mut told_by: Vec<(u32, u32, MessageId)> = tellers.collect();
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
        let line_numbers = &self.line_numbers;
        let stands = |piece: &u32| {
            // A plural or a name with other words before it is no source of the name: the author made it up.
            if places.sought().is_of_several_words() {
                return places.sought().begins_a_name(&table.piece(*piece));
            }
            !is_line_number(line_numbers, *piece, atom)
                || places.sought().stands_beside_numbers(&table.piece(*piece))
        };
        let pieces = places.pieces(is_model).iter().filter(stands);
        let in_pieces = pieces.filter_map(|piece| turns.get(piece as usize).copied().flatten());
        let messages = places.messages().iter().filter(|id| is_answer(**id, &table) == is_model);
        let in_messages = messages.filter_map(|id| self.messages.get(id.index()).copied().flatten());
        let mut found: Vec<u32> = in_pieces.chain(in_messages).collect();
        found.sort_unstable();
        found.dedup();
        found
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
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| {
        let bytes = part.as_bytes();
        let changes = bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
        part.len() >= 8 && changes.count() >= 3
    })
}

/// `12:30`, `2024-05-17`, `140p`
fn is_like_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.chars().filter(|c| c.is_alphabetic()).count() < 2
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
    if let Atom::Literal(text) = atom
        && let Some((from, to)) = text.split_once('-')
    {
        let ends = [from, to].map(Atom::parse_number);
        return ends.iter().all(|end| end.as_ref().is_some_and(|end| is_below(end, bound)));
    }
    let Atom::Number(text) = atom else { return false };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len() <= SMALL_DIGITS
        && text.parse::<f64>().is_ok_and(|number| number.abs() < bound)
}

/// Returns true if the piece has the number as a line number.
fn is_line_number(line_numbers: &FxHashSet<(u32, u64)>, piece: u32, atom: &Atom) -> bool {
    let Atom::Number(text) = atom else { return false };
    text.parse().is_ok_and(|number| line_numbers.contains(&(piece, number)))
}

/// A window of [`NEAR`] lines around each wanted line.
fn windows(text: &str, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
    let start = move |line: usize| starts.get(line).copied().unwrap_or(text.len());
    text.split('\n')
        .enumerate()
        .filter(move |(_, line)| is_wanted(line))
        .filter_map(move |(at, _)| text.get(start(at.saturating_sub(NEAR))..start(at + NEAR + 1)))
}

/// The line numbers in each piece: numbers at the start of lines, increasing by one.
fn line_numbers(table: &Table) -> FxHashSet<(u32, u64)> {
    let mut found = FxHashSet::default();
    for id in table.ids() {
        if let Some(text) = SystemText::of_message(id, table) {
            let ends = PieceEnds::of(id, table);
            for (start, number) in text.line_numbers() {
                found.extend(ends.piece_at(*start).map(|piece| (piece, *number)));
            }
            continue;
        }
        let mut before: Option<(u32, u64)> = None;
        for piece in table.pieces(id) {
            for line in table.piece(piece).lines() {
                let own = line_number(line).map(|number| (piece, number));
                if let (Some(before), Some(own)) = (before, own)
                    && own.1 == before.1.wrapping_add(1)
                {
                    found.extend([before, own]);
                }
                before = own;
            }
        }
    }
    found
}
