//! Conversations of both kinds: the run of an agent with programs, and a conversation from a log.

use std::sync::Arc;

use ecow::EcoString;

use super::Agent;
use super::logged::LoggedConversation;
use super::outcome::{Ending, FinishedRun};
use super::turn::{ProgramTurn, Turn};
use conversation::{Pauses, Turn as LoggedTurn};
use ptc_lisp::memory::Memory;

/// The run of an agent with programs: the agent and its turns so far.
#[derive(Clone, Debug)]
pub struct ProgramRun {
    pub agent: Arc<Agent>,
    /// Oldest first.
    pub turns: Vec<ProgramTurn>,
}

/// A finished conversation.
#[derive(Clone, Debug)]
pub enum Conversation {
    /// The run of an agent with programs.
    Program {
        run: ProgramRun,
        ending: Ending,
    },
    Logged(Arc<LoggedConversation>),
}

impl Conversation {
    /// The whole conversation.
    pub fn past(&self) -> Past<'_> {
        match self {
            Conversation::Program { run, .. } => run.past(),
            Conversation::Logged(logged) => logged.past(),
        }
    }

    /// The outcome of a run. `None` for a log.
    pub fn outcome(&self) -> Option<FinishedRun<'_>> {
        match self {
            Conversation::Program { run, ending } => Some(FinishedRun { ending, turns: &run.turns }),
            Conversation::Logged(_) => None,
        }
    }

    /// The executed turns; empty for a log.
    pub fn program_turns(&self) -> &[ProgramTurn] {
        self.outcome().map_or(&[], |outcome| outcome.turns)
    }
}

impl ProgramRun {
    /// All turns so far.
    pub fn past(&self) -> Past<'_> {
        Past::Program { run: self, turns: &self.turns }
    }
}

impl LoggedConversation {
    /// The whole conversation.
    pub fn past(&self) -> Past<'_> {
        Past::Logged { logged: &self.conversation, turns: &self.conversation.turns }
    }
}

/// A conversation up to a request: the common start of all requests, and the completed turns, oldest first.
#[derive(Clone, Copy, Debug)]
pub enum Past<'a> {
    Program { run: &'a ProgramRun, turns: &'a [ProgramTurn] },
    Logged { logged: &'a conversation::Conversation, turns: &'a [LoggedTurn] },
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
            Past::Program { run, turns } => {
                Past::Program { run, turns: turns.get(..completed).unwrap_or(turns) }
            }
            Past::Logged { logged, turns } => {
                Past::Logged { logged, turns: turns.get(..completed).unwrap_or(turns) }
            }
        }
    }

    /// The turn at an index, from 0.
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

    /// The agent of a run. `None` for a log.
    pub fn agent(self) -> Option<&'a Agent> {
        match self {
            Past::Program { run, .. } => Some(&run.agent),
            Past::Logged { .. } => None,
        }
    }

    /// The conversation of a log. `None` for a run.
    pub fn logged(self) -> Option<&'a conversation::Conversation> {
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
            Past::Program { run, .. } => &run.agent.mission,
            Past::Logged { logged, .. } => &logged.opening.content,
        }
    }

    /// The text of the SYSTEM message; empty for a log without one.
    pub fn system_text(self) -> EcoString {
        match self {
            Past::Program { run, .. } => run.agent.system_text(),
            Past::Logged { logged, .. } => logged.system_text(),
        }
    }

    /// The tool declarations of a log, each as compact JSON.
    pub fn declared_tools(self) -> &'a [EcoString] {
        self.logged().map_or(&[], |logged| &logged.tools)
    }

    /// The time between requests.
    pub fn pauses(self) -> &'a Arc<Pauses> {
        match self {
            Past::Program { run, .. } => &run.agent.pauses,
            Past::Logged { logged, .. } => &logged.pauses,
        }
    }

    /// The most turns of the conversation: the limit of the agent, or the number of turns in the log.
    pub fn max_turns(self) -> u32 {
        match self {
            Past::Program { run, .. } => run.agent.max_turns,
            Past::Logged { logged, .. } => u32::try_from(logged.turns.len()).unwrap_or(u32::MAX),
        }
    }
}
