//! Could the next answer have been written from what a request shows? What each answer needed is found in
//! the full history; whether a request shows it is a question of its texts alone. No model is asked.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::atoms::{Atom, atoms};
use crate::agent::{Message, Transcript, Turn};
use crate::compression::History;
use crate::scenario::Scenario;
use ptc_lisp::memory::Definition;

/// How much of what an answer needed a request shows.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Evidence {
    pub needed: u32,
    pub shown: u32,
    /// What it does not show, in the order of the program, then of `needs:`.
    pub lost: Vec<Lost>,
}

/// Something that an answer rests on and a request does not show.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Lost {
    #[schemars(with = "String")]
    pub what: EcoString,
    pub kind: Kind,
    /// The turn that had produced it; none where no turn had.
    pub turn: Option<u32>,
}

/// Who says that an answer rests on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The program uses it.
    Used,
    /// The response's `needs:` lists it; it does not count towards the share.
    Listed,
}

/// What one answer rests on.
pub type Demand = Vec<Lost>;

impl Evidence {
    /// The share that is shown, from 0 to 1; an answer that needs nothing has all it needs.
    pub fn share(&self) -> f64 {
        match self.needed {
            0 => 1.0,
            needed => f64::from(self.shown) / f64::from(needed),
        }
    }
}

/// What the answer of each turn rests on.
pub fn demands(scenario: &Scenario, transcript: &Transcript) -> Vec<Demand> {
    let turns = transcript.turns();
    let count = |_: &str| 0;
    let history = History::new(&scenario.agent, transcript, &count);
    let all = history.after(turns.len());
    let first = [all.system().clone(), all.opening().clone()];
    let feedback: Vec<&Message> = all.exchanges(0).map(|(_, exchange)| &exchange.feedback).collect();
    let named = |definition: &'_ Definition| (definition.name.name().to_owned(), definition.turn);
    let mut defined: FxHashMap<String, u32> = transcript.memory_after(0).iter().map(named).collect();
    let mut past = Past {
        first: &first,
        feedback: &feedback,
        at_first: FxHashMap::default(),
        told: FxHashMap::default(),
    };
    let needed = |(index, turn): (usize, &Turn)| {
        defined.extend(transcript.memory_after(index).defined_last().map(named));
        let atoms = atoms(&turn.program);
        let used: Demand = atoms.iter().filter_map(|atom| past.demand(index, atom, &defined)).collect();
        let listed = listed(scenario, index).iter().map(|need| past.listed(index, need));
        used.into_iter().chain(listed).collect()
    };
    turns.iter().enumerate().map(needed).collect()
}

/// The full history. A text is looked for once in each of its messages, however many turns ask for it.
struct Past<'a> {
    /// The first request: SYSTEM and the opening.
    first: &'a [Message],
    /// What the model was told after each turn.
    feedback: &'a [&'a Message],
    /// Whether a text stands in the first request.
    at_first: FxHashMap<EcoString, bool>,
    /// After how many turns a text has been looked for, and after which the model was told it first.
    told: FxHashMap<EcoString, (usize, Option<u32>)>,
}

impl Past<'_> {
    /// The atom, if the answer of the turn at this index could only have it from an earlier turn.
    fn demand(&mut self, index: usize, atom: &Atom, defined: &FxHashMap<String, u32>) -> Option<Lost> {
        let text = atom.text();
        let definition = match atom {
            Atom::Name(name) => Some(*defined.get(name.as_str())?),
            Atom::Literal(_) | Atom::Tool(_) => None,
        };
        let turn = definition.or_else(|| self.told(index, text))?;
        let look = || self.first.iter().any(|message| stands_in(text, &message.content));
        let at_first = *self.at_first.entry(text.clone()).or_insert_with(look);
        (!at_first).then(|| Lost { what: text.clone(), kind: Kind::Used, turn: Some(turn) })
    }

    fn listed(&mut self, index: usize, need: &str) -> Lost {
        let need = EcoString::from(need);
        Lost { turn: self.told(index, &need), what: need, kind: Kind::Listed }
    }

    /// The first turn before the one at this index after which the model was told this.
    fn told(&mut self, index: usize, text: &EcoString) -> Option<u32> {
        let (searched, first) = self.told.entry(text.clone()).or_default();
        if first.is_none() {
            let new = self.feedback.get(*searched..index).unwrap_or_default();
            let after = new.iter().position(|message| stands_in(text, &message.content));
            *first = after.map(|after| (*searched + after) as u32 + 1);
            *searched = index.max(*searched);
        }
        *first
    }
}

fn listed(scenario: &Scenario, index: usize) -> &[String] {
    scenario.needs.get(index).map(Vec::as_slice).unwrap_or_default()
}

/// What is shown of what an answer rests on.
pub fn examine(demand: &Demand, mut shows: impl FnMut(&EcoString) -> bool) -> Evidence {
    let mut evidence = Evidence::default();
    for item in demand {
        let shown = shows(&item.what);
        if item.kind == Kind::Used {
            evidence.needed += 1;
            evidence.shown += u32::from(shown);
        }
        if !shown {
            evidence.lost.push(item.clone());
        }
    }
    evidence
}

/// Whether an atom stands in a text: no letter, digit, `-` or `_` touches it.
pub fn stands_in(atom: &str, text: &str) -> bool {
    let Some(first) = atom.chars().next() else { return true };
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(atom)) {
        let start = from + found;
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let after = text.get(start + atom.len()..).and_then(|tail| tail.chars().next());
        if !before.is_some_and(touches) && !after.is_some_and(touches) {
            return true;
        }
        from = start + first.len_utf8();
    }
    false
}

fn touches(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_')
}

/// Looks for atoms in the messages of a scenario, for each atom once in each distinct message.
#[derive(Default)]
pub struct Witness {
    answers: FxHashMap<EcoString, Answers>,
}

/// Whether each message shows an atom, as far as anybody asked: two bits a message, since a long run has
/// thousands of messages and of atoms.
#[derive(Default)]
struct Answers {
    bits: Vec<u64>,
}

const UNKNOWN: u64 = 0;
const SHOWN: u64 = 1;
const NOT_SHOWN: u64 = 2;

impl Witness {
    /// What a request of these messages, which have these numbers, shows of what an answer rests on.
    pub fn examine(&mut self, numbers: &[u32], messages: &[Message], demand: &Demand) -> Evidence {
        examine(demand, |atom| {
            let answers = self.answers.entry(atom.clone()).or_default();
            let mut messages = numbers.iter().zip(messages);
            messages
                .any(|(&number, message)| answers.get_or_find(number, || stands_in(atom, &message.content)))
        })
    }
}

impl Answers {
    fn get_or_find(&mut self, message: u32, look: impl Fn() -> bool) -> bool {
        let (word, shift) = (message as usize / 32, message % 32 * 2);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atom_stands_where_nothing_touches_it() {
        let cases = [
            ("4.5", "Laptop: 4.5/5.", true),
            ("4.5", "14.5", false),
            ("4.5", "14.5 and 4.5", true),
            ("12", "2012-12-31", false),
            ("Mouse", "\"Mouse\"", true),
            ("Mouse", "Mouse_2", false),
            ("electronics", "#'electronics\n", true),
            (":price", "{:price 12}", true),
            (":price", "x:price", false),
            ("aa", "aaa", false),
            ("Stück", "3 Stück", true),
            ("Stück", "Stücké", false),
        ];
        for (atom, text, expected) in cases {
            assert_eq!(stands_in(atom, text), expected, "{atom} in {text}");
        }
    }
}
