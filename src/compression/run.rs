//! Converts runs of programs for strategies: the messages of each turn, and access to the run.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use conversation::{Conversation, Recorded, Reply, ReplyKind, Role, TextTokens, Turn, system_message};
use history_strategies::{History, Options, RequestDraft, Run, View};

use super::sections::{calls, stable};
use super::turn_summary::summarize_program_turn;
use crate::agent::feedback::feedback;
use crate::agent::{Call, LoggedCall, Message, Past, ProgramRun, ProgramTurn};

/// The history of a conversation. `tokens` counts the tokens of a text, for triggers on the size of a request.
pub fn history_of<'a>(past: Past<'a>, tokens: &'a TextTokens<'a>) -> History<'a> {
    match past {
        Past::Program { run, turns } => {
            History::new(Cow::Owned(messages_of_run(run, turns)), tokens).with_run(run)
        }
        Past::Logged { logged, .. } => History::new(Cow::Borrowed(logged), tokens),
    }
}

/// The conversation of a view up to its request, with the values of its programs.
pub fn past_of<'a>(view: &View<'a>) -> Past<'a> {
    whole_past_of(view).first(view.completed())
}

/// The whole conversation of a view, including later turns.
pub(super) fn whole_past_of<'a>(view: &View<'a>) -> Past<'a> {
    let run = view.run().and_then(|run| (run as &dyn Any).downcast_ref::<ProgramRun>());
    match run {
        Some(run) => run.past(),
        None => Past::Logged { logged: view.conversation(), turns: &view.conversation().turns },
    }
}

/// The number of turns left, including the next one: 5 for the first request of five.
pub fn turns_left(view: &View<'_>) -> u32 {
    past_of(view).max_turns().saturating_sub(view.completed() as u32)
}

impl Run for ProgramRun {
    fn summarize_turn(&self, view: &View<'_>, index: usize, options: &Options) -> RequestDraft {
        match (self.turns.get(index), view.turns().get(index)) {
            (Some(program), Some(turn)) => summarize_program_turn(view, program, turn, options),
            _ => RequestDraft::default(),
        }
    }
}

/// A run as messages.
fn messages_of_run(run: &ProgramRun, turns: &[ProgramTurn]) -> Conversation {
    let ProgramRun { agent, .. } = run;
    Conversation {
        head: vec![system_message(&agent.system_text())],
        opening: stable::opening(agent).finish(Role::User),
        tools: Vec::new(),
        turns: turns.iter().map(|turn| messages_of_turn(turn, agent.max_turns)).collect(),
        pauses: Arc::clone(&agent.pauses),
        max_turns: Some(agent.max_turns),
        recorded: Recorded::default(),
    }
}

fn messages_of_turn(turn: &ProgramTurn, max_turns: u32) -> Turn {
    let mut logged_calls = Vec::with_capacity(turn.tool_calls.len());
    for call in &turn.tool_calls {
        logged_calls.push(LoggedCall {
            name: Call::Program(call).name().into(),
            arguments: None,
            error: call.error.as_deref().map(Into::into),
            text: calls::text(Call::Program(call)).into(),
        });
    }
    Turn {
        number: turn.number,
        answer: Message::new(Role::Assistant, turn.raw_response.clone()),
        replies: vec![Reply { kind: ReplyKind::Feedback, message: feedback(turn, max_turns) }],
        calls: logged_calls,
        outputs: turn.prints.clone(),
        error: turn.result.as_ref().err().map(|error| error.message.clone()),
    }
}
