//! Sends the plain history without its oldest tool results once a request is large. Anthropic's API calls this context editing.

use crate::draft::RequestDraft;
use crate::gauge::SizedRequest;
use crate::history::View;
use crate::masking::{KEEP_END, KEEP_START, Masking, can_be_masked, is_of_tool};
use crate::options::{CountOption, FlagOption, NamesOption, Options, SizeOption, TOKENS_OF_TRIGGER, Trigger};
use crate::severity::{Kind, Severity};
use crate::shown_turns::ShownTurns;
use crate::strategy::{BuiltIn, Form};
use conversation::Turn;
use ecow::EcoString;

/// Default trigger in tokens. This and the 3 results kept are the defaults of Anthropic's `clear_tool_uses_20250919`.
const USUAL_TRIGGER: u64 = 100_000;
const KEEP: CountOption = CountOption::new("keep", 3, 0, "most recent results that are kept");
const KEEP_TOKENS: SizeOption = SizeOption {
    name: "keep_tokens",
    doc: "more recent results are kept as long as all have no more tokens",
};
const CLEAR_AT_LEAST: SizeOption =
    SizeOption { name: "clear_at_least", doc: "fewest tokens that are left out at a time" };
const EXCLUDE_TOOLS: NamesOption =
    NamesOption { name: "exclude_tools", doc: "tools whose results always stay" };
const TO_FILE: FlagOption = FlagOption {
    name: "to_file",
    default: false,
    doc: "results that are left out go to files, which the agent can read",
};
const EVERY_REQUEST: FlagOption = FlagOption {
    name: "every_request",
    default: false,
    doc: "results are left out before every request, as long as the whole history is above the trigger",
};
const CLEAR_TOOL_INPUTS: FlagOption = FlagOption {
    name: "clear_tool_inputs",
    default: false,
    doc: "the inputs of their calls are left out too",
};

/// `clear-tool-results`
pub const CLEAR_TOOL_RESULTS: BuiltIn = BuiltIn {
    name: "clear-tool-results",
    doc: "full-history without its oldest results once it is large",
    form: Form::Native,
    options: &[
        KEEP.row(),
        KEEP_TOKENS.row(),
        CLEAR_AT_LEAST.row(),
        EXCLUDE_TOOLS.row(),
        KEEP_START.row(),
        KEEP_END.row(),
        TO_FILE.row(),
        CLEAR_TOOL_INPUTS.row(),
        EVERY_REQUEST.row(),
        TOKENS_OF_TRIGGER.row(),
    ],
    severity: Some(severity),
    render,
};

fn severity(options: &Options) -> Severity {
    let kind = if options.flag(&EVERY_REQUEST) { Kind::Masking } else { Kind::MaskingInBatches };
    match options.size(&KEEP_TOKENS) {
        0 => Severity::keeping(kind, options.get(&KEEP)),
        _ => Severity::by_size(kind),
    }
}

/// The turns of the newest request, and the clearing up to it.
#[derive(Default)]
struct Cleared {
    turns: ShownTurns,
    /// Number of cleared results in `turns`.
    results: usize,
    /// Number of turns up to the last one with a cleared result.
    settled: usize,
    clearing: Clearing,
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    view.carry(|state: &mut Cleared| {
        state.clearing.see_turns(view, options);
        state.clear_results(view, masking_of(options));
        state.turns.push_rest(view);
        let mut request = view.request_of(&mut state.turns);
        if state.settled > 0 {
            request.settle_at(&state.turns, state.settled, 0);
        }
        request
    })
}

impl Cleared {
    /// Masks the newly cleared results.
    fn clear_results(&mut self, view: &View<'_>, masking: Masking) {
        let Cleared { turns, results, settled, clearing } = self;
        let newly = &clearing.results[*results..clearing.cleared];
        let (Some(first), Some(last)) = (newly.first(), newly.last()) else { return };
        turns.truncate(first.turn);
        // The turn of the first one may have results that were cleared earlier.
        let start = clearing.results.partition_point(|result| result.turn < first.turn);
        let mut by_turn = clearing.results[start..clearing.cleared]
            .chunk_by(|result, next| result.turn == next.turn)
            .peekable();
        let from = turns.len();
        for (index, (turn, exchange)) in (from..=last.turn).zip(view.exchanges(from)) {
            let of_turn = by_turn.next_if(|results| results.iter().any(|result| result.turn == index));
            let mut cleared = Vec::new();
            for result in of_turn.unwrap_or_default() {
                if result.removed > 0 {
                    cleared.push(result.reply);
                }
            }
            if cleared.is_empty() {
                turns.push_whole(turn, exchange);
            } else {
                turns.push(&masking.masked(view, turn, exchange, |reply| cleared.contains(&reply)));
                *settled = index + 1;
            }
        }
        *results = clearing.cleared;
    }
}

fn masking_of(options: &Options) -> Masking {
    Masking {
        keep_start: options.size(&KEEP_START),
        keep_end: options.size(&KEEP_END),
        to_file: options.flag(&TO_FILE),
        inputs: options.flag(&CLEAR_TOOL_INPUTS),
    }
}

/// A tool result.
struct ToolResult {
    /// Index of its turn.
    turn: usize,
    /// Index among the replies of the turn.
    reply: usize,
    /// Its tokens, including the chat format's overhead.
    size: u64,
    /// Tokens saved by clearing it; 0 for results never cleared.
    removed: u64,
}

/// The results of a turn, in order.
fn clearable_results<'t>(
    index: usize,
    turn: &'t Turn,
    sizes: &'t [u64],
    excluded: &'t [EcoString],
    masking: Masking,
) -> impl Iterator<Item = ToolResult> + 't {
    let replies = (0..turn.replies.len()).filter(|reply| can_be_masked(turn, *reply));
    replies.map(move |reply| {
        let size = sizes[reply + 1];
        let stays = is_of_tool(turn, reply, excluded);
        let masked_size = masking.tokens(size, turn.replies[reply].message.content.len());
        let inputs = if masking.inputs { input_tokens(turn, sizes[0], reply) } else { 0 };
        // Keep a result and its call's inputs if clearing the result would not make it shorter.
        let removed = if stays || size <= masked_size { 0 } else { size - masked_size + inputs };
        ToolResult { turn: index, reply, size, removed }
    })
}

/// Estimated tokens of the inputs of a reply's call: their share of the answer's length. Exact counts would need the answer without them,
/// for each call.
fn input_tokens(turn: &Turn, answer: u64, reply: usize) -> u64 {
    let calls = turn.answer.calls();
    let id = turn.replies.get(reply).and_then(|reply| reply.message.result_of());
    let inputs = calls.iter().find(|call| Some(&call.id) == id).map_or(0, |call| call.arguments.len());
    let all = turn.answer.content.len() + calls.iter().map(|call| call.arguments.len()).sum::<usize>();
    answer.saturating_mul(inputs as u64) / (all.max(1) as u64)
}

/// Decides, turn by turn, how many results are cleared. Results are in order, so a count of results is also an index.
#[derive(Default)]
struct Clearing {
    results: Vec<ToolResult>,
    /// Number of turns so far.
    completed: usize,
    /// Tokens of these turns, and tokens saved by all clearing so far.
    whole: u64,
    saved: u64,
    /// Number of results before the recent ones kept by `keep_tokens`, and the tokens of the recent ones.
    before_recent: usize,
    recent_tokens: u64,
    /// Number of cleared results.
    cleared: usize,
    /// Number of results old enough to be cleared.
    old: usize,
    /// Tokens saved by clearing the remaining old results.
    removable: u64,
}

impl Clearing {
    /// Includes all turns of the view.
    fn see_turns(&mut self, view: &View<'_>, options: &Options) {
        let (masking, excluded) = (masking_of(options), options.names(&EXCLUDE_TOOLS));
        let idle = options.trigger();
        // A trigger on turns alone fires before anything is cleared, so 0 is right. With only a pause in the trigger, size never fires.
        let without_tokens = match idle {
            trigger if trigger == Trigger::default() => USUAL_TRIGGER,
            trigger if trigger.is_idle_only() => u64::MAX,
            _ => 0,
        };
        let trigger = options.tokens_of(idle).unwrap_or(without_tokens);
        // By default, clearing must still save something.
        let least = (options.size(&CLEAR_AT_LEAST) as u64).max(1);
        let is_by_whole = options.flag(&EVERY_REQUEST);
        let start = view.start_tokens();
        for (turn, exchange) in view.exchanges(self.completed) {
            let sizes = view.sizes(exchange);
            self.whole += sizes.iter().sum::<u64>();
            self.add_turn(clearable_results(self.completed, turn, sizes, excluded, masking), options);
            let saved = if is_by_whole { 0 } else { self.saved };
            let counted = (start + self.whole).saturating_sub(saved);
            let request = SizedRequest { completed: self.completed, counted, first: 0, shortened_at: None };
            let size = view.trigger_size(options, request);
            let is_due = size > trigger || idle.is_idle(view.pause_after(self.completed), size);
            if is_due && self.removable >= least {
                self.clear_older();
            }
        }
    }

    /// Adds the results of the next turn. Earlier ones may become old enough to be cleared.
    fn add_turn(&mut self, results: impl Iterator<Item = ToolResult>, options: &Options) {
        let (keep, keep_tokens) = (options.get(&KEEP), options.size(&KEEP_TOKENS) as u64);
        self.completed += 1;
        for result in results {
            self.recent_tokens += result.size;
            self.results.push(result);
        }
        while self.recent_tokens > keep_tokens && self.before_recent < self.results.len() {
            self.recent_tokens -= self.results[self.before_recent].size;
            self.before_recent += 1;
        }
        let old = self.results.len().saturating_sub(keep).min(self.before_recent).max(self.old);
        self.removable += self.results[self.old..old].iter().map(|result| result.removed).sum::<u64>();
        self.old = old;
    }

    /// Clears all old results.
    fn clear_older(&mut self) {
        self.cleared = self.old;
        self.saved += std::mem::take(&mut self.removable);
    }
}
