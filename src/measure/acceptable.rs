//! Finds requests a chat API would reject.

use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;
use rustc_hash::FxHashMap;

use crate::agent::{Message, Native, NativeCall, Past, Role};
use conversation::{MessageId, Table};
use history_strategies::Requests;

/// The mission is searched for in this many bytes at the start of a message first. It is usually there, and assembling growing
/// messages whole for each request would take quadratic time.
const HEAD: usize = 4 << 10;

/// Checks the requests of one scenario's strategies.
pub struct Acceptance<'m> {
    mission: Finder<'m>,
    /// Indexed by the message's position in the table.
    traits: Vec<Traits>,
}

/// Properties of a message used by the rules.
struct Traits {
    role: Role,
    is_blank: bool,
    has_mission: bool,
    native: Option<Arc<Native>>,
    /// Call indices by call identifier. Filled only for more than [`FEW`] calls.
    by_id: FxHashMap<EcoString, Vec<usize>>,
}

/// Bits per word of [`State::answered_later`].
const WORD: usize = u64::BITS as usize;
/// Up to this many calls, a linear search is as fast as a map.
const FEW: usize = 16;

impl<'m> Acceptance<'m> {
    pub fn new(past: Past<'m>) -> Acceptance<'m> {
        Acceptance { mission: Finder::new(needed_mission(past)), traits: Vec::new() }
    }

    /// Evicts messages that the table has evicted.
    pub fn forget(&mut self, table: &Table) {
        self.traits.truncate(table.len());
    }

    /// For each request, returns true if a chat API accepts it.
    pub fn check_requests(&mut self, table: &Table, requests: &Requests) -> Vec<bool> {
        for id in table.ids().skip(self.traits.len()) {
            self.traits.push(Traits::of_row(table, id, &self.mission));
        }
        let traits = &self.traits;
        requests.fold(
            State::default(),
            |state, message| state.after_message(&traits[message.index()]),
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

    fn of_message(message: &Message, mission: &Finder<'_>) -> Traits {
        Traits {
            role: message.role,
            is_blank: message.native.is_none() && message.content.trim().is_empty(),
            has_mission: message.role == Role::User && mission.find(message.content.as_bytes()).is_some(),
            by_id: calls_by_id(message.native.as_deref()),
            native: message.native.clone(),
        }
    }

    fn calls(&self) -> &[NativeCall] {
        match &self.native {
            Some(native) => native.calls(),
            None => &[],
        }
    }

    /// The indices of the calls with this identifier, in order.
    fn calls_of<'a>(&'a self, id: &'a EcoString) -> impl Iterator<Item = usize> + 'a {
        let few = if self.by_id.is_empty() { self.calls() } else { &[] };
        let walked = (0..few.len()).filter(move |index| few[*index].id == *id);
        walked.chain(self.by_id.get(id).into_iter().flatten().copied())
    }
}

fn calls_by_id(native: Option<&Native>) -> FxHashMap<EcoString, Vec<usize>> {
    let mut by_id: FxHashMap<EcoString, Vec<usize>> = FxHashMap::default();
    let calls = native.map_or(&[][..], Native::calls);
    if calls.len() > FEW {
        for (index, call) in calls.iter().enumerate() {
            by_id.entry(call.id.clone()).or_default().push(index);
        }
    }
    by_id
}

/// Returns true if the message contains the text, even across pieces.
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

/// The text required in a user message of each request.
fn needed_mission(past: Past<'_>) -> &str {
    // No API requires the mission, and compactions of logged agents usually remove it. So for logs the text is empty.
    match past.agent() {
        Some(agent) => &agent.mission,
        None => "",
    }
}

/// The reason why a chat API would reject these messages: `message 4 is empty`.
pub fn refusal(messages: &[Message], past: Past<'_>) -> Option<String> {
    let mission = Finder::new(needed_mission(past));
    let traits: Vec<Traits> = messages.iter().map(|message| Traits::of_message(message, &mission)).collect();
    let mut state = State::default();
    for message in &traits {
        state = state.after_message(message);
    }
    let (message, reason) = state.refusal()?;
    Some(format!("message {message} {reason}"))
}

/// The state of the rules after the first messages of a request.
#[derive(Clone, Default)]
struct State<'t> {
    /// Number of messages read.
    read: usize,
    /// Role of the last message. `None` while all are SYSTEM.
    before: Option<Role>,
    has_mission: bool,
    /// The last message with calls.
    asked: Option<&'t Traits>,
    /// Number of its calls without a result.
    open: usize,
    /// Bit set of its first 64 calls with a result.
    answered: u64,
    /// Bit sets of its further calls. Few messages have so many.
    answered_later: Vec<u64>,
    /// The first rejected message, with the reason.
    refused: Option<(usize, &'static str)>,
}

impl<'t> State<'t> {
    /// The state after one more message.
    fn after_message(&self, message: &'t Traits) -> State<'t> {
        let mut state = self.clone();
        state.read += 1;
        let is_result = match message.native.as_deref().and_then(Native::result_of) {
            Some(call) => state.answer_call(call),
            None => false,
        };
        // The rules common to all chat APIs: the user begins; assistant messages never follow each other; no message is empty;
        // the results of all calls, and no others, directly follow the calls.
        let reason = match message.role {
            _ if message.is_blank => Some("is empty"),
            Role::Tool if !is_result => Some("is the result of no call of the message before"),
            Role::Assistant if self.before.is_none() => {
                Some("is the model's, before any message of the user")
            }
            Role::Assistant if self.before == Some(Role::Assistant) => {
                Some("is the model's, as the one before")
            }
            Role::Tool => None,
            _ if self.has_open_calls() => Some("comes before the results of all calls"),
            _ => None,
        };
        if let (None, Some(reason)) = (state.refused, reason) {
            state.refused = Some((state.read, reason));
        }
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

    /// Records the result of a call. Returns false if no open call has this identifier.
    fn answer_call(&mut self, call: &EcoString) -> bool {
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

    /// The number of the rejected message and the reason, if the request ends here. It must end with a message of the user or a
    /// tool, and must contain the mission.
    fn refusal(&self) -> Option<(usize, &'static str)> {
        self.refused.or(match self.before {
            _ if self.has_open_calls() => Some((self.read, "has calls without results")),
            Some(Role::User | Role::Tool) if self.has_mission => None,
            Some(Role::User | Role::Tool) => Some((self.read, "is the last, and the mission is in none")),
            _ => Some((self.read, "is the last, and not the user's")),
        })
    }
}
