//! The pairs of `full-history`, with what a turn left in place of the program that left it (S1-16,
//! S2-25). Failed turns, and what led to them, stay whole (S1-20, S1-27).

use ecow::EcoString;

use super::history::{Exchange, Remains, View};
use super::message_builder::MessageBuilder;
use super::options::{
    ERROR_CONTEXT, OptionRow, Options, PRINTLN_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, TOOL_CALL_LIMIT,
};
use super::sections::samples::{Samples, write_type};
use super::sections::{calls, output, user};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};
use crate::agent::{Message, Part, Role, ToolCall, Turn};
use ptc_lisp::memory::Definition;

/// `per-turn-summary`
pub struct PerTurnSummary;

impl Strategy for PerTurnSummary {
    fn name(&self) -> &str {
        "per-turn-summary"
    }

    fn doc(&self) -> &str {
        "full-history with what a turn left in place of its program"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[PRINTLN_LIMIT, TOOL_CALL_LIMIT, ERROR_CONTEXT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let whole = stand_whole(view.turns, options.get(&ERROR_CONTEXT));
        let mut summary = Summary::new(view, &whole, options);
        let mut messages = Vec::with_capacity(2 + 2 * view.turns.len());
        messages.extend([view.system().clone(), view.opening().clone()]);
        for ((turn, exchange), whole) in view.turns.iter().zip(view.exchanges(0)).zip(whole) {
            messages.extend(if whole {
                summary.keep(turn, exchange)
            } else {
                summary.replace(turn, exchange)
            });
        }
        Ok(Rendered::new(self.name(), view, messages, summary.shown))
    }
}

/// Which turns stay whole: the failed ones and the `context` nearest successful ones before each.
fn stand_whole(turns: &[Turn], context: usize) -> Vec<bool> {
    let mut whole = vec![false; turns.len()];
    let mut wanted: usize = 0;
    for (turn, whole) in turns.iter().zip(&mut whole).rev() {
        *whole = !turn.success || wanted > 0;
        wanted = if turn.success { wanted.saturating_sub(1) } else { context };
    }
    whole
}

/// What is carried from turn to turn while summaries are written.
struct Summary<'a> {
    options: &'a Options,
    /// By the turn that defined them last, then in order of first definition.
    definitions: Vec<&'a Definition>,
    /// Oldest calls of summarized turns that the limit drops.
    calls_to_drop: usize,
    /// Oldest prints of summarized turns that the limit drops.
    prints_to_drop: usize,
    shown: Shown,
}

impl<'a> Summary<'a> {
    fn new(view: &View<'a>, whole: &[bool], options: &'a Options) -> Summary<'a> {
        let mut definitions: Vec<&Definition> = view.memory.iter().collect();
        definitions.sort_by_key(|definition| definition.turn);
        let summarized = || view.turns.iter().zip(whole).filter(|(_, whole)| !**whole);
        let calls: usize = summarized().map(|(turn, _)| turn.tool_calls.len()).sum();
        let prints: usize = summarized().map(|(turn, _)| turn.prints.len()).sum();
        Summary {
            options,
            definitions,
            calls_to_drop: calls.saturating_sub(options.get(&TOOL_CALL_LIMIT)),
            prints_to_drop: prints.saturating_sub(options.get(&PRINTLN_LIMIT)),
            shown: Shown::default(),
        }
    }

    fn keep(&mut self, turn: &Turn, exchange: &Exchange) -> [Message; 2] {
        self.shown.whole(turn);
        [exchange.assistant.clone(), exchange.feedback.clone()]
    }

    fn replace(&mut self, turn: &Turn, exchange: &Exchange) -> [Message; 2] {
        let newest_calls = newest(&turn.tool_calls, &mut self.calls_to_drop);
        let newest_prints = newest(&turn.prints, &mut self.prints_to_drop);
        let definitions = self.defined_by(turn.number);
        let remains = Remains {
            bounds: Samples::bounds(self.options),
            calls: newest_calls.len(),
            prints: newest_prints.len(),
            definitions: definitions.len(),
        };
        let (messages, shown) = exchange.written.summary.or_write(remains, || {
            let samples = Samples::unless_printed(turn.prints.len() as u32, self.options);
            summarized(newest_calls, definitions, newest_prints, samples, exchange)
        });
        self.shown.tool_calls += shown.tool_calls;
        self.shown.printlns += shown.printlns;
        messages
    }

    fn defined_by(&self, turn: u32) -> &[&'a Definition] {
        let start = self.definitions.partition_point(|definition| definition.turn < turn);
        let end = self.definitions.partition_point(|definition| definition.turn <= turn);
        self.definitions.get(start..end).unwrap_or_default()
    }
}

/// What a turn left, and the line that says what turn comes.
fn summarized(
    newest_calls: &[ToolCall],
    definitions: &[&Definition],
    newest_prints: &[EcoString],
    samples: Option<Samples>,
    exchange: &Exchange,
) -> ([Message; 2], Shown) {
    let mut left = MessageBuilder::default();
    let tool_calls =
        left.line(Part::Calls, |out| calls::list(out, "; Tool calls:", newest_calls.iter(), samples));
    left.line(Part::User, |out| write_definitions(out, definitions, samples));
    let printlns = left.line(Part::Output, |out| output::list(out, "; Output:", newest_prints.iter()));
    let left = if left.has_parts() { left } else { MessageBuilder::headed("; Nothing to show") };
    let mut feedback = MessageBuilder::default();
    feedback.part(Part::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    ([left.finish(Role::Assistant), feedback.finish(Role::User)], shown)
}

/// What is left of the entries when the oldest are dropped; lowers the number still to drop.
fn newest<'t, T>(entries: &'t [T], to_drop: &mut usize) -> &'t [T] {
    let dropped = entries.len().min(*to_drop);
    *to_drop -= dropped;
    entries.get(dropped..).unwrap_or_default()
}

/// `; Function: pricey? - "Costs over 100"` and `; Defined: electronics - "In stock" = list[4]`
fn write_definitions(out: &mut String, definitions: &[&Definition], samples: Option<Samples>) {
    let start = out.len();
    for definition in user::functions_first(|| definitions.iter().copied()) {
        if out.len() > start {
            out.push('\n');
        }
        let is_function = definition.is_function();
        out.push_str(if is_function { "; Function: " } else { "; Defined: " });
        out.push_str(definition.name.name());
        if let Some(docstring) = &definition.docstring {
            out.push_str(" - ");
            user::quote(out, docstring);
        }
        if !is_function {
            out.push_str(" = ");
            write_type(out, &definition.value, samples);
        }
    }
}
