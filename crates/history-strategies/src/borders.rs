//! Borders of requests: places with a stable prefix. Later requests of a run seldom differ before a border, so clients set cache
//! breakpoints there.

use conversation::{Message, MessagePart};
use ptc_prices::Border;

/// A border of a [`Request`](crate::Request): a useful place for a cache breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestBorder {
    pub kind: Border,
    /// Number of whole messages before the border.
    pub messages: usize,
    /// Number of bytes of the next message before the border; 0 between two messages.
    pub bytes: u32,
}

impl RequestBorder {
    /// A border between two messages.
    pub fn after(kind: Border, messages: usize) -> RequestBorder {
        RequestBorder { kind, messages, bytes: 0 }
    }
}

/// The borders of the message with the opening: after the opening, and after each list of definitions, calls or prints. The last may be the
/// end of the message. `messages` is the number of messages before this one.
pub fn of_opening(message: &Message, messages: usize) -> Vec<RequestBorder> {
    let mut borders: Vec<RequestBorder> = Vec::new();
    let starts = message
        .parts
        .iter()
        .map(|(part, start)| (kind_of(*part), *start))
        .chain([(None, message.content.len() as u32)]);
    let mut before = Some(Border::Opening);
    for (kind, start) in starts {
        // Keep only the first border of each kind. In `aggressive`, the growing conversation is in the middle of the opening.
        if let Some(ended) = before.filter(|_| kind != before && start > 0)
            && borders.iter().all(|border| border.kind != ended)
        {
            let is_whole = start as usize == message.content.len();
            let (messages, bytes) = if is_whole { (messages + 1, 0) } else { (messages, start) };
            borders.push(RequestBorder { kind: ended, messages, bytes });
        }
        before = kind;
    }
    borders
}

/// The kind of border after a part. `None` for parts that change with every request.
fn kind_of(part: MessagePart) -> Option<Border> {
    use MessagePart::{
        Calls, Conversation, Data, Error, Mission, Output, Return, System, Tool, TurnsLeft, User,
    };
    match part {
        System | Mission | Tool | Data | Return => Some(Border::Opening),
        User => Some(Border::Definitions),
        Conversation => Some(Border::Conversation),
        Calls => Some(Border::Calls),
        Output => Some(Border::Output),
        Error | TurnsLeft => None,
    }
}

/// The borders of a complete request: sorted, without those after its end, and with a border after its last message.
pub fn complete_borders(mut borders: Vec<RequestBorder>, end: usize) -> Vec<RequestBorder> {
    borders.retain(|border| border.messages <= end);
    borders.sort_by_key(|border| (border.messages, border.bytes));
    borders.push(RequestBorder::after(Border::Last, end));
    borders
}

/// The borders for a strategy without declared ones: after the `head` messages at the start, after the opening, and before the last
/// message.
pub fn guess_borders(messages: &[Message], head: &[Message]) -> Vec<RequestBorder> {
    let head = Message::shared_start(messages, head);
    let at = [
        (Border::System, head),
        (Border::Opening, head + 1),
        (Border::Settled, messages.len().saturating_sub(1)),
    ];
    at.map(|(kind, messages)| RequestBorder::after(kind, messages)).to_vec()
}
