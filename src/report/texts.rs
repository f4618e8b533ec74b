//! The texts of a scenario as pieces: lines, and parts of long lines. Each piece is stored once and a text is a list of
//! runs of pieces, since requests repeat most of the ones before.

use std::sync::Arc;

use ecow::EcoString;
use indexmap::IndexSet;
use memchr::memchr;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::{Native, NativeCall, Role};
use crate::messages::{MessageId, Table};
use ptc_tokens::Key;

/// The most bytes of a line that is one piece. A line that each turn adds to is soon longer.
const WHOLE: usize = 2 << 10;
/// The fewest bytes of a piece of a longer line, except its last.
const LEAST: usize = 256;
/// The number of words of which one ends a piece, so that a piece is little longer than the least.
const WORDS: u8 = 8;

/// Pieces in the order in which they are first seen, each once. A line break belongs to the piece before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    pieces: IndexSet<EcoString, FxBuildHasher>,
}

/// A text as pairs of the first piece of a run and the number of its pieces.
pub type Runs = Box<[u32]>;

impl Pieces {
    /// The text as runs. New pieces are added.
    pub fn runs(&mut self, text: &str) -> Runs {
        runs(text, |piece| match self.pieces.get_index_of(piece) {
            Some(known) => known as u32,
            None => self.pieces.insert_full(piece.into()).0 as u32,
        })
    }

    /// The number of a piece that is known.
    pub fn number(&self, piece: &str) -> Option<u32> {
        self.pieces.get_index_of(piece).map(|number| number as u32)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(EcoString::as_str)
    }

    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}

/// A text as runs of pieces that have these numbers.
pub fn runs<'t>(text: &'t str, mut number: impl FnMut(&'t str) -> u32) -> Runs {
    let mut runs = RunsWriter::default();
    let mut rest = text;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        pieces(line).for_each(|piece| runs.add(number(piece), 1));
        rest = after;
    }
    runs.finish()
}

/// Runs that are being written.
#[derive(Default)]
struct RunsWriter(Vec<u32>);

impl RunsWriter {
    /// Adds a run, to the last one if it goes on there.
    fn add(&mut self, first: u32, count: u32) {
        match self.0.as_mut_slice() {
            [.., last, length] if *last + *length == first => *length += count,
            _ => self.0.extend([first, count]),
        }
    }

    fn finish(self) -> Runs {
        self.0.into()
    }
}

/// Each distinct message of a scenario once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// Lines, and parts of long lines, each once. A line break belongs to the piece before it.
    pub pieces: Pieces,
    pub messages: Vec<MessageRecord>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    pub role: Role,
    /// The text, as pairs of the first piece of a run and the number of its pieces. Without runs it is the SYSTEM text,
    /// which stands once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// Native calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<NativeCall>,
    /// The identifier of the call whose result the message is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<EcoString>,
}

/// Role, text, native fields and tokens of images.
type TextKey = (Role, Key, Option<Arc<Native>>, u32);

/// The messages of a table that requests have, numbered in the order in which requests have them first.
#[derive(Default)]
pub struct SentTexts {
    pub texts: Texts,
    /// By the position of a message in the table.
    numbers: Vec<Option<u32>>,
    /// Messages that differ in their parts alone have one number.
    known: FxHashMap<TextKey, u32>,
    /// The runs of each piece of the table.
    pieces: Vec<Option<Runs>>,
}

impl SentTexts {
    /// The number of a message of the table. A message with the SYSTEM text is kept without it.
    pub fn number(&mut self, id: MessageId, table: &Table, system: Key) -> u32 {
        self.numbers.resize(table.len(), None);
        if let Some(known) = self.numbers[id.index()] {
            return known;
        }
        let row = table.row(id);
        let next = self.texts.messages.len() as u32;
        let key = (row.role, row.text, row.native.clone(), row.image_tokens);
        let number = *self.known.entry(key).or_insert(next);
        self.numbers[id.index()] = Some(number);
        if number < next {
            return number;
        }
        let is_system_text = row.role == Role::System && row.text == system;
        let runs = (!is_system_text).then(|| self.runs(id, table));
        let native = row.native.as_deref();
        self.texts.messages.push(MessageRecord {
            role: row.role,
            runs,
            tool_calls: native.map_or(&[][..], Native::calls).to_vec(),
            call: native.and_then(Native::result_of).cloned(),
        });
        number
    }

    /// A piece of the table is made of whole lines, so its runs are the same in all messages.
    fn runs(&mut self, id: MessageId, table: &Table) -> Runs {
        let mut runs = RunsWriter::default();
        for piece in table.pieces(id) {
            let at = piece as usize;
            if self.pieces.len() <= at {
                self.pieces.resize(at + 1, None);
            }
            let known = self.pieces[at].get_or_insert_with(|| self.texts.pieces.runs(table.piece(piece)));
            known.as_chunks::<2>().0.iter().for_each(|[first, count]| runs.add(*first, *count));
        }
        runs.finish()
    }
}

impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pieces, D::Error> {
        let texts = Vec::<EcoString>::deserialize(deserializer)?;
        let count = texts.len();
        let pieces: IndexSet<EcoString, FxBuildHasher> = texts.into_iter().collect();
        if pieces.len() < count {
            return Err(D::Error::custom(
                "expected each piece once; write the file anew with `ptc-eval run`",
            ));
        }
        Ok(Pieces { pieces })
    }
}

/// The pieces of a line. A long line is cut after certain words.
// Which words these are depends on the words alone, so that a line that each turn adds to, such as a list, keeps its pieces: it is
// held once and not as often as there are turns.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let is_long = line.len() > WHOLE;
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let (piece, after) = line.split_at(if is_long { first_cut(line) } else { line.len() });
        rest = (!after.is_empty()).then_some(after);
        Some(piece)
    })
}

/// The end of the first piece of a long line: after the first word past the least length whose bytes add up to a multiple of
/// [`WORDS`].
fn first_cut(line: &str) -> usize {
    let mut end = 0;
    for word in line.split_inclusive(' ') {
        end += word.len();
        if end >= LEAST && word.bytes().fold(0, u8::wrapping_add) % WORDS == 0 {
            break;
        }
    }
    end
}
