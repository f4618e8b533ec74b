//! Splits a log into JSON values, with one in memory at a time: one value per line, one multi-line value, or the elements of a list.

use std::cell::Cell;
use std::io::{self, BufRead, Chain, Cursor, Read};
use std::rc::Rc;

use memchr::memmem;

use super::packed::Unpacked;

/// Number of bytes inspected before reading.
const HEAD: u64 = 1 << 20;

/// Magic bytes of binary files and starts of other text formats, with advice.
const FOREIGN: [(&[u8], &str); 5] = [
    (
        b"PK\x03\x04",
        "a zip file; unpack it first (a log of Inspect by inspect log dump FILE.eval > FILE.json)",
    ),
    (b"PAR1", "a Parquet file; write its rows as lines of JSON first, e.g. with duckdb or pandas"),
    (SQLITE, "a SQLite database; write its rows as JSON first: sqlite3 -json FILE 'SELECT …'"),
    (b"data: ", STREAM),
    (b"event: ", STREAM),
];
const SQLITE: &[u8] = b"SQLite format 3";
/// Agent databases, identified by texts in their tables, with advice.
const DATABASES: [(&[&str], &str); 3] = [
    (
        &["working_dir", "accumulated_", "messages"],
        "the database of Goose; export a session: goose session export --format json --session-id SESSION --output FILE",
    ),
    (
        &["session", "message", "part", "project"],
        "the database of opencode; export a session: opencode export SESSION > FILE",
    ),
    (
        &["ItemTable"],
        "a database of VS Code or of an editor based on it; the chats of VS Code are in chatSessions/*.json and *.jsonl",
    ),
];

/// Advice on a compressed file with a damaged start.
const DAMAGED: &str = "a gzip or zstd file that is damaged at its start; try gzip -t FILE or zstd -t FILE";
/// Maximum size of one value, because a small compressed or sparse file may contain an endless one. Providers accept requests of up to
/// 100 MB; the largest line measured in a log had 0.2 MB. A value needs up to three times its size in memory.
const MAX_VALUE: u64 = 1 << 28;
const STREAM: &str = "a streamed response; log the complete response that the client library returns";

/// Values of a log, in order.
pub(super) struct Units<'r> {
    source: Chain<Cursor<Vec<u8>>, Box<dyn BufRead + 'r>>,
    /// True once the decompressor hits damaged bytes.
    is_damaged: Rc<Cell<bool>>,
    /// True once the damage was reported.
    has_said: bool,
    pub(super) layout: Layout,
    /// Advice on a binary or foreign file, by its first bytes.
    pub(super) advice: Option<&'static str>,
    /// The current line, from 1.
    line: usize,
    pub(super) is_in_list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One value per line. A broken line does not affect the others.
    Lines,
    /// Multi-line values, or elements of one list.
    Values,
    /// Text in which no line begins a JSON object or list.
    NoJson,
}

/// Reads everything left, as one value.
///
/// # Errors
/// Any I/O error, or the text is too large.
fn read_rest(source: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    if source.take(MAX_VALUE).read_to_end(bytes)? as u64 == MAX_VALUE {
        return Err(too_large(1));
    }
    Ok(())
}

/// The error of a value that begins in this line.
fn too_large(line: usize) -> io::Error {
    io::Error::other(format!("the value that begins in line {line} has more than {} MiB", MAX_VALUE >> 20))
}

/// A piece of a log, with its first line number.
pub(super) enum Unit {
    Value(usize, Vec<u8>),
    /// The end of a list of values.
    EndOfList,
    /// Invalid JSON, with the reason.
    Broken(usize, &'static str),
}

impl<'r> Units<'r> {
    pub(super) fn new(source: impl BufRead + 'r) -> io::Result<Units<'r>> {
        let Unpacked { mut source, is_damaged } = Unpacked::new(source)?;
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head)?;
        if head.starts_with("\u{feff}".as_bytes()) {
            head.drain(..3);
        }
        // Windows PowerShell writes UTF-16.
        for (mark, read) in
            [([0xff, 0xfe], u16::from_le_bytes as fn([u8; 2]) -> u16), ([0xfe, 0xff], u16::from_be_bytes)]
        {
            if head.starts_with(&mark) {
                read_rest(&mut source, &mut head)?;
                let (pairs, _) = head.as_chunks::<2>();
                let text: Vec<u16> = pairs.iter().skip(1).map(|pair| read(*pair)).collect();
                head = String::from_utf16_lossy(&text).into_bytes();
            }
        }
        let layout = detect_layout(&head, head.len() as u64 >= HEAD - 3);
        let start = FOREIGN.iter().find(|(start, _)| head.starts_with(start));
        let foreign = of_database(&head).or(start.map(|(_, advice)| *advice));
        let advice = if is_damaged.get() && head.is_empty() { Some(DAMAGED) } else { foreign };
        let source = Cursor::new(head).chain(source);
        Ok(Units { source, is_damaged, has_said: false, layout, advice, line: 1, is_in_list: false })
    }

    /// Everything left, for formats other than JSON.
    pub(super) fn read_rest(mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        read_rest(&mut self.source, &mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Unit>> {
        let next = if self.layout == Layout::Lines { self.next_line() } else { self.next_value() }?;
        // The text ends at the damage; report it once.
        if next.is_none() && self.is_damaged.get() && !std::mem::replace(&mut self.has_said, true) {
            return Ok(Some(Unit::Broken(
                self.line,
                "the compressed file is damaged or truncated from here on",
            )));
        }
        Ok(next)
    }

    fn next_line(&mut self) -> io::Result<Option<Unit>> {
        loop {
            let mut bytes = Vec::new();
            if self.source.by_ref().take(MAX_VALUE).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            if bytes.len() as u64 == MAX_VALUE && !bytes.ends_with(b"\n") {
                return Err(too_large(self.line));
            }
            self.line += 1;
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Unit::Value(self.line - 1, bytes)));
            }
        }
    }

    fn next_value(&mut self) -> io::Result<Option<Unit>> {
        while let Some(byte) = self.peek_byte()? {
            match byte {
                b'[' if !self.is_in_list => self.is_in_list = true,
                b']' if self.is_in_list => {
                    self.is_in_list = false;
                    self.source.consume(1);
                    return Ok(Some(Unit::EndOfList));
                }
                b'\n' => self.line += 1,
                byte if byte.is_ascii_whitespace() || byte == b',' => {}
                _ => return self.read_value().map(Some),
            }
            self.source.consume(1);
        }
        Ok(None)
    }

    /// Reads one value: up to its closing bracket, or else up to the next comma, bracket or line break.
    fn read_value(&mut self) -> io::Result<Unit> {
        let (start, mut bytes, mut state) = (self.line, Vec::new(), State::default());
        loop {
            let block = self.source.fill_buf()?;
            if block.is_empty() {
                let is_whole = state.depth == 0 && !state.is_inside;
                let broken = Unit::Broken(start, "the file ends inside a value");
                return Ok(if is_whole { Unit::Value(start, bytes) } else { broken });
            }
            let ended = block.iter().position(|&byte| state.ends_at(byte));
            let taken = ended.map_or(block.len(), |at| at + usize::from(state.is_closed));
            let block = block.get(..taken).unwrap_or(block);
            self.line += block.iter().filter(|&&byte| byte == b'\n').count();
            bytes.extend_from_slice(block);
            self.source.consume(taken);
            if bytes.len() as u64 >= MAX_VALUE {
                return Err(too_large(start));
            }
            if state.is_torn {
                return Ok(Unit::Broken(self.line, "a line ends inside a string"));
            }
            if ended.is_some() {
                if bytes.is_empty() {
                    // An unmatched closing bracket.
                    self.source.consume(1);
                    return Ok(Unit::Broken(start, "a closing bracket without an opening one"));
                }
                return Ok(Unit::Value(start, bytes));
            }
        }
    }

    fn peek_byte(&mut self) -> io::Result<Option<u8>> {
        Ok(self.source.fill_buf()?.first().copied())
    }
}

/// Advice on an agent's database. The first pages of a SQLite file contain the table definitions.
fn of_database(head: &[u8]) -> Option<&'static str> {
    if !head.starts_with(SQLITE) {
        return None;
    }
    for (words, advice) in &DATABASES {
        if words.iter().all(|word| memmem::find(head, word.as_bytes()).is_some()) {
            return Some(*advice);
        }
    }
    None
}

/// Scanner state inside a value.
#[derive(Default)]
struct State {
    depth: usize,
    is_inside: bool,
    is_escaped: bool,
    /// True if the last byte closed the value.
    is_closed: bool,
    /// True if a line ended inside a string; JSON does not allow this.
    is_torn: bool,
}

impl State {
    /// Returns true if the value ends with or before this byte.
    fn ends_at(&mut self, byte: u8) -> bool {
        if self.is_inside {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_inside = false,
                b'\n' => self.is_torn = true,
                _ => {}
            }
            return self.is_torn;
        }
        match byte {
            b'"' => self.is_inside = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth == 0 => return true,
            b'}' | b']' => {
                self.depth -= 1;
                self.is_closed = self.depth == 0;
            }
            b',' | b'\n' if self.depth == 0 => return true,
            _ => {}
        }
        self.is_closed
    }
}

/// Detects the layout from the first bytes: `Lines` if most lines starting an object or list are complete values.
fn detect_layout(head: &[u8], is_cut: bool) -> Layout {
    let mut lines: Vec<&[u8]> = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    // The head may cut off its last line.
    if is_cut {
        lines.pop();
    }
    // Majority vote, because a log of lines may have a few broken ones.
    let (mut whole, mut torn) = (0, 0);
    for line in lines {
        if line.starts_with(b"{") || line.starts_with(b"[") {
            match serde_json::from_slice::<serde::de::IgnoredAny>(line) {
                Ok(_) => whole += 1,
                Err(_) => torn += 1,
            }
        }
    }
    let first = head.trim_ascii_start().first();
    match (whole, torn) {
        (0, 0) if !matches!(first, Some(b'{' | b'[') | None) => Layout::NoJson,
        (whole, torn) if whole > torn => Layout::Lines,
        _ => Layout::Values,
    }
}
