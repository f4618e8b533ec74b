//! Escapes golden-file lines that look like rulers or contain invisible characters, so that files can be read back.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::lines::{Line, lines_of};
use super::reference::is_reference;

/// Prefix of a line that continues the previous one. Other escaped lines never start with it.
const GOES_ON: &str = "\\\\>";

/// Writes content line by line. Escaped lines begin with a backslash.
pub fn write_content(out: &mut String, content: &str) {
    if is_plain(content) {
        out.push_str(content);
        return out.push('\n');
    }
    for line in lines_of(content) {
        write_line(out, line);
        out.push('\n');
    }
}

/// Writes a line so that it survives editors stripping trailing blanks.
pub(super) fn write_kept_line(out: &mut String, line: &str) {
    let start = out.len();
    write_line(out, line);
    keep_blanks(out, start);
}

/// Writes a continuation of the previous line, protecting trailing blanks too.
pub(super) fn write_kept_part(out: &mut String, part: &str) {
    let start = out.len();
    write_part(out, part);
    keep_blanks(out, start);
}

/// Escapes the blanks at the end of the line starting at this byte.
fn keep_blanks(out: &mut String, start: usize) {
    if !out.ends_with(char::is_whitespace) {
        return;
    }
    let written = out.split_off(start);
    let text = written.trim_end();
    if text.len() == written.len() || text.starts_with('\\') {
        out.push_str(text);
    } else {
        out.push('\\');
        out.push_str(&text.replace('\\', "\\\\"));
    }
    for blank in written[text.len()..].chars() {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(blank));
    }
}

/// Reads a line written by [`write_content`].
pub fn read_line(line: &str) -> Cow<'_, str> {
    match line.strip_prefix('\\') {
        Some(escaped) => Cow::Owned(unescaped(escaped)),
        None => Cow::Borrowed(line),
    }
}

/// Reads a line written by [`write_kept_line`] or [`write_kept_part`].
pub(super) fn read_part(line: &str) -> Line<'_> {
    match line.strip_prefix(GOES_ON) {
        Some(escaped) => Line { text: unescaped(escaped).into(), goes_on: true },
        None => Line::whole(read_line(line)),
    }
}

fn unescaped(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some((plain, after)) = rest.split_once('\\') {
        out.push_str(plain);
        let (character, length) = escaped_character(after);
        out.push(character);
        rest = &after[length..];
    }
    out.push_str(rest);
    out
}

/// Makes a line safe for terminals: invisible characters become `<U+202E>`.
pub fn visible(line: &str) -> Cow<'_, str> {
    if !has_unseen(line) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 16);
    write_seen(&mut out, line, |out, unseen| write!(out, "<U+{unseen:04X}>"));
    Cow::Owned(out)
}

/// Returns true if a line begins a request or a section, or refers to other lines.
fn is_special(line: &str) -> bool {
    is_reference(line) || is_ruler(line)
}

/// Returns true if a line begins a request or a section.
pub fn is_ruler(line: &str) -> bool {
    line.starts_with("=== ") || line.starts_with("--- ") && line.ends_with(" ---")
}

/// Returns true if no line needs escaping: all characters are visible, and no line begins like a ruler. Most content is plain, and
/// this check is faster than escaping line by line.
fn is_plain(content: &str) -> bool {
    let mut firsts = lines_of(content).map(|line| line.as_bytes().first());
    // No early exit, so that the compiler can vectorize this loop.
    content.bytes().fold(true, |all, byte| all & (byte == b'\n' || (b' '..0x7f).contains(&byte)))
        && !firsts.any(|first| matches!(first, Some(b'\\' | b'=' | b'-')))
}

fn write_line(out: &mut String, line: &str) {
    if has_unseen(line) || line.starts_with('\\') || is_special(line) {
        write_line_escaped(out, line);
    } else {
        out.push_str(line);
    }
}

/// Writes a continuation of the previous line.
fn write_part(out: &mut String, part: &str) {
    out.push_str(GOES_ON);
    write_escaped(out, &part.replace('\\', "\\\\"));
}

/// Writes an escaped line, with a backslash in front.
fn write_line_escaped(out: &mut String, line: &str) {
    out.push('\\');
    write_escaped(out, &line.replace('\\', "\\\\"));
}

/// Replaces invisible characters with escapes.
fn write_escaped(out: &mut String, line: &str) {
    write_seen(out, line, |out, unseen| match char::from_u32(unseen) {
        Some('\t') => out.write_str("\\t"),
        Some('\r') => out.write_str("\\r"),
        _ => write!(out, "\\u{{{unseen:x}}}"),
    });
}

/// Copies visible characters and passes the code points of the others to `unseen`.
pub(super) fn write_seen(out: &mut String, line: &str, unseen: impl Fn(&mut String, u32) -> fmt::Result) {
    let mut before = None;
    for character in line.chars() {
        if is_unseen(character, before) {
            let _ = unseen(out, character.into());
        } else {
            out.push(character);
        }
        before = Some(character);
    }
}

/// The character escaped at the start of `text` (after the backslash), and its number of bytes there.
fn escaped_character(text: &str) -> (char, usize) {
    match text.chars().next() {
        Some('t') => ('\t', 1),
        Some('r') => ('\r', 1),
        Some('u') => numbered_character(text).unwrap_or(('u', 1)),
        Some(other) => (other, other.len_utf8()),
        None => ('\\', 0),
    }
}

/// The character of an escape like `u{1f600}`, and its number of bytes there.
fn numbered_character(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix("u{")?.split_once('}')?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, digits.len() + 3))
}

fn has_unseen(line: &str) -> bool {
    if line.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return false;
    }
    let mut before = None;
    line.chars().any(|character| is_unseen(character, before.replace(character)))
}

/// Returns true if a character is invisible, looks like a blank, or reorders text.
fn is_unseen(character: char, before: Option<char>) -> bool {
    match character {
        ' '..='~' | '\u{3000}' => false,
        // Joiners are visible in emoji and in scripts such as Persian and Hindi, but not after ASCII.
        '\u{200c}' | '\u{200d}' => before.is_none_or(|before| before.is_ascii()),
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        other => other.is_control() || other.is_whitespace(),
    }
}
