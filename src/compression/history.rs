//! A run as strategies see it, and the part of it that one request is rendered from. What is the same
//! in every request, whatever the strategy, is formatted once and shared. It decides nothing.

use std::sync::OnceLock;

use crate::agent::feedback::feedback;
use crate::agent::{Agent, Message, Part, Role, SystemPrompt, Transcript, Turn};
use ptc_lisp::memory::Memory;
use ptc_tokens::{MESSAGE_OVERHEAD, REQUEST_OVERHEAD};

use super::message_builder::MessageBuilder;
use super::program::values::{self, TurnValues};
use super::remembered::Remembered;
use super::sections;
use super::statistics::Shown;

/// How many tokens a text has.
pub type TextTokens<'t> = dyn Fn(&str) -> u64 + Sync + 't;

/// A run with the messages that its requests have in common.
pub struct History<'a> {
    agent: &'a Agent,
    transcript: &'a Transcript,
    tokens: &'a TextTokens<'a>,
    system: Message,
    opening: Message,
    exchanges: Vec<OnceLock<Exchange>>,
    totals: Vec<Totals>,
    /// The turns as programs see them.
    values: OnceLock<Vec<TurnValues>>,
}

/// A turn as two messages: what the model said and what it was told then.
pub struct Exchange {
    /// The raw response, every byte of it.
    pub assistant: Message,
    pub feedback: Message,
    /// What strategies write in their place.
    pub(super) written: Written,
    turn_line: usize,
    tokens: OnceLock<u64>,
}

/// What strategies write of one turn, as they wrote it last.
#[derive(Default)]
pub(super) struct Written {
    /// The feedback of `observation-masking`.
    pub masked: Remembered<(), Message>,
    /// What `turn-log` says, by the bounds of samples.
    pub log: Remembered<(usize, usize), (Option<Message>, Shown)>,
    /// What `per-turn-summary` says.
    pub summary: Remembered<Remains, ([Message; 2], Shown)>,
}

/// What is left to say of a turn: everything that a summary of it depends on.
#[derive(PartialEq)]
pub(super) struct Remains {
    /// The bounds of samples.
    pub bounds: (usize, usize),
    pub calls: usize,
    pub prints: usize,
    /// Those that no later turn has defined again, which become fewer and never others.
    pub definitions: usize,
}

/// Counts over the first turns of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub turns: u32,
    pub failed_turns: u32,
    /// Calls made by successful turns.
    pub tool_calls: u32,
    /// Calls made by failed turns.
    pub failed_tool_calls: u32,
    /// Prints of successful turns.
    pub printlns: u32,
}

/// What a strategy may look at: the agent and its first turns.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub agent: &'a Agent,
    /// The completed turns, oldest first.
    pub turns: &'a [Turn],
    /// `user/` after the last of them.
    pub memory: &'a Memory,
    /// Counted before the turn: the first request of five says 5 (S2-04).
    pub turns_left: u32,
    history: &'a History<'a>,
}

impl<'a> History<'a> {
    /// `tokens` is the suite's tokenizer, for triggers that look at the size of a request.
    pub fn new(agent: &'a Agent, transcript: &'a Transcript, tokens: &'a TextTokens<'a>) -> History<'a> {
        let turns = transcript.turns();
        History {
            agent,
            transcript,
            tokens,
            system: system_message(agent),
            opening: sections::opening(agent).finish(Role::User),
            exchanges: turns.iter().map(|_| OnceLock::new()).collect(),
            totals: running_totals(turns),
            values: OnceLock::new(),
        }
    }

    /// The view before the turn that follows the first `completed` ones (ARC-006, S2-04).
    pub fn after(&'a self, completed: usize) -> View<'a> {
        let turns = self.transcript.turns();
        let turns = turns.get(..completed).unwrap_or(turns);
        View {
            agent: self.agent,
            turns,
            memory: self.transcript.memory_after(turns.len()),
            turns_left: self.agent.max_turns.saturating_sub(turns.len() as u32),
            history: self,
        }
    }
}

impl<'a> View<'a> {
    /// The static SYSTEM message (ARC-008).
    pub fn system(&self) -> &'a Message {
        &self.history.system
    }

    /// Mission, `tool/`, `data/` and Return: the same bytes in every request (ARC-012).
    pub fn opening(&self) -> &'a Message {
        &self.history.opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> Totals {
        self.history.totals.get(self.turns.len()).copied().unwrap_or_default()
    }

    /// The same run when it had only the first `completed` of these turns.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        self.history.after(completed.min(self.turns.len()))
    }

    /// The turns from this index on as pairs of messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = &'a Exchange> + use<'a> {
        let history = self.history;
        let turns = self.turns.iter().zip(&history.exchanges).skip(from);
        turns.map(|(turn, exchange)| exchange.get_or_init(|| Exchange::of(turn, history.agent.max_turns)))
    }

    /// Adds the turns from this index on, as they stand in `full-history`.
    pub fn add_whole(&self, from: usize, messages: &mut Vec<Message>, shown: &mut Shown) {
        for (turn, exchange) in self.turns.iter().skip(from).zip(self.exchanges(from)) {
            messages.extend([exchange.assistant.clone(), exchange.feedback.clone()]);
            shown.whole(turn);
        }
    }

    /// The turns as programs see them.
    pub(super) fn turn_values(&self) -> &'a [TurnValues] {
        let history = self.history;
        let all = history.values.get_or_init(|| values::turns(history.transcript.turns()));
        all.get(..self.turns.len()).unwrap_or(all)
    }

    /// The last of the turns, if it failed.
    pub fn failed_last(&self) -> Option<&'a Turn> {
        self.turns.last().filter(|turn| !turn.success)
    }

    /// The `input_tokens` of the request that `full-history` sends.
    pub fn full_history_tokens(&self) -> u64 {
        let count = self.history.tokens;
        let of_message = |message: &Message| count(&message.content) + u64::from(MESSAGE_OVERHEAD);
        let of_exchange = |exchange: &Exchange| {
            *exchange.tokens.get_or_init(|| of_message(&exchange.assistant) + of_message(&exchange.feedback))
        };
        let start = u64::from(REQUEST_OVERHEAD) + of_message(self.system()) + of_message(self.opening());
        start + self.exchanges(0).map(of_exchange).sum::<u64>()
    }
}

impl Exchange {
    fn of(turn: &Turn, max_turns: u32) -> Exchange {
        let feedback = feedback(turn, max_turns);
        Exchange {
            assistant: Message::new(Role::Assistant, turn.raw_response.clone()),
            turn_line: feedback.content.rfind('\n').map_or(0, |at| at + 1),
            feedback,
            written: Written::default(),
            tokens: OnceLock::new(),
        }
    }

    /// The last line of the feedback, which says what turn comes.
    pub fn turn_line(&self) -> &str {
        self.feedback.content.get(self.turn_line..).unwrap_or_default()
    }

    /// The feedback without its last line and the blank line before it.
    pub fn observation(&self) -> &str {
        let before = self.feedback.content.get(..self.turn_line).unwrap_or_default();
        before.strip_suffix("\n\n").unwrap_or(before)
    }
}

fn system_message(agent: &Agent) -> Message {
    let mut message = MessageBuilder::default();
    message.part(Part::System, |out| out.push_str(&SystemPrompt::framed(&agent.system_prompt)));
    message.finish(Role::System)
}

/// The totals after no turn, after the first, and so on.
fn running_totals(turns: &[Turn]) -> Vec<Totals> {
    let mut totals = Vec::with_capacity(turns.len() + 1);
    let mut sum = Totals::default();
    totals.push(sum);
    for turn in turns {
        sum.add(turn);
        totals.push(sum);
    }
    totals
}

impl Totals {
    fn add(&mut self, turn: &Turn) {
        let calls = turn.tool_calls.len() as u32;
        self.turns += 1;
        if turn.success {
            self.tool_calls += calls;
            self.printlns += turn.prints.len() as u32;
        } else {
            self.failed_turns += 1;
            self.failed_tool_calls += calls;
        }
    }

    pub fn successful_turns(&self) -> u32 {
        self.turns - self.failed_turns
    }
}
