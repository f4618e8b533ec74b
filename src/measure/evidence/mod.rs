//! Measures evidence: what an answer relies on, and how much of that its request shows. The evidence that an answer
//! needs is found in the full history, without asking a model.

mod atoms;
mod definitions;
mod identifiers;
mod matching;

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fmt;

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::agent::{Message, Role, Turn, Turns};
use crate::compression::History;
use crate::measure::Requests;
use crate::messages::{MessageId, Table};
use crate::scenario::Scenario;
use ptc_lisp::hint::nearest;
use ptc_lisp::memory::Definition;
use ptc_lisp::symbol::Symbol;

use definitions::Definitions;
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
        self.gone > 0
    }

    /// True if all that is lost for good was in the model's own answers.
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
    pub fn of(scenario: &Scenario, turns: &Turns) -> Needs {
        let count = |_: &str| 0;
        let all = History::new(&scenario.agent, turns, &count);
        let all = all.after(turns.len());
        let first: Vec<&Message> = all.head().iter().chain([all.opening()]).collect();
        let exchanges = all.exchanges(0);
        let exchanges = exchanges.map(|(_, exchange)| (&exchange.assistant, exchange.replies.as_slice()));
        let mut needs = Needs {
            of_turns: Vec::with_capacity(turns.len()),
            opening: OpeningLines::of(first.iter().copied()),
            definitions: Definitions::of(turns),
            unproduced: Vec::new(),
            unlisted: 0,
        };
        let mut history = FullHistory {
            first,
            exchanges: exchanges.collect(),
            at_first: FxHashMap::default(),
            told: FxHashMap::default(),
        };
        let named = |definition: &'_ Definition| (definition.name, definition.turn);
        let mut defined: FxHashMap<Symbol, u32> = turns.memory_after(0).iter().map(named).collect();
        for (index, turn) in turns.iter().enumerate() {
            defined.extend(turns.memory_after(index).defined_last().map(named));
            needs.add(scenario, index, turn, &defined, &mut history);
        }
        needs
    }

    fn add(
        &mut self,
        scenario: &Scenario,
        index: usize,
        turn: &Turn,
        defined: &FxHashMap<Symbol, u32>,
        history: &mut FullHistory<'_>,
    ) {
        let atoms = match turn.recorded {
            Some(_) => atoms::of_recorded(turn),
            None => atoms::of_program(&turn.program, &|name| defined.contains_key(&name)),
        };
        let used = atoms.into_iter().filter_map(|atom| history.needed(index, atom, defined));
        let mut needs: Vec<Need> = used.collect();
        let mut known: FxHashSet<Atom> = needs.iter().map(|need| need.atom.clone()).collect();
        let listed = scenario.needs.get(index).map_or(&[][..], Vec::as_slice);
        for (entry, text) in listed.iter().enumerate() {
            let need = history.listed(index, text, defined);
            let is_produced = need.turn.is_some() || self.definitions.hold(&need.atom, index, |_| true);
            if !is_produced && self.unproduced.len() == LISTED {
                self.unlisted += 1;
            } else if !is_produced {
                let near = history.nearest(index, text, defined);
                self.unproduced.push(Unproduced { turn: turn.number, entry, text: text.clone(), near });
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

/// The full history. An atom is looked for once in each of its messages, however many turns ask for it.
struct FullHistory<'a> {
    /// The first request: SYSTEM and the opening.
    first: Vec<&'a Message>,
    /// The answer of each turn, and the messages to the model after it.
    exchanges: Vec<(&'a Message, &'a [Message])>,
    /// Atoms that were looked for in the first request, true for those found.
    at_first: FxHashMap<Atom, bool>,
    told: FxHashMap<Atom, Told>,
}

/// The first turns that have an atom.
#[derive(Clone, Copy, Default)]
struct Told {
    /// The number of turns that were searched.
    searched: usize,
    /// The first turn after which the model was told it.
    told: Option<u32>,
    /// The first turn whose answer says it.
    own: Option<u32>,
}

impl FullHistory<'_> {
    /// The need of an atom that the answer of the turn at this index could only have from an earlier turn.
    fn needed(&mut self, index: usize, atom: Atom, defined: &FxHashMap<Symbol, u32>) -> Option<Need> {
        if !matches!(atom, Atom::Name(_)) {
            let look = || {
                let sought = atom.sought();
                self.first.iter().any(|message| sought.is_shown(message, &OpeningLines::default()))
            };
            if *self.at_first.entry(atom.clone()).or_insert_with(look) {
                return None;
            }
        }
        // A number, or a text of several words, that nobody told the model is its own choice.
        let is_choice = matches!(atom, Atom::Number(_)) || atom.text().contains(' ');
        let need = self.need(index, atom, EvidenceKind::Used, defined);
        Some(need).filter(|need| need.turn.is_some() && !(need.is_own && is_choice))
    }

    /// The need of an entry of `needs:`.
    fn listed(&mut self, index: usize, text: &str, defined: &FxHashMap<Symbol, u32>) -> Need {
        let name = text.strip_prefix("user/").unwrap_or(text);
        let is_defined = Symbol::known(name).is_some_and(|name| defined.contains_key(&name));
        let literal = || Atom::of_text(text).unwrap_or_else(|| Atom::Literal(text.into()));
        let atom = if is_defined { Atom::Name(name.into()) } else { literal() };
        self.need(index, atom, EvidenceKind::Listed, defined)
    }

    fn need(
        &mut self,
        index: usize,
        atom: Atom,
        kind: EvidenceKind,
        defined: &FxHashMap<Symbol, u32>,
    ) -> Need {
        let (turn, is_own) = match &atom {
            Atom::Name(name) => (defined.get(&Symbol::new(name)).copied(), false),
            _ => {
                let Told { told, own, .. } = self.told(index, &atom);
                (told.or(own), told.is_none())
            }
        };
        Need { atom, kind, turn, is_own }
    }

    /// The first turns before the one at this index that have the atom. The index is never below an earlier one.
    fn told(&mut self, index: usize, atom: &Atom) -> Told {
        let known = self.told.entry(atom.clone()).or_default();
        let sought = LazyCell::new(|| atom.sought());
        let shows = |message: &Message| sought.is_shown(message, &OpeningLines::default());
        while known.searched < index && known.told.is_none() {
            let Some((answer, replies)) = self.exchanges.get(known.searched) else { break };
            known.searched += 1;
            let number = known.searched as u32;
            known.told = replies.iter().any(shows).then_some(number);
            known.own = known.own.or_else(|| shows(answer).then_some(number));
        }
        *known
    }

    /// The word of an earlier turn, or the definition, that is most like a text.
    fn nearest(&self, index: usize, text: &str, defined: &FxHashMap<Symbol, u32>) -> Option<String> {
        let replies = self.exchanges.iter().take(index).flat_map(|(_, replies)| replies.iter());
        let is_part = |c: char| c.is_alphanumeric() || "_-/.:".contains(c);
        let words = replies.flat_map(|message| message.content.split(move |c| !is_part(c)));
        let words: BTreeSet<&str> = words.chain(defined.keys().map(|name| name.name())).collect();
        nearest(text, words.into_iter()).map(str::to_owned)
    }
}

/// Looks for atoms in the messages of a scenario, for each atom once in each piece of text.
#[derive(Default)]
pub struct EvidenceFinder {
    columns: FxHashMap<Atom, Column>,
}

/// Where one atom stands.
struct Column {
    sought: Sought,
    messages: Answers,
    /// Pieces of messages of the assistant, and of others, in which names of the opening do not count.
    pieces: [Answers; 2],
}

/// Messages or pieces that are known to show one atom or not: two bits each, since a long run has thousands of both.
#[derive(Default)]
struct Answers {
    bits: Vec<u64>,
}

const UNKNOWN: u64 = 0;
const SHOWN: u64 = 1;
const NOT_SHOWN: u64 = 2;

impl EvidenceFinder {
    /// Measures which of the evidence for each turn its request shows.
    pub fn find(&mut self, needs: &Needs, table: &Table, requests: &Requests) -> Vec<Evidence> {
        let mut index = 0;
        requests.map(|_, messages, _| {
            index += 1;
            needs.examine(index - 1, |atom, opening| {
                if !self.columns.contains_key(atom) {
                    self.columns.insert(atom.clone(), Column::new(atom));
                }
                let Some(column) = self.columns.get_mut(atom) else { return false };
                messages.iter().any(|message| column.is_shown(*message, table, opening))
            })
        })
    }
}

impl Column {
    fn new(atom: &Atom) -> Column {
        Column { sought: atom.sought(), messages: Answers::default(), pieces: Default::default() }
    }

    /// Returns true if a message shows the atom.
    fn is_shown(&mut self, id: MessageId, table: &Table, opening: &OpeningLines) -> bool {
        let Column { sought, messages, pieces } = self;
        messages.get_or_find(id.index(), || {
            let row = table.row(id);
            // Pieces are whole lines, so an atom of one line cannot span them.
            if sought.has_lines() {
                return sought.is_shown(&table.message(id), opening);
            }
            let is_answer = row.role == Role::Assistant;
            let known = &mut pieces[usize::from(is_answer)];
            let mut numbers = table.pieces(id);
            let stands_in = |piece: &str| {
                if is_answer { sought.stands_in(piece) } else { sought.is_told(piece, opening) }
            };
            numbers.any(|piece| known.get_or_find(piece as usize, || stands_in(table.piece(piece))))
                || row.native.as_ref().is_some_and(|native| sought.is_called(native.calls()))
        })
    }
}

impl Answers {
    fn get_or_find(&mut self, number: usize, look: impl FnOnce() -> bool) -> bool {
        let (word, shift) = (number / 32, number % 32 * 2);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let Some(bits) = self.bits.get_mut(word) else { return look() };
        if *bits >> shift & 3 == UNKNOWN {
            *bits |= if look() { SHOWN } else { NOT_SHOWN } << shift;
        }
        *bits >> shift & 3 == SHOWN
    }
}
