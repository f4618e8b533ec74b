//! Measures evidence: what an answer relies on, and how much of that its request shows. The evidence that an answer
//! needs is found in the full history, without asking a model.

mod atoms;
mod definitions;
mod identifiers;
mod index;
mod matching;

use std::collections::BTreeSet;
use std::fmt;

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::{Message, Turn, Turns};
use crate::compression::{Exchange, History, View};
use crate::measure::Requests;
use crate::messages::Table;
use crate::scenario::Scenario;
use ptc_lisp::hint::nearest;
use ptc_lisp::memory::Definition;
use ptc_lisp::symbol::Symbol;

use definitions::Definitions;
use index::{AtomIndex, Present, is_answer};
pub use matching::{Atom, OpeningLines, Sought};

/// The evidence for one answer in its request, by grade.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Evidence {
    pub shown: u32,
    pub reachable: u32,
    pub own: u32,
    pub gone: u32,
    /// Evidence that the request does not show, in the order of the answer, then of `needs:`.
    pub lost: Vec<EvidenceItem>,
}

/// A text that an answer relies on and its request does not show.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct EvidenceItem {
    #[schemars(with = "String")]
    pub what: EcoString,
    pub kind: EvidenceKind,
    pub grade: Grade,
    /// The turn that produced it, if one did.
    pub turn: Option<u32>,
}

/// The source that says that an answer relies on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// The answer uses it.
    Used,
    /// The response's `needs:` lists it.
    Listed,
}

/// The way that is left to evidence that a request does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// It is inside the value of a definition whose name the request shows.
    Reachable,
    /// Only the model's own earlier answers had said it.
    Own,
    Gone,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Reachable => "reachable",
            Grade::Own => "own",
            Grade::Gone => "gone",
        })
    }
}

/// The evidence that the answers of a run need.
pub struct Needs {
    of_turns: Vec<Vec<Need>>,
    opening: OpeningLines,
    definitions: Definitions,
    /// Entries of `needs:` that no earlier turn produced, so many as are listed.
    pub unproduced: Vec<Unproduced>,
    /// The number of the others.
    pub unlisted: usize,
}

/// Entries of `needs:` that are listed as not produced, since a near text is sought for each.
const LISTED: usize = 20;

struct Need {
    atom: Atom,
    kind: EvidenceKind,
    /// The turn that produced it.
    turn: Option<u32>,
    /// True if only the model's own answers had said it.
    is_own: bool,
}

/// An entry of `needs:` that no earlier turn produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unproduced {
    pub turn: u32,
    /// Its position in the list, from 0.
    pub entry: usize,
    pub text: String,
    /// The nearest text of an earlier turn.
    pub near: Option<String>,
}

impl Evidence {
    pub fn needed(&self) -> u32 {
        self.shown + self.reachable + self.own + self.gone
    }

    /// True if the request lacks something that the answer uses and the model cannot get.
    pub fn is_short(&self) -> bool {
        // An author who invented a name must see it to use it again.
        self.gone + self.own > 0
    }

    /// True if it is short, and all that it lacks was in the model's own answers.
    pub fn is_short_of_own(&self) -> bool {
        self.own > 0 && self.gone == 0
    }

    /// The share that is shown, from 0 to 1; none for an answer that needs nothing.
    pub fn share(&self) -> Option<f64> {
        let needed = self.needed();
        (needed > 0).then(|| f64::from(self.shown) / f64::from(needed))
    }
}

impl Needs {
    /// The needs of all answers of a run.
    pub fn of(scenario: &Scenario, turns: &Turns) -> Needs {
        let history = History::new(&scenario.agent, turns, &|_| 0);
        Needs::in_history(scenario, &history).0
    }

    /// The needs of all answers of a run, and an index of their atoms in the table of its history.
    pub fn in_history(scenario: &Scenario, history: &History<'_>) -> (Needs, AtomIndex) {
        let (view, turns) = (history.whole(), history.turns());
        let first: Vec<&Message> = view.head().iter().chain([view.opening()]).collect();
        let definitions = Definitions::of(turns);
        let named = |definition: &'_ Definition| (definition.name, definition.turn);
        let mut defined: FxHashMap<Symbol, u32> = turns.memory_after(0).iter().map(named).collect();
        let mut candidates = Vec::with_capacity(turns.len());
        for (index, turn) in turns.iter().enumerate() {
            let new = turns.memory_after(index).defined_last().map(named);
            defined.extend(new);
            candidates.push(Candidates::of(scenario, index, turn, &defined));
        }
        let mut needs = Needs {
            of_turns: Vec::with_capacity(turns.len()),
            opening: OpeningLines::of(first.into_iter()),
            definitions,
            unproduced: Vec::new(),
            unlisted: 0,
        };
        let atoms = candidates.iter().flat_map(Candidates::atoms);
        let mut index = AtomIndex::of(atoms.cloned(), needs.opening.clone());
        {
            let mut full = FullHistory::new(&view, &mut index);
            for (at, candidates) in candidates.into_iter().enumerate() {
                needs.add(at, candidates, &mut full);
            }
        }
        (needs, index)
    }

    fn add(&mut self, index: usize, candidates: Candidates, history: &mut FullHistory<'_, '_>) {
        let used = candidates.used.into_iter().filter_map(|candidate| history.needed(index, candidate));
        let mut needs: Vec<Need> = used.collect();
        let mut known: FxHashSet<Atom> = needs.iter().map(|need| need.atom.clone()).collect();
        for (entry, (text, candidate)) in candidates.listed.into_iter().enumerate() {
            let need = history.need(index, candidate, EvidenceKind::Listed);
            let is_produced = need.turn.is_some() || self.definitions.hold(&need.atom, index, |_| true);
            if !is_produced && self.unproduced.len() == LISTED {
                self.unlisted += 1;
            } else if !is_produced {
                let near = history.nearest(index, &text);
                self.unproduced.push(Unproduced { turn: index as u32 + 1, entry, text, near });
            } else if known.insert(need.atom.clone()) {
                needs.push(need);
            }
        }
        self.of_turns.push(needs);
    }

    /// Measures which evidence the request before the turn at an index shows.
    pub fn examine(&self, index: usize, mut shows: impl FnMut(&Atom, &OpeningLines) -> bool) -> Evidence {
        let mut evidence = Evidence::default();
        for need in self.of_turns.get(index).into_iter().flatten() {
            let mut is_shown = |atom: &Atom| shows(atom, &self.opening);
            let (count, grade) = if is_shown(&need.atom) {
                evidence.shown += 1;
                continue;
            } else if self.definitions.hold(&need.atom, index, is_shown) {
                (&mut evidence.reachable, Grade::Reachable)
            } else if need.is_own {
                (&mut evidence.own, Grade::Own)
            } else {
                (&mut evidence.gone, Grade::Gone)
            };
            *count += 1;
            let what = need.atom.text().clone();
            evidence.lost.push(EvidenceItem { what, kind: need.kind, grade, turn: need.turn });
        }
        evidence
    }
}

/// Atoms that an answer may rely on.
struct Candidates {
    used: Vec<Candidate>,
    /// With the entry of `needs:`.
    listed: Vec<(String, Candidate)>,
}

/// An atom, and of a name the turn that defined it last.
struct Candidate {
    atom: Atom,
    defined: Option<u32>,
}

impl Candidates {
    fn of(scenario: &Scenario, index: usize, turn: &Turn, defined: &FxHashMap<Symbol, u32>) -> Candidates {
        let used = match turn.recorded {
            Some(_) => atoms::of_recorded(turn),
            None => atoms::of_program(&turn.program, &|name| defined.contains_key(&name)),
        };
        let listed = scenario.needs.get(index).into_iter().flatten();
        Candidates {
            used: used.into_iter().map(|atom| Candidate::of(atom, defined)).collect(),
            listed: listed.map(|text| (text.clone(), Candidate::listed(text, defined))).collect(),
        }
    }

    fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let listed = self.listed.iter().map(|(_, candidate)| candidate);
        self.used.iter().chain(listed).map(|candidate| &candidate.atom)
    }
}

impl Candidate {
    fn of(atom: Atom, defined: &FxHashMap<Symbol, u32>) -> Candidate {
        let turn = match &atom {
            Atom::Name(name) => defined.get(&Symbol::new(name)).copied(),
            _ => None,
        };
        Candidate { atom, defined: turn }
    }

    /// The candidate of an entry of `needs:`.
    fn listed(text: &str, defined: &FxHashMap<Symbol, u32>) -> Candidate {
        let name = text.strip_prefix("user/").unwrap_or(text);
        let is_defined = Symbol::known(name).is_some_and(|name| defined.contains_key(&name));
        let literal = || Atom::of_text(text).unwrap_or_else(|| Atom::Literal(text.into()));
        Candidate::of(if is_defined { Atom::Name(name.into()) } else { literal() }, defined)
    }
}

/// The full history: where each piece of text stands in it first.
struct FullHistory<'v, 'i> {
    view: &'v View<'v>,
    index: &'i mut AtomIndex,
    /// SYSTEM and the opening.
    first: Present,
    /// By piece, the number of the first turn after which the model was told it, and of the first whose answer has it.
    told: Vec<Option<u32>>,
    said: Vec<Option<u32>>,
    /// By message, the number of the first turn that has it.
    messages: Vec<Option<u32>>,
}

impl<'v, 'i> FullHistory<'v, 'i> {
    /// The history up to the view. The index reads the table.
    fn new(view: &'v View<'v>, index: &'i mut AtomIndex) -> FullHistory<'v, 'i> {
        let exchanges: Vec<&Exchange> = view.exchanges(0).map(|(_, exchange)| exchange).collect();
        let table = view.messages().table();
        index.read(&table);
        let mut first = Present::default();
        view.start_ids().for_each(|id| first.add(id, &table));
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
        drop(table);
        FullHistory { view, index, first, told, said, messages }
    }

    /// The need of a candidate that the answer of the turn at this index could only have from an earlier turn.
    fn needed(&mut self, index: usize, candidate: Candidate) -> Option<Need> {
        let atom = &candidate.atom;
        let is_name = matches!(atom, Atom::Name(_));
        if !is_name && self.first.shows(self.index.places(atom, &self.view.messages().table())) {
            return None;
        }
        // A number, or a text of several words, that nobody told the model is its own choice.
        let is_choice = matches!(atom, Atom::Number(_)) || atom.text().contains(' ');
        let need = self.need(index, candidate, EvidenceKind::Used);
        Some(need).filter(|need| need.turn.is_some() && !(need.is_own && is_choice))
    }

    fn need(&mut self, index: usize, candidate: Candidate, kind: EvidenceKind) -> Need {
        let Candidate { atom, defined } = candidate;
        let (turn, is_own) = match &atom {
            Atom::Name(_) => (defined, false),
            _ => {
                let (told, said) = self.first_turns(index, &atom);
                (told.or(said), told.is_none())
            }
        };
        Need { atom, kind, turn, is_own }
    }

    /// The first turns before the one at this index after which the model was told the atom, and whose answer says it.
    fn first_turns(&mut self, index: usize, atom: &Atom) -> (Option<u32>, Option<u32>) {
        let table = self.view.messages().table();
        let places = self.index.places(atom, &table);
        let first = |pieces: &[u32], turns: &[Option<u32>]| {
            pieces.iter().filter_map(|piece| turns.get(*piece as usize).copied().flatten()).min()
        };
        let in_messages = |wants_answers: bool| {
            let of_kind = places.messages().iter().filter(|id| is_answer(**id, &table) == wants_answers);
            of_kind.filter_map(|id| self.messages.get(id.index()).copied().flatten()).min()
        };
        let told = [first(places.pieces(false), &self.told), in_messages(false)];
        let said = [first(places.pieces(true), &self.said), in_messages(true)];
        [told, said]
            .map(|turns| turns.into_iter().flatten().min().filter(|turn| *turn as usize <= index))
            .into()
    }

    /// The word of an earlier turn, or the definition, that is most like a text.
    fn nearest(&self, index: usize, text: &str) -> Option<String> {
        let earlier = self.view.earlier(index);
        let replies = earlier.exchanges(0).flat_map(|(_, exchange)| &exchange.replies);
        let is_part = |c: char| c.is_alphanumeric() || "_-/.:".contains(c);
        let words = replies.flat_map(|message| message.content.split(move |c| !is_part(c)));
        let defined = earlier.memory.iter().map(|definition| definition.name.name());
        let words: BTreeSet<&str> = words.chain(defined).collect();
        nearest(text, words.into_iter()).map(str::to_owned)
    }
}

/// Finds which evidence the requests of a scenario show.
pub struct EvidenceFinder {
    index: AtomIndex,
}

impl EvidenceFinder {
    pub fn new(index: AtomIndex) -> EvidenceFinder {
        EvidenceFinder { index }
    }

    /// Measures which of the evidence for each turn its request shows.
    pub fn find(&mut self, needs: &Needs, table: &Table, requests: &Requests) -> Vec<Evidence> {
        self.index.read(table);
        let (mut present, mut turn) = (Present::default(), 0);
        requests.map(|request, _, replaced| {
            replaced.iter().for_each(|id| present.remove(*id, table));
            request.added.iter().for_each(|id| present.add(*id, table));
            turn += 1;
            needs.examine(turn - 1, |atom, _| present.shows(self.index.places(atom, table)))
        })
    }
}
