//! Sends the plain history, with a summary in place of old turns once a request is large. Most agents do this. The summary's text, written
//! by a model, is an input: the strategy only decides when to summarize and what to replace.

use crate::call::{StrategyCall, TextKey};
use crate::draft::RequestDraft;
use crate::gauge::SizedRequest;
use crate::history::View;
use crate::options::{
    CountOption, FlagOption, Options, PROMPT, ShareOption, SizeOption, TOKENS_OF_TRIGGER, Trigger, WRITER,
    WordOption, Writer,
};
use crate::severity::{Kind, Severity};
use crate::strategy::{BuiltIn, Form};
use conversation::cut::shortened as shortened_text;
use conversation::{LoggedSummary, Message, MessageBuilder, MessageId, MessagePart, ReplyKind, Role};
use ecow::{EcoString, eco_format};

pub const KEEP_RECENT_TURNS: CountOption =
    CountOption::new("keep_recent_turns", 3, 0, "fewest recent turns that are kept");
pub const KEEP_RECENT_TOKENS: SizeOption = SizeOption {
    name: "keep_recent_tokens",
    doc: "more recent turns are kept as long as all have no more tokens",
};
const KEEP_RECENT_SHARE: ShareOption = ShareOption {
    name: "keep_recent_share",
    doc: "the same by a share of the tokens of all turns and the summary before",
};
const KEEP_FIRST: CountOption = CountOption::new("keep_first", 0, 0, "turns at the start that are kept");
pub const KEEP_OPENING: FlagOption = FlagOption {
    name: "keep_opening",
    default: true,
    doc: "the messages of a log before its first answer are kept, before the summary",
};
const KEEP_WORDS: FlagOption =
    FlagOption { name: "keep_words", default: false, doc: "words of people are kept" };
const WORDS_TOKENS: SizeOption = SizeOption {
    name: "words_tokens",
    doc: "most tokens of the words that keep_words keeps, the newest; 0: all are kept",
};
const TOKENS: CountOption = CountOption::new("tokens", 1000, 1, "most tokens of a summary");
const REUSE_PREFIX: FlagOption = FlagOption {
    name: "reuse_prefix",
    default: true,
    doc: "the call for the summary goes on from the request, so that its start is read from the cache",
};
const CALL_RESULT_CHARACTERS: SizeOption = SizeOption {
    name: "call_result_characters",
    doc: "characters that a call of its own sees of each result; 0: all",
};
pub const CALL_TOKENS: SizeOption = SizeOption {
    name: "call_tokens",
    doc: "tokens that a call of its own sees of what it replaces, the newest; 0: all",
};
const PLACE: WordOption = WordOption {
    name: "place",
    default: USER,
    others: &[SYSTEM],
    doc: "role of the summary: user or system",
};
const USER: &str = "user";
const SYSTEM: &str = "system";
/// Default trigger, as a share of the window. Products start between 0.5 and 0.9.
const WINDOW_SHARE: f64 = 0.8;

/// `summary`
pub const SUMMARY: BuiltIn = BuiltIn {
    name: "summary",
    doc: "full-history with a summary in place of old turns once it is large",
    form: Form::Written,
    options: &[
        KEEP_RECENT_TURNS.row(),
        KEEP_RECENT_TOKENS.row(),
        KEEP_RECENT_SHARE.row(),
        KEEP_FIRST.row(),
        KEEP_OPENING.row(),
        KEEP_WORDS.row(),
        WORDS_TOKENS.row(),
        TOKENS.row(),
        PLACE.row(),
        REUSE_PREFIX.row(),
        CALL_RESULT_CHARACTERS.row(),
        CALL_TOKENS.row(),
        TOKENS_OF_TRIGGER.row(),
        PROMPT,
        WRITER,
    ],
    severity: Some(severity),
    render,
};

fn severity(options: &Options) -> Severity {
    let is_by_size = options.size(&KEEP_RECENT_TOKENS) > 0 || options.share(&KEEP_RECENT_SHARE) > 0.0;
    match is_by_size {
        true => Severity::by_size(Kind::Summary),
        false => Severity::keeping(Kind::Summary, options.get(&KEEP_RECENT_TURNS)),
    }
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    match logged_summaries(view, options) {
        [] => view.carry(|placed: &mut Placed| {
            placed.place_summaries(view, options);
            with_newest(view, options, &placed.compactions)
        }),
        summaries => {
            let compactions = Sizes::new(view, options).place_logged(options, summaries);
            with_newest(view, options, &compactions)
        }
    }
}

/// The request with the newest summary. If the summary is new, the request includes the call that writes it.
fn with_newest(view: &View<'_>, options: &Options, compactions: &[Compaction]) -> RequestDraft {
    let (newest, before) = match compactions {
        [.., before, newest] => (Some(newest), Some(before)),
        others => (others.last(), None),
    };
    let mut request = shorten_request(view, options, newest);
    if let Some(newest) = newest
        && newest.completed == view.completed()
    {
        request.call = Some(summary_call(view, options, before, newest));
    }
    request
}

/// The trigger for summaries: the option, or a share of the window by default.
pub fn trigger(options: &Options) -> Trigger {
    let trigger = options.trigger();
    if trigger == Trigger::default() { Trigger::of_window(WINDOW_SHARE) } else { trigger }
}

/// The summaries in the log. Empty if the log is not the writer.
fn logged_summaries<'a>(view: &View<'a>, options: &Options) -> &'a [LoggedSummary] {
    let is_writer = match options.writer() {
        Some(writer) => *writer == Writer::Recorded,
        // By default summaries are placed as in the log. A user who sets a trigger wants them elsewhere.
        None => options.trigger() == Trigger::default(),
    };
    if is_writer { &view.conversation().recorded.summaries } else { &[] }
}

/// A summary in place of older turns.
struct Compaction {
    /// Number of completed turns before the first request with the summary.
    completed: usize,
    /// Number of turns before the first recent one.
    border: usize,
    /// The summary's number in the run, from 1.
    number: usize,
    /// The logged text, if the summary is in the log.
    text: Option<EcoString>,
}

impl Compaction {
    fn known_text<'a>(&'a self, options: &'a Options) -> Option<&'a EcoString> {
        match &self.text {
            Some(text) => Some(text),
            None => Some(&options.text(self.number)?.text),
        }
    }
}

/// Sizes of the turns of a view in tokens, as prefix sums: entry `k` is the sum over the first `k` turns.
struct Sizes<'a> {
    /// Tokens at the start of every request.
    start: u64,
    /// Tokens of the opening if the first summary replaces it, otherwise 0.
    opening: u64,
    /// Prefix sums over whole turns.
    turns: &'a [u64],
    /// Prefix sums over people's words to keep. Empty if none are kept.
    words: Vec<u64>,
}

/// The summaries of a strategy that places them itself. Each is assumed to have the most tokens allowed: its text may be written later and
/// must not move other summaries.
#[derive(Default)]
struct Placed {
    compactions: Vec<Compaction>,
    /// Number of completed turns before the last request looked at.
    completed: usize,
}

impl Placed {
    /// Places the summaries up to the newest request of the view.
    fn place_summaries(&mut self, view: &View<'_>, options: &Options) {
        let sizes = Sizes::new(view, options);
        let trigger = trigger(options);
        let most_tokens = options.tokens_of(trigger);
        for completed in self.completed + 1..=view.completed() {
            let (border, shortened_at) = match self.compactions.last() {
                Some(newest) => (newest.border, most_tokens),
                None => (options.get(&KEEP_FIRST), None),
            };
            let sent = sizes.sent_tokens(border, completed, options);
            let request =
                SizedRequest { completed, counted: sizes.start + sent, first: border, shortened_at };
            let size = view.trigger_size(options, request);
            let is_large = most_tokens.is_some_and(|most| size >= most);
            let turns = completed.saturating_sub(border);
            let is_long = trigger.turns.is_some_and(|most| turns > most as usize);
            if !is_large && !is_long && !trigger.is_idle(view.pause_after(completed), size) {
                continue;
            }
            let recent = sizes.first_recent(completed, sent, options);
            if recent > border {
                let number = self.compactions.len() + 1;
                self.compactions.push(Compaction { completed, border: recent, number, text: None });
            }
        }
        self.completed = view.completed();
    }
}

impl<'a> Sizes<'a> {
    fn new(view: &View<'a>, options: &Options) -> Sizes<'a> {
        let opening = replaced_opening(view, options).map(|(id, _)| view.tokens(&[id])).sum();
        let words = if options.flag(&KEEP_WORDS) { word_tokens(view) } else { Vec::new() };
        Sizes { start: view.start_tokens() - opening, opening, turns: view.turn_tokens(), words }
    }

    /// The summaries at their places in the log.
    fn place_logged(&self, options: &Options, summaries: &[LoggedSummary]) -> Vec<Compaction> {
        let mut compactions: Vec<Compaction> = Vec::new();
        let mut before = options.get(&KEEP_FIRST);
        for LoggedSummary { turns, text } in summaries {
            let border = self.first_recent(*turns, self.sent_tokens(before, *turns, options), options);
            if *turns < self.turns.len() && border > before {
                let number = compactions.len() + 1;
                compactions.push(Compaction { completed: *turns, border, number, text: Some(text.clone()) });
                before = border;
            }
        }
        compactions
    }

    /// Tokens of all turns when sent with a summary of the turns before `border`. The summary is assumed to have the most tokens allowed.
    fn sent_tokens(&self, border: usize, completed: usize, options: &Options) -> u64 {
        let first = options.get(&KEEP_FIRST);
        let replaced = if border > first {
            let words = sum_between(&self.words, first, border).min(words_tokens(options));
            options.get(&TOKENS) as u64 + words
        } else {
            self.opening
        };
        let kept = sum_between(self.turns, 0, first.min(completed));
        replaced + kept + sum_between(self.turns, border, completed)
    }

    /// Number of turns before the first recent one. `size` is the token count of all turns as sent.
    fn first_recent(&self, completed: usize, size: u64, options: &Options) -> usize {
        let by_turns = completed.saturating_sub(options.get(&KEEP_RECENT_TURNS));
        let share = (options.share(&KEEP_RECENT_SHARE) * size as f64) as u64;
        let tokens = share.max(options.size(&KEEP_RECENT_TOKENS) as u64);
        let all = sum_between(self.turns, 0, completed);
        let by_tokens = self.turns.partition_point(|before| all.saturating_sub(*before) > tokens);
        by_turns.min(by_tokens)
    }
}

/// The sum over the turns `from..to`. 0 if they end after the view: a log may contain such an index.
fn sum_between(sums: &[u64], from: usize, to: usize) -> u64 {
    match (sums.get(from), sums.get(to)) {
        (Some(before), Some(all)) => all.saturating_sub(*before),
        _ => 0,
    }
}

/// Prefix sums over the tokens of people's words.
fn word_tokens(view: &View<'_>) -> Vec<u64> {
    let mut sum = 0;
    let mut sums = vec![sum];
    for (turn, exchange) in view.exchanges(0) {
        // The answer precedes the replies.
        for (reply, size) in turn.replies.iter().zip(view.sizes(exchange).iter().skip(1)) {
            if reply.kind == ReplyKind::Words {
                sum += size;
            }
        }
        sums.push(sum);
    }
    sums
}

/// Most tokens of people's words to keep.
fn words_tokens(options: &Options) -> u64 {
    match options.size(&WORDS_TOKENS) {
        0 => u64::MAX,
        tokens => tokens as u64,
    }
}

/// The newest of people's words to keep, from the turns `first..border`.
fn kept_words(view: &View<'_>, options: &Options, (first, border): (usize, usize)) -> Vec<MessageId> {
    if !options.flag(&KEEP_WORDS) {
        return Vec::new();
    }
    let mut words = Vec::new();
    for (turn, exchange) in view.exchanges(0).take(border).skip(first) {
        // The answer precedes the replies.
        for (reply, id) in turn.replies.iter().zip(exchange.ids().iter().skip(1)) {
            if reply.kind == ReplyKind::Words {
                words.push(*id);
            }
        }
    }
    keep_newest(words, words_tokens(options), |id| view.tokens(&[*id]))
}

/// The longest suffix with at most `most` tokens.
fn keep_newest<T>(mut entries: Vec<T>, most: u64, tokens: impl Fn(&T) -> u64) -> Vec<T> {
    let (mut sum, mut start) = (0, entries.len());
    while let Some(entry) = start.checked_sub(1).and_then(|last| entries.get(last)) {
        sum += tokens(entry);
        if sum > most {
            break;
        }
        start -= 1;
    }
    entries.split_off(start)
}

/// The request with all turns, or with a summary in place of old ones.
fn shorten_request(view: &View<'_>, options: &Options, compaction: Option<&Compaction>) -> RequestDraft {
    let Some(compaction) = compaction else {
        let mut request = view.start();
        view.add_whole(0, &mut request);
        return request;
    };
    let mut request = if keeps_opening(view, options) { view.start() } else { view.start_without_opening() };
    let (first, border) = (options.get(&KEEP_FIRST), compaction.border);
    for (turn, exchange) in view.exchanges(0).take(first) {
        exchange.add_whole(turn, &mut request);
    }
    request.messages.extend(kept_words(view, options, (first, border)));
    request.messages.push(view.messages().add(&summary_message(options, compaction)));
    request.settle(0);
    view.add_whole(border, &mut request);
    request
}

/// Returns true if the opening is kept, before the summary. It always is for agents that write programs, because it lists their tools and
/// data.
fn keeps_opening(view: &View<'_>, options: &Options) -> bool {
    options.flag(&KEEP_OPENING) || view.run().is_some()
}

/// The opening messages to be replaced by the first summary.
fn replaced_opening<'a>(
    view: &View<'a>,
    options: &Options,
) -> impl Iterator<Item = (MessageId, &'a Message)> + use<'a> {
    let is_replaced = !keeps_opening(view, options);
    view.replaceable_start().filter(move |_| is_replaced)
}

/// The summary message: `[summary of turns 1 to 12]`, then the text if it is known.
fn summary_message(options: &Options, compaction: &Compaction) -> Message {
    let text = compaction.known_text(options);
    let mut message = MessageBuilder::default();
    message.part(MessagePart::Conversation, |out| {
        let (first, last) = (options.get(&KEEP_FIRST) + 1, compaction.border);
        out.push_str(&format!("[summary of turns {first} to {last}]"));
        if let Some(text) = text {
            out.push('\n');
            out.push_str(text);
        }
    });
    let role = if options.word(&PLACE) == SYSTEM { Role::System } else { Role::User };
    let hidden = if text.is_none() { placeholder_tokens(options) } else { 0 };
    Message { image_tokens: hidden, ..message.finish(role) }
}

/// The assumed token count of an unknown text.
fn placeholder_tokens(options: &Options) -> u32 {
    if options.writer() == Some(&Writer::Empty) { 0 } else { options.get(&TOKENS) as u32 }
}

/// The model call that writes a summary. Its input is the previous summary, and the turns since then that the new one replaces.
fn summary_call(
    view: &View<'_>,
    options: &Options,
    before: Option<&Compaction>,
    new: &Compaction,
) -> StrategyCall<MessageId> {
    let instruction = Message::new(Role::User, instruction(options));
    let summary_before = before.map(|before| summary_message(options, before));
    let mut replaced: Vec<&Message> = summary_before.iter().collect();
    add_replaced(view, options, (before, new), &mut replaced);
    let turns = (options.get(&KEEP_FIRST) + 1, new.border);
    let key = TextKey::new(turns, replaced.iter().copied(), &instruction.content);
    let mut request = RequestDraft::default();
    if options.flag(&REUSE_PREFIX) {
        request = shorten_request(view, options, before);
        request.messages.push(view.messages().add(&instruction));
    } else {
        let message = in_one_message(&cut_replaced(view, options, &replaced), &instruction);
        request.messages.push(view.messages().add(&message));
    }
    request.end();
    let text = new.known_text(options);
    StrategyCall {
        messages: request.messages,
        goes_on: options.flag(&REUSE_PREFIX),
        borders: request.borders,
        most_tokens: options.get(&TOKENS) as u32,
        output_tokens: text.map_or(placeholder_tokens(options), |text| view.count(text) as u32),
        is_text_known: text.is_some() || options.writer() == Some(&Writer::Empty),
        key: Some(key),
        usage: options.text(new.number).and_then(|written| written.usage.clone()),
    }
}

fn instruction(options: &Options) -> EcoString {
    if let Some(prompt) = options.prompt() {
        return prompt.clone();
    }
    let tokens = options.get(&TOKENS);
    eco_format!(
        "Summarize the conversation so far for yourself: what the user wants, what was done and decided, what was found, with \
         names, numbers and paths exactly as they are, and what is left to do. Write at most {tokens} tokens."
    )
}

/// Adds the messages that a summary replaces, without those already replaced by the summary before.
fn add_replaced<'m, 'v: 'm>(
    view: &View<'v>,
    options: &Options,
    (before, new): (Option<&Compaction>, &Compaction),
    replaced: &mut Vec<&'m Message>,
) {
    let from = match before {
        Some(before) => before.border,
        None => {
            replaced.extend(replaced_opening(view, options).map(|(_, message)| message));
            options.get(&KEEP_FIRST)
        }
    };
    for (turn, _) in view.exchanges(from).take(new.border.saturating_sub(from)) {
        replaced.extend(turn.messages());
    }
}

/// The replaced messages, cut to what the call may include.
fn cut_replaced(view: &View<'_>, options: &Options, replaced: &[&Message]) -> Vec<Message> {
    let characters = match options.size(&CALL_RESULT_CHARACTERS) {
        0 => usize::MAX,
        characters => characters,
    };
    let mut cut = Vec::with_capacity(replaced.len());
    for message in replaced {
        let is_long = message.result_of().is_some() && message.content.len() > characters;
        cut.push(match is_long {
            true => message.with_content(shortened_text(&message.content, characters)),
            false => (*message).clone(),
        });
    }
    match options.size(&CALL_TOKENS) {
        0 => cut,
        most => keep_newest(cut, most as u64, |message| message.tokens(|text| view.count(text))),
    }
}

/// The instruction and the replaced messages as one text.
fn in_one_message(replaced: &[Message], instruction: &Message) -> Message {
    let (mut text, mut hidden) = (String::from(instruction.content.as_str()), 0);
    for message in replaced {
        text.push_str(&format!("\n\n[{}]\n{}", message.role.name().to_uppercase(), message.content));
        for call in message.calls() {
            text.push_str(&format!("\n{} {}", call.name, call.arguments));
        }
        hidden += message.image_tokens;
    }
    Message { image_tokens: hidden, ..Message::new(Role::User, text) }
}
