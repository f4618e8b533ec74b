//! Requests that a chat model refuses.

use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;

use super::requests::Requests;
use crate::agent::{Agent, Message, Native, NativeCall, Role};
use crate::messages::{MessageId, Table};

/// Bytes at the start of a text in which the mission is looked for first. Most messages that have it begin with it, and
/// putting a message that grows with each request together as a whole would take quadratic time.
const HEAD: usize = 4 << 10;

/// Judges the requests of the strategies of one scenario.
pub struct Acceptance<'m> {
    mission: Finder<'m>,
    /// The traits of each message of the table, by its position.
    traits: Vec<Traits>,
}

/// Properties of a message that the rules ask for.
struct Traits {
    role: Role,
    is_blank: bool,
    has_mission: bool,
    native: Option<Arc<Native>>,
}

impl<'m> Acceptance<'m> {
    pub fn new(agent: &'m Agent) -> Acceptance<'m> {
        Acceptance { mission: Finder::new(needed_mission(agent)), traits: Vec::new() }
    }

    /// Drops what is known of messages that the table forgot.
    pub fn forget(&mut self, table: &Table) {
        self.traits.truncate(table.len());
    }

    /// Returns for each request whether a chat model accepts it.
    pub fn of(&mut self, table: &Table, requests: &Requests) -> Vec<bool> {
        for id in table.ids().skip(self.traits.len()) {
            self.traits.push(Traits::of_row(table, id, &self.mission));
        }
        let traits = &self.traits;
        requests.fold(
            State::default(),
            |state, message| state.after(&traits[message.index()]),
            |_, _, end| end.refusal().is_none(),
        )
    }
}

impl Traits {
    fn of_row(table: &Table, id: MessageId, mission: &Finder<'_>) -> Traits {
        let row = table.row(id);
        Traits {
            role: row.role,
            is_blank: row.native.is_none()
                && table.pieces(id).all(|piece| table.piece(piece).trim().is_empty()),
            has_mission: row.role == Role::User && has_text(table, id, mission),
            native: row.native.clone(),
        }
    }

    fn of(message: &Message, mission: &Finder<'_>) -> Traits {
        Traits {
            role: message.role,
            is_blank: message.native.is_none() && message.content.trim().is_empty(),
            has_mission: message.role == Role::User && mission.find(message.content.as_bytes()).is_some(),
            native: message.native.clone(),
        }
    }
}

/// Returns true if a message has a text. The text may span pieces.
fn has_text(table: &Table, id: MessageId, text: &Finder<'_>) -> bool {
    let mut start = String::new();
    let mut pieces = table.pieces(id).map(|piece| table.piece(piece));
    for piece in pieces.by_ref() {
        start.push_str(&piece);
        if start.len() > HEAD + text.needle().len() {
            break;
        }
    }
    text.find(start.as_bytes()).is_some() || {
        start.extend(pieces);
        text.find(start.as_bytes()).is_some()
    }
}

/// The text that a message of the user must have in each request.
fn needed_mission(agent: &Agent) -> &str {
    // No provider asks for the mission. The compactions of recorded agents mostly remove it, so there any message will do.
    if agent.recorded.is_some() { "" } else { &agent.mission }
}

/// The reason why a chat model would refuse a request of these messages: `message 4 is empty`.
pub fn refusal(messages: &[Message], agent: &Agent) -> Option<String> {
    let mission = Finder::new(needed_mission(agent));
    let traits: Vec<Traits> = messages.iter().map(|message| Traits::of(message, &mission)).collect();
    let end = traits.iter().fold(State::default(), |state, message| state.after(message));
    end.refusal().map(|(message, reason)| format!("message {message} {reason}"))
}

/// State of the rules after some messages of a request.
#[derive(Clone, Default)]
struct State<'t> {
    /// Number of messages.
    read: usize,
    /// The role of the last message. None while all are SYSTEM.
    before: Option<Role>,
    has_mission: bool,
    /// The calls of the last message that has any.
    calls: &'t [NativeCall],
    /// Number of calls before the first one without a result. Results mostly come in the order of their calls.
    answered: usize,
    /// Indexes of the calls behind it that have a result.
    answered_later: Vec<usize>,
    /// The first message that is refused, and the reason.
    refused: Option<(usize, &'static str)>,
}

impl<'t> State<'t> {
    /// The state after one more message.
    fn after(&self, message: &'t Traits) -> State<'t> {
        let mut state = self.clone();
        state.read += 1;
        let call = message.native.as_ref().and_then(|native| native.result_of());
        let is_result = call.is_some_and(|call| state.answer(call));
        // The rules that all providers of chat models have in common: the user begins; no two assistant messages follow each
        // other; no message is empty; the results of all calls of a message, and no others, follow it at once.
        let reason = match message.role {
            _ if message.is_blank => Some("is empty"),
            Role::Tool if !is_result => Some("is the result of no call of the message before"),
            Role::Assistant if self.before.is_none() => {
                Some("is the model's, and the user has said nothing yet")
            }
            Role::Assistant if self.before == Some(Role::Assistant) => {
                Some("is the model's, as the one before")
            }
            Role::Tool => None,
            _ if self.has_open_calls() => Some("comes before the results of all calls"),
            _ => None,
        };
        state.refused = self.refused.or(reason.map(|reason| (state.read, reason)));
        let calls = message.native.as_ref().map_or(&[][..], |native| native.calls());
        if !calls.is_empty() {
            (state.calls, state.answered, state.answered_later) = (calls, 0, Vec::new());
        }
        state.has_mission |= message.has_mission;
        if self.before.is_some() || message.role != Role::System {
            state.before = Some(message.role);
        }
        state
    }

    fn has_open_calls(&self) -> bool {
        self.answered < self.calls.len()
    }

    /// Takes the result of a call. Returns false if no call without a result has this identifier.
    fn answer(&mut self, call: &EcoString) -> bool {
        let is_open = |at: &usize| !self.answered_later.contains(at) && self.calls[*at].id == *call;
        let Some(at) = (self.answered..self.calls.len()).find(is_open) else { return false };
        self.answered_later.push(at);
        while let Some(next) = self.answered_later.iter().position(|later| *later == self.answered) {
            self.answered_later.swap_remove(next);
            self.answered += 1;
        }
        true
    }

    /// The number of the message for which a chat model refuses the request, if it ends here, and the reason. A request must end
    /// with a message of the user or a tool, and must have the mission.
    fn refusal(&self) -> Option<(usize, &'static str)> {
        self.refused.or(match self.before {
            _ if self.has_open_calls() => Some((self.read, "has calls without results")),
            Some(Role::User | Role::Tool) if self.has_mission => None,
            Some(Role::User | Role::Tool) => Some((self.read, "is the last, and the mission is in none")),
            _ => Some((self.read, "is the last, and not the user's")),
        })
    }
}
