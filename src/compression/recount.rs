//! What messages show of a run, counted from their text alone: for strategies that do not count while they
//! write. What strategies mean by it stands in [`Shown`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::history::{Exchange, View};
use super::sections::{calls, error};
use super::statistics::Shown;
use crate::agent::{Message, Role, Turn};

/// What begins the line of a call, before its name.
const BULLETS: [char; 4] = [' ', ';', '-', '*'];

/// What these messages show of the turns of the view.
pub(super) fn recount(view: &View<'_>, messages: &[Message]) -> Shown {
    let text = Text::of(messages);
    let mut shown = Shown::default();
    let (mut prints, mut made) = (Supply::default(), Supply::default());
    for (turn, exchange) in view.turns.iter().zip(view.exchanges(0)) {
        if text.shows_whole(exchange) {
            shown.whole(turn);
            continue;
        }
        shown.failed_turns += u32::from(text.shows_error(turn));
        for call in turn.tool_calls.iter().filter(|_| turn.success) {
            shown.tool_calls += made.take(&calls::text(call), |call| text.lines_of_call(call));
        }
        for print in turn.prints.iter().filter(|print| turn.success && !print.is_empty()) {
            shown.printlns += prints.take(print, |print| text.lines_of_print(print));
        }
    }
    shown
}

/// The texts of a request.
struct Text<'m> {
    messages: Vec<&'m str>,
    /// Those that the model is shown as its own.
    answers: FxHashSet<&'m str>,
    /// How often each line stands there.
    lines: FxHashMap<&'m str, u32>,
}

/// What is left of the places where a text stands: each stands for one call or print.
#[derive(Default)]
struct Supply(FxHashMap<String, u32>);

impl<'m> Text<'m> {
    /// SYSTEM shows nothing of a run.
    fn of(messages: &'m [Message]) -> Text<'m> {
        let answers = messages.iter().filter(|message| message.role == Role::Assistant);
        let answers = answers.map(|message| message.content.as_str()).collect();
        let messages: Vec<&str> = messages.iter().skip(1).map(|message| message.content.as_str()).collect();
        let mut lines = FxHashMap::default();
        for line in messages.iter().flat_map(|message| message.split('\n')) {
            *lines.entry(line).or_default() += 1;
        }
        Text { messages, answers, lines }
    }

    /// The response as an answer of its own, and what the model was told then.
    fn shows_whole(&self, exchange: &Exchange) -> bool {
        self.answers.contains(exchange.assistant.content.as_str())
            && self.messages.iter().any(|message| message.contains(exchange.observation()))
    }

    fn shows_error(&self, turn: &Turn) -> bool {
        !turn.success && self.messages.iter().any(|message| message.contains(&*error::message(turn)))
    }

    /// The lines that begin with the call, apart from bullets.
    fn lines_of_call(&self, call: &str) -> u32 {
        let is_of_call = |line: &str| {
            let rest = line.trim_start_matches(BULLETS).strip_prefix(call);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        self.lines.iter().filter(|(line, _)| is_of_call(line)).map(|(_, count)| *count).sum()
    }

    /// The places where the print stands on lines of its own.
    fn lines_of_print(&self, print: &str) -> u32 {
        if !print.contains('\n') {
            return self.lines.get(print).copied().unwrap_or_default();
        }
        let is_alone = |message: &str, at: usize| {
            let before = message.get(..at).unwrap_or_default();
            let after = message.get(at + print.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
        };
        let count = |message: &&str| {
            message.match_indices(print).filter(|(at, _)| is_alone(message, *at)).count() as u32
        };
        self.messages.iter().map(count).sum()
    }
}

impl Supply {
    /// 1 while a place of the text is left, then 0.
    fn take(&mut self, text: &str, count: impl Fn(&str) -> u32) -> u32 {
        if !self.0.contains_key(text) {
            self.0.insert(text.to_string(), count(text));
        }
        match self.0.get_mut(text) {
            Some(left) if *left > 0 => {
                *left -= 1;
                1
            }
            _ => 0,
        }
    }
}
