//! Replaces the observations of turns by one-line notes. Answers and people's words are kept. The inputs of calls are removed only on
//! request.

use std::sync::Arc;

use super::draft::RequestDraft;
use super::history::{Exchange, View};
use super::options::{NamesOption, SizeOption};
use super::statistics::Shown;
use conversation::cut::{split_end, split_start};
use conversation::{Message, MessageBuilder, MessagePart, Native, ReplyKind, Turn};
use ecow::EcoString;

/// Assumed tokens of a masked observation, including the chat format's overhead. Strategies that decide by size use this constant instead
/// of counting, so that a program without a tokenizer can decide alike.
pub const MASKED_TOKENS: u64 = 16;
/// The same for a line with a file name. With the smaller constant, masking made a result of 20 tokens longer.
const FILE_TOKENS: u64 = 24;

pub(crate) const KEEP_START: SizeOption =
    SizeOption { name: "keep_start", doc: "characters that stay of the start of a result that is left out" };
pub(crate) const KEEP_END: SizeOption =
    SizeOption { name: "keep_end", doc: "characters that stay of the end of a result that is left out" };
/// The longest tool result that is not cut.
pub const RESULT_LIMIT: SizeOption = SizeOption {
    name: "result_limit",
    doc: "characters of a tool result; a longer one is cut when it arrives",
};
/// The tools with this limit.
pub const ONLY_TOOLS: NamesOption =
    NamesOption { name: "only_tools", doc: "tools whose results are cut; without any, those of all" };

/// How to mask the observations of a [`Turn`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masking {
    /// Number of characters to keep at the start of an observation.
    pub keep_start: usize,
    /// Number of characters to keep at its end.
    pub keep_end: usize,
    /// Move the observation to a file; the line names it.
    pub to_file: bool,
    /// Remove the inputs of these observations' calls too.
    pub inputs: bool,
}

/// The turn with `[output of turn 4 omitted: 1234 characters]` in place of the replies selected by `is_wanted`.
pub fn masked(
    view: &View<'_>,
    turn: &Turn,
    exchange: &Exchange,
    is_wanted: impl Fn(usize) -> bool,
) -> RequestDraft {
    Masking::default().masked(view, turn, exchange, is_wanted)
}

impl Masking {
    /// The turn with the replies selected by `is_wanted` masked.
    pub fn masked(
        self,
        view: &View<'_>,
        turn: &Turn,
        exchange: &Exchange,
        is_wanted: impl Fn(usize) -> bool,
    ) -> RequestDraft {
        let mut shown = Shown::default();
        shown.show_answer(turn);
        let mut wanted = Vec::new();
        for index in 0..turn.replies.len() {
            if is_wanted(index) && can_be_masked(turn, index) {
                wanted.push(index);
            }
        }
        let mut messages = exchange.ids().to_vec();
        if self.inputs {
            messages[0] = view.messages().add(&without_inputs(turn, &wanted));
        }
        for index in wanted {
            let message = self.masked_reply(turn, index);
            // The answer has index 0.
            let id = &mut messages[index + 1];
            *id = match self.to_file {
                true => view.messages().add_file(&message, *id),
                false => view.messages().add(&message),
            };
        }
        RequestDraft::new(messages, shown)
    }

    /// Estimated tokens after masking an observation of `size` tokens and `length` bytes. Tokens are assumed to be spread evenly over the
    /// bytes.
    pub fn tokens(self, size: u64, length: usize) -> u64 {
        let kept = (self.keep_start + self.keep_end).min(length) as u64;
        let line = if self.to_file { FILE_TOKENS } else { MASKED_TOKENS };
        line + size.saturating_mul(kept) / (length.max(1) as u64)
    }

    /// The masked observation. A line announcing the next turn is kept.
    fn masked_reply(self, turn: &Turn, index: usize) -> Message {
        let reply = &turn.replies[index];
        let (observation, turn_line) = reply.split_turn_line();
        let text = self.masked_text(turn, index, observation);
        let Some(turn_line) = turn_line else { return reply.message.with_content(text) };
        let mut message = MessageBuilder::default();
        message.part(MessagePart::Output, |out| out.push_str(&text));
        message.part(MessagePart::TurnsLeft, |out| out.push_str(turn_line));
        message.finish(reply.message.role)
    }

    fn masked_text(self, turn: &Turn, index: usize, observation: &str) -> String {
        let (number, characters) = (turn.number, observation.chars().count());
        let line = match self.to_file {
            true => {
                let path = file_name(number, index);
                format!("[output of turn {number} is in {path}: {characters} characters]")
            }
            false => omission_note(number, characters),
        };
        // The kept start and end of a short observation must not overlap.
        let (before, end) = split_end(observation, self.keep_end);
        let (start, _) = split_start(before, self.keep_start);
        let mut text = String::with_capacity(start.len() + line.len() + end.len() + 2);
        if !start.is_empty() {
            text.push_str(start);
            text.push('\n');
        }
        text.push_str(&line);
        if !end.is_empty() {
            text.push('\n');
            text.push_str(end);
        }
        text
    }
}

/// The line in place of an observation.
pub fn omission_note(turn: u32, characters: usize) -> String {
    format!("[output of turn {turn} omitted: {characters} characters]")
}

/// The file with a turn's observation, below the agent's working directory: `results/turn-4.txt`
fn file_name(turn: u32, index: usize) -> String {
    match index {
        0 => format!("results/turn-{turn}.txt"),
        later => format!("results/turn-{turn}-{}.txt", later + 1),
    }
}

/// The answer without the inputs of the calls with results at these indexes.
fn without_inputs(turn: &Turn, results: &[usize]) -> Message {
    let cleared: Vec<_> =
        results.iter().filter_map(|index| turn.replies.get(*index)?.message.result_of()).collect();
    let mut calls = turn.answer.calls().to_vec();
    for call in &mut calls {
        if cleared.contains(&&call.id) {
            call.arguments = "{}".into();
        }
    }
    let mut answer = turn.answer.clone();
    if answer.native.is_some() {
        answer.native = Some(Arc::new(Native::Calls(calls)));
    }
    answer
}

/// Returns true if the reply at this index is an observation.
pub fn can_be_masked(turn: &Turn, index: usize) -> bool {
    match turn.replies.get(index) {
        Some(reply) => reply.kind.is_observation(),
        None => false,
    }
}

/// Returns true if a reply is a result of one of these tools: of its own call, or of any call in a program.
pub(crate) fn is_of_tool(turn: &Turn, reply: usize, tools: &[EcoString]) -> bool {
    let Some(reply) = turn.replies.get(reply) else { return false };
    if reply.kind == ReplyKind::Feedback {
        return turn.calls.iter().any(|call| tools.contains(&call.name));
    }
    let id = reply.message.result_of();
    turn.answer.calls().iter().any(|call| Some(&call.id) == id && tools.contains(&call.name))
}
