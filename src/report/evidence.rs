//! Measures evidence: how much of the text that an answer relies on its request shows. The evidence that an
//! answer needs is found in the full history, without asking a model.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::atoms::{Atom, atoms, recorded_atoms};
use crate::agent::{Message, Turn, Turns};
use crate::compression::History;
use crate::scenario::Scenario;
use ptc_lisp::memory::Definition;

/// The evidence for one answer in its request.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Evidence {
    pub needed: u32,
    pub shown: u32,
    /// Evidence that the request does not show, in the order of the program, then of `needs:`.
    pub lost: Vec<EvidenceItem>,
}

/// A text that an answer relies on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct EvidenceItem {
    #[schemars(with = "String")]
    pub what: EcoString,
    pub kind: EvidenceKind,
    /// The turn that produced it, if one did.
    pub turn: Option<u32>,
}

/// The source that says that an answer relies on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// The program uses it.
    Used,
    /// The response's `needs:` lists it; it does not count towards the share.
    Listed,
}

impl Evidence {
    /// True if the request lacks something that the answer uses.
    pub fn is_short(&self) -> bool {
        self.shown < self.needed
    }

    /// The share that is shown, from 0 to 1; it is 1 for an answer that needs nothing.
    pub fn share(&self) -> f64 {
        match self.needed {
            0 => 1.0,
            needed => f64::from(self.shown) / f64::from(needed),
        }
    }
}

/// The evidence that the answer of each turn needs.
pub fn needed_evidence(scenario: &Scenario, turns: &Turns) -> Vec<Vec<EvidenceItem>> {
    let count = |_: &str| 0;
    let all = History::new(&scenario.agent, turns, &count);
    let all = all.after(turns.len());
    let first: Vec<&Message> = all.head().iter().chain([all.opening()]).collect();
    let replies: Vec<&[Message]> =
        all.exchanges(0).map(|(_, exchange)| exchange.replies.as_slice()).collect();
    let named = |definition: &'_ Definition| (definition.name.name().to_owned(), definition.turn);
    let mut defined: FxHashMap<String, u32> = turns.memory_after(0).iter().map(named).collect();
    let mut history = FullHistory {
        first: &first,
        replies: &replies,
        at_first: FxHashMap::default(),
        told: FxHashMap::default(),
    };
    let needed = |(index, turn): (usize, &Turn)| {
        defined.extend(turns.memory_after(index).defined_last().map(named));
        let atoms = if turn.recorded.is_some() { recorded_atoms(turn) } else { atoms(&turn.program) };
        let used: Vec<_> = atoms.iter().filter_map(|atom| history.needed(index, atom, &defined)).collect();
        let listed = listed(scenario, index).iter().map(|need| history.listed(index, need));
        used.into_iter().chain(listed).collect()
    };
    turns.iter().enumerate().map(needed).collect()
}

/// The full history. A text is looked for once in each of its messages, however many turns ask for it.
struct FullHistory<'a> {
    /// The first request: SYSTEM and the opening.
    first: &'a [&'a Message],
    /// Messages to the model after each turn.
    replies: &'a [&'a [Message]],
    /// Texts that were looked for in the first request, true for those found.
    at_first: FxHashMap<EcoString, bool>,
    /// The number of turns in whose replies a text has been looked for, and the first one that has it.
    told: FxHashMap<EcoString, (usize, Option<u32>)>,
}

impl FullHistory<'_> {
    /// The atom, if the answer of the turn at this index could only have it from an earlier turn.
    fn needed(
        &mut self,
        index: usize,
        atom: &Atom,
        defined: &FxHashMap<String, u32>,
    ) -> Option<EvidenceItem> {
        let text = atom.text();
        let definition = match atom {
            Atom::Name(name) => Some(*defined.get(name.as_str())?),
            Atom::Literal(_) | Atom::Tool(_) => None,
        };
        let turn = definition.or_else(|| self.told(index, text))?;
        let look = || self.first.iter().any(|message| shows(message, text));
        let at_first = *self.at_first.entry(text.clone()).or_insert_with(look);
        (!at_first).then(|| EvidenceItem { what: text.clone(), kind: EvidenceKind::Used, turn: Some(turn) })
    }

    fn listed(&mut self, index: usize, need: &str) -> EvidenceItem {
        let need = EcoString::from(need);
        EvidenceItem { turn: self.told(index, &need), what: need, kind: EvidenceKind::Listed }
    }

    /// The first turn before the one at this index whose replies have the text.
    fn told(&mut self, index: usize, text: &EcoString) -> Option<u32> {
        let (searched, first) = self.told.entry(text.clone()).or_default();
        if first.is_none() {
            let new = self.replies.get(*searched..index).unwrap_or_default();
            let after = new.iter().position(|told| told.iter().any(|message| shows(message, text)));
            *first = after.map(|after| (*searched + after) as u32 + 1);
            *searched = index.max(*searched);
        }
        *first
    }
}

fn listed(scenario: &Scenario, index: usize) -> &[String] {
    scenario.needs.get(index).map(Vec::as_slice).unwrap_or_default()
}

/// Measures which of the needed evidence is shown.
pub fn examine(needed: &[EvidenceItem], mut shows: impl FnMut(&EcoString) -> bool) -> Evidence {
    let mut evidence = Evidence::default();
    for item in needed {
        let shown = shows(&item.what);
        if item.kind == EvidenceKind::Used {
            evidence.needed += 1;
            evidence.shown += u32::from(shown);
        }
        if !shown {
            evidence.lost.push(item.clone());
        }
    }
    evidence
}

/// Returns true if the content or a call of a message shows an atom.
fn shows(message: &Message, atom: &str) -> bool {
    stands_in(atom, &message.content)
        || message.calls().iter().any(|call| stands_in(atom, &call.arguments) || *call.name == *atom)
}

/// Returns true if a text contains an atom that no letter, digit, `-` or `_` touches.
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

/// Looks for evidence in the messages of a scenario, for each text once in each distinct message.
#[derive(Default)]
pub struct EvidenceFinder {
    answers: FxHashMap<EcoString, Answers>,
}

/// Answers that are known for one text: two bits a message, since a long run has thousands of both.
#[derive(Default)]
struct Answers {
    bits: Vec<u64>,
}

const UNKNOWN: u64 = 0;
const SHOWN: u64 = 1;
const NOT_SHOWN: u64 = 2;

impl EvidenceFinder {
    /// Measures which of the needed evidence a request shows. The numbers are those of its messages.
    pub fn examine(&mut self, numbers: &[u32], messages: &[Message], needed: &[EvidenceItem]) -> Evidence {
        examine(needed, |atom| {
            let answers = self.answers.entry(atom.clone()).or_default();
            let mut messages = numbers.iter().zip(messages);
            messages.any(|(&number, message)| answers.get_or_find(number, || shows(message, atom)))
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
