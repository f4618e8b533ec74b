//! The full history of a run: the first place of each text in it, and the atoms of answers that are needed.

use memchr::memchr_iter;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::candidates::Candidate;
use crate::common::is_common;
use crate::index::{AtomIndex, Present, is_answer};
use crate::matching::{Atom, Sought, line_number};
use crate::uses::Usage;
use crate::{EvidenceKind, Need};
use conversation::{MessageId, Role, Table};
use history_strategies::{Exchange, View};

/// Smaller numbers in the arguments of calls are mostly chosen by the model: limits, offsets, seconds. Such numbers, words of the
/// interface and guesses made 4 of 5 short answers of `fold` on logs of OpenHands, all of them false alarms.
const SMALL: f64 = 1_000.0;
/// The most digits of a small number, as many as a whole number below [`SMALL`] has.
const SMALL_DIGITS: usize = 3;
/// Smaller numbers that are said to the user are as often guesses as facts, such as those of minutes: 45 short answers of coding
/// agents rested on such numbers alone, and most of those that were read were guesses.
const SMALL_WHEN_SAID: f64 = 100.0;
/// The lines between a fact and a number or a word that belongs to it. Results of coding agents are long, so that any two atoms of an
/// answer share one: of nine small numbers that alone made such answers short, seven stood far from every fact and were chosen.
const NEAR: usize = 10;
/// Messages that are looked at for the cheapest one that has an atom.
const TELLERS: usize = 8;

/// The full history, with the first turn that has each piece of text.
pub struct FullHistory<'v, 'i> {
    view: &'v View<'v>,
    index: &'i mut AtomIndex,
    /// SYSTEM, which every request has.
    system: Present,
    /// SYSTEM and all messages before the first answer.
    first: Present,
    /// By piece, the number of the first turn after whose answer the model was told it.
    told: Vec<Option<u32>>,
    /// By piece, the number of the first turn whose answer has it.
    said: Vec<Option<u32>>,
    /// By message, the number of the first turn that has it.
    messages: Vec<Option<u32>>,
    /// Pieces with the line numbers in them.
    line_numbers: FxHashSet<(u32, u64)>,
    turns: FxHashMap<Atom, TurnsOfAtom>,
}

impl<'v, 'i> FullHistory<'v, 'i> {
    /// The history up to the view. Reads the table into the index.
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

    /// The need of a candidate that the answer of the turn at this index could only have from an earlier turn.
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
        // A text like a number, or of several words, that nobody told the model is its own choice, such as the lines `120,140p`.
        // What it only looks for is a guess until somebody has said it.
        let is_text = matches!(atom, Atom::Literal(text)
            if text.contains(' ') || is_like_number(text) || is_pattern(text));
        let is_number = matches!(atom, Atom::Number(_));
        let is_enumeration = matches!(atom, Atom::Literal(text) if is_enumeration(text));
        let is_choice = is_text || is_number || is_enumeration || usage <= Usage::Search;
        // A text in the arguments of a call that the model gave before any result had it, it would give again, such as the title
        // that a tool repeats. What a program or an answer says of an earlier result it has to see.
        let is_repeated =
            (is_text || is_number) && usage < Usage::Said && self.was_said_first(&candidate.atom);
        // A random name that the model wrote first, such as the folder of its session, is in a part of all requests that logs lack.
        if is_random(atom.text()) && self.was_said_first(&candidate.atom) {
            return None;
        }
        let need = self.need(index, candidate, EvidenceKind::Used);
        Some(need).filter(|need| need.turn.is_some() && !(need.is_own && is_choice) && !is_repeated)
    }

    /// Returns true if an answer has the atom before anybody told it to the model.
    fn was_said_first(&mut self, atom: &Atom) -> bool {
        let TurnsOfAtom { told, said, .. } = self.turns(atom);
        said.first().is_some_and(|said| told.first().is_some_and(|told| said <= told))
    }

    pub fn need(&mut self, index: usize, candidate: Candidate, kind: EvidenceKind) -> Need {
        let Candidate { atom, defined, ways, usage } = candidate;
        let is_weak = usage < Usage::Program && matches!(&atom, Atom::Literal(text) if is_common(text));
        let (turn, is_own, told_by) = match &atom {
            // A program that is run again defines the name again.
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
        Need { atom, ways, kind, turn, is_own, is_weak, is_of_opening: false, told_by }
    }

    /// The messages that a tool or a program wrote after the answer of a turn.
    fn replies(&self, turn: u32) -> impl Iterator<Item = MessageId> + use<'v, 'i> {
        let exchange = self.view.exchanges((turn as usize).saturating_sub(1)).next();
        exchange.into_iter().flat_map(|(turn, exchange)| {
            let is_of_tool =
                move |index: usize| turn.replies.get(index).is_some_and(|reply| reply.kind.is_observation());
            let replies = exchange.ids().iter().skip(1).enumerate();
            replies.filter(move |(index, _)| is_of_tool(*index)).map(|(_, id)| *id)
        })
    }

    /// The first message with the atom, of those that tools and programs wrote after a turn.
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

    /// Returns true if a message before the turn at this index has the atom near one of the facts. The number of a line tells
    /// nothing of other files.
    pub fn is_told_near(&mut self, index: usize, atom: &Atom, facts: &[Atom]) -> bool {
        let turns = self.turns(atom).told.clone();
        turns.into_iter().take_while(|turn| *turn as usize <= index).any(|turn| {
            let is_of_turn = |fact: &&Atom| self.turns(fact).told.binary_search(&turn).is_ok();
            let of_turn: Vec<Sought> = facts.iter().filter(is_of_turn).map(Atom::sought).collect();
            !of_turn.is_empty() && self.is_near(turn, atom, facts, &of_turn)
        })
    }

    /// Returns true if what the model was told after a turn has the atom near one of these facts.
    fn is_near(&mut self, turn: u32, atom: &Atom, facts: &[Atom], of_turn: &[Sought]) -> bool {
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
                        && sought.stands_beside_places(line, facts)
                };
                // Each piece has a line or more.
                let around = pieces.iter().take(at + NEAR + 1).skip(at.saturating_sub(NEAR));
                let text: String = around.map(|piece| table.piece(*piece)).collect();
                windows(&text, stands).any(|window| of_turn.iter().any(|fact| fact.stands_in(window)))
            })
        })
    }

    /// The turns that have an atom. They are looked up once, since an agent uses most atoms again and again.
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

/// The turns in which texts with an atom stand for the first time, in order.
#[derive(Default)]
struct TurnsOfAtom {
    /// Turns after whose answer the model was told it.
    told: Vec<u32>,
    /// The messages after them that a tool or a program wrote, each with its turn and its tokens: the cheapest first.
    told_by: Vec<(u32, u32, MessageId)>,
    /// Turns whose answer says it.
    said: Vec<u32>,
}

/// Author of a text in a conversation.
#[derive(Clone, Copy)]
enum Author {
    Model,
    Others,
}

/// `toolu_01GZh8kQm`, `7df500aa-8c21-4f4e-9d0a-3f5be1b2c7d4`: a part of eight characters or more in which letters and digits alternate.
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

/// Returns true if an atom is a number that arguments of calls have by chance.
pub fn is_small(atom: &Atom) -> bool {
    is_below(atom, SMALL)
}

/// Returns true if an atom is a number that words to the user have by chance.
pub fn is_small_when_said(atom: &Atom) -> bool {
    is_below(atom, SMALL_WHEN_SAID)
}

/// `0.8125` says as much as a large number.
fn is_below(atom: &Atom, bound: f64) -> bool {
    let Atom::Number(text) = atom else { return false };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len() <= SMALL_DIGITS
        && text.parse::<f64>().is_ok_and(|number| number.abs() < bound)
}

/// Returns true for a number that a piece has in front of a line.
fn is_line_number(line_numbers: &FxHashSet<(u32, u64)>, piece: u32, atom: &Atom) -> bool {
    let Atom::Number(text) = atom else { return false };
    text.parse().is_ok_and(|number| line_numbers.contains(&(piece, number)))
}

/// The lines around each line of a text that is wanted.
fn windows(text: &str, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
    let start = move |line: usize| starts.get(line).copied().unwrap_or(text.len());
    text.split('\n')
        .enumerate()
        .filter(move |(_, line)| is_wanted(line))
        .filter_map(move |(at, _)| text.get(start(at.saturating_sub(NEAR))..start(at + NEAR + 1)))
}

/// The line numbers in each piece: numbers in front of lines that count up.
fn line_numbers(table: &Table) -> FxHashSet<(u32, u64)> {
    let mut found = FxHashSet::default();
    for id in table.ids() {
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
