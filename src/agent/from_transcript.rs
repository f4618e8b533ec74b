//! Turns a transcript into a [`LoggedConversation`].

use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::ser::Formatter;

use super::log_pauses::pauses_of;
use super::logged::LoggedConversation;
use super::logged_messages::{EMPTY, native_call, result, user};
use super::shortened::{Places, changes, compactions, starts, summaries};
use agent_logs::{ToolDeclaration, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};
use conversation::{
    Call, Conversation, Message, MessagePart, Native, NativeCall, Recorded, Reply, ReplyKind, Role, Turn,
    system_message,
};
use ptc_prices::TimeSpan;

// Placeholders for messages missing in logs but required by providers, so that strategies need not add them.
/// Replaces a missing opening. Providers require a user message first.
const NO_OPENING: &str = "[conversation starts]";
/// Replaces a missing message between two answers. Providers reject two answers in a row.
const NO_REPLY: &str = "[continue]";
/// Replaces a missing result of a call. Providers reject a call without a result.
const NO_RESULT: &str = "[no result recorded]";
/// Start markers of actions written as text outside code blocks.
const ACTION_MARKERS: [&str; 4] = ["<function=", "<tool_call>", "<invoke ", "<execute_"];

impl LoggedConversation {
    /// Converts a transcript so that providers accept its requests: missing messages become placeholders, and a result that is late or
    /// without its call becomes an observation. An image counts `image_tokens`. Without logged times, `pause` is assumed before each
    /// answer to a person.
    pub fn new(transcript: &Transcript, image_tokens: u32, pause: Option<TimeSpan>) -> LoggedConversation {
        let first = transcript.messages.iter().position(is_answer).unwrap_or(transcript.messages.len());
        let (before_answers, rest) = transcript.messages.split_at(first);
        let mut turns = Vec::new();
        let mut places = Places::of_opening(first);
        for (number, messages) in (1..).zip(rest.chunk_by(|_, next| !is_answer(next))) {
            if let Some((answer, after_answer)) = messages.split_first() {
                let calls: Vec<NativeCall> = answer.tool_calls.iter().map(native_call).collect();
                let Replies { replies, errors } = Replies::of(&calls, after_answer, image_tokens);
                let (indexes, replies): (Vec<_>, Vec<_>) = replies.into_iter().unzip();
                places.add_turn(indexes);
                turns.push(make_turn(number, answer, calls, replies, &errors));
            }
        }
        let (head, opening) = split_opening(transcript, before_answers, image_tokens);
        let recorded = Recorded {
            changes: changes(transcript, &places, &turns),
            sent: starts(transcript, &places, image_tokens),
            summaries: summaries(transcript),
        };
        let conversation = Conversation {
            head,
            opening,
            tools: transcript.tools.iter().map(to_declaration).collect(),
            turns,
            pauses: Arc::new(pauses_of(transcript, pause)),
            max_turns: None,
            recorded,
        };
        LoggedConversation {
            conversation,
            compactions: compactions(transcript),
            success: transcript.outcome.as_ref().and_then(|outcome| outcome.success),
        }
    }
}

/// The messages before the first answer: the head (system prompt and all messages but the last) and the opening (the last message).
fn split_opening(
    transcript: &Transcript,
    before_answers: &[TranscriptMessage],
    image_tokens: u32,
) -> (Vec<Message>, Message) {
    let mut head = Vec::new();
    if let Some(text) = &transcript.system
        && !text.trim().is_empty()
    {
        head.push(system_message(text));
    }
    for message in before_answers {
        let tokens = message.images.saturating_mul(image_tokens);
        head.push(Message { image_tokens: tokens, ..user(&message.content, MessagePart::Mission) });
    }
    match head.pop() {
        Some(opening) if !before_answers.is_empty() => (head, opening),
        system => {
            head.extend(system);
            (head, user(NO_OPENING, MessagePart::Mission))
        }
    }
}

/// The declaration of a tool as compact JSON.
fn to_declaration(tool: &ToolDeclaration) -> EcoString {
    if let Ok(value) = serde_json::to_value(tool) {
        return value.to_string().into();
    }
    // A schema too deeply nested to parse is sent and counted unchanged.
    match serde_json::to_string(tool) {
        Ok(written) => written.into(),
        Err(_) => EcoString::from(&tool.name),
    }
}

/// Builds a turn from an answer, its calls and its replies. `errors` maps calls to the texts of failed results.
fn make_turn(
    number: u32,
    answer: &TranscriptMessage,
    calls: Vec<NativeCall>,
    replies: Vec<Reply>,
    errors: &FxHashMap<EcoString, EcoString>,
) -> Turn {
    let logged_calls = logged_calls(answer, &calls, &replies, errors);
    let (mut outputs, mut newest_result) = (Vec::new(), None);
    for reply in &replies {
        let content = &reply.message.content;
        match reply.kind {
            ReplyKind::Result => newest_result = Some(content),
            ReplyKind::Observation => {}
            _ => continue,
        }
        outputs.push(match reply.message.result_of() {
            Some(call) if errors.contains_key(call) => eco_format!("Error: {content}"),
            _ => content.clone(),
        });
    }
    // Strategies drop the content of failed turns, so a turn counts as failed only if all its results failed.
    let mut error = None;
    if !outputs.is_empty() && errors.len() == outputs.len() {
        error = newest_result.cloned();
        outputs.clear();
    }
    let native = (!calls.is_empty()).then(|| Arc::new(Native::Calls(calls)));
    let is_blank = native.is_none() && answer.content.trim().is_empty();
    let content = if is_blank { EMPTY } else { &answer.content };
    Turn {
        number,
        answer: Message { native, ..Message::new(Role::Assistant, content) },
        replies,
        calls: logged_calls,
        outputs,
        error,
    }
}

/// The calls of an answer with their errors. If an answer without calls has an observation, its text contains an action, counted as one
/// call.
fn logged_calls(
    answer: &TranscriptMessage,
    calls: &[NativeCall],
    replies: &[Reply],
    errors: &FxHashMap<EcoString, EcoString>,
) -> Vec<Call> {
    let mut logged: Vec<Call> = answer.tool_calls.iter().map(logged_call).collect();
    for (call, logged) in calls.iter().zip(&mut logged) {
        logged.error = errors.get(&call.id).cloned();
    }
    if calls.is_empty() && replies.iter().any(|reply| reply.kind == ReplyKind::Observation) {
        logged.push(parse_action(&answer.content));
    }
    logged
}

/// A reply, and the index of its message after the answer. `None` for a placeholder.
type Numbered = (Option<usize>, Reply);

/// The replies to an answer.
struct Replies {
    /// Results in the order of the log, then all other replies. Providers require results right after their calls.
    replies: Vec<Numbered>,
    /// Texts of failed results, keyed by call id.
    errors: FxHashMap<EcoString, EcoString>,
}

impl Replies {
    fn of(calls: &[NativeCall], after_answer: &[TranscriptMessage], image_tokens: u32) -> Replies {
        let (mut results, mut others) = (Vec::new(), Vec::new());
        let (mut open, mut errors) = (calls.iter().collect::<Vec<_>>(), FxHashMap::default());
        for (index, message) in after_answer.iter().enumerate() {
            let mut call = None;
            if let Some(id) = message.call.as_deref()
                && let Some(at) = open.iter().position(|call| call.id == id)
            {
                call = Some(open.remove(at));
            }
            let reply = make_reply(message, call, image_tokens);
            if let Some(call) = call
                && reply.kind == ReplyKind::Result
                && message.is_error
            {
                errors.insert(call.id.clone(), reply.message.content.clone());
            }
            let replies = if reply.kind == ReplyKind::Result { &mut results } else { &mut others };
            replies.push((Some(index), reply));
        }
        let mut replies: Vec<Numbered> = results;
        for call in open {
            replies.push(as_filler(result(&call.id, NO_RESULT)));
        }
        replies.extend(others);
        if replies.is_empty() {
            replies.push(as_filler(user(NO_REPLY, MessagePart::Conversation)));
        }
        Replies { replies, errors }
    }
}

/// Converts a message after an answer. `call` is the matching call of this answer, if it has no result yet.
fn make_reply(message: &TranscriptMessage, call: Option<&NativeCall>, image_tokens: u32) -> Reply {
    let (kind, sent) = match (message.role, call) {
        (TranscriptRole::Tool, Some(call)) => (ReplyKind::Result, result(&call.id, &message.content)),
        // Providers reject a result without its call, such as a late one of a background task or a second one.
        (TranscriptRole::Tool, None) => {
            let call = message.call.as_deref().unwrap_or("unknown");
            let content = format!("[result of call {call}]\n{}", message.content);
            (ReplyKind::Observation, user(&content, MessagePart::Output))
        }
        _ if message.is_observation => (ReplyKind::Observation, user(&message.content, MessagePart::Output)),
        _ => (ReplyKind::Words, user(&message.content, MessagePart::Conversation)),
    };
    let image_tokens = message.images.saturating_mul(image_tokens);
    Reply { kind, message: Message { image_tokens, ..sent } }
}

fn as_filler(message: Message) -> Numbered {
    (None, Reply { kind: ReplyKind::Filler, message })
}

fn logged_call(call: &TranscriptCall) -> Call {
    let arguments: Option<serde_json::Value> = serde_json::from_str(call.arguments.get()).ok();
    // Arguments too deeply nested to parse are shown unchanged.
    let shown = match arguments.as_ref().and_then(format_spaced) {
        Some(spaced) => spaced,
        None => call.arguments.get().to_owned(),
    };
    Call {
        name: call.name.as_str().into(),
        arguments,
        error: None,
        text: eco_format!("{}({shown})", call.name),
    }
}

/// The text from the first marker of an action on.
fn text_from_marker(answer: &str) -> Option<&str> {
    let start = ACTION_MARKERS.iter().filter_map(|marker| answer.find(marker)).min()?;
    answer.get(start..)
}

/// The action in the text of an answer: its last code block, else the text from a marker on, else the whole text.
fn parse_action(answer: &str) -> Call {
    let text = last_block(answer).or_else(|| text_from_marker(answer)).unwrap_or(answer);
    Call { name: "action".into(), arguments: Some(text.into()), error: None, text: text.trim().into() }
}

/// The content of the last fenced code block, if not empty. A block without an end extends to the end of the answer (truncated output).
fn last_block(text: &str) -> Option<&str> {
    let (mut open, mut last, mut at) = (None, None, 0);
    for line in text.split_inclusive('\n') {
        // A line such as "```ls```" has both fences.
        if let Some(info) = line.trim_start().strip_prefix("```")
            && !info.contains("```")
        {
            match open.take() {
                Some(start) => last = Some(start..at),
                None => open = Some(at + line.len()),
            }
        }
        at += line.len();
    }
    let block = match open {
        Some(start) => start..text.len(),
        None => last?,
    };
    let content = text.get(block)?;
    let content = content.strip_suffix('\n').unwrap_or(content);
    (!content.trim().is_empty()).then_some(content)
}

/// JSON on one line, with a space after each colon and comma.
fn format_spaced(value: &serde_json::Value) -> Option<String> {
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Spaced)).ok()?;
    String::from_utf8(text).ok()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: std::io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: std::io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: std::io::Write + ?Sized>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }
}

fn is_answer(message: &TranscriptMessage) -> bool {
    message.role == TranscriptRole::Assistant
}
