//! The texts of a scenario as pieces: lines, and parts of long lines. Each piece is stored once, and a text
//! is a list of runs of pieces: most of a request repeats earlier ones.

use std::sync::Arc;

use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::{Native, NativeCall, Role};
use conversation::{MessageId, Runs, Stretches, Table, line_parts};
use ptc_tokens::Key;

/// Distinct pieces, in order of first occurrence. A line break belongs to the piece before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    pieces: IndexSet<EcoString, FxBuildHasher>,
}

impl Pieces {
    /// Splits a text into pieces, adds new ones, and returns their numbers.
    pub fn runs(&mut self, text: &str) -> Runs {
        runs(text, |piece| self.add_piece(piece, || piece.into()))
    }

    /// Returns the number of a piece. `text` is called for a new piece only.
    fn add_piece(&mut self, piece: &str, text: impl FnOnce() -> EcoString) -> u32 {
        let known = self.pieces.get_index_of(piece);
        known.unwrap_or_else(|| self.pieces.insert_full(text()).0) as u32
    }

    /// The number of a piece, if known.
    pub fn number(&self, piece: &str) -> Option<u32> {
        self.pieces.get_index_of(piece).map(|number| number as u32)
    }

    /// The piece with this number.
    pub fn get(&self, number: u32) -> Option<&str> {
        self.pieces.get_index(number as usize).map(EcoString::as_str)
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

/// Splits a text into pieces and numbers each with `number`.
pub fn runs<'t>(text: &'t str, number: impl FnMut(&'t str) -> u32) -> Runs {
    Runs::of_numbers(text.split_inclusive('\n').flat_map(line_parts).map(number))
}

/// The distinct messages of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// Pieces of all messages. A line break belongs to the piece before it.
    pub pieces: Pieces,
    pub messages: Vec<MessageRecord>,
}

/// A stored message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRecord {
    pub role: Role,
    /// The pieces of the text; `None` for the SYSTEM text, which is stored once elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// Native tool calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<NativeCall>,
    /// For a tool result, the identifier of its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<EcoString>,
}

/// Role, text, native fields and tokens of images.
type TextKey = (Role, Key, Option<Arc<Native>>, u32);

/// The messages of a table that were sent, numbered in order of first use.
#[derive(Default)]
pub struct SentTexts {
    pub texts: Texts,
    /// Indexed by the message's row in the table.
    numbers: Vec<Option<u32>>,
    /// Messages with equal keys share a number, even if divided into different parts.
    known: FxHashMap<TextKey, u32>,
    /// Indexed by the table's piece.
    pieces: Vec<Option<Runs>>,
    /// Shared stretches of numbers, over all messages.
    stretches: Stretches,
}

impl SentTexts {
    /// The number of a table message. A message with the SYSTEM text is stored without text.
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

    /// Forgets messages evicted from the table.
    pub fn forget(&mut self, table: &Table) {
        self.numbers.truncate(table.len());
        self.pieces.truncate(table.piece_count() as usize);
    }

    /// A table piece consists of whole lines, so its runs are the same in all messages and can be cached.
    fn runs(&mut self, id: MessageId, table: &Table) -> Runs {
        self.pieces.resize(table.piece_count() as usize, None);
        for piece in table.pieces(id) {
            let known = &mut self.pieces[piece as usize];
            known.get_or_insert_with(|| {
                self.stretches.numbers(numbers_of(piece, table, &mut self.texts.pieces))
            });
        }
        let pieces = table.pieces(id).filter_map(|piece| self.pieces[piece as usize].as_ref());
        self.stretches.store_runs(pieces.flat_map(Runs::iter))
    }
}

/// The record's numbers for one piece of the table.
fn numbers_of(piece: u32, table: &Table, pieces: &mut Pieces) -> impl Iterator<Item = u32> {
    let parts = table.piece_parts(piece);
    let lines = parts.flat_map(|part| part.split_inclusive('\n').map(move |line| (part, line)));
    lines.map(|(part, line)| {
        // Clone a single-line part instead of copying it: table and record then share its text.
        pieces.add_piece(line, || if line.len() == part.len() { part.clone() } else { line.into() })
    })
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
