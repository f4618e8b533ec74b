//! Strategies: pure functions from what happened to what the model is sent. They cannot run code, look
//! at a clock or keep state (ARC-003, ARC-004).

use ecow::EcoString;

use crate::agent::{Agent, Message, Transcript, Turn};
use crate::lisp::memory::Memory;

/// What a strategy may look at: the agent and its first turns.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub agent: &'a Agent,
    /// The completed turns, oldest first.
    pub turns: &'a [Turn],
    /// `user/` after the last of them.
    pub memory: &'a Memory,
    /// Counted before the turn: the first request of five says 5.
    pub turns_left: u32,
}

impl<'a> View<'a> {
    /// The view before the turn that follows the first `completed` ones (ARC-006, S2-04).
    pub fn after(agent: &'a Agent, transcript: &'a Transcript, completed: usize) -> View<'a> {
        View {
            agent,
            turns: &transcript.turns()[..completed],
            memory: transcript.memory_after(completed),
            turns_left: agent.max_turns.saturating_sub(completed as u32),
        }
    }
}

/// A request and what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub messages: Vec<Message>,
    pub statistics: Statistics,
}

/// The ten statistics of every render (S4-15), counted from what was rendered.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    pub enabled: bool,
    pub strategy: EcoString,
    pub turns_compressed: u32,
    pub tool_calls_total: u32,
    pub tool_calls_shown: u32,
    pub tool_calls_dropped: u32,
    pub printlns_total: u32,
    pub printlns_shown: u32,
    pub printlns_dropped: u32,
    pub error_turns_collapsed: u32,
}
