//! Replays the requests of the logged agent, with its own compactions. Optionally cuts long tool results when they arrive, as products do.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::borders::RequestBorder;
use crate::draft::RequestDraft;
use crate::history::{Exchange, View};
use crate::masking::{KEEP_END, KEEP_START, Masking, ONLY_TOOLS, RESULT_LIMIT, is_of_tool};
use crate::options::Options;
use crate::strategy::{BuiltIn, Form};
use crate::turn_memo::LeftOfTurn;
use conversation::{Change, MessageId, MessagePlace, ReplyKind, Role, Sent, SentStart, Turn};
use ecow::EcoString;
use ptc_prices::Border;

/// `as-recorded`
pub const AS_RECORDED: BuiltIn = BuiltIn {
    name: "as-recorded",
    doc: "the requests that the agent really sent, including its own compactions",
    form: Form::Recorded,
    options: &[RESULT_LIMIT.row(), KEEP_START.row(), KEEP_END.row(), ONLY_TOOLS.row()],
    severity: None,
    render,
};

/// A limit on the length of tool results.
#[derive(Clone, Copy)]
struct Limit<'o> {
    characters: usize,
    /// What stays of a longer result.
    masking: Masking,
    /// All tools if empty.
    tools: &'o [EcoString],
}

impl<'o> Limit<'o> {
    fn from_options(options: &'o Options) -> Option<Limit<'o>> {
        let characters = options.size(&RESULT_LIMIT);
        if characters == 0 {
            return None;
        }
        let (keep_start, keep_end) = (options.size(&KEEP_START), options.size(&KEEP_END));
        let masking = Masking { keep_start, keep_end, ..Masking::default() };
        Some(Limit { characters, masking, tools: options.names(&ONLY_TOOLS) })
    }

    fn cuts_reply(self, turn: &Turn, reply: usize) -> bool {
        let is_limited = self.tools.is_empty() || is_of_tool(turn, reply, self.tools);
        let text = turn.replies.get(reply).map_or("", |reply| &reply.message.content);
        is_limited && text.len() > self.characters && text.chars().count() > self.characters
    }
}

/// A turn with its messages in the table.
struct SentTurn<'a> {
    turn: &'a Turn,
    /// The answer, then each reply.
    ids: Cow<'a, [MessageId]>,
}

impl<'a> SentTurn<'a> {
    /// The turn at `index`, with long results cut if there is a limit.
    fn new(
        view: &View<'a>,
        index: usize,
        (turn, exchange): (&'a Turn, &'a Exchange),
        limit: Option<Limit<'_>>,
    ) -> SentTurn<'a> {
        let Some(limit) = limit else { return SentTurn { turn, ids: Cow::Borrowed(exchange.ids()) } };
        let mut draft = RequestDraft::default();
        view.add_instead(index, LeftOfTurn::default(), &mut draft, || {
            limit.masking.masked(view, turn, exchange, |reply| limit.cuts_reply(turn, reply))
        });
        SentTurn { turn, ids: Cow::Owned(draft.messages) }
    }
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let limit = Limit::from_options(options);
    let mut turns = Vec::with_capacity(view.completed());
    for (index, turn) in view.exchanges(0).enumerate() {
        turns.push(SentTurn::new(view, index, turn, limit));
    }
    if let Some(start) = view.conversation().recorded.sent(view.completed()) {
        return render_sent(view, start, &turns);
    }
    let mut request = RequestDraft::default();
    let systems = view.head().iter().filter(|message| message.role == Role::System).count();
    for (number, id) in view.start_ids().enumerate() {
        if number == systems {
            request.borders.push(RequestBorder::after(Border::System, number));
        }
        match number.checked_sub(systems) {
            Some(index) => add_message(view, MessagePlace { turn: 0, index }, id, &mut request),
            None => request.messages.push(id),
        }
    }
    request.borders.push(RequestBorder::after(Border::Opening, request.messages.len()));
    for (number, turn) in (1..).zip(&turns) {
        add_turn(view, number, turn, &mut request);
    }
    request
}

/// A request with a logged start.
fn render_sent(view: &View<'_>, start: &SentStart, turns: &[SentTurn<'_>]) -> RequestDraft {
    let mut request = RequestDraft::default();
    let systems = view.head().iter().filter(|message| message.role == Role::System).count();
    match &start.system {
        Some(system) if !view.has_other_system() => request.messages.push(view.messages().add(system)),
        _ => request.messages.extend(view.start_ids().take(systems)),
    }
    request.borders.push(RequestBorder::after(Border::System, request.messages.len()));
    let opening: Vec<MessageId> = view.start_ids().skip(systems).collect();
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
        let ids = match turn_numbered(turns, place.turn) {
            Some(turn) => &turn.ids,
            None => opening.as_slice(),
        };
        if let Some(id) = ids.get(place.index) {
            add_message(view, place, *id, &mut request);
            shown.entry(place.turn).or_default().push(place.index);
        }
    }
    // The logged start may end within a turn; the replies after it follow.
    let after = start.after;
    if let Some(begun) = turn_numbered(turns, after.turn)
        && let Some(first) = after.index.checked_sub(1)
    {
        for (reply, (index, id)) in
            begun.turn.replies.iter().zip(begun.ids.iter().enumerate().skip(1)).skip(first)
        {
            if reply.kind != ReplyKind::Filler {
                add_message(view, MessagePlace { turn: after.turn, index }, *id, &mut request);
                shown.entry(after.turn).or_default().push(index);
            }
        }
    }
    for (number, indices) in &shown {
        let Some(SentTurn { turn, ids }) = turn_numbered(turns, *number) else { continue };
        match indices.contains(&0) {
            true if indices.len() == ids.len() => request.shown.show_whole(turn),
            true => request.shown.show_answer(turn),
            false => {}
        }
    }
    let whole = if after.index > 0 { after.turn + 1 } else { after.turn };
    for (number, turn) in (1..).zip(turns).skip(whole.saturating_sub(1)) {
        add_turn(view, number, turn, &mut request);
    }
    request
}

/// The turn with a number, from 1.
fn turn_numbered<'t, 'a>(turns: &'t [SentTurn<'a>], number: usize) -> Option<&'t SentTurn<'a>> {
    turns.get(number.checked_sub(1)?)
}

/// Adds the messages of a turn with their changes.
fn add_turn(
    view: &View<'_>,
    number: usize,
    SentTurn { turn, ids }: &SentTurn<'_>,
    request: &mut RequestDraft,
) {
    // The answer has the index 0.
    match first_change(view, number, ids.len()) {
        None => request.shown.show_whole(turn),
        Some(1..) => request.shown.show_answer(turn),
        Some(0) => {}
    }
    for (index, id) in ids.iter().enumerate() {
        add_message(view, MessagePlace { turn: number, index }, *id, request);
    }
}

/// Index of the first message of a turn that a compaction changed.
fn first_change(view: &View<'_>, turn: usize, messages: usize) -> Option<usize> {
    (0..messages).find(|&index| find_change(view, MessagePlace { turn, index }).is_some())
}

/// Adds a message of the conversation, or its replacement in this request.
fn add_message(view: &View<'_>, place: MessagePlace, id: MessageId, request: &mut RequestDraft) {
    match find_change(view, place) {
        None => request.messages.push(id),
        Some(change) => {
            if let Some(message) = &change.message {
                request.messages.push(view.messages().add(message));
            }
        }
    }
}

fn find_change<'a>(view: &View<'a>, place: MessagePlace) -> Option<&'a Change> {
    view.conversation().recorded.change(place, view.completed())
}
