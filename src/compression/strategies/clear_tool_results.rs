//! The oldest results of tools left out once a request is large, as the context editing of Anthropic's API does it.

use crate::agent::Turn;
use crate::compression::draft::RequestDraft;
use crate::compression::history::{Exchange, View};
use crate::compression::masking::{Masking, can_be_masked};
use crate::compression::options::{CountOption, FlagOption, NamesOption, Options, SizeOption};
use crate::compression::strategy::{BuiltIn, Form};
use crate::compression::turn_memo::LeftOfTurn;
use ecow::EcoString;

/// Tokens of a request above which results are left out, unless the option `trigger` says otherwise.
const TRIGGER_TOKENS: u64 = 100_000;
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
    ],
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let masking = masking(options);
    let results = results(view, options.names(&EXCLUDE_TOOLS), masking);
    let cleared = &results[..cleared(view, &results, options)];
    let mut by_turn = cleared.chunk_by(|one, next| one.turn == next.turn).peekable();
    let mut request = view.start();
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let results = by_turn.next_if(|results| results.iter().any(|result| result.turn == index));
        let is_cleared =
            |reply| results.into_iter().flatten().any(|result| result.reply == reply && result.removed > 0);
        let left = (0..exchange.replies.len()).filter(|reply| !is_cleared(*reply)).count();
        if left < exchange.replies.len() {
            // The oldest results of a turn are cleared first, so their number tells which.
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

/// One result of a tool.
struct ToolResult {
    /// Index of its turn.
    turn: usize,
    /// Index among the replies of the turn.
    reply: usize,
    /// Its tokens, with what the chat format adds.
    size: u64,
    /// Tokens that leaving it out removes; 0 for results that always stay.
    removed: u64,
}

/// All results of a view in order.
fn results(view: &View<'_>, excluded: &[EcoString], masking: Masking) -> Vec<ToolResult> {
    let mut results = Vec::new();
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let sizes = view.sizes(exchange);
        for reply in (0..exchange.replies.len()).filter(|reply| can_be_masked(turn, *reply)) {
            let size = sizes[reply + 1];
            let is_excluded = |tool: &str| excluded.iter().any(|name| name == tool);
            // A run of 10,000 turns comes here 100 million times.
            let stays = !excluded.is_empty() && tools_of(turn, reply).any(is_excluded);
            let left = masking.tokens(size, exchange.replies[reply].content.len());
            let inputs = if masking.inputs { input_tokens(exchange, sizes[0], reply) } else { 0 };
            // A result stays with the inputs of its call unless leaving it out makes it shorter.
            let removed = if stays || size <= left { 0 } else { size - left + inputs };
            results.push(ToolResult { turn: index, reply, size, removed });
        }
    }
    results
}

/// Tokens of the inputs of the call that a reply is the result of: their part of the answer, by length.
fn input_tokens(exchange: &Exchange, answer: u64, reply: usize) -> u64 {
    let calls = exchange.assistant.calls();
    let id = exchange.replies.get(reply).and_then(|reply| reply.result_of());
    let inputs = calls.iter().find(|call| Some(&call.id) == id).map_or(0, |call| call.arguments.len());
    let all = exchange.assistant.content.len() + calls.iter().map(|call| call.arguments.len()).sum::<usize>();
    answer.saturating_mul(inputs as u64) / (all.max(1) as u64)
}

/// The tools whose results a reply holds: that of its call, or all of a program.
fn tools_of(turn: &Turn, reply: usize) -> impl Iterator<Item = &str> {
    let recorded = turn.recorded.as_ref();
    let id = recorded.and_then(|recorded| recorded.replies.get(reply)?.message.result_of());
    let calls = recorded.map_or(&[][..], |recorded| recorded.answer.calls());
    let called = calls.iter().filter(move |call| Some(&call.id) == id).map(|call| call.name.as_str());
    let of_program = turn.tool_calls.iter().filter(move |_| recorded.is_none());
    called.chain(of_program.map(|call| call.name.name()))
}

/// Number of results that are left out in the request after all turns.
fn cleared(view: &View<'_>, results: &[ToolResult], options: &Options) -> usize {
    let trigger = options.tokens_of(options.trigger()).unwrap_or(TRIGGER_TOKENS);
    let (keep, least) = (options.get(&KEEP), options.size(&CLEAR_AT_LEAST) as u64);
    let most_kept = options.size(&KEEP_TOKENS) as u64;
    let is_by_whole = options.flag(&EVERY_REQUEST);
    // What is sent, and the whole history.
    let (mut size, mut whole) = (view.start_tokens(), view.start_tokens());
    // The first of the newest results that are kept for their tokens, and the tokens of them all.
    let (mut kept, mut kept_tokens) = (0, 0);
    // The results that were made so far, and those that are left out and may be next.
    let (mut made, mut cleared, mut border, mut removed) = (0, 0, 0, 0);
    for (index, (_, exchange)) in view.exchanges(0).enumerate() {
        let of_turn = view.sizes(exchange).iter().sum::<u64>();
        (size, whole) = (size + of_turn, whole + of_turn);
        let new = results.iter().skip(made).take_while(|result| result.turn == index);
        (made, kept_tokens) =
            new.fold((made, kept_tokens), |(made, tokens), one| (made + 1, tokens + one.size));
        while kept_tokens > most_kept && kept < made {
            kept_tokens -= results[kept].size;
            kept += 1;
        }
        let old = made.saturating_sub(keep).min(kept).max(border);
        let newly_old = &results[border..old];
        removed += newly_old.iter().map(|result| result.removed).sum::<u64>();
        border = old;
        let counted = if is_by_whole { whole } else { size };
        if counted > trigger && removed >= least.max(1) {
            (cleared, size, removed) = (border, size - removed, 0);
        }
    }
    cleared
}
