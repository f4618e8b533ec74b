//! The texts of a scenario as pieces: lines, and parts of long lines. Each piece is stored once and a text is a list of
//! runs of pieces, since requests repeat most of the ones before.

use ecow::EcoString;
use indexmap::IndexSet;
use memchr::memchr;
use rustc_hash::FxBuildHasher;
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::{Message, NativeCall, Role};
use crate::snapshot::parts::pieces;

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
    let mut runs: Vec<u32> = Vec::new();
    let mut next = None;
    let mut rest = text;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        for number in pieces(line).map(&mut number) {
            match runs.last_mut() {
                Some(length) if next == Some(number) => *length += 1,
                _ => runs.extend([number, 1]),
            }
            next = Some(number + 1);
        }
        rest = after;
    }
    runs.into()
}

/// Each distinct message of a scenario once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "texts")]
pub struct Texts {
    /// Lines, and parts of long lines, each once. A line break belongs to the piece before it.
    #[schemars(with = "Vec<String>")]
    pub pieces: Pieces,
    pub messages: Vec<MessageRecord>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "message")]
pub struct MessageRecord {
    pub role: Role,
    /// The text, as pairs of the first piece of a run and the number of its pieces. Without runs it is the SYSTEM text,
    /// which stands once (DBG-006).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Runs>,
    /// Native calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<NativeCall>,
    /// The identifier of the call whose result the message is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub call: Option<EcoString>,
}

impl Texts {
    /// Adds a message, without its content if that is the SYSTEM text.
    pub fn push(&mut self, message: &Message, is_system_text: bool) {
        let runs = (!is_system_text).then(|| self.pieces.runs(&message.content));
        let (tool_calls, call) = (message.calls().to_vec(), message.result_of().cloned());
        self.messages.push(MessageRecord { role: message.role, runs, tool_calls, call });
    }

    /// Keeps this many messages and pieces and removes later ones.
    pub fn truncate(&mut self, messages: usize, pieces: usize) {
        self.messages.truncate(messages);
        self.pieces.pieces.truncate(pieces);
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
