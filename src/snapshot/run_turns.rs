//! Turns in the golden file of a run: the failed ones, and the first difference from the accepted run.

use super::rulers::{Block, TURN, blocks, sections};

/// The section that may change with the interpreter, without any change of the run.
const TICKS: &str = "ticks";

/// The first turn that differs between two golden files of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnDifference {
    /// From 1.
    pub turn: u32,
    /// The first section that differs (`prints`), or how the turns end.
    pub what: String,
}

/// The numbers of the turns with an `error` section.
pub fn failed_turns(body: &str) -> Vec<u32> {
    let mut failed = Vec::new();
    for block in blocks(body) {
        if sections(&block.lines).iter().any(|(name, _)| *name == "error") {
            failed.extend(turn_number(&block));
        }
    }
    failed
}

/// The program or answer of each turn.
pub fn answers(body: &str) -> Vec<String> {
    let mut answers = Vec::new();
    for block in blocks(body) {
        if turn_number(&block).is_none() {
            continue;
        }
        let mut texts = Vec::new();
        for (name, lines) in sections(&block.lines) {
            if is_of_answer(name) {
                texts.push(lines.join("\n"));
            }
        }
        answers.push(texts.join("\n"));
    }
    answers
}

/// Returns true for sections written by the model.
fn is_of_answer(name: &str) -> bool {
    name == "program" || name == "answer" || name.starts_with("call ")
}

/// The first turn that differs. `None` for equal texts. Ticks count only without other differences.
pub fn first_difference(old: &str, new: &str) -> Option<TurnDifference> {
    let (old, new) = (blocks(old), blocks(new));
    match find_difference(&old, &new, Ticks::Ignored) {
        Some(found) => Some(found),
        None => find_difference(&old, &new, Ticks::Compared),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ticks {
    Compared,
    Ignored,
}

fn find_difference(old: &[Block<'_>], new: &[Block<'_>], ticks: Ticks) -> Option<TurnDifference> {
    let mut turn = 1;
    for (old, new) in old.iter().zip(new) {
        turn = turn_number(old).or(turn_number(new)).unwrap_or(turn);
        if let Some(what) = find_differing(old, new, ticks) {
            return Some(TurnDifference { turn, what });
        }
    }
    None
}

/// The first difference between two blocks at the same position.
fn find_differing(old: &Block<'_>, new: &Block<'_>, ticks: Ticks) -> Option<String> {
    match (turn_number(old), turn_number(new)) {
        (Some(_), None) => return Some("the run ends before it".to_owned()),
        (None, Some(_)) => return Some("the accepted run ends before it".to_owned()),
        (None, None) => return (old.lines != new.lines).then(|| "outcome".to_owned()),
        (Some(_), Some(_)) => {}
    }
    let (mut old, mut new) = (sections(&old.lines), sections(&new.lines));
    if ticks == Ticks::Ignored {
        old.retain(|(name, _)| *name != TICKS);
        new.retain(|(name, _)| *name != TICKS);
    }
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (name, _) = new.get(same).or(old.get(same))?;
    Some((*name).to_owned())
}

fn turn_number(block: &Block<'_>) -> Option<u32> {
    block.title.strip_prefix(TURN)?.parse().ok()
}
