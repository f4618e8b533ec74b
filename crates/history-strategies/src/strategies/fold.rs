//! Observation masking that saves money with a prompt cache. Old observations are kept until carrying them has cost as much as removing
//! them will. Then all are removed at once, and the prefix is unchanged until the next time. This is the rule of the ski rental problem:
//! the cost is never far from the optimal schedule's. After a pause long enough for the cache to expire, all are removed for free, since
//! the whole request is uncached anyway.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::masking::{MASKED_TOKENS, can_be_masked, masked};
use crate::options::{CountOption, FactorOption, Options, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, WordOption};
use crate::severity::{Kind, Severity};
use crate::shown_turns::ShownTurns;
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
    doc: "shortens old tool results to a line, in batches, when that saves money",
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

/// The turns of the newest request, and the schedule up to it.
#[derive(Default)]
struct Folding {
    turns: ShownTurns,
    /// Number of folded turns at the start.
    folded: usize,
    schedule: Schedule,
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let into_summary = options.word(&INTO) == SUMMARY;
    view.carry(|Folding { turns, folded, schedule }| {
        schedule.move_border(view, options, into_summary);
        if schedule.border > *folded {
            turns.truncate(*folded);
            for (index, (turn, exchange)) in (*folded..schedule.border).zip(view.exchanges(*folded)) {
                let sizes = view.sizes(exchange);
                let written = match into_summary {
                    true => summary_of_turn(view, index, options),
                    false => masked(view, turn, exchange, |index| is_large(sizes, index)),
                };
                turns.push(&written);
            }
            *folded = schedule.border;
        }
        turns.push_rest(view);
        let mut request = view.request_of(turns);
        request.settle_at(turns, *folded, 0);
        request
    })
}

/// The summary of the turn at `index`, written once.
fn summary_of_turn(view: &View<'_>, index: usize, options: &Options) -> RequestDraft {
    let mut summary = RequestDraft::default();
    view.add_instead(index, LeftOfTurn::default(), &mut summary, || summarize_turn(view, index, options));
    summary
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

/// Decides, turn by turn, how many turns are folded.
#[derive(Default)]
struct Schedule {
    turns: Vec<TurnSize>,
    /// Turns before it are folded.
    border: usize,
    /// The first later turn that folding would change.
    first: usize,
    /// Tokens saved by folding the old turns after the border.
    removable: u64,
    /// Tokens from the turn `first` on.
    from_first: u64,
    /// The cost of carrying the removable tokens since the border moved.
    rent: f64,
}

impl Schedule {
    /// Includes all turns of the view.
    fn move_border(&mut self, view: &View<'_>, options: &Options, into_summary: bool) {
        let known = self.turns.len();
        for (index, (turn, exchange)) in (known..).zip(view.exchanges(known)) {
            let sizes = view.sizes(exchange);
            self.turns.push(match into_summary {
                true => {
                    let summary = summary_of_turn(view, index, options);
                    let whole: u64 = sizes.iter().sum();
                    let removed = whole.saturating_sub(view.tokens(&summary.messages));
                    TurnSize { whole, removed, unchanged: 0 }
                }
                false => masked_size(turn, sizes),
            });
            self.add_turn(view, options);
        }
    }

    /// Includes the newest turn of `turns`.
    fn add_turn(&mut self, view: &View<'_>, options: &Options) {
        let (keep, ttl) = (options.get(&KEEP_RECENT_TURNS), options.get(&TTL) as u64 * 1000);
        let (read, write) = (options.factor(&READ), options.factor(&WRITE));
        let (turns, completed) = (&self.turns, self.turns.len());
        let Some(newest) = turns.last() else { return };
        self.from_first += newest.whole;
        let old = completed.saturating_sub(keep);
        if let Some(newly_old) = old.checked_sub(1).map(|last| &turns[last]) {
            self.removable += newly_old.removed;
        }
        while self.first < old && turns[self.first].removed == 0 {
            self.from_first -= turns[self.first].whole;
            self.first += 1;
        }
        if self.first >= old {
            return;
        }
        self.rent += read * self.removable as f64;
        // The newest turn is a cache write in any case, and everything before the first change a cache read.
        let after_folding = self.from_first - self.removable;
        let unchanged = turns[self.first].unchanged;
        let sent_again = after_folding.saturating_sub(unchanged).saturating_sub(newest.whole);
        let is_expired = ttl > 0 && view.pause_after(completed) > ttl;
        if self.rent >= (write - read) * sent_again as f64 || is_expired {
            self.from_first -= turns[self.first..old].iter().map(|turn| turn.whole).sum::<u64>();
            (self.border, self.first, self.removable, self.rent) = (old, old, 0, 0.0);
        }
    }
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
