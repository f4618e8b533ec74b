//! Observation masking that saves money with a prompt cache. Old observations are kept until carrying them has cost as much as removing
//! them will. Then all are removed at once, and the prefix is unchanged until the next time. This is the rule of the ski rental problem:
//! the cost is never far from the optimal schedule's. After a pause long enough for the cache to expire, all are removed for free, since
//! the whole request is uncached anyway.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::masking::{MASKED_TOKENS, can_be_masked, masked};
use crate::options::{CountOption, FactorOption, Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, WordOption};
use crate::severity::{Kind, Severity};
use crate::strategy::{BuiltIn, Form};
use crate::turn_memo::LeftOfTurn;
use crate::turn_summary::summarize_turn;
use conversation::Turn;

const KEEP_RECENT_TURNS: CountOption =
    CountOption::new("keep_recent_turns", 5, 1, "most recent turns that are kept");
// The defaults match 23 of the 30 Anthropic rows in the price table.
const READ: FactorOption = FactorOption {
    name: "read",
    default: 0.1,
    doc: "price of a cached input token as a share of a fresh one",
};
const WRITE: FactorOption = FactorOption {
    name: "write",
    default: 1.25,
    doc: "price of an input token that is written to the cache as a share of a fresh one",
};
const TTL: CountOption =
    CountOption::new("ttl", 300, 0, "seconds for which the cache keeps what was sent last; 0: for ever");
const INTO: WordOption = WordOption {
    name: "into",
    default: MASK,
    others: &[SUMMARY],
    doc: "what takes the place of old turns: mask or summary",
};
const MASK: &str = "mask";
const SUMMARY: &str = "summary";

/// `fold`
pub const FOLD: BuiltIn = BuiltIn {
    name: "fold",
    doc: "masks old tool results in batches, when that saves money",
    form: Form::Native,
    options: &[
        KEEP_RECENT_TURNS.row(),
        READ.row(),
        WRITE.row(),
        TTL.row(),
        INTO.row(),
        SAMPLE_LIMIT.row(),
        SAMPLE_PRINTABLE_LIMIT.row(),
    ],
    severity: Some(severity),
    render,
};

fn severity(options: &Options) -> Severity {
    Severity::keeping(Kind::MaskingInBatches, options.get(&KEEP_RECENT_TURNS))
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let into_summary = options.word(&INTO) == SUMMARY;
    let folded = folded(&turn_sizes(view, options, into_summary), view, options);
    let mut request = view.start();
    for (index, (turn, exchange)) in view.exchanges(0).take(folded).enumerate() {
        view.add_instead(index, LeftOfTurn::default(), &mut request, || {
            if into_summary {
                summarize_turn(view, index, options)
            } else {
                let sizes = view.sizes(exchange);
                masked(view, turn, exchange, |index| is_large(sizes, index))
            }
        });
    }
    request.settle(0);
    view.add_whole(folded, &mut request);
    request
}

/// Returns true if masking the reply at this index makes it smaller. In `sizes`, the answer comes before the replies.
fn is_large(sizes: &[u64], index: usize) -> bool {
    sizes.get(index + 1).is_some_and(|tokens| *tokens > MASKED_TOKENS)
}

/// Tokens of one turn.
struct TurnSize {
    /// Tokens of the whole turn.
    whole: u64,
    /// Tokens saved by folding.
    removed: u64,
    /// Tokens before the first message changed by folding.
    unchanged: u64,
}

fn turn_sizes(view: &View<'_>, options: &Options, into_summary: bool) -> Vec<TurnSize> {
    let mut turns = Vec::with_capacity(view.completed());
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let sizes = view.sizes(exchange);
        turns.push(if into_summary {
            let mut summary = RequestDraft::default();
            let write = || summarize_turn(view, index, options);
            view.add_instead(index, LeftOfTurn::default(), &mut summary, write);
            let whole: u64 = sizes.iter().sum();
            TurnSize { whole, removed: whole.saturating_sub(view.tokens(&summary.messages)), unchanged: 0 }
        } else {
            masked_size(turn, sizes)
        });
    }
    turns
}

/// Number of folded turns in the request after all turns.
fn folded(turns: &[TurnSize], view: &View<'_>, options: &Options) -> usize {
    let (keep, ttl) = (options.get(&KEEP_RECENT_TURNS), options.get(&TTL) as u64 * 1000);
    let is_expired = |completed: usize| ttl > 0 && view.pause_after(completed) > ttl;
    let (read, write) = (options.factor(&READ), options.factor(&WRITE));
    // Turns before the border are folded. `first` is the first later turn that folding would change.
    let (mut border, mut first) = (0, 0);
    // Tokens saved by folding the old turns after the border, and tokens from the first of these turns on.
    let (mut removable, mut from_first) = (0, 0);
    // The cost of carrying the removable tokens since the border moved.
    let mut rent = 0.0;
    for (completed, newest) in (1_usize..).zip(turns) {
        from_first += newest.whole;
        let old = completed.saturating_sub(keep);
        if let Some(newly_old) = old.checked_sub(1).map(|last| &turns[last]) {
            removable += newly_old.removed;
        }
        while first < old && turns[first].removed == 0 {
            from_first -= turns[first].whole;
            first += 1;
        }
        if first >= old {
            continue;
        }
        rent += read * removable as f64;
        // The newest turn is a cache write in any case, and everything before the first change a cache read.
        let after_folding = from_first - removable;
        let sent_again = after_folding.saturating_sub(turns[first].unchanged).saturating_sub(newest.whole);
        if rent >= (write - read) * sent_again as f64 || is_expired(completed) {
            from_first -= turns[first..old].iter().map(|turn| turn.whole).sum::<u64>();
            (border, first, removable, rent) = (old, old, 0, 0.0);
        }
    }
    border
}

/// The size of a turn if its large observations are masked.
fn masked_size(turn: &Turn, sizes: &[u64]) -> TurnSize {
    let mut size = TurnSize { whole: 0, removed: 0, unchanged: 0 };
    // The answer comes before the replies and is never masked.
    for (message, tokens) in sizes.iter().enumerate() {
        let reply = message.checked_sub(1);
        if reply.is_some_and(|reply| is_large(sizes, reply) && can_be_masked(turn, reply)) {
            if size.removed == 0 {
                size.unchanged = size.whole;
            }
            size.removed += tokens - MASKED_TOKENS;
        }
        size.whole += tokens;
    }
    size
}
