//! Conversations of both kinds: the run of an agent that answers with programs, and one that a log holds.

use std::sync::Arc;

use ecow::EcoString;

use super::Agent;
use super::logged::{LoggedConversation, LoggedTurn};
use super::outcome::RunOutcome;
use super::pauses::Pauses;
use super::turn::{ProgramTurn, Turn};
use ptc_lisp::memory::Memory;

/// A conversation that is over.
#[derive(Clone, Debug)]
pub enum Conversation {
    /// The run of an agent that answers with programs.
    Program {
        agent: Arc<Agent>,
        outcome: RunOutcome,
    },
    Logged(Arc<LoggedConversation>),
}

impl Conversation {
    /// The whole conversation.
    pub fn past(&self) -> Past<'_> {
        match self {
            Conversation::Program { agent, outcome } => Past::Program { agent, turns: &outcome.turns },
            Conversation::Logged(logged) => logged.past(),
        }
    }

    /// The outcome of a run.
    pub fn outcome(&self) -> Option<&RunOutcome> {
        match self {
            Conversation::Program { outcome, .. } => Some(outcome),
            Conversation::Logged(_) => None,
        }
    }

    /// The executed turns; empty for a log.
    pub fn program_turns(&self) -> &[ProgramTurn] {
        self.outcome().map_or(&[], |outcome| &outcome.turns)
    }
}

impl LoggedConversation {
    /// The whole conversation.
    pub fn past(&self) -> Past<'_> {
        Past::Logged { logged: self, turns: &self.turns }
    }
}

/// A conversation up to some request: what every request begins with, and the completed turns, oldest first.
#[derive(Clone, Copy, Debug)]
pub enum Past<'a> {
    Program { agent: &'a Agent, turns: &'a [ProgramTurn] },
    Logged { logged: &'a LoggedConversation, turns: &'a [LoggedTurn] },
}

impl<'a> Past<'a> {
    /// The number of completed turns.
    pub fn len(self) -> usize {
        match self {
            Past::Program { turns, .. } => turns.len(),
            Past::Logged { turns, .. } => turns.len(),
        }
    }

    /// Returns true before the first answer.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The conversation after its first turns.
    pub fn first(self, completed: usize) -> Past<'a> {
        match self {
            Past::Program { agent, turns } => {
                Past::Program { agent, turns: turns.get(..completed).unwrap_or(turns) }
            }
            Past::Logged { logged, turns } => {
                Past::Logged { logged, turns: turns.get(..completed).unwrap_or(turns) }
            }
        }
    }

    /// The turn at an index.
    pub fn turn(self, index: usize) -> Option<Turn<'a>> {
        match self {
            Past::Program { turns, .. } => turns.get(index).map(Turn::Program),
            Past::Logged { turns, .. } => turns.get(index).map(Turn::Logged),
        }
    }

    /// Oldest first.
    pub fn turns(self) -> impl DoubleEndedIterator<Item = Turn<'a>> + use<'a> {
        let (program, logged) = match self {
            Past::Program { turns, .. } => (turns, &[][..]),
            Past::Logged { turns, .. } => (&[][..], turns),
        };
        program.iter().map(Turn::Program).chain(logged.iter().map(Turn::Logged))
    }

    /// The agent of a run.
    pub fn agent(self) -> Option<&'a Agent> {
        match self {
            Past::Program { agent, .. } => Some(agent),
            Past::Logged { .. } => None,
        }
    }

    pub fn logged(self) -> Option<&'a LoggedConversation> {
        match self {
            Past::Program { .. } => None,
            Past::Logged { logged, .. } => Some(logged),
        }
    }

    /// `user/` after the last turn of a run. `None` before the first turn, and for logs.
    pub fn memory(self) -> Option<&'a Memory> {
        match self {
            Past::Program { turns, .. } => turns.last().map(|turn| &turn.memory),
            Past::Logged { .. } => None,
        }
    }

    /// The text of the task.
    pub fn mission(self) -> &'a str {
        match self {
            Past::Program { agent, .. } => &agent.mission,
            Past::Logged { logged, .. } => &logged.opening.content,
        }
    }

    /// The text of the SYSTEM message; empty for a log without one.
    pub fn system_text(self) -> EcoString {
        match self {
            Past::Program { agent, .. } => agent.system_text(),
            Past::Logged { logged, .. } => logged.system_text(),
        }
    }

    /// The tools that a log declares, each as compact JSON.
    pub fn declared_tools(self) -> &'a [EcoString] {
        self.logged().map_or(&[], |logged| &logged.tools)
    }

    /// The time between requests.
    pub fn pauses(self) -> &'a Arc<Pauses> {
        match self {
            Past::Program { agent, .. } => &agent.pauses,
            Past::Logged { logged, .. } => &logged.pauses,
        }
    }

    /// The most turns that the conversation can have: the limit of the agent, or the turns of the log. A log of one turn has 2,
    /// since 1 is a single shot.
    pub fn max_turns(self) -> u32 {
        match self {
            Past::Program { agent, .. } => agent.max_turns,
            Past::Logged { logged, .. } => u32::try_from(logged.turns.len()).unwrap_or(u32::MAX).max(2),
        }
    }
}
