//! Counts what messages show of a run from their text alone, for strategies that do not count while they write.

use rustc_hash::{FxHashMap, FxHashSet};

use history_strategies::{Rendered, Shown, View};

use super::run::past_of;
use super::sections::calls::text as call_text;
use super::sections::error;
use crate::agent::{LoggedTurn, Message, NativeCall, Role, Turn};

/// Characters that may stand before the name of a call on its line: sections have `;   `, lists of other strategies `- ` or `* `.
const BULLETS: [char; 4] = [' ', ';', '-', '*'];

/// A compressed request with counts that are taken from its text. It shows a call if a line begins with it, and a print if it has lines
/// of its own. It shows a turn if the answer is an ASSISTANT message and any message has the observation, and a failed turn also if any
/// message has its error.
pub fn recounted(strategy: &str, view: &View<'_>, messages: Vec<Message>) -> Rendered {
    let shown = recount(view, &messages);
    Rendered::new(strategy, view, messages, shown)
}

/// Counts what these messages show of the turns of the view.
fn recount(view: &View<'_>, messages: &[Message]) -> Shown {
    let text = Text::of(messages);
    let mut shown = Shown::default();
    let (mut prints, mut calls) = (Places::default(), Places::default());
    for (turn, said) in past_of(view).turns().zip(view.turns()) {
        if text.shows_whole(said) {
            shown.whole(said);
            continue;
        }
        shown.failed_turns += u32::from(text.shows_error(turn));
        for call in turn.calls().filter(|_| turn.has_succeeded()) {
            shown.tool_calls += calls.take(&call_text(call), |call| text.lines_of_call(call));
        }
        for print in turn.prints().iter().filter(|print| turn.has_succeeded() && !print.is_empty()) {
            shown.printlns += prints.take(print, |print| text.lines_of_print(print));
        }
    }
    shown
}

/// The texts of a request.
struct Text<'m> {
    messages: Vec<&'m str>,
    /// The ASSISTANT messages. Messages that only call tools have no text, so their calls tell them apart.
    answers: FxHashSet<(&'m str, &'m [NativeCall])>,
    /// Number of times that each line occurs.
    lines: FxHashMap<&'m str, u32>,
    /// All lines without the bullets before them, sorted.
    unbulleted: Vec<&'m str>,
}

/// By text, the number of its places in the request for which no call or print was counted yet. Equal prints of two turns need two
/// places.
#[derive(Default)]
struct Places(FxHashMap<String, u32>);

impl<'m> Text<'m> {
    /// The texts of a request without SYSTEM, which shows nothing of a run.
    fn of(messages: &'m [Message]) -> Text<'m> {
        let answers = messages.iter().filter(|message| message.role == Role::Assistant);
        let answers = answers.map(|message| (message.content.as_str(), message.calls())).collect();
        let messages = messages.iter().filter(|message| message.role != Role::System);
        let messages: Vec<&str> = messages.map(|message| message.content.as_str()).collect();
        let (mut lines, mut unbulleted) = (FxHashMap::default(), Vec::new());
        for line in messages.iter().flat_map(|message| message.split('\n')) {
            *lines.entry(line).or_default() += 1;
            unbulleted.push(line.trim_start_matches(BULLETS));
        }
        unbulleted.sort_unstable();
        Text { messages, answers, lines, unbulleted }
    }

    /// True if the answer is a message of its own and some message has each observation.
    fn shows_whole(&self, turn: &LoggedTurn) -> bool {
        let answer = &turn.answer;
        let is_shown = |observation: &str| self.messages.iter().any(|message| message.contains(observation));
        self.answers.contains(&(answer.content.as_str(), answer.calls()))
            && turn.replies.iter().all(|reply| is_shown(reply.split_turn_line().0))
    }

    fn shows_error(&self, turn: Turn<'_>) -> bool {
        !turn.has_succeeded() && self.messages.iter().any(|message| message.contains(&*error::message(turn)))
    }

    /// Number of lines that begin with the call after bullets.
    fn lines_of_call(&self, call: &str) -> u32 {
        let first = self.unbulleted.partition_point(|line| *line < call);
        let mut count = 0;
        for line in self.unbulleted.iter().skip(first) {
            let Some(rest) = line.strip_prefix(call) else { break };
            count += u32::from(rest.is_empty() || rest.starts_with(' '));
        }
        count
    }

    /// Number of places where the print has lines of its own.
    fn lines_of_print(&self, print: &str) -> u32 {
        let Some((first, _)) = print.split_once('\n') else {
            return self.lines.get(print).copied().unwrap_or(0);
        };
        if !self.lines.contains_key(first) {
            return 0;
        }
        let is_alone = |message: &str, at: usize| {
            let before = &message[..at];
            let after = &message[at + print.len()..];
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
        };
        let count = |message: &&str| {
            message.match_indices(print).filter(|(at, _)| is_alone(message, *at)).count() as u32
        };
        self.messages.iter().map(count).sum()
    }
}

impl Places {
    /// Takes a place of the text. Returns 1 as long as one is left, then 0. `count` finds the number of places.
    fn take(&mut self, text: &str, count: impl Fn(&str) -> u32) -> u32 {
        let left = self.0.entry(text.to_string()).or_insert_with(|| count(text));
        let taken = (*left).min(1);
        *left -= taken;
        taken
    }
}
