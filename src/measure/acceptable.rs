//! Requests that a chat model refuses.

use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;
use rustc_hash::FxHashMap;

use crate::agent::{Message, Native, NativeCall, Past, Role};
use conversation::{MessageId, Table};
use history_strategies::Requests;

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
    /// The indices of its calls by their identifiers, if they are many.
    by_id: FxHashMap<EcoString, Vec<usize>>,
}

/// Bits of a word of [`State::answered_later`].
const WORD: usize = u64::BITS as usize;
/// Number of calls up to which a walk over them is as fast as a map.
const FEW: usize = 16;

impl<'m> Acceptance<'m> {
    pub fn new(past: Past<'m>) -> Acceptance<'m> {
        Acceptance { mission: Finder::new(needed_mission(past)), traits: Vec::new() }
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
            by_id: calls_by_id(row.native.as_deref()),
            native: row.native.clone(),
        }
    }

    fn of(message: &Message, mission: &Finder<'_>) -> Traits {
        Traits {
            role: message.role,
            is_blank: message.native.is_none() && message.content.trim().is_empty(),
            has_mission: message.role == Role::User && mission.find(message.content.as_bytes()).is_some(),
            by_id: calls_by_id(message.native.as_deref()),
            native: message.native.clone(),
        }
    }

    fn calls(&self) -> &[NativeCall] {
        self.native.as_ref().map_or(&[], |native| native.calls())
    }

    /// The indices of the calls with an identifier, in order.
    fn calls_of<'a>(&'a self, id: &'a EcoString) -> impl Iterator<Item = usize> + 'a {
        let few = if self.by_id.is_empty() { self.calls() } else { &[] };
        let walked = few.iter().enumerate().filter(move |(_, call)| call.id == *id).map(|(index, _)| index);
        walked.chain(self.by_id.get(id).into_iter().flatten().copied())
    }
}

fn calls_by_id(native: Option<&Native>) -> FxHashMap<EcoString, Vec<usize>> {
    let mut by_id: FxHashMap<EcoString, Vec<usize>> = FxHashMap::default();
    let calls = native.map_or(&[][..], Native::calls);
    for (index, call) in calls.iter().enumerate().filter(|_| calls.len() > FEW) {
        by_id.entry(call.id.clone()).or_default().push(index);
    }
    by_id
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
fn needed_mission(past: Past<'_>) -> &str {
    // No provider asks for the mission. The compactions of logged agents mostly remove it, so there any message will do.
    past.agent().map_or("", |agent| &agent.mission)
}

/// The reason why a chat model would refuse a request of these messages: `message 4 is empty`.
pub fn refusal(messages: &[Message], past: Past<'_>) -> Option<String> {
    let mission = Finder::new(needed_mission(past));
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
    /// The last message that has calls.
    asked: Option<&'t Traits>,
    /// Number of its calls without a result.
    open: usize,
    /// The bits of its first calls that have a result.
    answered: u64,
    /// Those of its further calls: hardly any answer has so many.
    answered_later: Vec<u64>,
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
        let calls = message.calls();
        if !calls.is_empty() {
            (state.asked, state.open, state.answered) = (Some(message), calls.len(), 0);
            state.answered_later = vec![0; (calls.len() - 1) / WORD];
        }
        state.has_mission |= message.has_mission;
        if self.before.is_some() || message.role != Role::System {
            state.before = Some(message.role);
        }
        state
    }

    fn has_open_calls(&self) -> bool {
        self.open > 0
    }

    /// Takes the result of a call. Returns false if no call without a result has this identifier.
    fn answer(&mut self, call: &EcoString) -> bool {
        let Some(asked) = self.asked else { return false };
        let Some(at) = asked.calls_of(call).find(|at| !self.is_answered(*at)) else { return false };
        let word = match (at / WORD).checked_sub(1) {
            None => &mut self.answered,
            Some(later) => match self.answered_later.get_mut(later) {
                Some(word) => word,
                None => return false,
            },
        };
        *word |= 1 << (at % WORD);
        self.open -= 1;
        true
    }

    fn is_answered(&self, at: usize) -> bool {
        let word = match (at / WORD).checked_sub(1) {
            None => self.answered,
            Some(later) => self.answered_later.get(later).copied().unwrap_or(u64::MAX),
        };
        word & (1 << (at % WORD)) != 0
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
