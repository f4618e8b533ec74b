//! Writes texts as YAML. They read back byte for byte, and all characters are visible.

use std::fmt::Write;

use super::escape::write_seen;

/// A text as a block scalar with this indentation, or quoted if a block would not read back unchanged.
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

/// JSON on one line, as valid YAML.
pub fn of_json(value: &serde_json::Value) -> String {
    let mut out = String::new();
    write_seen(&mut out, &value.to_string(), |out, unseen| match unseen {
        0..=0xffff => write!(out, "\\u{unseen:04x}"),
        _ => write!(out, "\\U{unseen:08x}"),
    });
    out
}

/// Returns true if a block scalar preserves every byte: the text starts with neither space nor line break, ends with at most one line
/// break, and YAML keeps all of its characters. Characters that reorder text must be escaped, so they do not fit.
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
