//! Requests as the agent of a recorded conversation sent them. They are shortened where the log says that the agent shortened them.

use crate::agent::{Change, MessagePlace, Role, Turn};
use crate::compression::borders::RequestBorder;
use crate::compression::draft::RequestDraft;
use crate::compression::history::{Exchange, View};
use crate::compression::options::Options;
use crate::compression::strategy::{BuiltIn, Form};
use crate::messages::MessageId;
use ptc_tokens::Border;

/// `as-recorded`
pub const AS_RECORDED: BuiltIn = BuiltIn {
    name: "as-recorded",
    doc: "what the agent itself sent, compactions of its own included",
    form: Form::Recorded,
    options: &[],
    render,
};

fn render(view: &View<'_>, _: &Options) -> RequestDraft {
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

/// Adds a message of the conversation, or what stands in its place in this request.
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
    view.agent.recorded.as_ref()?.change(place, view.turns.len())
}
