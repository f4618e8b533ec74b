//! Sends the plain history without its oldest tool results once a request is large. Anthropic's API calls this context editing.

use crate::draft::RequestDraft;
use crate::gauge::SizedRequest;
use crate::history::View;
use crate::masking::{Masking, can_be_masked};
use crate::options::{CountOption, FlagOption, NamesOption, Options, SizeOption, TOKENS_OF_TRIGGER, Trigger};
use crate::severity::{Kind, Severity};
use crate::strategy::{BuiltIn, Form};
use crate::turn_memo::LeftOfTurn;
use conversation::{ReplyKind, Turn};
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
const KEEP_START: SizeOption =
    SizeOption { name: "keep_start", doc: "characters that stay of the start of a result that is left out" };
const KEEP_END: SizeOption =
    SizeOption { name: "keep_end", doc: "characters that stay of the end of a result that is left out" };
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

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let masking = masking(options);
    let results = results(view, options.names(&EXCLUDE_TOOLS), masking);
    let cleared = &results[..cleared(view, &results, options)];
    let mut by_turn = cleared.chunk_by(|result, next| result.turn == next.turn).peekable();
    let mut request = view.start();
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let results = by_turn.next_if(|results| results.iter().any(|result| result.turn == index));
        let is_cleared =
            |reply| results.into_iter().flatten().any(|result| result.reply == reply && result.removed > 0);
        let left = (0..turn.replies.len()).filter(|reply| !is_cleared(*reply)).count();
        if left < turn.replies.len() {
            // A turn's oldest results are cleared first, so the number of uncleared ones identifies the state.
            let left = LeftOfTurn { prints: left, ..LeftOfTurn::default() };
            view.add_instead(index, left, &mut request, || masking.masked(view, turn, exchange, is_cleared));
            request.settle(0);
        } else {
            exchange.add_whole(turn, &mut request);
        }
    }
    request
}

fn masking(options: &Options) -> Masking {
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

/// All results of a view, in order.
fn results(view: &View<'_>, excluded: &[EcoString], masking: Masking) -> Vec<ToolResult> {
    let mut results = Vec::new();
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let sizes = view.sizes(exchange);
        for reply in (0..turn.replies.len()).filter(|reply| can_be_masked(turn, *reply)) {
            let size = sizes[reply + 1];
            // Check this first: a run of 10,000 turns gets here 100 million times.
            let stays = !excluded.is_empty() && is_of_tool(turn, reply, excluded);
            let masked_size = masking.tokens(size, turn.replies[reply].message.content.len());
            let inputs = if masking.inputs { input_tokens(turn, sizes[0], reply) } else { 0 };
            // Keep a result and its call's inputs if clearing the result would not make it shorter.
            let removed = if stays || size <= masked_size { 0 } else { size - masked_size + inputs };
            results.push(ToolResult { turn: index, reply, size, removed });
        }
    }
    results
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

/// Returns true if a reply is a result of one of these tools: of its own call, or of any call in a program.
fn is_of_tool(turn: &Turn, reply: usize, tools: &[EcoString]) -> bool {
    let has = |name: &EcoString| tools.contains(name);
    let Some(reply) = turn.replies.get(reply) else { return false };
    if reply.kind == ReplyKind::Feedback {
        return turn.calls.iter().any(|call| has(&call.name));
    }
    let id = reply.message.result_of();
    turn.answer.calls().iter().any(|call| Some(&call.id) == id && has(&call.name))
}

/// Number of cleared results in the request after all turns.
fn cleared(view: &View<'_>, results: &[ToolResult], options: &Options) -> usize {
    let trigger = options.trigger();
    let idle = trigger;
    // A trigger on turns alone fires before anything is cleared, so 0 is right. With only a pause in the trigger, size never fires.
    let without_tokens = match trigger {
        trigger if trigger == Trigger::default() => USUAL_TRIGGER,
        trigger if trigger.is_idle_only() => u64::MAX,
        _ => 0,
    };
    let trigger = options.tokens_of(trigger).unwrap_or(without_tokens);
    // By default, clearing must still save something.
    let least = (options.size(&CLEAR_AT_LEAST) as u64).max(1);
    let is_by_whole = options.flag(&EVERY_REQUEST);
    let mut clearing = Clearing::new(results, options);
    // Tokens of the request as sent, and of the `full-history` request.
    let (mut sent, mut whole) = (view.start_tokens(), view.start_tokens());
    for (index, (_, exchange)) in view.exchanges(0).enumerate() {
        let of_turn = view.sizes(exchange).iter().sum::<u64>();
        (sent, whole) = (sent + of_turn, whole + of_turn);
        clearing.add_turn(index);
        let counted = if is_by_whole { whole } else { sent };
        let request = SizedRequest { completed: index + 1, counted, first: 0, shortened_at: None };
        let size = view.trigger_size(options, request);
        let is_due = size > trigger || idle.is_idle(view.pause_after(index + 1), size);
        if is_due && clearing.removable >= least {
            sent -= clearing.clear();
        }
    }
    clearing.cleared
}

/// The state of clearing, turn by turn. Results are in order, so a count of results is also an index.
struct Clearing<'r> {
    results: &'r [ToolResult],
    /// Number of recent results to keep, and most tokens of further ones to keep.
    keep: usize,
    keep_tokens: u64,
    /// Number of results so far.
    made: usize,
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

impl<'r> Clearing<'r> {
    fn new(results: &'r [ToolResult], options: &Options) -> Clearing<'r> {
        Clearing {
            results,
            keep: options.get(&KEEP),
            keep_tokens: options.size(&KEEP_TOKENS) as u64,
            made: 0,
            before_recent: 0,
            recent_tokens: 0,
            cleared: 0,
            old: 0,
            removable: 0,
        }
    }

    /// Adds the results of a turn. Earlier ones may become old enough to be cleared.
    fn add_turn(&mut self, turn: usize) {
        while let Some(result) = self.results.get(self.made).filter(|result| result.turn == turn) {
            self.recent_tokens += result.size;
            self.made += 1;
        }
        while self.recent_tokens > self.keep_tokens && self.before_recent < self.made {
            self.recent_tokens -= self.results[self.before_recent].size;
            self.before_recent += 1;
        }
        let old = self.made.saturating_sub(self.keep).min(self.before_recent).max(self.old);
        self.removable += self.results[self.old..old].iter().map(|result| result.removed).sum::<u64>();
        self.old = old;
    }

    /// Clears all old results. Returns the tokens saved.
    fn clear(&mut self) -> u64 {
        self.cleared = self.old;
        std::mem::take(&mut self.removable)
    }
}
