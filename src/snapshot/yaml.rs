//! Texts as YAML. They read back byte for byte, and people see every character.

use std::fmt::Write;

use super::escape::write_seen;

/// A text as a scalar: a block whose lines are indented by so many blanks, or a quoted text if a block would not read back the same.
pub fn scalar(text: &str, indentation: usize) -> String {
    if !fits_block(text) {
        return quoted(text);
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    let mut block = String::from(if body.len() == text.len() { "|-" } else { "|" });
    for line in body.split('\n') {
        block.push('\n');
        if !line.is_empty() {
            block.extend(std::iter::repeat_n(' ', indentation));
            block.push_str(line);
        }
    }
    block
}

/// A text in double quotes.
pub fn quoted(text: &str) -> String {
    of_json(&text.into())
}

/// JSON on one line, as YAML reads it.
pub fn of_json(value: &serde_json::Value) -> String {
    let mut out = String::new();
    write_seen(&mut out, &value.to_string(), |out, unseen| match unseen {
        0..=0xffff => write!(out, "\\u{unseen:04x}"),
        _ => write!(out, "\\U{unseen:08x}"),
    });
    out
}

/// Returns true if a block scalar keeps every byte: the first line begins with neither space nor line break, there is
/// at most one line break at the end, and YAML takes every character as it is. Characters that change the order of
/// others are written by their number.
fn fits_block(text: &str) -> bool {
    text.starts_with(|c: char| !c.is_whitespace())
        && !text.ends_with("\n\n")
        && text.chars().all(is_plain_in_block)
}

fn is_plain_in_block(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    }
}
