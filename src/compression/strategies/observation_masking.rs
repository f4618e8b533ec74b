//! Every answer, but only the newest observations. Many frameworks do this.

use std::fmt::Write;

use crate::agent::{MessagePart, Role, Turn};
use crate::compression::cache::Key;
use crate::compression::draft::RequestDraft;
use crate::compression::history::{Exchange, View};
use crate::compression::message_builder::MessageBuilder;
use crate::compression::options::{KEEP_RECENT_TURNS, Options};
use crate::compression::statistics::Shown;
use crate::compression::strategy::BuiltIn;

/// `observation-masking`
pub const OBSERVATION_MASKING: BuiltIn = BuiltIn {
    name: "observation-masking",
    doc: "full-history with the feedback of older turns left out",
    options: &[KEEP_RECENT_TURNS],
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let older = view.turns.len().saturating_sub(options.get(&KEEP_RECENT_TURNS));
    let mut request = view.start();
    for (turn, exchange) in view.exchanges(0).take(older) {
        let key = (OBSERVATION_MASKING.name, Key::default());
        exchange.cache.add(key, &mut request, || masked(turn, exchange));
    }
    view.add_whole(older, &mut request);
    request
}

/// The answer, and `[output of turn 4 omitted: 1234 characters]` with the line that announces the next turn.
fn masked(turn: &Turn, exchange: &Exchange) -> RequestDraft {
    let characters = exchange.observation().chars().count();
    let mut message = MessageBuilder::default();
    message.part(MessagePart::Output, |out| {
        let _ = write!(out, "[output of turn {} omitted: {characters} characters]", turn.number);
    });
    message.part(MessagePart::TurnsLeft, |out| out.push_str(exchange.turn_line()));
    let mut shown = Shown::default();
    shown.answer(turn);
    RequestDraft::new(vec![exchange.assistant.clone(), message.finish(Role::User)], shown)
}
