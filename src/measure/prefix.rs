//! The prefix a request shares with the previous one.

use super::measured::BreakAt;
use super::sizes::{SizedRequest, Sizes};
use conversation::{MessageId, Table};
use history_strategies::Requests;
use ptc_tokens::{Tokenizer, common_bytes};

/// The prefix shared with the previous request.
pub struct Prefix {
    pub tokens: u32,
    /// Position of the first difference.
    pub break_at: BreakAt,
}

/// Computes each request's prefix shared with the previous request. `sized` are the sizes of the requests.
pub fn prefixes(
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
