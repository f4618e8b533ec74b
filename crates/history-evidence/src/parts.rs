//! Parts of atoms. From its parts the model can assemble a path, a command or the member of a value.

use crate::characters::is_of_small_letters;
use crate::common::{is_common, is_file};
use crate::matching::Atom;
use crate::styles::{other_styles, words_of_name};
use crate::uses::Usage;

/// Characters between the words of a command or of a line of code.
const BETWEEN_WORDS: &str = "()[]{}<>|;&,=\"'`\\$";

/// Minimum length of the longest part of a path.
const LONG: usize = 8;

/// Maximum bytes of a path, as on Linux. A picture in base64 has slashes too.
const LONGEST_PATH: usize = 4_096;

/// One more than the number of well-known words at the start of a command.
const PROGRAM_AND_COMMAND: usize = 3;

/// Alternatives for assembling an atom. Each is a list of atoms; a request with all of them suffices.
pub fn ways_to_assemble(atom: &Atom, usage: Usage) -> Vec<Vec<Atom>> {
    match atom {
        Atom::Literal(text) | Atom::Line(text) if usage == Usage::Command => of_command(text),
        Atom::Literal(text) if usage < Usage::Said && is_like_command(text) => of_command(text),
        Atom::Literal(text) if text.len() > LONGEST_PATH => Vec::new(),
        Atom::Literal(text) if !text.contains(char::is_whitespace) => ways_to_assemble_name(text, usage),
        Atom::Literal(text) if usage < Usage::Program => {
            name_beside_operators(text).and_then(way_of_name).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Keywords of several languages beside a declared name.
const KEYWORDS: [&str; 14] = [
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "fn",
    "func",
    "function",
    "interface",
    "let",
    "pub",
    "struct",
    "type",
];

/// Ways to assemble a text without blanks: a path, the member of a value, a name in another style, or a file.
fn ways_to_assemble_name(text: &str, usage: Usage) -> Vec<Vec<Atom>> {
    let mut ways = split_path(text);
    if usage == Usage::Program {
        return ways;
    }
    ways.extend(split_members(text));
    let mut others = other_styles(text);
    if let Some(field) = field_of_tag(text) {
        others.extend(other_styles(field));
        others.push(field.to_owned());
    }
    for name in others {
        ways.extend(way_of_name(&name));
    }
    ways.extend(pattern_of_file(text));
    for file in files_beside(text) {
        ways.extend(split_path(&file));
        ways.extend(way_of_name(&file));
    }
    ways
}

fn way_of_name(name: &str) -> Option<Vec<Atom>> {
    Some(vec![Atom::of_text(name)?])
}

/// `symbol` and `endLine` of `symbol.endLine`. One of them must be a name of code: two words of English are in many texts.
fn split_members(text: &str) -> Option<Vec<Atom>> {
    if text.contains('/') || is_file(text) {
        return None;
    }
    let (mut members, mut has_name_of_code) = (Vec::new(), false);
    for name in text.split(['.', ':', ',', '"', '\'']) {
        if !name.is_empty() {
            has_name_of_code |= is_name_of_code(name);
            // A name too short for an atom can't be looked for.
            members.push(Atom::of_text(name)?);
        }
    }
    (has_name_of_code && members.len() > 1).then_some(members)
}

/// `transcript_path` of `json:"transcript_path"` and `transcript_path,omitempty`. Go's tags are names of fields in another style.
fn field_of_tag(text: &str) -> Option<&str> {
    let field = match text.split_once(":\"") {
        Some((format, value)) if is_of_small_letters(format) => value.strip_suffix('"')?,
        _ => text,
    };
    let name = field.strip_suffix(",omitempty").unwrap_or(field);
    (name.len() < text.len() && is_name_of_code(name)).then_some(name)
}

/// The files that a tool's convention derives this one from: `cart.go` of `cart_test.go`, `cart.ts` of `cart.js`, since imports in
/// TypeScript have the ending of the compiled file.
fn files_beside(path: &str) -> Vec<String> {
    let endings: [(&str, &[&str]); 2] = [("_test.go", &[".go"]), (".js", &[".ts", ".tsx"])];
    let mut files = Vec::new();
    for (ending, others) in endings {
        // The ending alone, as in a search for all files of a kind, is of no file.
        let Some(stem) = path.strip_suffix(ending) else { continue };
        if stem.ends_with(char::is_alphanumeric) {
            files.extend(others.iter().map(|other| format!("{stem}{other}")));
        }
    }
    files
}

/// `src` and `cart*.ts` of `src/cart.ts`, if a search looked for such files.
fn pattern_of_file(path: &str) -> Option<Vec<Atom>> {
    let (folder, file) = path.rsplit_once('/')?;
    let (stem, ending) = file.rsplit_once('.')?;
    Some(vec![Atom::of_text(folder)?, Atom::of_text(&format!("{stem}*.{ending}"))?])
}

/// `branchName` of `branchName :=` and `type branchName struct`, as in a search for an assignment or a declaration.
fn name_beside_operators(text: &str) -> Option<&str> {
    let mut found = None;
    for word in text.split_whitespace() {
        if !word.contains(char::is_alphanumeric) || KEYWORDS.contains(&word) {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some(word);
    }
    found.filter(|name| is_name_of_code(name))
}

/// Returns true for a name of several words, such as `branchName`. A name of one word may be anywhere in prose.
fn is_name_of_code(name: &str) -> bool {
    words_of_name(name).len() > 1
}

fn of_command(command: &str) -> Vec<Vec<Atom>> {
    match words_of_command(command) {
        words if words.is_empty() => Vec::new(),
        words => vec![words],
    }
}

/// `go test ./internal/cli` and `ls -l`, as code gives them to a shell.
fn is_like_command(text: &str) -> bool {
    let Some((program, rest)) = text.split_once(' ') else { return false };
    let has_argument = rest.split(' ').any(|word| word.starts_with('-') || word.contains('/'));
    has_argument && is_of_small_letters(program)
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

/// `/home/ada/shop` with `src/cart/total.rs` of `/home/ada/shop/src/cart/total.rs`, and `ada/shop` with `src/cart/total.rs` of the
/// relative path: only its last two folders are needed. An ordinary part is left out, as in `origin/topic/fix-cart`, unless it may be
/// anywhere: `/tmp/fix-cart`.
fn split_path(path: &str) -> Vec<Vec<Atom>> {
    let mut halves = Vec::new();
    let is_relative = !path.starts_with('/');
    for (at, _) in path.match_indices('/') {
        if at == 0 {
            continue;
        }
        let (before, after) = path.split_at(at);
        let folder = if is_relative { last_two_names(before) } else { before };
        let rest = &after[1..];
        let has_two_names = folder.trim_start_matches('/').contains('/');
        let mut parts = Vec::new();
        if !(is_relative && is_common(folder)) {
            let Some(folder) = Atom::of_text(folder) else { continue };
            if !has_two_names {
                continue;
            }
            parts.push(folder);
        }
        if !is_common(rest) {
            let Some(rest) = Atom::of_text(rest) else { continue };
            parts.push(rest);
        }
        if parts.iter().any(|part| part.text().len() >= LONG) {
            halves.push(parts);
        }
    }
    halves
}

fn last_two_names(folder: &str) -> &str {
    match folder.rmatch_indices('/').nth(1) {
        Some((slash, _)) => &folder[slash + 1..],
        None => folder,
    }
}
