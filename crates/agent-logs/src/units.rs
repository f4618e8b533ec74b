//! Cuts a log into JSON values, one in memory at a time: one value a line, one value over many lines, or the elements of
//! a list.

use std::io::{self, BufRead, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// Bytes that are looked at before anything is read.
const HEAD: u64 = 1 << 20;

/// First bytes of files that hold no text, or text of another kind, and advice.
const FOREIGN: [(&[u8], &str); 7] = [
    (GZIP, "a broken gzip file, or one of more than 1 GiB; unpack it first: gzip -dk FILE"),
    (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first: zstd -d FILE"),
    (
        b"PK\x03\x04",
        "a zip file; unpack it first (a log of Inspect by inspect log dump FILE.eval > FILE.json)",
    ),
    (b"PAR1", "a Parquet file; write its rows as lines of JSON first, e.g. with duckdb or pandas"),
    (b"SQLite format 3", "a SQLite database; write its rows as JSON first: sqlite3 -json FILE 'SELECT …'"),
    (b"data: ", STREAM),
    (b"event: ", STREAM),
];
const GZIP: &[u8] = b"\x1f\x8b";
/// Bytes that a packed log has at most when it is unpacked in memory.
const MAX_UNPACKED: u64 = 1 << 30;
const STREAM: &str = "a streamed response; log the whole response that the client library puts together";

/// Values of a log, in order.
pub(super) struct Units<R: BufRead> {
    source: Chain<Cursor<Vec<u8>>, R>,
    pub(super) layout: Layout,
    /// Advice on a file that is no text, by its first bytes.
    pub(super) advice: Option<&'static str>,
    /// The current line, from 1.
    line: usize,
    pub(super) is_in_list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Each line is a value, so that a broken one spoils no other.
    Lines,
    /// Values over any number of lines, or elements of one list.
    Values,
    /// Text in which no line begins a JSON object or list.
    NoJson,
}

/// A piece of a log, and the line that it begins in.
pub(super) enum Unit {
    Value(usize, Vec<u8>),
    /// The end of a list whose elements were values.
    EndOfList,
    /// A place that is no JSON, and the reason.
    Broken(usize, &'static str),
}

impl<R: BufRead> Units<R> {
    pub(super) fn new(mut source: R) -> io::Result<Units<R>> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head)?;
        if head.starts_with(GZIP) {
            source.read_to_end(&mut head)?;
            let mut unpacked = Vec::new();
            let read = MultiGzDecoder::new(head.as_slice()).take(MAX_UNPACKED).read_to_end(&mut unpacked);
            if read.is_ok_and(|length| (length as u64) < MAX_UNPACKED) {
                head = unpacked;
            }
        }
        if head.starts_with("\u{feff}".as_bytes()) {
            head.drain(..3);
        }
        // Windows PowerShell writes UTF-16.
        for (mark, read) in
            [([0xff, 0xfe], u16::from_le_bytes as fn([u8; 2]) -> u16), ([0xfe, 0xff], u16::from_be_bytes)]
        {
            if head.starts_with(&mark) {
                source.read_to_end(&mut head)?;
                let (pairs, _) = head.as_chunks::<2>();
                let text: Vec<u16> = pairs.iter().skip(1).map(|pair| read(*pair)).collect();
                head = String::from_utf16_lossy(&text).into_bytes();
            }
        }
        let layout = layout(&head, head.len() as u64 >= HEAD - 3);
        let advice = FOREIGN.iter().find(|(start, _)| head.starts_with(start)).map(|(_, advice)| *advice);
        let source = Cursor::new(head).chain(source);
        Ok(Units { source, layout, advice, line: 1, is_in_list: false })
    }

    /// Everything that is left, for formats that are no JSON.
    pub(super) fn rest(mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.source.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Unit>> {
        if self.layout == Layout::Lines { self.next_line() } else { self.next_value() }
    }

    fn next_line(&mut self) -> io::Result<Option<Unit>> {
        loop {
            let mut bytes = Vec::new();
            if self.source.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Unit::Value(self.line - 1, bytes)));
            }
        }
    }

    fn next_value(&mut self) -> io::Result<Option<Unit>> {
        while let Some(byte) = self.peek()? {
            match byte {
                b'[' if !self.is_in_list => self.is_in_list = true,
                b']' if self.is_in_list => {
                    self.is_in_list = false;
                    self.source.consume(1);
                    return Ok(Some(Unit::EndOfList));
                }
                b'\n' => self.line += 1,
                byte if byte.is_ascii_whitespace() || byte == b',' => {}
                _ => return self.value().map(Some),
            }
            self.source.consume(1);
        }
        Ok(None)
    }

    /// One value from here on: up to the bracket that closes it, else up to the next comma, bracket or line.
    fn value(&mut self) -> io::Result<Unit> {
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
            if state.is_torn {
                return Ok(Unit::Broken(self.line, "a line ends inside a string"));
            }
            if ended.is_some() {
                if bytes.is_empty() {
                    // A bracket that closes nothing.
                    self.source.consume(1);
                    return Ok(Unit::Broken(start, "a bracket closes nothing"));
                }
                return Ok(Unit::Value(start, bytes));
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.source.fill_buf()?.first().copied())
    }
}

/// Depth of brackets inside a value.
#[derive(Default)]
struct State {
    depth: usize,
    is_inside: bool,
    is_escaped: bool,
    /// True if the last byte closed the value.
    is_closed: bool,
    /// True if a line ended inside a string, which JSON does not allow.
    is_torn: bool,
}

impl State {
    /// Returns true if the value ends with this byte or before it.
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

/// The layout of a log by its first bytes: a value a line if most lines that begin an object or a list are whole values.
fn layout(head: &[u8], is_cut: bool) -> Layout {
    let mut lines: Vec<&[u8]> = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    // The head ends anywhere in its last line.
    if is_cut && lines.len() > 1 {
        lines.pop();
    }
    // A broken line spoils only itself in a log of lines, so that most of them decide.
    let begun = lines.iter().filter(|line| line.starts_with(b"{") || line.starts_with(b"["));
    let (whole, torn): (Vec<&[u8]>, Vec<&[u8]>) =
        begun.partition(|line| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok());
    let first = head.trim_ascii_start().first();
    match (whole.len(), torn.len()) {
        (0, 0) if !matches!(first, Some(b'{' | b'[') | None) => Layout::NoJson,
        (whole, torn) if whole > torn => Layout::Lines,
        _ => Layout::Values,
    }
}
