//! Costs of the requests of a strategy.

use super::measured::{Gauges, MeasuredRun};
use super::requests::{Requests, SentRequest};
use crate::agent::{Pauses, Role};
use crate::compression::RequestBorder;
use crate::messages::{MessageId, Table};
use ptc_tokens::{Border, Key, Ledger, Price, Sent, TimeSpan};
use xxhash_rust::xxh3::xxh3_64;

/// The identity and the tokens of a part of a request that a provider caches as a whole.
type Block = (u64, u32);

/// The number of the block of declared tools.
const TOOLS: u64 = 0;

/// Adds the bills of all models to the measured requests of a run.
pub fn charge(
    run: &mut MeasuredRun,
    table: &Table,
    requests: &Requests,
    gauges: &Gauges<'_>,
    tools_tokens: u32,
    pauses: &Pauses,
) {
    if gauges.models.is_empty() {
        return;
    }
    // The models of one time share a ledger.
    let mut ledgers: Vec<(Option<TimeSpan>, Ledger)> = Vec::new();
    for ttl in gauges.models.iter().map(|price| ttl_of(price, pauses)) {
        if ledgers.iter().all(|(known, _)| *known != ttl) {
            ledgers.push((ttl, Ledger::new(ttl)));
        }
    }
    let mut blocks = Blocks::new(tools_tokens);
    let mut measured = run.requests.iter();
    requests.map(|request, messages, _| {
        let Some(measured) = measured.next() else { return };
        let (kept, borders) = blocks.set(table, request, messages);
        let sent = Sent {
            blocks: &blocks.blocks,
            kept,
            borders: &borders,
            prefix_tokens: measured.prefix_tokens,
            input_tokens: measured.input_tokens,
            output_tokens: measured.output_tokens,
            pause: pauses.before(measured.turn),
            duration: pauses.answering(measured.turn),
        };
        ledgers.iter_mut().for_each(|(_, ledger)| ledger.add(sent));
    });
    for price in gauges.models {
        let ttl = ttl_of(price, pauses);
        let Some((_, ledger)) = ledgers.iter().find(|(known, _)| *known == ttl) else { continue };
        let (bills, other_costs) = ledger.bills(price, gauges.warm_system);
        run.other_costs.push(other_costs);
        run.requests.iter_mut().zip(bills).for_each(|(request, bill)| request.bills.push(bill));
    }
}

/// The time for which a model's cache keeps its entries in a run; none if the run has no pauses.
fn ttl_of(price: &Price, pauses: &Pauses) -> Option<TimeSpan> {
    price.ttl.filter(|_| pauses.are_known())
}

/// The newest request as blocks.
struct Blocks {
    blocks: Vec<Block>,
    /// Number of blocks before each message, and of all.
    before: Vec<usize>,
    /// Borders inside messages, each of which cuts one.
    cuts: Vec<RequestBorder>,
}

impl Blocks {
    /// The declared tools, which stand before all messages.
    fn new(tools_tokens: u32) -> Blocks {
        let tools = (tools_tokens > 0).then_some((TOOLS, tools_tokens));
        let blocks: Vec<Block> = tools.into_iter().collect();
        Blocks { before: vec![blocks.len()], blocks, cuts: Vec::new() }
    }

    /// Cuts the next request. Returns how many blocks are those of the request before, and the borders by the number of
    /// blocks before each.
    fn set(
        &mut self,
        table: &Table,
        request: &SentRequest,
        messages: &[MessageId],
    ) -> (usize, Vec<(Border, usize)>) {
        let cuts: Vec<RequestBorder> =
            request.borders.iter().filter(|border| border.bytes > 0).copied().collect();
        // A message that both requests have may be cut elsewhere now.
        let equal = self.cuts.iter().zip(&cuts).take_while(|(before, now)| before == now).count();
        let changed = [&self.cuts, &cuts].into_iter().filter_map(|cuts| cuts.get(equal));
        let changed = changed.map(|border| border.messages).min().unwrap_or(usize::MAX);
        let kept = request.kept.min(changed);
        self.before.truncate(kept + 1);
        let kept_blocks = self.before.last().copied().unwrap_or(0);
        self.blocks.truncate(kept_blocks);
        for (index, id) in messages.iter().enumerate().skip(kept) {
            self.add(table, *id, cuts.iter().filter(|border| border.messages == index));
            self.before.push(self.blocks.len());
        }
        self.cuts = cuts;
        let borders = request.borders.iter().map(|border| (border.kind, self.place(border)));
        (kept_blocks, borders.collect())
    }

    fn add<'b>(&mut self, table: &Table, id: MessageId, cuts: impl Iterator<Item = &'b RequestBorder>) {
        let mut ends = cuts.map(|border| border.bytes as usize).peekable();
        match ends.peek() {
            None => self.blocks.push((block_of(table, id), table.row(id).tokens())),
            Some(_) => self.blocks.extend(cut(table, id, ends)),
        }
    }

    /// Number of blocks before a border.
    fn place(&self, border: &RequestBorder) -> usize {
        let Some(&before) = self.before.get(border.messages) else { return self.blocks.len() };
        let cuts = self.cuts.iter().filter(|cut| cut.messages == border.messages);
        before + cuts.take_while(|cut| cut.bytes <= border.bytes).count()
    }
}

/// The number of a whole message as a block. A message of text has that of its text, since a part of another message may
/// be the same block.
fn block_of(table: &Table, id: MessageId) -> u64 {
    let row = table.row(id);
    if row.is_text() { number_of(row.role, row.text) } else { id.index() as u64 + 1 }
}

fn number_of(role: Role, text: Key) -> u64 {
    xxh3_64(&text.to_bytes()) ^ role as u64
}

/// The blocks of a message that borders cut at these bytes of its text. Tokens of a piece that is cut count after the border;
/// what the chat format adds, and images, count with the first block.
fn cut(table: &Table, id: MessageId, ends: impl Iterator<Item = usize>) -> Vec<Block> {
    let (row, text) = (table.row(id), table.text(id));
    let mut pieces = table.texts(id).peekable();
    // Bytes and tokens of the pieces before the border, and tokens that no block has yet.
    let (mut before, mut of_text) = (0, table.texts(id).map(|(_, tokens)| tokens).sum::<u32>());
    let (mut start, mut left) = (0, row.tokens());
    // A border lies where a part of the message begins, so it cuts no character.
    let block = |from: usize, to: usize| number_of(row.role, Key::of(&text[from..to]));
    let mut blocks = Vec::new();
    for end in ends {
        while let Some((piece, tokens)) = pieces.next_if(|(piece, _)| before + piece.len() <= end) {
            (before, of_text) = (before + piece.len(), of_text.saturating_sub(tokens));
        }
        blocks.push((block(start, end), left.saturating_sub(of_text)));
        (start, left) = (end, of_text);
    }
    blocks.push((block(start, text.len()), left));
    blocks
}
