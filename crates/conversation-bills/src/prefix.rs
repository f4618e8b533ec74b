//! The prefix a request shares with the previous one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::sizes::{SizedRequest, Sizes};
use conversation::{MessageId, MessagePart, Table};
use history_strategies::Requests;
use ptc_tokens::{Tokenizer, common_bytes};

/// The prefix shared with the previous request, and where it ends: [`BreakAt`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prefix {
    /// Its tokens, including everything before the messages.
    pub tokens: u32,
    /// Position of the first difference.
    pub break_at: BreakAt,
}

/// Position of the first difference from the previous request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakAt {
    /// The first request, or one request is a prefix of the other.
    Nowhere,
    /// A part of a message.
    Part(MessagePart),
    /// Number of a message without parts, from 1.
    Message(u32),
}

/// Writes `none`, the name of a part, or the number of a message.
impl fmt::Display for BreakAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BreakAt::Nowhere => f.write_str("none"),
            BreakAt::Part(part) => f.write_str(part.name()),
            BreakAt::Message(number) => write!(f, "{number}"),
        }
    }
}

impl FromStr for BreakAt {
    type Err = String;

    fn from_str(text: &str) -> Result<BreakAt, String> {
        if text == BreakAt::Nowhere.to_string() {
            return Ok(BreakAt::Nowhere);
        }
        if let Some(part) = MessagePart::ALL.into_iter().find(|part| part.name() == text) {
            return Ok(BreakAt::Part(part));
        }
        match text.parse() {
            Ok(number) => Ok(BreakAt::Message(number)),
            Err(_) => Err(format!("expected a part or a message's number, found '{text}'")),
        }
    }
}

impl Serialize for BreakAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BreakAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BreakAt, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Computes each request's prefix shared with the previous request. `sized` are the sizes of the requests.
pub(crate) fn find_prefixes(
    table: &Table,
    requests: &Requests,
    sized: &[SizedRequest],
    sizes: &Sizes,
    tokenizer: &Tokenizer,
) -> Vec<Prefix> {
    let mut sized = sized.iter();
    requests.map(|request, messages, replaced| {
        let Some(SizedRequest { kept, kept_tokens, .. }) = sized.next().copied() else {
            return Prefix { tokens: 0, break_at: BreakAt::Nowhere };
        };
        if kept < request.kept() {
            // The next message is an answer that lost its reasoning. Reasoning precedes the text, so no
            // text is shared.
            return Prefix { tokens: kept_tokens, break_at: BreakAt::Message(kept as u32 + 1) };
        }
        let (Some(old), Some(new)) = (replaced.first(), messages.get(request.kept())) else {
            // No request precedes the first, so not even the tools are shared.
            let tokens = if request.kept() == 0 { 0 } else { kept_tokens };
            return Prefix { tokens, break_at: BreakAt::Nowhere };
        };
        let (shared_tokens, bytes) = shared_tokens(table, tokenizer, *old, *new);
        let break_at = match table.row(*new).part_at(bytes) {
            Some(part) => BreakAt::Part(part),
            None => BreakAt::Message(request.kept() as u32 + 1),
        };
        Prefix { tokens: kept_tokens.saturating_add(sizes.scaled(shared_tokens, request.turn)), break_at }
    })
}

/// Tokens and bytes of the common prefix of two messages; 0 if their roles differ.
fn shared_tokens(table: &Table, tokenizer: &Tokenizer, old: MessageId, new: MessageId) -> (u32, usize) {
    if table.row(old).role != table.row(new).role {
        return (0, 0);
    }
    let (mut tokens, mut bytes) = (0_u32, 0);
    for (old_piece, new_piece) in table.pieces(old).zip(table.pieces(new)) {
        if old_piece != new_piece {
            let [old_text, new_text] = [old_piece, new_piece].map(|piece| table.piece(piece));
            tokens = tokens.saturating_add(tokenizer.shared_prefix(&old_text, &new_text));
            bytes += common_bytes(&old_text, &new_text);
            break;
        }
        tokens = tokens.saturating_add(table.piece_tokens(old_piece));
        bytes += table.piece_bytes(old_piece);
    }
    (tokens, bytes)
}
