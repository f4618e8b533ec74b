//! Counts the turns, calls and prints in the text of a request, for strategies without their own counts.

use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use history_strategies::{Rendered, Shown, View};

use super::run::past_of;
use super::sections::calls::text as call_text;
use super::sections::error;
use crate::agent::{LoggedTurn, Message, NativeCall, Role, Turn};

/// Bullet characters before the name of a call: `;   ` in sections, `- ` or `* ` in other lists.
const BULLETS: [char; 4] = [' ', ';', '-', '*'];

/// A compressed request with counts from its text. A call is shown if a line begins with it, a print if it has its own lines. A turn is
/// shown if its answer is an ASSISTANT message and every observation occurs in some message. A failed turn is also shown if its error
/// occurs in some message.
pub fn recounted(strategy: &str, view: &View<'_>, messages: Vec<Message>) -> Rendered {
    let shown = view.carry(|entries: &mut Entries| {
        entries.advance(view);
        recount(view, &messages, entries)
    });
    Rendered::new(strategy, view, messages, shown)
}

/// Counts the turns, calls and prints of the view in these messages.
fn recount(view: &View<'_>, messages: &[Message], entries: &Entries) -> Shown {
    let text = Text::of(messages);
    let mut shown = Shown::default();
    let mut prints = Places::new(entries.prints.len());
    let mut calls = Places::new(entries.calls.len());
    for ((turn, said), entry) in past_of(view).turns().zip(view.turns()).zip(&entries.turns) {
        if text.shows_whole(said) {
            shown.show_whole(said);
            continue;
        }
        shown.failed_turns += u32::from(text.shows_error(turn));
        for call in &entry.calls {
            shown.tool_calls += calls.take(*call, || text.lines_of_call(&entries.calls[*call]));
        }
        for print in &entry.prints {
            shown.printlns += prints.take(*print, || text.lines_of_print(&entries.prints[*print]));
        }
    }
    shown
}

/// The texts of calls and prints, each printed once for all requests of a strategy.
#[derive(Default)]
struct Entries {
    calls: IndexSet<String, FxBuildHasher>,
    prints: IndexSet<EcoString, FxBuildHasher>,
    turns: Vec<TurnEntries>,
}

/// Indices of the calls and prints of a successful turn. Empty for a failed one.
#[derive(Default)]
struct TurnEntries {
    calls: Vec<usize>,
    prints: Vec<usize>,
}

impl Entries {
    /// Includes all turns of the view.
    fn advance(&mut self, view: &View<'_>) {
        for turn in past_of(view).turns().skip(self.turns.len()) {
            let mut entry = TurnEntries::default();
            if turn.has_succeeded() {
                for call in turn.calls() {
                    entry.calls.push(self.calls.insert_full(call_text(call)).0);
                }
                for print in turn.prints().iter().filter(|print| !print.is_empty()) {
                    entry.prints.push(self.prints.insert_full(print.clone()).0);
                }
            }
            self.turns.push(entry);
        }
    }
}

/// The texts of a request, indexed for the counts.
struct Text<'m> {
    messages: Vec<&'m str>,
    /// The ASSISTANT messages, keyed by text and calls, because messages with calls only have no text.
    answers: FxHashSet<(&'m str, &'m [NativeCall])>,
    /// The number of occurrences of each line.
    lines: FxHashMap<&'m str, u32>,
    /// All lines without leading bullets, sorted.
    unbulleted: Vec<&'m str>,
}

/// By index of a call or print: its occurrences not yet counted. `None` before the first look. Equal prints of two turns need two
/// occurrences.
struct Places(Vec<Option<u32>>);

impl<'m> Text<'m> {
    /// Indexes the texts of a request. Skips the system prompt, which contains nothing of a run.
    fn of(messages: &'m [Message]) -> Text<'m> {
        let mut text = Text {
            messages: Vec::new(),
            answers: FxHashSet::default(),
            lines: FxHashMap::default(),
            unbulleted: Vec::new(),
        };
        for message in messages {
            let content = message.content.as_str();
            if message.role == Role::System {
                continue;
            }
            if message.role == Role::Assistant {
                text.answers.insert((content, message.calls()));
            }
            text.messages.push(content);
            for line in content.split('\n') {
                *text.lines.entry(line).or_default() += 1;
                text.unbulleted.push(line.trim_start_matches(BULLETS));
            }
        }
        text.unbulleted.sort_unstable();
        text
    }

    /// Returns true if the answer is a message and each observation occurs in some message.
    fn shows_whole(&self, turn: &LoggedTurn) -> bool {
        let answer = &turn.answer;
        if !self.answers.contains(&(answer.content.as_str(), answer.calls())) {
            return false;
        }
        let mut observations = turn.replies.iter().map(|reply| reply.split_turn_line().0);
        observations.all(|observation| self.messages.iter().any(|message| message.contains(observation)))
    }

    fn shows_error(&self, turn: Turn<'_>) -> bool {
        !turn.has_succeeded() && self.messages.iter().any(|message| message.contains(&*error::message(turn)))
    }

    /// The number of lines starting with the call, after any bullets.
    fn lines_of_call(&self, call: &str) -> u32 {
        let first = self.unbulleted.partition_point(|line| *line < call);
        let mut count = 0;
        for line in self.unbulleted.iter().skip(first) {
            let Some(rest) = line.strip_prefix(call) else { break };
            count += u32::from(rest.is_empty() || rest.starts_with(' '));
        }
        count
    }

    /// The number of places where the print occupies whole lines.
    fn lines_of_print(&self, print: &str) -> u32 {
        let Some((first, _)) = print.split_once('\n') else {
            return self.lines.get(print).copied().unwrap_or(0);
        };
        if !self.lines.contains_key(first) {
            return 0;
        }
        let mut count = 0;
        for message in &self.messages {
            for (at, _) in message.match_indices(print) {
                let (before, after) = (&message[..at], &message[at + print.len()..]);
                let is_alone = (before.is_empty() || before.ends_with('\n'))
                    && (after.is_empty() || after.starts_with('\n'));
                count += u32::from(is_alone);
            }
        }
        count
    }
}

impl Places {
    fn new(texts: usize) -> Places {
        Places(vec![None; texts])
    }

    /// Consumes an occurrence of the text. Returns 1 until none is left, then 0. `count` computes the initial number.
    fn take(&mut self, text: usize, count: impl FnOnce() -> u32) -> u32 {
        let left = self.0[text].get_or_insert_with(count);
        let taken = (*left).min(1);
        *left -= taken;
        taken
    }
}
