//! Observation masking that saves money where requests are cached. Old observations stay until carrying them has cost
//! as much as leaving them out will: then all are left out at once, and the prefix stays the same until the next time.
//! This is the rule of the ski rental problem: the cost is never far from that of the best schedule. After a pause in which the
//! cache has expired everything is sent afresh anyway, so then all are left out at no cost.

use crate::agent::Turn;
use crate::compression::draft::RequestDraft;
use crate::compression::history::{Exchange, View};
use crate::compression::masking::{MASKED_TOKENS, can_be_masked, masked};
use crate::compression::options::{
    CountOption, FactorOption, Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, WordOption,
};
use crate::compression::strategy::{BuiltIn, Form};
use crate::compression::turn_memo::LeftOfTurn;
use crate::compression::turn_summary::summary_of;

const KEEP_RECENT_TURNS: CountOption =
    CountOption::new("keep_recent_turns", 5, 1, "most recent turns that are kept");
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
    doc: "full-history that leaves out old feedback when that saves money",
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
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let into_summary = options.word(&INTO) == SUMMARY;
    let folded = Schedule::new(view, options, into_summary).folded(view, options);
    let mut request = view.start();
    for (index, (turn, exchange)) in view.exchanges(0).take(folded).enumerate() {
        view.add_instead(index, LeftOfTurn::default(), &mut request, || {
            if into_summary {
                summary_of(view, turn, exchange, options)
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

/// Returns true if masking the reply at this index makes it smaller. The answer has the first size.
fn is_large(sizes: &[u64], index: usize) -> bool {
    sizes.get(index + 1).is_some_and(|tokens| *tokens > MASKED_TOKENS)
}

/// Sizes of the turns of a view, as running sums: entry `k` is the sum over the first `k` turns.
struct Schedule {
    /// Tokens of whole turns.
    whole: Vec<u64>,
    /// Tokens that folding removes.
    removed: Vec<u64>,
    /// Tokens of each turn before the first one that folding changes.
    unchanged: Vec<u64>,
}

impl Schedule {
    fn new(view: &View<'_>, options: &Options, into_summary: bool) -> Schedule {
        let mut schedule = Schedule { whole: vec![0], removed: vec![0], unchanged: Vec::new() };
        for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
            let sizes = view.sizes(exchange);
            let whole = sizes.iter().sum();
            let (removed, unchanged) = if into_summary {
                let mut summary = RequestDraft::default();
                let write = || summary_of(view, turn, exchange, options);
                view.add_instead(index, LeftOfTurn::default(), &mut summary, write);
                (u64::saturating_sub(whole, view.tokens(&summary.messages)), 0)
            } else {
                masking(turn, exchange, sizes)
            };
            schedule.whole.push(schedule.whole.last().unwrap_or(&0) + whole);
            schedule.removed.push(schedule.removed.last().unwrap_or(&0) + removed);
            schedule.unchanged.push(unchanged);
        }
        schedule
    }

    /// Number of turns that are folded in the request after all turns.
    fn folded(&self, view: &View<'_>, options: &Options) -> usize {
        let (keep, ttl) = (options.get(&KEEP_RECENT_TURNS), options.get(&TTL) as u64 * 1000);
        let is_expired = |completed: usize| ttl > 0 && view.pause_after(completed) > ttl;
        let (read, write) = (options.factor(&READ), options.factor(&WRITE));
        let between = |sums: &[u64], from: usize, to: usize| {
            sums.get(to).zip(sums.get(from)).map_or(0, |(to, from)| to - from)
        };
        // Turns before the border are folded; the first after it of which folding removes anything.
        let (mut border, mut first, mut carried) = (0, 0, 0.0);
        for completed in 1..self.whole.len() {
            let old = completed.saturating_sub(keep);
            let removed = between(&self.removed, border, old.max(border));
            while first < old && between(&self.removed, first, first + 1) == 0 {
                first += 1;
            }
            if first >= old {
                continue;
            }
            carried += read * removed as f64;
            let after = between(&self.whole, first, completed) - removed;
            let new = between(&self.whole, completed - 1, completed);
            let unchanged = self.unchanged[first];
            let sent_again = after.saturating_sub(unchanged).saturating_sub(new);
            if is_expired(completed) || carried >= (write - read) * sent_again as f64 {
                (border, first, carried) = (old, old, 0.0);
            }
        }
        border
    }
}

/// Tokens that masking removes of a turn, and those before the first masked reply.
fn masking(turn: &Turn, exchange: &Exchange, sizes: &[u64]) -> (u64, u64) {
    let can_go = |index: &usize| can_be_masked(turn, *index) && is_large(sizes, *index);
    let large: Vec<usize> = (0..exchange.replies.len()).filter(can_go).collect();
    let removed = large.iter().filter_map(|index| sizes.get(index + 1)).map(|tokens| tokens - MASKED_TOKENS);
    let first = large.first().map_or(0, |index| index + 1);
    (removed.sum(), sizes.iter().take(first).sum())
}
