//! Counts the turns, calls and prints in the text of a request, for strategies without their own counts.

use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use history_strategies::{Rendered, Shown, View};

use super::run::past_of;
use super::sections::calls::text as call_text;
use super::sections::error;
use crate::agent::{LoggedTurn, Message, NativeCall, Role, Turn};

/// Bytes of a call or line that are compared first.
const START: usize = 4;

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
    let mut places = Places::of(&text, entries);
    for ((turn, said), entry) in past_of(view).turns().zip(view.turns()).zip(&entries.turns) {
        if text.shows_whole(said) {
            shown.show_whole(said);
            continue;
        }
        shown.failed_turns += u32::from(text.shows_error(turn));
        for call in &entry.calls {
            shown.tool_calls += take_one(&mut places.calls[*call]);
        }
        for print in &entry.prints {
            shown.printlns += take_one(&mut places.prints[*print]);
        }
    }
    shown
}

/// Consumes a place of a call or print, since equal prints of two turns need two. Returns 1 until none is left, then 0.
fn take_one(left: &mut u32) -> u32 {
    let taken = (*left).min(1);
    *left -= taken;
    taken
}

/// The texts of calls and prints, each printed once for all requests of a strategy.
#[derive(Default)]
struct Entries {
    calls: IndexSet<String, FxBuildHasher>,
    /// The starts of all calls. Few lines begin like a call.
    call_starts: FxHashSet<[u8; START]>,
    /// True if a call has fewer bytes than a start.
    has_short_call: bool,
    /// Bytes of the longest call.
    longest_call: usize,
    prints: IndexSet<EcoString, FxBuildHasher>,
    /// Indices of the prints with several lines.
    long_prints: Vec<usize>,
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
                    let text = call_text(call);
                    self.call_starts.insert(start_of(&text));
                    self.has_short_call |= text.len() < START;
                    self.longest_call = self.longest_call.max(text.len());
                    entry.calls.push(self.calls.insert_full(text).0);
                }
                for print in turn.prints().iter().filter(|print| !print.is_empty()) {
                    let (index, is_new) = self.prints.insert_full(print.clone());
                    if is_new && print.contains('\n') {
                        self.long_prints.push(index);
                    }
                    entry.prints.push(index);
                }
            }
            self.turns.push(entry);
        }
    }
}

/// The first bytes of a text, filled up with zeros.
fn start_of(text: &str) -> [u8; START] {
    let mut start = [0; START];
    for (to, from) in start.iter_mut().zip(text.bytes()) {
        *to = from;
    }
    start
}

/// The texts of a request.
struct Text<'m> {
    messages: Vec<&'m str>,
    /// The ASSISTANT messages, keyed by text and calls, because messages with calls only have no text.
    answers: FxHashSet<(&'m str, &'m [NativeCall])>,
}

/// By index of a call or print: its occurrences not yet counted.
struct Places {
    calls: Vec<u32>,
    prints: Vec<u32>,
}

impl<'m> Text<'m> {
    /// Indexes the texts of a request. Skips the system prompt, which contains nothing of a run.
    fn of(messages: &'m [Message]) -> Text<'m> {
        let mut text = Text { messages: Vec::new(), answers: FxHashSet::default() };
        for message in messages {
            let content = message.content.as_str();
            if message.role == Role::System {
                continue;
            }
            if message.role == Role::Assistant {
                text.answers.insert((content, message.calls()));
            }
            text.messages.push(content);
        }
        text
    }

    /// Returns true if the answer is a message and each observation occurs in some message.
    fn shows_whole(&self, turn: &LoggedTurn) -> bool {
        let answer = &turn.answer;
        if !self.answers.contains(&(answer.content.as_str(), answer.calls())) {
            return false;
        }
        for reply in &turn.replies {
            let (observation, _) = reply.split_turn_line();
            if !self.contains(observation) {
                return false;
            }
        }
        true
    }

    fn shows_error(&self, turn: Turn<'_>) -> bool {
        !turn.has_succeeded() && self.contains(&error::message(turn))
    }

    /// Returns true if a message contains this text.
    fn contains(&self, text: &str) -> bool {
        self.messages.iter().any(|message| message.contains(text))
    }

    /// The number of places where the print occupies whole lines.
    fn lines_of_print(&self, print: &str) -> u32 {
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
    /// Counts the calls and prints in a request. Reads each line once, since a request of a long run has as many lines as earlier turns have
    /// calls.
    fn of(text: &Text<'_>, entries: &Entries) -> Places {
        let mut places =
            Places { calls: vec![0; entries.calls.len()], prints: vec![0; entries.prints.len()] };
        let mut lines = FxHashSet::default();
        for line in text.messages.iter().flat_map(|message| message.split('\n')) {
            if let Some(print) = entries.prints.get_index_of(line) {
                places.prints[print] += 1;
            }
            places.add_calls(line.trim_start_matches(BULLETS), entries);
            if !entries.long_prints.is_empty() {
                lines.insert(line);
            }
        }
        for print in &entries.long_prints {
            let whole = &entries.prints[*print];
            if whole.split('\n').next().is_some_and(|first| lines.contains(first)) {
                places.prints[*print] = text.lines_of_print(whole);
            }
        }
        places
    }

    /// Counts the calls at the start of a line, up to its end or a space.
    fn add_calls(&mut self, line: &str, entries: &Entries) {
        if !entries.has_short_call && !entries.call_starts.contains(&start_of(line)) {
            return;
        }
        let spaces = line.match_indices(' ').map(|(at, _)| at);
        // No call is longer. Hashing all starts of a line of many words would be quadratic.
        for end in spaces.chain([line.len()]).take_while(|end| *end <= entries.longest_call) {
            if let Some(call) = entries.calls.get_index_of(&line[..end]) {
                self.calls[call] += 1;
            }
        }
    }
}
