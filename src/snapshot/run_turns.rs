//! Turns in the golden file of a run: those that failed, and the first that is not as accepted.

use super::rulers::{Block, TURN, blocks, sections};

/// The section that may change with the interpreter although the run is the same.
const TICKS: &str = "ticks";

/// The first turn in which two golden files of a run differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnDifference {
    /// From 1.
    pub turn: u32,
    /// The first section that differs, such as `prints`, or how the turns end.
    pub what: String,
}

/// The numbers of the turns that have a section `error`.
pub fn failed_turns(body: &str) -> Vec<u32> {
    let has_error = |block: &Block<'_>| sections(&block.lines).any(|(name, _)| name == "error");
    blocks(body).iter().filter(|block| has_error(block)).filter_map(number).collect()
}

/// The program or answer of each turn.
pub fn answers(body: &str) -> Vec<String> {
    let mut answers = Vec::new();
    for block in blocks(body).iter().filter(|block| number(block).is_some()) {
        let mut texts = sections(&block.lines).filter(|(name, _)| is_of_answer(name));
        answers.push(texts.by_ref().map(|(_, lines)| lines.join("\n")).collect::<Vec<_>>().join("\n"));
    }
    answers
}

/// Returns true for a section with what a model wrote.
fn is_of_answer(name: &str) -> bool {
    name == "program" || name == "answer" || name.starts_with("call ")
}

/// The first turn that differs. None for the same text. Ticks count only if nothing else differs.
pub fn first_difference(old: &str, new: &str) -> Option<TurnDifference> {
    let (old, new) = (blocks(old), blocks(new));
    let between = |counts: fn(&str) -> bool| {
        let mut last = 1;
        old.iter().zip(&new).find_map(|(old, new)| {
            let turn = number(old).or_else(|| number(new)).unwrap_or(last);
            last = turn;
            Some(TurnDifference { turn, what: differing(old, new, counts)? })
        })
    };
    between(|name| name != TICKS).or_else(|| between(|_| true))
}

/// The first difference of two blocks at the same position.
fn differing(old: &Block<'_>, new: &Block<'_>, counts: fn(&str) -> bool) -> Option<String> {
    match (number(old), number(new)) {
        (Some(_), None) => return Some("the run ends before it".to_owned()),
        (None, Some(_)) => return Some("the accepted run ends before it".to_owned()),
        (None, None) => return (old.lines != new.lines).then(|| "outcome".to_owned()),
        (Some(_), Some(_)) => {}
    }
    let counted = |block| -> Vec<(String, Vec<String>)> {
        let Block { lines, .. }: &Block<'_> = block;
        let owned = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
        let all = sections(lines).filter(|(name, _)| counts(name));
        all.map(|(name, lines)| (name.to_owned(), owned(lines))).collect()
    };
    let (old, new) = (counted(old), counted(new));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    new.get(same).or_else(|| old.get(same)).map(|(name, _)| name.clone())
}

fn number(block: &Block<'_>) -> Option<u32> {
    block.title.strip_prefix(TURN)?.parse().ok()
}
