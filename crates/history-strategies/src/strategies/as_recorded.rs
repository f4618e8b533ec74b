//! Replays the requests as the logged agent sent them, with its own compactions.

use std::collections::BTreeMap;

use crate::borders::RequestBorder;
use crate::draft::RequestDraft;
use crate::history::{Exchange, View};
use crate::options::Options;
use crate::strategy::{BuiltIn, Form};
use conversation::{Change, MessageId, MessagePlace, ReplyKind, Role, Sent, SentStart, Turn};
use ptc_prices::Border;

/// `as-recorded`
pub const AS_RECORDED: BuiltIn = BuiltIn {
    name: "as-recorded",
    doc: "what the agent itself sent, compactions of its own included",
    form: Form::Recorded,
    options: &[],
    severity: None,
    render,
};

fn render(view: &View<'_>, _: &Options) -> RequestDraft {
    if let Some(start) = view.conversation().recorded.sent(view.completed()) {
        return sent(view, start);
    }
    let mut request = RequestDraft::default();
    let systems = view.head().iter().filter(|message| message.role == Role::System).count();
    for (number, id) in view.start_ids().enumerate() {
        if number == systems {
            request.borders.push(RequestBorder::after(Border::System, number));
        }
        match number.checked_sub(systems) {
            Some(index) => add(view, MessagePlace { turn: 0, index }, id, &mut request),
            None => request.messages.push(id),
        }
    }
    request.borders.push(RequestBorder::after(Border::Opening, request.messages.len()));
    for (number, (turn, exchange)) in (1..).zip(view.exchanges(0)) {
        add_turn(view, number, turn, exchange, &mut request);
    }
    request
}

/// A request with a logged start.
fn sent(view: &View<'_>, start: &SentStart) -> RequestDraft {
    let mut request = RequestDraft::default();
    let systems = view.head().iter().filter(|message| message.role == Role::System).count();
    match &start.system {
        Some(system) if !view.has_other_system() => request.messages.push(view.messages().add(system)),
        _ => request.messages.extend(view.start_ids().take(systems)),
    }
    request.borders.push(RequestBorder::after(Border::System, request.messages.len()));
    let opening: Vec<MessageId> = view.start_ids().skip(systems).collect();
    let exchanges: Vec<(&Turn, &Exchange)> = view.exchanges(0).collect();
    let mut shown: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, sent) in start.messages.iter().enumerate() {
        if number == 1 {
            request.borders.push(RequestBorder::after(Border::Opening, request.messages.len()));
        }
        let place = match sent {
            Sent::Put(message) => {
                request.messages.push(view.messages().add(message));
                continue;
            }
            Sent::At(place) => *place,
        };
        let exchange = place.turn.checked_sub(1).and_then(|turn| exchanges.get(turn));
        let ids = exchange.map_or(opening.as_slice(), |(_, exchange)| exchange.ids());
        if let Some(id) = ids.get(place.index) {
            add(view, place, *id, &mut request);
            shown.entry(place.turn).or_default().push(place.index);
        }
    }
    let after = start.after;
    let begun = after.turn.checked_sub(1).and_then(|turn| exchanges.get(turn)).filter(|_| after.index > 0);
    let replies = begun.map_or(&[][..], |(turn, _)| &turn.replies);
    for index in (after.index..).take(replies.len().saturating_sub(after.index.saturating_sub(1))) {
        let is_logged = replies.get(index - 1).is_some_and(|reply| reply.kind != ReplyKind::Filler);
        if let Some(id) = begun.and_then(|(_, exchange)| exchange.ids().get(index)).filter(|_| is_logged) {
            add(view, MessagePlace { turn: after.turn, index }, *id, &mut request);
            shown.entry(after.turn).or_default().push(index);
        }
    }
    for (turn, indices) in &shown {
        let Some((turn, exchange)) = turn.checked_sub(1).and_then(|turn| exchanges.get(turn)) else {
            continue;
        };
        match indices.contains(&0) {
            true if indices.len() == exchange.ids().len() => request.shown.whole(turn),
            true => request.shown.answer(turn),
            false => {}
        }
    }
    let whole = if after.index > 0 { after.turn + 1 } else { after.turn };
    for (number, (turn, exchange)) in (1..).zip(exchanges).filter(|(number, _)| *number >= whole) {
        add_turn(view, number, turn, exchange, &mut request);
    }
    request
}

/// Adds the messages of a turn with their changes.
fn add_turn(view: &View<'_>, number: usize, turn: &Turn, exchange: &Exchange, request: &mut RequestDraft) {
    let place = |index| MessagePlace { turn: number, index };
    let is_changed = |index| change(view, place(index)).is_some();
    // The answer has the index 0.
    match (0..exchange.ids().len()).any(is_changed) {
        false => request.shown.whole(turn),
        true if !is_changed(0) => request.shown.answer(turn),
        true => {}
    }
    for (index, id) in exchange.ids().iter().enumerate() {
        add(view, place(index), *id, request);
    }
}

/// Adds a message of the conversation, or its replacement in this request.
fn add(view: &View<'_>, place: MessagePlace, id: MessageId, request: &mut RequestDraft) {
    match change(view, place) {
        None => request.messages.push(id),
        Some(change) => {
            let instead = change.message.as_ref().map(|message| view.messages().add(message));
            request.messages.extend(instead);
        }
    }
}

fn change<'a>(view: &View<'a>, place: MessagePlace) -> Option<&'a Change> {
    view.conversation().recorded.change(place, view.completed())
}
