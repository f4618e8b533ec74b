//! Finds the program in an answer.

use ecow::EcoString;

use ptc_lisp::error::{Error, ErrorKind};

/// Language tags of fenced programs.
const LANGUAGES: [&str; 3] = ["clojure", "clj", "lisp"];

/// Extracts the program from an answer, without blank lines at its ends. It consists of all fenced blocks tagged as Clojure, joined by a
/// blank line. If there are none, it is the first other block with `(` at its start, else the whole answer if it starts with `(`.
///
/// # Errors
/// `no_code_found`
pub fn program_in(response: &str) -> Result<EcoString, Error> {
    // A byte order mark would hide a fence or bracket after it.
    let response = response.strip_prefix('\u{feff}').unwrap_or(response);
    let blocks = find_blocks(response);
    let mut tagged: Vec<&str> = Vec::new();
    for block in &blocks {
        if block.is_program() {
            tagged.push(&block.text);
        }
    }
    // Models split a program into several blocks with prose between them, and forget tags. A block without a tag may also be output or
    // data, so it only counts if no block has a tag.
    if !tagged.is_empty() {
        return Ok(without_blank_ends(&tagged.join("\n\n")).into());
    }
    if let Some(block) = blocks.iter().find(|block| starts_as_program(&block.text)) {
        return Ok(without_blank_ends(&block.text).into());
    }
    if starts_as_program(response) {
        return Ok(without_blank_ends(response.trim()).into());
    }
    Err(no_code_found())
}

/// An answer with only a program in a fence.
pub fn response_with(program: &str) -> EcoString {
    let program = program.strip_suffix('\n').unwrap_or(program);
    ecow::eco_format!("```clojure\n{program}\n```")
}

/// The text without blank lines at its ends and without a last line break.
pub fn without_blank_ends(text: &str) -> &str {
    if text.trim().is_empty() {
        return "";
    }
    let (end, last_line) = text.split_at(text.trim_end().len());
    let kept = last_line.find(['\r', '\n']).map_or(text.len(), |at| end.len() + at);
    let text = text.get(..kept).unwrap_or(text);
    let indented = text.trim_start();
    let blank = text.len() - indented.len();
    let first_line = text.get(..blank).and_then(|lines| lines.rfind('\n')).map_or(0, |at| at + 1);
    text.get(first_line..).unwrap_or(text)
}

fn no_code_found() -> Error {
    Error::new(
        ErrorKind::NoCodeFound,
        "No PTC-Lisp code found in the response; send one fenced clojure block or an expression \
         starting with '('",
    )
}

fn starts_as_program(text: &str) -> bool {
    text.trim_start().starts_with('(')
}

struct Block {
    language: String,
    text: String,
}

impl Block {
    fn is_program(&self) -> bool {
        LANGUAGES.contains(&self.language.as_str()) && !self.text.trim().is_empty()
    }
}

/// All fenced blocks. The last one may lack its end, because answers are truncated at a token limit.
fn find_blocks(response: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = response.split('\n');
    while let Some(line) = lines.next() {
        let Some((fence, tag)) = opening_fence(line) else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| line.trim_end() != fence).collect();
        let language = tag.split_whitespace().next().map_or_else(String::new, str::to_ascii_lowercase);
        blocks.push(Block { language, text: inside.join("\n") });
    }
    blocks
}

/// The backticks at the start of a block's first line, and the text after them. `None` if more backticks follow: then it is inline code.
fn opening_fence(line: &str) -> Option<(&str, &str)> {
    let tag = line.trim_start_matches('`');
    let (fence, tag) = line.split_at(line.len() - tag.len());
    (fence.len() >= 3 && !tag.contains('`')).then_some((fence, tag))
}
