//! Instructions of the user: sentences that apply to every later answer.

use rustc_hash::FxHashSet;

use crate::matching::Atom;
use crate::{EvidenceItem, EvidenceKind, Grade};
use conversation::{Message, ReplyKind, Turn};

/// Words typical of an instruction.
const WORDS: [&str; 7] = [" never ", " always ", " must ", " do not ", " don't ", " only ", " instead of "];
/// Lengths in characters of a possible instruction.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=400;

/// A sentence, and the turn before it. Turn 0 is the opening.
pub struct Instruction {
    pub atom: Atom,
    pub turn: u32,
}

impl Instruction {
    /// The item for a request without this instruction.
    pub fn to_item(&self) -> EvidenceItem {
        let what = self.atom.text().clone();
        let turn = if self.turn > 0 { Some(self.turn) } else { None };
        let kind = EvidenceKind::Instruction;
        EvidenceItem { what, kind, grade: Grade::Gone, turn, more_lines: 0, again: false }
    }
}

/// The distinct instructions of a conversation.
pub fn find_instructions<'t>(opening: &'t Message, turns: &'t [Turn]) -> Vec<Instruction> {
    let mut messages = vec![(0, opening)];
    for turn in turns {
        let words = turn.replies.iter().filter(|reply| reply.kind == ReplyKind::Words);
        messages.extend(words.map(|reply| (turn.number, &reply.message)));
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for (turn, message) in messages {
        for sentence in message.content.lines().flat_map(sentences_of_line) {
            if is_instruction(sentence) && seen.insert(sentence) {
                found.push(Instruction { atom: Atom::Line(sentence.into()), turn });
            }
        }
    }
    found
}

/// The sentences of a line. A mark without a blank after it, as in `release/7.2` and `'!='`, does not
/// end a sentence.
fn sentences_of_line(line: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), line);
    for (at, mark) in line.match_indices(['.', '!', '?', ';']) {
        let end = at + mark.len();
        if line[end..].starts_with(char::is_whitespace)
            && let Some((sentence, after)) = rest.split_at_checked(end - (line.len() - rest.len()))
        {
            found.push(sentence.trim());
            rest = after;
        }
    }
    found.push(rest.trim());
    found
}

fn is_instruction(sentence: &str) -> bool {
    // A question is no instruction.
    if !LENGTH.contains(&sentence.chars().count()) || sentence.ends_with('?') {
        return false;
    }
    let mut spaced = String::from(" ");
    for word in sentence.split(|c: char| !c.is_alphanumeric() && c != '\'') {
        if !word.is_empty() {
            spaced.push_str(&word.to_lowercase());
            spaced.push(' ');
        }
    }
    WORDS.iter().any(|word| spaced.contains(word))
}
