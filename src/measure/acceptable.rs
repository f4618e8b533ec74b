//! Whether a chat model accepts a request.

use std::collections::VecDeque;
use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;

use super::requests::Requests;
use crate::agent::{Message, Native, Role};
use crate::messages::{MessageId, Table};

/// Bytes at the start of a text in which the mission is looked for first. Most messages that have it begin with it.
const HEAD: usize = 4 << 10;

/// Judges the requests of the strategies of one scenario.
pub struct Acceptance<'m> {
    mission: Finder<'m>,
    /// Of each message of the table.
    traits: Vec<Traits>,
}

/// What the rules ask of a message.
struct Traits {
    role: Role,
    is_blank: bool,
    has_mission: bool,
    native: Option<Arc<Native>>,
}

impl<'m> Acceptance<'m> {
    pub fn new(mission: &'m str) -> Acceptance<'m> {
        Acceptance { mission: Finder::new(mission), traits: Vec::new() }
    }

    /// Returns for each request whether a chat model accepts it.
    pub fn of(&mut self, table: &Table, requests: &Requests) -> Vec<bool> {
        for id in table.ids().skip(self.traits.len()) {
            self.traits.push(Traits::of_row(table, id, &self.mission));
        }
        let traits = &self.traits;
        requests.map(|_, messages, _| {
            find_refusal(messages.iter().map(|message| &traits[message.index()])).is_none()
        })
    }
}

impl Traits {
    fn of_row(table: &Table, id: MessageId, mission: &Finder<'_>) -> Traits {
        let row = table.row(id);
        Traits {
            role: row.role,
            is_blank: row.native.is_none() && table.texts(id).all(|(text, _)| text.trim().is_empty()),
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

/// Returns true if a message has a text, which may span pieces.
fn has_text(table: &Table, id: MessageId, text: &Finder<'_>) -> bool {
    let mut start = String::new();
    let mut pieces = table.texts(id).map(|(piece, _)| piece);
    for piece in pieces.by_ref() {
        start.push_str(piece);
        if start.len() > HEAD + text.needle().len() {
            break;
        }
    }
    text.find(start.as_bytes()).is_some() || {
        start.extend(pieces);
        text.find(start.as_bytes()).is_some()
    }
}

/// The reason why a chat model would refuse a request of these messages to an agent with a mission: `message 4 is empty`.
pub fn refusal(messages: &[Message], mission: &str) -> Option<String> {
    let mission = Finder::new(mission);
    let traits: Vec<Traits> = messages.iter().map(|message| Traits::of(message, &mission)).collect();
    find_refusal(traits.iter()).map(|(message, reason)| format!("message {message} {reason}"))
}

/// The number of a message that chat models do not accept, and the reason. They accept it if the user begins, and the
/// user or a tool ends the conversation; no two assistant messages follow each other; no message is empty; the results of
/// all calls of a message, and no others, follow it at once; the mission is there.
fn find_refusal<'m>(messages: impl Iterator<Item = &'m Traits>) -> Option<(usize, &'static str)> {
    let (mut before, mut has_mission, mut last) = (None, false, 0);
    let mut open: VecDeque<&EcoString> = VecDeque::new();
    for (number, message) in (1..).zip(messages) {
        let answered = match message.native.as_deref() {
            Some(Native::ResultOf(call)) => open.iter().position(|id| *id == call),
            _ => None,
        };
        let reason = match message.role {
            _ if message.is_blank => Some("is empty"),
            Role::Tool if answered.is_none() => Some("is the result of no call of the message before"),
            Role::Assistant if before.is_none() => Some("is the model's, and the user has said nothing yet"),
            Role::Assistant if before == Some(Role::Assistant) => Some("is the model's, as the one before"),
            Role::Tool => None,
            _ if !open.is_empty() => Some("comes before the results of all calls"),
            _ => None,
        };
        if let Some(reason) = reason {
            return Some((number, reason));
        }
        answered.and_then(|at| open.remove(at));
        open.extend(message.native.iter().flat_map(|native| native.calls()).map(|call| &call.id));
        has_mission |= message.has_mission;
        if before.is_some() || message.role != Role::System {
            before = Some(message.role);
        }
        last = number;
    }
    match before {
        _ if !open.is_empty() => Some((last, "has calls without results")),
        Some(Role::User | Role::Tool) if has_mission => None,
        Some(Role::User | Role::Tool) => Some((last, "is the last, and the mission is in none")),
        _ => Some((last, "is the last, and not the user's")),
    }
}
