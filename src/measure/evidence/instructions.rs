//! Instructions of a person: sentences that bind every later answer.

use rustc_hash::FxHashSet;

use super::matching::Atom;
use super::{EvidenceItem, EvidenceKind, Grade};
use crate::agent::{ReplyKind, Turn};

/// Words that make a sentence an instruction.
const WORDS: [&str; 7] = ["never", "always", "must", "do not", "don't", "only", "instead of"];
/// The lengths of a sentence, in characters, that may be an instruction.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=400;

/// A sentence, and the turn after whose answer a person said it.
pub struct Instruction {
    pub atom: Atom,
    pub turn: u32,
}

impl Instruction {
    /// The item for a request that does not show it.
    pub fn item(&self) -> EvidenceItem {
        let what = self.atom.text().clone();
        let (kind, turn) = (EvidenceKind::Instruction, Some(self.turn));
        EvidenceItem { what, kind, grade: Grade::Gone, turn, more_lines: 0 }
    }
}

/// The instructions of a conversation after its opening, each once.
pub fn instructions<'t>(turns: impl Iterator<Item = &'t Turn>) -> Vec<Instruction> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for turn in turns {
        let replies = turn.recorded.iter().flat_map(|recorded| &recorded.replies);
        let words = replies.filter(|reply| reply.kind == ReplyKind::Words);
        let sentences = words.flat_map(|reply| sentences(&reply.message.content));
        for sentence in sentences.filter(|sentence| is_instruction(sentence)) {
            if seen.insert(sentence) {
                found.push(Instruction { atom: Atom::Line(sentence.into()), turn: turn.number });
            }
        }
    }
    found
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().flat_map(|line| line.split_inclusive(['.', '!', '?', ';']));
    lines.map(str::trim)
}

fn is_instruction(sentence: &str) -> bool {
    let is_of_words = |c: char| c.is_alphanumeric() || c == '\'';
    LENGTH.contains(&sentence.chars().count()) && {
        let words: Vec<&str> =
            sentence.split(|c: char| !is_of_words(c)).filter(|word| !word.is_empty()).collect();
        let spaced = format!(" {} ", words.join(" ").to_lowercase());
        WORDS.iter().any(|word| spaced.contains(&format!(" {word} ")))
    }
}
