//! Splits requests into the blocks cached by providers.

use crate::charge::SizedRun;
use crate::sizes::Sizes;
use conversation::{MessageId, Role, Table};
use history_strategies::RequestBorder;
use ptc_prices::Border;
use ptc_tokens::Key;
use xxhash_rust::xxh3::xxh3_64;

/// Identity and token count of a part of a request, cached as a whole.
pub type Block = (u64, u32);

/// Identity of the block of tool declarations.
const TOOLS: u64 = 0;
/// Identity of the unlogged block, such as the system prompt.
const UNLOGGED: u64 = u64::MAX;
/// Set in the identity of an answer sent with its reasoning, to distinguish it from the answer without.
const REASONING: u64 = 1 << 63;

/// The newest request as blocks.
pub struct Blocks<'c> {
    run: &'c SizedRun<'c>,
    pub blocks: Vec<Block>,
    /// Number of blocks before each message, then of all blocks.
    before: Vec<usize>,
    /// Borders inside messages. Each splits one message.
    cuts: Vec<RequestBorder>,
}

impl<'c> Blocks<'c> {
    /// Starts with the blocks before all messages: unlogged tokens and tool declarations.
    pub fn new(run: &'c SizedRun<'c>, unlogged: u32, tools: u32) -> Blocks<'c> {
        let blocks: Vec<Block> =
            [(UNLOGGED, unlogged), (TOOLS, tools)].into_iter().filter(|(_, tokens)| *tokens > 0).collect();
        Blocks { run, before: vec![blocks.len()], blocks, cuts: Vec::new() }
    }

    /// Tokens of the first blocks plus `more`; 0 if there are no blocks.
    pub fn tokens(&self, blocks: usize, more: u32) -> u32 {
        let Some(blocks @ [_, ..]) = self.blocks.get(..blocks) else { return 0 };
        let mut sum = more;
        for (_, tokens) in blocks {
            sum = sum.saturating_add(*tokens);
        }
        sum
    }

    /// Splits the next request at its borders. Its first `kept` messages are those of the previous request. Returns the
    /// number of blocks shared with the previous request, and each border with the number of blocks before it.
    pub fn cut_at(
        &mut self,
        turn: u32,
        borders: &[RequestBorder],
        kept: usize,
        messages: &[MessageId],
    ) -> (usize, Vec<(Border, usize)>) {
        let cuts: Vec<RequestBorder> = borders.iter().filter(|border| border.bytes > 0).copied().collect();
        // A message of both requests may be split elsewhere now.
        let equal = self.cuts.iter().zip(&cuts).take_while(|(before, now)| before == now).count();
        let mut kept = kept;
        for changed in [self.cuts.get(equal), cuts.get(equal)].into_iter().flatten() {
            kept = kept.min(changed.messages);
        }
        self.before.truncate(kept + 1);
        let kept_blocks = self.before.last().copied().unwrap_or(0);
        self.blocks.truncate(kept_blocks);
        for (index, id) in messages.iter().enumerate().skip(kept) {
            self.add_message(turn, *id, cuts.iter().filter(|border| border.messages == index));
            self.before.push(self.blocks.len());
        }
        self.cuts = cuts;
        let borders = borders.iter().map(|border| (border.kind, self.blocks_before(border)));
        (kept_blocks, borders.collect())
    }

    fn add_message<'b>(&mut self, turn: u32, id: MessageId, cuts: impl Iterator<Item = &'b RequestBorder>) {
        let (table, sizes) = (self.run.sent.table, self.run.sizes);
        let mut ends = cuts.map(|border| border.bytes as usize).peekable();
        match (sizes.with_reasoning(id, turn), ends.peek()) {
            (Some(answer), _) => self.blocks.push((block_of(table, id) ^ REASONING, answer.tokens)),
            (None, None) => self.blocks.push((block_of(table, id), sizes.size_of(table, id, turn))),
            (None, Some(_)) => self.blocks.extend(cut_message(table, sizes, (id, turn), ends)),
        }
    }

    /// Number of blocks before a border.
    fn blocks_before(&self, border: &RequestBorder) -> usize {
        let Some(&before) = self.before.get(border.messages) else { return self.blocks.len() };
        let cuts = self.cuts.iter().filter(|cut| cut.messages == border.messages);
        before + cuts.take_while(|cut| cut.bytes <= border.bytes).count()
    }
}

/// The identity of a whole message. Text messages are identified by their text, because a part of another message may be the
/// same block.
fn block_of(table: &Table, id: MessageId) -> u64 {
    let row = table.row(id);
    if row.is_text() { number_of(row.role, row.text) } else { id.index() as u64 + 1 }
}

fn number_of(role: Role, text: Key) -> u64 {
    xxh3_64(&text.to_bytes()) ^ role as u64
}

/// The blocks of a message split at these bytes of its text. The tokens of a split piece count after the border. The overhead
/// of the chat format, and images, count in the first block.
fn cut_message(
    table: &Table,
    sizes: &Sizes,
    (id, turn): (MessageId, u32),
    ends: impl Iterator<Item = usize>,
) -> Vec<Block> {
    let (row, text) = (table.row(id), table.text(id));
    let mut pieces = table.pieces(id).peekable();
    // Bytes of the pieces before the border, and tokens of those after it.
    let (mut before, mut of_text) = (0, table.pieces(id).map(|piece| table.piece_tokens(piece)).sum::<u32>());
    // First byte of the next block, and the tokens from there on.
    let (mut start, mut left) = (0, row.tokens());
    // Borders lie between parts of a message, so slicing there is safe in UTF-8.
    let mut blocks = Vec::new();
    for end in ends {
        while let Some(piece) = pieces.next_if(|piece| before + table.piece_bytes(*piece) <= end) {
            before += table.piece_bytes(piece);
            of_text = of_text.saturating_sub(table.piece_tokens(piece));
        }
        let tokens = sizes.scaled(left, turn).saturating_sub(sizes.scaled(of_text, turn));
        blocks.push((number_of(row.role, Key::of(&text[start..end])), tokens));
        (start, left) = (end, of_text);
    }
    blocks.push((number_of(row.role, Key::of(&text[start..])), sizes.scaled(left, turn)));
    blocks
}
