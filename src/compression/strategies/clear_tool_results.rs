//! The oldest results of tools left out once a request is large, as the context editing of Anthropic's API does it.

use crate::agent::Turn;
use crate::compression::draft::RequestDraft;
use crate::compression::history::View;
use crate::compression::masking::{MASKED_TOKENS, can_be_masked, masked};
use crate::compression::options::{CountOption, NamesOption, Options};
use crate::compression::strategy::{BuiltIn, Form};
use crate::compression::turn_memo::LeftOfTurn;
use ecow::EcoString;

/// Tokens of a request above which results are left out, unless the option `trigger` says otherwise.
const TRIGGER_TOKENS: u64 = 100_000;
const KEEP: CountOption = CountOption::new("keep", 3, 0, "most recent results that are kept");
const CLEAR_AT_LEAST: CountOption =
    CountOption::new("clear_at_least", 0, 0, "fewest tokens that are left out at a time");
const EXCLUDE_TOOLS: NamesOption =
    NamesOption { name: "exclude_tools", doc: "tools whose results always stay" };

/// `clear-tool-results`
pub const CLEAR_TOOL_RESULTS: BuiltIn = BuiltIn {
    name: "clear-tool-results",
    doc: "full-history without its oldest results once it is large",
    form: Form::Native,
    options: &[KEEP.row(), CLEAR_AT_LEAST.row(), EXCLUDE_TOOLS.row()],
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let results = results(view, options.names(&EXCLUDE_TOOLS));
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
            view.add_instead(index, left, &mut request, || masked(view, turn, exchange, is_cleared));
            request.settle(0);
        } else {
            exchange.add_whole(turn, &mut request);
        }
    }
    request
}

/// One result of a tool.
struct ToolResult {
    /// Index of its turn.
    turn: usize,
    /// Index among the replies of the turn.
    reply: usize,
    /// Tokens that leaving it out removes; 0 for results that always stay.
    removed: u64,
}

/// All results of a view in order.
fn results(view: &View<'_>, excluded: &[EcoString]) -> Vec<ToolResult> {
    let mut results = Vec::new();
    for (index, (turn, exchange)) in view.exchanges(0).enumerate() {
        let sizes = view.sizes(exchange);
        for reply in (0..exchange.replies.len()).filter(|reply| can_be_masked(turn, *reply)) {
            let size = sizes[reply + 1];
            let stays = tools_of(turn, reply).any(|tool| excluded.iter().any(|name| name == tool));
            let removed = if stays { 0 } else { size.saturating_sub(MASKED_TOKENS) };
            results.push(ToolResult { turn: index, reply, removed });
        }
    }
    results
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
    let (keep, least) = (options.get(&KEEP), options.get(&CLEAR_AT_LEAST) as u64);
    let mut size = view.start_tokens();
    // The results that were made so far, and those that are left out and may be next.
    let (mut made, mut cleared, mut border, mut removed) = (0, 0, 0, 0);
    for (index, (_, exchange)) in view.exchanges(0).enumerate() {
        size += view.sizes(exchange).iter().sum::<u64>();
        made += results.iter().skip(made).take_while(|result| result.turn == index).count();
        let old = made.saturating_sub(keep).max(border);
        let newly_old = &results[border..old];
        removed += newly_old.iter().map(|result| result.removed).sum::<u64>();
        border = old;
        if size > trigger && removed >= least.max(1) {
            (cleared, size, removed) = (border, size - removed, 0);
        }
    }
    cleared
}
