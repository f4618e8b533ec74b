//! Parts of atoms. From the parts of a path or a command the model can assemble the whole. It can also change the case and the
//! separators of English words.

use crate::common::is_common;
use crate::matching::Atom;
use crate::names::is_capitalised;
use crate::uses::Usage;

/// Characters between the words of a command or of a line of code.
const BETWEEN_WORDS: &str = "()[]{}<>|;&,=\"'`\\$";

/// One more than the number of well-known words at the start of a command.
const PROGRAM_AND_COMMAND: usize = 3;

/// Alternatives for assembling an atom. Each is a list of atoms; a request with all of them suffices.
pub fn ways_to_assemble(atom: &Atom, usage: Usage) -> Vec<Vec<Atom>> {
    match atom {
        Atom::Literal(text) | Atom::Line(text) if usage == Usage::Command => {
            Some(words_of_command(text)).filter(|words| !words.is_empty()).into_iter().collect()
        }
        Atom::Literal(text) if usage < Usage::Program && is_capitalised(text) => {
            vec![Vec::from_iter(Atom::of_text(&text.to_lowercase()))]
        }
        Atom::Literal(text) if usage < Usage::Program && is_snake(text) => {
            vec![Vec::from_iter(Atom::of_text(&text.replace("_", " ")))]
        }
        Atom::Literal(text) if !text.contains(char::is_whitespace) => split_path(text),
        _ => Vec::new(),
    }
}

/// `basic_economy`: tools name options like this, and texts for people write the words with blanks.
fn is_snake(text: &str) -> bool {
    text.contains('_') && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// The words of a command, without its options and its program.
fn words_of_command(command: &str) -> Vec<Atom> {
    let mut atoms = Vec::new();
    // The model knows the program and its subcommand: `git push`.
    let mut known = PROGRAM_AND_COMMAND;
    for word in command.split(|c: char| c.is_whitespace() || BETWEEN_WORDS.contains(c)) {
        if word.starts_with('-') {
            continue;
        }
        known = known.saturating_sub(1);
        if known > 0 && is_common(word) {
            continue;
        }
        known = 0;
        for part in word.split(if word.contains('/') { "..." } else { "." }) {
            atoms.extend(Atom::of_text(part.trim_matches(['.', ':', '/', '!', '?', '*'])));
        }
    }
    atoms
}

/// `/home/ada/shop` with `src/cart/total.rs` of `/home/ada/shop/src/cart/total.rs`: all splits into two paths of at least two
/// names. A single name, such as `index.ts`, occurs in many folders.
fn split_path(path: &str) -> Vec<Vec<Atom>> {
    let mut halves = Vec::new();
    for (at, _) in path.match_indices('/') {
        let (Some(before), Some(after)) = (path.get(..at), path.get(at + 1..)) else { continue };
        if before.contains('/') && after.contains('/') {
            halves.push([before, after].into_iter().filter_map(Atom::of_text).collect());
        }
    }
    halves
}
