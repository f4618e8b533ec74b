//! Compares whole requests of two runs of a scenario as bags of lines. Lines left on the old side no longer reach the
//! model, and lines left on the new side are new, so no sign can be wrong.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::agent::{Message, Role};
use crate::report::record::ScenarioRecord;
use crate::report::texts::MessageRecord;
use crate::snapshot::differences::differing_numbers;
use crate::snapshot::requests::ReadRequest;

/// The interned messages and lines of all compared sides.
#[derive(Default)]
pub struct Texts {
    messages: IndexSet<(Role, String), FxBuildHasher>,
    lines: IndexSet<Box<str>, FxBuildHasher>,
    /// Line numbers by message number.
    of_message: FxHashMap<u32, Rc<[u32]>>,
}

/// The requests of one run of a scenario.
#[derive(Clone)]
pub struct Side {
    /// The answer to each request.
    pub answers: Vec<String>,
    /// The messages of each request, by strategy.
    pub strategies: Vec<(String, Vec<Vec<u32>>)>,
}

/// A changed request.
#[derive(Clone)]
pub struct RequestDifference {
    /// Index of the strategy in [`names_of`].
    pub strategy: usize,
    /// The turn of the request on each side, from 1; `None` if the side has no such request.
    pub turns: [Option<u32>; 2],
    /// The numbers of the removed and of the added lines. Both are empty if only the order changed, or if one side has
    /// no such request.
    pub lines: [Rc<[u32]>; 2],
}

/// A changed line: the strategy, its side (0 old, 1 new), and a hash of its text. For a whole request the hash is 0 if one
/// side lacks it, and 1 if its lines are in another order.
pub type Element = (usize, usize, u64);

impl Texts {
    fn message(&mut self, role: Role, text: String) -> u32 {
        self.messages.insert_full((role, text)).0 as u32
    }

    /// The numbers of the lines of a message, except blank ones.
    fn lines_of(&mut self, message: u32) -> Rc<[u32]> {
        if let Some(lines) = self.of_message.get(&message) {
            return lines.clone();
        }
        let mut numbers = Vec::new();
        if let Some((_, text)) = self.messages.get_index(message as usize) {
            for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
                numbers.push(self.lines.insert_full(line.into()).0 as u32);
            }
        }
        let lines: Rc<[u32]> = numbers.into();
        self.of_message.insert(message, lines.clone());
        lines
    }

    /// The text of a line.
    pub fn line_text(&self, number: u32) -> &str {
        self.lines.get_index(number as usize).map_or("", |line| line)
    }

    /// The role and the text of a message.
    pub fn text(&self, message: u32) -> Option<(Role, &str)> {
        self.messages.get_index(message as usize).map(|(role, text)| (*role, text.as_str()))
    }

    /// The requests of a golden file, except one without an answer.
    pub fn read(&mut self, requests: &[ReadRequest]) -> Vec<Vec<u32>> {
        let answered = requests.iter().filter(|request| request.is_answered);
        answered
            .map(|request| request.messages.iter().map(|message| self.read_message(message)).collect())
            .collect()
    }

    fn read_message(&mut self, message: &Message) -> u32 {
        let mut text = message.content.to_string();
        for call in message.calls() {
            text.push_str(&format!("\n{} {}", call.name, call.arguments));
        }
        self.message(message.role, text)
    }

    /// The requests of a record. `system` is the SYSTEM text.
    pub fn side_of(&mut self, record: &ScenarioRecord, system: &str) -> Side {
        let pieces: Vec<&str> = record.texts.pieces.iter().collect();
        let mut numbers = Vec::with_capacity(record.texts.messages.len());
        for message in &record.texts.messages {
            numbers.push(self.message(message.role, text_of(message, &pieces, system)));
        }
        let mut strategies = Vec::new();
        for run in &record.strategies {
            let (mut requests, mut last) = (Vec::new(), Vec::new());
            for request in &run.requests {
                request.messages.extend(&mut last);
                requests.push(last.iter().filter_map(|at| numbers.get(*at as usize).copied()).collect());
            }
            strategies.push((run.name.to_string(), requests));
        }
        let answers = record.turns.iter().map(|turn| turn.raw_response.to_string()).collect();
        Side { answers, strategies }
    }
}

fn text_of(message: &MessageRecord, pieces: &[&str], system: &str) -> String {
    let mut text = match &message.runs {
        None => system.to_owned(),
        Some(runs) => runs.numbers().filter_map(|piece| pieces.get(piece as usize).copied()).collect(),
    };
    for call in &message.tool_calls {
        text.push_str(&format!("\n{} {}", call.name, call.arguments));
    }
    text
}

/// The strategies of both sides, those of the old side first.
pub fn names_of(old: &Side, new: &Side) -> Vec<String> {
    let mut names: Vec<String> = old.strategies.iter().map(|(name, _)| name.clone()).collect();
    for (name, _) in &new.strategies {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The requests that differ, for strategies with these names.
pub fn compare(texts: &mut Texts, names: &[String], old: &Side, new: &Side) -> Vec<RequestDifference> {
    let turns = paired(&old.answers, &new.answers);
    let mut known = FxHashMap::default();
    let mut found = Vec::new();
    for (strategy, name) in names.iter().enumerate() {
        let [before, after] = [old, new].map(|side| side.requests_of(name));
        for (left, right) in &turns {
            let (p, q) = (left.and_then(|at| before.get(at)), right.and_then(|at| after.get(at)));
            if p.is_none() && q.is_none() || p == q {
                continue;
            }
            let (Some(p), Some(q)) = (p, q) else {
                let nothing: Rc<[u32]> = Rc::default();
                let turns = [left.filter(|_| p.is_some()), right.filter(|_| q.is_some())];
                let turns = turns.map(|at| Some(at? as u32 + 1));
                found.push(RequestDifference { strategy, turns, lines: [nothing.clone(), nothing] });
                continue;
            };
            let rest = without_shared(p, q);
            let lines = match known.get(&rest) {
                Some(lines) => <[Rc<[u32]>; 2]>::clone(lines),
                None => {
                    let lines = [&rest.0, &rest.1].map(|messages| {
                        messages.iter().flat_map(|id| texts.lines_of(*id).to_vec()).collect::<Vec<u32>>()
                    });
                    let (removed, added) = without_shared(&lines[0], &lines[1]);
                    let lines: [Rc<[u32]>; 2] = [removed.into(), added.into()];
                    known.insert(rest, lines.clone());
                    lines
                }
            };
            let turns = [left, right].map(|at| at.map(|at| at as u32 + 1));
            found.push(RequestDifference { strategy, turns, lines });
        }
    }
    found
}

impl Side {
    /// The messages of each request of a strategy; empty if the side lacks the strategy.
    pub fn requests_of(&self, name: &str) -> &[Vec<u32>] {
        let strategy = self.strategies.iter().find(|(known, _)| known == name);
        strategy.map_or(&[], |(_, requests)| requests)
    }
}

impl RequestDifference {
    /// The changes, by exact lines.
    pub fn elements<'e>(&'e self, texts: &'e Texts) -> impl Iterator<Item = Element> + 'e {
        let of_lines = (0..2).flat_map(move |side| {
            let lines = self.lines[side].iter();
            lines.map(move |line| (self.strategy, side, xxh3_64(texts.line_text(*line).as_bytes())))
        });
        of_lines.chain(self.whole())
    }

    /// The changes, by lines with all numbers treated as equal.
    pub fn abstract_elements<'e>(&'e self, texts: &'e Texts) -> impl Iterator<Item = Element> + 'e {
        let of_lines = (0..2).flat_map(move |side| {
            let lines = self.lines[side].iter();
            lines.map(move |line| (self.strategy, side, hash_without_numbers(texts.line_text(*line))))
        });
        of_lines.chain(self.whole())
    }

    /// The request itself, if only one side has it or if its lines are in another order.
    fn whole(&self) -> Option<Element> {
        match self.turns {
            [None, _] => Some((self.strategy, 1, 0)),
            [_, None] => Some((self.strategy, 0, 0)),
            _ if self.lines.iter().all(|lines| lines.is_empty()) => Some((self.strategy, 0, 1)),
            _ => None,
        }
    }

    /// This difference, restricted to the given elements; `None` if nothing is left.
    pub fn only(&self, texts: &Texts, elements: &FxHashSet<Element>) -> Option<RequestDifference> {
        let lines: [Rc<[u32]>; 2] = [0, 1].map(|side| {
            let kept = self.lines[side].iter().filter(|line| {
                let text = texts.line_text(**line);
                let [exact, rough] = [xxh3_64(text.as_bytes()), hash_without_numbers(text)];
                [exact, rough].iter().any(|hash| elements.contains(&(self.strategy, side, *hash)))
            });
            kept.copied().collect()
        });
        let is_whole = self.whole().is_some_and(|element| elements.contains(&element));
        let is_left = is_whole || lines.iter().any(|lines| !lines.is_empty());
        is_left.then(|| RequestDifference { lines, ..self.clone() })
    }
}

/// A hash of a line, with all numbers treated as equal.
pub fn hash_without_numbers(line: &str) -> u64 {
    xxh3_64(without_numbers(line).as_bytes())
}

/// A line with each number replaced by 0.
pub fn without_numbers(line: &str) -> String {
    let (mut out, mut is_number) = (String::with_capacity(line.len()), false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let goes_on = is_number && matches!(c, '.' | ',') && rest.peek().is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() || goes_on {
            if !is_number {
                out.push('0');
            }
            is_number = true;
        } else {
            out.push(c);
            is_number = false;
        }
    }
    out
}

/// Multiset difference: the unmatched items of each list, in order.
fn without_shared(old: &[u32], new: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let mut counts: FxHashMap<u32, i64> = FxHashMap::default();
    old.iter().for_each(|item| *counts.entry(*item).or_default() += 1);
    new.iter().for_each(|item| *counts.entry(*item).or_default() -= 1);
    (take_unmatched(old, &mut counts, 1), take_unmatched(new, &mut counts, -1))
}

/// The items with a count of this sign left. Of equal items the last ones stay unmatched, since text grows at its end.
fn take_unmatched(items: &[u32], counts: &mut FxHashMap<u32, i64>, sign: i64) -> Vec<u32> {
    let mut left = Vec::new();
    for item in items.iter().rev() {
        if let Some(count) = counts.get_mut(item).filter(|count| **count * sign > 0) {
            *count -= sign;
            left.push(*item);
        }
    }
    left.reverse();
    left
}

/// Pairs the indexes of turns with equal answers. Turns between such pairs are paired in order.
fn paired(old: &[String], new: &[String]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let [old, new]: [Vec<u32>; 2] = [old, new].map(|answers| {
        let mut numbered = Vec::with_capacity(answers.len());
        for answer in answers {
            let next = numbers.len() as u32;
            numbered.push(*numbers.entry(answer).or_insert(next));
        }
        numbered
    });
    let (mut pairs, mut at) = (Vec::new(), [0, 0]);
    let end = (old.len()..old.len(), new.len()..new.len());
    for (removed, added) in differing_numbers(&old, &new).into_iter().chain([end]) {
        pairs.extend((at[0]..removed.start).zip(at[1]..added.start).map(|(p, q)| (Some(p), Some(q))));
        for next in 0..removed.len().max(added.len()) {
            let [p, q] =
                [&removed, &added].map(|range| Some(range.start + next).filter(|at| *at < range.end));
            pairs.push((p, q));
        }
        at = [removed.end, added.end];
    }
    pairs
}
