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
    fn intern_message(&mut self, role: Role, text: String) -> u32 {
        self.messages.insert_full((role, text)).0 as u32
    }

    /// The numbers of the lines of a message, except blank ones.
    fn lines_of(&mut self, message: u32) -> Rc<[u32]> {
        if let Some(lines) = self.of_message.get(&message) {
            return lines.clone();
        }
        let mut numbers = Vec::new();
        if let Some((_, text)) = self.messages.get_index(message as usize) {
            for line in text.split('\n') {
                if !line.trim().is_empty() {
                    numbers.push(self.lines.insert_full(line.into()).0 as u32);
                }
            }
        }
        let lines: Rc<[u32]> = numbers.into();
        self.of_message.insert(message, lines.clone());
        lines
    }

    /// The numbers of the lines of all these messages.
    fn all_lines(&mut self, messages: &[u32]) -> Vec<u32> {
        let mut lines = Vec::new();
        for message in messages {
            lines.extend_from_slice(&self.lines_of(*message));
        }
        lines
    }

    /// The text of a line.
    pub fn line_text(&self, number: u32) -> &str {
        self.lines.get_index(number as usize).map_or("", Box::as_ref)
    }

    /// The role and the text of a message.
    pub fn text(&self, message: u32) -> Option<(Role, &str)> {
        let (role, text) = self.messages.get_index(message as usize)?;
        Some((*role, text))
    }

    /// The requests of a golden file, except one without an answer.
    pub fn read_requests(&mut self, requests: &[ReadRequest]) -> Vec<Vec<u32>> {
        let mut all = Vec::with_capacity(requests.len());
        for request in requests {
            if request.is_answered {
                all.push(request.messages.iter().map(|message| self.read_message(message)).collect());
            }
        }
        all
    }

    fn read_message(&mut self, message: &Message) -> u32 {
        let mut text = message.content.to_string();
        for call in message.calls() {
            text.push_str(&format!("\n{} {}", call.name, call.arguments));
        }
        self.intern_message(message.role, text)
    }

    /// The requests of a record. `system` is the SYSTEM text.
    pub fn side_of(&mut self, record: &ScenarioRecord, system: &str) -> Side {
        let pieces: Vec<&str> = record.texts.pieces.iter().collect();
        let mut numbers = Vec::with_capacity(record.texts.messages.len());
        for message in &record.texts.messages {
            numbers.push(self.intern_message(message.role, text_of(message, &pieces, system)));
        }
        let mut strategies = Vec::new();
        for run in &record.strategies {
            let (mut requests, mut last) = (Vec::new(), Vec::new());
            for request in &run.requests {
                request.messages.extend(&mut last);
                let mut messages = Vec::with_capacity(last.len());
                for at in &last {
                    messages.extend(numbers.get(*at as usize).copied());
                }
                requests.push(messages);
            }
            strategies.push((run.name.to_string(), requests));
        }
        let answers = record.turns.iter().map(|turn| turn.raw_response.to_string()).collect();
        Side { answers, strategies }
    }
}

fn text_of(message: &MessageRecord, pieces: &[&str], system: &str) -> String {
    let mut text = String::new();
    match &message.runs {
        None => text.push_str(system),
        Some(runs) => {
            for piece in runs.numbers() {
                text.push_str(pieces.get(piece as usize).copied().unwrap_or_default());
            }
        }
    }
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
    let turns = pair_turns(&old.answers, &new.answers);
    let mut known = FxHashMap::default();
    let mut found = Vec::new();
    for (strategy, name) in names.iter().enumerate() {
        let (before, after) = (old.requests_of(name), new.requests_of(name));
        for (left, right) in &turns {
            let (p, q) = (request_at(before, *left), request_at(after, *right));
            let turns = [p, q].map(|request| Some(request?.0));
            let (p, q) = match (p, q) {
                (None, None) => continue,
                (Some((_, p)), Some((_, q))) if p == q => continue,
                (Some((_, p)), Some((_, q))) => (p, q),
                _ => {
                    found.push(RequestDifference { strategy, turns, lines: Default::default() });
                    continue;
                }
            };
            let rest = without_shared(p, q);
            let lines = match known.get(&rest) {
                Some(lines) => <[Rc<[u32]>; 2]>::clone(lines),
                None => {
                    let (before, after) = (texts.all_lines(&rest.0), texts.all_lines(&rest.1));
                    let (removed, added) = without_shared(&before, &after);
                    let lines: [Rc<[u32]>; 2] = [removed.into(), added.into()];
                    known.insert(rest, lines.clone());
                    lines
                }
            };
            found.push(RequestDifference { strategy, turns, lines });
        }
    }
    found
}

/// The request at this index with its turn, from 1.
fn request_at(requests: &[Vec<u32>], index: Option<usize>) -> Option<(u32, &Vec<u32>)> {
    let index = index?;
    Some((index as u32 + 1, requests.get(index)?))
}

impl Side {
    /// The messages of each request of a strategy; empty if the side lacks the strategy.
    pub fn requests_of(&self, name: &str) -> &[Vec<u32>] {
        match self.strategies.iter().find(|(known, _)| known == name) {
            Some((_, requests)) => requests,
            None => &[],
        }
    }
}

impl RequestDifference {
    /// The changes, by exact lines.
    pub fn exact_elements(&self, texts: &Texts) -> Vec<Element> {
        self.hash_lines(texts, |line| xxh3_64(line.as_bytes()))
    }

    /// The changes, by lines with all numbers treated as equal.
    pub fn abstract_elements(&self, texts: &Texts) -> Vec<Element> {
        self.hash_lines(texts, hash_without_numbers)
    }

    fn hash_lines(&self, texts: &Texts, hash: fn(&str) -> u64) -> Vec<Element> {
        let mut elements = Vec::new();
        for (side, lines) in self.lines.iter().enumerate() {
            for line in lines.iter() {
                elements.push((self.strategy, side, hash(texts.line_text(*line))));
            }
        }
        elements.extend(self.whole_element());
        elements
    }

    /// The request itself, if only one side has it or if its lines are in another order.
    fn whole_element(&self) -> Option<Element> {
        match self.turns {
            [None, _] => Some((self.strategy, 1, 0)),
            [_, None] => Some((self.strategy, 0, 0)),
            _ if has_no_lines(&self.lines) => Some((self.strategy, 0, 1)),
            _ => None,
        }
    }

    /// This difference, restricted to the given elements; `None` if nothing is left.
    pub fn restrict(&self, texts: &Texts, elements: &FxHashSet<Element>) -> Option<RequestDifference> {
        let mut kept = [Vec::new(), Vec::new()];
        for (side, kept) in kept.iter_mut().enumerate() {
            for line in self.lines[side].iter() {
                let text = texts.line_text(*line);
                if elements.contains(&(self.strategy, side, xxh3_64(text.as_bytes())))
                    || elements.contains(&(self.strategy, side, hash_without_numbers(text)))
                {
                    kept.push(*line);
                }
            }
        }
        let lines: [Rc<[u32]>; 2] = kept.map(Rc::from);
        let has_whole = match self.whole_element() {
            Some(whole) => elements.contains(&whole),
            None => false,
        };
        if !has_whole && has_no_lines(&lines) {
            return None;
        }
        Some(RequestDifference { lines, ..self.clone() })
    }
}

fn has_no_lines([removed, added]: &[Rc<[u32]>; 2]) -> bool {
    removed.is_empty() && added.is_empty()
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
    for item in old {
        *counts.entry(*item).or_default() += 1;
    }
    for item in new {
        *counts.entry(*item).or_default() -= 1;
    }
    (take_unmatched(old, &mut counts, 1), take_unmatched(new, &mut counts, -1))
}

/// The items with a count of this sign left. Of equal items the last ones stay unmatched, since text grows at its end.
fn take_unmatched(items: &[u32], counts: &mut FxHashMap<u32, i64>, sign: i64) -> Vec<u32> {
    let mut left = Vec::new();
    for item in items.iter().rev() {
        if let Some(count) = counts.get_mut(item)
            && *count * sign > 0
        {
            *count -= sign;
            left.push(*item);
        }
    }
    left.reverse();
    left
}

/// Pairs the indexes of turns with equal answers. Turns between such pairs are paired in order.
fn pair_turns(old: &[String], new: &[String]) -> Vec<(Option<usize>, Option<usize>)> {
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
    for (mut removed, mut added) in differing_numbers(&old, &new).into_iter().chain([end]) {
        for (p, q) in (at[0]..removed.start).zip(at[1]..added.start) {
            pairs.push((Some(p), Some(q)));
        }
        at = [removed.end, added.end];
        for _ in 0..removed.len().max(added.len()) {
            pairs.push((removed.next(), added.next()));
        }
    }
    pairs
}
